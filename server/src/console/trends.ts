// Trends: what each figure was on each day of a month, drawn small, with the numbers in a table behind it.
import { type DayFigures, type FigureName, figureNames } from '../operator/figures.ts'
import { type HtmlPart, html } from '../site/html.ts'
import { sizeIn } from '../site/parts/measures.ts'
import type { Words } from '../site/words.ts'

const height = 48
const step = 10

export const trends = (words: Words, found: readonly DayFigures[]): HtmlPart =>
  html`<div class="trends">${figureNames.map((name) => trend(words, name, found))}</div>`

function trend(words: Words, name: FigureName, found: readonly DayFigures[]): HtmlPart {
  const values = found.map(({ figures }) => figures[name])
  // What is stored is a level; the others are sums of their days.
  const whole = name === 'storage' ? (values.at(-1) ?? 0) : values.reduce((sum, value) => sum + value, 0)
  const said = writer(words, name)
  const title = words.text(`console.trend.${name}`)
  const most = Math.max(...values)
  const about = words.text('console.trend.about', { title, whole: said(whole), most: said(most) })
  return html`<figure class="panel trend"><figcaption><span>${title}</span> <strong>${said(whole)}</strong></figcaption>
<svg viewBox="0 0 ${step * values.length} ${height}" role="img" aria-label="${about}" preserveAspectRatio="none"><path d="${bars(values, most)}"/></svg>
<details><summary>${words('console.trend.table')}</summary><table><caption>${title}</caption><thead><tr><th scope="col">${words('console.trend.day')}</th><th scope="col">${words(`console.trend.unit.${name}`)}</th></tr></thead><tbody>${found
    .map(
      ({ day, figures }) =>
        html`<tr><th scope="row">${dayIn(words, day)}</th><td>${said(figures[name])}</td></tr>
`,
    )
    .reverse()}</tbody></table></details></figure>
`
}

/** A bar for each day; the least that is not nothing can still be seen. */
const bars = (values: readonly number[], most: number): string =>
  values
    .map((value, at) => {
      const tall = value === 0 ? 0.5 : Math.max(2, Math.round((value / most) * height))
      return `M${at * step + 1} ${height}v-${tall}h${step - 2}v${tall}z`
    })
    .join('')

function writer(words: Words, name: FigureName): (value: number) => string {
  if (name === 'credits') return (value) => words.credits(value)
  if (name === 'storage') return (value) => (value === 0 ? words.number(0) : sizeIn(words.locale, value))
  return (value) => words.number(value)
}

const dayIn = ({ locale }: Words, day: Date): string =>
  new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone: 'UTC' }).format(day)
