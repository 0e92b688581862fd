// docs/receiving.md, block by block as it is printed, with stand-ins for the programs and hosts of others.
import assert from 'node:assert/strict'
import { chmod, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { cleanEnv, startProgram } from '../../server/test/launch.ts'
import { pluck } from '../../server/test/pluck.ts'
import { ears, orderEvent } from './ears.ts'
import { lines } from './kith.ts'

const page = fileURLToPath(new URL('../../docs/receiving.md', import.meta.url))

interface Call {
  url: string
  authorization: string | undefined
  body: string
}

/** A host that is called: it answers with these, then with 204. */
async function host(t: TestContext, ...answers: number[]) {
  const calls: Call[] = []
  const server = createServer(async (request, response) => {
    const body = (await buffer(request)).toString()
    calls.push({ url: request.url!, authorization: request.headers.authorization, body })
    response.writeHead(answers.shift() ?? 204).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => server.close().closeAllConnections())
  return { calls, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

test('each block of the guide does what it says', async (t) => {
  const { cli, socket } = await ears(t)
  const at = (name: string) => join(cli.home, name)
  await mkdir(at('bin'))
  const program = async (name: string, text: string) => {
    await writeFile(at(`bin/${name}`), `#!/bin/sh\n${text}\n`)
    await chmod(at(`bin/${name}`), 0o755)
  }
  await program('kith', `exec ${cli.command.map((word) => `'${word}'`).join(' ')} "$@"`)
  await program('claude', `printf '%s\\n' "$@" > claude.args; cat >> claude.input`)
  const env = cleanEnv({ ...cli.env, PATH: `${at('bin')}:${cli.env['PATH']}`, KITH_PROFILE: 'ada' })
  const guide = await readFile(page, 'utf8')
  const blocks = (kind: string) =>
    [...guide.matchAll(new RegExp(`^\`\`\`${kind}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(([, block = '']) => block)
  const shell = async (block: string, more = {}) => {
    const run = startProgram(['bash', '-ec', block], { env: { ...env, ...more }, cwd: cli.home })
    const code = await run.ended
    return { code, out: run.out(), err: run.err() }
  }
  let n = 0
  /** Events come while a block listens, which in the guide goes on until Ctrl-C. */
  const hears = async (block: string, kinds: string[], more = {}) => {
    const ids = kinds.map((kind) => {
      const event = { ...orderEvent(++n, n), kind } as ReturnType<typeof orderEvent>
      socket.events.push(event)
      return event.event_id
    })
    const listening = block.replace('kith listen', `kith listen --limit ${kinds.length}`)
    const run = await shell(listening, more)
    assert.equal(run.code, 0, run.out + run.err)
    assert.deepEqual(socket.events, [])
    return { ids, attempts: lines(run.out) }
  }
  const [first, hear, dead, hook, hearHook, queue, hearQueue, wake, hearWake, think, hearThink, ...rest] = blocks(
    'sh',
  ) as [string, string, string, string, string, string, string, string, string, string, string]
  assert.deepEqual(rest, [])
  for (const block of [first, hook, queue, wake, think]) assert.equal((await shell(block)).code, 0, block)

  const simple = await hears(hear, ['order.changed', 'audience.digest'])
  assert.deepEqual(
    lines(await readFile(at('work.jsonl'), 'utf8')).map(({ event_id, kind }) => [event_id, kind]),
    [[simple.ids[0], 'order.changed']],
  )
  const [line] = blocks('json')
  assert.deepEqual(Object.keys(JSON.parse(line as string)), Object.keys(simple.attempts[0]))
  assert.match((await shell(dead)).out, /^No dead letters\./)

  const receiver = await host(t, 503, 200, 400)
  const delivered = await hears(hearHook.replace('https://hooks.example', receiver.url), ['order.changed'])
  assert.deepEqual(pluck(delivered.attempts, 'outcome'), ['later', 'handled'])
  const [call] = receiver.calls
  assert.deepEqual(
    [call?.url, call?.authorization, JSON.parse(call!.body).event_id],
    ['/kith', 'Bearer SECRET', delivered.ids[0]],
  )
  assert.equal((await stat(at('webhook.header'))).mode & 0o777, 0o600)
  assert.equal((await shell('echo {} | ./webhook.sh', { WEBHOOK: receiver.url })).code, 1, 'refused')
  assert.equal((await shell('echo {} | ./webhook.sh', { WEBHOOK: 'http://127.0.0.1:1' })).code, 75, 'nobody there')

  const queued = await hears(hearQueue, ['order.changed', 'task.changed'])
  assert.deepEqual(
    (await readdir(at('queue'))).sort(),
    queued.ids.map((id) => `${id}.json`),
  )

  const gateway = await host(t)
  await hears(hearWake, ['order.changed'], { WAKE: gateway.url })
  const [{ authorization, body } = assert.fail()] = gateway.calls
  assert.deepEqual([authorization, JSON.parse(body).mode], ['Bearer HOOK_TOKEN', 'now'])

  const thought = await hears(hearThink, ['order.changed', 'wallet.credited'])
  assert.deepEqual(pluck(lines(await readFile(at('claude.input'), 'utf8')), 'event_id'), [thought.ids[0]])
  assert.match(
    await readFile(at('claude.args'), 'utf8'),
    /^-p\nStandard input[\s\S]*\n--allowedTools\nmcp__kith__read\n/,
  )

  const [unit = ''] = blocks('ini')
  const [, start = ''] = /^ExecStart=(.*)$/m.exec(unit) ?? []
  await hears(start, ['order.lapsing'])
  const [, onTimer = ''] = /^(?:\S+ ){5}(.*)$/m.exec(blocks('crontab')[0]!) ?? []
  socket.events.push(orderEvent(++n))
  const drained = await shell(onTimer, { HOME: cli.home })
  assert.equal(drained.code, 0, drained.err)
  assert.deepEqual(pluck(lines(await readFile(at('kith-events.jsonl'), 'utf8')), 'event_id'), [orderEvent(n).event_id])
})
