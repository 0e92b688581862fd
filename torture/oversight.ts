// The voices of a world and what moderation makes of them: feedback, posts, project cases, articles and cases, as last
// seen by someone. And the rules for their states, as data, written from docs/contract.
import type { Reply } from './client.ts'
import type { Actor, Subject, Thing } from './ledger.ts'
import { note } from './market.ts'

export type FeedbackStatus = 'received' | 'planned' | 'in_progress' | 'resolved' | 'declined'

export interface Feedback {
  id: string
  author: string
  category: 'idea' | 'problem' | 'question'
  version: number
}

export interface Post {
  id: string
  author: string
}

export type ArticleState = 'draft' | 'published' | 'withdrawn'

export interface Article {
  id: string
  author: string
  version: number
  state: ArticleState
}

export type ProjectCaseState = 'draft' | 'proposed' | 'published' | 'withdrawn'

export interface ProjectCase {
  id: string
  order: string
  contractor: string
  customer: string
  version: number
  state: ProjectCaseState
}

export type CaseStatus = 'pending' | 'approved' | 'rejected' | 'removed' | 'restored'
export type Decision = 'approve' | 'reject' | 'remove' | 'restore'

export interface ModerationCase {
  id: string
  owner: string
  subject: Subject
  version: number
  status: CaseStatus
  /** Whether its subject waits for it before it is shown. */
  waits: boolean
  isAppealed: boolean
}

/** From which state which move of a project case leads where, and whose it is; the customer has no hand in a draft. */
export const projectCaseMoves = {
  change: { by: ['contractor'], ways: { draft: 'draft', proposed: 'proposed', published: 'proposed' } },
  propose: { by: ['contractor'], ways: { draft: 'proposed' } },
  consent: { by: ['customer'], ways: { proposed: 'published' } },
  withdraw: {
    by: ['contractor', 'customer'],
    ways: { draft: 'withdrawn', proposed: 'withdrawn', published: 'withdrawn' },
  },
} as const satisfies Record<
  string,
  { by: readonly ('contractor' | 'customer')[]; ways: Partial<Record<ProjectCaseState, ProjectCaseState>> }
>

export type ProjectCaseMove = keyof typeof projectCaseMoves

export const articleMoves = {
  change: { draft: 'draft', published: 'published', withdrawn: 'withdrawn' },
  publish: { draft: 'published', withdrawn: 'published' },
  withdraw: { published: 'withdrawn' },
} as const satisfies Record<string, Partial<Record<ArticleState, ArticleState>>>

export type ArticleMove = keyof typeof articleMoves

/** Where a decision leads, and from which statuses; again on one that is appealed, it confirms. */
export const decisions: Readonly<Record<Decision, { from: readonly CaseStatus[]; to: CaseStatus; confirms?: true }>> = {
  approve: { from: ['pending'], to: 'approved' },
  reject: { from: ['pending'], to: 'rejected', confirms: true },
  remove: { from: ['pending', 'approved', 'restored'], to: 'removed', confirms: true },
  restore: { from: ['removed', 'rejected'], to: 'restored' },
}

/** What an owner may appeal against, once. */
export const appealable: readonly CaseStatus[] = ['removed', 'rejected']

/** How often an agent may do something in an hour, and an author publish in a day: more than that is not acknowledged. */
export const mostInAWorld = { 'follow-up': 5, complaint: 20, publication: 10 } as const

export interface Oversight {
  feedback: ReadonlyMap<string, Feedback>
  posts: ReadonlyMap<string, Post>
  articles: ReadonlyMap<string, Article>
  projectCases: ReadonlyMap<string, ProjectCase>
  cases: ReadonlyMap<string, ModerationCase>
  /** Sides of orders that have reviewed, or are about to. */
  reviewed: Set<string>
  /** Notes what an answer to an agent says. */
  learn(body: Reply['body'], reader: Actor): void
  /** Who may read what somebody else has changed, and where. */
  pathOf(what: { thing: Thing; id: string }): [reader: string | undefined, path: string] | undefined
}

export const subjectKey = ({ kind, id }: Subject): string => `${kind} ${id}`

/** Nothing that anybody has said yet. */
export function openOversight(): Oversight {
  const feedback = new Map<string, Feedback>()
  const posts = new Map<string, Post>()
  const articles = new Map<string, Article>()
  const projectCases = new Map<string, ProjectCase>()
  const cases = new Map<string, ModerationCase>()
  return {
    feedback,
    posts,
    articles,
    projectCases,
    cases,
    reviewed: new Set(),
    learn(body = {}, reader) {
      if (body.feedback?.id) {
        const { id, author_id: author, category, version } = body.feedback
        note(feedback, { id, author, category, version })
      }
      if (body.post) posts.set(body.post.id, { id: body.post.id, author: body.post.author.id })
      if (body.article) {
        const { id, author, version, state } = body.article
        note(articles, { id, author: author.id, version, state })
      }
      if (body.project_case) {
        const { id, order_id: order, contractor, customer, version, state } = body.project_case
        note(projectCases, { id, order, contractor: contractor.id, customer: customer.id, version, state })
      }
      for (const each of body.case ? [body.case] : (body.cases ?? [])) {
        const { id, subject, version, status, appeal } = each
        const known = cases.get(id)
        // Only its moderator is told whether the subject waits for it.
        const waits = known?.waits || typeof each.waiting_text === 'string'
        const owner: string = each.owner?.id ?? known?.owner ?? reader.id
        if ((known?.version ?? 0) > version) continue
        cases.set(id, { id, owner, subject, version, status, waits, isAppealed: appeal !== null })
      }
    },
    pathOf({ thing, id }) {
      if (thing === 'feedback') return [feedback.get(id)?.author, `/feedback/${id}`]
      if (thing === 'project_case') return [projectCases.get(id)?.contractor, `/project-cases/${id}`]
      if (thing === 'article') return [articles.get(id)?.author, `/editorial/articles/${id}`]
      if (thing === 'case') return [cases.get(id)?.owner, `/moderation/cases/${id}`]
      return undefined
    },
  }
}
