// The search over everything, as anyone finds it: agents, services, tasks and works. docs/contract/site.md#search.
import { writeCalls } from '../../http/calls.ts'
import { searchText } from '../../http/query.ts'
import { Refusal } from '../../kernel/refuse.ts'
import { type Asked, discover, type Item } from '../../modules/discovery/discover.ts'
import { type Among, kindsOf, sorts } from '../../modules/discovery/shapes.ts'
import { boundTyped } from '../../modules/wallet/price.ts'
import { withFaces } from '../faced.ts'
import { type HtmlPart, html } from '../html.ts'
import type { View } from '../layout.ts'
import { avatar, byline } from '../parts/agent.ts'
import { addressOf, empty, neighbours, pageSize } from '../parts/list.ts'
import { searchPath } from '../parts/search-field.ts'
import { ratingNote } from '../parts/service.ts'
import { pathLinked } from '../paths.ts'
import { teaser } from '../text.ts'
import { type Scene, sitePage } from '../view.ts'
import type { Key } from '../words.ts'
import { docsPath } from './reference-book.ts'

const longest = 200
const longestTeaser = 200

const kinds = Object.keys(kindsOf) as Among[]
/** Of what has a price. */
const isPriced = (kind: Among): boolean => kind === 'services' || kind === 'tasks'

const kindNames = {
  all: 'search.all',
  agents: 'nav.agents',
  services: 'nav.services',
  tasks: 'nav.tasks',
  works: 'nav.works',
} as const satisfies Record<Among, Key>

export const searchPage = sitePage({
  path: searchPath,
  summary: 'A search over agents, services, tasks and works',
  query: ['q', 'kind', 'sort', 'min', 'max', 'available', 'cursor'],
  // What is noted of calls is written before it is read.
  readsItself: true,
  async view(scene) {
    const { service, query } = scene
    const to = pathLinked(query['q'] ?? '', service.publicUrl)
    if (to !== undefined) return { to }
    const wanted = wantedIn(scene)
    if (!wanted) return undefined
    if (wanted.problem) return searchView(scene, wanted)
    try {
      if (wanted.asked.available) await writeCalls(service)
      return await service.reading(async (reading) => {
        const found = await discover(reading, null, wanted.asked)
        const agents = found.items.map(({ agent }) => agent)
        return searchView(await withFaces(scene, reading.sql, agents), wanted, found)
      })
    } catch (error) {
      if (!(error instanceof Refusal && error.code === 'invalid_search')) throw error
      return searchView(scene, { ...wanted, problem: 'search.expired' })
    }
  },
})

interface Wanted {
  /** What of the query makes another search; each is as it was typed. */
  filter: Readonly<Record<'q' | 'kind' | 'sort' | 'min' | 'max' | 'available', string | undefined>>
  kind: Among
  asked: Asked
  /** What is wrong with what was typed: then nothing is searched. */
  problem?: Key
}

/** Undefined for a kind or an order that no search has. */
function wantedIn({ query }: Scene): Wanted | undefined {
  const kind = query['kind'] === undefined ? 'all' : kinds.find((each) => each === query['kind'])
  const sort = query['sort'] ? sorts.find((each) => each === query['sort']) : undefined
  if (kind === undefined || (query['sort'] && sort === undefined)) return undefined
  const q = searchText(longest, 'invalid_search').parse(query['q'] ?? '')
  const [min, max] = isPriced(kind) ? [query['min'], query['max']] : []
  const [least, most] = [min, max].map((typed) => (typed ? boundTyped(typed) : undefined))
  const isWrong = (min && least === undefined) || (max && most === undefined) || (least ?? 0) > (most ?? Infinity)
  const isLong = [...(query['q'] ?? '').trim()].length > longest
  const unread = q === undefined ? (isLong ? 'search.long' : 'search.unreadable') : undefined
  const problem = unread ?? (isWrong ? 'search.prices' : undefined)
  const available = query['available'] === 'true' ? ('true' as const) : undefined
  return {
    filter: { q: query['q'], kind: kind === 'all' ? undefined : kind, sort, min, max, available },
    kind,
    asked: {
      q: q || undefined,
      kind,
      sort: sort === 'relevance' ? undefined : sort,
      min_total_minor: least,
      max_total_minor: most,
      available,
      limit: pageSize,
      cursor: query['cursor'],
    },
    ...(problem && { problem }),
  }
}

type Found = Awaited<ReturnType<typeof discover>>

function searchView(scene: Scene, wanted: Wanted, found?: Found): View {
  const { words } = scene
  const { filter, asked, problem } = wanted
  const here = addressOf({ path: searchPath, filter }, 1)
  const next = found?.next_cursor
    ? addressOf({ path: searchPath, filter: { ...filter, cursor: found.next_cursor } }, 1)
    : undefined
  const title = words.text('search.everything')
  return {
    title: asked.q === undefined ? title : words.text('search.title', { name: title, q: asked.q }),
    description: words.text('search.lead'),
    section: 'search',
    width: 'listing',
    canonical: here,
    next,
    isUnlisted: here !== searchPath || asked.cursor !== undefined,
    sharing: { kind: 'website' },
    ...(problem && { status: 400 }),
    body: html`<div class="page-head"><h1>${words('search.everything')}</h1>
<p class="lead">${words('search.lead')}</p></div>
${form(scene, wanted)}
<nav class="filters" aria-label="${words.text('search.kinds')}">${kinds.map((kind) => tab(scene, wanted, kind))}</nav>
${found && (found.items.length > 0 || !found.partial) && results(scene, wanted, found)}
${found?.partial && html`<p class="callout" role="status">${words('search.partial')}</p>`}
${neighbours(words.text('list.pages'), { before: false, after: next !== undefined && { href: next, name: words('list.next') } })}`,
  }
}

function tab({ words }: Scene, { filter, kind }: Wanted, each: Among): HtmlPart {
  const kept = isPriced(each) ? filter : { ...filter, min: undefined, max: undefined }
  const href = addressOf({ path: searchPath, filter: { ...kept, kind: each === 'all' ? undefined : each } }, 1)
  return html`<a href="${href}"${each === kind && html` aria-current="true"`}>${words(kindNames[each])}</a>`
}

function form({ words }: Scene, { filter, kind, asked, problem }: Wanted): HtmlPart {
  const wrong = (isWrong: boolean): HtmlPart => isWrong && html` aria-invalid="true" aria-describedby="search-problem"`
  const price = (name: 'min' | 'max'): HtmlPart =>
    html`<div class="entry"><label for="${name}">${words(`search.${name}`)}</label>
<input id="${name}" name="${name}" type="text" value="${filter[name]}" inputmode="decimal" autocomplete="off"${wrong(problem === 'search.prices')}></div>`
  // The first is what happens without a choice: a search typed into an empty page gets the best first.
  const first = asked.q === undefined ? 'newest' : 'relevance'
  const orders = sorts.filter((sort) => sort !== first && sort !== 'relevance')
  return html`<form class="search sift" role="search" aria-labelledby="q-label" action="${searchPath}">
${kind !== 'all' && html`<input type="hidden" name="kind" value="${kind}">`}
<div class="entry"><label id="q-label" for="q">${words('search.field')}</label>
<input id="q" name="q" type="search" value="${filter.q}" dir="auto" autocomplete="off"${wrong(asked.q === undefined && problem !== undefined && problem !== 'search.prices')}></div>
${isPriced(kind) && [price('min'), price('max')]}
<div class="entry"><label for="sort">${words('search.sort')}</label>
<select id="sort" name="sort"><option value="">${words(`search.sort.${first}`)}</option>${orders.map(
    (sort) =>
      html`<option value="${sort}"${sort === asked.sort && html` selected`}>${words(`search.sort.${sort}`)}</option>`,
  )}</select></div>
<div class="agreement"><input id="available" name="available" type="checkbox" value="true"${filter.available && html` checked`}><label for="available">${words('search.available')}</label></div>
<div class="sift-end"><button class="button" type="submit">${words('form.search')}</button></div>
</form>
${problem && html`<p class="field-problem" id="search-problem">${words(problem, { longest })}</p>`}`
}

const results = (scene: Scene, { asked, filter }: Wanted, { items }: Found): HtmlPart =>
  items.length === 0
    ? (filter.kind ?? filter.min ?? filter.max ?? filter.available) !== undefined
      ? empty(scene, 'search.none', 'search.nothing')
      : asked.q === undefined
        ? empty(scene, 'search.empty', 'search.empty.text')
        : empty(scene, 'search.none', 'search.none.everything', {
            a: (inner) => html`<a href="${addressOf({ path: docsPath, filter: { q: asked.q } }, 1)}">${inner}</a>`,
          })
    : html`<h2 class="list-head">${scene.words('search.results')}</h2><ul class="rows">
${items.map((item) => row(scene, item))}</ul>`

function row(scene: Scene, { kind, title, says, agent, price, rating, url, updated_at: at }: Item): HtmlPart {
  const { words, faces } = scene
  const face = faces?.get(agent.id)
  return html`<li class="row"><h3 dir="auto"><a href="${new URL(url).pathname}">${title}</a></h3>
<p dir="auto">${teaser(kind === 'agent' ? says.replace('\n', ' · ') : says, longestTeaser)}</p>
<p class="row-foot"><span class="chip">${words(`search.kind.${kind}`)}</span> ${kind === 'agent' ? html`<span class="by">${face && avatar(face, 24)} @${agent.handle}</span>` : byline(scene, agent)}${
    price &&
    html` <span class="amount">${words(`search.price.${price.mode as 'fixed' | 'from' | 'budget'}`, { price: words.credits(price.total_minor) })}</span>`
  }${rating && html` ${ratingNote(scene, { average: rating.average, owners: rating.count })}`} ${words.ago(at)}</p></li>
`
}
