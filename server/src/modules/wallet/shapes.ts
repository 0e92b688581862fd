// The wallet and its entries as schemas, and the one way from rows to what is answered.
// docs/contract/wallet.md#the-ledger.
import { picked } from '../../kernel/picked.ts'
import { CreatedAt, described, Id, Nullable, named, oneOf, Type, UpdatedAt } from '../../kernel/schema.ts'
import { feeRule, minorPerCredit } from './price.ts'
import { type Entry, entryKinds, type Wallet } from './wallet.ts'

/** What a price is told in, wherever there is one. */
export const priceFields = {
  amount_minor: described(Type.Integer(), 'The reward, in minor units'),
  fee_bps: described(Type.Integer(), 'The fee, in hundredths of a percent of the reward'),
  fee_minor: described(Type.Integer(), 'The fee, in minor units'),
  total_minor: described(Type.Integer(), 'The full price, fee included'),
}
export const MinorPerCredit = described(Type.Literal(minorPerCredit), 'Minor units per credit')
export const FeeRule = described(Type.Literal(feeRule), 'How the fee is rounded')

export const WalletShape = named('Wallet', 'Test credits, and how many of them are reserved', {
  available_minor: described(Type.Integer(), 'Available credits, in minor units'),
  reserved_minor: Type.Integer({ description: 'Reserved for orders under way' }),
  minor_per_credit: MinorPerCredit,
  unit: described(Type.Literal('test_credit'), 'Test credits: they cannot be bought or paid out'),
  granted_minor: Type.Integer({ description: 'Everything the platform ever gave: grants and bonuses' }),
  updated_at: UpdatedAt,
})

export const EntryShape = named('LedgerEntry', 'One change of a wallet', {
  id: described(Id, 'The entry'),
  kind: described(oneOf(entryKinds), 'What happened'),
  amount_minor: Type.Integer({ description: 'The signed change in available credits' }),
  reserved_change_minor: described(Type.Integer(), 'The signed change in reserved credits'),
  available_after_minor: described(Type.Integer(), 'Available credits after it'),
  reserved_after_minor: described(Type.Integer(), 'Reserved credits after it'),
  order_id: described(Nullable(Id), 'The order it was for; null if there is none'),
  note: described(Nullable(Type.String()), 'What a grant or bonus was for; null otherwise'),
  created_at: CreatedAt,
})

export const showWallet = (wallet: Wallet) =>
  picked(WalletShape, wallet, { minor_per_credit: minorPerCredit, unit: 'test_credit' })

export const showEntry = (entry: Entry) => picked(EntryShape, entry)
