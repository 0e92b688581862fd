// Any sequence of filing, voting, subscribing, adding and answering, of closing, suspending and removing, of replays and
// passing time, against a small model: every answer is the model's, and after each of them so is what both authors read and
// are told. KITH_MODEL_RUNS makes it longer, KITH_MODEL_SEED repeats one. docs/contract/feedback.md.
import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { answerBody, followupBody, recordBody, subscription, vote } from '../../../test/feedback.ts'
import type { Shown } from '../../../test/orders.ts'
import { story } from '../../../test/story.ts'
import { turnHidden, turnSuspended } from '../../../test/turning.ts'
import { type Agent, type Answer, assertInvariants, code } from '../../../test/world.ts'
import { hours } from '../../kernel/clock.ts'
import { answerStatuses, categories } from './machine.ts'

const runs = Number(process.env['KITH_MODEL_RUNS'] ?? 5)
const seed = Number(process.env['KITH_MODEL_SEED'] ?? randomInt(2 ** 31))

const { w, sue } = story({ staff: ['sue'] })

const states = ['open', 'active', 'kept'] as const
const mostly = <T>(usual: T, ...others: T[]) =>
  fc.oneof({ weight: 8, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: fc.constantFrom(...others) })
const who = fc.nat({ max: 1 })
const on = fc.nat({ max: 1000 })
const isOn = fc.oneof({ weight: 2, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.constant(false) })
const stale = mostly(0, -1, 1)
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('file' as const),
      who,
      category: fc.constantFrom(...categories, 'idea' as const),
      isConfirmed: mostly(true, false),
    }),
  },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('vote' as const), who, on, isOn }) },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('subscribe' as const), who, on, isOn }) },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('follow' as const), isOwn: mostly(true, false), on, stale }) },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('answer' as const),
      isStaff: mostly(true, false),
      on,
      status: fc.constantFrom(...answerStatuses),
      stale,
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant('turn' as const), who, state: fc.constantFrom(...states), isOn }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('moderate' as const), on, isOn: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('replay' as const), on }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('pass' as const), hours: fc.constantFrom(1, 6, 13) }) },
)
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never
type Given<K extends Step['kind']> = Extract<Step, { kind: K }>

/** Somebody with a profile as it has it, as the operator has it, and as a moderator has it. */
interface Person extends Record<(typeof states)[number], boolean> {
  agent: Agent
  /** Hours since each of its follow-ups. */
  followups: number[]
  /** What it was told and has not acknowledged: record and version. */
  told: [Modelled, number][]
}

interface Modelled {
  id: string
  author: Person
  category: (typeof categories)[number]
  status: string
  version: number
  answers: number
  voters: Set<Person>
  /** Who is notified of answers after which version. */
  subscribers: Map<Person, number>
  isHidden: boolean
}

interface Play {
  people: readonly [Person, Person]
  records: Modelled[]
  taken: { agent: Agent; path: string; json: object }[]
}

const isOpen = ({ open, active, kept }: Person): boolean => open && active && kept
const isListed = ({ category, author, isHidden }: Modelled): boolean =>
  category === 'idea' && isOpen(author) && !isHidden
const isVisible = (it: Modelled, to: Person): boolean => it.author === to || isListed(it)
const picked = <T>(list: readonly T[], at: number): T | undefined => list[at % list.length]
const other = ({ people }: Play, person: Person): Person => people.find((each) => each !== person) as Person

async function send(play: Play, agent: Agent, path: string, json: object): Promise<Answer> {
  const answer = await agent.post(path, json)
  if (answer.status < 300) play.taken.push({ agent, path, json })
  return answer
}

const doers: { [K in Step['kind']]: (play: Play, given: Given<K>) => Promise<void> } = {
  async file(play, { who, category, isConfirmed }) {
    const author = play.people[who] as Person
    const isIdea = category === 'idea'
    const body = recordBody(category, isIdea ? { publication_confirmed: isConfirmed } : {})
    const answer = await send(play, author.agent, '/feedback', body)
    const expected =
      isIdea && !isConfirmed
        ? '400 publication_confirmation_required'
        : !author.active
          ? '403 profile_inactive'
          : isIdea && !isOpen(author)
            ? '403 public_profile_required'
            : '201'
    assert.equal(code(answer), expected)
    if (answer.status !== 201) return
    play.records.push({
      id: answer.body.feedback.id,
      author,
      category,
      status: 'received',
      version: 1,
      answers: 0,
      voters: new Set(),
      subscribers: new Map([[author, 1]]),
      isHidden: false,
    })
  },
  async vote({ people, records }, { who, on, isOn }) {
    const [voter, it] = [people[who] as Person, picked(records, on)]
    if (!it) return
    const answer = await vote(w, voter.agent, it, isOn ? 'PUT' : 'DELETE')
    assert.equal(code(answer), !voter.active ? '403 profile_inactive' : isListed(it) ? '200' : '404 not_found')
    if (answer.status !== 200) return
    if (isOn) it.voters.add(voter)
    else it.voters.delete(voter)
    const { votes_count: votes, viewer_has_voted: mine } = answer.body.idea
    assert.deepEqual([votes, mine], [it.voters.size, isOn])
  },
  async subscribe({ people, records }, { who, on, isOn }) {
    const [person, it] = [people[who] as Person, picked(records, on)]
    if (!it) return
    const answer = await subscription(w, person.agent, it, isOn ? 'PUT' : 'DELETE')
    assert.equal(
      code(answer),
      !person.active ? '403 profile_inactive' : isVisible(it, person) ? '200' : '404 not_found',
    )
    if (answer.status !== 200) return
    assert.equal(answer.body.subscription.is_active, isOn)
    if (isOn && !it.subscribers.has(person)) it.subscribers.set(person, it.version)
    if (isOn) return
    it.subscribers.delete(person)
    person.told = person.told.filter(([of]) => of !== it)
  },
  async follow(play, { isOwn, on, stale }) {
    const it = picked(play.records, on)
    if (!it) return
    const by = isOwn ? it.author : other(play, it.author)
    const body = followupBody({ version: it.version + stale } as Shown)
    const answer = await send(play, by.agent, `/feedback/${it.id}/followups`, body)
    const within = (window: number): number => by.followups.filter((age) => age < window).length
    const expected = !by.active
      ? '403 profile_inactive'
      : !isVisible(it, by)
        ? '404 not_found'
        : it.category === 'idea'
          ? '403 forbidden'
          : stale !== 0
            ? '409 version_conflict'
            : within(1) >= 5 || within(24) >= 20
              ? '429 feedback_followup_rate_limited'
              : '201'
    assert.equal(code(answer), expected)
    if (answer.status !== 201) return
    by.followups.push(0)
    it.version += 1
  },
  async answer(play, { isStaff, on, status, stale }) {
    const it = picked(play.records, on)
    if (!it) return
    const [stranger] = play.people
    const body = answerBody({ version: it.version + stale } as Shown, { status })
    const answer = await send(play, isStaff ? sue : stranger.agent, `/staff/feedback/${it.id}/answer`, body)
    const refusal = isStaff ? undefined : stranger.active ? '403 staff_required' : '403 profile_inactive'
    assert.equal(code(answer), refusal ?? (stale === 0 ? '200' : '409 version_conflict'))
    if (answer.status !== 200) return
    Object.assign(it, { status, version: it.version + 1, answers: it.answers + 1 })
    for (const person of it.subscribers.keys()) person.told.push([it, it.version])
  },
  async turn({ people }, { who, state, isOn }) {
    const person = people[who] as Person
    const { agent } = person
    if (state === 'open') {
      const answer = await agent.patch('/bots/me', { profile_public: isOn })
      const refusal = isOn && !person.active ? '403 profile_inactive' : undefined
      assert.equal(code(answer), refusal ?? '200')
      if (refusal) return
    } else if (state === 'active') await turnSuspended(w, agent.id, !isOn)
    else await turnHidden(w, 'profile', agent.id, !isOn)
    person[state] = isOn
  },
  async moderate({ records }, { on, isOn }) {
    const it = picked(records, on)
    if (!it) return
    const changed = await turnHidden(w, 'idea', it.id, isOn)
    assert.equal(changed, it.category === 'idea' && it.isHidden !== isOn)
    if (it.category === 'idea') it.isHidden = isOn
  },
  async replay({ records, taken }, { on }) {
    const sent = picked(taken, on)
    if (!sent) return
    const { body, status } = await sent.agent.post(sent.path, sent.json)
    const it = records.find(({ id }) => id === body.feedback?.id)
    assert.deepEqual([status, body.feedback?.version, body.feedback?.status], [200, it?.version, it?.status])
  },
  async pass({ people }, { hours: passed }) {
    w.travel(hours(passed))
    for (const person of people) person.followups = person.followups.map((age) => age + passed)
  },
}

/** What both read, and are told, is what the model says. */
async function compare({ people, records }: Play): Promise<void> {
  const newest = records.toReversed()
  for (const person of people) {
    const { agent, told } = person
    const shown = (it: Modelled) =>
      [it.id, it.status, it.version, it.voters.size, it.voters.has(person), it.subscribers.has(person)] as const
    const read = (it: Shown) => [
      it.id,
      it.status,
      it.version,
      it.votes_count,
      it.viewer_has_voted,
      it.viewer_is_subscribed,
    ]
    const [own, ideas, subscriptions, events] = await Promise.all([
      agent.get('/feedback?page_size=50'),
      agent.get('/feedback/ideas?page_size=50'),
      agent.get('/feedback/subscriptions?page_size=50'),
      w.sql<{ payload: Shown }>`
        select payload from events where recipient_id = ${agent.id} and kind = 'feedback.changed' order by id`,
    ])
    assert.deepEqual(own.body.feedback.map(read), newest.filter(({ author }) => author === person).map(shown))
    const ofPlay = ideas.body.ideas.filter(({ id }: Shown) => records.some((it) => it.id === id))
    assert.deepEqual(ofPlay.map(read), newest.filter(isListed).map(shown))
    assert.deepEqual(
      subscriptions.body.subscriptions.map((each: Shown) => [each.feedback_id, each.from_version]),
      newest.flatMap((it) => {
        const from = it.subscribers.get(person)
        return from !== undefined && isVisible(it, person) ? [[it.id, from]] : []
      }),
    )
    assert.deepEqual(
      events.map(({ payload }) => [payload.feedback_id, payload.version]),
      told.map(([{ id }, version]) => [id, version]),
    )
  }
  const last = newest[0]
  if (!last) return
  for (const person of people) {
    const { status, body } = await person.agent.get(`/feedback/${last.id}/updates`)
    const isClosed: boolean = !person.active && last.author !== person
    assert.equal(status, isClosed ? 403 : isVisible(last, person) ? 200 : 404)
    if (status === 200) assert.equal(body.pagination.total, last.answers)
  }
}

let plays = 0

test(`every sequence gets the responses of the model (seed ${seed})`, async () => {
  const person = async (handle: string): Promise<Person> => ({
    agent: await w.agent(handle),
    open: true,
    active: true,
    kept: true,
    followups: [],
    told: [],
  })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 30, maxLength: 60, size: 'max' }), async (steps) => {
      plays += 1
      const people = [await person(`ada_${plays}`), await person(`ben_${plays}`)] as const
      const play: Play = { people, records: [], taken: [] }
      for (const each of steps) {
        await (doers[each.kind] as (play: Play, given: Step) => Promise<void>)(play, each)
        await compare(play)
      }
      await assertInvariants(w.sql, 'moderation.hidden_by')
    }),
    { numRuns: runs, seed, endOnFailure: true },
  )
})
