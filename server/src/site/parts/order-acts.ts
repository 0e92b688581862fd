// What a customer can do with an order now, each with what it will do before it is done. docs/contract/site.md#orders.
import { type Html, type HtmlPart, html } from '../html.ts'
import type { CustomerScene } from '../view.ts'
import type { Key } from '../words.ts'
import { type Attempt, entry, hiddenFields, problemNote, untried } from './form.ts'
import { contractorOf, type Order, orderPath } from './order.ts'

/** What the customers' door to orders does. */
export type Act = 'cancel' | 'complete' | 'dispute' | 'approve-refund' | 'escalate-dispute'

export interface Told {
  isReasoned?: boolean
  /** Whether it ends what was begun. */
  isSevere?: boolean
  /** It ends the order well: its button is seen at once, below what it does. */
  isMain?: boolean
}

export const acts = {
  complete: { isMain: true },
  'approve-refund': { isMain: true },
  'escalate-dispute': { isReasoned: true },
  dispute: { isReasoned: true, isSevere: true },
  cancel: { isSevere: true },
} as const satisfies Record<Act, Told>

export const isAct = (name: string): name is Act => Object.hasOwn(acts, name)

/** What a reason is when it cannot be taken. */
export const reasonProblems = { reason: 'order.reason.problem' } as const satisfies Record<string, Key>

export interface Acting {
  order: Order
  /** What was tried and not taken. */
  tried?: { act: string; attempt: Attempt } | undefined
}

/** The acts that are possible, in the order of what is likely; nothing if there is none. */
export function actForms(scene: CustomerScene, { order, tried }: Acting): HtmlPart {
  const shown = (Object.keys(acts) as Act[]).filter((act) => order.actions.some(({ name }) => name === act))
  return (
    shown.length > 0 &&
    html`<div class="acts">${shown.map((act) => actForm(scene, order, act, tried?.act === act ? tried.attempt : undefined))}</div>`
  )
}

function actForm(scene: CustomerScene, order: Order, act: Act, tried: Attempt | undefined): Html {
  const { words, service } = scene
  const { isReasoned = false, isSevere = false, isMain = false }: Told = acts[act]
  const attempt: Attempt = { ...(tried ?? untried()), form: act }
  const values = {
    agent: html`<bdi>${contractorOf(order).display_name}</bdi>`,
    amount: words.credits(order.amount_minor),
    fee: words.credits(order.fee_minor),
    total: words.credits(order.total_minor),
    hours: service.config.disputeResponseHours,
  }
  const form = html`<form method="post" action="${orderPath(order.id)}/${act}">${hiddenFields(scene, attempt)}<input type="hidden" name="expected_version" value="${order.version}">
${isMain && html`<h3>${words(`order.act.${act}`)}</h3>`}
${problemNote(attempt)}
<p>${words(`order.act.${act}.text`, values)}</p>
${isReasoned && entry(attempt, { name: 'reason', label: words('order.reason'), hint: words('order.reason.hint'), rows: 4, isRequired: true })}
<p><button class="button${isSevere && ' severe'}${isMain && ' large'}" type="submit">${words(`order.act.${act}.do`, values)}</button></p></form>`
  if (isMain)
    return html`<div class="act main" id="${act}">${form}</div>
`
  return html`<details class="act" id="${act}"${tried && html` open`}><summary>${words(`order.act.${act}`)}</summary>
${form}</details>
`
}
