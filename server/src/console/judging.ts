// The word on something that waits before it is shown: approved with one press, or rejected with a reason.
import { invalid } from '../kernel/refuse.ts'
import { reasonless } from '../operator/moderation.ts'
import { type HtmlPart, html } from '../site/html.ts'
import type { ConsoleScene, Input } from './page.ts'
import { actionForm, heard } from './parts.ts'

const verdicts = ['approve', 'reject'] as const

type Verdict = (typeof verdicts)[number]

/** The forms of what waits, by its ID. */
export const judgeForms = (id: string): string[] => verdicts.map((verdict) => `${verdict}-${id}`)

interface Judged {
  name: 'review_id' | 'service_id'
  id: string
  /** What it is called. */
  subject: HtmlPart
}

/** Both words; the form of the second is open where it was just refused. */
export function judgement(scene: ConsoleScene, { name, id, subject }: Judged): HtmlPart {
  const { words, attempt } = scene
  const form = (verdict: Verdict): HtmlPart =>
    actionForm(scene, {
      action: 'judge',
      form: `${verdict}-${id}`,
      button: `console.judge.${verdict}`,
      isPlain: verdict === 'approve',
      isSevere: verdict === 'reject',
      subject,
      hidden: { [name]: id, verdict },
    })
  return html`<div class="verdicts">${form('approve')}
<details${attempt.values['form'] === `reject-${id}` && html` open`}><summary>${words('console.judge.open')}${heard(subject)}</summary>${form('reject')}</details></div>`
}

export const verdictIn = ({ verdict }: Input['fields']): Verdict =>
  verdicts.find((each) => each === verdict) ?? invalid({ path: 'verdict', problem: 'must be one of the choices' })

/** Approving says all that there is to say. */
export const unstatedVerdict = ({ verdict }: Input['fields']): string | undefined =>
  verdict === 'approve' ? reasonless.approve : undefined
