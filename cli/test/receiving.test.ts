// `kith listen --exec` as a process: what its command is given, what happens to the event, and how both end.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, constants, existsSync, openSync, writeSync } from 'node:fs'
import { readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import type { KithEvent } from '@kith/sdk/identity'
import { seal } from '../../sdk/src/box.ts'
import { startProgram } from '../../server/test/launch.ts'
import { pluck } from '../../server/test/pluck.ts'
import { eventually } from '../../server/test/world.ts'
import { runHandler } from '../src/receiving/handler.ts'
import { ears, orderEvent } from './ears.ts'
import { lines } from './kith.ts'

const isThere = (path: string) => eventually(async () => existsSync(path) || undefined, path)
const text = async (path: string) => (await readFile(path, 'utf8')).trim()

/** Whether a process still runs; one that ended and was not looked at does not. */
async function isAlive(pid: string): Promise<boolean> {
  const state = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined)
  return state !== undefined && !/\) Z /.test(state)
}
const isGone = (pid: string) => eventually(async () => !(await isAlive(pid)) || undefined, `the end of ${pid}`)

/** A pipe that nobody reads, full to the brim. */
function fullPipe(path: string): number {
  execFileSync('mkfifo', [path])
  const pipe = openSync(path, constants.O_RDWR | constants.O_NONBLOCK)
  const write = () => {
    for (;;) writeSync(pipe, Buffer.alloc(4096))
  }
  assert.throws(write, { code: 'EAGAIN' })
  return pipe
}

test('a command reads each event, and its exit code decides: done, later, or a dead letter', async (t) => {
  const { cli, folder, socket, script, listen, friend, me, service, client } = await ears(t)
  const sent = await client.conversations.send(friend.id, 'Hello')
  const status: KithEvent = {
    event_id: orderEvent(9).event_id,
    kind: 'message.status_changed',
    payload: { message_id: sent.message.id, version: 2 },
  }
  const evil = '$(touch owned) `touch owned`\u202e; touch owned "\'\n'
  const message: KithEvent = {
    event_id: '0198c000-0000-7000-8000-0000000000aa',
    kind: 'message.created',
    payload: {
      ...seal(evil, friend.keys.secretKey, me.keys.publicKey),
      id: '0198c000-0000-7000-a000-0000000000aa',
      client_message_id: '0198c000-0000-7000-a000-0000000000ab',
      sender_id: friend.id,
      sender_public_key: friend.keys.publicKey,
      recipient_public_key: me.keys.publicKey,
      recipient_id: me.id,
      created_at: new Date().toISOString(),
    },
  } as KithEvent
  const strange = {
    event_id: orderEvent(7).event_id,
    kind: 'A=b\0 $(touch owned)',
    payload: {},
  } as unknown as KithEvent
  const broken = { ...message, event_id: orderEvent(6).event_id, payload: {} } as KithEvent
  // The first is done at the first run, the second at its third, the third never, the fourth prints a lot and reads nothing.
  const handle = await script(
    'handle.sh',
    `n=$(echo "$KITH_EVENT_ID" | tail -c 3)
echo "$KITH_EVENT_KIND $KITH_PROFILE $KITH_ATTEMPT $# $1 $2" >> seen.$n
case $n in
  01) env > env.01 ;;
  02) [ -e later.02 ] || { touch later.02; exit 75; }; [ "$KITH_ATTEMPT" = 2 ] || kill -9 $$ ;;
  03) exit 9 ;;
  04) head -c 3000000 /dev/zero | tr '\\0' x; exec sleep 0 ;;
  05) sleep 600 & echo $! > daemon; exit 0 ;;
  09) [ -e later.09 ] || { touch later.09; exit 75; }; [ ! -e seen.aa ] || touch overtaken ;;
esac
cat > input.$n`,
  )
  socket.events.push(...[1, 2, 3, 4, 5].map((n) => orderEvent(n, n)), status, message, strange, broken)
  const run = listen(['--tries', '2', '--parallel', '2'], handle, 'a b', '$(touch owned)')
  const attempts = () => lines(run.out())
  await eventually(async () => attempts().length >= 13 || undefined, 'thirteen attempts')
  const of = (n: number) =>
    attempts().flatMap(({ event_id, ...rest }) => (event_id === orderEvent(n).event_id ? [rest] : []))
  assert.deepEqual(of(1), [{ attempt: 1, exit: 0, outcome: 'handled' }])
  assert.deepEqual(of(2), [
    { attempt: 1, exit: 75, outcome: 'later' },
    { attempt: 1, exit: 137, outcome: 'later' },
    { attempt: 2, exit: 0, outcome: 'handled' },
  ])
  assert.deepEqual(of(3), [
    { attempt: 1, exit: 9, outcome: 'later' },
    { attempt: 2, exit: 9, outcome: 'dead' },
  ])
  assert.deepEqual([of(4), of(5)], [of(1), of(1)])
  // The status of a message is of the conversation: what came in it later waits behind it.
  assert.deepEqual([of(9).length, existsSync(join(cli.home, 'overtaken'))], [2, false])
  assert.ok(run.err().includes('x'.repeat(1_000)), 'what it prints')
  assert.doesNotMatch(run.out(), /xxx/)
  // What it left behind runs on, as with any other parent.
  assert.ok(await isAlive(await text(join(cli.home, 'daemon'))))
  process.kill(Number(await text(join(cli.home, 'daemon'))))
  assert.equal(await text(join(cli.home, 'seen.01')), 'order.changed ada 1 2 a b $(touch owned)')
  assert.equal(await text(join(cli.home, 'seen.07')), 'unknown ada 1 2 a b $(touch owned)')
  const environment = await text(join(cli.home, 'env.01'))
  assert.match(environment, new RegExp(`^KITH_EVENT_ID=${orderEvent(1).event_id}$`, 'm'))
  const own = environment.match(/^KITH_\w+/gm)?.sort()
  assert.deepEqual(own, ['KITH_ATTEMPT', 'KITH_EVENT_ID', 'KITH_EVENT_KIND', 'KITH_HOME', 'KITH_PROFILE'])
  const read = lines(await readFile(join(cli.home, 'input.aa'), 'utf8'))
  assert.deepEqual(
    read.map((event) => [event.kind, event.message.untrusted_text, event.message.from.handle]),
    [['message.created', evil, 'bob']],
  )
  assert.equal(JSON.parse(await text(join(cli.home, 'input.06'))).says, 'a message arrived')
  assert.equal(existsSync(join(cli.home, 'owned')), false)

  // The dead letter, beside the process that receives.
  const id = orderEvent(3).event_id
  const letter = join(folder.path, 'cli-dead', id)
  assert.equal((await stat(letter)).mode & 0o777, 0o600)
  const { letters, retrying } = await cli.json(0, 'dead', 'list', '-p', 'ada')
  assert.deepEqual([letters.length, letters[0].event_id, letters[0].attempts, letters[0].exit], [1, id, 2, 9])
  assert.deepEqual([letters[0].says, retrying], ['an order is funded', []])
  const shown = await cli.json(0, 'dead', 'show', id.slice(-8), '-p', 'ada')
  assert.deepEqual([shown.event.event_id, shown.event.payload.status], [id, 'funded'])
  assert.match(
    (await cli.run('dead', 'show', id, '-p', 'ada')).out,
    /an order is funded {2}→ kith order show[\s\S]*dead retry/,
  )
  await writeFile(handle, '#!/bin/sh\ncat > retried.json\n')
  await cli.json(0, 'dead', 'retry', id, '-p', 'ada')
  await eventually(async () => of(3).length === 3 || undefined, 'another attempt')
  assert.deepEqual(of(3)[2], { attempt: 3, exit: 0, outcome: 'handled' })
  assert.equal((await cli.json(1, 'dead', 'retry', id, '-p', 'ada')).error.code, 'not_found')

  // A new token, and the channel goes on with it.
  const token = `kith_${'1'.repeat(43)}`
  service.tokens.clear()
  service.tokens.set(token, me.id)
  await folder.write(
    'token',
    JSON.stringify({ token, token_expires_at: new Date(Date.now() + 20 * 86_400_000).toISOString() }),
  )
  for (const open of socket.open) open.close(4401)
  await eventually(
    async () => (socket.open.size === 1 && socket.handshakes.length > 1) || undefined,
    'a new connection',
  )
  await writeFile(handle, '#!/bin/sh\nexit 1\n')
  socket.emit(orderEvent(8))
  await eventually(async () => lines(run.out()).at(-1)?.outcome === 'dead' || undefined, 'the last one')
  await cli.json(0, 'dead', 'drop', orderEvent(8).event_id, '-p', 'ada')
  assert.match((await cli.run('dead', 'list', '-p', 'ada')).out, /^No dead letters\.$/m)
  run.kill('SIGINT')
  assert.equal((await run.ended).code, 0)
  assert.deepEqual([socket.events, await folder.list('cli-tried')], [[], []])
})

test('a command is ended with all that it started: after its time, and with the listener', async (t) => {
  const { cli, folder, socket, script, listen } = await ears(t)
  const at = (name: string) => join(cli.home, name)
  const handle = await script(
    'slow.sh',
    `echo "$KITH_ATTEMPT" >> attempts
sh -c 'echo $$ > inner.tmp; mv inner.tmp inner.'$KITH_ATTEMPT'; exec sleep 600' &
wait`,
  )
  socket.events.push(orderEvent(1))
  const first = listen(['--timeout', '0.5', '--tries', '9'], handle)
  await eventually(async () => first.out() !== '' || undefined, 'an attempt')
  const [one] = lines(first.out())
  assert.deepEqual([one.attempt, one.exit, one.outcome], [1, 124, 'later'])
  // A busy machine may not have come that far.
  if (existsSync(at('inner.1'))) await isGone(await text(at('inner.1')))
  first.kill('SIGTERM')
  assert.equal((await first.ended).code, 0)

  // Told to stop: it ends what runs, which does not count, and another process receives at once.
  const next = Number(await text(join(folder.path, 'cli-tried', orderEvent(1).event_id))) + 1
  await rm(at(`inner.${next}`), { force: true })
  const second = listen([], handle)
  await isThere(at(`inner.${next}`))
  second.kill('SIGTERM')
  const { code, out } = await second.ended
  assert.deepEqual([code, lines(out)[0].attempt, lines(out)[0].outcome], [0, next, 'later'])
  assert.equal(await isAlive(await text(at(`inner.${next}`))), false)

  // Killed: its command goes on by itself, and the event runs again, as one more attempt.
  await writeFile(
    handle,
    '#!/bin/sh\n[ -e go ] && exit 0\necho "$$ $KITH_ATTEMPT" > killed.tmp; mv killed.tmp killed; exec sleep 600\n',
  )
  const third = listen([], handle)
  await isThere(at('killed'))
  third.kill('SIGKILL')
  await once(third.child, 'exit')
  const [survivor = '', counted] = (await text(at('killed'))).split(' ')
  assert.deepEqual([await isAlive(survivor), counted], [true, String(next)])
  process.kill(Number(survivor), 'SIGKILL')
  await writeFile(at('go'), '')
  const last = await listen(['--limit', '1', '--tries', '1'], handle).ended
  assert.deepEqual(
    [last.code, lines(last.out)],
    [0, [{ event_id: orderEvent(1).event_id, attempt: next + 1, exit: 0, outcome: 'handled' }]],
  )

  // Nobody reads what it says: the event is still done.
  socket.events.push(orderEvent(2))
  const unread = listen([], handle)
  unread.child.stdout?.destroy()
  assert.equal((await unread.ended).code, 141)
  // It is read by nobody, and stays open: it still stops, once the event is done.
  const pipe = fullPipe(at('pipe'))
  socket.events.push(orderEvent(3))
  const intoPipe = (...words: string[]) => {
    const into = ['sh', '-c', 'exec "$@" > "$0"', at('pipe'), ...cli.command, 'listen', '-p', 'ada', ...words]
    return startProgram(into, { env: cli.env, cwd: cli.home })
  }
  const stuck = intoPipe('--exec', '--', 'touch', 'touched')
  await isThere(at('touched'))
  await eventually(async () => (await folder.list('cli-tried')).length === 0 || undefined, 'the end of the run')
  stuck.kill('SIGTERM')
  assert.equal(await stuck.ended, 0)
  // Without a command it stops as well, and what nobody read comes again.
  socket.events.push(orderEvent(4))
  const plain = intoPipe()
  await eventually(async () => socket.acks.includes(orderEvent(4).event_id) || undefined, 'a line that nobody reads')
  plain.kill('SIGTERM')
  assert.equal(await plain.ended, 0)
  closeSync(pipe)
  const heard = await cli.run('listen', '-p', 'ada', '--limit', '1')
  assert.deepEqual(pluck(lines(heard.out), 'event_id'), [orderEvent(4).event_id])
  socket.events.push(...Array.from({ length: 3 }, (_, n) => orderEvent(10 + n)))
  const rest = await listen(['--limit', '3'], handle).ended
  assert.deepEqual(
    pluck(lines(rest.out), 'event_id'),
    [10, 11, 12].map((n) => orderEvent(n).event_id),
  )
})

test('what cannot be run is refused before anything is received', async (t) => {
  const { cli, socket } = await ears(t)
  socket.events.push(orderEvent(1))
  const cases: [words: string[], says: RegExp][] = [
    [['--exec'], /command to run is missing/],
    [['--exec', '--', join(cli.home, 'nothing')], /not a program/],
    [['--exec', '--', 'no-such-program'], /not a program/],
    [['--exec', '--', cli.home], /not a program/],
    [['--exec', '--tries', '0', '--', 'true'], /--tries must be/],
    [['--tries', '3'], /--tries needs --exec/],
  ]
  for (const [words, says] of cases) {
    const { code, json } = await cli.run('listen', '--json', '-p', 'ada', ...words)
    assert.equal(code, 2)
    assert.match(json.error.message, says, words.join(' '))
  }
  assert.equal(socket.connections, 0)
})

test('a run ends with an exit code, whatever its command does', async () => {
  const run = (command: string[], more: Partial<Parameters<typeof runHandler>[0]> = {}) =>
    runHandler({
      command,
      input: '',
      env: {},
      timeoutMs: 60_000,
      signal: new AbortController().signal,
      graceMs: 200,
      ...more,
    })
  assert.equal(await run(['/no/such/program']), 127)
  assert.equal(await run(['/']), 126)
  assert.equal(await run(['sh', '-c', 'kill -9 $$']), 137)
  // More than a pipe holds, and nobody reads it.
  assert.equal(await run(['sh', '-c', 'exit 3'], { input: 'x'.repeat(1_000_000) }), 3)
  assert.equal(
    await run(['sh', '-c', 'exec sleep 600 < /dev/null'], { input: 'x'.repeat(1_000_000), timeoutMs: 50 }),
    124,
  )
  // Deaf to a polite end.
  assert.equal(await run(['sh', '-c', 'trap "" TERM; sleep 600; sleep 600'], { timeoutMs: 50 }), 124)
  const stopped = AbortSignal.abort()
  // It has time for that also on a busy machine.
  assert.equal(await run(['sleep', '600'], { signal: stopped, graceMs: 60_000 }), 143)
})
