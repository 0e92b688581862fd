// Reviews from the form to the profile: who may file one, and when others read it.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { conditions, reread, type Shown, trade } from '../../../test/orders.ts'
import { pluck } from '../../../test/pluck.ts'
import { reviewBody } from '../../../test/reviews.ts'
import { story } from '../../../test/story.ts'
import { turnSuspended } from '../../../test/turning.ts'
import { type Agent, befriend, code, race } from '../../../test/world.ts'
import { days, hours } from '../../kernel/clock.ts'

const { w } = story()

type Side = 'customer' | 'contractor'

const send = (who: Agent, order: Shown, fields: object = {}, side: Side = sideOf(who, order)) =>
  who.post(`/orders/${order.id}/reviews`, reviewBody(side, { ...fields }))
const sideOf = (who: Agent, order: Shown): Side => (order.customer_id === who.id ? 'customer' : 'contractor')

async function filed(who: Agent, order: Shown, fields: object = {}): Promise<Shown> {
  const answer = await send(who, order, fields)
  assert.equal(code(answer), '201', JSON.stringify(answer.body))
  return answer.body.review
}

const listOf = async (reader: Agent, subject: Agent, query = '') => {
  const answer = await reader.get(`/bots/${subject.id}/reviews${query}`)
  assert.equal(code(answer), '200')
  return answer.body
}
const idsOf = async (reader: Agent, subject: Agent, query?: string): Promise<string[]> =>
  (await listOf(reader, subject, query)).reviews.map(({ id }: Shown) => id)
const statsOf = async (reader: Agent, subject: Agent) => (await reader.get(`/bots/${subject.id}`)).body.bot.stats
/** What the contract has of them, whoever their owners are. */
const publicOf = async (reader: Agent, subject: Agent): Promise<number[]> => {
  const { completed_projects_total_minor: total, public_reviews_count: reviews } = await statsOf(reader, subject)
  return [total, reviews]
}

test('two sides review each other: the reviews are hidden until both exist, then on both profiles', async () => {
  const [ann, ben] = await w.friends('ann', 'ben')
  const eve = await w.agent('eve')
  const order = await trade(w, ann, ben, 'accepted', { amount_minor: 10_005 })
  const form = await ann.get(`/orders/${order.id}/review-form`)
  assert.deepEqual(form.body.review_form, {
    order_id: order.id,
    role: 'customer',
    criteria: ['quality', 'timeliness', 'communication'],
    filed: false,
    opens_at: order.closed_at,
  })
  const { rating, ...first } = await filed(ann, order, { rating: 4, text: ' Round,\r\nand blue ' })
  assert.deepEqual(
    [rating, first.role, first.text, first.recommend, first.criteria],
    [4, 'contractor', 'Round,\nand blue', true, { quality: 5, timeliness: 4, communication: 5 }],
  )
  assert.deepEqual(first.author, { id: ann.id, handle: 'ann', display_name: 'ann' })
  const mine = (await ben.get(`/orders/${order.id}/review-form`)).body.review_form
  assert.deepEqual([mine.role, mine.filed], ['contractor', false])
  assert.equal((await ann.get(`/orders/${order.id}/review-form`)).body.review_form.filed, true)
  for (const reader of [eve, ann, ben]) assert.deepEqual((await listOf(reader, ben)).reviews, [])
  assert.deepEqual(await publicOf(eve, ben), [11_006, 0])
  assert.deepEqual((await reread(ben, order)).review_summary, { count: 1, average: null, revealed: false })

  const second = await filed(ben, order, { rating: 5, recommend: false })
  assert.deepEqual([second.role, second.text, second.author.handle], ['customer', null, 'ben'])
  assert.deepEqual((await listOf(eve, ann)).reviews, [second])
  assert.deepEqual((await listOf(eve, ben)).reviews, [{ ...first, rating, text: null }], 'a text waits')
  assert.deepEqual(await publicOf(eve, ben), [11_006, 1])
  assert.deepEqual(await publicOf(eve, ann), [0, 1])
  const closed = await reread(ann, order)
  assert.deepEqual(closed.review_summary, { count: 2, average: 4.5, revealed: true })
  assert.equal(closed.version, order.version, 'filing raises no version')
  const step = (await ben.get('/bots/me/onboarding')).body.onboarding.steps.find(({ key }: Shown) => key === 'review')
  assert.deepEqual([step.data_status, step.facts], ['saved', { public_reviews: 1 }])
})

test('reviews are on their order even if the clock was set back after it closed', async () => {
  const [zoe, abe] = await w.friends('zoe', 'abe')
  const order = await trade(w, zoe, abe, 'accepted')
  w.travel(-hours(1))
  try {
    await filed(zoe, order, { rating: 4 })
    await filed(abe, order, { rating: 5 })
    assert.deepEqual((await reread(zoe, order)).review_summary, { count: 2, average: 4.5, revealed: true })
  } finally {
    w.travel(hours(1))
  }
})

test('a single review is readable 7 days after the request, to the millisecond; a late one at once', async () => {
  const [fay, gus] = await w.friends('fay', 'gus')
  const order = await trade(w, fay, gus, 'accepted')
  const review = await filed(fay, order)
  const [row] = await w.sql<{ reveal_at: Date; closed_at: Date }>`
    select r.reveal_at, o.closed_at from reviews r join orders o on o.id = r.order_id where r.id = ${review.id}`
  assert.equal((row?.reveal_at.getTime() ?? 0) - (row?.closed_at.getTime() ?? 0), days(8))
  const left = () => (row?.reveal_at.getTime() ?? 0) - w.now().getTime()
  w.travel(left() - hours(1))
  assert.deepEqual(await idsOf(gus, gus), [])
  assert.equal((await reread(fay, order)).review_summary.revealed, false)
  w.travel(left())
  assert.deepEqual(await idsOf(gus, gus), [review.id])
  assert.deepEqual((await reread(fay, order)).review_summary, { count: 1, average: 5, revealed: true })
  const late = await filed(gus, order, { rating: 2 })
  assert.deepEqual(await idsOf(fay, fay), [late.id])
  assert.deepEqual((await reread(fay, order)).review_summary, { count: 2, average: 3.5, revealed: true })
})

test('an incomplete review, or one of the wrong side, is refused', async () => {
  const [hal, ida] = await w.friends('hal', 'ida')
  const order = await trade(w, hal, ida, 'accepted')
  const full = { quality: 5, timeliness: 1, communication: 3 }
  const bad = [
    {},
    { ...full, quality: undefined },
    { ...full, cooperation: 5 },
    { brief_clarity: 5, cooperation: 5, acceptance: 5 },
  ]
  for (const criteria of bad) {
    assert.equal(code(await send(hal, order, { criteria })), '400 invalid_input', JSON.stringify(criteria))
  }
  assert.equal(code(await send(ida, order, { text: 'Nice brief' })), '400 invalid_input', 'a contractor writes none')
  assert.equal(code(await send(ida, order, {}, 'customer')), '400 invalid_input')
  assert.deepEqual((await reread(hal, order)).review_summary, { count: 0, average: null, revealed: false })
  assert.equal((await filed(hal, order, { rating: 1.0, text: '𝒳'.repeat(2000) })).text.length, 4000)
  assert.equal((await filed(ida, order, { text: ' ' })).text, null)
})

test('only your own accepted order can be reviewed, once by each side', async () => {
  const [jon, kim] = await w.friends('jon', 'kim')
  const lou = await w.agent('lou')
  for (const condition of conditions) {
    const order = await trade(w, jon, kim, condition)
    assert.equal(code(await lou.get(`/orders/${order.id}/review-form`)), '404 not_found')
    assert.equal(code(await send(lou, order, {}, 'customer')), '404 not_found')
    const isOpen = condition === 'accepted'
    for (const who of [jon, kim]) {
      assert.equal(code(await who.get(`/orders/${order.id}/review-form`)), isOpen ? '200' : '409 invalid_state')
      assert.equal(code(await send(who, order)), isOpen ? '201' : '409 invalid_state', condition)
    }
    if (isOpen) assert.equal(code(await send(jon, order)), '409 state_conflict')
  }
  assert.equal(code(await send(jon, { id: randomUUID(), customer_id: jon.id })), '404 not_found')
})

test('a repeated review is one review; different content with its ID is refused', async () => {
  const [max, nia] = await w.friends('max', 'nia')
  const order = await trade(w, max, nia, 'accepted')
  const body = reviewBody('customer', { text: 'Good' })
  const path = `/orders/${order.id}/reviews`
  const first = await max.post(path, body)
  assert.equal(code(first), '201')
  assert.deepEqual((await max.post(path, { ...body, text: ' Good ' })).body, first.body)
  assert.equal(code(await max.post(path, { ...body, text: 'Bad' })), '409 idempotency_conflict')
  const other = await trade(w, max, nia, 'accepted')
  assert.equal(code(await max.post(`/orders/${other.id}/reviews`, body)), '409 idempotency_conflict')
  const empty = reviewBody('contractor')
  assert.equal(code(await nia.post(path, empty)), '201')
  assert.equal(code(await nia.post(path, { ...empty, text: '' })), '200', 'an empty text is none')
})

test('twenty different reviews from each side at once: one per side counts, and both are revealed', async () => {
  const [oda, pat] = await w.friends('oda', 'pat')
  const order = await trade(w, oda, pat, 'accepted')
  const answers = await race(40, (index) => send(index % 2 ? oda : pat, order))
  const codes = answers.map(code).sort()
  assert.deepEqual(codes, ['201', '201', ...Array(38).fill('409 state_conflict')])
  assert.deepEqual((await reread(oda, order)).review_summary, { count: 2, average: 5, revealed: true })
  assert.equal((await listOf(pat, oda)).pagination.total + (await listOf(oda, pat)).pagination.total, 2)
})

test('reviews are listed by role, in pages, with exact totals, newest first', async () => {
  const [quin, rex] = await w.friends('quin', 'rex')
  const about: string[] = []
  for (let n = 0; n < 3; n++) {
    const order = await trade(w, quin, rex, 'accepted')
    about.unshift((await filed(quin, order)).id)
    await filed(rex, order)
  }
  const swapped = await trade(w, rex, quin, 'accepted')
  const bought = (await filed(quin, swapped)).id
  await filed(rex, swapped)
  const hidden = await trade(w, quin, rex, 'accepted')
  await filed(quin, hidden)
  assert.deepEqual(await idsOf(quin, rex), [bought, ...about])
  assert.deepEqual(await idsOf(quin, rex, '?role=contractor'), about)
  assert.deepEqual(await idsOf(quin, rex, '?role=customer'), [bought])
  const second = await listOf(quin, rex, '?page=2&page_size=3')
  assert.deepEqual(second.pagination, { page: 2, page_size: 3, total: 4 })
  assert.deepEqual(pluck(second.reviews, 'id'), about.slice(2))
  const beyond = await listOf(quin, rex, '?page=1000&page_size=50&role=contractor')
  assert.deepEqual([beyond.reviews, beyond.pagination.total], [[], 3])
})

test('a closed profile shows no reviews, and the reviews it wrote do not name it', async () => {
  const [una, vic] = await w.friends('una', 'vic')
  const wes = await w.agent('wes')
  const order = await trade(w, una, vic, 'accepted')
  await filed(una, order)
  await filed(vic, order)
  await una.patch('/bots/me', { profile_public: false })
  for (const reader of [wes, vic, una]) {
    assert.equal(code(await reader.get(`/bots/${una.id}/reviews`)), '404 not_found')
    const [about] = (await listOf(reader, vic)).reviews
    assert.deepEqual([about.author, about.rating], [null, 5])
  }
  assert.equal((await statsOf(wes, vic)).public_reviews_count, 1)
  const { steps } = (await una.get('/bots/me/onboarding')).body.onboarding
  assert.equal(steps.find(({ key }: Shown) => key === 'review').facts.public_reviews, 0)
  const again = await trade(w, una, vic, 'accepted')
  assert.equal((await filed(una, again)).author.handle, 'una', 'its own answer does')
  await una.patch('/bots/me', { profile_public: true })
  assert.equal((await listOf(wes, vic)).reviews[0].author.handle, 'una')
  assert.equal(code(await wes.get(`/bots/${randomUUID()}/reviews`)), '404 not_found')
})

test('a replay is answered after the gate closed; a new review is refused', async () => {
  const [xia, yan] = [await w.agent('xia'), await w.agent('yan')]
  await befriend(xia, yan)
  const [one, two] = [await trade(w, xia, yan, 'accepted'), await trade(w, xia, yan, 'accepted')]
  const body = reviewBody('customer')
  assert.equal(code(await xia.post(`/orders/${one.id}/reviews`, body)), '201')
  await turnSuspended(w, xia.id, true)
  assert.equal(code(await xia.post(`/orders/${one.id}/reviews`, body)), '200')
  assert.equal(code(await send(xia, two)), '403 profile_inactive')
  assert.equal(code(await xia.get(`/orders/${two.id}/review-form`)), '200')
})

test('a contractor whose orders total more than a number can hold still has a card', async () => {
  const [rich, reader] = [await w.agent('rich'), await w.agent('reader')]
  await w.sql`
    insert into contractor_totals (party_id, completed_total_minor) values (${rich.id}, 9007199254740993)`
  assert.equal((await statsOf(reader, rich)).completed_projects_total_minor, Number.MAX_SAFE_INTEGER)
  await w.sql`delete from contractor_totals where party_id = ${rich.id}`
})
