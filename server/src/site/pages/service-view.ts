// A service: what it is, what it costs and who does it, and the form that a person orders it with.
// docs/contract/site.md#services.
import { randomUUID } from 'node:crypto'
import { after, days, seconds } from '../../kernel/clock.ts'
import { refuse } from '../../kernel/refuse.ts'
import { findVisible } from '../../modules/catalog/services.ts'
import type { Service } from '../../modules/catalog/show.ts'
import { listedAmong } from '../../modules/posts/listing.ts'
import { type Post, show as showPosts, viewerOf } from '../../modules/posts/show.ts'
import { type PublicCard, publicCard } from '../../modules/profiles/cards.ts'
import { findOpenByHandle } from '../../modules/profiles/profiles.ts'
import { type Rating, ratingsOf } from '../../modules/reputation/counters.ts'
import { list as reviewsOf } from '../../modules/reviews/reviews.ts'
import { showReview } from '../../modules/reviews/shapes.ts'
import type { Price } from '../../modules/wallet/price.ts'
import type { Tx } from '../../store/sql.ts'
import { sharedCard } from '../cards/card.ts'
import { serviceCard } from '../cards/kinds.ts'
import { withFaces } from '../faced.ts'
import { type HtmlPart, html } from '../html.ts'
import type { Sharing, View } from '../layout.ts'
import { agentFeedPath, agentPath, byline } from '../parts/agent.ts'
import { agentData } from '../parts/data.ts'
import { type Attempt, entry, hiddenFields, problemNote, statusOf, untried } from '../parts/form.ts'
import { orderFrom } from '../parts/order.ts'
import { fileBoxes } from '../parts/order-files.ts'
import { deadlineField, filesField, mostFiles } from '../parts/order-offer.ts'
import {
  type Belongings,
  belongingsOf,
  defaultButton,
  pricePanel,
  rules,
  suspendedNote,
  worker,
} from '../parts/order-terms.ts'
import { postCard } from '../parts/post.ts'
import { type Review, reviewRow } from '../parts/review.ts'
import {
  providerOf,
  ratingNote,
  servicePath,
  servicesPath,
  serviceTags,
  unitPrice,
  usualTime,
  wayChip,
  wayOf,
} from '../parts/service.ts'
import { type GivenAnswers, keysEntry, quantityEntry, questions } from '../parts/service-form.ts'
import { isCanonicalId, teaser } from '../text.ts'
import { type CustomerScene, type Scene, signInPath } from '../view.ts'
import { paragraphs } from '../written.ts'

/** A price that was worked out, under the id of its quote. */
export type QuotedPrice = Price & { id: string }

/** What a customer typed of an order, and the result. */
export interface Ordering extends Pick<GivenAnswers, 'lists'> {
  attempt: Attempt
  /** To be agreed to. */
  quote?: QuotedPrice
  /** What there is to say of the file that has just come. */
  added?: HtmlPart
}

interface Found {
  service: Service
  card: PublicCard
  rating: Rating | undefined
  works: readonly Post[]
  reviews: { shown: readonly Review[]; total: number }
  /** Of the customer who is signed in. */
  own: Belongings | undefined
}

/** On the page; the rest is on its provider's. */
const mostReviews = 3

/** Undefined if nobody may see such a service. */
export async function serviceView(scene: Scene, ordering?: Ordering): Promise<View | undefined> {
  const { service: kith, params } = scene
  const id = params['id'] as string
  if (!isCanonicalId(id)) return undefined
  const found = await kith.sql.snapshot((tx) => read(tx, scene, id))
  return view(
    await withFaces(scene, kith.sql, [providerOf(found.service), ...found.works.map(({ author }) => author)]),
    found,
    ordering,
  )
}

async function read(tx: Tx, { service: kith, customer }: Scene, id: string): Promise<Found> {
  const service = await findVisible(tx, null, id)
  const agent = (await findOpenByHandle(tx, service.provider_handle)) ?? refuse('not_found')
  const [card, ratings, works, reviews, own] = await Promise.all([
    publicCard(tx, kith, agent),
    ratingsOf(tx, [agent.id]),
    listedAmong(tx, service.portfolio_post_ids).then((ids) => showPosts(tx, viewerOf(kith, null), ids)),
    reviewsOf(tx, tx.now, agent.id, { role: 'contractor', page: 1, page_size: mostReviews }),
    customer && belongingsOf(tx, customer.human),
  ])
  const shown = reviews.rows.map(showReview)
  return { service, card, rating: ratings.get(agent.id), works, reviews: { shown, total: reviews.total }, own }
}

function view(scene: Scene, found: Found, ordering: Ordering | undefined): View {
  const { words } = scene
  const { service, card, rating, works } = found
  const { id, title } = service
  const way = wayOf(service)
  const provider = providerOf(service)
  return {
    title: words.text('service.title', { title, name: teaser(provider.display_name, 40) }),
    description: teaser(service.description, 160),
    section: 'services',
    width: 'page',
    canonical: servicePath(id),
    feed: { title: words.text('work.feed', { name: provider.display_name }), href: agentFeedPath(provider.handle) },
    sharing: sharing(scene, found),
    ...(ordering && statusOf(ordering.attempt)),
    body: html`<div class="beside service">
<article class="article">
<header class="page-head"><p class="eyebrow"><a href="${servicesPath}">${words('nav.services')}</a></p>
<h1 dir="auto">${title}</h1>
<p class="meta">${wayChip(scene, service)}${byline(scene, provider)}${ratingNote(scene, rating)}</p>
<p class="service-price">${unitPrice(scene, service)}</p></header>
${paragraphs(service.description)}
${serviceTags(service)}
<section aria-labelledby="delivery"><h2 id="delivery">${words('service.delivery')}</h2>${paragraphs(service.delivery_description)}</section>
${way === 'fixed' && orderSection(scene, found, ordering)}
${way !== 'fixed' && ordering && problemNote(ordering.attempt)}
</article>
<aside>${offer(scene, service, ordering?.quote !== undefined)}${worker(scene, card)}${way === 'fixed' && scene.customer && rules(scene, html`<bdi>${provider.display_name}</bdi>`)}</aside></div>
${works.length > 0 && html`<section aria-labelledby="works"><div class="section-head"><h2 id="works">${words('service.works')}</h2></div><ul class="cards">${works.map((post) => postCard(scene, post, { heading: 3 }))}</ul></section>`}
${reviewsSection(scene, found)}`,
  }
}

/** What it costs, and where it is ordered, unless the price of an order waits for its customer: one button orders. */
function offer(scene: Scene, service: Service, isPriced: boolean): HtmlPart {
  const { words, customer } = scene
  const way = wayOf(service)
  const { provider_handle: handle } = service
  const time = usualTime(scene, service)
  const here = `${servicePath(service.id)}#order`
  const direct = html`<p class="actions"><a class="button${way !== 'from' && ' quiet'}" href="${orderFrom(handle)}">${words('agent.order')}</a></p>`
  return html`<section class="panel service-offer" aria-labelledby="offer"><h2 id="offer">${words('service.price')}</h2>
<p class="service-price">${unitPrice(scene, service)}</p>
<p class="fine">${words('service.price.text')}</p>
${time && html`<p class="fine">${words('service.time', { time })}</p>`}
${
  way === 'fixed'
    ? !isPriced &&
      html`<p class="actions"><a class="button" href="${customer ? '#order' : signInPath(here)}">${words(customer ? 'service.order' : 'service.signIn')}</a></p>`
    : html`<p>${words(`service.way.${way}.text`)}</p>${direct}`
}</section>`
}

/** The form; who is not signed in sees what will be asked. */
function orderSection(scene: Scene, found: Found, ordering: Ordering | undefined): HtmlPart {
  const { words, customer } = scene
  const { service, own } = found
  const form = service.input_schema
  const { attempt, lists, quote, added } = ordering ?? { attempt: fresh(scene, service), lists: {} }
  const head = html`<h2 id="order-head">${words('service.order')}</h2>`
  const asked = { form, attempt, lists, cards: own?.cards }
  if (!customer || !own) {
    return html`<section id="order" aria-labelledby="order-head">${head}
<p>${words('service.order.signIn', { a: (inner) => html`<a href="${signInPath(`${servicePath(service.id)}#order`)}">${inner}</a>` })}</p>
<fieldset class="preview" disabled><legend>${words('service.order.asked')}</legend>
${questions(scene, asked)}${typed(scene, service, attempt)}</fieldset></section>`
  }
  const filesPath = `${servicePath(service.id)}/files`
  const files = lists[filesField] ?? []
  const boxes = { cards: own.cards, files, attempt, added, filesPath, most: mostFiles, field: filesField }
  const agent = html`<bdi>${service.provider_display_name}</bdi>`
  return html`<section id="order" aria-labelledby="order-head">${head}
<p class="fine">${words('service.order.lead')}</p>
${suspendedNote(scene, own)}
<form method="post" action="${servicePath(service.id)}">${hiddenFields(scene, attempt)}<input type="hidden" name="upload_id" value="${randomUUID()}"><input type="hidden" name="quote_operation_id" value="${randomUUID()}"><input type="hidden" name="expected_version" value="${service.version}">${keysEntry(form)}
${defaultButton(scene)}
${problemNote(attempt)}
${questions(scene, asked)}
${typed(scene, service, attempt)}
${fileBoxes(scene as CustomerScene, boxes)}
${quote && html`<input type="hidden" name="service_quote_id" value="${quote.id}">${pricePanel(scene, { price: quote, wallet: own.wallet, agent })}`}
<p class="actions"><button class="button${quote && ' quiet'}" type="submit">${words(quote ? 'offer.check.again' : 'offer.check')}</button></p></form></section>`
}

/** What every service asks: how much, what else, and by when. */
const typed = (scene: Scene, { unit_label: unit, input_schema: form }: Service, attempt: Attempt): HtmlPart => {
  const { words } = scene
  const isRequired = form.fields.length === 0
  return html`${quantityEntry(scene, attempt, unit)}
${entry(attempt, { name: 'description', label: words(isRequired ? 'offer.description' : 'service.note'), hint: words(isRequired ? 'offer.description.hint' : 'service.note.hint'), rows: isRequired ? 6 : 3, isRequired })}
${entry(attempt, { name: 'deadline', label: words('offer.deadline'), hint: words('offer.deadline.hint'), type: 'datetime-local', isRequired: true })}`
}

/** Due in a week, or later where the work takes longer. A page that everyone gets names no day, and stays as it is. */
function fresh({ service: kith, customer }: Scene, { estimated_duration_seconds: usual }: Service): Attempt {
  const due = after(kith.clock.now(), Math.max(days(7), seconds(usual ?? 0) + days(2)))
  return untried({ quantity: '1', ...(customer && { deadline: deadlineField(due) }) })
}

const reviewsSection = (scene: Scene, { service, reviews: { shown, total } }: Found): HtmlPart =>
  html`<section aria-labelledby="reviews"><div class="section-head"><h2 id="reviews">${scene.words('service.reviews', { agent: html`<bdi>${service.provider_display_name}</bdi>` })}</h2>${total > shown.length && html`<a href="${agentPath(service.provider_handle)}#reviews">${scene.words('service.reviews.all', { total })}</a>`}</div>
${total > 0 ? html`<ul class="rows">${shown.map((review) => reviewRow(scene, review))}</ul>` : html`<p class="fine">${scene.words('agent.reviews.none')}</p>`}</section>`

function sharing(scene: Scene, { service, rating }: Found): Sharing {
  const { frame, words } = scene
  const { title, description, total_minor: total, price_mode: mode, unit_label: unit } = service
  const url = `${frame.publicUrl}${servicePath(service.id)}`
  const price = (total / 100).toFixed(2)
  return {
    kind: 'website',
    image: sharedCard(scene, (base) => serviceCard(base, service)),
    data: {
      '@type': 'Service',
      '@id': url,
      url,
      name: title,
      description,
      provider: {
        ...agentData(scene, providerOf(service)),
        ...(rating && {
          aggregateRating: { '@type': 'AggregateRating', ratingValue: rating.average, ratingCount: rating.owners },
        }),
      },
      offers: {
        '@type': 'Offer',
        url,
        availability: `https://schema.org/${wayOf(service) === 'paused' ? 'OutOfStock' : 'InStock'}`,
        priceSpecification: {
          '@type': 'UnitPriceSpecification',
          ...(mode === 'from' ? { minPrice: price } : { price }),
          // No money: neither here nor elsewhere.
          priceCurrency: words.text('service.currency'),
          ...(unit !== '' && { unitText: unit }),
        },
      },
    },
  }
}
