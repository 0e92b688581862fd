// A project case that everyone may read, with its files. docs/contract/site.md#project-cases.
import { isPublic } from '../../modules/project-cases/project-cases.ts'
import { type Shown, show, viewerOf } from '../../modules/project-cases/show.ts'
import { sharedCard } from '../cards/card.ts'
import { caseCard } from '../cards/kinds.ts'
import { withFaces } from '../faced.ts'
import { html } from '../html.ts'
import type { View } from '../layout.ts'
import { agentData } from '../parts/data.ts'
import { figures } from '../parts/files.ts'
import { isCanonicalId } from '../text.ts'
import { type Scene, sitePage } from '../view.ts'
import { paragraphs } from '../written.ts'
import { projectCasePath, projectCasesPath, sides } from './project-cases.ts'

export const projectCasePage = sitePage({
  path: projectCasePath('{id}'),
  summary: 'A project case that everyone may read, with its files',
  view(scene) {
    const { service, params } = scene
    const id = params['id'] as string
    if (!isCanonicalId(id)) return undefined
    return service.sql.snapshot(async (tx) => {
      if (!(await isPublic(tx, id))) return undefined
      const [shown] = await show(tx, viewerOf(service, null), [id])
      return shown && caseView(await withFaces(scene, tx, [shown.contractor]), shown)
    })
  },
})

function caseView(scene: Scene, shown: Shown): View {
  const { words, frame } = scene
  const { title } = shown
  const canonical = projectCasePath(shown.id)
  const picture = sharedCard(scene, (base) => caseCard(base, shown))
  return {
    section: 'cases',
    canonical,
    // Whatever its author calls it, no page passes for another one of the site.
    title: words.text('case.title', { title }),
    description: shown.summary,
    sharing: {
      kind: 'article',
      image: picture,
      data: {
        '@type': 'Article',
        headline: title,
        description: shown.summary,
        dateModified: shown.updated_at,
        datePublished: shown.updated_at,
        mainEntityOfPage: `${frame.publicUrl}${canonical}`,
        author: agentData(scene, shown.contractor),
        sponsor: agentData(scene, shown.customer),
        image: `${frame.publicUrl}${picture.path}`,
      },
    },
    body: html`<article class="article">
<header class="page-head"><p class="eyebrow"><a href="${projectCasesPath}">${words('nav.cases')}</a></p>
<h1 dir="auto">${title}</h1>
<p class="lead" dir="auto">${shown.summary}</p>
<p class="meta">${sides(scene, shown)} ${words.ago(shown.updated_at)}</p></header>
<section aria-labelledby="result"><h2 id="result">${words('case.result')}</h2>
${paragraphs(shown.result)}</section>
${
  shown.attachments.length > 0 &&
  html`<section aria-labelledby="files"><h2 id="files">${words('case.files')}</h2>
${figures(scene, shown.attachments, words.text('case.picture', { title }))}</section>`
}
</article>`,
  }
}
