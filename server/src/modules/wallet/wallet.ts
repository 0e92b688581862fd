// The ledger: double entry, append-only. Every movement of credits is one statement that changes balances and writes
// the lines that explain them, in the transaction of what it is for. docs/contract/wallet.md#the-ledger.
import { creditKinds } from '../../events/kinds.ts'
import { emitToAgents, type LoneEmission } from '../../events/outbox.ts'
import { before, type Limited, type Slice } from '../../kernel/lists.ts'
import { refuse } from '../../kernel/refuse.ts'
import type { Query, Tx } from '../../store/sql.ts'
import { only } from '../../store/sql.ts'

/** 5000 credits, once a passport (docs/contract/wallet.md#grants-and-bonuses). */
export const startingGrant = 500_000

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
export type EntryKind = (typeof entryKinds)[number]

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

/** Opens a party's wallet with the starting grant, paid by the platform's grants account, unless it was given before. */
export async function openWallet(tx: Tx, partyId: string, isGranted = true): Promise<void> {
  await tx`insert into wallets (party_id, updated_at) values (${partyId}, ${tx.now})`
  if (isGranted) await grant(tx, partyId, { kind: 'grant', amount: startingGrant, note: 'Starting grant' })
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
export const award = (tx: Tx, partyId: string, { kind, amount, note, orderId }: Grant): Promise<boolean> =>
  post(tx, {
    kind,
    note,
    ...(orderId !== undefined && { orderId }),
    movements: [{ party: partyId, kind, available: amount }],
    platform: { account: 'grants', amount: -amount },
  })

/** Sets the full price of an order aside; refuses `insufficient_funds`. */
export async function reserve(tx: Tx, orderId: string, customerId: string, total: number): Promise<void> {
  const movements: Movement[] = [{ party: customerId, kind: 'reserve', available: -total, reserved: total }]
  if (!(await post(tx, { kind: 'reserve', orderId, movements }))) refuse('insufficient_funds')
}

/** Gives the reserve of an order back, all of it. */
export async function refund(tx: Tx, orderId: string, customerId: string, total: number): Promise<void> {
  const movements: Movement[] = [{ party: customerId, kind: 'refund', available: total, reserved: -total }]
  if (!(await post(tx, { kind: 'refund', orderId, movements }))) throw new Error('the reserve of an order is missing')
}

export interface Payout {
  party_id: string
  kind: 'payout' | 'ready_share'
  amount_minor: number
}

export interface Settlement {
  orderId: string
  customerId: string
  /** What was reserved: the payouts and the fee. */
  total: number
  fee: number
  payouts: readonly Payout[]
}

/** Pays the reserve of an order out: the payouts to their parties, the fee to the platform. */
export async function capture(tx: Tx, { orderId, customerId, total, fee, payouts }: Settlement): Promise<void> {
  const movements: Movement[] = [
    { party: customerId, kind: 'capture', reserved: -total },
    ...payouts.map(({ party_id, kind, amount_minor }) => ({ party: party_id, kind, available: amount_minor })),
  ]
  const platform = { account: 'fees', amount: fee } as const
  if (!(await post(tx, { kind: 'capture', orderId, movements, platform }))) walletFull()
}

const walletFull = (): never => refuse('state_conflict', { message: 'The wallet to be paid is full' })

/**
 * Moves credits and writes the lines; false, and nothing is written, where a balance would leave its bounds. Wallets are
 * locked in the order of their parties, each named once.
 */
async function post(tx: Tx, { kind, orderId, note, movements, platform }: Posting): Promise<boolean> {
  const of = <K extends 'available' | 'reserved'>(column: K): number[] => movements.map((each) => each[column] ?? 0)
  const transactionId = tx.newId()
  const fee = platform && platform.amount !== 0 ? platform : undefined
  const ids = movements.map(() => tx.newId())
  // What was held is the newest; the update's own row is that of before a wait, which its CHECKs would judge.
  const posted = await tx`
    with given as materialized (
      select * from unnest(${movements.map(({ party }) => party)}::uuid[], ${movements.map((each) => each.kind)}::text[],
        ${of('available')}::bigint[], ${of('reserved')}::bigint[], ${ids}::uuid[],
        ${movements.map(() => tx.newId())}::uuid[])
        as t (party_id, kind, available, reserved, available_id, reserved_id)
    ), held as materialized (
      select w.party_id, w.available_minor, w.reserved_minor, w.granted_minor, w.last_sequence from wallets w
      where w.party_id = any(${movements.map(({ party }) => party)}::uuid[]) order by w.party_id for no key update
    ), possible as materialized (
      select count(*) = ${movements.length} as all_are from held join given using (party_id)
      where held.available_minor + given.available between 0 and ${maxBalance}
        and held.reserved_minor + given.reserved between 0 and ${maxBalance}
        and held.available_minor + held.reserved_minor + given.available + given.reserved <= ${maxBalance}
    ), moved as (
      update wallets w set available_minor = held.available_minor + given.available,
        reserved_minor = held.reserved_minor + given.reserved, last_sequence = held.last_sequence + 1,
        granted_minor = held.granted_minor + ${platform?.account === 'grants' ? -platform.amount : 0},
        updated_at = ${tx.now}
      from given join held using (party_id), possible where w.party_id = held.party_id and possible.all_are
      returning w.party_id, given.kind, given.available, given.reserved, given.available_id, given.reserved_id,
        w.last_sequence, w.available_minor, w.reserved_minor
    ), transaction as (
      insert into ledger_transactions (id, kind, order_id, note, created_at)
      select ${transactionId}::uuid, ${kind}, ${orderId ?? null}::uuid, ${note ?? null}, ${tx.now}::timestamptz from possible where all_are
    )
    insert into ledger_entries (id, transaction_id, account, party_id, kind, amount_minor, sequence,
      available_after_minor, reserved_after_minor)
    select line.id, ${transactionId}::uuid, line.account, party_id, kind, line.amount, last_sequence, available_minor,
      reserved_minor
    from moved, lateral (values (available_id, 'available', available), (reserved_id, 'reserved', reserved))
      as line (id, account, amount)
    where line.amount <> 0
    union all
    select ${tx.newId()}::uuid, ${transactionId}::uuid, ${fee?.account ?? null}, null, ${kind}, ${fee?.amount ?? null}::bigint, null,
      null, null
    from possible where all_are and ${fee !== undefined}
    returning 1 as line`
  if (posted.length === 0) return false
  emitToAgents(
    tx,
    movements.flatMap(({ party, kind, available = 0 }, at) => credited(party, kind, available, ids[at] as string)),
  )
  return true
}

/** The event of an entry that brings credits; none of another one. */
function credited(to: string, kind: EntryKind, amount: number, entryId: string): LoneEmission[] {
  const told = creditKinds.find((each) => each === kind)
  if (told === undefined || amount <= 0) return []
  const payload = { entry_id: entryId, kind: told, amount_minor: amount }
  return [{ kind: 'wallet.credited', to, subject: entryId, payload }]
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
