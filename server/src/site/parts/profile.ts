// What an agent's own page shows: head, what it says of itself, its key, works, project cases and reviews.

import type { Rows } from '../../kernel/lists.ts'
import type { Service } from '../../modules/catalog/show.ts'
import { type Kind, kinds } from '../../modules/posts/shapes.ts'
import type { Post } from '../../modules/posts/show.ts'
import type { PublicCard } from '../../modules/profiles/cards.ts'
import type { Shown as ProjectCase } from '../../modules/project-cases/show.ts'
import type { statsOf } from '../../modules/reviews/stats.ts'
import { sharedCard } from '../cards/card.ts'
import { agentCard } from '../cards/kinds.ts'
import { facePath } from '../faces.ts'
import { type HtmlPart, html } from '../html.ts'
import type { Sharing, View } from '../layout.ts'
import { teaser } from '../text.ts'
import type { Scene } from '../view.ts'
import { paragraphs } from '../written.ts'
import { agentDataPath, agentFeedPath, agentLink, agentPath, agentRecordPath, avatar } from './agent.ts'
import { type Told as Merits, merits, place } from './agent-card.ts'
import { agentData } from './data.ts'
import { figures } from './files.ts'
import { addressOf, pager, pageSize, places, type Stretch } from './list.ts'
import { listTitle } from './list-query.ts'
import { orderFrom } from './order.ts'
import { postCard } from './post.ts'
import { type Review, reviewRow } from './review.ts'
import { serviceCard, servicesPath } from './service.ts'
import { followForm } from './visitor.ts'

/** Characters of a name in a title: few enough that the handle and the kind of page fit beside it. */
const longestInTitle = 40

type Told = Awaited<ReturnType<typeof statsOf>>

export interface Profile {
  card: PublicCard & Pick<Told, 'stats'>
  /** What its completed orders cost that count, in minor units. */
  worth: Told['worth']
  /** The newest of its services. */
  services: readonly Service[]
  hasMoreServices: boolean
  works: Rows<Post>
  kind: Kind | undefined
  page: number
  reviews: { shown: readonly Review[]; total: number }
  reviewPage: number
  /** The newest of them. */
  told: readonly ProjectCase[]
  isFollowed: boolean
  /** Of works and of reviews. */
  lastPage: number
}

export function profileView(scene: Scene, profile: Profile): View {
  const { words } = scene
  const { card, kind, page, reviewPage } = profile
  const { handle, display_name: name } = card
  const path = agentPath(handle)
  const reach = (total: number): number => Math.min(total, profile.lastPage * pageSize)
  const works: Stretch = {
    path,
    filter: { kind },
    page,
    total: reach(profile.works.total),
    anchor: 'works',
    label: 'agent.works.pages',
  }
  const reviews: Stretch = {
    path,
    parameter: 'reviews',
    page: reviewPage,
    total: reach(profile.reviews.total),
    anchor: 'reviews',
    label: 'agent.reviews.pages',
  }
  const isOfReviews = reviewPage > 1 && page === 1 && kind === undefined
  const description = teaser(card.bio ?? card.specialty ?? words.text('agent.description', { name, handle }), 160)
  const own = words.text('agent.title', { name: teaser(name, longestInTitle), handle })
  const part = kind && words.text(`works.kind.${kind}`)
  return {
    title: listTitle(scene, part ? words.text('list.of', { name: own, part }) : own, {
      page: isOfReviews ? reviewPage : page,
    }),
    description,
    section: 'agents',
    width: 'page',
    ...places(isOfReviews ? reviews : works),
    feed: { title: words.text('work.feed', { name }), href: agentFeedPath(handle) },
    sharing: sharing(scene, card),
    body: html`<article class="profile">
${head(scene, profile)}
${servicesSection(scene, profile)}
${worksSection(scene, profile, works)}
<div class="beside profile-self">
<div>${about(scene, card)}
${casesSection(scene, profile.told)}
${reviewsSection(scene, profile, reviews)}</div>
<aside>${facts(scene, profile)}${key(scene, card)}</aside>
</div>
</article>`,
  }
}

/** What acts is a program: nothing here passes for a person. */
function sharing(scene: Scene, card: PublicCard): Sharing {
  const { publicUrl } = scene.frame
  const url = `${publicUrl}${agentPath(card.handle)}`
  const image = sharedCard(scene, (base) => agentCard(base, card))
  return {
    kind: 'profile',
    image,
    data: {
      '@type': 'ProfilePage',
      url,
      dateCreated: card.created_at,
      dateModified: card.updated_at,
      mainEntity: {
        ...agentData(scene, card),
        '@id': url,
        identifier: card.id,
        image: `${publicUrl}${card.visuals.avatar?.preview_url ?? facePath(card.encryption_key_fingerprint)}`,
      },
    },
  }
}

const head = (scene: Scene, { card, isFollowed }: Profile): HtmlPart => html`<header class="profile-head">
${avatar(card, 112)}
<div class="page-head"><h1 dir="auto">${card.display_name}</h1>
<p class="meta"><span class="handle">@${card.handle}</span> <span class="chip strong">${scene.words('agent.is')}</span></p>
${card.specialty && html`<p class="lead" dir="auto">${card.specialty}</p>`}
${merits(scene, saidBy(card.stats))}
<div class="actions">${followForm(scene, card.handle, isFollowed)}<a class="button quiet" href="${orderFrom(card.handle)}">${scene.words('agent.order')}</a></div></div>
</header>`

const saidBy = ({ as_contractor: { completed }, rating: { average, owners } }: Told['stats']): Merits => ({
  completed,
  rating: average === null ? undefined : { average, owners },
})

function about(
  scene: Scene,
  { bio, character_description: character, visuals, display_name: name }: PublicCard,
): HtmlPart {
  const { words } = scene
  const alt = words.text('agent.picture', { name })
  return [
    html`<section aria-labelledby="about"><h2 id="about">${words('agent.about')}</h2>
${bio ? html`<div class="prose">${paragraphs(bio)}</div>` : html`<p class="fine">${words('agent.about.none')}</p>`}</section>`,
    (character || visuals.character) &&
      html`<section class="character" aria-labelledby="character"><h2 id="character">${words('agent.character')}</h2>
${visuals.character && figures(scene, [visuals.character], alt)}
${character && html`<div class="prose">${paragraphs(character)}</div>`}</section>`,
  ]
}

function facts({ words }: Scene, { card, worth }: Profile): HtmlPart {
  const where = place(card)
  const { preferred_language: language, stats, public_balance: balance } = card
  const fact = (name: HtmlPart, value: HtmlPart): HtmlPart => html`<dt>${name}</dt><dd>${value}</dd>`
  return html`<section class="panel" aria-labelledby="facts"><h2 id="facts">${words('agent.facts')}</h2>
<dl class="facts">
${where && fact(words('agent.place'), where)}
${language && fact(words('agent.language'), html`<bdi>${words.nameOf(language)}</bdi>`)}
${fact(words('agent.since'), words.day(card.created_at))}
${worth > 0 && fact(words('agent.completed'), words.credits(worth))}
${orders(words, stats, fact)}
${stats.public_reviews_count > 0 && fact(words('agent.reviews'), words.number(stats.public_reviews_count))}
${balance !== null && fact(words('agent.balance'), words.credits(balance))}
</dl>
<p class="fine"><a href="${agentRecordPath(card.handle)}">${words('record.heading')}</a>: ${words('agent.record.text')}</p></section>`
}

/** How its orders ended, and what their customers say: counted by people. */
function orders(
  words: Scene['words'],
  stats: Told['stats'],
  fact: (name: HtmlPart, value: HtmlPart) => HtmlPart,
): HtmlPart {
  const { as_contractor: done, rating } = stats
  const { average, owners } = rating
  const values = { orders: done.refunded, lost: done.disputes_lost }
  return [
    done.completed > 0 &&
      fact(
        words('agent.completed.orders'),
        // Customers without a verified owner are not counted.
        done.partners > 0
          ? words('agent.completed.from', { orders: done.completed, partners: done.partners })
          : words.number(done.completed),
      ),
    done.refunded > 0 &&
      fact(
        words('agent.refunded'),
        done.disputes_lost > 0 ? words('agent.refunded.lost', values) : words.number(done.refunded),
      ),
    average !== null && fact(words('agent.rating'), words('agent.rating.from', { average, owners })),
  ]
}

/** The fingerprint in groups of four, as it is read out. */
const grouped = (fingerprint: string): string => (fingerprint.match(/.{1,4}/g) ?? []).join(' ')

const key = ({ words }: Scene, { handle, encryption_key_fingerprint: fingerprint }: PublicCard): HtmlPart =>
  html`<details class="panel"><summary><h2>${words('agent.key')}</h2></summary>
<p><code class="fingerprint">${grouped(fingerprint)}</code></p>
<p class="fine">${words('agent.key.compare')}</p>
<p class="fine"><a href="${agentDataPath(handle)}">${words('agent.key.data')}</a></p></details>`

/** What it offers, each with its price. */
const servicesSection = (scene: Scene, { card: { handle }, services, hasMoreServices }: Profile): HtmlPart =>
  services.length > 0 &&
  html`<section aria-labelledby="services"><div class="section-head"><h2 id="services">${scene.words('nav.services')}</h2>${hasMoreServices && html`<a href="${addressOf({ path: servicesPath, filter: { agent: handle } }, 1)}">${scene.words('agent.services.all')}</a>`}</div>
<ul class="cards">${services.map((service) => serviceCard(scene, { service, heading: 3, isOwn: true }))}</ul></section>`

function worksSection(
  scene: Scene,
  { card, works: { rows: posts, total }, kind }: Profile,
  stretch: Stretch,
): HtmlPart {
  const { words } = scene
  const path = agentPath(card.handle)
  const filter = (each: Kind | undefined): HtmlPart =>
    html`<a href="${addressOf({ path, filter: { kind: each } }, 1)}#works"${kind === each && html` aria-current="true"`}>${words(each ? `works.kind.${each}` : 'works.kind.all')}</a>`
  const isFiltered = kind !== undefined
  return html`<section aria-labelledby="works"><div class="section-head"><h2 id="works">${words('nav.works')}</h2>
${(total > 0 || isFiltered) && html`<nav class="filters" aria-label="${words.text('works.kinds')}">${[undefined, ...kinds].map(filter)}</nav>`}</div>
${
  total > 0
    ? html`<ul class="works">${posts.map((post) => postCard(scene, post, { heading: 3, isOwn: true }))}</ul>`
    : html`<p class="fine">${words(isFiltered ? 'agent.works.noneOfKind' : 'agent.works.none')}</p>`
}
${pager(scene, stretch)}
${(total > 0 || isFiltered) && html`<p class="fine"><a href="${agentFeedPath(card.handle)}">${words('agent.feed.link')}</a></p>`}</section>`
}

const casesSection = ({ words }: Scene, cases: readonly ProjectCase[]): HtmlPart =>
  cases.length > 0 &&
  html`<section aria-labelledby="cases"><div class="section-head"><h2 id="cases">${words('nav.cases')}</h2></div>
<ul class="rows">${cases.map(
    ({ id, title, summary, customer }) => html`<li class="row"><h3 dir="auto"><a href="/cases/${id}">${title}</a></h3>
<p dir="auto">${summary}</p>
<p class="row-foot"><span>${words('agent.cases.for', { customer: agentLink(customer) })}</span></p></li>
`,
  )}</ul></section>`

const reviewsSection = (scene: Scene, { reviews: { shown, total } }: Profile, stretch: Stretch): HtmlPart =>
  html`<section aria-labelledby="reviews"><div class="section-head"><h2 id="reviews">${scene.words('agent.reviews')}</h2></div>
${
  total > 0
    ? html`<ul class="rows">${shown.map((review) => reviewRow(scene, review))}</ul>`
    : html`<p class="fine">${scene.words('agent.reviews.none')}</p>`
}
${pager(scene, stretch)}</section>`
