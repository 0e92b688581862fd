// A legal document: a page for a browser, and for everyone else the exact bytes, whose hash the contract names.
import Negotiator from 'negotiator'
import { currentDocuments, type LegalDocument } from '../../documents.ts'
import type { LivePage } from '../../http/page.ts'
import { documentPath } from '../frame.ts'
import { type Html, type HtmlPart, html } from '../html.ts'
import type { View } from '../layout.ts'
import { markdown } from '../markdown.ts'
import { paperLanguage } from '../parts/papers.ts'
import { type Scene, sceneOf, shownAs } from '../view.ts'

const markdownType = 'text/markdown'

export const documentPage: LivePage = {
  path: documentPath('{name}', '{version}'),
  summary: 'Any version of a legal document: a page for a browser, else its exact bytes',
  caller: 'anyone',
  cache: 'revalidated',
  variesOn: 'Accept',
  show: async (visit) => {
    const { service, params, accept } = visit
    const document = service.documents.find(
      ({ name, version }) => name === params['name'] && version === params['version'],
    )
    if (!document) return undefined
    if (!prefersPage(accept)) return { bytes: document.bytes, contentType: `${markdownType}; charset=utf-8` }
    const scene = sceneOf(visit)
    return shownAs(scene, documentView(scene, document))
  },
}

/** Who takes anything, or asks for nothing of the two, checks the bytes: only who names HTML before Markdown reads a page. */
function prefersPage(accept: string | undefined): boolean {
  const negotiator = new Negotiator({ headers: { accept: accept?.slice(0, 1000) } })
  return negotiator.mediaType([markdownType, 'text/html']) === 'text/html'
}

/** A document stays as it is while the process runs. */
const texts = new WeakMap<LegalDocument, Html>()

function textOf(document: LegalDocument): Html {
  const text = texts.get(document) ?? markdown(document.bytes.toString('utf8'), { topLevel: 1, anchors: true })
  texts.set(document, text)
  return text
}

function documentView({ words, service }: Scene, document: LegalDocument): View {
  const { name, title, version, url, sha256 } = document
  const code = (inner: HtmlPart): HtmlPart => html`<code>${inner}</code>`
  return {
    title,
    canonical: documentPath(name, version),
    sharing: { kind: 'website' },
    body: html`${newer(words, service.documents, document)}<article class="prose" lang="${paperLanguage}" dir="auto">
${textOf(document)}
</article>
<dl class="facts"><dt>${words('document.version')}</dt><dd>${version}</dd>
<dt>SHA-256</dt><dd><code class="hash">${sha256}</code></dd>
<dt>${words('document.bytes')}</dt><dd><code>curl ${url}</code></dd></dl>
<p class="fine">${words('document.exact', { code })}</p>`,
  }
}

/** Of an earlier version, which one holds now. */
function newer(words: Scene['words'], documents: readonly LegalDocument[], { name, current }: LegalDocument): HtmlPart {
  const now = currentDocuments(documents).find((each) => each.name === name)
  if (current || !now) return undefined
  const a = (inner: HtmlPart): HtmlPart => html`<a href="${documentPath(name, now.version)}">${inner}</a>`
  return html`<p class="callout">${words('document.newer', { version: now.version, a })}</p>
`
}
