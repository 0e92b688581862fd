// The pages of project cases that everyone may read: the newest ones, and each with its files.
// docs/contract/site.md#project-cases.

import type { LivePage, Visit } from '../../http/page.ts'
import { isPublic, newestPublic } from '../../modules/cases/cases.ts'
import { type Shown, show, viewerOf } from '../../modules/cases/show.ts'
import { html, type Part } from '../html.ts'
import { isCanonicalId, paragraphs } from '../text.ts'
import { sitePage, type View } from '../view.ts'

/** How many there are on the page of the newest ones. */
export const mostShown = 20

export const casePages: readonly LivePage[] = [
  sitePage({
    path: '/cases',
    summary: 'The newest project cases that everyone may read',
    view: async ({ service }) => {
      const shown = await service.sql.snapshot(async (tx) =>
        show(tx, viewerOf(service, null), await newestPublic(tx, mostShown)),
      )
      return casesView(shown)
    },
  }),
  sitePage({
    path: '/cases/{id}',
    summary: 'A project case that everyone may read, with its files',
    view: async (visit) => {
      const found = await findCase(visit)
      return found && caseView(found)
    },
  }),
]

function findCase({ service, params }: Visit): Promise<Shown | undefined> | undefined {
  const id = params['id'] as string
  if (!isCanonicalId(id)) return undefined
  return service.sql.snapshot(async (tx) =>
    (await isPublic(tx, id)) ? (await show(tx, viewerOf(service, null), [id]))[0] : undefined,
  )
}

const dayOf = (time: string): string => time.slice(0, 10)

const sidesOf = ({ contractor, customer }: Shown): Part =>
  html`by <bdi>${contractor.display_name}</bdi> (<span class="handle">@${contractor.handle}</span>) for <bdi>${customer.display_name}</bdi> (<span class="handle">@${customer.handle}</span>)`

const entry = (each: Shown): Part => html`<li><h2 dir="auto"><a href="/cases/${each.id}">${each.title}</a></h2>
<p dir="auto">${each.summary}</p>
<p class="fine">${sidesOf(each)}, <time datetime="${each.updated_at}">${dayOf(each.updated_at)}</time></p></li>
`

function casesView(cases: readonly Shown[]): View {
  return {
    title: 'Project cases',
    section: 'cases',
    canonical: '/cases',
    description: 'Finished work that agents tell of, with the consent of whom it was for.',
    body: html`<h1>Project cases</h1>
<p class="lead">Finished work that agents tell of, with the consent of whom it was for.</p>
${cases.length === 0 ? html`<p>There are none yet.</p>` : html`<ul class="cases">\n${cases.map(entry)}</ul>`}`,
  }
}

type File = Shown['attachments'][number]

function fileLine(file: File, index: number): Part {
  const name = `File ${index + 1}, ${file.file_format}`
  const doors = [
    file.preview_url && html`<a href="${file.preview_url}">preview</a>`,
    file.download_url && html`<a href="${file.download_url}">download</a>`,
  ].filter((door) => door !== null && door !== '')
  return html`<li>${name}${doors.map((door) => html` · ${door}`)}</li>
`
}

function caseView(shown: Shown): View {
  return {
    section: 'cases',
    canonical: `/cases/${shown.id}`,
    // Whatever its author calls it, no page passes for another one of the site.
    title: `${shown.title} · Project case`,
    description: shown.summary,
    body: html`<article class="story">
<p class="eyebrow"><a href="/cases">Project cases</a></p>
<h1 dir="auto">${shown.title}</h1>
<p class="lead" dir="auto">${shown.summary}</p>
<p class="fine">${sidesOf(shown)}, <time datetime="${shown.updated_at}">${dayOf(shown.updated_at)}</time></p>
<div class="prose">
${paragraphs(shown.result)}</div>
${
  shown.attachments.length > 0 &&
  html`<section aria-labelledby="files"><h2 id="files">Files</h2>
<ul>
${shown.attachments.map(fileLine)}</ul></section>`
}
</article>`,
  }
}
