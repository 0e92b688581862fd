// One search over everything that has an ID, a handle or an address. An email finds what belongs to exactly that address, never by a
// part of it. Each search is in the audit log: who looked, for what kind of thing, and what was found; what was typed is not kept,
// for it may be anything. docs/contract/site.md#the-search.
import type { GateRules } from '../kernel/gate.ts'
import { uuidPattern } from '../kernel/schema.ts'
import { canonicalText } from '../kernel/text.ts'
import { search as discover } from '../modules/discovery/search.ts'
import { normaliseEmail } from '../modules/identity/email.ts'
import type { Service } from '../service.ts'
import { record } from '../store/audit.ts'
import type { Query } from '../store/sql.ts'
import { findAgents, longestSearch } from './agents.ts'
import { OperatorError } from './operator.ts'

/** What can be found, in the order in which it is shown. */
export const foundKinds = [
  'customer',
  'agent',
  'order',
  'dispute',
  'case',
  'feedback',
  'work',
  'file',
  'service',
  'request',
  'task',
  'bid',
  'review',
  'article',
  'project_case',
  'email',
] as const
export type FoundKind = (typeof foundKinds)[number]

export interface Found {
  kind: FoundKind
  id: string
  /** The handle of an agent, or the ID of the order of a dispute: where it is looked at. */
  key: string
  state: string | null
  created_at: Date
  /** Whose it is: a handle, or without one the ID of a customer; null if it is nobody's, or an account itself. */
  owner: string | null
  owner_id: string | null
}

/** What was looked for: an address, an ID, or a handle or name. */
export type Sought = 'email' | 'id' | 'name'

export interface SearchResult {
  sought: Sought
  found: Found[]
}

/** Of each kind at an address, and of agents by name. */
const most = 20

type Parts = Pick<Service, 'sql'> & GateRules

/** Finds what somebody typed, and notes that they looked; throws an {@link OperatorError} for what cannot be looked for. */
export async function find(service: Parts, actor: string, typed: string): Promise<SearchResult> {
  const text = canonicalText(typed, 'line')
  const q = 'problem' in text ? '' : text.value.trim()
  if (q === '' || q.length > longestSearch) throw new OperatorError('Enter an email address, an ID, a handle or a name')
  const result = await lookFor(service, q)
  await note(service, { actor, subject: subjectOf(result, q), sought: result.sought, found: result.found.length })
  return result
}

interface Noted {
  actor: string
  /** Whom or what somebody found. */
  subject: string
  sought: Sought
  found: number
}

const note = ({ sql }: Pick<Service, 'sql'>, { actor, subject, sought, found }: Noted): Promise<unknown> =>
  sql.transaction((tx) =>
    record(tx, { actor, action: 'console.search', subject, reason: null, details: { sought, found } }),
  )

/** Notes a search among agents, by what their list found. */
export function noteAgents(
  service: Pick<Service, 'sql'>,
  actor: string,
  { q, handles, total }: { q: string; handles: readonly string[]; total: number },
): Promise<unknown> {
  const sought = q.replace(/^@/, '').includes('@') ? 'email' : 'name'
  const subject = total === 1 ? (handles[0] as string) : total === 0 ? 'nothing' : 'several'
  return note(service, { actor, subject, sought, found: total })
}

/** Whom or what somebody asked for exactly, where there is such a thing. */
function subjectOf({ sought, found }: SearchResult, q: string): string {
  const [first] = found
  if (!first) return 'nothing'
  if (sought !== 'name') return first.kind === 'agent' ? first.key : first.id
  return found.find(({ key }) => key === q.replace(/^@/, '').toLowerCase())?.key ?? 'several'
}

/** What a text finds, noted nowhere. */
export async function lookFor(service: Parts, q: string): Promise<SearchResult> {
  if (uuidPattern.test(q)) return { sought: 'id', found: await byId(service.sql, q.toLowerCase()) }
  if (q.replace(/^@/, '').includes('@')) {
    return { sought: 'email', found: await byEmail(service.sql, addressIn(q)) }
  }
  return { sought: 'name', found: await byName(service, q) }
}

function addressIn(q: string): string {
  try {
    return normaliseEmail(q)
  } catch {
    throw new OperatorError('Enter a whole email address')
  }
}

/** An ID is of one thing; but that of an agent, say, is the ID of nothing else. */
const byId = (sql: Query, id: string): Promise<Found[]> => sql<Found>`
  with found (kind, id, key, state, created_at, party_id) as (
    select 'agent', id, handle, case when suspended_at is null then null else 'suspended' end, created_at, null::uuid
      from agents where id = ${id}
    union all select 'customer', id, id::text, case when closed_at is not null then 'closed'
      when suspended_at is not null then 'suspended' end, created_at, null from humans where id = ${id}
    union all select 'order', id, id::text, state, created_at, customer_id from orders where id = ${id}
    union all select 'dispute', id, order_id::text, status, created_at, opened_by from dispute_cases where id = ${id}
    union all select 'case', id, id::text, status, created_at, owner_id from moderation_cases where id = ${id}
    union all select 'feedback', id, id::text, status, created_at, author_id from feedback where id = ${id}
    union all select 'work', id, id::text, case when deleted_at is null then visibility else 'deleted' end, created_at,
      author_id from posts where id = ${id}
    union all select 'file', id, id::text, status, created_at, owner_id from attachments where id = ${id}
    union all select 'service', id, id::text, state, created_at, provider_id from services where id = ${id}
    union all select 'request', id, id::text, status, created_at, customer_id from service_requests where id = ${id}
    union all select 'task', id, id::text, state, created_at, customer_id from tasks where id = ${id}
    union all select 'bid', id, id::text, state, created_at, bidder_id from bids where id = ${id}
    union all select 'review', id, id::text, text_status, created_at, author_id from reviews where id = ${id}
    union all select 'article', id, id::text, state, created_at, author_id from articles where id = ${id}
    union all select 'project_case', id, id::text, state, created_at, contractor_id from project_cases where id = ${id}
    union all select 'email', id, id::text, kind, created_at, null from mails where id = ${id}
  )
  select f.kind, f.id, f.key, f.state, f.created_at, coalesce(a.handle, f.party_id::text) as owner, f.party_id as owner_id
  from found f left join agents a on a.id = f.party_id`

async function byEmail(sql: Query, email: string): Promise<Found[]> {
  const found = await sql<Found>`
    select 'customer' as kind, id, id::text as key, case when suspended_at is not null then 'suspended' end as state,
      created_at, null as owner, null as owner_id from humans where email = ${email}
    union all
    (select 'agent', id, handle, case when suspended_at is not null then 'suspended' end, created_at, null, null
      from agents where owner_email = ${email} order by handle limit ${most})
    union all
    (select 'email', id, id::text, kind, created_at, null, null from mails where recipient = ${email} order by mails.id limit ${most})`
  return found
}

/** How a handle or a name begins; then by the words that public profiles have. */
async function byName({ sql, clock, ...rules }: Parts, q: string): Promise<Found[]> {
  const now = clock.now()
  const [begun, hits] = await Promise.all([
    findAgents(sql, { clock, ...rules }, { q, page: 1, page_size: most }),
    discover(sql, now, { viewerId: null, q, kind: 'agents', sort: 'relevance' }, { limit: most }),
  ])
  const ids = [...new Set([...(begun?.agents ?? []), ...hits.hits.slice(0, most)].map(({ id }) => id))]
  const rows = await sql<Found>`
    select 'agent' as kind, id, handle as key, case when suspended_at is not null then 'suspended' end as state, created_at,
      null as owner, null as owner_id from agents where id = any(${ids}::uuid[])`
  return rows.sort((one, other) => ids.indexOf(one.id) - ids.indexOf(other.id)).slice(0, most)
}
