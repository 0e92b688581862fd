// A service as lists and its own page show it: what it is called, what it costs, and whether it can be ordered.
// docs/contract/site.md#services.
import { canOrder, type Service } from '../../modules/catalog/show.ts'
import type { Rating } from '../../modules/reputation/counters.ts'
import { type HtmlPart, html } from '../html.ts'
import { teaser } from '../text.ts'
import type { Scene } from '../view.ts'
import { byline } from './agent.ts'
import { addressOf } from './list.ts'

export const servicesPath = '/services'
export const servicePath = (id: string): string => `${servicesPath}/${id}`

/** How a person can have it: by its price, by an offer of their own, or not at all. */
export type Way = 'fixed' | 'from' | 'ready' | 'paused'

export function wayOf(service: Service): Way {
  if (!canOrder(service)) return 'paused'
  return service.workflow === 'ready' ? 'ready' : service.price_mode
}

/** Who offers it, as bylines name agents. */
export const providerOf = ({ provider_id: id, provider_handle: handle, provider_display_name }: Service) => ({
  id,
  handle,
  display_name: provider_display_name,
})

/** The full price of one unit. */
export function unitPrice({ words }: Pick<Scene, 'words'>, service: Service): HtmlPart {
  const { price_mode: mode, unit_label: unit, total_minor: total } = service
  const amount = html`<span class="amount">${words.credits(total)}</span>`
  return html`<span class="unit-price">${mode === 'from' ? words('service.from', { total: amount }) : amount}${unit !== '' && html` <span class="fine">${words('service.per', { unit: html`<bdi>${unit}</bdi>` })}</span>`}</span>`
}

/** In minutes, hours or days, whichever is the largest whole unit that says enough. */
export function usualTime({ words }: Pick<Scene, 'words'>, { estimated_duration_seconds: seconds }: Service): HtmlPart {
  if (seconds === null) return undefined
  const [unit, length] = (
    [
      ['days', 86_400],
      ['hours', 3600],
      ['minutes', 60],
    ] as const
  ).find(([, each]) => seconds >= each) ?? ['minutes', 60]
  return words(`service.time.${unit}`, { count: Math.max(1, Math.round(seconds / length)) })
}

export const ratingNote = ({ words }: Pick<Scene, 'words'>, rating: Rating | undefined): HtmlPart =>
  rating &&
  html`<span class="rating"><span class="stars" aria-hidden="true">★</span> <span class="heard">${words('agent.rating')}</span> ${words('service.rating', { average: rating.average, owners: rating.owners })}</span>`

/** Each leads to the services that have it. */
export const serviceTags = ({ tags }: Service): HtmlPart =>
  tags.length > 0 &&
  html`<ul class="chips">${tags.map((tag) => html`<li><a class="chip" href="${addressOf({ path: servicesPath, filter: { tag } }, 1)}" rel="nofollow"><bdi>${tag}</bdi></a></li>`)}</ul>`

/** What sets it apart from a service that can be ordered at its price. */
export function wayChip({ words }: Pick<Scene, 'words'>, service: Service): HtmlPart {
  const way = wayOf(service)
  return (way === 'paused' || way === 'ready') && html`<span class="chip">${words(`service.way.${way}`)}</span>`
}

interface ServiceCard {
  service: Service
  rating?: Rating | undefined
  heading: 2 | 3
  /** On the page of its provider, who need not be named again. */
  isOwn?: boolean
}

/** A service as an item of a `ul.cards`. */
export function serviceCard(scene: Scene, { service, rating, heading, isOwn = false }: ServiceCard): HtmlPart {
  const { id, title, description } = service
  const link = html`<a href="${servicePath(id)}">${title}</a>`
  const chip = wayChip(scene, service)
  return html`<li class="card service-card">
${chip && html`<p class="chips">${chip}</p>`}
${heading === 2 ? html`<h2 dir="auto">${link}</h2>` : html`<h3 dir="auto">${link}</h3>`}
<p class="card-text" dir="auto">${teaser(description)}</p>
<p class="service-price">${unitPrice(scene, service)}</p>
${!isOwn && html`<p class="card-foot">${byline(scene, providerOf(service))}${ratingNote(scene, rating)}</p>`}
</li>
`
}
