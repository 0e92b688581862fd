// The legal documents on a page, whole, for whoever is to confirm them: nobody has to leave the form for it.
import { currentDocuments } from '../../documents.ts'
import type { Service } from '../../service.ts'
import { type HtmlPart, html } from '../html.ts'
import { markdown } from '../markdown.ts'
import type { Words } from '../words.ts'

export interface Paper {
  title: string
  version: string
  url: string
  sha256: string
  /** The whole text, Markdown. */
  text: string
}

/** They are in one language. */
export const paperLanguage = 'en'

export const currentPapers = ({ documents }: Pick<Service, 'documents'>): Paper[] =>
  currentDocuments(documents).map((each) => ({ ...each, text: each.bytes.toString('utf8') }))

/** As it was written, whatever the language of the page. Its title is of `topLevel`: one below the heading that it is under. */
export const paper = (words: Words, { title, version, url, sha256, text }: Paper, topLevel: 2 | 3): HtmlPart =>
  html`<details class="paper"><summary><span lang="${paperLanguage}">${title}</span> <span class="fine">${words('confirm.version', { version })}</span></summary>
<div class="paper-text prose" lang="${paperLanguage}">${markdown(text, { topLevel })}</div>
<dl class="facts"><dt>${words('docs.events.address')}</dt><dd><a href="${url}" rel="noreferrer">${url}</a></dd>
<dt>SHA-256</dt><dd><code class="hash">${sha256}</code></dd></dl></details>`

/** Their titles in a sentence. */
export function paperNames(words: Words, papers: readonly Pick<Paper, 'title'>[]): HtmlPart {
  const titles = papers.map(({ title }) => title)
  const parts = new Intl.ListFormat(words.locale).formatToParts(titles)
  return parts.map(({ type, value }) =>
    type === 'element' ? html`<bdi lang="${paperLanguage}">${value}</bdi>` : value,
  )
}
