// The sessions of operators: who is in the console, how it came in, and how it goes. docs/contract/site.md#the-console.
import type { SiteOperator } from '../../http/page.ts'
import { after, days, earlier, hours } from '../../kernel/clock.ts'
import { part } from '../../kernel/part.ts'
import { sha256 } from '../../secrets.ts'
import { type Entry, record } from '../../store/audit.ts'
import type { Query, Sql, Tx } from '../../store/sql.ts'
import { lockOperator, type Operator } from './accounts.ts'
import { newSecret } from './secret.ts'

/** What a session may do: after a link alone it adds a passkey, and nothing else. */
type Level = SiteOperator['level']

/** The session of a browser until now, by its digest. */
type Until = Pick<SiteOperator, 'session'>

export const sessionLifetime = hours(12)

/** Of an operator; where one more begins the oldest ends. */
const mostSessions = 20

/** As the audit log names whoever acts in the console. */
export const actorOf = ({ email }: Pick<Operator, 'email'>): string => `operator:${email}`

interface Beginning {
  operator: Operator
  level: Level
  /** By which it begins. */
  passkeyId: string | null
  /** The session of this browser until now: it ends, so that no secret from before is good for more than it was. */
  instead: Until | undefined
}

/** Begins a session of an operator that is locked; the answer is the secret of its cookie. */
export async function beginSession(tx: Tx, { operator, level, passkeyId, instead }: Beginning): Promise<string> {
  const secret = newSecret()
  if (instead) await tx`delete from operator_sessions where digest = ${instead.session.digest}`
  await tx`
    delete from operator_sessions where id in (
      select id from operator_sessions where operator_id = ${operator.id}
      order by id desc offset (select ${mostSessions - 1}::int))`
  await tx`
    insert into operator_sessions (id, digest, operator_id, level, passkey_id, created_at, used_at, expires_at)
    values (${tx.newId()}, ${sha256(secret)}, ${operator.id}, ${level}, ${passkeyId}, ${tx.now}, ${tx.now},
      ${after(tx.now, sessionLifetime)})`
  return secret
}

/** A sign-in, with its method; moving from one step to the next is not a sign-in. */
export const recordBegun = (tx: Tx, operator: Operator, details: Record<string, string>): Promise<Entry> =>
  record(tx, { actor: actorOf(operator), action: 'session.begin', subject: operator.email, reason: null, details })

/** Keeps a session in which everything is possible until the transaction ends; false if it ended at this moment. */
export async function holdSession(tx: Tx, { session }: Pick<SiteOperator, 'session'>): Promise<boolean> {
  const held = await tx`
    select 1 from operator_sessions
    where digest = ${session.digest} and level = 'passkey' and expires_at > ${tx.now} for share`
  return held.length > 0
}

export interface SessionListed {
  id: string
  digest: Buffer
  level: Level
  /** The name of the passkey that began it; null of a link, or of a passkey that is no more. */
  passkey: string | null
  created_at: Date
  used_at: Date
  expires_at: Date
}

/** The living sessions of an operator, the latest first. */
export const sessions = (sql: Query, now: Date, operatorId: string): Promise<SessionListed[]> => sql<SessionListed>`
  select s.id, s.digest, s.level, p.name as passkey, s.created_at, s.used_at, s.expires_at
  from operator_sessions s left join operator_passkeys p on p.id = s.passkey_id
  where s.operator_id = ${operatorId} and s.expires_at > ${now}
  order by s.id desc limit (select ${mostSessions}::int)`

/** Ends a session of the operator's own, by its id or its digest; undefined if it is no more. */
export async function endSession(
  tx: Tx,
  operator: Operator,
  which: { id: string } | { digest: Buffer },
): Promise<Entry | undefined> {
  if (!(await lockOperator(tx, operator.id))) return undefined
  const match = 'id' in which ? part`id = ${which.id}` : part`digest = ${which.digest}`
  const [ended] = await tx`delete from operator_sessions where ${match} and operator_id = ${operator.id} returning 1`
  if (!ended) return undefined
  return record(tx, { actor: actorOf(operator), action: 'session.end', subject: operator.email, reason: null })
}

export async function endAllSessions(tx: Tx, operator: Operator): Promise<Entry | undefined> {
  if (!(await lockOperator(tx, operator.id))) return undefined
  const ended = await tx`delete from operator_sessions where operator_id = ${operator.id} returning 1`
  if (ended.length === 0) return undefined
  const details = { sessions: ended.length }
  return record(tx, {
    actor: actorOf(operator),
    action: 'session.end_all',
    subject: operator.email,
    reason: null,
    details,
  })
}

const batch = 500

/** How long it is known that a form of the console was sent already. */
const formMemory = days(90)

/** The sweep: sessions, links, taken answers and sent forms that are over; true when there may be more. */
export async function sweepOver(sql: Sql): Promise<boolean> {
  return sql.transaction(async (tx) => {
    const swept = await Promise.all([
      tx`delete from operator_sessions where id in (
        select id from operator_sessions where expires_at <= ${tx.now}
        order by expires_at limit (select ${batch}::int) for update skip locked) returning 1`,
      tx`delete from operator_answers where challenge in (
        select challenge from operator_answers where expires_at <= ${tx.now}
        order by expires_at limit (select ${batch}::int) for update skip locked) returning 1`,
      tx`delete from operator_operations o using (
        select operator_id, operation_id from operator_operations where created_at <= ${earlier(tx.now, formMemory)}
        limit (select ${batch}::int) for update skip locked) old
        where (o.operator_id, o.operation_id) = (old.operator_id, old.operation_id) returning 1`,
      // One for each operator at most.
      tx`delete from operator_links where expires_at <= ${tx.now}`,
    ])
    return swept.some(({ length }) => length === batch)
  })
}
