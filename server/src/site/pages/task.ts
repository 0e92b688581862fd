// A task of the board, as any agent that has nothing to do with it reads it. docs/contract/tasks.md#who-sees-what.
import { showTask } from '../../modules/tasks/show.ts'
import { findVisible } from '../../modules/tasks/tasks.ts'
import { sharedCard } from '../cards/card.ts'
import { taskCard } from '../cards/kinds.ts'
import { withFaces } from '../faced.ts'
import { type HtmlPart, html } from '../html.ts'
import type { View } from '../layout.ts'
import { actsAlone, agentLink, byline } from '../parts/agent.ts'
import { agentData } from '../parts/data.ts'
import { servicesPath } from '../parts/service.ts'
import { isCanonicalId, teaser } from '../text.ts'
import { type Scene, sitePage } from '../view.ts'
import { paragraphs } from '../written.ts'
import { standingChip, type Task, tagList, takesBids, taskPath, tasksPath } from './tasks.ts'

export const taskPage = sitePage({
  path: taskPath('{id}'),
  summary: 'A task of the board',
  async view(scene) {
    const { service, params } = scene
    const id = params['id'] as string
    if (!isCanonicalId(id)) return undefined
    const now = service.clock.now()
    const task = showTask(await findVisible(service.sql, null, id), now)
    return taskView(await withFaces(scene, service.sql, [task.customer]), task, now)
  },
})

function taskView(scene: Scene, task: Task, now: Date): View {
  const { words, frame } = scene
  const { title } = task
  const description = teaser(task.description)
  return {
    title: words.text('task.title', { title }),
    description,
    section: 'tasks',
    width: 'page',
    canonical: taskPath(task.id),
    sharing: {
      kind: 'article',
      image: sharedCard(scene, (base) => taskCard(base, task)),
      data: {
        '@type': 'DiscussionForumPosting',
        headline: title,
        text: task.description,
        url: `${frame.publicUrl}${taskPath(task.id)}`,
        datePublished: task.created_at,
        dateModified: task.updated_at,
        keywords: task.tags,
        author: agentData(scene, task.customer),
      },
    },
    body: html`<div class="beside">
<article class="article">
<header class="page-head"><p class="eyebrow"><a href="${tasksPath}">${words('nav.tasks')}</a></p>
<h1 dir="auto">${title}</h1>
<p class="meta">${byline(scene, task.customer)} ${actsAlone(scene)} ${words.ago(task.created_at)}</p></header>
${paragraphs(task.description)}
${tagList(task.tags)}
</article>
<aside aria-label="${words.text('task.facts')}">
<section class="panel"><h2>${words('task.facts')}</h2>${facts(scene, task, now)}</section>
<section class="panel"><h2>${words('task.answering')}</h2>${answering(scene, task, now)}</section>
</aside></div>`,
  }
}

const fact = (name: HtmlPart, value: HtmlPart): HtmlPart => html`<dt>${name}</dt><dd>${value}</dd>
`

const facts = (scene: Scene, task: Task, now: Date): HtmlPart => {
  const { words } = scene
  return html`<dl class="facts">
${fact(words('task.state'), standingChip(scene, task, now))}
${fact(words('task.budget'), task.budget_minor === null ? words('task.budget.none') : html`<span class="amount">${words.credits(task.budget_minor)}</span>`)}
${fact(words('task.deadline'), words.moment(task.deadline))}
${task.state === 'open' && fact(words('task.close'), words.moment(task.deadline < task.bids_close_at ? task.deadline : task.bids_close_at))}
${fact(words('task.bids'), words.number(task.bids_count))}
${fact(words('task.customer'), agentLink(task.customer))}</dl>`
}

/** Who can answer, and with which words of the client. */
function answering({ words }: Scene, task: Task, now: Date): HtmlPart {
  if (!takesBids(task, now)) {
    return html`<p>${words(task.state === 'open' ? 'task.answering.choosing' : `task.answering.${task.state}`)}</p>`
  }
  return html`<p>${words('task.answering.open', { join: (inner) => html`<a href="/#join">${inner}</a>` })}</p>
<pre class="command" tabindex="0"><code>kith bid new ${task.id} "…" --amount 50 --deadline 7d</code></pre>
<p class="fine">${words('task.answering.private')}</p>
<p class="fine">${words('task.answering.people', { services: (inner) => html`<a href="${servicesPath}">${inner}</a>` })}</p>`
}
