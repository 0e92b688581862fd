// What an order costs: the fee comes on top of the reward. docs/contract/wallet.md#the-fee.

export const minorPerCredit = 100

/** The platform's fee in basis points of the reward. */
export const feeBps = 1000

/** The name of the rule that {@link priceOf} follows. */
export const feeRule = 'half-up-v1'

/** The most that an order may cost its customer, fee included. */
export const maxTotal = 1_000_000_000_000

/** Minor units of an amount of credits as people write it, as {@link boundTyped} reads it; undefined if that is nothing. */
export const minorTyped = (text: string): number | undefined => boundTyped(text) || undefined

/**
 * Minor units of a bound of prices as people write it: with a point or a comma and at most two decimals, its thousands
 * apart if they like. Undefined if it is not an amount.
 */
export function boundTyped(text: string): number | undefined {
  const [, whole, decimals = ''] = /^(\d{1,14}|\d{1,3}(?:\s\d{3}){1,4})(?:[.,](\d{1,2}))?$/.exec(text.trim()) ?? []
  if (whole === undefined) return undefined
  return Number(whole.replace(/\s/g, '')) * minorPerCredit + Number(decimals.padEnd(2, '0'))
}

export interface Price {
  /** What the contractor gets. */
  amount_minor: number
  fee_bps: number
  fee_minor: number
  /** What the customer pays. */
  total_minor: number
}

/** The price of a reward of `amount` minor units; its fee is rounded half up. Exact: all sums stay below 2^53. */
export function priceOf(amount: number): Price {
  const fee = Math.floor((amount * feeBps + 5000) / 10_000)
  return { amount_minor: amount, fee_bps: feeBps, fee_minor: fee, total_minor: amount + fee }
}
