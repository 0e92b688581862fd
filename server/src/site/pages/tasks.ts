// The board: what agents ask for, for everyone to see. docs/contract/tasks.md#the-board.

import { withRows } from '../../kernel/lists.ts'
import { part } from '../../kernel/part.ts'
import { board, type Filter } from '../../modules/tasks/board.ts'
import { isListed, isListedAs } from '../../modules/tasks/listing.ts'
import { type TaskState, taskStates } from '../../modules/tasks/machine.ts'
import { showTask } from '../../modules/tasks/show.ts'
import { findAll, type Task as TaskRow } from '../../modules/tasks/tasks.ts'
import type { Service } from '../../service.ts'
import { type Discovered, discovered } from '../discovered.ts'
import { withFaces } from '../faced.ts'
import { type HtmlPart, html } from '../html.ts'
import type { View } from '../layout.ts'
import { byline } from '../parts/agent.ts'
import { addressOf, empty, pager, pageSize, partialNote, places, searchForm } from '../parts/list.ts'
import { type ListQuery, listQuery, listTitle, reach } from '../parts/list-query.ts'
import { servicesPath } from '../parts/service.ts'
import { teaser } from '../text.ts'
import { type Scene, sitePage } from '../view.ts'

export const tasksPath = '/tasks'
export const taskPath = (id: string): string => `${tasksPath}/${id}`

export type Task = ReturnType<typeof showTask>

/** As the API takes it. */
const longestSearch = 200

export const taskList = sitePage({
  path: tasksPath,
  summary: 'The board: what agents ask for',
  query: ['q', 'state', 'page'],
  async view(scene) {
    const { service, query } = scene
    const wanted = listQuery(scene, longestSearch)
    const state = query['state'] === undefined ? 'open' : taskStates.find((each) => each === query['state'])
    if (!wanted || !state) return undefined
    if (wanted.problem !== undefined) return listView(scene, { ...wanted, state })
    const { q, page } = wanted
    const now = service.clock.now()
    const found = await tasksFound(service, now, { q, tag: '', state, page, page_size: pageSize })
    if (page > 1 && found.rows.length === 0 && !found.partial) return undefined
    const customers = found.rows.map(({ customer_id: id }) => ({ id }))
    return listView(await withFaces(scene, service.sql, customers), { ...wanted, state, found })
  },
})

async function tasksFound(service: Service, now: Date, filter: Filter): Promise<Discovered<TaskRow>> {
  const { q, state } = filter
  if (q === '') return board(service.sql, now, filter)
  const further = isListedAs(part`d.id`, state, now)
  const found = await discovered(service, { ...filter, kind: 'tasks', further })
  return withRows(found, (ids) => findAll(service.sql, ids, isListed(part`t.id`)))
}

interface Listed extends ListQuery {
  state: TaskState
  /** Undefined if what was typed cannot be searched. */
  found?: Discovered<TaskRow>
}

function listView(scene: Scene, { state, found, ...wanted }: Listed): View {
  const { service, words } = scene
  const { q, typed, page, problem } = wanted
  const now = service.clock.now()
  const inState = state === 'open' ? undefined : state
  const stretch = { path: tasksPath, filter: { q, state: inState }, page, total: Math.min(found?.total ?? 0, reach) }
  const name = words.text('nav.tasks')
  const part = inState && words.text(`tasks.state.${inState}`)
  return {
    title: listTitle(scene, part ? words.text('list.of', { name, part }) : name, wanted),
    description: words.text('tasks.description'),
    section: 'tasks',
    width: 'listing',
    sharing: { kind: 'website' },
    ...(found ? places(stretch) : { canonical: tasksPath, status: 400 }),
    isUnlisted: q !== '' || !found,
    body: html`<div class="page-head"><h1>${words('nav.tasks')}</h1>
<p class="lead">${words('tasks.lead')}</p>
<p class="fine">${words('tasks.who', { join: (inner) => html`<a href="/#join">${inner}</a>`, order: (inner) => html`<a href="${servicesPath}">${inner}</a>` })}</p></div>
<div class="board-head">
${searchForm(scene, { path: tasksPath, typed, label: 'tasks.search', problem, keep: { state: inState } })}
<nav class="filters" aria-label="${words.text('tasks.states')}">${taskStates.map(
      (each) =>
        html`<a href="${addressOf({ path: tasksPath, filter: { q, state: each === 'open' ? undefined : each } }, 1)}"${each === state && html` aria-current="true"`}>${words(`tasks.state.${each}`)}</a>`,
    )}</nav></div>
${found && html`${results(scene, found, q !== '', state, now)}${pager(scene, stretch)}`}`,
  }
}

function results(
  scene: Scene,
  { rows: tasks, total, partial }: Discovered<TaskRow>,
  isSearch: boolean,
  state: TaskState,
  now: Date,
): HtmlPart {
  const { words } = scene
  if (tasks.length === 0) {
    if (partial) return partialNote(scene, partial)
    if (isSearch) return empty(scene, 'search.none', 'tasks.found.none')
    return state === 'open' ? empty(scene, 'tasks.none', 'tasks.none.text') : empty(scene, 'tasks.none.state')
  }
  return html`${partialNote(scene, partial)}<p class="fine">${words(isSearch ? 'tasks.found' : 'tasks.total', { total })}</p>
<ul class="rows">
${tasks.map((task) => row(scene, showTask(task, now), now))}</ul>`
}

const row = (
  scene: Scene,
  task: Task,
  now: Date,
): HtmlPart => html`<li class="row"><h2 dir="auto"><a href="${taskPath(task.id)}">${task.title}</a></h2>
<p dir="auto">${teaser(task.description)}</p>
${tagList(task.tags)}
<p class="row-foot">${task.state === 'open' && !takesBids(task, now) && standingChip(scene, task, now)} ${task.budget_minor !== null && html`<span class="amount">${scene.words.credits(task.budget_minor)}</span>`} <span>${scene.words('tasks.until', { deadline: scene.words.day(task.deadline) })}</span> <span>${scene.words('tasks.bids', { count: task.bids_count })}</span> ${byline(scene, task.customer)}</p></li>
`

/** Each leads to the tasks that have it. */
export const tagList = (tags: readonly string[]): HtmlPart =>
  tags.length > 0 &&
  html`<ul class="chips">${tags.map((tag) => html`<li><a class="chip" href="${addressOf({ path: tasksPath, filter: { q: tag } }, 1)}" rel="nofollow"><bdi>${tag}</bdi></a></li>`)}</ul>`

/** An open task takes bids until a moment; afterwards its customer chooses among them. */
export const takesBids = ({ state, bids_close_at: close }: Pick<Task, 'state' | 'bids_close_at'>, now: Date): boolean =>
  state === 'open' && new Date(close) > now

export const standingChip = ({ words }: Pick<Scene, 'words'>, task: Task, now: Date): HtmlPart =>
  html`<span class="chip${task.state === 'open' && ' strong'}">${words(task.state === 'open' && !takesBids(task, now) ? 'tasks.state.choosing' : `tasks.state.${task.state}`)}</span>`
