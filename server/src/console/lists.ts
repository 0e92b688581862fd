// Lists of the console: what they are narrowed to, tables that a telephone can show, and how long ago something was.
import { days, hours, minutes, seconds } from '../kernel/clock.ts'
import { type HtmlPart, html } from '../site/html.ts'
import { choices, entry, hiddenFields, untried } from '../site/parts/form.ts'
import { lastPage, pageAsked, pageSize, places, type Stretch } from '../site/parts/list.ts'
import type { Scene } from '../site/view.ts'
import type { Key } from '../site/words.ts'

type Spoken = Pick<Scene, 'words'>

/** One of the things that a list can be narrowed to. */
type Sieve = { name: string; label: Key } & (
  | { options: readonly { value: string; name: HtmlPart }[] }
  | { type: 'text' | 'date'; maxLength?: number }
)

/** A choice among values of the query, or none of them. */
export const oneOf = <T extends string>(
  { words }: Spoken,
  name: string,
  { label, values, says, unset = 'console.lists.any' }: Choosable<T>,
): Sieve => ({
  name,
  label,
  options: [{ value: '', name: words(unset) }, ...values.map((value) => ({ value, name: words(says(value)) }))],
})

interface Choosable<T> {
  label: Key
  values: readonly T[]
  says: (value: T) => Key
  /** What it is called to choose none. */
  unset?: Key
}

interface Sieves {
  path: string
  /** What the query says, right or wrong. */
  values: Readonly<Record<string, string>>
  sieves: readonly Sieve[]
  /** In words, by the name of what is wrong. */
  problems?: Readonly<Record<string, string>>
}

/** The form that narrows a list; it works by its address alone. */
export function filterForm({ words }: Spoken, { path, values, sieves, problems = {} }: Sieves): HtmlPart {
  const form = { ...untried(values), problems, form: 'sift' }
  const isNarrowed = sieves.some(({ name }) => (values[name] ?? '') !== '')
  return html`<form class="sift" role="search" action="${path}" aria-label="${words.text('console.lists.narrow')}">
${sieves.map((each) =>
  'options' in each
    ? choices(form, { name: each.name, label: words(each.label), options: each.options })
    : entry(form, {
        name: each.name,
        label: words(each.label),
        type: each.type,
        ...(each.maxLength !== undefined && { maxLength: each.maxLength }),
      }),
)}
<p class="sift-end"><button class="button" type="submit">${words('console.lists.show')}</button>${isNarrowed && html` <a class="button quiet" href="${path}">${words('console.lists.all')}</a>`}</p></form>`
}

/** A column of a table; the first names its row. */
interface Table {
  caption: Key
  /** The title of the page says the same. */
  isTitled?: true
  columns: readonly Key[]
  rows: readonly (readonly HtmlPart[])[]
}

/** On a narrow screen each row is a block, and each cell says what it is. */
export const dataTable = (
  { words }: Spoken,
  { caption, isTitled, columns, rows }: Table,
): HtmlPart => html`<table class="data">
<caption${isTitled && html` class="heard"`}>${words(caption)}</caption>
<thead><tr>${columns.map((each) => html`<th scope="col">${words(each)}</th>`)}</tr></thead>
<tbody>
${rows.map(
  (row) =>
    html`<tr>${row.map((cell, at) => {
      const label = words.text(columns[at] as Key)
      return at === 0
        ? html`<th scope="row" data-label="${label}">${cell}</th>`
        : html`<td data-label="${label}"><div>${cell}</div></td>`
    })}</tr>
`,
)}</tbody></table>`

/** The query of a list as a choice; undefined if it is not an option. An empty one means no choice. */
export function chosen<T extends string>(text: string | undefined, options: readonly T[]): T | '' | undefined {
  if (text === undefined || text === '') return ''
  return options.find((each) => each === text)
}

/** The page of a list; undefined if there is none. */
export const askedPage = ({ query }: Pick<Scene, 'query'>): { page: number; page_size: number } | undefined => {
  const page = pageAsked(query['page'])
  return page === undefined || page > deepest ? undefined : { page, page_size: pageSize }
}

/** A deeper page would read all that is before it. */
const deepest = Math.min(lastPage, 1000)

/** What a list with its total is paged by. */
export const stretchOf = (
  path: string,
  { page }: { page: number },
  total: number,
  filter: Stretch['filter'] = {},
): Stretch => ({ path, filter, page, total: Math.min(total, deepest * pageSize) })

/** The neighbours of a page of what a search found. They are sent as the search was: what was typed is in no address. */
export function sentPager(
  scene: Pick<Scene, 'frame' | 'words'>,
  stretch: Stretch,
  fields: Readonly<Record<string, string | undefined>>,
): HtmlPart {
  const { words } = scene
  const { page, total, path } = stretch
  const { previous, next } = places(stretch)
  if (previous === undefined && next === undefined) return undefined
  const button = (to: number, name: Key, isThere: boolean): HtmlPart =>
    isThere
      ? html`<button class="button quiet" type="submit" name="page" value="${to}">${words(name)}</button>`
      : html`<span></span>`
  return html`<form class="pager" method="post" action="${path}" aria-label="${words.text('list.pages')}">
${button(page - 1, 'list.previous', previous !== undefined)}
<span class="fine">${words('list.page', { page, pages: Math.ceil(total / pageSize) })}</span>
${button(page + 1, 'list.next', next !== undefined)}
${hiddenFields(scene)}${Object.entries(fields).map(([name, value]) => value && html`<input type="hidden" name="${name}" value="${value}">`)}</form>`
}

const units = [
  ['days', days(1)],
  ['hours', hours(1)],
  ['minutes', minutes(1)],
  ['seconds', seconds(1)],
] as const

/** `3 days`, in the largest unit that fits at least twice, or exactly once. */
export function spanIn({ words }: Spoken, milliseconds: number): string {
  const length = Math.max(0, milliseconds)
  const [unit, size] =
    units.find(([, each]) => length >= 2 * each || length === each) ??
    (units[units.length - 1] as (typeof units)[number])
  return words.text(`console.age.${unit}`, { count: Math.round(length / size) })
}

/** In milliseconds. */
export const passedSince = ({ service }: Pick<Scene, 'service'>, at: Date): number =>
  service.clock.now().getTime() - at.getTime()

/** `3 days`: how long ago a moment was, with the moment itself for whoever wants it. */
export function ageIn(scene: Pick<Scene, 'words' | 'service'>, moment: Date | string): HtmlPart {
  const at = new Date(moment)
  return scene.words.timed(at, spanIn(scene, passedSince(scene, at)))
}

/** `3 days ago`; a few seconds are not counted. */
export function agoIn(scene: Pick<Scene, 'words' | 'service'>, moment: Date | string): HtmlPart {
  const { words } = scene
  const at = new Date(moment)
  const passed = passedSince(scene, at)
  return words.timed(
    at,
    passed < seconds(10) ? words.text('time.recent') : words.text('console.lists.ago', { age: spanIn(scene, passed) }),
  )
}

/** How many there are; of a list that is cut, that there are more, and which ones it shows. */
export const totalLine = ({ words }: Spoken, total: number, cut?: Key | false): HtmlPart =>
  html`<p class="fine">${cut ? words(cut, { most: total }) : words('console.lists.total', { total })}</p>`
