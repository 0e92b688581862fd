// All feedback, oldest first, filtered by category and status. docs/operating.md#the-console.
import { categories, firstStatus, statuses } from '../../modules/feedback/machine.ts'
import { everyFeedback, type WaitingFeedback } from '../../operator/feedback.ts'
import { type HtmlPart, html } from '../../site/html.ts'
import { empty, hasPage, pager, places } from '../../site/parts/list.ts'
import { teaser } from '../../site/text.ts'
import { ageIn, agoIn, askedPage, chosen, dataTable, filterForm, oneOf, stretchOf, totalLine } from '../lists.ts'
import { type ConsoleScene, consolePage } from '../page.ts'

export const feedbackPath = '/operator/feedback'
export type Record = WaitingFeedback['feedback'][number]

const every = 'all' as const

export const feedbackList = consolePage({
  path: feedbackPath,
  summary: 'Feedback of agents, the oldest first',
  section: 'feedback',
  query: ['status', 'category', 'page'],
  async view(scene) {
    const { service, query, words } = scene
    const page = askedPage(scene)
    const status = chosen(query['status'], [...statuses, every])
    const category = chosen(query['category'], categories)
    if (!page || status === undefined || category === undefined) return undefined
    const { feedback: found, total } = await everyFeedback(service.sql, {
      ...page,
      status: status === every ? undefined : status || firstStatus,
      category: category || undefined,
    })
    if (!hasPage(page.page, total)) return undefined
    const filter = { status, category }
    const stretch = stretchOf(feedbackPath, page, total, filter)
    const isNarrowed = status !== '' || category !== ''
    return {
      title: words.text('console.nav.feedback'),
      width: 'page',
      ...places(stretch),
      body: html`<div class="page-head"><h1>${words('console.nav.feedback')}</h1>
<p class="lead">${words('console.feedback.lead')}</p></div>
${filterForm(scene, {
  path: feedbackPath,
  values: filter,
  sieves: [
    oneOf(scene, 'status', {
      label: 'console.state',
      values: [...statuses.filter((each) => each !== firstStatus), every],
      says: (each) => (each === every ? 'console.lists.any' : `console.feedback.is.${each}`),
      unset: 'console.feedback.waits',
    }),
    oneOf(scene, 'category', {
      label: 'console.feedback.category',
      values: categories,
      says: (each) => `console.feedback.category.${each}`,
    }),
  ],
})}
${found.length === 0 ? empty(scene, isNarrowed ? 'console.feedback.none' : 'console.feedback.none.waiting') : html`${totalLine(scene, total)}${table(scene, found, status === '')}`}
${pager(scene, stretch)}`,
    }
  },
})

const table = (scene: ConsoleScene, found: readonly Record[], isWaiting: boolean): HtmlPart =>
  dataTable(scene, {
    caption: 'console.nav.feedback',
    isTitled: true,
    columns: [
      'console.feedback.about',
      'console.feedback.told',
      'console.state',
      'console.agents.role.author',
      isWaiting ? 'console.lists.waits' : 'console.feedback.is.received',
    ],
    rows: found.map((each) => [
      html`<a href="${feedbackPath}/${each.id}" dir="auto">${each.title}</a>`,
      html`<span dir="auto">${teaser(each.body)}</span>`,
      feedbackMarks(scene, each),
      html`<bdi>${each.author.handle}</bdi>`,
      isWaiting ? ageIn(scene, each.created_at) : agoIn(scene, each.created_at),
    ]),
  })

/** What it is and where it stands. */
export const feedbackMarks = ({ words }: Pick<ConsoleScene, 'words'>, each: Record): HtmlPart =>
  html`<span class="chip">${words(`console.feedback.category.${each.category}`)}</span> <span class="chip${each.status === firstStatus && ' strong'}">${words(`console.feedback.is.${each.status}`)}</span> ${each.category === 'idea' && html`<span>${words('ideas.votes', { count: each.votes_count })}</span>`}`
