// What everyone may see, on every page and endpoint: a stranger finds all that its owners show, and nothing that a case
// has removed.
import { type Market, readPages } from './check-market.ts'
import type { Told } from './check-orders.ts'
import type { Judged } from './check-oversight.ts'
import { isThere, type Voices } from './check-voices.ts'
import { forEach } from './for-each.ts'
import type { Subject, Write } from './ledger.ts'
import type { Random } from './random.ts'
import { read, readNumbered } from './reading.ts'
import { ensure } from './violation.ts'
import type { World } from './world.ts'

interface Story {
  judged: Judged
  orders: ReadonlyMap<string, Told>
  market: Market
  voices: Voices
}

/** A thing, and whether it is to be seen. */
interface Thing {
  subject: Subject
  isThere: boolean
}

/** Knocks at the doors of all things of a world; says how many of them are there for nobody else. */
export async function checkDoors(world: World, story: Story, random: Random): Promise<number> {
  const things = thingsOf(world, story)
  const handles = new Map(world.agents.map(({ id, handle }) => [id, handle]))
  await forEach(things, async ({ subject: { kind, id }, isThere: isDue }) => {
    for (const path of doors[kind](id, handles.get(id) ?? '')) {
      const reply = await knock(world, path, random)
      const due = !isDue ? 404 : path.startsWith(cards) ? 303 : 200
      ensure(reply === due, `an endpoint answers ${reply}: ${path}`, kind, id, storiesOf(story, { kind, id }))
    }
  })
  await checkLists(world, things, random)
  await checkFound(world, things, random)
  await checkFeeds(world, things)
  await checkReviews(world, story, random)
  return things.filter(({ subject }) => story.judged.isRemoved(subject)).length
}

const storiesOf = ({ judged }: Story, { kind, id }: Subject): unknown[] =>
  judged.cases.filter(({ subject }) => subject.kind === kind && subject.id === id)

function thingsOf(world: World, { judged, market, voices }: Story): Thing[] {
  const thing = (kind: Subject['kind'], id: string, isShown: boolean, ...owners: string[]): Thing => {
    const subject = { kind, id }
    return { subject, isThere: isShown && isThere(judged, subject, ...owners) }
  }
  return [
    ...world.agents.map(({ id }) => thing('profile', id, true)),
    ...voices.posts.map(({ id, author }) => thing('post', id, true, author)),
    ...voices.feedback.filter(({ isIdea }) => isIdea).map(({ id, author }) => thing('idea', id, true, author)),
    ...voices.articles.map(({ id, author, state }) => thing('article', id, state === 'published', author)),
    ...voices.projectCases.map(({ id, contractor, customer, states }) =>
      thing('project_case', id, states.at(-1) === 'published', contractor, customer),
    ),
    ...market.tasks.map(({ id, customer }) => thing('task', id, true, customer)),
    ...market.services.map(({ id, provider, state }) =>
      thing('service', id, state === 'published' || state === 'paused', provider),
    ),
  ]
}

const cards = 'site:/cards/'
/** The page of a thing, and its share picture by a digest that it does not have: that leads to the one of now. */
const pages = (path: string, card: string, id: string): string[] => [
  `site:${path}/${id}`,
  `${cards}${card}/${id}.0000000000000000.png`,
]

/** By the API, or of the site where the path begins with its name. */
const doors: Record<Subject['kind'], (id: string, handle: string) => string[]> = {
  profile: (id, handle) => [`/bots/${id}`, ...pages('/agents', 'agent', handle), `site:/agents/${handle}/feed.xml`],
  post: (id) => [`/posts/${id}`, ...pages('/posts', 'work', id)],
  service: (id) => [`/services/${id}`, ...pages('/services', 'service', id)],
  task: (id) => [`/tasks/${id}`, ...pages('/tasks', 'task', id)],
  idea: (id) => [
    `/feedback/ideas/${id}`,
    `/feedback/${id}/updates`,
    `/feedback/${id}/subscription`,
    ...pages('/ideas', 'idea', id),
  ],
  article: (id) => pages('/articles', 'article', id),
  project_case: (id) => [`/project-cases/${id}`, ...pages('/cases', 'case', id)],
  review: () => [],
}

/** What a stranger hears at a door: somebody who has nothing to do with any of it. */
async function knock(world: World, path: string, random: Random): Promise<number | undefined> {
  for (let attempt = 0; attempt < mostAttempts; attempt++) {
    const status = path.startsWith('site:')
      ? (await visit(world, path.slice('site:'.length))).status
      : (await world.get(world.support, path, random))?.status
    if (status !== undefined && status !== 503) return status
  }
  return undefined
}

const mostAttempts = 20

async function visit({ urls }: World, path: string): Promise<{ status: number | undefined; text: string }> {
  const found = await fetch(`${urls[0]}${path}`, { redirect: 'manual' }).catch(() => undefined)
  return { status: found?.status, text: (await found?.text().catch(() => '')) ?? '' }
}

/** Lists have what is there, once, and nothing else of this world. */
async function checkLists(world: World, things: readonly Thing[], random: Random): Promise<void> {
  const { support: stranger, word } = world
  const numbered = (path: string, field: string): Promise<{ id: string }[]> =>
    readNumbered(world, random, stranger, path, field)
  const lists: Partial<Record<Subject['kind'], { id: string }[]>> = {
    profile: await numbered(`/bots?specialty=${word}`, 'bots'),
    post: await numbered(`/posts?q=${word}`, 'posts'),
    idea: await numbered(`/feedback/ideas?q=${word}`, 'ideas'),
    service: await readPages(world, random, stranger, `/services?q=${word}&limit=20`),
  }
  for (const [kind, found] of Object.entries(lists)) {
    const own = things.filter(({ subject }) => subject.kind === kind)
    const due = own.filter(({ isThere: isDue }) => isDue).map(({ subject }) => subject.id)
    const seen = found.map(({ id }) => id).filter((id) => own.some(({ subject }) => subject.id === id))
    const isDue = seen.toSorted().join() === due.toSorted().join()
    ensure(isDue, `a list of what everyone sees is not that: ${kind}`, { seen, due }, own)
  }
  const open = (await numbered(`/tasks?tag=${word}`, 'tasks')).map(({ id }) => id)
  const hidden = things.filter(({ subject, isThere: isDue }) => subject.kind === 'task' && !isDue)
  const shown = hidden.filter(({ subject }) => open.includes(subject.id))
  ensure(shown.length === 0, 'a removed task is in a list', ...shown)
}

/** What discovery finds by the word of this world, kind by kind; pages show nothing else. */
const findable = { agents: 'profile', works: 'post', services: 'service', tasks: 'task' } as const

/** Discovery finds what everyone sees, once, unless it stopped early; tasks may have left its list since. Pages find no more. */
async function checkFound(world: World, things: readonly Thing[], random: Random): Promise<void> {
  const idsOf = (isDue: boolean, kind?: Subject['kind']): string[] =>
    things.filter((thing) => thing.isThere === isDue && [thing.subject.kind, undefined].includes(kind)).map(idOf)
  for (const [among, kind] of Object.entries(findable)) {
    const seen: string[] = []
    let isWhole = kind !== 'task'
    for (let cursor = ''; ; ) {
      const path = `/discovery?q=${world.word}&kind=${among}&limit=50${cursor}`
      const { items, next_cursor: next, partial } = await read(world, random, world.support, path)
      seen.push(...items.map(idOf))
      if (partial) isWhole = false
      if (next === null) break
      cursor = `&cursor=${encodeURIComponent(next)}`
    }
    ensure(new Set(seen).size === seen.length, 'discovery finds a thing twice', kind, seen)
    const hidden = idsOf(false, kind).filter((id) => seen.includes(id))
    ensure(hidden.length === 0, 'discovery finds what nobody is shown', kind, ...hidden)
    const lost = isWhole ? idsOf(true, kind).filter((id) => !seen.includes(id)) : []
    ensure(lost.length === 0, 'discovery does not find what everyone is shown', kind, ...lost)
  }
  for (const path of ['/search', '/agents', '/posts', '/services', '/tasks', '/ideas']) {
    const { text } = await visit(world, `${path}?q=${world.word}`)
    const shown = idsOf(false).filter((id) => text.includes(id))
    ensure(shown.length === 0, `a page finds what nobody is shown: ${path}`, ...shown)
  }
}

const idOf = (thing: Thing | { id: string }): string => ('subject' in thing ? thing.subject.id : thing.id)

/** The feed has the newest articles of all worlds, and more of them than one world writes; that of works has some of them. */
async function checkFeeds(world: World, things: readonly Thing[]): Promise<void> {
  const works = await visit(world, '/posts.xml')
  for (const { subject } of things.filter(({ subject: { kind }, isThere: isDue }) => kind === 'post' && !isDue)) {
    ensure(!works.text.includes(subject.id), 'the feed of works has one that nobody is shown', subject)
  }
  const { text } = await visit(world, '/feed.xml')
  for (const { subject, isThere: isDue } of things.filter(({ subject: { kind } }) => kind === 'article')) {
    ensure(text.includes(subject.id) === isDue, 'the feed has not the articles that are there', subject, isDue, text)
  }
}

interface Review {
  id: string
  text: string | null
}

/** A review is read once both sides have filed; its text once it is approved, and nothing of what was removed. */
async function checkReviews(world: World, { judged, orders }: Story, random: Random): Promise<void> {
  const filed = world.ledger.writes.filter(({ kind, state }) => kind === 'review' && state === 'acknowledged')
  const byOrder = Map.groupBy(filed, ({ path }) => path.split('/').at(-2) as string)
  const due = new Map<string, Write[]>(world.agents.map(({ id }) => [id, []]))
  for (const [order, reviews] of byOrder) {
    ensure(new Set(reviews.map(({ by }) => by.id)).size === reviews.length, 'a side has reviewed twice', ...reviews)
    const { customer, contractor } = (orders.get(order) as Told).model
    if (reviews.length < 2) continue
    for (const review of reviews) due.get(review.by.id === customer ? contractor : customer)?.push(review)
  }
  await forEach(world.agents, async ({ id: agent }) => {
    const isOpen = !judged.isRemoved({ kind: 'profile', id: agent })
    const path = `/bots/${agent}/reviews`
    if (!isOpen) return ensure((await knock(world, path, random)) === 404, 'a removed profile has reviews', agent)
    const found: Review[] = await readNumbered(world, random, world.support, path, 'reviews')
    const wanted = (due.get(agent) ?? []).filter(
      ({ made }) => !judged.isRemoved({ kind: 'review', id: made as string }),
    )
    const texts = new Map(wanted.map(({ made, body }) => [made, (body?.['text'] as string | undefined) ?? null]))
    const isDue = found.length === wanted.length && found.every(({ id }) => texts.has(id))
    ensure(isDue, 'the reviews of an agent are not those that both sides filed', found, ...wanted)
    for (const review of found) {
      const isApproved = judged.wordsOn({ kind: 'review', id: review.id }).at(-1) === 'approved'
      const text = isApproved ? texts.get(review.id) : null
      ensure(review.text === text, 'the text of a review is not as its case says', review, text)
    }
  })
}
