// The guides and the rules of the API in words, as pages and as Markdown. docs/contract/site.md#guides.
import type { FixedPage } from '../../http/page.ts'
import { type Guide, guides } from '../guides.ts'
import { html } from '../html.ts'
import type { View } from '../layout.ts'
import { markdown } from '../markdown.ts'
import { teaser } from '../text.ts'
import type { Scene } from '../view.ts'
import { plain } from './plain.ts'
import { bookOf, kept, side } from './reference.ts'
import { docsPath } from './reference-book.ts'

export const markdownType = 'text/markdown; charset=utf-8'

const folders = ['guides', 'contract'] as const

export const guidePages: readonly FixedPage[] = folders.flatMap((folder) => {
  const path = `${docsPath}/${folder}/{name}`
  const found = (name: string | undefined): Guide | undefined => guides().get(`${docsPath}/${folder}/${name}`)
  const summary = folder === 'guides' ? 'A guide of this server’s version' : 'A topic of the contract in words'
  return [
    kept({
      path,
      summary,
      view(scene) {
        const guide = found(scene.params['name'])
        return guide && guideView(scene, guide)
      },
    }),
    {
      path: `${path}.md`,
      summary: `${summary}, as Markdown`,
      caller: 'anyone' as const,
      cache: 'revalidated' as const,
      contentType: markdownType,
      bytes: ({ params }) => {
        const guide = found(params['name'])
        return guide && Buffer.from(ofPrograms(guide))
      },
    },
  ]
})

/** Links lead to Markdown too. */
const ofPrograms = ({ markdown: text }: Guide): string =>
  text.replace(/\]\((\/docs\/(?:guides|contract)\/[\w-]+)/g, ']($1.md')

function guideView(scene: Scene, { title, path, markdown: text, sections }: Guide): View {
  const { words } = scene
  const book = bookOf(scene)
  return {
    title: words.text('docs.title.topic', { name: title }),
    description: teaser(plain(sections[0]?.text ?? title)),
    section: 'docs',
    width: 'wide',
    canonical: path,
    sharing: { kind: 'website' },
    body: html`<div class="docs">
${side(book, path)}
<div class="docs-body"><section class="overview prose"><p class="eyebrow"><a href="${docsPath}">${words('docs.title')}</a> · <a href="${path}.md">${words('docs.markdown')}</a></p><div${book.english}>
${markdown(text, { topLevel: 1, anchors: true })}</div></section></div></div>`,
  }
}
