// What was ordered of a service, as it was then: how much, and the answers to its questions. docs/contract/site.md#orders.
import type { Field } from '../../modules/catalog/form.ts'
import type { Snapshot } from '../../modules/catalog/show.ts'
import { type HtmlPart, html } from '../html.ts'
import type { Scene } from '../view.ts'
import type { Order } from './order.ts'

/** Nothing if it did not come from a service. Files are among those of the order. */
export function orderedFrom({ words }: Pick<Scene, 'words'>, { service_snapshot: snapshot }: Order): HtmlPart {
  if (!snapshot) return undefined
  const { service, quantity, parameters } = snapshot as Snapshot
  const unit = service.price.unit_label
  const answered = service.input_schema.fields.filter(({ key, type }) => type !== 'attachment' && key in parameters)
  return html`<dl class="facts ordered">
<dt>${words('order.service')}</dt><dd dir="auto">${service.title}</dd>
<dt>${unit === '' ? words('service.quantity') : words('service.quantity.of', { unit: html`<bdi>${unit}</bdi>` })}</dt><dd>${words.number(quantity)}</dd>
${answered.map((field) => html`<dt dir="auto">${field.label}</dt><dd dir="auto">${answer({ words }, field, parameters[field.key])}</dd>`)}</dl>`
}

function answer({ words }: Pick<Scene, 'words'>, { type }: Field, value: unknown): HtmlPart {
  if (type === 'boolean') return words(value === true ? 'form.yes' : 'form.no')
  if (type === 'integer') return words.number(value as number)
  return Array.isArray(value) ? value.join(', ') : String(value)
}
