// Lists of the site: which page is asked for, the links to its neighbours, the form that searches, and what an empty list says.
// docs/contract/site.md#lists.
import { type HtmlPart, html } from '../html.ts'
import type { Scene } from '../view.ts'
import type { Key, Value } from '../words.ts'

/** On a page of a list. */
export const pageSize = 20
/** The bounds of the API's own pages. */
export const lastPage = 100_000

/** The page of a query; undefined if no list has such a page. */
export function pageAsked(text: string | undefined): number | undefined {
  if (text === undefined) return 1
  const page = /^[1-9]\d{0,5}$/.test(text) ? Number(text) : Number.NaN
  return page <= lastPage ? page : undefined
}

/** Whether a list of so many has this page: an empty one has its first. */
export const hasPage = (page: number, total: number): boolean => page === 1 || (page - 1) * pageSize < total

export interface Stretch {
  /** Where the list is, without a query. */
  path: string
  /** What of the query makes another list; empty ones are left out. */
  filter?: Readonly<Record<string, string | undefined>>
  page: number
  total: number
  /** Which parameter of the query has the page; `page` where none is named. */
  parameter?: string
  /** The id of the element that its pages are in, where they are not the whole of the page. */
  anchor?: string
  /** What the links to the neighbours are called, where a page has more than one list. */
  label?: Key
}

/** The address of a page of a list: the one that it is known by. */
export function addressOf(
  { path, filter = {}, parameter = 'page' }: Pick<Stretch, 'path' | 'filter' | 'parameter'>,
  page: number,
): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(filter)) if (value) query.set(name, value)
  if (page > 1) query.set(parameter, String(page))
  return query.size > 0 ? `${path}?${query}` : path
}

/** Of a view: where the page of a list is, and its neighbours. */
export const places = (stretch: Stretch) => ({
  canonical: addressOf(stretch, stretch.page),
  previous: stretch.page > 1 ? addressOf(stretch, stretch.page - 1) : undefined,
  next: hasNext(stretch) ? addressOf(stretch, stretch.page + 1) : undefined,
})

const hasNext = ({ page, total }: Stretch): boolean => page * pageSize < total && page < lastPage

/** The links to the neighbours of a page; nothing if there is one page alone. */
export function pager({ words }: Pick<Scene, 'words'>, stretch: Stretch): HtmlPart {
  const { page, total, anchor, label = 'list.pages' } = stretch
  const { previous, next } = places(stretch)
  if (previous === undefined && next === undefined) return undefined
  const pages = Math.min(Math.ceil(total / pageSize), lastPage)
  const place = anchor === undefined ? '' : `#${anchor}`
  return neighbours(words.text(label), {
    before: previous !== undefined && { href: previous + place, name: words('list.previous'), rel: 'prev' },
    here: html`<span class="fine">${words('list.page', { page, pages: Math.max(pages, page) })}</span>`,
    after: next !== undefined && { href: next + place, name: words('list.next') },
  })
}

interface Neighbours {
  before: false | { href: string; name: HtmlPart; rel?: 'prev' }
  /** What is said between them. */
  here?: HtmlPart
  after: false | { href: string; name: HtmlPart }
}

/** The links from one stretch of a list to those beside it; nothing if there is none. */
export const neighbours = (label: string, { before, here = html`<span></span>`, after }: Neighbours): HtmlPart =>
  (before || after) &&
  html`<nav class="pager" aria-label="${label}">
${before ? html`<a class="button quiet"${before.rel && html` rel="${before.rel}"`} href="${before.href}">${before.name}</a>` : html`<span></span>`}
${here}
${after ? html`<a class="button quiet" rel="next" href="${after.href}">${after.name}</a>` : html`<span></span>`}
</nav>`

/** That a search stopped before it had looked at everything. */
export const partialNote = ({ words }: Pick<Scene, 'words'>, partial: boolean | undefined): HtmlPart =>
  partial && html`<p class="callout" role="status">${words('search.partial.list')}</p>`

/** What an empty list says. */
export const empty = (
  { words }: Pick<Scene, 'words'>,
  heading: Key,
  text?: Key,
  values: Record<string, Value> = {},
): HtmlPart =>
  html`<div class="empty"><p class="empty-head">${words(heading)}</p>${text && html`<p>${words(text, values)}</p>`}</div>`

export interface Search {
  path: string
  /** What was typed, right or wrong. */
  typed: string
  /** What the field asks for. */
  label: Key
  /** What is wrong with it, in words. */
  problem?: string | undefined
  /** What else of the query stays. */
  keep?: Readonly<Record<string, string | undefined>>
  /** The hidden fields of a form that is sent, so that what was typed is in no address. */
  sent?: HtmlPart
}

export const searchForm = (
  { words }: Pick<Scene, 'words'>,
  { path, typed, label, problem, keep = {}, sent }: Search,
): HtmlPart =>
  html`<form class="search" role="search" aria-labelledby="q-label" action="${path}"${sent && html` method="post"`}>${sent}
${Object.entries(keep).map(([name, value]) => value && html`<input type="hidden" name="${name}" value="${value}">`)}
<label id="q-label" for="q">${words(label)}</label>
<div class="search-line"><input id="q" name="q" type="search" value="${typed}" dir="auto" autocomplete="off"${problem && html` aria-invalid="true" aria-describedby="q-problem"`}><button class="button" type="submit">${words('form.search')}</button>${typed !== '' && html`<a class="button quiet" href="${addressOf({ path, filter: keep }, 1)}">${words('form.search.all')}</a>`}</div>
${problem && html`<p class="field-problem" id="q-problem">${problem}</p>`}
</form>`
