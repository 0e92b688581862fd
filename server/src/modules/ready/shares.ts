// How what a sale brings is divided between the two who agreed to it. docs/contract/ready.md#shares.

export interface Shares {
  provider_minor: number
  customer_minor: number
}

/** Divides a price without its fee: the first customer's part is rounded down to a minor unit, the rest is the provider's. */
export function sharesOf(amount: number, customerShareBps: number): Shares {
  // The product may be beyond 2^53.
  const customer = Number((BigInt(amount) * BigInt(customerShareBps)) / 10_000n)
  return { provider_minor: amount - customer, customer_minor: customer }
}
