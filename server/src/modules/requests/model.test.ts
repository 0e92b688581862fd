// Any sequence of requests, offers, rejections, cancellations, moves of the orders, replays, blocks and passing time, against a
// small model: every answer is the model's, and after each of them so is what both sides read. KITH_MODEL_RUNS makes it
// longer, KITH_MODEL_SEED repeats one.
import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { inTime, stepBody } from '../../../test/orders.ts'
import { askBody, moveBody, priced, type Shown } from '../../../test/requests.ts'
import { story } from '../../../test/story.ts'
import { type Agent, type Answer, assertInvariants, befriend, code } from '../../../test/world.ts'
import { days } from '../../kernel/clock.ts'
import { expireNext } from './expiry.ts'

const runs = Number(process.env['KITH_MODEL_RUNS'] ?? 8)
const seed = Number(process.env['KITH_MODEL_SEED'] ?? randomInt(2 ** 31))

const { w } = story()

const actions = ['offer', 'reject', 'cancel', 'order accept', 'order cancel', 'order reject'] as const
type Action = (typeof actions)[number]
const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ kind: fc.constant('ask' as const), quantity: fc.constantFrom(1, 3, 1000, 1001) }),
  },
  {
    weight: 20,
    arbitrary: fc.record({
      kind: fc.constant('act' as const),
      on: fc.nat({ max: 1000 }),
      action: fc.constantFrom(...actions),
      /** Mostly by the side whose it is. */
      isTheirs: fc.oneof({ weight: 8, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.constant(false) }),
      stale: fc.oneof({ weight: 8, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.constantFrom(-1, 1) }),
      off: fc.constantFrom(-1, 0, 0, 5),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('replay' as const), on: fc.nat({ max: 1000 }) }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('pass' as const), days: fc.constantFrom(1, 3) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('block' as const) }) },
)
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

interface Modelled {
  status: string
  version: number
  quantity: number
  /** Days since it was made. */
  age: number
  order: { state: string; version: number } | null
  shown: Shown
}

interface Play {
  customer: Agent
  provider: Agent
  contact: string
  service: Shown
  friends: boolean
  requests: Modelled[]
  taken: { who: Agent; path: string; body: object }[]
}

/** By the contract: whose each action is, and what allows it. */
const rules: Record<Action, { by: 'customer' | 'provider'; from: readonly string[]; to: string }> = {
  offer: { by: 'provider', from: ['open'], to: 'offered' },
  reject: { by: 'provider', from: ['open'], to: 'rejected' },
  cancel: { by: 'customer', from: ['open', 'offered'], to: 'cancelled' },
  'order accept': { by: 'customer', from: ['offered'], to: 'funded' },
  'order cancel': { by: 'provider', from: ['offered'], to: 'cancelled' },
  'order reject': { by: 'customer', from: ['offered'], to: 'rejected' },
}

/** What an action is answered; changes the model where it is taken. */
function expected(play: Play, it: Modelled, { action, isTheirs, stale, off }: Extract<Step, { kind: 'act' }>): string {
  const { from, to } = rules[action]
  if (!isTheirs) return '403 forbidden'
  if ((action === 'offer' || action === 'order accept') && !play.friends) return '403 friendship_required'
  if (stale !== 0) return '409 version_conflict'
  if (action.startsWith('order ')) {
    const order = it.order as NonNullable<Modelled['order']>
    if (!from.includes(order.state)) return '409 invalid_state'
    it.order = { state: to, version: order.version + 1 }
    return '200'
  }
  if (!from.includes(it.status)) return '409 invalid_state'
  if (it.order && it.order.state !== 'offered') return '409 invalid_state'
  if (action === 'offer' && off < 0) return '400 below_service_minimum'
  if (it.order) it.order = { state: 'rejected', version: it.order.version + 1 }
  if (action === 'offer') it.order = { state: 'offered', version: 1 }
  Object.assign(it, { status: to, version: it.version + 1 })
  return action === 'offer' ? '201' : '200'
}

async function send(play: Play, who: Agent, path: string, body: object): Promise<Answer> {
  const answer = await who.post(path, body)
  if (answer.status < 300) play.taken.push({ who, path, body })
  return answer
}

async function ask(play: Play, quantity: number): Promise<void> {
  const answer = await send(play, play.customer, '/service-requests', askBody(play.service, { quantity }))
  const refusal = quantity > 1000 ? '400 invalid_input' : play.friends ? '201' : '403 friendship_required'
  assert.equal(code(answer), refusal)
  if (answer.status !== 201) return
  play.requests.push({ status: 'open', version: 1, quantity, age: 0, order: null, shown: answer.body.request })
}

async function act(play: Play, given: Extract<Step, { kind: 'act' }>): Promise<void> {
  const it = play.requests[given.on % play.requests.length]
  const [, ofOrder] = given.action.split(' ')
  if (!it || (ofOrder && !it.order)) return
  const sides = [play.customer, play.provider]
  const [mine, other] = rules[given.action].by === 'customer' ? sides : sides.reverse()
  const who = (given.isTheirs ? mine : other) as Agent
  const fields = { expected_version: (ofOrder ? (it.order?.version ?? 0) : it.version) + given.stale }
  const [path, body] = ofOrder
    ? [`/orders/${it.shown.order.id}/${ofOrder}`, stepBody(who, it.shown.order, ofOrder as 'accept', fields)]
    : [
        `/service-requests/${it.shown.id}/${given.action}`,
        moveBody(w, it.shown, given.action as 'offer', {
          ...fields,
          ...(given.action === 'offer' && {
            amount_minor: it.quantity * 10 + given.off,
            deadline: inTime(w, days(1000)),
          }),
        }),
      ]
  const answer = await send(play, who, path, body)
  assert.equal(code(answer), expected(play, it, given), JSON.stringify([given, it.status, it.order]))
  if (given.action === 'offer' && answer.status === 201) it.shown = { ...answer.body.request, order: answer.body.order }
}

const doers: { [K in Step['kind']]: (play: Play, given: Extract<Step, { kind: K }>) => Promise<void> } = {
  ask: (play, { quantity }) => ask(play, quantity),
  act,
  async replay(play, { on }) {
    const sent = play.taken[on % play.taken.length]
    if (sent) assert.equal(code(await sent.who.post(sent.path, sent.body)), '200', sent.path)
  },
  async pass(play, { days: passed }) {
    w.travel(days(passed))
    for (const it of play.requests) {
      it.age += passed
      if (it.status === 'open' && it.age >= 7) Object.assign(it, { status: 'expired', version: it.version + 1 })
    }
    while (await expireNext(w.service));
    const seen = new Date(w.now().getTime() + days(30))
    await w.sql`update tokens set expires_at = ${seen}`
  },
  async block(play) {
    assert.equal((await play.provider.post(`/contacts/${play.contact}/block`)).status, 200)
    play.friends = false
  },
}

/** What both sides read is what the model says. */
async function compare(play: Play): Promise<void> {
  for (const who of [play.customer, play.provider]) {
    const { items, pagination } = (await who.get('/service-requests?page_size=50')).body
    assert.equal(pagination.total, play.requests.length)
    assert.deepEqual(
      items.map(({ id, status, version, order_state: state }: Shown) => [id, status, version, state]),
      play.requests
        .map(({ shown, status, version, order }) => [shown.id, status, version, order?.state ?? null])
        .reverse(),
    )
  }
}

let plays = 0

test(`every sequence gets the responses of the model (seed ${seed})`, async () => {
  const sequence = fc.array(step, { minLength: 5, maxLength: 40 })
  await fc.assert(
    fc.asyncProperty(sequence, async (steps) => {
      plays += 1
      const [customer, provider] = [await w.agent(`customer_${plays}`), await w.agent(`provider_${plays}`)]
      const contact = await befriend(customer, provider)
      const service = await priced(provider, { price: { mode: 'from', unit_label: 'icon', amount_minor: 10 } })
      const play: Play = { customer, provider, contact, service, friends: true, requests: [], taken: [] }
      await ask(play, 1)
      for (const each of steps) {
        await (doers[each.kind] as (play: Play, given: Step) => Promise<void>)(play, each)
        await compare(play)
      }
      await assertInvariants(w.sql)
    }),
    { numRuns: runs, seed, endOnFailure: true },
  )
})
