import assert from 'node:assert/strict'
import { userInfo } from 'node:os'
import { test } from 'node:test'
import { command, dataFolder, operatorFile, serve } from '../../test/launch.ts'
import { pluck } from '../../test/pluck.ts'
import { postgresOf, register } from '../../test/process.ts'
import { story } from '../../test/story.ts'
import { code, eventually, worldFor } from '../../test/world.ts'
import type { entries } from '../store/audit.ts'
import { UsageError } from './command.ts'
import { understand, usageFor } from './commands.ts'
import { OperatorError } from './operator.ts'

const who = `operator:${userInfo().username}`

const { w, ada, bob } = story({ friends: ['ada', 'bob'] })

/** As a process of its own, for its exit code and what it prints; `w.operator` says the same words in this one. */
function operator(...args: string[]) {
  const { databaseUrl, dataDir } = w
  const env = {
    DATABASE_URL: databaseUrl,
    DATA_DIR: dataDir,
    SECRET_KEY: 'a secret key for tests, of enough characters',
  }
  return command(operatorFile, args, env)
}

test('a command error has an exit code and one line, and leaves no trace', async () => {
  const restore = ['agent', 'restore', 'ada', '--reason', 'x'] as const
  for (const [args, status, reason] of [
    [
      ['agent', 'suspend'],
      2,
      /^unknown command\n\nusage: .*\n\n {2}agent list [\s\S]*\n {2}agent suspend\|restore HANDLE .*\n.*it reads why\n$/,
    ],
    [restore, 1, /^operator: The agent ada is not suspended\n$/],
  ] as const) {
    const { code: exit, stderr, stdout } = await operator(...args)
    assert.deepEqual([exit, stdout], [status, ''], args.join(' '))
    assert.match(stderr, reason)
  }
  const json = await operator(...restore, '--json')
  assert.equal(json.code, 1)
  assert.deepEqual(JSON.parse(json.stdout), { error: { code: 'refused', message: 'The agent ada is not suspended' } })
  const nobody = w.operator('agent', 'suspend', 'nobody_here', '--reason', 'x')
  await assert.rejects(nobody, new OperatorError('There is no agent with the handle nobody_here'))
  // Without a word of a command the usage alone is printed, all of it as for an unknown one.
  assert.throws(() => understand([]), new UsageError(''))
  assert.match(usageFor([]), /^usage: npm run operator[\s\S]*\n {2}queue /)
  assert.equal(usageFor(['agents']), usageFor([]))
  assert.deepEqual(await w.sql`select * from audit_log`, [])
})

test('a suspension applies at once to requests and sockets, and a restoration undoes it', async () => {
  const sent = await bob.send(ada)
  const socket = await ada.events()
  await socket.next('message.created')

  const done = await operator('agent', 'suspend', 'ada', '--reason', '  sends spam\r\nto everyone ', '--json')
  assert.equal(done.code, 0, done.stderr)
  const answer = JSON.parse(done.stdout)
  assert.deepEqual(answer.agent, { id: ada.id, handle: 'ada', state: 'suspended' })
  assert.equal(answer.audit.reason, 'sends spam\nto everyone')
  assert.equal(code(await ada.get('/bots')), '403 profile_inactive')
  assert.equal(code(await ada.send(bob)), '403 profile_inactive')
  assert.equal((await ada.get('/bots/me')).status, 200, 'its own data stays')
  assert.equal((await bob.get(`/bots/${ada.id}`)).status, 404)
  assert.equal(await socket.closed, 4403)
  const refused = await ada.events()
  assert.equal(await refused.closed, 4403)

  const twice = w.operator('agent', 'suspend', 'ada', '--reason', 'again')
  await assert.rejects(twice, new OperatorError('The agent ada is already suspended'))

  const back = await operator('agent', 'restore', 'ada', '--reason', 'it was a mistake')
  assert.equal(back.code, 0, back.stderr)
  assert.equal(back.stdout, 'ada is active again: it was a mistake\n')
  assert.equal((await ada.get('/messages')).body.messages[0].id, sent.body.message.id)
  assert.equal((await bob.get(`/bots/${ada.id}`)).status, 200)
  assert.equal((await ada.send(bob)).status, 201)
  const again = await ada.events()
  assert.equal((await again.next('message.created')).payload.id, sent.body.message.id)
  await again.close()
})

type Entries = Awaited<ReturnType<typeof entries>>

test('the audit log is shown newest first, in pages, for people and programs, and never changed', async () => {
  for (const verb of ['suspend', 'restore', 'suspend']) {
    await w.operator('agent', verb, 'ada', '--reason', `to ${verb}`)
  }
  const first = (await w.operator('audit', '--limit', '2')).json as Entries
  assert.deepEqual(
    first.entries.map(({ actor, action, subject, reason }) => [actor, action, subject, reason]),
    [
      [who, 'agent.suspend', 'ada', 'to suspend'],
      [who, 'agent.restore', 'ada', 'to restore'],
    ],
  )
  const rest = (await w.operator('audit', '--before', first.next_before as string)).json as Entries
  assert.deepEqual(pluck(rest.entries, 'reason'), ['to suspend', 'it was a mistake', 'sends spam\nto everyone'])
  assert.equal(rest.next_before, null)
  const { text } = await w.operator('audit', '--limit', '1')
  assert.match(
    text,
    /^When +Who +What +Subject +Why\n20\d\d-\S+Z +operator:\S+ +agent\.suspend +ada case_id=\S+ reason_code=other +to suspend\n\nMore: npm run operator -- audit --before \S+$/,
  )
  await assert.rejects(() => w.sql`delete from audit_log`, /append-only/)
  await assert.rejects(() => w.sql`update audit_log set reason = 'x'`, /append-only/)
  await assert.rejects(() => w.sql`truncate audit_log`, /append-only/)
})

test('the queues show what waits, without its text', async (t) => {
  const at = await worldFor(t, { env: { OWNER_EMAIL_GATE: 'off', MAIL_URL: 'smtp://127.0.0.1:1' } })
  const [ada, bob] = await at.friends('ada', 'bob')
  await bob.send(ada)
  await ada.patch('/bots/me', { profile_public: false })
  await at.operator('agent', 'suspend', 'bob', '--reason', 'x')
  const asked = await ada.post('/bots/me/owner-email/request', { email: 'someone@example.org' })
  assert.ok(asked.status < 300, JSON.stringify(asked.body))
  const socket = await ada.events()
  const found = await eventually(async () => {
    const text = JSON.stringify((await at.operator('queue')).json)
    const answer = JSON.parse(text)
    assert.ok(!text.includes('example.org'))
    return answer.connections[0]?.open === 1 ? answer : undefined
  }, 'the connection')
  assert.equal(found.mails.waiting, 1)
  assert.ok(found.mails.next_attempt_at)
  assert.ok(found.events.unacknowledged >= 2)
  assert.deepEqual(found.agents, { active: 0, closed: 1, suspended: 1 })
  assert.match(
    (await at.operator('queue')).text,
    /^Mails {8}1 waiting, oldest \d+ s, next attempt .*\nAgents {7}0 active, 1 closed, 1 suspended\nDisputes {5}0 waiting for support, 0 of them for more than a day; 0 between their two sides\nReady-made {3}0 works waiting for a moderator\nReviews {6}0 texts waiting for a moderator\nFeedback {5}0 records waiting for an answer\nModeration {3}0 cases pending\nAppeals {6}0 waiting for an answer\nEvents {7}\d+ unacknowledged of 2 agents, oldest \d+ s\nConnections {2}1 open\n {2}1 on .*, alive \d+ s ago$/,
  )
  await socket.close()
})

test('the embedded database of a running service is found by its folder; without one the command prints one line', async (t) => {
  const { dataDir, remove } = await dataFolder({ migrated: true })
  t.after(() => remove())
  const none = await command(operatorFile, ['queue'], { DATA_DIR: dataDir })
  assert.equal(none.code, 1)
  assert.match(none.stderr, /^operator: No service is running on .*\n$/)
  const running = await serve(dataDir)
  await register(running.url, 'ada')
  const done = await command(operatorFile, ['agent', 'suspend', 'ada', '--reason', 'why'], { DATA_DIR: dataDir })
  assert.equal(done.stdout, 'ada is suspended: why\n', done.stderr)
  running.kill('SIGTERM')
  assert.equal(await running.ended, 0)
  assert.deepEqual(await postgresOf(dataDir), [])
})
