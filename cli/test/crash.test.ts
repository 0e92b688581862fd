// The command is killed with SIGKILL around each request that changes something, before the service saw it and after it
// acted. What follows must end what was begun, once.
import assert from 'node:assert/strict'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { story } from '../../server/test/story.ts'
import { eventually, type World } from '../../server/test/world.ts'
import { command } from './command.ts'
import { confirmed, registered } from './kith.ts'

const { w } = story({ env: { OWNER_EMAIL_GATE: 'on' } })
const { cli, way, killedAt } = command(w)

async function passports(handle: string): Promise<number> {
  const [row] = await w.sql<{ count: number }>`select count(*)::int as count from agents where handle = ${handle}`
  return row!.count
}

const mails = async (email: string) => (await w.mails(email)).filter(({ code }) => code).length
const another = (email: string, than: number) =>
  eventually(async () => (await mails(email)) > than || undefined, `another mail to ${email}`)

for (const when of ['before', 'after'] as const) {
  const side = when === 'before' ? 'b' : 'a'

  test(`killed ${when} the request to the owner’s email, a registration resumes`, async () => {
    const handle = `mail_${side}`
    const email = `${handle}@example.org`
    const flags = ['--url', way.url, '--handle', handle, '--name', 'M', '--email', email]
    await killedAt(/email\/request/, when, ['register', '-p', handle, ...flags])
    if (when === 'after') {
      const { error } = await cli.json(1, 'register', '-p', handle, '--resume', '--wait', '0')
      assert.equal(error.code, 'registration_limited')
      assert.ok(error.retry_after > 0 && error.retry_after <= 60)
      w.travel(61_000)
    }
    const sent = await mails(email)
    // The same command again is as good as --resume.
    assert.equal((await cli.json(0, 'register', '-p', handle, ...flags)).state, 'waiting_for_code')
    await another(email, sent)
    const code = await confirmed(w, email)
    assert.equal((await cli.json(0, 'register', '-p', handle, '--resume', '--code', code)).state, 'registered')
    assert.equal(await passports(handle), 1)
  })

  for (const route of ['email/verify', 'bots/register'])
    test(`killed ${when} ${route}, a registration resumes and creates one passport`, async () => {
      const handle = `${route.replace(/\W/g, '_').slice(-8)}_${side}`
      const email = `${handle}@example.org`
      const flags = ['--url', way.url, '--handle', handle, '--name', 'M', '--email', email]
      assert.equal((await cli.json(0, 'register', '-p', handle, ...flags)).state, 'waiting_for_code')
      const code = await confirmed(w, email)
      await killedAt(new RegExp(route), when, ['register', '-p', handle, '--resume', '--code', code])
      const { error } = await cli.json(5, 'whoami', '-p', handle)
      assert.match(error.hint, /register --resume/)
      assert.equal((await cli.json(0, 'register', '-p', handle, '--resume', '--code', code)).bot.handle, handle)
      assert.equal((await cli.json(0, 'whoami', '-p', handle)).bot.handle, handle)
      assert.equal(await passports(handle), 1)
    })
}

test('a message is sent once, with any command after the crash', async () => {
  const through = { ...w, url: way.url } as World
  await registered(through, cli, 'ann')
  await registered(through, cli, 'bob')
  await cli.json(0, 'add', '-p', 'ann', 'bob')
  await cli.json(0, 'accept', '-p', 'bob', 'ann')
  const expected: string[] = []
  for (const [when, next] of [
    ['before', 'repeat'],
    ['after', 'repeat'],
    ['before', 'resume'],
    ['after', 'contacts'],
  ] as const) {
    const text = `${when} ${next}`
    await killedAt(/POST \/api\/v1\/messages$/, when, ['send', '-p', 'ann', 'bob', text])
    assert.equal((await cli.json(0, 'resume', '-p', 'ann', '--list')).pending.length, 1)
    if (next === 'repeat') {
      const { created } = await cli.json(0, 'send', '-p', 'ann', 'bob', text)
      assert.equal(created, when === 'before')
    } else if (next === 'resume') {
      const { outcomes } = await cli.json(0, 'resume', '-p', 'ann')
      assert.deepEqual([outcomes.length, outcomes[0].done], [1, true])
    } else assert.match((await cli.run('contacts', '-p', 'ann')).err, /finished for another run: message to .*: done/)
    if (next !== 'repeat') {
      // As its error said.
      const again = await cli.run('send', '-p', 'ann', 'bob', text, '--json')
      assert.equal(again.json.created, false)
      assert.match(again.err, /an earlier command left open; repeat the command to send the text again/)
    }
    assert.deepEqual((await cli.json(0, 'resume', '-p', 'ann')).outcomes, [])
    expected.push(text)
  }
  const { messages } = await cli.json(0, 'read', '-p', 'bob', 'ann')
  assert.deepEqual(
    messages.map((m: { untrusted_text: string }) => m.untrusted_text),
    expected,
  )
})

test("with the caller's own ID, a crash after the response sends nothing twice", async () => {
  const id = '0198c000-0000-7000-8000-00000000beef'
  const one = await cli.json(0, 'send', '-p', 'ann', 'bob', 'once', '--id', id)
  const two = await cli.json(0, 'send', '-p', 'ann', 'bob', 'once', '--id', id)
  assert.equal(one.message_id, two.message_id)
  assert.equal((await cli.json(2, 'send', '-p', 'ann', 'bob', 'other', '--id', id)).error.code, 'invalid_input')
})

test('lost responses exit with 3, keep the request, and repeating it is safe', async () => {
  for (let n = 0; n < 5; n++) way.at(/POST \/api\/v1\/messages$/, 'after', () => {})
  const { error } = await cli.json(3, 'send', '-p', 'ann', 'bob', 'lost')
  assert.equal(error.code, 'no_answer')
  const { pending } = await cli.json(0, 'resume', '-p', 'ann', '--list')
  assert.equal(pending[0].id, error.operation_id)
  assert.equal((await cli.json(0, 'send', '-p', 'ann', 'bob', 'lost')).created, false)
  const { messages } = await cli.json(0, 'read', '-p', 'ann', 'bob')
  assert.equal(messages.filter((m: { text: string }) => m.text === 'lost').length, 1)
})

test('a saved request can be abandoned', async () => {
  await killedAt(/POST \/api\/v1\/messages$/, 'before', ['send', '-p', 'ann', 'bob', 'never mind'])
  const { pending } = await cli.json(0, 'resume', '-p', 'ann', '--list')
  await cli.json(1, 'resume', '-p', 'ann', '--abandon', 'other')
  assert.deepEqual((await cli.json(0, 'resume', '-p', 'ann', '--abandon', pending[0].id)).pending, [])
  const { messages } = await cli.json(0, 'read', '-p', 'ann', 'bob')
  assert.ok(!messages.some((m: { text: string }) => m.text === 'never mind'))

  // One that arrived after all is no reason to refuse the same words.
  await killedAt(/POST \/api\/v1\/messages$/, 'after', ['send', '-p', 'ann', 'bob', 'after all'])
  const [{ id }] = (await cli.json(0, 'resume', '-p', 'ann', '--list')).pending
  await cli.json(0, 'resume', '-p', 'ann', '--abandon', id)
  assert.equal((await cli.json(0, 'send', '-p', 'ann', 'bob', 'after all')).created, true)
})

test('a damaged record of a command that was begun stops no other command', async () => {
  const folder = join(cli.env['KITH_HOME']!, 'ann', 'cli-intents')
  const path = join(folder, 'f'.repeat(32))
  await writeFile(path, '{"id": "01')
  assert.equal((await cli.json(0, 'send', '-p', 'ann', 'bob', 'undamaged')).created, true)
  await rm(path)
})

test('without a service every command exits with 3 in bounded time', async () => {
  await way[Symbol.asyncDispose]()
  const drained = (await cli.json(3, 'drain', '-p', 'bob', '--wait', '0.5')).error
  assert.equal(drained.code, 'no_answer')
  const asked = (await cli.json(3, 'whoami', '-p', 'bob')).error
  assert.deepEqual([asked.code, asked.reason], ['no_answer', 'refused'])
  const said = `cannot reach ${way.url} (connection refused): is it running?`
  assert.equal(asked.message, said)
  assert.ok(drained.message.endsWith(said), drained.message)
})
