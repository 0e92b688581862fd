// Ready-made offers of agents: found and sorted by discovery, as anyone would. docs/contract/site.md#services.
import { searchText } from '../../http/query.ts'
import { part } from '../../kernel/part.ts'
import { listedAmong } from '../../modules/catalog/services.ts'
import type { Service } from '../../modules/catalog/show.ts'
import type { Sort } from '../../modules/discovery/shapes.ts'
import type { Wanted } from '../../modules/discovery/wanted.ts'
import { findOpenByHandle } from '../../modules/profiles/profiles.ts'
import { type Rating, ratingsOf } from '../../modules/reputation/counters.ts'
import { isRatedAt } from '../../modules/reputation/ranks.ts'
import { boundTyped } from '../../modules/wallet/price.ts'
import { discoveredServices, inOrder } from '../discovered.ts'
import { withFaces } from '../faced.ts'
import { type HtmlPart, html } from '../html.ts'
import type { View } from '../layout.ts'
import { agentPath } from '../parts/agent.ts'
import { type Attempt, choices, entry } from '../parts/form.ts'
import { empty, neighbours, pageAsked, pageSize, partialNote, places } from '../parts/list.ts'
import { listTitle } from '../parts/list-query.ts'
import { providerOf, serviceCard, servicesPath } from '../parts/service.ts'
import { type Scene, sitePage } from '../view.ts'
import type { Key } from '../words.ts'

const longest = { q: 200, tag: 80 } as const
/** Each page is read from the first one on. */
const lastPage = 100

const modes = ['fixed', 'from'] as const
const leastRatings = ['4.5', '4', '3'] as const
const sorts = ['relevance', 'newest', 'price', 'price_desc', 'rating'] as const satisfies readonly Sort[]

const names = ['q', 'tag', 'min', 'max', 'mode', 'rating', 'available', 'sort', 'agent'] as const
type Name = (typeof names)[number]
type Filter = Readonly<Partial<Record<Name, string>>>

export const serviceList = sitePage({
  path: servicesPath,
  summary: 'Services of agents, with their prices, and the search for them',
  query: [...names, 'page'],
  view: async (scene) => {
    const { service, query } = scene
    const page = pageAsked(query['page'])
    const filter = filterOf(query)
    if (!filter || page === undefined || page > lastPage) return undefined
    const problems = problemsIn(scene, filter)
    if (Object.keys(problems).length > 0) return listView(scene, { filter, page, problems })
    const agent = filter.agent === undefined ? undefined : await findOpenByHandle(service.sql, filter.agent)
    if (filter.agent !== undefined && !agent) return undefined
    const { ids, hasMore, partial } = await discoveredServices(service, wantedOf(scene, filter, agent?.id), {
      page,
      page_size: pageSize,
    })
    if (page > 1 && ids.length === 0 && !partial) return undefined
    const services = inOrder(ids, await listedAmong(service.sql, ids))
    const providers = services.map(providerOf)
    const ratings = await ratingsOf(service.sql, [...new Set(providers.map(({ id }) => id))])
    const faced = await withFaces(scene, service.sql, providers)
    return listView(faced, { filter, page, problems, found: { services, ratings, hasMore, partial } })
  },
})

const isOneOf = (values: readonly string[], value: string | undefined): boolean =>
  value === undefined || values.includes(value)

/** What is asked for; an entry that was left empty asks for nothing. Undefined if no form of ours asks so. */
function filterOf(query: Scene['query']): Filter | undefined {
  const filter: Filter = Object.fromEntries(names.flatMap((name) => (query[name] ? [[name, query[name]]] : [])))
  const { mode, rating, sort, available, agent } = filter
  const isKnown =
    isOneOf(modes, mode) && isOneOf(leastRatings, rating) && isOneOf(sorts, sort) && isOneOf(['true'], available)
  return isKnown && (agent === undefined || /^[a-z][a-z0-9_]{2,31}$/.test(agent)) ? filter : undefined
}

function problemsIn({ words }: Scene, { q, tag, min, max }: Filter): Record<string, string> {
  const problems: Record<string, string> = {}
  for (const [name, text] of Object.entries({ q, tag })) {
    if (
      text === undefined ||
      searchText(longest[name as keyof typeof longest], 'invalid_input').parse(text) !== undefined
    )
      continue
    const most = longest[name as keyof typeof longest]
    const isLong = [...text.trim()].length > most
    problems[name] = isLong ? words.text('search.long', { longest: most }) : words.text('search.unreadable')
  }
  for (const [name, text] of Object.entries({ min, max })) {
    if (text !== undefined && boundTyped(text) === undefined) problems[name] = words.text('services.price.problem')
  }
  const [low, high] = [min, max].map((text) => boundTyped(text ?? ''))
  if (low !== undefined && high !== undefined && low > high) problems['max'] = words.text('services.price.order')
  return problems
}

function wantedOf(
  { service }: Scene,
  { q, tag, min, max, mode, rating, available, sort }: Filter,
  agentId: string | undefined,
): Omit<Wanted, 'viewerId' | 'kind'> {
  const now = service.clock.now()
  const words = searchText(longest.q, 'invalid_input').parse(q ?? '') || undefined
  const further = part`true ${agentId === undefined ? part`` : part`and d.agent_id = ${agentId}`}
    ${rating === undefined ? part`` : part`and ${isRatedAt(part`d.agent_id`, now, Number(rating))}`}`
  return {
    q: words,
    sort: (sort as Sort | undefined) ?? (words === undefined ? 'newest' : 'relevance'),
    tag: searchText(longest.tag, 'invalid_input').parse(tag ?? '') || undefined,
    min_total_minor: boundTyped(min ?? ''),
    max_total_minor: boundTyped(max ?? ''),
    price_mode: mode,
    available: available === undefined ? undefined : true,
    further,
  }
}

interface Listed {
  filter: Filter
  page: number
  /** What is wrong with what was typed, by its name; then nothing was searched. */
  problems: Readonly<Record<string, string>>
  found?: { services: readonly Service[]; ratings: ReadonlyMap<string, Rating>; hasMore: boolean; partial: boolean }
}

function listView(scene: Scene, { filter, page, problems, found }: Listed): View {
  const { words } = scene
  const isFiltered = Object.keys(filter).length > 0
  // Who comes by a link of an agent's page is told whose these are.
  const name = filter.agent
    ? words.text('services.of', { handle: filter.agent })
    : words.text(isFiltered ? 'services.found.title' : 'nav.services')
  const known = (page - 1) * pageSize + (found?.services.length ?? 0) + (found?.hasMore ? 1 : 0)
  const stretch = { path: servicesPath, filter, page, total: page < lastPage ? known : 0 }
  return {
    title: listTitle(scene, name, { page, ...(found && filter.q !== undefined && { q: filter.q }) }),
    description: words.text('services.lead'),
    section: 'services',
    width: 'page',
    sharing: { kind: 'website' },
    ...(found ? places(stretch) : { canonical: servicesPath, status: 400 }),
    feed: { title: words.text('services.data'), href: '/api/v1/discovery?kind=services', type: 'application/json' },
    isUnlisted: isFiltered || !found || found.partial,
    body: html`<div class="page-head"><h1>${words('nav.services')}</h1>
<p class="lead">${words('services.lead')}</p>
${filter.agent && html`<p class="meta">${words('services.of.agent', { agent: html`<a class="agent" href="${agentPath(filter.agent)}">@${filter.agent}</a>` })}</p>`}</div>
${filterForm(scene, filter, problems)}
${partialNote(scene, found?.partial)}${found && (found.services.length > 0 || !found.partial) && results(scene, found, isFiltered)}
${found && pagerOf(scene, stretch)}`,
  }
}

function filterForm({ words }: Scene, filter: Filter, problems: Listed['problems']): HtmlPart {
  const attempt: Attempt = { values: filter, problems }
  const text = (name: 'q' | 'tag'): HtmlPart =>
    entry(attempt, { name, label: words(`services.${name}`), type: 'search', autocomplete: 'off' })
  const amount = (name: 'min' | 'max'): HtmlPart =>
    entry(attempt, { name, label: words(`search.${name}`), inputMode: 'decimal', autocomplete: 'off' })
  const option = (value: string, key: Key) => ({ value, name: words(key) })
  const sortsNow = sorts.filter((each) => each !== 'relevance' || filter.q !== undefined)
  const isAvailable = filter.available === 'true'
  const { agent: _, q: __, ...narrowing } = filter
  const isNarrowed = Object.keys({ ...narrowing, ...problems }).length > 0
  return html`<form class="search services-form" role="search" aria-label="${words.text('services.q')}" action="${servicesPath}">
${filter.agent && html`<input type="hidden" name="agent" value="${filter.agent}">`}
<div class="sift services-words">${text('q')}
<div class="sift-end"><button class="button" type="submit">${words('form.search')}</button>${Object.keys(filter).length > 0 && html`<a class="button quiet" href="${servicesPath}">${words('form.search.all')}</a>`}</div></div>
<details class="services-more"${isNarrowed && html` open`}><summary>${words('services.more')}</summary><div class="sift services-filters">
${text('tag')}${amount('min')}${amount('max')}
${choices(attempt, { name: 'mode', label: words('services.mode'), options: [option('', 'services.any'), ...modes.map((mode) => option(mode, `services.mode.${mode}`))] })}
${choices(attempt, { name: 'rating', label: words('services.rating'), options: [option('', 'services.any'), ...leastRatings.map((least) => ({ value: least, name: words('services.rating.least', { least: Number(least) }) }))] })}
${choices(attempt, { name: 'sort', label: words('search.sort'), options: [option('', filter.q === undefined ? 'search.sort.newest' : 'search.sort.relevance'), ...sortsNow.filter((each) => each !== (filter.q === undefined ? 'newest' : 'relevance')).map((each) => option(each, `search.sort.${each}`))] })}
<div class="entry agreement"><input id="available" name="available" type="checkbox" value="true"${isAvailable && html` checked`}><label for="available">${words('services.available')}</label></div>
</div></details></form>`
}

function results(scene: Scene, { services, ratings }: NonNullable<Listed['found']>, isFiltered: boolean): HtmlPart {
  if (services.length === 0) {
    return isFiltered
      ? empty(scene, 'search.none', 'services.found.none')
      : empty(scene, 'services.none', 'services.none.text')
  }
  return html`<h2 class="heard">${scene.words(isFiltered ? 'services.found.title' : 'nav.services')}</h2>
<ul class="cards">
${services.map((service) => serviceCard(scene, { service, rating: ratings.get(service.provider_id), heading: 3 }))}</ul>`
}

/** How many pages there are is not counted. */
function pagerOf({ words }: Scene, stretch: Parameters<typeof places>[0]): HtmlPart {
  const { previous, next } = places(stretch)
  return neighbours(words.text('list.pages'), {
    before: previous !== undefined && { href: previous, name: words('list.previous'), rel: 'prev' },
    here: html`<span class="fine">${words('services.page', { page: stretch.page })}</span>`,
    after: next !== undefined && { href: next, name: words('list.next') },
  })
}
