// One search over everything that has an ID, a handle or an address. An email finds what belongs to exactly that address, never by a
// part of it. Each search is in the audit log: who looked, for what kind of thing, and what was found; what was typed is not kept,
// for it may be anything. docs/contract/site.md#the-search.
import { earlier, minutes } from '../kernel/clock.ts'
import type { GateRules } from '../kernel/gate.ts'
import { part } from '../kernel/part.ts'
import { uuidPattern } from '../kernel/schema.ts'
import { canonicalText } from '../kernel/text.ts'
import { search as discover } from '../modules/discovery/search.ts'
import { normaliseEmail } from '../modules/identity/email.ts'
import { isOperators } from '../modules/staff/disputes.ts'
import type { Service } from '../service.ts'
import { record } from '../store/audit.ts'
import type { Query, Tx } from '../store/sql.ts'
import { type FoundAgents, findAgents, longestSearch } from './agents.ts'
import { OperatorError } from './operator.ts'

/** What can be found, in the order in which it is shown. */
const foundKinds = [
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

export interface Finding {
  kind: FoundKind
  id: string
  /** Where it is looked at: the handle of an agent, the ID of the order of a dispute or review, or of the task of a bid. */
  key: string
  state: string | null
  created_at: Date
  /** Whose it is: a handle, or without one the ID of a customer; null if it is nobody's, or an account itself. */
  owner: string | null
  owner_id: string | null
  /** The latest case by which a moderator removed it; null if it is not removed. */
  case_id: string | null
}

/** What was looked for: an address, an ID or its end, or a handle or name. */
export type Sought = 'email' | 'id' | 'name'

export interface SearchResult {
  sought: Sought
  found: Finding[]
}

/** Of each kind at an address, and of agents by name. */
const most = 20

type Parts = Pick<Service, 'sql'> & GateRules

/** A form of the console that was sent, whose twin is no other search. */
export interface SentSearch {
  operatorId: string
  operationId: string
  /** Of what was typed, under a key. */
  digest: Buffer
}

/** Finds what somebody typed, and notes that they looked, also in vain; {@link OperatorError} for what cannot be looked for. */
export async function find(service: Parts, actor: string, typed: string, sent?: SentSearch): Promise<SearchResult> {
  const text = canonicalText(typed, 'line')
  const q = 'problem' in text ? '' : named(text.value.trim())
  const result = q.length > longestSearch ? undefined : await lookFor(service, q)
  const { sought, found } = result ?? { sought: 'invalid' as const, found: [] }
  await note(service, { actor, subject: result ? subjectOf(result, q) : nothing, sought, found: found.length }, sent)
  if (!result) throw new OperatorError('Enter a whole email address, an ID, a handle or a name')
  return result
}

interface Noted {
  actor: string
  /** Whom or what somebody found. */
  subject: string
  /** `invalid` if it is neither. */
  sought: Sought | 'invalid'
  found: number
}

const nothing = 'nothing'

const note = (
  { sql }: Pick<Service, 'sql'>,
  { actor, subject, sought, found }: Noted,
  sent?: SentSearch,
): Promise<unknown> =>
  sql.transaction(async (tx) => {
    if (sent && !(await isFirst(tx, sent))) return
    await record(tx, { actor, action: 'console.search', subject, reason: null, details: { sought, found } })
  })

/** A button that is pressed twice sends the same within this time; the same sent later is looked at again. */
const twinTime = minutes(1)

const isFirst = async (tx: Tx, { operatorId, operationId, digest }: SentSearch): Promise<boolean> =>
  (
    await tx`
      insert into operator_operations as o (operator_id, operation_id, digest, created_at)
      values (${operatorId}, ${operationId}, ${digest}, ${tx.now})
      on conflict (operator_id, operation_id) do update set digest = excluded.digest, created_at = excluded.created_at
      where o.digest <> excluded.digest or o.created_at <= ${earlier(tx.now, twinTime)} returning 1`
  ).length > 0

/** Notes a search among agents, by what their list found; undefined of what cannot be looked for. */
export function noteAgents(
  service: Pick<Service, 'sql'>,
  actor: string,
  q: string,
  found: Pick<FoundAgents, 'agents' | 'total'> | undefined,
  sent?: SentSearch,
): Promise<unknown> {
  const { agents, total } = found ?? { agents: [], total: 0 }
  const sought = !found ? 'invalid' : isAddress(q) ? 'email' : 'name'
  const subject = total === 1 ? (agents[0]?.handle ?? 'several') : total === 0 ? nothing : 'several'
  return note(service, { actor, subject, sought, found: total }, sent)
}

/** Notes that somebody looked for a customer by the whole email. */
export const noteCustomer = (service: Pick<Service, 'sql'>, actor: string, id: string | undefined): Promise<unknown> =>
  note(service, { actor, subject: id ?? nothing, sought: 'email', found: id === undefined ? 0 : 1 })

/** What a pasted text is about: the thing whose page a link leads to, or the address of `Hilda <hilda@example.org>`. */
function named(text: string): string {
  const address = /<([^<>\s]+@[^<>\s]+)>$/.exec(text)?.[1]
  if (address !== undefined) return address
  const parts = /^https?:\/\//i.test(text) ? (URL.parse(text)?.pathname.split('/') ?? []) : []
  const at = parts.indexOf('agents')
  return parts.find((each) => uuidPattern.test(each)) ?? (at < 0 ? undefined : parts[at + 1]) ?? text
}

/** A handle may be written with its `@`. */
const bare = (q: string): string => q.replace(/^@/, '')
const isAddress = (q: string): boolean => bare(q).includes('@')

/** Whom or what somebody asked for exactly, where there is such a thing. */
function subjectOf({ sought, found }: SearchResult, q: string): string {
  const [first] = found
  if (!first) return nothing
  if (sought !== 'name') return first.kind === 'agent' ? first.key : first.id
  return found.find(({ key }) => key === bare(q).toLowerCase())?.key ?? 'several'
}

/** What a text finds, noted nowhere; undefined if there is nothing that it can be. */
export async function lookFor(service: Parts, q: string): Promise<SearchResult | undefined> {
  if (q === '') return undefined
  if (uuidPattern.test(q)) return { sought: 'id', found: await byId(service.sql, [q.toLowerCase()]) }
  const ended = ending.test(q) ? await byEnding(service.sql, q.toLowerCase()) : []
  if (ended.length > 0) return { sought: 'id', found: ended }
  if (!isAddress(q)) return { sought: 'name', found: await byName(service, q) }
  const email = addressIn(q)
  return email === undefined ? undefined : { sought: 'email', found: await byEmail(service.sql, email) }
}

function addressIn(q: string): string | undefined {
  try {
    return normaliseEmail(q)
  } catch {
    return undefined
  }
}

/** An ID is of one thing; but that of an agent, say, is the ID of nothing else. What is removed or deleted is found too. */
const byId = (sql: Query, ids: readonly string[]): Promise<Finding[]> => sql<Finding>`
  with found (kind, id, key, state, created_at, party_id, hidden_as) as (
    select 'agent', id, handle, case when suspended_at is null then null else 'suspended' end, created_at, null::uuid,
      'profile' from agents where id = any(${ids}::uuid[])
    union all select 'customer', id, id::text, case when closed_at is not null then 'closed'
      when suspended_at is not null then 'suspended' end, created_at, null, null from humans where id = any(${ids}::uuid[])
    union all select 'order', id, id::text, state, created_at, customer_id, null from orders where id = any(${ids}::uuid[])
    union all select 'dispute', id, order_id::text, case when ${isOperators} then status else 'settled' end, created_at, opened_by, null from dispute_cases where id = any(${ids}::uuid[])
    union all select 'case', id, id::text, status, created_at, owner_id, null from moderation_cases where id = any(${ids}::uuid[])
    union all select 'feedback', id, id::text, status, created_at, author_id, 'idea' from feedback where id = any(${ids}::uuid[])
    union all select 'work', id, id::text, case when deleted_at is null then visibility else 'deleted' end, created_at,
      author_id, 'post' from posts where id = any(${ids}::uuid[])
    union all select 'file', id, id::text, status, created_at, owner_id, 'attachment' from attachments where id = any(${ids}::uuid[])
    union all select 'service', id, id::text, state, created_at, provider_id, 'service' from services where id = any(${ids}::uuid[])
    union all select 'request', id, id::text, status, created_at, customer_id, null from service_requests where id = any(${ids}::uuid[])
    union all select 'task', id, id::text, state, created_at, customer_id, 'task' from tasks where id = any(${ids}::uuid[])
    union all select 'bid', id, task_id::text, state, created_at, bidder_id, null from bids where id = any(${ids}::uuid[])
    union all select 'review', id, order_id::text, text_status, created_at, author_id, 'review' from reviews where id = any(${ids}::uuid[])
    union all select 'article', id, id::text, state, created_at, author_id, 'article' from articles where id = any(${ids}::uuid[])
    union all select 'project_case', id, id::text, state, created_at, contractor_id, 'project_case'
      from project_cases where id = any(${ids}::uuid[])
    union all select 'email', id, id::text, kind, created_at, null, null from mails where id = any(${ids}::uuid[])
  )
  select f.kind, f.id, f.key, case when h.id is null or f.state = 'suspended' then f.state else 'removed' end as state, f.created_at,
    coalesce(a.handle, f.party_id::text) as owner, f.party_id as owner_id,
    case when h.id is not null then (
      select c.id from moderation_cases c
      where c.subject_kind = f.hidden_as and c.subject_id = f.id and c.status = 'removed' and c.measure = 'content'
      order by c.decided_at desc, c.id desc limit 1) end as case_id
  from found f left join agents a on a.id = f.party_id left join hidden h on h.kind = f.hidden_as and h.id = f.id`

/** What has an ID that can be looked for, as {@link byId} reads it. */
const kept = [
  part`agents`,
  part`humans`,
  part`orders`,
  part`dispute_cases`,
  part`moderation_cases`,
  part`feedback`,
  part`posts`,
  part`attachments`,
  part`services`,
  part`service_requests`,
  part`tasks`,
  part`bids`,
  part`reviews`,
  part`articles`,
  part`project_cases`,
  part`mails`,
]

/** How many of each are looked at for the end of an ID, the newest first. */
export const mostEndings = 10_000

/** As `kith` shows an ID at a terminal, and up to what follows its last hyphen. */
const ending = /^[0-9a-f]{8,12}$/i

async function byEnding(sql: Query, end: string): Promise<Finding[]> {
  const newest = kept
    .map(
      (table) => part`select id from (
      select id from ${table} order by id desc limit (select ${mostEndings}::int)
    ) newest where right(id::text, ${end.length}) = ${end}`,
    )
    .reduce((some, more) => part`${some} union all ${more}`)
  const rows = await sql<{ id: string }>`select id from (${newest}) ending limit (select ${most}::int)`
  return rows.length === 0
    ? []
    : byId(
        sql,
        rows.map(({ id }) => id),
      )
}

async function byEmail(sql: Query, email: string): Promise<Finding[]> {
  const found = await sql<Finding>`
    select 'customer' as kind, id, id::text as key, case when suspended_at is not null then 'suspended' end as state,
      created_at, null as owner, null as owner_id, null as case_id from humans where email = ${email}
    union all
    (select 'agent', id, handle, case when suspended_at is not null then 'suspended' end, created_at, null, null, null
      from agents where owner_email = ${email} order by handle limit ${most})
    union all
    (select 'email', id, id::text, kind, created_at, null, null, null from mails
      where recipient = ${email} order by mails.id limit ${most})`
  return found
}

/** How a handle or a name begins; then by the words that public profiles have. */
async function byName({ sql, clock, ...rules }: Parts, q: string): Promise<Finding[]> {
  const now = clock.now()
  const [begun, hits] = await Promise.all([
    findAgents(sql, { clock, ...rules }, { q, page: 1, page_size: most }),
    discover(sql, now, { viewerId: null, q, kind: 'agents', sort: 'relevance' }, { limit: most }),
  ])
  const ids = [...new Set([...(begun?.agents ?? []), ...hits.hits.slice(0, most)].map(({ id }) => id))]
  const rows = await sql<Finding>`
    select 'agent' as kind, id, handle as key, case when suspended_at is not null then 'suspended' end as state, created_at,
      null as owner, null as owner_id, null as case_id from agents where id = any(${ids}::uuid[])`
  return rows.sort((one, other) => ids.indexOf(one.id) - ids.indexOf(other.id)).slice(0, most)
}
