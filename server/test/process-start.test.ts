// The process: how it starts, refuses to start, and ends.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { command, dataFolder, launch, mainFile, serve } from './launch.ts'
import { accounts, becomesReady, befriendAt, call, history, postgresOf, register } from './process.ts'
import { lacks } from './programs.ts'
import { connectEvents, eventually } from './world.ts'

/** One line that says why, and no stack. */
function assertOneLine(output: string, reason: RegExp): void {
  const lines = output.split('\n').filter((line) => line !== '' && !line.startsWith('{'))
  assert.equal(lines.length, 1, output)
  assert.match(lines[0] as string, reason)
  assert.doesNotMatch(output, /^ {4}at /m)
}

for (const [name, account] of accounts) {
  test(`as ${name}: a first start, a later start, and a clean stop`, async (t) => {
    const { dataDir, remove } = await dataFolder({ account })
    t.after(() => remove())
    const first = await serve(dataDir, { account })
    assert.match(first.output(), /Kith is ready at http:\/\/127\.0\.0\.1:\d+/)
    assert.match(first.output(), new RegExp(`Data {5}${dataDir}\n`))
    assert.match(first.output(), new RegExp(`Mail {5}${join(dataDir, 'mail')} `))
    assert.match(first.output(), /Site {5}http:\S+\/\n/)
    assert.match(first.output(), /Docs {5}http:\S+\/docs\n/)
    // As typed there, a command finds this service.
    const found = `DATA_DIR=${dataDir} PORT=${new URL(first.url).port} npm run`
    assert.ok(first.output().includes(`  (${found} mail shows the newest)\n`))
    assert.ok(first.output().includes(`Console  ${found} operator -- operator create EMAIL\n`))
    assert.match(first.output(), /Next {5}npx kith register --url http:\S+\n/)
    const second = launch(dataDir, { account })
    assert.equal(await second.ended, 1)
    assertOneLine(second.output(), new RegExp(`is in use by another process \\(pid ${first.pid}\\)`))
    // The first one is untouched.
    await becomesReady(first.url)
    const ada = await register(first.url, 'ada')
    const socket = await connectEvents(first.url, ada.token)
    await sleep(1000) // until its lease is taken
    first.kill('SIGTERM')
    assert.equal(await socket.closed, 1001)
    assert.equal(await first.ended, 0, first.output())
    assert.deepEqual(await postgresOf(dataDir), [])
    assert.doesNotMatch(first.output(), /"level":"(error|fatal)"/)

    assert.equal(statSync(dataDir).mode & 0o777, 0o700)
    assert.equal(statSync(join(dataDir, 'secret-key')).mode & 0o777, 0o600)
    for (const entry of readdirSync(dataDir, { withFileTypes: true })) {
      const { mode, uid } = statSync(join(dataDir, entry.name))
      assert.equal(mode & 0o077, 0, `${entry.name} is for its owner alone`)
      assert.equal(uid, account?.uid ?? process.getuid?.())
    }

    assert.match(first.output(), /^\{"level":"warn",.*"RECOVERY is off/m)

    const later = await serve(dataDir, { account, env: { LOG_FORMAT: 'pretty' } })
    await later.says(/^\d\d:\d\d:\d\d warn {2}RECOVERY is off: /m)
    assert.equal((await call(later.url, 'GET', '/bots/me', { token: ada.token }))?.body.bot.handle, 'ada')
    later.kill('SIGINT')
    assert.equal(await later.ended, 0)
    assert.doesNotMatch(later.output(), /\{|\u001b/, 'no JSON, and no colours where there is no terminal')
    assert.match(later.output(), /info {2}stopped\n$/)
    assert.deepEqual(await postgresOf(dataDir), [])
  })
}

test('LOG_FORMAT=json: every line is JSON, and one says where the service is', async (t) => {
  const { dataDir, remove } = await dataFolder({ migrated: true })
  t.after(() => remove())
  const running = launch(dataDir, { env: { LOG_FORMAT: 'json' } })
  await running.says(/"url":"(http:\/\/127\.0\.0\.1:\d+)","address":"\1","msg":"Kith is ready"/)
  assert.equal(await running.stop(), 0)
  for (const line of running.output().trimEnd().split('\n')) assert.doesNotThrow(() => JSON.parse(line), line)
})

test('an error that prevents the start is one line, and nothing is left running', async () => {
  const { dataDir, remove } = await dataFolder()
  const blocker = createServer().listen(0, '127.0.0.1')
  try {
    await new Promise((resolve) => blocker.once('listening', resolve))
    const { port } = blocker.address() as AddressInfo
    const taken = launch(dataDir, { env: { PORT: String(port) } })
    assert.equal(await taken.ended, 1)
    assertOneLine(
      taken.output(),
      new RegExp(`Cannot listen on 127\\.0\\.0\\.1:${port}: another program is listening there`),
    )
    assert.ok(!existsSync(dataDir), 'not even a folder')

    for (const [env, reason] of [
      // One of the settings of config.test.ts.
      [{ WRITE_LIMIT_PER_MINUTE: 'many' }, /Malformed setting WRITE_LIMIT_PER_MINUTE/],
      [{ DATA_DIR: '/dev/null/kith' }, /Cannot write to DATA_DIR \/dev\/null\/kith: it is not a folder/],
      [{ HOST: '203.0.113.7' }, /Cannot listen on 203\.0\.113\.7:\d+: this machine has no such address \(set HOST\)/],
    ] as const) {
      const refused = launch(dataDir, { env })
      assert.equal(await refused.ended, 1)
      assertOneLine(refused.output(), reason)
      assert.ok(!existsSync(dataDir))
    }
  } finally {
    blocker.close()
    await remove()
  }
})

test('help lists every command; an unknown one prints it too, and exits with 2', async () => {
  const { code, stdout } = await command(mainFile, ['--help'], {})
  assert.equal(code, 0)
  assert.match(
    stdout,
    /^usage: kith-server COMMAND\n\n {2}serve {2,}run the service[\s\S]*\n {2}backup --keep N FOLDER {2,}delete /,
  )
  for (const [line, told] of [
    ['serf', 'There is no command serf'],
    ['backup', 'backup needs FILE'],
    ['backup --keep 14', 'backup --keep needs FOLDER'],
    ['backup one two', 'backup takes only FILE'],
    ['verify now', 'verify takes no arguments'],
    ['restore --force', 'restore has no option --force'],
    ['restore one --force', 'restore has no option --force'],
  ] as const) {
    const { code, stderr } = await command(mainFile, line.split(' '), {})
    assert.equal(code, 2)
    assert.ok(stderr.startsWith(`kith-server: ${told}\n\nusage: kith-server `), stderr)
  }
})

test('a signal during the start ends it; a second signal ends a drain', async (t) => {
  const { dataDir, remove } = await dataFolder()
  t.after(() => remove())
  const early = launch(dataDir)
  await eventually(() => existsSync(join(dataDir, 'postgres')) || undefined, 'the start of the database')
  early.kill('SIGTERM')
  assert.equal(await early.ended, 0, early.output())
  // What hangs in a start is cut off, and its PostgreSQL ends after it.
  await eventually(async () => (await postgresOf(dataDir)).length === 0, 'PostgreSQL is gone')

  const running = await serve(dataDir)
  // A request that never ends its body keeps the drain waiting.
  const { hostname, port } = new URL(running.url)
  const open = connect(Number(port), hostname)
  open.on('error', () => {})
  const underWay = once(open, 'data')
  open.write(
    'POST /api/v1/bots/register HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{',
  )
  assert.match(String(await underWay), /^HTTP\/1\.1 100 /)
  // At once: on a busy machine any later moment might be more than a second after the first signal.
  running.kill('SIGTERM')
  running.kill('SIGINT')
  await eventually(() => running.output().includes('draining') || undefined, 'the drain')
  await sleep(1100)
  assert.equal(
    running.child.exitCode,
    null,
    'a repetition within a second is the same signal: it waits for the open request',
  )
  running.kill('SIGTERM')
  // Not 0, as a drain ends that has waited for the request to be given up.
  assert.equal(await running.ended, 1, 'at once')
  assert.deepEqual(await postgresOf(dataDir), [])

  const again = await serve(dataDir)
  again.kill('SIGTERM')
  assert.equal(await again.ended, 0)
})

const faketime = ['x86_64', 'aarch64']
  .map((machine) => `/usr/lib/${machine}-linux-gnu/faketime/libfaketime.so.1`)
  .find((path) => existsSync(path))

/** What libfaketime left of processes that are gone: whoever gets their pid, under another user, could not start with it. */
function forgetGoneProcesses(): void {
  const shared = '/dev/shm'
  for (const name of existsSync(shared) ? readdirSync(shared) : []) {
    const pid = /^(?:sem\.)?faketime_(?:sem|shm)_(\d+)$/.exec(name)?.[1]
    if (pid !== undefined && !existsSync(`/proc/${pid}`)) rmSync(`${shared}/${name}`, { force: true })
  }
}

test('with a shifted wall clock the service behaves as on that day', {
  skip: lacks('libfaketime', faketime !== undefined),
}, async (t) => {
  const { dataDir, remove } = await dataFolder({ migrated: true })
  // The day moves and the monotonic clock does not, as on a machine that was started on that day.
  const at = (days: number) => ({
    env: { LD_PRELOAD: faketime as string, FAKETIME: `+${days}d`, FAKETIME_DONT_FAKE_MONOTONIC: '1' },
  })
  t.after(() => remove())
  const today = await serve(dataDir)
  const [ada, bob] = [await register(today.url, 'ada'), await register(today.url, 'bob')]
  await befriendAt(today.url, ada, bob)
  const json = ada.envelope(bob)
  assert.equal((await call(today.url, 'POST', '/messages', { token: ada.token, json }))?.status, 201)
  today.kill('SIGTERM')
  await today.ended

  for (const [days, living] of [
    [29, 1],
    [58, 1],
    [87, 1],
    [91, 0],
  ] as const) {
    forgetGoneProcesses()
    const then = await serve(dataDir, at(days))
    assert.equal((await history(then.url, bob, ada)).length, living, `after ${days} days`)
    const old = await call(then.url, 'GET', '/bots/me', { token: ada.token })
    assert.equal(old?.status, days < 30 ? 200 : 401, 'a token of 30 days')
    const next = await call(then.url, 'POST', '/tokens/rotate', { token: bob.token })
    assert.equal(next?.status, 200)
    const { token_expires_at: expires, token } = next?.body ?? {}
    assert.ok(Math.abs(new Date(expires).getTime() - Date.now() - (days + 30) * 86_400_000) < 600_000)
    bob.token = token
    then.kill('SIGTERM')
    assert.equal(await then.ended, 0)
  }
})
