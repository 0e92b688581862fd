// One record of feedback with its answers, and the next answer. docs/operating.md#the-console.
import { invalid } from '../../kernel/refuse.ts'
import { type AnswerStatus, answerStatuses } from '../../modules/feedback/machine.ts'
import { longestText } from '../../modules/feedback/shapes.ts'
import { answerFeedback, findFeedback, type WholeFeedback } from '../../operator/feedback.ts'
import { checkText, OperatorError } from '../../operator/operator.ts'
import { type HtmlPart, html } from '../../site/html.ts'
import { choices, entry } from '../../site/parts/form.ts'
import { isCanonicalId } from '../../site/text.ts'
import { paragraphs } from '../../site/written.ts'
import { agoIn } from '../lists.ts'
import { type ConsoleScene, consolePage, type Input } from '../page.ts'
import { actionForm, outcomeNote, toForms } from '../parts.ts'
import { feedbackMarks, feedbackPath } from './feedback.ts'

export const feedbackRecord = consolePage({
  path: `${feedbackPath}/{feedback_id}`,
  summary: 'One record of feedback, and its answer',
  section: 'feedback',
  async view(scene) {
    const { service, params, words } = scene
    const id = params['feedback_id'] ?? ''
    const found = isCanonicalId(id) ? await findFeedback(service.sql, id) : undefined
    if (!found) return undefined
    const { feedback: each } = found
    return {
      title: words.text('console.feedback.record', { title: each.title }),
      width: 'page',
      body: html`<div class="page-head"><p class="eyebrow"><a href="${feedbackPath}">${words('console.nav.feedback')}</a></p>
<h1 dir="auto">${each.title}</h1>
<p class="meta">${feedbackMarks(scene, each)} <span>${agoIn(scene, each.created_at)}</span> <span><bdi>${each.author.display_name}</bdi> <a href="/operator/agents/${each.author.handle}">@${each.author.handle}</a></span></p>
${toForms(scene, 'answer', 'console.feedback.answer')}</div>
${outcomeNote(scene, ['answer'])}
<div class="beside"><div><section class="part" aria-labelledby="told"><h2 id="told">${words('console.feedback.told')}</h2>
<blockquote>${paragraphs(each.body)}</blockquote>${diagnostics(scene, found)}</section>
${followups(scene, found)}${answers(scene, found)}</div>
<section class="part decide" aria-labelledby="answer"><h2 id="answer">${words('console.feedback.answer')}</h2>
<p class="fine">${words(each.visibility === 'public' ? 'console.feedback.public' : 'console.feedback.private')}</p>${answerForm(scene, found)}</section></div>`,
    }
  },
  actions: {
    answer: {
      fields: ['status', 'response', 'expected_version'],
      problems: { status: 'console.feedback.status.problem', response: 'console.feedback.response.problem' },
      // The answer says why.
      unstated: () => '',
      run: (tx, { actor, params, fields, reason }) =>
        answerFeedback(tx, {
          actor,
          id: recordIdOf(params),
          ...(reason !== '' && { reason }),
          ...replyOf(fields),
        }),
    },
  },
})

function recordIdOf({ feedback_id: id = '' }: Input['params']): string {
  if (!isCanonicalId(id)) throw new OperatorError('No such feedback')
  return id
}

function replyOf({ status: wanted, response = '', expected_version: version }: Input['fields']) {
  const status = answerStatuses.find((each) => each === wanted)
  const problems = [
    ...(status ? [] : [{ path: 'status', problem: 'must be one of the choices' }]),
    ...(isText(response) ? [] : [{ path: 'response', problem: 'must be 1 to 5,000 characters' }]),
    ...(/^[1-9]\d{0,8}$/.test(version ?? '') ? [] : [{ path: 'expected_version', problem: 'must be a version' }]),
  ]
  if (problems.length > 0) invalid(...problems)
  return { status: status as AnswerStatus, response, expectedVersion: Number(version) }
}

function isText(given: string): boolean {
  try {
    return checkText('response', given, longestText) !== ''
  } catch {
    return false
  }
}

const diagnostics = ({ words }: ConsoleScene, { feedback }: WholeFeedback): HtmlPart => {
  const told = 'diagnostics' in feedback ? feedback.diagnostics : null
  if (!told) return undefined
  return html`<h3>${words('console.feedback.diagnostics')}</h3><dl class="facts">${Object.entries(told).map(
    ([name, value]) => html`<dt><code>${name}</code></dt><dd><bdi>${String(value)}</bdi></dd>`,
  )}</dl>`
}

const followups = ({ words, ...scene }: ConsoleScene, { followups: found }: WholeFeedback): HtmlPart =>
  found.length > 0 &&
  html`<section class="part" aria-labelledby="followups"><h2 id="followups">${words('console.feedback.followups')}</h2><ul class="rows">${found.map(
    ({ body, created_at: at }) =>
      html`<li class="row">${paragraphs(body)}<p class="fine">${agoIn({ words, ...scene }, at)}</p></li>`,
  )}</ul></section>`

const answers = ({ words, ...scene }: ConsoleScene, { updates }: WholeFeedback): HtmlPart =>
  updates.length > 0 &&
  html`<section class="part" aria-labelledby="answers"><h2 id="answers">${words('console.feedback.answers')}</h2><ul class="rows">${updates.map(
    ({ status, response, created_at: at }) =>
      html`<li class="row">${paragraphs(response ?? '')}<p class="row-foot"><span class="chip">${words(`console.feedback.is.${status}`)}</span> <span>${agoIn({ words, ...scene }, at)}</span></p></li>`,
  )}</ul></section>`

const answerForm = (scene: ConsoleScene, { feedback }: WholeFeedback): HtmlPart => {
  const { words } = scene
  return actionForm(scene, {
    action: 'answer',
    button: 'console.feedback.button',
    isPlain: true,
    hidden: { expected_version: String(feedback.version) },
    entries: (attempt) =>
      html`${choices(attempt, {
        name: 'status',
        label: words('console.state'),
        options: [
          { value: '', name: words('form.choose') },
          ...answerStatuses.map((value) => ({ value, name: words(`console.feedback.is.${value}`) })),
        ],
      })}${entry(attempt, { name: 'response', label: words('console.feedback.response'), rows: 6, isRequired: true, maxLength: longestText })}`,
  })
}
