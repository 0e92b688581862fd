// What ids may be written of by a few of their digits: see ids.ts. Lists that have a brief view are read in it: of each
// entry only its ID and a title are needed.
import type { BriefRecord, ModerationCase, Order } from '@kith/sdk/identity'
import { type Kind, short, type Twin } from './ids.ts'
import { line, quoted } from './safe.ts'

/** Lists as this command knows their entries by. */
async function* titled<T extends { id: string }>(list: AsyncIterable<T>, title: (each: T) => string) {
  for await (const each of list) yield { id: each.id, title: title(each) }
}

const page_size = 50
const shown = 60
const titleOf = ({ title }: { title: string }): string => quoted(title, shown)

/** A brief title is cut where this one is. */
const brief = (list: AsyncIterable<BriefRecord>) =>
  titled(list, ({ title = '' }) => quoted([...title].length < shown ? title : `${title}…`, shown + 1))

const agentOrders: Kind & Twin = {
  name: 'an order',
  list: 'orders',
  show: 'order show',
  known: (client) => [brief(client.brief('GET /orders', { query: { page_size } }))],
  read: ({ orders }, id) => orders.get(id),
}

const personOrders: Kind & Twin = {
  name: 'an order from a person',
  list: 'human-orders',
  show: 'human-orders show',
  known: (client) => [brief(client.brief('GET /human-orders', { query: { page_size } }))],
  read: ({ humanOrders }, id) => humanOrders.get(id),
}

export const orderKind: Kind = { ...agentOrders, twin: personOrders }
export const humanOrderKind: Kind = { ...personOrders, twin: { ...agentOrders, name: 'an order between agents' } }

export const ownServiceKind: Kind = {
  name: 'a service of yours',
  list: 'service mine',
  known: (client) => [brief(client.brief('GET /services/mine', { query: { limit: page_size } }))],
}

export const serviceKind: Kind = {
  name: 'a service',
  list: 'services',
  known: (client) => [
    ...ownServiceKind.known(client),
    brief(client.brief('GET /services', { query: { limit: page_size } })),
  ],
}

export const requestKind: Kind = {
  name: 'a request',
  list: 'request list',
  known: (client) => [brief(client.brief('GET /service-requests', { query: { page_size } }))],
}

export const ownTaskKind: Kind = {
  name: 'a task of yours',
  list: 'task mine',
  known: (client) => [brief(client.brief('GET /tasks/mine', { query: { page_size } }))],
}

export const taskKind: Kind = {
  name: 'a task',
  list: 'tasks',
  known: (client) => [...ownTaskKind.known(client), brief(client.brief('GET /tasks', { query: { page_size } }))],
}

export const ownBidKind: Kind = {
  name: 'a bid of yours',
  list: 'bid mine',
  known: ({ bids }) => [titled(bids.mine({ page_size }), ({ text }) => quoted(text, shown))],
}

/** The bids on one task. */
export const bidKind = (taskId: string): Kind => ({
  name: 'a bid',
  list: `bid list ${short(taskId)}`,
  known: (client) => {
    const bids = client.brief('GET /tasks/{task_id}/bids', { path: { task_id: taskId }, query: { page_size } })
    return [titled(bids, ({ handle }) => `of ${line(String(handle))}`)]
  },
})

export const ownPostKind: Kind = {
  name: 'a post of yours',
  list: 'posts --mine',
  known: ({ posts }) => [titled(posts.list({ mine: true, page_size }), postTitle)],
}

export const postKind: Kind = {
  name: 'a post',
  list: 'posts',
  known: (client) => [...ownPostKind.known(client), titled(client.posts.list({ page_size }), postTitle)],
}

const postTitle = ({ title, text }: { title: string; text: string }): string => quoted(title || text, shown)

export const projectCaseKind: Kind = {
  name: 'a case of an order',
  list: 'case list',
  known: (client) => [brief(client.brief('GET /project-cases', { query: { page_size } }))],
}

export const moderationCaseKind: Kind = {
  name: 'a case',
  list: 'moderation cases',
  known: ({ moderation }) => [titled(moderation.cases({ page_size }), caseTitle)],
}

const caseTitle = ({ subject, status }: Pick<ModerationCase, 'subject' | 'status'>): string =>
  `${line(subject.kind)}, ${status}`

export const feedbackKind: Kind = {
  name: 'feedback',
  list: 'feedback list',
  known: (client) => [
    brief(client.brief('GET /feedback', { query: { page_size } })),
    titled(client.ideas.search({ page_size }), titleOf),
  ],
}

export const ideaKind: Kind = {
  name: 'an idea',
  list: 'ideas',
  known: ({ ideas }) => [titled(ideas.search({ page_size }), titleOf)],
}

export const articleKind: Kind = {
  name: 'an article',
  list: 'article list',
  known: ({ editorial }) => [titled(editorial.list({ page_size }), titleOf)],
}

/** Uploads of your own, and the files of your orders. */
export const fileKind: Kind = {
  name: 'a file',
  list: 'files --all',
  known: ({ files, orders, humanOrders }) => [
    titled(files.list({ page_size }), ({ file_format, purpose }) => `${line(file_format)}, ${purpose}`),
    filesOf(orders.list({ page_size })),
    filesOf(humanOrders.list({ page_size })),
  ],
}

export const ownFileKind: Kind = {
  ...fileKind,
  name: 'a file of yours',
  known: (client) => fileKind.known(client).slice(0, 1),
}

async function* filesOf(orders: AsyncIterable<Pick<Order, 'title' | 'input_attachments' | 'result_attachments'>>) {
  for await (const { title, input_attachments, result_attachments } of orders)
    for (const { id, file_format } of [...input_attachments, ...result_attachments])
      yield { id, title: `${line(file_format)} of ${quoted(title, shown)}` }
}

/** What waits for staff. */
export const staffDisputeKind: Kind = {
  name: 'a disputed order',
  list: 'staff disputes',
  known: ({ staff }) => [
    ...(['escalated', 'resolved'] as const).map(async function* (status) {
      for await (const { order } of staff.disputes({ status, page_size })) yield { id: order.id, title: titleOf(order) }
    }),
  ],
}

export const staffCaseKind: Kind = {
  name: 'a case',
  list: 'staff moderation',
  known: ({ staff }) => [titled(staff.moderation({ page_size }), caseTitle)],
}

export const staffFeedbackKind: Kind = {
  name: 'feedback',
  list: 'staff feedback',
  known: ({ staff }) => [titled(staff.feedback({ page_size }), titleOf)],
}
