// What agents say in public while everything falls, and what they ask of support: feedback with its votes, subscriptions and
// follow-ups, posts, reviews, articles, and project cases that both sides pull at.
import { sidesOf } from './acts.ts'
import { type Known, listOf } from './book.ts'
import type { Actor, Asked, Subject } from './ledger.ts'
import {
  type Article,
  type ArticleMove,
  type Feedback,
  type ProjectCase,
  type ProjectCaseMove,
  projectCaseMoves,
} from './oversight.ts'
import { agentOf, make, pick, sendAll, type Worker } from './worker.ts'

/** Of one agent in a world. */
const mostFeedback = 6
const mostPosts = 3
/** Of the author. */
const mostArticles = 6

export const voicesWeights = {
  feedback: 3,
  followUp: 3,
  vote: 8,
  subscribe: 4,
  post: 2,
  review: 5,
  projectCase: 3,
  projectCaseMove: 12,
  article: 1,
  articleMove: 5,
}

export const voicesSteps: Record<keyof typeof voicesWeights, (worker: Worker) => Promise<void>> = {
  async feedback(worker) {
    const { world, me, random } = worker
    if (feedbackOf(worker).filter(({ author }) => author === me.id).length >= mostFeedback) return
    const id = random.uuid()
    const category = random.weighted({ idea: 5, problem: 3, question: 1 })
    const body = { operation_id: id, category, title: id, body: `Better for ${world.word}` }
    const confirmed = category === 'idea' && { publication_confirmed: true }
    await make(worker, { kind: 'feedback', by: me, path: '/feedback', body: { ...body, ...confirmed } })
  },

  /** What its author adds, sometimes twice at one version. */
  async followUp(worker) {
    const { me, random } = worker
    const record = pick(
      worker,
      feedbackOf(worker).filter(({ author, category }) => author === me.id && category !== 'idea'),
    )
    if (!record) return
    await sendAll(
      worker,
      Array.from({ length: random.chance(0.3) ? 2 : 1 }, () => followUp(worker, record)),
    )
  },

  /** Of one agent, or of all at once. */
  async vote(worker) {
    const { world, me, random } = worker
    const idea = pick(
      worker,
      feedbackOf(worker).filter(({ category }) => category === 'idea'),
    )
    if (!idea) return
    const method = random.chance(0.9) ? 'PUT' : 'DELETE'
    const voters = method === 'PUT' && random.chance(0.1) ? world.agents : [me]
    await sendAll(
      worker,
      voters.map((by) => ({ ...onIdea(idea.id), kind: 'vote', method, by, path: `/feedback/ideas/${idea.id}/vote` })),
    )
  },

  async subscribe(worker) {
    const { me, random } = worker
    const idea = pick(
      worker,
      feedbackOf(worker).filter(({ category, author }) => category === 'idea' && author !== me.id),
    )
    if (!idea) return
    const method = random.chance(0.85) ? 'PUT' : 'DELETE'
    const path = `/feedback/${idea.id}/subscription`
    await make(worker, { ...onIdea(idea.id), kind: 'subscription', method, by: me, path })
  },

  async post(worker) {
    const { world, me, random } = worker
    if ([...world.oversight.posts.values()].filter(({ author }) => author === me.id).length >= mostPosts) return
    const id = random.uuid()
    const body = { operation_id: id, title: id, text: `News of ${world.word}`, visibility: 'public' }
    await make(worker, { kind: 'post', by: me, path: '/posts', body })
  },

  /** Of one side or both at once; each does so once. */
  async review(worker) {
    const { world, random } = worker
    const { reviewed } = world.oversight
    const order = pick(worker, world.orders.accepted)
    if (!order) return
    const sides = random.chance(0.5) ? ([order.customer, order.contractor] as const) : ([order.customer] as const)
    const fresh = sides.filter((side) => !reviewed.has(`${order.id} ${side}`) || random.chance(0.03))
    for (const side of fresh) reviewed.add(`${order.id} ${side}`)
    await sendAll(
      worker,
      fresh.map((side) => review(worker, order, side)),
    )
  },

  /** The story of an order, sometimes told twice at once. */
  async projectCase(worker) {
    const { world, me, random } = worker
    const told = new Set(projectCasesOf(worker).map(({ order }) => order))
    const order = pick(
      worker,
      world.orders.accepted.filter(
        ({ id, contractor }) => contractor === me.id && (!told.has(id) || random.chance(0.03)),
      ),
    )
    if (!order) return
    await sendAll(
      worker,
      Array.from({ length: random.chance(0.2) ? 2 : 1 }, () => projectCase(worker, order)),
    )
  },

  /** Moves of both sides, sometimes several at one version. */
  async projectCaseMove(worker) {
    const { random } = worker
    const standing = pick(worker, projectCasesOf(worker))
    if (!standing) return
    const likely: Record<ProjectCase['state'], Partial<Record<ProjectCaseMove, number>>> = {
      draft: { propose: 10, change: 1, withdraw: 0.2 },
      proposed: { consent: 10, change: 2, withdraw: 0.5, propose: 0.2 },
      published: { change: 1, withdraw: 0.5, consent: 0.2 },
      withdrawn: {},
    }
    const weights = likely[standing.state]
    const chosen = new Set(Array.from({ length: random.chance(0.4) ? 3 : 1 }, () => random.weighted(weights)))
    await sendAll(
      worker,
      [...chosen].map((move) => projectCaseMove(worker, standing, move)),
    )
  },

  async article(worker) {
    const { world, random } = worker
    if (world.oversight.articles.size >= mostArticles) return
    const id = random.uuid()
    const publish = random.chance(0.5) && { publish: true, publication_confirmed: true }
    const body = { operation_id: id, title: id, body: `Told in ${world.word}`, language: 'en', ...publish }
    await make(worker, { kind: 'article', by: world.author, path: '/editorial/articles', body })
  },

  /** Sometimes several moves at one version. */
  async articleMove(worker) {
    const { world, random } = worker
    const article = pick(worker, [...world.oversight.articles.values()])
    if (!article) return
    const likely: Record<Article['state'], Partial<Record<ArticleMove, number>>> = {
      draft: { publish: 8, change: 2, withdraw: 0.2 },
      published: { change: 4, withdraw: 3, publish: 0.2 },
      withdrawn: { publish: 6, change: 1 },
    }
    const chosen = new Set(
      Array.from({ length: random.chance(0.3) ? 3 : 1 }, () => random.weighted(likely[article.state])),
    )
    await sendAll(
      worker,
      [...chosen].map((move) => articleMove(worker, article, move)),
    )
  },
}

const feedbackOf = ({ world }: Worker): Feedback[] => [...world.oversight.feedback.values()]

const projectCasesOf = ({ world }: Worker): ProjectCase[] =>
  [...world.oversight.projectCases.values()].filter(({ state }) => state !== 'withdrawn')

/** What a write says that asks nothing of an idea but its id. */
const onIdea = (id: string): { body: undefined; subject: Subject } => ({
  body: undefined,
  subject: { kind: 'idea', id },
})

function followUp({ me, random }: Worker, { id, version }: Feedback): Asked {
  const text = random.uuid()
  const body = { operation_id: text, expected_version: version, body: text }
  const on = [{ thing: 'feedback', id, version }] as const
  return { kind: 'follow-up', by: me, path: `/feedback/${id}/followups`, body, on }
}

const criteria = {
  customer: { quality: 5, timeliness: 4, communication: 3 },
  contractor: { brief_clarity: 5, cooperation: 4, acceptance: 3 },
}

/** A customer's has a text, which waits for a moderator. */
export function review({ world, random }: Worker<Actor>, order: Known, side: string): Asked {
  const id = random.uuid()
  const isCustomer = side === order.customer
  const body = {
    operation_id: id,
    rating: random.integer(1, 5),
    recommend: random.chance(0.7),
    criteria: criteria[isCustomer ? 'customer' : 'contractor'],
    publication_confirmed: true,
    ...(isCustomer && random.chance(0.8) && { text: id }),
  }
  const by = sidesOf(world, order).find(({ id }) => id === side) as Actor
  return { kind: 'review', by, path: `${listOf(order, by, world.people.known)}/${order.id}/reviews`, body }
}

function projectCase({ world, me, random }: Worker, order: Known): Asked {
  const title = random.uuid()
  const body = { operation_id: title, order_id: order.id, title, summary: `Done in ${world.word}`, result: 'Whole' }
  return { kind: 'project case', by: me, path: '/project-cases', body }
}

function projectCaseMove({ world, random }: Worker, standing: ProjectCase, action: ProjectCaseMove): Asked {
  const { id, version, state } = standing
  const sides = state === 'draft' ? (['contractor'] as const) : projectCaseMoves[action].by
  const by = agentOf(world, standing[random.pick<'contractor' | 'customer'>(sides)])
  const operationId = random.uuid()
  const reader = by.id === standing.contractor ? {} : { contractor: agentOf(world, standing.contractor) }
  const asked = {
    kind: 'project case move',
    by,
    action,
    on: [{ thing: 'project_case', id, version }],
    ...reader,
  } as const
  const body = { operation_id: operationId, expected_version: version }
  const path = `/project-cases/${id}`
  if (action !== 'change') return { ...asked, path: `${path}/${action}`, body }
  return { ...asked, method: 'PATCH', path, body: { ...body, title: operationId } }
}

function articleMove({ world, random }: Worker, { id, version }: Article, action: ArticleMove): Asked {
  const operationId = random.uuid()
  const asked = { kind: 'article move', by: world.author, action, on: [{ thing: 'article', id, version }] } as const
  const body = { operation_id: operationId, expected_version: version }
  const path = `/editorial/articles/${id}`
  if (action === 'withdraw') return { ...asked, path: `${path}/withdraw`, body }
  const confirmed = { ...body, publication_confirmed: true }
  if (action === 'publish') return { ...asked, path: `${path}/publish`, body: confirmed }
  return { ...asked, method: 'PATCH', path, body: { ...confirmed, title: operationId } }
}
