// Operators as the shell knows them: made, let in, listed and removed.
import assert from 'node:assert/strict'
import { userInfo } from 'node:os'
import { after as afterAll, test } from 'node:test'
import { world } from '../../../test/world.ts'
import { consoleOrigin } from '../../http/origins.ts'
import { after, days, hours, minutes } from '../../kernel/clock.ts'
import { sha256 } from '../../secrets.ts'
import { entries } from '../../store/audit.ts'
import { findLink, type Linked, takeLink } from './accounts.ts'
import { enterByLink } from './entry.ts'
import { placeOfConsole, relyingParty } from './place.ts'
import { sweepOver } from './sessions.ts'

const w = await world()
afterAll(() => w.close())

const shell = `operator:${userInfo().username}`
const secretOf = (link: string): string => link.split('/').at(-1) as string
const linkOf = async (...words: string[]): Promise<Linked> => (await w.operator('operator', ...words)).json as Linked
const refusal = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'done',
    (error: Error) => error.message,
  )
const twenty = <T>(attempt: () => Promise<T>): Promise<T[]> => Promise.all(Array.from({ length: 20 }, attempt))
const enterByLinkOf = async (email: string): Promise<void> => {
  const { link } = await linkOf('link', email)
  await w.service.sql.transaction((tx) => enterByLink(tx, secretOf(link), undefined))
}
const isGood = async (link: string): Promise<boolean> =>
  (await findLink(w.service.sql, w.now(), secretOf(link))) !== undefined

test('an operator is created with a link, which is shown once and stored as a digest', async () => {
  const { text, json } = await w.operator('operator', 'create', ' Olga@Example.ORG ')
  const made = json as Linked
  assert.equal(made.operator.email, 'olga@example.org')
  const { port } = new URL(w.url)
  assert.match(made.link, new RegExp(`^http://localhost:${port}/operator/link/[A-Za-z0-9_-]{43}$`))
  assert.equal(Date.parse(made.expires_at) - made.audit.created_at.getTime(), minutes(10))
  assert.ok(text.includes(made.link))
  const [kept] = await w.sql<{ digest: Buffer }>`select digest from operator_links`
  assert.ok(kept?.digest.equals(sha256(secretOf(made.link))))
  assert.equal(
    await refusal(linkOf('create', 'OLGA@example.org')),
    'olga@example.org is already an operator; operator link olga@example.org gives a new link',
  )
  assert.equal(await refusal(linkOf('link', 'nobody@example.org')), 'There is no operator nobody@example.org')
  assert.equal(await refusal(linkOf('create', 'no\taddress')), 'no?address is not an email address')
})

test('a new link replaces the earlier one, and each is valid for ten minutes', async () => {
  const first = await linkOf('link', 'olga@example.org')
  assert.equal(await isGood(first.link), true)
  const second = await linkOf('link', 'olga@example.org')
  assert.deepEqual([await isGood(first.link), await isGood(second.link)], [false, true])
  w.travel(minutes(9))
  assert.equal(await isGood(second.link), true)
  w.travel(minutes(1))
  assert.equal(await isGood(second.link), false)
  assert.equal(await w.service.sql.transaction((tx) => takeLink(tx, secretOf(second.link))), undefined)
})

test('one of twenty simultaneous uses of a link signs in', async () => {
  const { link } = await linkOf('link', 'olga@example.org')
  const all = await twenty(() => w.service.sql.transaction((tx) => enterByLink(tx, secretOf(link), undefined)))
  assert.equal(all.filter((each) => each !== undefined).length, 1)
  const [{ count }] = (await w.sql<{ count: number }>`select count(*)::int as count from operator_sessions`) as [
    { count: number },
  ]
  assert.equal(count, 1)
})

test('one of twenty simultaneous creations of an operator succeeds', async () => {
  const all = await twenty(() => refusal(linkOf('create', 'oskar@example.org')))
  assert.equal(all.filter((each) => each === 'done').length, 1)
})

test('operators are listed, and removed with everything except the name in the audit log', async () => {
  const before = await w.operator('operator', 'list')
  assert.match(
    before.text,
    /^Since +Passkeys +Sessions +Used +Who\n\S+Z +0 +1 +\S+ s ago +olga@example\.org\n\S+Z +0 +0 +oskar/,
  )
  const { link } = await linkOf('link', 'olga@example.org')
  const removed = await w.operator('operator', 'remove', 'Olga@example.org', '--reason', 'left us')
  assert.equal(removed.text, 'olga@example.org is no longer an operator: sessions, links and passkeys ended')
  assert.equal(await isGood(link), false)
  for (const rows of [
    await w.sql`select 1 from operator_sessions`,
    await w.sql`select 1 from operators where email = 'olga@example.org'`,
  ]) {
    assert.equal(rows.length, 0)
  }
  assert.match(
    await refusal(w.operator('operator', 'remove', 'olga@example.org', '--reason', 'again')),
    /There is no operator/,
  )
  const { entries: found } = await entries(w.service.sql, { limit: 3 })
  assert.deepEqual(
    found.map(({ actor, action, subject, reason, details }) => [actor, action, subject, reason, details]),
    [
      [shell, 'operator.remove', 'olga@example.org', 'left us', null],
      [shell, 'operator.link', 'olga@example.org', null, null],
      [shell, 'operator.create', 'oskar@example.org', null, null],
    ],
  )
  const all = JSON.stringify((await entries(w.service.sql, { limit: 100 })).entries)
  assert.equal(all.includes(secretOf(link)), false)
})

test('expired sessions, links, challenges and sent forms are swept', async () => {
  const { operator } = await linkOf('create', 'otto@example.org')
  await enterByLinkOf('otto@example.org')
  await linkOf('link', 'otto@example.org')
  await w.sql`
    insert into operator_answers (challenge, expires_at) values ('\\x00', ${after(w.now(), minutes(5))})`
  await w.sql`
    insert into operator_operations (operator_id, operation_id, digest, created_at)
    values (${operator.id}, ${operator.id}, '\\x00', ${w.now()})`
  const left = async (): Promise<number[]> => {
    await sweepOver(w.service.sql)
    const [counts] = await w.sql<{ counts: number[] }>`
      select array[(select count(*)::int from operator_sessions), (select count(*)::int from operator_links),
        (select count(*)::int from operator_answers), (select count(*)::int from operator_operations)] as counts`
    return counts?.counts ?? []
  }
  const [sessions = 0, links = 0] = await left()
  assert.ok(sessions >= 1 && links >= 1)
  w.travel(minutes(11))
  assert.deepEqual(await left(), [sessions, 0, 0, 1])
  w.travel(hours(12))
  assert.deepEqual(await left(), [0, 0, 0, 1])
  w.travel(days(90))
  assert.deepEqual(await left(), [0, 0, 0, 0])
})

test('the console is offered only where browsers support passkeys', () => {
  assert.deepEqual(
    ['http://127.0.0.1:8080', 'http://[::1]:8080', 'https://kith.example', 'http://localhost'].map(consoleOrigin),
    ['http://localhost:8080', 'http://localhost:8080', 'https://kith.example', 'http://localhost'],
  )
  assert.deepEqual(relyingParty('https://kith.example:8443'), {
    id: 'kith.example',
    origin: 'https://kith.example:8443',
  })
  for (const url of [
    'http://kith.example',
    'https://192.0.2.1',
    'https://[2001:db8::1]',
    'http://192.0.2.1',
    undefined,
  ]) {
    assert.throws(() => placeOfConsole(url), /^Error: The console signs in with passkeys/)
  }
})
