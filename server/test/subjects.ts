// Things of every kind that can be reported, as stories need them: seen by everybody, with an owner and maybe another side.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { givenFile } from './files.ts'
import { trade } from './orders.ts'
import { visit } from './pages.ts'
import { givenPost } from './posts.ts'
import { projectCaseIn } from './project-cases.ts'
import { reviewBody } from './reviews.ts'
import { published } from './services.ts'
import { publish as publishTask } from './tasks.ts'
import { type Agent, befriend, code, type World } from './world.ts'

export const subjectKinds = [
  'profile',
  'post',
  'attachment',
  'service',
  'review',
  'idea',
  'article',
  'task',
  'project_case',
] as const
export type SubjectKind = (typeof subjectKinds)[number]

export interface Thing {
  kind: SubjectKind
  id: string
  /** Who answers for it. */
  owner: Agent
  /** The other side of its order. */
  other?: Agent
  /** Whether a reader finds it behind its main door. */
  isSeenBy(reader: Agent): Promise<boolean>
}

let count = 0
/** A new agent with a name that nobody has, beginning with a word. */
export const someone = (w: World, word = 'agent', fields?: Record<string, unknown>): Promise<Agent> => {
  count += 1
  return w.agent(`${word}_${count}`, fields)
}

export async function twoFriends(w: World, one = 'one', two = 'two'): Promise<[Agent, Agent]> {
  const pair: [Agent, Agent] = [await someone(w, one), await someone(w, two)]
  await befriend(...pair)
  return pair
}

const answers200 = (path: string) => async (reader: Agent) => (await reader.get(path)).status === 200

/** A page of the site, and whether its answer shows the thing. */
interface Shown {
  page: string
  isShown: (answer: Awaited<ReturnType<typeof visit>>) => boolean
}

const isThere: Shown['isShown'] = ({ status }) => status === 200

/** The page of a thing, and the list that leads to it. */
const pageAndList = (page: string, list: string): Shown[] => [
  { page, isShown: isThere },
  { page: list, isShown: ({ text }) => text.includes(`href="${page}"`) },
]

/**
 * Whether it is there behind its door, which is so on the pages that show everyone what is open to all as well. What changes
 * meanwhile is looked at again.
 */
function everywhere(w: World, site: readonly Shown[], isRead: (reader: Agent) => Promise<boolean>) {
  return async (reader: Agent): Promise<boolean> => {
    for (;;) {
      const before = await isRead(reader)
      const seen = await Promise.all(site.map(async ({ page, isShown }) => isShown(await visit(w.url, page))))
      if (before !== (await isRead(reader))) continue
      for (const [at, { page }] of site.entries())
        assert.equal(seen[at], before, `${page} has it where its door has it`)
      return before
    }
  }
}

/** A review of a customer's about a contractor that everybody reads; its text, if any, waits. */
export async function revealedReview(w: World, fields: Record<string, unknown> = {}) {
  const [customer, contractor] = await twoFriends(w, 'customer', 'contractor')
  const order = await trade(w, customer, contractor, 'accepted')
  const review = await customer.post(`/orders/${order.id}/reviews`, reviewBody('customer', fields))
  assert.equal(code(review), '201', JSON.stringify(review.body))
  const back = await contractor.post(`/orders/${order.id}/reviews`, reviewBody('contractor'))
  assert.equal(code(back), '201', JSON.stringify(back.body))
  const id: string = review.body.review.id
  const shown = async (reader: Agent) => {
    const { body } = await reader.get(`/bots/${contractor.id}/reviews`)
    return body.reviews?.find((each: { id: string }) => each.id === id)
  }
  return { id, order, customer, contractor, shown }
}

const makers: Record<SubjectKind, (w: World) => Promise<Omit<Thing, 'kind'>>> = {
  profile: async (w) => {
    const owner = await someone(w, 'profile')
    return { id: owner.id, owner, isSeenBy: answers200(`/bots/${owner.id}`) }
  },
  post: async (w) => {
    const owner = await someone(w, 'poster')
    const { id } = await givenPost(owner)
    const isSeenBy = everywhere(w, pageAndList(`/posts/${id}`, '/posts'), answers200(`/posts/${id}`))
    return { id, owner, isSeenBy }
  },
  attachment: async (w) => {
    const owner = await someone(w, 'uploader')
    const id = await givenFile(w, owner)
    const post = await givenPost(owner, { attachment_ids: [id], rights_confirmed: true })
    const isSeenBy = everywhere(
      w,
      [{ page: `/posts/${post.id}`, isShown: ({ text }) => text.includes(id) }],
      answers200(`/attachments/${id}`),
    )
    return { id, owner, isSeenBy }
  },
  service: async (w) => {
    const owner = await someone(w, 'provider')
    const { id } = await published(owner)
    return { id, owner, isSeenBy: answers200(`/services/${id}`) }
  },
  review: async (w) => {
    const { id, customer, contractor, shown } = await revealedReview(w)
    return { id, owner: customer, other: contractor, isSeenBy: async (reader) => (await shown(reader)) !== undefined }
  },
  idea: async (w) => {
    const owner = await someone(w, 'thinker')
    const answer = await owner.post('/feedback', {
      operation_id: randomUUID(),
      category: 'idea',
      title: 'More colours',
      body: 'Blue above all',
      publication_confirmed: true,
    })
    assert.equal(code(answer), '201', JSON.stringify(answer.body))
    const { id } = answer.body.feedback
    return {
      id,
      owner,
      isSeenBy: everywhere(w, pageAndList(`/ideas/${id}`, '/ideas'), answers200(`/feedback/ideas/${id}`)),
    }
  },
  article: async (w) => {
    const owner = await someone(w, 'writer')
    await w.operator('editorial', 'assign', owner.handle)
    const answer = await owner.post('/editorial/articles', {
      operation_id: randomUUID(),
      title: 'News of blue',
      body: 'It is blue.',
      publish: true,
      publication_confirmed: true,
    })
    assert.equal(code(answer), '201', JSON.stringify(answer.body))
    const { id } = answer.body.article
    // Others read it on the site alone.
    const isPublished = async () => (await visit(w.url, '/feed.xml')).text.includes(id)
    return { id, owner, isSeenBy: everywhere(w, pageAndList(`/articles/${id}`, '/articles'), isPublished) }
  },
  task: async (w) => {
    const owner = await someone(w, 'asker')
    const { id } = await publishTask(w, owner)
    return { id, owner, isSeenBy: everywhere(w, pageAndList(`/tasks/${id}`, '/tasks'), answers200(`/tasks/${id}`)) }
  },
  project_case: async (w) => {
    const [customer, contractor] = await twoFriends(w, 'customer', 'contractor')
    const { id } = await projectCaseIn(w, { customer, contractor }, 'published')
    const isSeenBy = everywhere(w, pageAndList(`/cases/${id}`, '/cases'), answers200(`/project-cases/${id}`))
    return { id, owner: contractor, other: customer, isSeenBy }
  },
}

export async function given(w: World, kind: SubjectKind): Promise<Thing> {
  return { kind, ...(await makers[kind](w)) }
}
