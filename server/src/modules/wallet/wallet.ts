// The ledger: double entry, append-only. Wallets are held, and then every movement of credits is one statement that changes
// their balances and writes the lines that explain them, in the transaction of what it is for. docs/contract/wallet.md#the-ledger.
import { creditKinds } from '../../events/kinds.ts'
import { emitToAgents, type LoneEmission } from '../../events/outbox.ts'
import { before, type Limited, type Slice } from '../../kernel/lists.ts'
import { listed, type Part, part } from '../../kernel/part.ts'
import { refuse } from '../../kernel/refuse.ts'
import type { Query, Tx } from '../../store/sql.ts'
import { only } from '../../store/sql.ts'

/** 5000 credits, once a passport (docs/contract/wallet.md#grants-and-bonuses). */
export const startingGrant = 500_000
/** What its entry says. */
export const startingNote = 'Starting grant'

/** The most that a wallet holds, reserve included. */
export const maxBalance = 9_000_000_000_000_000

/** What a line is to its party. */
export const entryKinds = [
  'grant',
  'profile_bonus',
  'review_bonus',
  'reserve',
  'capture',
  'refund',
  'payout',
  'ready_share',
] as const
type EntryKind = (typeof entryKinds)[number]

type TransactionKind = 'grant' | 'profile_bonus' | 'review_bonus' | 'reserve' | 'capture' | 'refund'

/** What one party gets and gives in a transaction, in minor units; a negative number is taken away. */
interface Movement {
  party: string
  kind: EntryKind
  available?: number
  reserved?: number
}

interface Posting {
  kind: TransactionKind
  orderId?: string
  note?: string
  movements: readonly Movement[]
  /** The platform's side: what it grants is negative, what it takes is positive. */
  platform?: { account: 'grants' | 'fees'; amount: number }
}

/** A wallet that nobody else changes until this transaction ends. */
export interface Held {
  party_id: string
  available_minor: number
  reserved_minor: number
  last_sequence: number
}

/** Holds wallets (alias `w`) where this is true, one after the other in the order of their parties. */
export const hold = (tx: Tx, condition: Part): Promise<Held[]> =>
  tx<Held>`
    select w.party_id, w.available_minor, w.reserved_minor, w.last_sequence from wallets w
    where ${condition} order by w.party_id for no key update`

const holdOf = (tx: Tx, partyId: string): Promise<Held[]> => hold(tx, part`w.party_id = ${partyId}`)

/** Opens a party's wallet with the starting grant, paid by the platform's grants account, unless it was given before. */
export async function openWallet(tx: Tx, partyId: string, isGranted = true): Promise<void> {
  await tx`insert into wallets (party_id, updated_at) values (${partyId}, ${tx.now})`
  if (isGranted) await grant(tx, partyId, { kind: 'grant', amount: startingGrant, note: startingNote })
}

export interface Grant {
  kind: 'grant' | 'profile_bonus' | 'review_bonus'
  /** Minor units, positive. */
  amount: number
  note: string
  /** The reviewed order, for a review bonus. */
  orderId?: string
}

/** Pays a party from the platform's grants; refuses `state_conflict` if its wallet would hold too much. */
export async function grant(tx: Tx, partyId: string, grant: Grant): Promise<void> {
  if (!(await award(tx, partyId, grant))) walletFull()
}

/** The same for what comes along with something else: false, and nothing is paid, where the wallet would hold too much. */
export async function award(tx: Tx, partyId: string, { kind, amount, note, orderId }: Grant): Promise<boolean> {
  const credited = post(tx, await holdOf(tx, partyId), {
    kind,
    note,
    ...(orderId !== undefined && { orderId }),
    movements: [{ party: partyId, kind, available: amount }],
    platform: { account: 'grants', amount: -amount },
  })
  if (credited) emitToAgents(tx, credited)
  return credited !== undefined
}

/** Sets the full price of an order aside; refuses `insufficient_funds`. Its customer's wallet may be {@link hold held} already. */
export async function reserve(
  tx: Tx,
  orderId: string,
  customerId: string,
  total: number,
  held?: readonly Held[],
): Promise<void> {
  const movements: Movement[] = [{ party: customerId, kind: 'reserve', available: -total, reserved: total }]
  const wallets = held ?? (await holdOf(tx, customerId))
  if (!post(tx, wallets, { kind: 'reserve', orderId, movements })) refuse('insufficient_funds')
}

/** Gives the reserve of an order back, all of it; returns the events of what came, for agents. */
export async function refund(tx: Tx, orderId: string, customerId: string, total: number): Promise<LoneEmission[]> {
  const movements: Movement[] = [{ party: customerId, kind: 'refund', available: total, reserved: -total }]
  const credited = post(tx, await holdOf(tx, customerId), { kind: 'refund', orderId, movements })
  if (!credited) throw new Error('the reserve of an order is missing')
  return credited
}

export interface Payout {
  party_id: string
  kind: 'payout' | 'ready_share'
  amount_minor: number
}

interface Settlement {
  orderId: string
  customerId: string
  /** What was reserved: the payouts and the fee. */
  total: number
  fee: number
  payouts: readonly Payout[]
}

/**
 * Pays the reserve of an order out: the payouts to their parties, the fee to the platform. Their wallets may be
 * {@link hold held} already. Returns the events of what came, for agents.
 */
export async function capture(
  tx: Tx,
  { orderId, customerId, total, fee, payouts }: Settlement,
  held?: readonly Held[],
): Promise<LoneEmission[]> {
  const movements: Movement[] = [
    { party: customerId, kind: 'capture', reserved: -total },
    ...payouts.map(({ party_id, kind, amount_minor }) => ({ party: party_id, kind, available: amount_minor })),
  ]
  const platform = { account: 'fees', amount: fee } as const
  const parties = movements.map(({ party }) => party)
  const wallets = held ?? (await hold(tx, part`w.party_id = any(${parties}::uuid[])`))
  return post(tx, wallets, { kind: 'capture', orderId, movements, platform }) ?? walletFull()
}

const walletFull = (): never => refuse('state_conflict', { message: 'The wallet to be paid is full' })

/**
 * Moves credits of held wallets, each named once, and writes the lines: with the next statement, or the commit. Undefined, and
 * nothing is written, where a balance would leave its bounds. Returns the events of what came.
 */
function post(
  tx: Tx,
  held: readonly Held[],
  { kind, orderId, note, movements, platform }: Posting,
): LoneEmission[] | undefined {
  if (new Set(movements.map(({ party }) => party)).size < movements.length) throw new Error('a party is named twice')
  const changes = movements.flatMap((movement) => changeOf(tx, held, movement) ?? [])
  if (changes.length < movements.length) return undefined
  const transactionId = tx.newId()
  const granted = platform?.account === 'grants' ? -platform.amount : 0
  const entries = changes.flatMap(({ party, kind, lines, sequence, available_after, reserved_after }) =>
    lines.map(
      ({ id, account, amount }) =>
        part`(${id}, ${transactionId}, ${account}, ${party}, ${kind}, ${amount}, ${sequence}, ${available_after}, ${reserved_after})`,
    ),
  )
  if (platform && platform.amount !== 0) {
    const { account, amount } = platform
    entries.push(part`(${tx.newId()}, ${transactionId}, ${account}, null, ${kind}, ${amount}, null, null, null)`)
  }
  const moved = changes.map(
    ({ party, available, reserved }) => part`(${party}::uuid, ${available}::bigint, ${reserved}::bigint)`,
  )
  // By how much, and not to what, so that the CHECKs judge the balance that is there.
  tx.write`
    with moved as (
      update wallets w set available_minor = w.available_minor + by.available, reserved_minor = w.reserved_minor + by.reserved,
        last_sequence = w.last_sequence + 1, granted_minor = w.granted_minor + ${granted}, updated_at = ${tx.now}
      from (values ${listed(moved)}) as by (party_id, available, reserved) where w.party_id = by.party_id
    ), transaction as (
      insert into ledger_transactions (id, kind, order_id, note, created_at)
      values (${transactionId}, ${kind}, ${orderId ?? null}, ${note ?? null}, ${tx.now})
    )
    insert into ledger_entries (id, transaction_id, account, party_id, kind, amount_minor, sequence,
      available_after_minor, reserved_after_minor)
    values ${listed(entries)}`
  return changes.flatMap(({ party, kind, available, lines }) => credited(party, kind, available, lines))
}

interface Line {
  id: string
  account: 'available' | 'reserved'
  amount: number
}

/** What a movement makes of a held wallet, with its lines; undefined if a balance would leave its bounds. */
function changeOf(tx: Tx, held: readonly Held[], { party, kind, available = 0, reserved = 0 }: Movement) {
  const wallet = held.find(({ party_id }) => party_id === party)
  if (!wallet) return undefined
  const after = [wallet.available_minor + available, wallet.reserved_minor + reserved] as const
  const [available_after, reserved_after] = after
  if (Math.min(...after) < 0 || available_after + reserved_after > maxBalance) return undefined
  const both: Omit<Line, 'id'>[] = [
    { account: 'available', amount: available },
    { account: 'reserved', amount: reserved },
  ]
  const lines = both.flatMap((line): Line[] => (line.amount === 0 ? [] : [{ id: tx.newId(), ...line }]))
  return {
    party,
    kind,
    available,
    reserved,
    lines,
    sequence: wallet.last_sequence + 1,
    available_after,
    reserved_after,
  }
}

/** The event of lines that bring credits; none of others. */
function credited(to: string, kind: EntryKind, amount: number, lines: readonly Line[]): LoneEmission[] {
  const told = creditKinds.find((each) => each === kind)
  const entry = lines.find(({ account }) => account === 'available')
  if (told === undefined || amount <= 0 || !entry) return []
  const payload = { entry_id: entry.id, kind: told, amount_minor: amount }
  return [{ kind: 'wallet.credited', to, subject: entry.id, payload }]
}

export interface Wallet {
  available_minor: number
  reserved_minor: number
  /** All that the platform ever gave: grants and bonuses. */
  granted_minor: number
  updated_at: Date
}

export async function findWallet(sql: Query, partyId: string): Promise<Wallet> {
  return only(
    await sql<Wallet>`
      select available_minor, reserved_minor, granted_minor, updated_at from wallets where party_id = ${partyId}`,
  )
}

/** One change of a wallet: what it did to both balances, and what they were after it. */
export interface Entry {
  id: string
  kind: EntryKind
  amount_minor: number
  reserved_change_minor: number
  available_after_minor: number
  reserved_after_minor: number
  order_id: string | null
  note: string | null
  created_at: Date
}

/** A party's own entries, newest first; a `before` that is not one of them is `not_found`. */
export async function history(
  sql: Query,
  partyId: string,
  { before: beforeId, limit }: Limited,
): Promise<Slice<Entry>> {
  const [from] =
    beforeId === undefined
      ? [{ sequence: Number.MAX_SAFE_INTEGER }]
      : await sql<{ sequence: number }>`
          select sequence from ledger_entries where id = ${beforeId} and party_id = ${partyId}`
  if (!from) return refuse('not_found')
  // A change has a line for each balance that it moved; the first by account names it.
  const rows = await sql<Entry>`
    select (array_agg(e.id order by e.account))[1] as id, min(e.kind) as kind,
      coalesce(sum(e.amount_minor) filter (where e.account = 'available'), 0)::bigint as amount_minor,
      coalesce(sum(e.amount_minor) filter (where e.account = 'reserved'), 0)::bigint as reserved_change_minor,
      min(e.available_after_minor) as available_after_minor, min(e.reserved_after_minor) as reserved_after_minor,
      t.order_id, t.note, t.created_at
    from (
      select * from ledger_entries where party_id = ${partyId} and sequence < ${from.sequence}
      order by sequence desc, account desc limit ${2 * (limit + 1)}
    ) e join ledger_transactions t on t.id = e.transaction_id
    group by e.sequence, t.id order by e.sequence desc limit ${limit + 1}`
  return before(rows, limit)
}
