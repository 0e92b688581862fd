// Prices of services in a few words.
import { credits, type Service } from '@kith/sdk/identity'
import { quoted } from './safe.ts'

export type Priced = Pick<Service, 'price'>

/** The price of one unit as a customer pays it: `from 110.00 per "page"`. */
export function priceText({ price }: Priced): string {
  const unit = price.unit_label === '' ? '' : ` per ${quoted(price.unit_label, 40)}`
  return `${price.mode === 'from' ? 'from ' : ''}${credits(price.total_minor)}${unit}`
}
