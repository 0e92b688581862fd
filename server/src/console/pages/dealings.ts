// How a party has dealt so far, beside what is to be decided about it.
import { type Dealings, mostCounted } from '../../operator/precedents.ts'
import { type HtmlPart, html } from '../../site/html.ts'
import type { Key, Words } from '../../site/words.ts'

const lines = ['completed', 'refunded', 'lost', 'bought', 'returned', 'removed'] as const

export function dealingsOf(words: Words, found: Dealings | undefined): HtmlPart {
  const told = lines.filter((line) => found && found[line] > 0)
  if (!found || told.length === 0) return html`<p class="fine">${words('console.dealings.none')}</p>`
  return html`<dl class="facts">${told.map(
    (line) =>
      html`<dt>${words(`console.dealings.${line}` satisfies Key)}</dt><dd>${line === 'removed' && found.removed >= mostCounted ? html`${words.number(mostCounted)}+` : words.number(found[line])}</dd>`,
  )}</dl>`
}
