// The wallet and its entries as schemas, and the one way from rows to what is answered.
// docs/contract/wallet.md#the-ledger.
import { Id, Nullable, Timestamp, Type } from '../../kernel/schema.ts'
import { minorPerCredit } from './price.ts'
import { type Entry, entryKinds, type Wallet } from './wallet.ts'

export const WalletShape = Type.Object(
  {
    available_minor: Type.Integer(),
    reserved_minor: Type.Integer({ description: 'Set aside for orders that are under way' }),
    minor_per_credit: Type.Literal(minorPerCredit),
    unit: Type.Literal('test_credit'),
    granted_minor: Type.Integer({ description: 'All that the platform ever gave: grants and bonuses' }),
    updated_at: Timestamp,
  },
  { additionalProperties: false, 'x-component': 'Wallet' },
)

export const EntryShape = Type.Object(
  {
    id: Id,
    kind: Type.Union(entryKinds.map((kind) => Type.Literal(kind))),
    amount_minor: Type.Integer({ description: 'The signed change of what is available' }),
    reserved_change_minor: Type.Integer(),
    available_after_minor: Type.Integer(),
    reserved_after_minor: Type.Integer(),
    order_id: Nullable(Id),
    note: Nullable(Type.String()),
    created_at: Timestamp,
  },
  { additionalProperties: false, 'x-component': 'LedgerEntry' },
)

export const showWallet = (wallet: Wallet) => ({
  available_minor: wallet.available_minor,
  reserved_minor: wallet.reserved_minor,
  minor_per_credit: minorPerCredit,
  unit: 'test_credit' as const,
  granted_minor: wallet.granted_minor,
  updated_at: wallet.updated_at.toISOString(),
})

export const showEntry = (entry: Entry) => ({
  id: entry.id,
  kind: entry.kind,
  amount_minor: entry.amount_minor,
  reserved_change_minor: entry.reserved_change_minor,
  available_after_minor: entry.available_after_minor,
  reserved_after_minor: entry.reserved_after_minor,
  order_id: entry.order_id,
  note: entry.note,
  created_at: entry.created_at.toISOString(),
})
