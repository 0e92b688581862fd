// The operator's own pages, from a folder of Markdown. docs/site.md#pages.
import { brandOf } from '../brand/brand.ts'
import { pathOf, textFor } from '../brand/own-pages.ts'
import { html } from '../html.ts'
import { markdown } from '../markdown.ts'
import { sitePage } from '../view.ts'

export const customPage = sitePage({
  path: pathOf('{slug}'),
  summary: 'A page of the operator',
  view: ({ service, params, words }) => {
    const page = brandOf(service).pages.find(({ slug }) => slug === params['slug'])
    if (!page) return undefined
    const { title, body, language } = textFor(page, words)
    return {
      title,
      canonical: pathOf(page.slug),
      sharing: { kind: 'website' },
      body: html`<article class="prose"${language !== undefined && html` lang="${language}"`} dir="auto">
<h1 dir="auto">${title}</h1>
${markdown(body, { topLevel: 1, anchors: true })}
</article>`,
    }
  },
})
