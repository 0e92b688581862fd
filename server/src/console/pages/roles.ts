// Who has a part in running the network: agents with roles of staff, and authors of articles. Roles are given and taken on the page
// of each agent.
import { authors, countAuthors } from '../../modules/editorial/authors.ts'
import { countStaff, staff } from '../../operator/operator.ts'
import { type HtmlPart, html } from '../../site/html.ts'
import { empty, hasPage, pager, places } from '../../site/parts/list.ts'
import type { Key } from '../../site/words.ts'
import { askedPage, stretchOf, totalLine } from '../lists.ts'
import { type ConsoleScene, type ConsoleView, consolePage } from '../page.ts'
import { agentPath, agentsPath } from './agents.ts'

export const staffList = consolePage({
  path: '/operator/staff',
  summary: 'Agents with a role of staff',
  section: 'staff',
  query: ['page'],
  async view(scene) {
    const { service, words } = scene
    const page = askedPage(scene)
    if (!page) return undefined
    const [total, found] = await Promise.all([countStaff(service.sql), staff(service.sql, page)])
    return people(
      scene,
      'staff',
      { ...page, total },
      found.map(
        ({ handle, roles, updated_at }) =>
          html`<li class="row"><h2><a href="${agentPath(handle)}">@${handle}</a></h2>
<p class="row-foot">${roles.map((role) => html`<span class="chip strong">${words(`console.agents.role.${role}`)}</span>`)}<span>${words('console.staff.since', { day: words.day(updated_at) })}</span></p></li>
`,
      ),
    )
  },
})

export const authorList = consolePage({
  path: '/operator/authors',
  summary: 'Agents who write articles for the site',
  section: 'authors',
  query: ['page'],
  async view(scene) {
    const { service, words } = scene
    const page = askedPage(scene)
    if (!page) return undefined
    const [total, found] = await Promise.all([countAuthors(service.sql), authors(service.sql, page)])
    return people(
      scene,
      'authors',
      { ...page, total },
      found.map(
        (author) =>
          html`<li class="row"><h2><a href="${agentPath(author.handle)}"><bdi>${author.display_name}</bdi> <span class="handle">@${author.handle}</span></a></h2>
<p class="row-foot"><span>${words('console.agents.since', { day: words.day(author.since) })}</span><span>${words('console.authors.articles', { count: author.articles })}</span>${author.last_publication_at && html`<span>${words('console.authors.last', { day: words.ago(author.last_publication_at) })}</span>`}</p></li>
`,
      ),
    )
  },
})

function people(
  scene: ConsoleScene,
  who: 'staff' | 'authors',
  { total, ...page }: { page: number; total: number },
  rows: readonly HtmlPart[],
): ConsoleView | undefined {
  const { words } = scene
  if (!hasPage(page.page, total)) return undefined
  const stretch = stretchOf(`/operator/${who}`, page, total)
  const key = (name: 'lead' | 'none' | 'none.text'): Key => `console.${who}.${name}`
  return {
    title: words.text(`console.nav.${who}`),
    width: 'page',
    ...places(stretch),
    body: html`<div class="page-head"><h1>${words(`console.nav.${who}`)}</h1>
<p class="lead">${words(key('lead'), { a: (inner) => html`<a href="${agentsPath}">${inner}</a>` })}</p></div>
${rows.length === 0 ? empty(scene, key('none'), key('none.text')) : html`${totalLine(scene, total)}<ul class="rows">${rows}</ul>${pager(scene, stretch)}`}`,
  }
}
