// Operators of the console: the shell makes them, lets them in by a link, and removes them. docs/operating.md#the-console.
import { secretDigest } from '../../http/cookies.ts'
import { after, minutes } from '../../kernel/clock.ts'
import { normaliseEmail } from '../../modules/identity/email.ts'
import { sha256 } from '../../secrets.ts'
import { type Entry, record } from '../../store/audit.ts'
import type { Query, Tx } from '../../store/sql.ts'
import { checkReason, OperatorError, printable } from '../operator.ts'
import { placeOfConsole } from './place.ts'
import { newSecret } from './secret.ts'

export interface Operator {
  id: string
  email: string
}

/** How long a sign-in link is good. */
const linkLifetime = minutes(10)

/** Most operators at once: each may do everything. */
const mostOperators = 100

export interface Linked {
  operator: Operator
  /** A credential: told to the shell alone, and stored as a digest. */
  link: string
  expires_at: string
  audit: Entry
}

interface Order {
  /** Who acts, as the audit log names them. */
  actor: string
  email: string
}

interface LinkOrder extends Order {
  publicUrl: string | undefined
}

/** Makes an operator, with a link for the first sign-in. */
export async function createOperator(tx: Tx, { actor, email, publicUrl }: LinkOrder): Promise<Linked> {
  const origin = placeOfConsole(publicUrl)
  const address = addressOf(email)
  const [made] = await tx<Operator>`
    insert into operators (id, email, created_at) select ${tx.newId()}, ${address}, ${tx.now}
    where (select count(*) from operators) < (select ${mostOperators}::int)
    on conflict (email) do nothing returning id, email`
  if (!made) {
    const [standing] = await tx`select 1 from operators where email = ${address}`
    throw new OperatorError(
      standing
        ? `${address} is already an operator; operator link ${address} gives a new link`
        : `Limit of ${mostOperators} operators reached`,
    )
  }
  const audit = await record(tx, { actor, action: 'operator.create', subject: address, reason: null })
  return { operator: made, ...(await newLink(tx, made, origin)), audit }
}

/** A new sign-in link for an operator; the earlier one leads nowhere from now on. */
export async function linkOperator(tx: Tx, { actor, email, publicUrl }: LinkOrder): Promise<Linked> {
  const origin = placeOfConsole(publicUrl)
  const operator = await lockByEmail(tx, email)
  const audit = await record(tx, { actor, action: 'operator.link', subject: operator.email, reason: null })
  return { operator, ...(await newLink(tx, operator, origin)), audit }
}

async function newLink(tx: Tx, { id }: Operator, origin: string): Promise<Pick<Linked, 'link' | 'expires_at'>> {
  const secret = newSecret()
  const expiresAt = after(tx.now, linkLifetime)
  await tx`
    insert into operator_links (operator_id, digest, expires_at) values (${id}, ${sha256(secret)}, ${expiresAt})
    on conflict (operator_id) do update set digest = excluded.digest, expires_at = excluded.expires_at`
  return { link: `${origin}/operator/link/${secret}`, expires_at: expiresAt.toISOString() }
}

/** Whose link a secret is, where it is good; it stays so. */
export async function findLink(sql: Query, now: Date, secret: string): Promise<Operator | undefined> {
  const digest = secretDigest(secret)
  if (!digest) return undefined
  const [found] = await sql<Operator>`
    select o.id, o.email from operator_links l join operators o on o.id = l.operator_id
    where l.digest = ${digest} and l.expires_at > ${now}`
  return found
}

/** Uses a link up: of several at once one has its operator, and the others nothing. */
export async function takeLink(tx: Tx, secret: string): Promise<Operator | undefined> {
  const digest = secretDigest(secret)
  const found = digest && (await findLink(tx, tx.now, secret))
  // The operator first, as whoever removes one does.
  if (!found || !(await lockOperator(tx, found.id))) return undefined
  const [taken] = await tx`
    delete from operator_links where operator_id = ${found.id} and digest = ${digest} and expires_at > ${tx.now}
    returning 1`
  return taken && found
}

export interface Removed {
  operator: Operator
  audit: Entry
}

/** Removes an operator: sessions, links and passkeys end with it, and the audit log keeps its name. */
export async function removeOperator(tx: Tx, { actor, email, reason }: Order & { reason: string }): Promise<Removed> {
  const why = checkReason(reason)
  const operator = await lockByEmail(tx, email)
  const { id } = operator
  await tx`delete from operator_sessions where operator_id = ${id}`
  await tx`delete from operator_links where operator_id = ${id}`
  await tx`delete from operator_passkeys where operator_id = ${id}`
  await tx`delete from operators where id = ${id}`
  const audit = await record(tx, { actor, action: 'operator.remove', subject: operator.email, reason: why })
  return { operator, audit }
}

export interface OperatorListed extends Operator {
  created_at: Date
  passkeys: number
  sessions: number
  /** When a session of its was last used; null if none lives. */
  used_at: Date | null
}

/** Who may open the console, by email. */
export const operators = (sql: Query, now: Date): Promise<OperatorListed[]> => sql<OperatorListed>`
  select o.id, o.email, o.created_at,
    (select count(*)::int from operator_passkeys p where p.operator_id = o.id) as passkeys,
    s.sessions, s.used_at
  from operators o, lateral (
    select count(*)::int as sessions, max(used_at) as used_at from operator_sessions s
    where s.operator_id = o.id and s.expires_at > ${now}) s
  order by o.email`

function addressOf(email: string): string {
  try {
    return normaliseEmail(email)
  } catch {
    throw new OperatorError(`${printable(email)} is not an email address`)
  }
}

async function lockByEmail(tx: Tx, email: string): Promise<Operator> {
  const address = addressOf(email)
  const [found] = await tx<Operator>`select id, email from operators where email = ${address} for update`
  if (!found) throw new OperatorError(`There is no operator ${address}`)
  return found
}

/** Whatever changes what an operator has comes one after another; undefined if it is removed. */
export async function lockOperator(tx: Tx, id: string): Promise<Operator | undefined> {
  const [found] = await tx<Operator>`select id, email from operators where id = ${id} for update`
  return found
}
