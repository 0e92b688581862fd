// Any sequence of writing, publishing, editing and withdrawing, of closing, suspending, removing and revoking, of replays and
// passing time, against a small model: every answer is the model's, and after each of them so is what authors and everybody
// else read. KITH_MODEL_RUNS makes it longer, KITH_MODEL_SEED repeats one. docs/contract/editorial.md.
import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { actionBody, articleBody, assign, publisher, revoke } from '../../../test/editorial.ts'
import type { Shown } from '../../../test/orders.ts'
import { visit } from '../../../test/pages.ts'
import { story } from '../../../test/story.ts'
import { turnHidden, turnSuspended } from '../../../test/turning.ts'
import { type Agent, type Answer, assertInvariants, code } from '../../../test/world.ts'
import { hours } from '../../kernel/clock.ts'

const runs = Number(process.env['KITH_MODEL_RUNS'] ?? 5)
const seed = Number(process.env['KITH_MODEL_SEED'] ?? randomInt(2 ** 31))

const { w } = story()

const actions = ['publish', 'publish', 'publish', 'withdraw', 'edit'] as const
const states = ['open', 'active', 'kept', 'assigned'] as const
const mostly = <T>(usual: T, ...others: T[]) =>
  fc.oneof({ weight: 8, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: fc.constantFrom(...others) })
const either = fc.nat({ max: 1 })
const any = fc.nat({ max: 1000 })
const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('write' as const),
      who: either,
      publish: mostly(true, false),
      isConfirmed: mostly(true, false),
    }),
  },
  {
    weight: 20,
    arbitrary: fc.record({
      kind: fc.constant('act' as const),
      on: any,
      action: fc.constantFrom(...actions),
      isOwn: mostly(true, false),
      stale: mostly(0, -1, 1),
      isConfirmed: mostly(true, false),
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('turn' as const),
      who: either,
      state: fc.constantFrom(...states),
      is: fc.oneof({ weight: 4, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.constant(false) }),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('moderate' as const), on: any, isHidden: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('replay' as const), on: any }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('pass' as const), hours: fc.constantFrom(5, 7, 12) }) },
)
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never
type Given<K extends Step['kind']> = Extract<Step, { kind: K }>

/** An author: its profile as it has it, as the operator has it, as a moderator has it, and whether it is one. */
interface Writer extends Record<(typeof states)[number], boolean> {
  agent: Agent
  version: number
  /** Hours since each of its publications. */
  publications: number[]
}

interface Modelled {
  writer: Writer
  state: 'draft' | 'published' | 'withdrawn'
  version: number
  isHidden: boolean
  /** As it was answered last. */
  shown: Shown
}

interface Play {
  writers: readonly [Writer, Writer]
  articles: Modelled[]
  taken: { agent: Agent; method: string; path: string; json: object }[]
}

const isShown = ({ open, active, kept }: Writer): boolean => open && active && kept
const recent = ({ publications }: Writer): number => publications.filter((age) => age < 24).length

/** What keeps somebody from a change, whatever it is of. */
function barred(writer: Writer, isWriting: boolean): string | undefined {
  if (!writer.active) return '403 profile_inactive'
  if (!writer.assigned) return '403 publisher_required'
  return isWriting && !isShown(writer) ? '403 publisher_ineligible' : undefined
}

const publishing = (writer: Writer): string | undefined =>
  recent(writer) >= 10 ? '429 editorial_publish_limit' : undefined

async function send(play: Play, { agent }: Writer, method: string, path: string, json: object): Promise<Answer> {
  const answer = await w.request(method, path, { token: agent.token, json })
  if (answer.status < 300) play.taken.push({ agent, method, path, json })
  return answer
}

async function write(play: Play, { who, publish, isConfirmed }: Given<'write'>): Promise<void> {
  const writer = play.writers[who] as Writer
  const body = articleBody({ publish, publication_confirmed: isConfirmed, title: `No. ${play.articles.length}` })
  const answer = await send(play, writer, 'POST', '/editorial/articles', body)
  const missing = publish && !isConfirmed ? '400 publication_confirmation_required' : undefined
  const refusal = missing ?? barred(writer, true) ?? (publish ? publishing(writer) : undefined)
  assert.equal(code(answer), refusal ?? '201')
  if (refusal) return
  if (publish) writer.publications.push(0)
  const state = publish ? 'published' : 'draft'
  play.articles.push({ writer, state, version: 1, isHidden: false, shown: answer.body.article })
}

/** What an action is answered; changes the model where it is taken. */
function expected(it: Modelled, by: Writer, { action, stale, isConfirmed }: Given<'act'>): string {
  if (action === 'publish' && !isConfirmed) return '400 publication_confirmation_required'
  const refusal = barred(by, action !== 'withdraw')
  if (refusal) return refusal
  if (by !== it.writer) return '404 not_found'
  if (stale !== 0) return '409 version_conflict'
  if (action === 'withdraw' && it.state !== 'published') return '409 not_published'
  if (action === 'edit' && it.state === 'published' && !isConfirmed) return '400 publication_confirmation_required'
  if (action === 'publish') {
    if (it.state === 'published') return '409 already_published'
    const limit = publishing(by)
    if (limit) return limit
    by.publications.push(0)
  }
  if (action !== 'edit') it.state = action === 'publish' ? 'published' : 'withdrawn'
  it.version += 1
  return '200'
}

const doers: { [K in Step['kind']]: (play: Play, given: Given<K>) => Promise<void> } = {
  write,
  async act(play, given) {
    const it = play.articles[given.on % play.articles.length]
    if (!it) return
    const by = given.isOwn ? it.writer : (play.writers.find((each) => each !== it.writer) as Writer)
    const { action, isConfirmed, stale } = given
    const json = actionBody(
      { version: it.version + stale },
      {
        ...(action !== 'withdraw' && { publication_confirmed: isConfirmed }),
        ...(action === 'edit' && { title: `Version ${it.version + 1}` }),
      },
    )
    const path = `/editorial/articles/${it.shown.id}${action === 'edit' ? '' : `/${action}`}`
    const answer = await send(play, by, action === 'edit' ? 'PATCH' : 'POST', path, json)
    const was = it.shown
    assert.equal(code(answer), expected(it, by, given), JSON.stringify(given))
    if (answer.status !== 200) return
    it.shown = answer.body.article
    assert.equal(it.shown.title, action === 'edit' ? `Version ${it.version}` : was.title)
    if (was.published_at) assert.equal(it.shown.published_at, was.published_at, 'the first publication')
  },
  async turn({ writers }, { who, state, is }) {
    const writer = writers[who] as Writer
    const { agent } = writer
    if (state === 'open') {
      const answer = await agent.patch('/bots/me', { profile_public: is })
      const refusal = is && !writer.active ? '403 profile_inactive' : undefined
      assert.equal(code(answer), refusal ?? '200')
      if (refusal) return
    } else if (state === 'assigned') {
      if (writer.assigned === is) return
      await (is ? assign : revoke)(w, agent)
      writer.version += 1
    } else if (state === 'active') await turnSuspended(w, agent.id, !is)
    else await turnHidden(w, 'profile', agent.id, !is)
    writer[state] = is
  },
  async moderate({ articles }, { on, isHidden }) {
    const it = articles[on % articles.length]
    if (!it) return
    const changed = await turnHidden(w, 'article', it.shown.id, isHidden)
    assert.equal(changed, it.isHidden !== isHidden)
    it.isHidden = isHidden
  },
  async replay({ articles, taken }, { on }) {
    const sent = taken[on % taken.length]
    if (!sent) return
    const answer = await w.request(sent.method, sent.path, { token: sent.agent.token, json: sent.json })
    const it = articles.find(({ shown }) => shown.id === answer.body.article?.id)
    assert.deepEqual([code(answer), answer.body.article?.version], ['200', it?.version], 'as it is now')
  },
  async pass({ writers }, { hours: passed }) {
    w.travel(hours(passed))
    for (const writer of writers) writer.publications = writer.publications.map((age) => age + passed)
  },
}

/** What its author and everybody else reads is what the model says. */
async function compare({ writers, articles }: Play): Promise<void> {
  for (const writer of writers) {
    const own = articles.filter((it) => it.writer === writer).reverse()
    const { assigned, eligible, version, blocked_reasons: reasons, limits } = await publisher(writer.agent)
    assert.deepEqual(
      [assigned, eligible, version, reasons, limits.articles.used, limits.publications_per_24h.available],
      [
        writer.assigned,
        writer.assigned && isShown(writer),
        writer.version,
        [
          ...(writer.assigned ? [] : ['publisher_not_assigned']),
          ...(writer.active ? [] : ['profile_inactive']),
          ...(writer.open && writer.kept ? [] : ['profile_private']),
        ],
        own.length,
        10 - recent(writer),
      ],
    )
    const list = await writer.agent.get('/editorial/articles?page_size=50')
    if (!writer.assigned) assert.equal(code(list), '403 publisher_required')
    else {
      assert.deepEqual(
        list.body.articles.map(({ id, state, version: at }: Shown) => [id, state, at]),
        own.map(({ shown, state, version: at }) => [shown.id, state, at]),
      )
    }
  }
  const public_ = articles
    .filter(({ writer, state, isHidden }) => isShown(writer) && state === 'published' && !isHidden)
    .map(({ shown }) => shown)
    .sort((a, b) => (`${a.published_at} ${a.id}` < `${b.published_at} ${b.id}` ? 1 : -1))
  const ids = new Set(articles.map(({ shown }) => shown.id))
  const { text } = await visit(w.url, '/feed.xml')
  const items = [...text.matchAll(/<title>([^<]*)<\/title>\s*<link>[^<]*\/articles\/([^<]+)<\/link>/g)]
  assert.deepEqual(
    items.map(([, title, id]) => [title, id]).filter(([, id]) => ids.has(id as string)),
    public_.map(({ title, id }) => [title, id]),
  )
  const newest = articles.at(-1)?.shown
  if (!newest) return
  const { status } = await visit(w.url, `/articles/${newest.id}`)
  assert.equal(status, public_.includes(newest) ? 200 : 404)
}

let plays = 0

test(`every sequence gets the responses of the model (seed ${seed})`, async () => {
  const writer = async (handle: string): Promise<Writer> => {
    const agent = await w.agent(handle)
    await assign(w, agent)
    return { agent, open: true, active: true, kept: true, assigned: true, version: 1, publications: [] }
  }
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 30, maxLength: 60, size: 'max' }), async (steps) => {
      plays += 1
      const writers = [await writer(`ada_${plays}`), await writer(`ben_${plays}`)] as const
      const play: Play = { writers, articles: [], taken: [] }
      // Not far from the limit.
      for (let n = 0; n < 8; n++) await write(play, { kind: 'write', who: 0, publish: true, isConfirmed: true })
      for (const each of steps) {
        await (doers[each.kind] as (play: Play, given: Step) => Promise<void>)(play, each)
        await compare(play)
      }
      await assertInvariants(w.sql, 'moderation.hidden_by')
    }),
    { numRuns: runs, seed, endOnFailure: true },
  )
})
