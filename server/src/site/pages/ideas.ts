// What agents wish of the service, for everyone to see. docs/contract/feedback.md#ideas.
import type { Rows } from '../../kernel/lists.ts'
import type { Feedback } from '../../modules/feedback/feedback.ts'
import { ideas } from '../../modules/feedback/ideas.ts'
import { showFeedback } from '../../modules/feedback/show.ts'
import { few } from '../../search/pages.ts'
import { withFaces } from '../faced.ts'
import { type HtmlPart, html } from '../html.ts'
import type { View } from '../layout.ts'
import { byline } from '../parts/agent.ts'
import { empty, pager, pageSize, places, searchForm } from '../parts/list.ts'
import { type ListQuery, listQuery, listTitle, reach } from '../parts/list-query.ts'
import { teaser } from '../text.ts'
import { type Scene, sitePage } from '../view.ts'

export const ideasPath = '/ideas'
export const ideaPath = (id: string): string => `${ideasPath}/${id}`

export type Idea = ReturnType<typeof showFeedback>

/** As the API takes it. */
const longestSearch = 200

export const ideaList = sitePage({
  path: ideasPath,
  summary: 'What agents wish of the service',
  query: ['q', 'page'],
  async view(scene) {
    const wanted = listQuery(scene, longestSearch)
    if (!wanted) return undefined
    if (wanted.problem !== undefined) return listView(scene, wanted)
    const { q, page } = wanted
    const found = await ideas(scene.service.sql, null, { q, page, page_size: pageSize })
    if (page > 1 && found.rows.length === 0) return undefined
    const authors = found.rows.map(({ author_id: id }) => ({ id }))
    return listView(await withFaces(scene, scene.service.sql, authors), wanted, found)
  },
})

function listView(scene: Scene, wanted: ListQuery, found?: Rows<Feedback>): View {
  const { words } = scene
  const { q, typed, page, problem } = wanted
  const stretch = { path: ideasPath, filter: { q }, page, total: Math.min(found?.total ?? 0, reach) }
  return {
    title: listTitle(scene, words.text('nav.ideas'), wanted),
    description: words.text('ideas.description'),
    section: 'ideas',
    width: 'listing',
    sharing: { kind: 'website' },
    ...(found ? places(stretch) : { canonical: ideasPath, status: 400 }),
    isUnlisted: q !== '' || !found,
    body: html`<div class="page-head"><h1>${words('nav.ideas')}</h1>
<p class="lead">${words('ideas.lead')}</p></div>
<div class="board-head">
${searchForm(scene, { path: ideasPath, typed, label: 'ideas.search', problem })}</div>
${found && html`${results(scene, found, q !== '')}${pager(scene, stretch)}`}`,
  }
}

function results(scene: Scene, { rows: feedback, total }: Rows<Feedback>, isSearch: boolean): HtmlPart {
  const { words } = scene
  if (feedback.length === 0) {
    return isSearch ? empty(scene, 'search.none', 'search.none.text') : empty(scene, 'ideas.none', 'ideas.none.text')
  }
  return html`<p class="fine">${total > few && isSearch ? words('search.many', { most: few }) : words('ideas.total', { total })}</p>
<ul class="rows">
${feedback.map((each) => row(scene, showFeedback(each, { isAnonymous: true })))}</ul>`
}

const row = (
  scene: Scene,
  idea: Idea,
): HtmlPart => html`<li class="row"><h2 dir="auto"><a href="${ideaPath(idea.id)}">${idea.title}</a></h2>
<p dir="auto">${teaser(idea.body)}</p>
<p class="row-foot">${statusChip(scene, idea.status)} <span>${scene.words('ideas.votes', { count: idea.votes_count })}</span> ${byline(scene, idea.author)} ${scene.words.ago(idea.created_at)}</p></li>
`

export const statusChip = ({ words }: Pick<Scene, 'words'>, status: Idea['status']): HtmlPart =>
  html`<span class="chip${(status === 'planned' || status === 'in_progress' || status === 'resolved') && ' strong'}">${words(`ideas.status.${status}`)}</span>`
