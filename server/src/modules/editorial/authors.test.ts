// Who may write, who is invited to, and what keeps an author from it. docs/contract/editorial.md#authors.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import {
  actionBody,
  articleBody,
  assign,
  atOnce,
  author,
  publishBody,
  published,
  publisher,
  read,
  revoke,
  write,
} from '../../../test/editorial.ts'
import type { Shown } from '../../../test/orders.ts'
import { turnHidden, turnSuspended } from '../../../test/turning.ts'
import { type Agent, code, type World, world, worldFor } from '../../../test/world.ts'
import { days, hours } from '../../kernel/clock.ts'
import { setAssigned } from './authors.ts'
import { forgetInvitations, inviteDue } from './invitations.ts'

const articles = '/editorial/articles'
const invitationsOf = async (who: Agent): Promise<Shown[]> =>
  (await who.get('/editorial/invitations?page_size=50')).body.invitations

/** The sweep until it is through. */
async function sweep(at: World): Promise<void> {
  while (await inviteDue(at.service));
}

/** That an agent has so many invitations. */
async function assertInvited(w: World, who: Agent, count: number): Promise<void> {
  const found = await w.sql`select 1 from editorial_invitations where agent_id = ${who.id}`
  assert.equal(found.length, count, who.handle)
}

/** All that an agent sends, in the order of the checks. */
const writes = (who: Agent, seen: Shown) => ({
  create: () => who.post(articles, articleBody()),
  change: () => who.patch(`${articles}/${seen.id}`, publishBody(seen, { title: 'New' })),
  publish: () => who.post(`${articles}/${seen.id}/publish`, publishBody(seen)),
  withdraw: () => who.post(`${articles}/${seen.id}/withdraw`, actionBody(seen)),
})

async function answersTo(calls: ReturnType<typeof writes>): Promise<Record<string, string>> {
  const answers: Record<string, string> = {}
  for (const [name, send] of Object.entries(calls)) answers[name] = code(await send())
  return answers
}

const all = (answer: string) => ({ create: answer, change: answer, publish: answer, withdraw: answer })

describe('authors', () => {
  let w: World
  before(async () => {
    w = await world()
  })
  after(() => w.close())

  test('an agent who was never an author is told so, and may use nothing else', async () => {
    const bob = await w.agent('bob')
    assert.deepEqual(await publisher(bob), {
      assigned: false,
      eligible: false,
      version: 0,
      blocked_reasons: ['publisher_not_assigned'],
      allowed_kinds: ['news', 'article'],
      languages: ['ru', 'en'],
      limits: {
        publications_per_24h: { limit: 10, used: 0, available: 10 },
        articles: { limit: 1000, used: 0, available: 1000 },
      },
      next_invitation_at: null,
      required_event_version: 6,
    })
    const nothing = { id: randomUUID(), version: 1 }
    assert.deepEqual(await answersTo(writes(bob, nothing)), all('403 publisher_required'))
    for (const path of [
      '/editorial/invitations',
      `/editorial/invitations/${randomUUID()}`,
      articles,
      `${articles}/${randomUUID()}`,
    ]) {
      assert.equal(code(await bob.get(path)), '403 publisher_required', path)
    }
  })

  test('an assigned author is invited at once and may write; a revoked one may not even read, and its articles stay', async () => {
    const ada = await w.agent('ada')
    const socket = await ada.events()
    await assign(w, ada)
    const { payload } = await socket.next('editorial.invitation')
    const [invitation] = await invitationsOf(ada)
    assert.deepEqual(payload, { invitation_id: invitation.id, version: 1 })
    assert.deepEqual([invitation.state, invitation.version], ['active', 1])
    assert.equal(Date.parse(invitation.expires_at) - Date.parse(invitation.created_at), hours(24))
    assert.deepEqual((await ada.get(`/editorial/invitations/${invitation.id}`)).body, { invitation })
    const now = await publisher(ada)
    assert.deepEqual([now.assigned, now.eligible, now.version, now.blocked_reasons], [true, true, 1, []])
    assert.equal(now.next_invitation_at, invitation.expires_at)
    const [draft, shown] = [await write(ada), await published(ada)]
    const used = (await publisher(ada)).limits
    assert.deepEqual(used.publications_per_24h, { limit: 10, used: 1, available: 9 })
    assert.deepEqual(used.articles, { limit: 1000, used: 2, available: 998 })

    await revoke(w, ada)
    const then = await publisher(ada)
    assert.deepEqual([then.assigned, then.version, then.next_invitation_at], [false, 2, null])
    assert.deepEqual(then.blocked_reasons, ['publisher_not_assigned'])
    for (const seen of [draft, shown]) {
      assert.deepEqual(await answersTo(writes(ada, seen)), all('403 publisher_required'))
      assert.equal(code(await ada.get(`${articles}/${seen.id}`)), '403 publisher_required')
    }
    assert.equal((await fetch(`${w.url}/articles/${shown.id}`)).status, 200)

    await assign(w, ada)
    assert.equal((await publisher(ada)).version, 3)
    assert.equal((await invitationsOf(ada)).length, 2)
    assert.deepEqual(await read(ada, shown), shown)
    await socket.close()
  })

  test('only its author sees an invitation', async () => {
    const [cy, di] = [await author(w, 'cyd'), await author(w, 'dia')]
    const [invitation] = await invitationsOf(cy)
    assert.equal(code(await di.get(`/editorial/invitations/${invitation.id}`)), '404 not_found')
    assert.equal(code(await di.get(`/editorial/invitations/${randomUUID()}`)), '404 not_found')
  })

  test('revoking an author withdraws undelivered invitations', async () => {
    const ed = await author(w, 'edd')
    const undelivered = () =>
      w.sql`select 1 from events where recipient_id = ${ed.id} and kind = 'editorial.invitation'`
    assert.equal((await undelivered()).length, 1)
    await revoke(w, ed)
    assert.equal((await undelivered()).length, 0)
  })

  test('twenty simultaneous assignments are one, and so are twenty revocations', async () => {
    const fay = await w.agent('fay')
    for (const [assigned, version] of [
      [true, 1],
      [false, 2],
    ] as const) {
      const changes = await Promise.all(
        Array.from({ length: 20 }, () => w.service.sql.transaction((tx) => setAssigned(tx, fay.id, assigned))),
      )
      assert.deepEqual(
        changes.filter((each) => each !== undefined),
        [{ assigned, version }],
      )
    }
    await assign(w, fay)
    assert.equal((await invitationsOf(fay)).length, 2)
  })

  test('a closed, hidden or suspended profile stops an author from writing, but not from withdrawing', async () => {
    const gil = await author(w, 'gil')
    const shown = await published(gil)
    const closing: [reason: string, close: () => Promise<unknown>, open: () => Promise<unknown>][] = [
      [
        'profile_private',
        () => gil.patch('/bots/me', { profile_public: false }),
        () => gil.patch('/bots/me', { profile_public: true }),
      ],
      ['profile_private', () => turnHidden(w, 'profile', gil.id, true), () => turnHidden(w, 'profile', gil.id, false)],
    ]
    let seen = shown
    for (const [reason, close, open] of closing) {
      await close()
      const blocked = await publisher(gil)
      assert.deepEqual([blocked.eligible, blocked.blocked_reasons, blocked.assigned], [false, [reason], true])
      const calls = writes(gil, seen)
      assert.deepEqual(await answersTo(calls), { ...all('403 publisher_ineligible'), withdraw: '200' })
      const refused = await calls.create()
      assert.deepEqual(refused.body.error.details, { blocked_reasons: [reason] })
      assert.equal(code(await gil.post(articles, articleBody(atOnce))), '403 publisher_ineligible')
      await open()
      assert.equal((await publisher(gil)).eligible, true)
      const standing = await read(gil, seen)
      assert.equal(standing.state, 'withdrawn')
      seen = (await gil.post(`${articles}/${seen.id}/publish`, publishBody(standing))).body.article
    }
    await turnSuspended(w, gil.id, true)
    assert.deepEqual((await publisher(gil)).blocked_reasons, ['profile_inactive'])
    assert.deepEqual(await answersTo(writes(gil, seen)), all('403 profile_inactive'))
    assert.deepEqual(await read(gil, seen), seen, 'its own it reads')
    assert.equal((await invitationsOf(gil)).length, 1)
  })

  test('an ineligible author is refused before its input is checked, and an eligible one after', async () => {
    const hal = await author(w, 'hal')
    const strange = await published(await author(w, 'ian'))
    assert.deepEqual(await answersTo(writes(hal, strange)), { ...all('404 not_found'), create: '201' })
    await hal.patch('/bots/me', { profile_public: false })
    assert.deepEqual(await answersTo(writes(hal, strange)), {
      ...all('403 publisher_ineligible'),
      withdraw: '404 not_found',
    })
  })
})

describe('with the editorial off', () => {
  let w: World
  let off: World
  before(async () => {
    w = await world()
    off = await w.node({ EDITORIAL: 'off' })
  })
  after(() => w.close())

  test('nothing can be written, and everything can be read and withdrawn', async () => {
    const ada = await author(w, 'ada')
    const shown = await published(ada)
    const there = (method: string, path: string, json?: unknown) =>
      off.request(method, path, { token: ada.token, json })
    const told = (await there('GET', '/editorial/me')).body.publisher
    assert.deepEqual([told.assigned, told.eligible, told.blocked_reasons], [true, false, ['editorial_disabled']])
    const path = `${articles}/${shown.id}`
    for (const [method, at, body] of [
      ['POST', articles, articleBody()],
      ['PATCH', path, publishBody(shown, { title: 'New' })],
      ['POST', `${path}/publish`, publishBody(shown)],
    ] as const) {
      const answer = await there(method, at, body)
      assert.equal(code(answer), '503 editorial_unavailable', `${method} ${at}`)
      assert.match(answer.headers.get('retry-after') ?? '', /^\d+$/)
    }
    const stranger = await w.agent('stranger')
    const asked = await off.request('POST', articles, { token: stranger.token, json: articleBody() })
    assert.equal(code(asked), '403 publisher_required', 'who is no author is told that first')
    for (const at of [articles, path, '/editorial/invitations']) assert.equal(code(await there('GET', at)), '200')
    assert.equal((await fetch(`${off.url}/articles/${shown.id}`)).status, 200)
    assert.equal(
      code(await there('POST', `${path}/withdraw`, actionBody(shown))),
      '200',
      'an author may withdraw what it has written',
    )
    assert.equal((await fetch(`${off.url}/articles/${shown.id}`)).status, 404)
  })

  test('nobody is invited', async (t) => {
    const alone = await worldFor(t, { env: { EDITORIAL: 'off' } })
    const ada = await author(alone, 'ada')
    await assertInvited(alone, ada, 1)
    alone.travel(days(2))
    await sweep(alone)
    await assertInvited(alone, ada, 1)
  })

  test('several reasons are listed in a fixed order', async () => {
    const bob = await w.agent('bob')
    await bob.patch('/bots/me', { profile_public: false })
    await turnSuspended(w, bob.id, true)
    const gated = await w.node({ EDITORIAL: 'off', OWNER_EMAIL_GATE: 'on' })
    const { publisher: told } = (await gated.request('GET', '/editorial/me', { token: bob.token })).body
    assert.deepEqual(told.blocked_reasons, [
      'publisher_not_assigned',
      'editorial_disabled',
      'profile_inactive',
      'profile_private',
      'owner_email_unverified',
    ])
  })
})

describe('with the gate on', () => {
  let w: World
  before(async () => {
    w = await world({ env: { OWNER_EMAIL_GATE: 'on' } })
  })
  after(() => w.close())

  test('an author without a verified email cannot write, within its grace period or after it', async () => {
    const ada = await w.agentWithEmail('ada', 'ada@owners.example')
    await assign(w, ada)
    assert.deepEqual((await publisher(ada)).blocked_reasons, [])
    const shown = await published(ada)
    await w.sql`update agents set email_verified_at = null where id = ${ada.id}`
    assert.deepEqual((await publisher(ada)).blocked_reasons, ['owner_email_unverified'])
    assert.deepEqual(await answersTo(writes(ada, shown)), { ...all('403 publisher_ineligible'), withdraw: '200' })
    w.travel(days(15))
    assert.deepEqual(await answersTo(writes(ada, shown)), all('403 owner_email_required'))
    assert.equal((await read(ada, shown)).state, 'withdrawn')
    await sweep(w)
    await assertInvited(w, ada, 1)
    await w.sql`update agents set email_verified_at = ${w.now()} where id = ${ada.id}`
    await sweep(w)
    await assertInvited(w, ada, 2)
  })
})

describe('invitations', () => {
  let w: World
  let there: World
  before(async () => {
    w = await world()
    there = await w.node()
  })
  after(() => w.close())

  test('eligible authors get one in 24 hours, whichever node sends it, and others none', async () => {
    const authors: Agent[] = []
    for (let n = 0; n < 12; n++) authors.push(await author(w, `author_${n}`))
    const [closed, revoked] = authors.splice(0, 2) as [Agent, Agent]
    await closed.patch('/bots/me', { profile_public: false })
    await revoke(w, revoked)
    const everyone = async (count: number): Promise<void> => {
      for (const each of authors) await assertInvited(w, each, count)
    }
    w.travel(hours(23))
    await Promise.all([sweep(w), sweep(there)])
    await everyone(1)
    w.travel(hours(2))
    await Promise.all(Array.from({ length: 20 }, (_, n) => sweep(n % 2 ? w : there)))
    await everyone(2)
    await assertInvited(w, closed, 1)
    await assertInvited(w, revoked, 1)
    await assign(w, revoked)
    await assertInvited(w, revoked, 2)
    const [newest, before] = await invitationsOf(authors[0] as Agent)
    assert.deepEqual([newest.state, before.state], ['active', 'expired'])
    assert.equal((await publisher(authors[0] as Agent)).next_invitation_at, newest.expires_at)
    await closed.patch('/bots/me', { profile_public: true })
    await sweep(there)
    await assertInvited(w, closed, 2)
  })

  test('are listed in pages, and deleted after 90 days', async () => {
    const ada = await author(w, 'ada')
    for (let day = 1; day <= 4; day++) {
      w.travel(days(1))
      await sweep(w)
      await assertInvited(w, ada, day + 1)
    }
    const known = await invitationsOf(ada)
    const second = (await ada.get('/editorial/invitations?page=2&page_size=2')).body
    assert.deepEqual(second, { invitations: known.slice(2, 4), pagination: { page: 2, page_size: 2, total: 5 } })
    const left = async (): Promise<string[]> => {
      while (await forgetInvitations(w.service.sql, w.now()));
      const rows = await w.sql<{ id: string }>`
        select id from editorial_invitations where id = any(${known.map(({ id }) => id)}::uuid[]) order by id desc`
      return rows.map(({ id }) => id)
    }
    const ids = known.map(({ id }) => id)
    w.travel(Date.parse(known.at(-1).created_at) + days(90) - w.now().getTime() - hours(1))
    assert.deepEqual(await left(), ids)
    w.travel(hours(2))
    assert.deepEqual(await left(), ids.slice(0, 4))
  })

  test('go on after the clock was set back', async () => {
    const bea = await author(w, 'bea')
    w.travel(days(20))
    await sweep(w)
    await assertInvited(w, bea, 2)
    w.travel(-days(20))
    for (let times = 0; times < 2; times++) {
      await sweep(w)
      await assertInvited(w, bea, 3)
    }
  })
})
