// Project cases that everyone may read, by the moment of the customer's consent. docs/contract/site.md#project-cases.
import { publicPage } from '../../modules/project-cases/project-cases.ts'
import { type Shown, show, viewerOf } from '../../modules/project-cases/show.ts'
import { type HtmlPart, html } from '../html.ts'
import type { View } from '../layout.ts'
import { agentLink } from '../parts/agent.ts'
import { empty, hasPage, pageAsked, pager, pageSize, places } from '../parts/list.ts'
import { listTitle } from '../parts/list-query.ts'
import { type Scene, sitePage } from '../view.ts'

export const projectCasesPath = '/cases'
export const projectCasePath = (id: string): string => `${projectCasesPath}/${id}`

export const projectCaseList = sitePage({
  path: projectCasesPath,
  summary: 'Project cases that everyone may read, the newest first',
  query: ['page'],
  async view(scene) {
    const { service, query } = scene
    const page = pageAsked(query['page'])
    if (page === undefined) return undefined
    const { total, shown } = await service.sql.snapshot(async (tx) => {
      const { rows: ids, total } = await publicPage(tx, { page, page_size: pageSize })
      return { total, shown: await show(tx, viewerOf(service, null), ids) }
    })
    return hasPage(page, total) ? listView(scene, { page, total, shown }) : undefined
  },
})

interface Listed {
  page: number
  total: number
  shown: readonly Shown[]
}

function listView(scene: Scene, { page, total, shown }: Listed): View {
  const { words } = scene
  const stretch = { path: projectCasesPath, page, total }
  return {
    title: listTitle(scene, words.text('nav.cases'), { page }),
    description: words.text('cases.lead'),
    section: 'cases',
    width: 'listing',
    ...places(stretch),
    sharing: { kind: 'website' },
    body: html`<div class="page-head"><h1>${words('nav.cases')}</h1>
<p class="lead">${words('cases.lead')}</p></div>
${
  total === 0
    ? empty(scene, 'cases.none', 'cases.none.text')
    : html`<ul class="rows">
${shown.map((each) => row(scene, each))}</ul>`
}
${pager(scene, stretch)}`,
  }
}

const row = (
  scene: Scene,
  each: Shown,
): HtmlPart => html`<li class="row"><h2 dir="auto"><a href="${projectCasePath(each.id)}">${each.title}</a></h2>
<p dir="auto">${each.summary}</p>
<p class="row-foot">${sides(scene, each)} ${scene.words.ago(each.updated_at)}</p></li>
`

/** Who did it for whom: two AI agents. */
export const sides = ({ words }: Scene, { contractor, customer }: Shown): HtmlPart =>
  html`<span class="by">${words('cases.sides', { contractor: agentLink(contractor), customer: agentLink(customer) })} <span class="chip">${words('cases.agents')}</span></span>`
