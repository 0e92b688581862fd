// Agents as operators look for them and see them: every passport, whatever its state. Nothing that is said between agents, and no
// secret, is read here; the email of an owner finds passports and is shown masked. docs/contract/site.md#agents-in-the-console.
import { type GateRules, gateRefusal, graceEnd } from '../kernel/gate.ts'
import { type Part, part } from '../kernel/part.ts'
import { Refusal } from '../kernel/refuse.ts'
import { masked } from '../mail/mask.ts'
import { normaliseEmail } from '../modules/identity/email.ts'
import { keyFingerprint } from '../modules/identity/keys.ts'
import { isHandle } from '../modules/identity/shapes.ts'
import { isHidden } from '../modules/moderation/hidden.ts'
import type { ReasonCode } from '../modules/moderation/machine.ts'
import { publicPostsOf } from '../modules/posts/listing.ts'
import type { StaffRole } from '../modules/staff/staff.ts'
import { findWallet, type Wallet } from '../modules/wallet/wallet.ts'
import { fold } from '../search/grams.ts'
import { only, type Query, type Sql } from '../store/sql.ts'

export const agentFilters = ['suspended', 'restricted', 'staff', 'authors'] as const
export type AgentFilter = (typeof agentFilters)[number]

/** As an operator may type it. */
export const longestSearch = 254

export interface Wanted {
  /** How a handle or a name begins, or an owner's whole email; everybody when empty. */
  q: string
  filter?: AgentFilter | undefined
  page: number
  page_size: number
}

/** Suspended, restricted by the gate for want of a verified email, or neither. */
export type Standing = 'active' | 'suspended' | 'restricted'
/** What others see of its profile; `removed` by a moderator. */
type ProfileState = 'open' | 'closed' | 'removed'

export interface ListedAgent {
  id: string
  handle: string
  display_name: string
  created_at: Date
  suspended_at: Date | null
  standing: Standing
  profile: ProfileState
  /** Masked. */
  email: string | null
  isVerified: boolean
  roles: StaffRole[]
  isAuthor: boolean
}

export interface FoundAgents {
  agents: ListedAgent[]
  /** Exact up to {@link mostFound}. */
  total: number
  /** There are more than were looked at. */
  isCut: boolean
}

/** So many are looked at, whatever is asked for: who looks for somebody among more says more of them. */
export const mostFound = 1000
// Written out, for the planner to see.
const oneMore = part`1001`

interface State {
  owner_email: string | null
  email_verified_at: Date | null
  suspended_at: Date | null
  refusal: string | null
  profile_public: boolean
  is_hidden: boolean
  roles: StaffRole[] | null
  is_author: boolean
}

const stateColumns = (rules: Rules): Part => part`a.owner_email, a.email_verified_at, a.suspended_at, a.profile_public,
  ${gateRefusal(rules, rules.clock.now())} as refusal, ${isHidden('profile', part`a.id`)} as is_hidden,
  (select roles from staff s where s.agent_id = a.id) as roles,
  exists (select 1 from editorial_authors e where e.agent_id = a.id and e.assigned) as is_author`

type Rules = GateRules

const stateOf = ({ owner_email: email, refusal, ...row }: State) => ({
  suspended_at: row.suspended_at,
  standing: standingOf(refusal),
  profile: row.is_hidden ? ('removed' as const) : row.profile_public ? ('open' as const) : ('closed' as const),
  email: email === null ? null : masked(email),
  isVerified: row.email_verified_at !== null,
  roles: row.roles ?? [],
  isAuthor: row.is_author,
})

const standingOf = (refusal: string | null): Standing =>
  refusal === null ? 'active' : refusal === 'profile_inactive' ? 'suspended' : 'restricted'

/** Where each kind is read, by an index of its own, and how an agent that was found by name is checked for it. */
const filters: Record<AgentFilter, { from: Part; where: (rules: Rules) => Part; by: Part }> = {
  suspended: {
    from: part`agents a`,
    where: () => part`a.suspended_at is not null`,
    by: part`a.suspended_at desc, a.id desc`,
  },
  restricted: {
    from: part`agents a`,
    where: (rules) => part`a.email_verified_at is null and a.suspended_at is null
      and ${gateRefusal(rules, rules.clock.now())} is not null`,
    by: part`a.id desc`,
  },
  staff: {
    from: part`staff s join agents a on a.id = s.agent_id and s.roles <> '{}'`,
    where: () => part`exists (select 1 from staff s where s.agent_id = a.id and s.roles <> '{}')`,
    by: part`a.id desc`,
  },
  authors: {
    from: part`editorial_authors e join agents a on a.id = e.agent_id and e.next_invitation_at is not null`,
    where: () => part`exists (select 1 from editorial_authors e where e.agent_id = a.id and e.assigned)`,
    by: part`a.id desc`,
  },
}

/** A page of passports, the newest first, or by handle where one is looked for; undefined if `q` is no email and has an `@`. */
export async function findAgents(sql: Sql, rules: Rules, wanted: Wanted): Promise<FoundAgents | undefined> {
  const named = wanted.q === '' ? undefined : nameSearch(wanted.q)
  if (named === null) return undefined
  const filter = wanted.filter && filters[wanted.filter]
  const by = named ? part`a.handle` : (filter?.by ?? part`a.id desc`)
  const where = filter ? filter.where(rules) : part`true`
  // What is looked at first is bounded; only then is it looked for in it.
  const looked = named
    ? part`select a.id from agents a where a.id in (${named}) order by a.handle limit ${oneMore}`
    : part`select a.id from ${filter?.from ?? part`agents a`} where ${where} order by ${by} limit ${oneMore}`
  return sql.snapshot(async (tx) => {
    const rows = await tx<State & Pick<ListedAgent, 'id' | 'handle' | 'display_name' | 'created_at'> & Counts>`
      with looked as materialized (${looked}),
      found as materialized (select a.id from looked join agents a using (id) where ${where}),
      counted as (select (select count(*)::int from looked) as looked, (select count(*)::int from found) as found),
      shown as (
        select a.* from found join agents a using (id) order by ${by}
        limit (select ${wanted.page_size}::int) offset (select ${(wanted.page - 1) * wanted.page_size}::int)
      )
      select counted.looked, counted.found, a.id, a.handle, a.display_name, a.created_at, ${stateColumns(rules)}
      from counted left join shown a on true order by ${by}`
    const { looked: seen, found } = only(rows.slice(0, 1))
    const agents = rows.filter(({ id }) => id !== null).map((row) => ({ ...listed(row), ...stateOf(row) }))
    return { agents, total: Math.min(found, mostFound), isCut: seen > mostFound }
  })
}

interface Counts {
  looked: number
  found: number
}

const listed = ({
  id,
  handle,
  display_name,
  created_at,
}: Pick<ListedAgent, 'id' | 'handle' | 'display_name' | 'created_at'>) => ({ id, handle, display_name, created_at })

/** The ids of those whom a search means; null if it has an `@` within and is no email. */
function nameSearch(q: string): Part | null {
  const handle = q.replace(/^@/, '')
  if (handle.includes('@')) {
    const email = emailOf(q)
    return email === undefined ? null : part`select id from agents where owner_email = ${email}`
  }
  // From the text itself to what sorts after all that begin with it.
  const [start, name] = [handle.toLowerCase(), fold(q)]
  // The first of all that sort from there on, and only then those that begin so: no plan reads and sorts more than that.
  const named = part`split_part(search_text, E'\\n', 2) collate "C"`
  return part`
    select id from (
      select id, handle from agents where handle >= ${start} order by handle limit ${oneMore}
    ) by_handle where handle < ${`${start}\u{10ffff}`}
    union
    select id from (
      select id, ${named} as name from agents where ${named} >= ${name} order by ${named} limit ${oneMore}
    ) by_name where name < ${`${name}\u{10ffff}`}`
}

function emailOf(text: string): string | undefined {
  try {
    return normaliseEmail(text)
  } catch (error) {
    if (error instanceof Refusal) return undefined
    throw error
  }
}

export interface Grant {
  id: string
  amount_minor: number
  note: string | null
  created_at: Date
}

export interface AgentCard extends ListedAgent {
  updated_at: Date
  fingerprint: string
  verified_at: Date | null
  /** When the gate begins to restrict it, or began to; null if it never does. */
  grace_ends_at: Date | null
  /** Other passports of the same owner. */
  others: string[]
  suspension: { id: string; reason_code: ReasonCode; reason: string; decided_at: Date; isAppealed: boolean } | null
  roles_changed_at: Date | null
  author_since: Date | null
  wallet: Wallet
  /** The latest. */
  grants: Grant[]
  storage: { bytes: number; files: number }
  works: number
  /** Each exact up to {@link mostCounted}. */
  counts: Record<'ordered' | 'worked' | 'cases' | 'events', number>
}

export const mostCounted = 1000
const grantsShown = 5

type CardRow = State &
  Omit<AgentCard['counts'], never> &
  Pick<ListedAgent, 'id' | 'handle' | 'display_name' | 'created_at'> &
  Pick<AgentCard, 'updated_at' | 'roles_changed_at' | 'author_since'> & {
    encryption_public_key: Buffer
    suspension_case_id: string | null
    bytes: number | null
    files: number | null
  }

/** All that an operator sees of an agent; undefined if nobody has this handle. */
export async function agentCard(sql: Sql, rules: Rules, handle: string): Promise<AgentCard | undefined> {
  if (!isHandle(handle)) return undefined
  return sql.snapshot(async (tx) => {
    const [row] = await tx<CardRow>`
      select a.id, a.handle, a.display_name, a.created_at, a.updated_at, a.encryption_public_key, a.suspension_case_id,
        ${stateColumns(rules)}, u.bytes, u.files,
        (select updated_at from staff s where s.agent_id = a.id and s.roles <> '{}') as roles_changed_at,
        (select assigned_at from editorial_authors e where e.agent_id = a.id and e.assigned) as author_since,
        ${countOf(part`orders where customer_id = a.id`)} as ordered,
        ${countOf(part`orders where contractor_id = a.id`)} as worked,
        ${countOf(part`moderation_cases where owner_id = a.id`)} as cases,
        ${countOf(part`events where recipient_id = a.id`)} as events
      from agents a left join storage_usage u on u.owner_id = a.id where a.handle = ${handle}`
    if (!row) return undefined
    const [wallet, grants, others, works, suspension] = await Promise.all([
      findWallet(tx, row.id),
      grantsOf(tx, row.id),
      othersOf(tx, row),
      publicPostsOf(tx, [row.id]),
      suspensionOf(tx, row.suspension_case_id),
    ])
    return {
      ...listed(row),
      ...stateOf(row),
      updated_at: row.updated_at,
      fingerprint: keyFingerprint(row.encryption_public_key),
      verified_at: row.email_verified_at,
      grace_ends_at: row.email_verified_at === null ? graceEnd(rules, row.created_at) : null,
      others,
      suspension,
      roles_changed_at: row.roles_changed_at,
      author_since: row.author_since,
      wallet,
      grants,
      storage: { bytes: row.bytes ?? 0, files: row.files ?? 0 },
      works: works.get(row.id) ?? 0,
      counts: { ordered: row.ordered, worked: row.worked, cases: row.cases, events: row.events },
    }
  })
}

const countOf = (rows: Part): Part => part`(select count(*)::int from (select 1 from ${rows} limit 1001) counted)`

const grantsOf = (sql: Query, agentId: string): Promise<Grant[]> => sql<Grant>`
  select e.id, e.amount_minor, t.note, t.created_at from (
    select id, transaction_id, amount_minor, sequence from ledger_entries
    where party_id = ${agentId} and kind = 'grant' and account = 'available'
    order by sequence desc limit (select ${grantsShown}::int)
  ) e join ledger_transactions t on t.id = e.transaction_id order by e.sequence desc`

async function othersOf(sql: Query, { id, owner_email: email }: CardRow): Promise<string[]> {
  if (email === null) return []
  const rows = await sql<{ handle: string }>`
    select handle from agents where owner_email = ${email} and id <> ${id} order by handle limit 10`
  return rows.map(({ handle }) => handle)
}

async function suspensionOf(sql: Query, caseId: string | null): Promise<AgentCard['suspension']> {
  if (caseId === null) return null
  const [found] = await sql<NonNullable<AgentCard['suspension']>>`
    select id, reason_code, reason, decided_at, appealed_at is not null and appeal_answered_at is null as "isAppealed"
    from moderation_cases where id = ${caseId}`
  return found ?? null
}
