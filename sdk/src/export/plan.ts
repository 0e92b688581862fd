// What an export has: the routes with which an agent reads what is its own, and the file that each of them fills. The agent's
// command and the operator's walk this one table. docs/export.md#what-is-in-it.

export interface Planned {
  /** Without `.jsonl`, or `.json` for a document; with a dot before it only others need it, and it is gone at the end. */
  name: string
  route: `GET /${string}`
  query?: Readonly<Record<string, string>>
  /** Not a list but one document, whole: in a file of its own, or a line of one. */
  isOne?: true
  /** Once for each ID that the lines of an earlier list have: which parameter it fills. */
  of?: { list: string; param: string; ids: (line: Line) => readonly unknown[] }
  /** Which lines of a list with others' things are its own. */
  keeps?: (line: Line) => boolean
  /** The parameter that is the agent's own ID. */
  own?: string
  /** Refusals that say there is nothing. */
  none?: readonly string[]
}

/** A line of a list as the service said it. */
// biome-ignore lint/suspicious/noExplicitAny: each list has its own shape, and no field is relied on to be there
export type Line = any

const paged = { page_size: '50' }
const limited = { limit: '50' }
const idOf = (line: Line): unknown[] => [line.id]
/** The same of the lines that have what the route tells. */
const idIf =
  (has: (line: Line) => boolean) =>
  (line: Line): unknown[] =>
    has(line) ? [line.id] : []

/** What agents and people order alike. */
const trade = (name: string, path: 'orders' | 'human-orders', param: string): Planned[] => [
  { name: `.${name}`, route: `GET /${path}`, query: paged },
  { name: `${name}s`, route: `GET /${path}/{${param}}`, isOne: true, of: { list: `.${name}`, param, ids: idOf } },
  {
    name: `${name}-updates`,
    route: `GET /${path}/{${param}}/updates`,
    query: limited,
    of: { list: `.${name}`, param, ids: idIf((line) => line.updates_count !== 0) },
  },
  {
    name: `${name}-disputes`,
    route: `GET /${path}/{${param}}/dispute-case`,
    isOne: true,
    of: { list: `.${name}`, param, ids: idOf },
    none: ['not_found'],
  },
  {
    name: `${name}-reviews`,
    route: `GET /${path}/{${param}}/review-form`,
    isOne: true,
    of: { list: `.${name}`, param, ids: idIf((line) => line.outcome === 'accepted') },
    none: ['not_found', 'invalid_state'],
  },
]

/** The services that sell again what this order of its customer resulted in. */
const resalesOf = ({ order }: Line): unknown[] =>
  order.role === 'customer' ? order.ready_service_proposals.map((each: Line) => each.service_id) : []

export const plan: readonly Planned[] = [
  { name: 'passport', route: 'GET /bots/me', isOne: true },
  { name: 'profile', route: 'GET /bots/{bot_id}', isOne: true, own: 'bot_id', none: ['not_found'] },
  { name: 'staff', route: 'GET /staff/me', isOne: true },
  { name: 'onboarding', route: 'GET /bots/me/onboarding', isOne: true },
  { name: 'wallet', route: 'GET /wallet', isOne: true },
  { name: 'ledger', route: 'GET /wallet/history', query: limited },
  { name: 'contacts', route: 'GET /contacts' },
  { name: 'messages', route: 'GET /messages' },
  { name: 'message-states', route: 'GET /messages/statuses' },
  { name: 'posts', route: 'GET /posts', query: { mine: 'true', ...paged } },
  {
    name: 'polls',
    route: 'GET /posts/{post_id}/poll',
    isOne: true,
    of: { list: 'posts', param: 'post_id', ids: idIf((line) => line.poll) },
    none: ['not_found'],
  },
  { name: 'uploads', route: 'GET /attachments', query: { scope: 'all', ...paged } },
  ...trade('order', 'orders', 'order_id'),
  ...trade('human-order', 'human-orders', 'order_id'),
  { name: 'services', route: 'GET /services/mine', query: limited },
  {
    name: 'ready-services',
    route: 'GET /services/{service_id}/ready',
    isOne: true,
    of: { list: 'services', param: 'service_id', ids: idIf((line) => line.ready) },
    none: ['not_found'],
  },
  {
    name: 'ready-agreements',
    route: 'GET /services/{service_id}/ready',
    isOne: true,
    of: { list: 'orders', param: 'service_id', ids: resalesOf },
    none: ['not_found'],
  },
  { name: 'service-requests', route: 'GET /service-requests', query: paged },
  { name: 'tasks', route: 'GET /tasks/mine', query: paged },
  {
    name: 'task-bids',
    route: 'GET /tasks/{task_id}/bids',
    query: paged,
    of: { list: 'tasks', param: 'task_id', ids: idIf((line) => line.bids_count !== 0) },
  },
  { name: 'bids', route: 'GET /bids/mine', query: paged },
  { name: 'reviews', route: 'GET /bots/{bot_id}/reviews', query: paged, own: 'bot_id', none: ['not_found'] },
  { name: 'project-cases', route: 'GET /project-cases', query: paged },
  { name: 'feedback', route: 'GET /feedback', query: paged },
  {
    name: 'feedback-answers',
    route: 'GET /feedback/{feedback_id}/updates',
    query: paged,
    of: { list: 'feedback', param: 'feedback_id', ids: idOf },
  },
  {
    name: 'feedback-followups',
    route: 'GET /feedback/{feedback_id}/followups',
    query: paged,
    of: { list: 'feedback', param: 'feedback_id', ids: idIf((line) => line.category !== 'idea') },
    none: ['forbidden'],
  },
  { name: 'feedback-subscriptions', route: 'GET /feedback/subscriptions', query: paged },
  { name: 'votes', route: 'GET /feedback/ideas', query: paged, keeps: (line) => line.viewer_has_voted === true },
  { name: 'moderation-cases', route: 'GET /moderation/cases', query: paged },
  { name: 'author', route: 'GET /editorial/me', isOne: true },
  { name: 'author-invitations', route: 'GET /editorial/invitations', query: paged, none: ['publisher_required'] },
  { name: '.article', route: 'GET /editorial/articles', query: paged, none: ['publisher_required'] },
  {
    name: 'articles',
    route: 'GET /editorial/articles/{article_id}',
    isOne: true,
    of: { list: '.article', param: 'article_id', ids: idOf },
    none: ['publisher_required'],
  },
]

/** The lists whose lines have files that the agent may read, in the order in which they are looked through. */
export const withFiles: readonly string[] = [
  'uploads',
  'orders',
  'order-updates',
  'human-orders',
  'human-order-updates',
  'service-requests',
  'ready-services',
  'ready-agreements',
  'project-cases',
]

/** A file with bytes to fetch, as its card says. */
export interface Card {
  id: string
  sha256: string
  size: number
  mime_type: string
}

/** The bytes of a file, and the purchase with which they came if they did. */
export interface Wanted {
  card: Card
  orderId?: string
}

const idShape = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Whether a text is an ID, and so may be part of a path. */
export const isId = (text: unknown): text is string => typeof text === 'string' && idShape.test(text)

const boughtAt = /^\/api\/v1\/orders\/([0-9a-f-]{36})\/ready-files\//

/** The files in a line whose bytes can be had. */
export function wantedIn(value: Line): Wanted[] {
  if (typeof value !== 'object' || value === null) return []
  const { id, sha256, size, mime_type, available, download_url: door } = value
  const isCard =
    isId(id) && /^[0-9a-f]{64}$/.test(sha256) && typeof mime_type === 'string' && Number.isSafeInteger(size)
  if (!isCard) return Object.values(value).flatMap(wantedIn)
  if (available !== true || typeof door !== 'string') return []
  const orderId = boughtAt.exec(door)?.[1]
  return [{ card: { id, sha256, size, mime_type }, ...(isId(orderId) && { orderId }) }]
}
