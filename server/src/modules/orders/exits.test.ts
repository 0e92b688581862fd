// No state without an exit for each side: the graph of the machine is walked from every standing that an order can
// have, by one side alone, even if the other one or itself is suspended, closed or gone. docs/contract/orders.md#moves
// and docs/contract/authentication.md#the-gate.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { humanOffer, isCustomer, orderPath, customer as person, type Party as Side } from '../../../test/customers.ts'
import { doorsOfPeople } from '../../../test/order-rules.ts'
import { attempt, bid, money, offer, reread, type Shown, step } from '../../../test/orders.ts'
import { appoint, decide } from '../../../test/staff.ts'
import { beforehand, story } from '../../../test/story.ts'
import { turnSuspended } from '../../../test/turning.ts'
import { type Agent, befriend, code } from '../../../test/world.ts'
import { days, hours } from '../../kernel/clock.ts'
import { type Action, decisions, type Move, moves, type State, states } from './machine.ts'
import { escalateDue } from './support.ts'

const { w } = story()
const gated = beforehand(() => w.node({ OWNER_EMAIL_GATE: 'on' }))
// Those who have no verified email by now are restricted on the node with the gate.
beforehand(() => w.travel(days(15)))
const staff = beforehand(() => w.agent('sue'))
beforehand(() => appoint(w, staff))

type Party = 'customer' | 'contractor'
const parties = ['customer', 'contractor'] as const

/** What decides who may do what to an order. */
interface Standing {
  state: State
  author: Party
  proposer: Party | null
  escalated: boolean
}

/** A step of one side, of support, or of the platform when the response period is over. */
type Step = Action | 'wait' | 'refund' | 'resume'

const disputedFrom = ['funded', 'in_progress', 'delivered'] as const

/** Between agents, where each side finds every action behind its door, or of a person, where each has its own. */
type Kind = 'agents' | 'person'
const isBehind = (kind: Kind, side: Party | undefined, action: Action): boolean =>
  kind === 'agents' || (side !== undefined && doorsOfPeople[side].includes(action))

/** Where every step of one side leads by the table of moves, and those of platform and support. */
function from(standing: Standing, side: Party | undefined, kind: Kind): [Step, Standing][] {
  const found: [Step, Standing][] = []
  for (const [name, move] of Object.entries(moves) as [Action, Move][]) {
    if (!isBehind(kind, side, name)) continue
    // A side under restriction, or whose counterpart is gone, keeps what the gate calls its own.
    if (move.gate !== 'own' || !move.from.includes(standing.state) || !side) continue
    const answers = standing.proposer !== null && standing.proposer !== side
    const holders: Record<Move['by'], boolean> = {
      author: standing.author === side,
      recipient: standing.author !== side,
      customer: side === 'customer',
      contractor: side === 'contractor',
      either: true,
      answerer: answers,
    }
    if (!holders[move.by] || (name === 'approve-refund' && !answers)) continue
    if (name === 'escalate-dispute' && standing.escalated) continue
    found.push([
      name,
      {
        ...standing,
        state: move.to,
        proposer: name === 'propose-refund' ? side : standing.proposer,
        escalated: standing.escalated || name === 'escalate-dispute',
      },
    ])
  }
  if (standing.state === 'disputed' && !standing.escalated) found.push(['wait', { ...standing, escalated: true }])
  if (standing.state === decisions.refund.from && standing.escalated) {
    found.push(['refund', { ...standing, state: decisions.refund.to }])
    for (const state of disputedFrom) found.push(['resume', { ...standing, state, proposer: null, escalated: false }])
  }
  return found
}

const isEnd = ({ state }: Standing): boolean =>
  !Object.values(moves).some((move) => (move.from as readonly State[]).includes(state))
const key = (standing: Standing): string => JSON.stringify(standing)

/** The shortest way to an end for one side alone, or for nobody but platform and support; undefined if there is none. */
function wayOut(start: Standing, side: Party | undefined, kind: Kind = 'agents'): Step[] | undefined {
  const ways = new Map<string, Step[]>([[key(start), []]])
  const queue = [start]
  for (let at = queue.shift(); at; at = queue.shift()) {
    const way = ways.get(key(at)) as Step[]
    if (isEnd(at)) return way
    for (const [name, next] of from(at, side, kind)) {
      if (ways.has(key(next))) continue
      ways.set(key(next), [...way, name])
      queue.push(next)
    }
  }
  return undefined
}

/** Every standing that an order can come to, whoever may offer it and whatever the two do. */
function everyStanding(kind: Kind): Standing[] {
  const found = new Map<string, Standing>()
  const authors = kind === 'agents' ? parties : (['customer'] as const)
  const queue: Standing[] = authors.map((author) => ({ state: 'offered', author, proposer: null, escalated: false }))
  for (let at = queue.shift(); at; at = queue.shift()) {
    if (found.has(key(at))) continue
    found.set(key(at), at)
    if (at.state === 'offered') queue.push({ ...at, state: moves.accept.to })
    for (const side of parties) for (const [, next] of from(at, side, kind)) queue.push(next)
  }
  return [...found.values()]
}
const standings = everyStanding('agents')
const standing = standings.filter((each) => !isEnd(each))
/** Who offered matters while it is an offer. */
const walked = standing.filter(({ state, author }) => state === 'offered' || author === 'customer')

const ofPerson = everyStanding('person').filter((each) => !isEnd(each))

test('the graph has every state, and its final states match the contract', () => {
  assert.deepEqual(new Set(standings.map(({ state }) => state)), new Set(states))
  const ends = new Set(standings.filter(isEnd).map(({ state }) => state))
  assert.deepEqual(ends, new Set(['closed', 'cancelled', 'rejected']))
  // Offered, funded, in progress, delivered; disputed without a proposal and with one of each, open and escalated.
  assert.equal(standing.length, 2 * (4 + 3 * 2))
  // A person proposes no refund, and is offered nothing.
  assert.equal(ofPerson.length, 4 + 2 * 2)
})

test('from every state each side can end the order alone, and a dispute ends when both are gone', () => {
  for (const [kind, all] of [
    ['agents', standing],
    ['person', ofPerson],
  ] as const) {
    for (const each of all) {
      for (const side of parties) assert.ok(wayOut(each, side, kind), `the ${side} is stuck: ${key(each)}`)
      if (each.state === 'disputed') assert.deepEqual(wayOut(each, undefined, kind)?.at(-1), 'refund', key(each))
    }
  }
})

type Pair = Record<Party, Side>

function offered({ customer, contractor }: Pair, author: Party): Promise<Shown> {
  if (isCustomer(customer)) return humanOffer(w, customer, contractor)
  const [one, two] = [customer as Agent, contractor as Agent]
  return author === 'customer' ? offer(w, one, two) : bid(w, two, one)
}

/** Brings a fresh order to a standing. */
async function place(pair: Pair, { state, author, proposer, escalated }: Standing, n: number): Promise<Shown> {
  const { customer, contractor } = pair
  const recipient = author === 'customer' ? contractor : customer
  let order = await offered(pair, author)
  if (state === 'offered') return order
  order = await step(recipient, order, 'accept')
  const before = state === 'disputed' ? disputedFrom[n % disputedFrom.length] : state
  if (before === 'in_progress') order = await step(contractor, order, 'start')
  if (before === 'delivered') order = await step(contractor, order, 'deliver')
  if (state !== 'disputed') return order
  order = await step(proposer ? pair[proposer] : customer, order, proposer ? 'propose-refund' : 'dispute')
  return escalated ? step(contractor, order, 'escalate-dispute') : order
}

const suspend = (agent: Agent) => turnSuspended(w, agent.id, true)
const contactOf = async (one: Agent): Promise<string> => (await one.get('/contacts')).body.contacts[0].id

/** What may have become of the side that does nothing. */
const absences = {
  'is silent': async () => {},
  'was blocked': async (_gone: Agent, me: Agent) => me.post(`/contacts/${await contactOf(me)}/block`),
  'has blocked': async (gone: Agent) => gone.post(`/contacts/${await contactOf(gone)}/block`),
  'is suspended': suspend,
  'has a token that expired': (gone: Agent) =>
    w.sql`update tokens set expires_at = ${w.now()} where agent_id = ${gone.id}`,
}
/** And of the side that acts. */
const plights = {
  '': async () => {},
  ', itself without a verified email': async (me: Agent) => {
    const { body } = await gated.request('GET', '/bots/me/onboarding', { token: me.token })
    assert.equal(body.onboarding.email_verification.restricted, true)
  },
  ', itself suspended': suspend,
}
const cases = [
  ...Object.keys(absences).map((absence) => [absence, ''] as const),
  ...Object.keys(plights)
    .filter((plight) => plight !== '')
    .map((plight) => ['is silent', plight] as const),
] as [keyof typeof absences, keyof typeof plights][]

async function walk(me: Side, order: Shown, way: Step[]): Promise<Shown> {
  let now = order
  for (const each of way) {
    if (each === 'refund') {
      const { body } = await me.get(`${orderPath(me, order)}/dispute-case`)
      const answer = await decide(staff, order, { decision: each, expected_version: body.dispute_case.version })
      assert.equal(code(answer), '200')
      now = await reread(me, order)
    } else {
      now = await step(me, now, each as Action)
    }
  }
  return now
}

for (const [index, [absence, plight]] of cases.entries()) {
  test(`while the other side ${absence}, each side ends every order alone${plight}`, async () => {
    const [one, two] = [await w.agent(`one_${index}`), await w.agent(`two_${index}`)]
    await befriend(one, two)
    // Restricted is who has had the time to verify an email, and meets the gate.
    const old = new Date(w.now().getTime() - days(20))
    await w.sql`update agents set created_at = ${old} where id = any(${[one.id, two.id]}::uuid[])`
    const me: Agent = {
      ...one,
      post: (path, json) => gated.request('POST', path, { token: one.token, json }),
      get: (path) => gated.request('GET', path, { token: one.token }),
    }
    if (!plight.includes('email')) {
      await w.sql`update agents set email_verified_at = ${w.now()} where id = any(${[one.id, two.id]}::uuid[])`
    }
    const started = (await money(me)).reduce((sum, each) => sum + each)
    const placed: { order: Shown; side: Party; way: Step[] }[] = []
    await Promise.all(
      walked.map(async (each, n) => {
        for (const side of parties) {
          const pair = side === 'customer' ? { customer: one, contractor: two } : { customer: two, contractor: one }
          const way = wayOut(each, side) as Step[]
          placed.push({ order: await place(pair, each, n), side, way })
        }
      }),
    )
    await absences[absence](two, one)
    await plights[plight](one)
    await Promise.all(
      placed.map(async ({ order, side, way }) => {
        const end = await walk(me, order, way)
        const told = `${order.state} for the ${side}: ${way}`
        assert.ok(['closed', 'cancelled', 'rejected'].includes(end.state), told)
        if (order.state === 'delivered' && side === 'customer') assert.equal(end.outcome, 'accepted', told)
        else assert.notEqual(end.outcome, 'accepted', `${told}: nobody pays but by its own word`)
      }),
    )
    const paid = placed.filter(({ order, side }) => side === 'customer' && order.state === 'delivered').length
    assert.deepEqual(await money(me), [started - paid * 1100, 0], 'nothing is left aside')
    const others = await w.sql`select reserved_minor from wallets where party_id = ${two.id}`
    assert.deepEqual(
      others.map((row) => ({ ...row })),
      [{ reserved_minor: 0 }],
    )
  })
}

/** What may have become of an agent whose customer is a person, and goes on alone. */
const leavings = {
  'is silent': async () => {},
  'is suspended': suspend,
  'has closed its profile': (gone: Agent) => gone.patch('/bots/me', { profile_public: false }),
}

for (const [absence, leave] of Object.entries(leavings)) {
  test(`while its agent ${absence}, a customer ends every order alone`, async () => {
    const [hilda, bob] = [await person(w, 'Hilda'), await w.agent(`bob_${absence.length}`)]
    const pair = { customer: hilda, contractor: bob }
    const placed = await Promise.all(ofPerson.map(async (each, n) => ({ each, order: await place(pair, each, n) })))
    await leave(bob)
    for (const { each, order } of placed) {
      const end = await walk(hilda, order, wayOut(each, 'customer', 'person') as Step[])
      assert.ok(isEnd({ ...each, state: end.state }), order.state)
      assert.equal(end.outcome === 'accepted', order.state === 'delivered', order.state)
    }
    assert.deepEqual(await money(hilda), [500_000 - 1100, 0], 'one was delivered, and accepted')
  })
}

for (const [plight, suffer] of Object.entries(plights)) {
  test(`while the customer is silent, an agent ends every order of theirs alone${plight}`, async () => {
    const [hilda, bob] = [await person(w, 'Hilda'), await w.agent(`bob_of_silent_${plight.length}`)]
    const old = new Date(w.now().getTime() - days(20))
    await w.sql`update agents set created_at = ${old} where id = ${bob.id}`
    if (!plight.includes('email')) await w.sql`update agents set email_verified_at = ${w.now()} where id = ${bob.id}`
    const pair = { customer: hilda, contractor: bob }
    const placed = await Promise.all(ofPerson.map(async (each, n) => ({ each, order: await place(pair, each, n) })))
    await suffer(bob)
    const me: Side = {
      ...bob,
      post: (path, json) => gated.request('POST', path, { token: bob.token, json }),
      get: (path) => gated.request('GET', path, { token: bob.token }),
    }
    for (const { each, order } of placed) {
      const end = await walk(me, order, wayOut(each, 'contractor', 'person') as Step[])
      assert.ok(isEnd({ ...each, state: end.state }), order.state)
      assert.notEqual(end.outcome, 'accepted', 'nobody pays but by its own word')
    }
    assert.deepEqual(await money(hilda), [500_000, 0])
  })
}

test('a dispute that both sides abandoned goes to support after the response period, and ends there', async () => {
  const [one, two] = await w.friends('left_one', 'left_two')
  const open = walked.filter(({ state, escalated }) => state === 'disputed' && !escalated)
  const placed = await Promise.all(open.map((each, n) => place({ customer: one, contractor: two }, each, n)))
  for (const order of placed) {
    assert.equal(code(await decide(staff, order, { expected_version: 1 })), '409 invalid_state', 'not before it has to')
  }
  w.travel(hours(48))
  while (await escalateDue(w.service));
  await suspend(one)
  await suspend(two)
  for (const order of placed) {
    const { history } = (await one.get(`/orders/${order.id}`)).body
    assert.deepEqual([history.at(-1).action, history.at(-1).actor_id], ['escalate-dispute', null])
    assert.equal(code(await decide(staff, order, { expected_version: 2 })), '200')
    assert.equal((await reread(one, order)).outcome, 'refunded')
  }
  assert.deepEqual(await money(one), [500_000, 0])
})

test('a resumed order has the exits of its restored state', async () => {
  const [one, two] = await w.friends('again_one', 'again_two')
  const pair = { customer: one, contractor: two }
  for (const [n, state] of disputedFrom.entries()) {
    for (const side of parties) {
      const each: Standing = { state: 'disputed', author: 'customer', proposer: null, escalated: true }
      const order = await place(pair, each, n)
      assert.equal(code(await decide(staff, order, { decision: 'resume' })), '200')
      const resumed = await reread(one, order)
      assert.equal(resumed.state, state)
      const end = await walk(pair[side], resumed, wayOut({ ...each, state, escalated: false }, side) as Step[])
      assert.equal(end.state, 'closed')
      assert.equal(code(await attempt(two, end, 'dispute')), '409 invalid_state')
    }
  }
})
