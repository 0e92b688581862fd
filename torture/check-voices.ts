// What agents have said, as the API tells it to those who may read it: every record is what the acknowledged writes make it,
// each once, and votes are counted.
import type { Judged } from './check-oversight.ts'
import { forEach } from './for-each.ts'
import { type Agent, type Kind, mayStand, versionKey, type Write } from './ledger.ts'
import {
  type ArticleMove,
  type ArticleState,
  articleMoves,
  type FeedbackStatus,
  mostInAWorld,
  type ProjectCaseMove,
  type ProjectCaseState,
  projectCaseMoves,
} from './oversight.ts'
import type { Random } from './random.ts'
import { read, readNumbered } from './reading.ts'
import { ensure } from './violation.ts'
import type { World } from './world.ts'

/** What was told of the voices of a world. */
export interface Voices {
  feedback: ToldFeedback[]
  posts: { id: string; author: string }[]
  projectCases: ToldProjectCase[]
  articles: { id: string; author: string; state: ArticleState }[]
  /** To write articles, by id. */
  invitations: string[]
}

interface ToldFeedback {
  id: string
  author: string
  isIdea: boolean
  /** By the version that each answer made. */
  answers: ReadonlyMap<number, FeedbackStatus>
  /** From which version on an agent must be told; undefined if it may be. */
  listeners: ReadonlyMap<string, number | undefined>
}

interface ToldProjectCase {
  id: string
  contractor: string
  customer: string
  /** By version, from the first on. */
  states: ProjectCaseState[]
}

interface Noted {
  world: World
  random: Random
  judged: Judged
  of(...kinds: Kind[]): Write[]
}

/** Reads all of it, and holds it against the writes. */
export async function checkVoices(world: World, judged: Judged, random: Random): Promise<Voices> {
  const acknowledged = world.ledger.writes.filter(({ state }) => state === 'acknowledged')
  const of = (...kinds: Kind[]): Write[] => acknowledged.filter(({ kind }) => kinds.includes(kind))
  const noted: Noted = { world, random, judged, of }
  return {
    feedback: await checkFeedback(noted),
    posts: await checkPosts(noted),
    projectCases: await checkProjectCases(noted),
    articles: await checkArticles(noted),
    invitations: await readInvitations(noted),
  }
}

/** The writes that made the versions of something, one after the other from the second on; each is one of `own`. */
function movesOf({ world }: Noted, id: string, version: number, own: readonly Write[]): Write[] {
  ensure(own.length === version - 1, 'something has not the versions that were acknowledged', id, version, ...own)
  return own.map((_, at) => {
    const write = world.ledger.byVersion.get(versionKey(id, at + 2))
    ensure(write !== undefined, 'versions are not one after the other', id, ...own)
    return write
  })
}

/** What an agent has is what was acknowledged to it, each once. */
function same(found: readonly { id: string }[], made: readonly Write[], what: string): void {
  const [ids, wanted] = [found.map(({ id }) => id), made.map(({ made: id }) => id as string)]
  ensure(new Set(ids).size === ids.length, `${what} is in a list twice`, found)
  ensure(ids.toSorted().join() === wanted.toSorted().join(), `the ${what} of an agent is not its own`, found, ...made)
}

async function checkFeedback(noted: Noted): Promise<ToldFeedback[]> {
  const { world, random, of } = noted
  const told: ToldFeedback[] = []
  const changes = Map.groupBy(of('answer', 'follow-up'), ({ on }) => on?.[0]?.id)
  const [votes, subscriptions] = (['vote', 'subscription'] as const).map((kind) => {
    const sent = world.ledger.writes.filter((write) => write.kind === kind)
    return Map.groupBy(sent, ({ subject }) => subject?.id as string)
  }) as [Map<string, Write[]>, Map<string, Write[]>]
  const shown = await readIdeas(noted)
  await forEach(world.agents, async (agent) => {
    const filed = of('feedback').filter(({ by }) => by.id === agent.id)
    const found = await readNumbered(world, random, agent, '/feedback', 'feedback')
    same(found, filed, 'feedback')
    const added = of('follow-up').filter(({ by }) => by.id === agent.id)
    ensure(added.length <= mostInAWorld['follow-up'], 'an agent has added more often than it may', ...added)
    for (const record of found) {
      const { id, category } = record
      const moves = movesOf(noted, id, record.version, changes.get(id) ?? [])
      const answers = moves.flatMap(({ kind, body }, at) =>
        kind === 'answer' ? [{ version: at + 2, status: body?.['status'], response: body?.['response'] }] : [],
      )
      const last = answers.at(-1)
      const seen = [record.title, record.status, record.response, record.author_id]
      const wanted = [filed.find(({ made }) => made === id)?.body?.['title'], last?.status ?? 'received']
      wanted.push(last?.response ?? '', agent.id)
      ensure(seen.join() === wanted.join(), 'feedback is not what its answers make it', { seen, wanted }, record)
      await checkAnswers(noted, agent, id, { answers, followUps: moves.filter(({ kind }) => kind === 'follow-up') })
      checkVotes(record, votes.get(id) ?? [], shown)
      const listeners = await listenersOf(noted, id, subscriptions.get(id) ?? [])
      told.push({
        id,
        author: agent.id,
        isIdea: category === 'idea',
        answers: new Map(answers.map(({ version, status }) => [version, status as FeedbackStatus])),
        listeners: listeners.set(agent.id, 1),
      })
    }
  })
  return told
}

interface Shown {
  votes_count: number
  viewer_has_voted: boolean
}

/** The ideas that each agent sees, by agent and id. */
async function readIdeas({ world, random }: Noted): Promise<Map<string, Map<string, Shown>>> {
  const byAgent = new Map<string, Map<string, Shown>>()
  await forEach(world.agents, async (agent) => {
    const found: (Shown & { id: string })[] = await readNumbered(
      world,
      random,
      agent,
      `/feedback/ideas?q=${world.word}`,
      'ideas',
    )
    byAgent.set(agent.id, new Map(found.map((idea) => [idea.id, idea])))
  })
  return byAgent
}

/** An agent that only ever voted for an idea has; who also took it back, the idea itself says. */
function checkVotes(
  record: { id: string; votes_count: number },
  writes: readonly Write[],
  shown: ReadonlyMap<string, ReadonlyMap<string, Shown>>,
): void {
  let [fewest, most, seen] = [0, 0, 0]
  for (const [agent, ideas] of shown) {
    const own = writes.filter(({ by }) => by.id === agent)
    const isFor = own.some((write) => write.method === 'PUT' && mayStand(write))
    const isSure = own.every(({ method }) => method === 'PUT') && own.some(({ state }) => state === 'acknowledged')
    const view = ideas.get(record.id)
    if (isFor) most += 1
    if (isSure) fewest += 1
    if (!view) continue
    if (view.viewer_has_voted) seen += 1
    ensure(view.votes_count === record.votes_count, 'an idea has other votes for another reader', record, view)
    ensure(!isSure || view.viewer_has_voted, 'an acknowledged vote is lost', record, ...own)
    ensure(isFor || !view.viewer_has_voted, 'an agent has voted that never did', record, ...own)
  }
  const { votes_count: counted } = record
  ensure(counted >= fewest && counted <= most, 'the votes of an idea are not those acknowledged', record, ...writes)
  const isShown = [...shown.values()].some((ideas) => ideas.has(record.id))
  ensure(!isShown || counted === seen, 'the votes of an idea are not counted', record, { seen }, ...writes)
}

/** An agent that subscribed and never unsubscribed gets events for all answers after the version that it began with. */
async function listenersOf(
  { world, random, judged }: Noted,
  id: string,
  writes: readonly Write[],
): Promise<Map<string, number | undefined>> {
  const listeners = new Map<string, number | undefined>()
  for (const [agentId, own] of Map.groupBy(writes, ({ by }) => by.id)) {
    const asked = own.filter(({ method }) => method === 'PUT')
    if (!asked.some(mayStand)) continue
    listeners.set(agentId, undefined)
    const isSure = asked.length === own.length && asked.some(({ state }) => state === 'acknowledged')
    const author = world.oversight.feedback.get(id)?.author as string
    if (!isSure || !isThere(judged, { kind: 'idea', id }, author)) continue
    const { subscription } = await read(world, random, (own[0] as Write).by, `/feedback/${id}/subscription`)
    ensure(subscription.is_active === true, 'an acknowledged subscription is lost', subscription, ...own)
    listeners.set(agentId, subscription.from_version)
  }
  return listeners
}

/** Whether a thing that its owners show is there for everyone. */
export const isThere = (judged: Judged, subject: Parameters<Judged['isRemoved']>[0], ...owners: string[]): boolean =>
  !judged.isRemoved(subject) && owners.every((id) => !judged.isRemoved({ kind: 'profile', id }))

/** Each answer and each follow-up is told once, the newest first. */
async function checkAnswers(
  { world, random }: Noted,
  author: Agent,
  id: string,
  { answers, followUps }: { answers: readonly object[]; followUps: readonly Write[] },
): Promise<void> {
  if (answers.length > 0) {
    const updates = await readNumbered(world, random, author, `/feedback/${id}/updates`, 'updates')
    const seen = updates.map(({ version, status, response }) => ({ version, status, response }))
    const isTold = JSON.stringify(seen) === JSON.stringify(answers.toReversed())
    ensure(isTold, 'the answers to feedback are not those acknowledged', seen, answers)
  }
  if (followUps.length > 0) {
    const added = await readNumbered(world, random, author, `/feedback/${id}/followups`, 'followups')
    const isTold =
      added.map((each) => each.id).join() ===
      followUps
        .map(({ made }) => made)
        .toReversed()
        .join()
    ensure(isTold, 'the follow-ups of feedback are not those acknowledged', added, ...followUps)
  }
}

async function checkPosts({ world, random, of }: Noted): Promise<Voices['posts']> {
  await forEach(world.agents, async (agent) => {
    const made = of('post').filter(({ by }) => by.id === agent.id)
    same(await readNumbered(world, random, agent, '/posts?mine=true', 'posts'), made, 'posts')
  })
  return of('post').map(({ made, by }) => ({ id: made as string, author: by.id }))
}

async function checkProjectCases(noted: Noted): Promise<ToldProjectCase[]> {
  const { world, random, of } = noted
  const told = new Map<string, ToldProjectCase>()
  const changes = Map.groupBy(of('project case move'), ({ on }) => on?.[0]?.id)
  const drafted = new Map(of('project case').map((write) => [write.made as string, write]))
  const lists = new Map<string, string[]>()
  await forEach(world.agents, async (agent) => {
    const found = await readNumbered(world, random, agent, '/project-cases', 'project_cases')
    lists.set(
      agent.id,
      found.map(({ id }) => id),
    )
    for (const each of found) {
      const draft = drafted.get(each.id)
      ensure(draft !== undefined, 'a project case that nobody was told of', each)
      const states: ProjectCaseState[] = ['draft']
      let title = draft.body?.['title']
      for (const write of movesOf(noted, each.id, each.version, changes.get(each.id) ?? [])) {
        const { ways }: { ways: Partial<Record<ProjectCaseState, ProjectCaseState>> } =
          projectCaseMoves[write.action as ProjectCaseMove]
        const to = ways[states.at(-1) as ProjectCaseState]
        ensure(to !== undefined, 'a move of a project case that the contract does not allow', states, write)
        states.push(to)
        if (write.action === 'change') title = write.body?.['title']
      }
      const { contractor, customer } = each
      const state = states.at(-1) as ProjectCaseState
      const isPublic = state === 'published' && isThere(noted.judged, { kind: 'project_case', id: each.id })
      const isOpen = [contractor, customer].every(({ id }) => isThere(noted.judged, { kind: 'profile', id }))
      const seen = [each.state, each.title, each.order_id, contractor.id, each.public_url !== null]
      const wanted = [state, title, draft.body?.['order_id'], draft.by.id, isPublic && isOpen]
      ensure(seen.join() === wanted.join(), 'a project case is not what its moves make it', { seen, wanted }, each)
      told.set(each.id, { id: each.id, contractor: contractor.id, customer: customer.id, states })
    }
  })
  for (const [id, draft] of drafted) {
    const each = told.get(id)
    ensure(each !== undefined, 'an acknowledged project case is in no list', draft)
    for (const [agent, ids] of lists) {
      // One that is removed is its contractor's alone.
      const isCustomers = each.states.includes('proposed') && isThere(noted.judged, { kind: 'project_case', id })
      const isOwn = agent === each.contractor || (agent === each.customer && isCustomers)
      ensure(ids.filter((own) => own === id).length === Number(isOwn), 'a project case is in another list', agent, each)
    }
  }
  for (const own of Map.groupBy(of('project case'), ({ body }) => body?.['order_id']).values()) {
    const standing = own.filter(({ made }) => told.get(made as string)?.states.at(-1) !== 'withdrawn')
    ensure(standing.length <= 1, 'an order has two project cases', ...own)
  }
  return [...told.values()]
}

async function checkArticles(noted: Noted): Promise<Voices['articles']> {
  const { world, random, of } = noted
  const written = of('article')
  const changes = Map.groupBy(of('article move'), ({ on }) => on?.[0]?.id)
  const found = await readNumbered(world, random, world.author, '/editorial/articles', 'articles')
  same(found, written, 'articles')
  let publications = 0
  const articles = found.map((article) => {
    const first = written.find(({ made }) => made === article.id)?.body ?? {}
    let state: ArticleState = first['publish'] === true ? 'published' : 'draft'
    let title = first['title']
    if (state === 'published') publications += 1
    for (const write of movesOf(noted, article.id, article.version, changes.get(article.id) ?? [])) {
      const ways: Partial<Record<ArticleState, ArticleState>> = articleMoves[write.action as ArticleMove]
      const to: ArticleState | undefined = ways[state]
      ensure(to !== undefined, 'a move of an article that the contract does not allow', state, write)
      if (write.action === 'publish') publications += 1
      if (write.action === 'change') title = write.body?.['title']
      state = to
    }
    const seen = [article.state, article.title, article.public_url !== null]
    ensure(seen.join() === [state, title, state === 'published'].join(), 'an article is not its writes', seen, article)
    return { id: article.id as string, author: world.author.id, state }
  })
  ensure(publications <= mostInAWorld.publication, 'an author has published more often than it may', ...found)
  return articles
}

async function readInvitations({ world, random }: Noted): Promise<string[]> {
  const found = await readNumbered(world, random, world.author, '/editorial/invitations', 'invitations')
  ensure(found.length === 1, 'an author is not invited once', found)
  return found.map(({ id }) => id)
}
