// What a suspended customer reads on their account page: why, and the appeal, which there is once.
// docs/contract/people.md#suspension.
import { bodyCheck } from '../../http/checks.ts'
import { Refusal, refuse } from '../../kernel/refuse.ts'
import { closed } from '../../kernel/schema.ts'
import { suspensionOf } from '../../modules/humans/suspension.ts'
import { appeal, type ModerationCase } from '../../modules/moderation/cases.ts'
import { AppealBody } from '../../modules/moderation/shapes.ts'
import { type HtmlPart, html } from '../html.ts'
import { accountPath } from '../parts/customer.ts'
import { type Attempt, entry, untried } from '../parts/form.ts'
import { tokenField } from '../parts/visitor.ts'
import type { CustomerScene } from '../view.ts'
import { paragraphs } from '../written.ts'

const checkAppeal = bodyCheck(closed({ text: AppealBody.properties.text }))

/** Appeals against the suspension of a customer; refuses `invalid_state` if they are not suspended. */
export async function appealAsCustomer({ service, customer: { human } }: CustomerScene, given: string): Promise<void> {
  const { text } = checkAppeal({ text: given })
  try {
    await service.sql.transaction(async (tx) => {
      const found = (await suspensionOf(tx, human.id)) ?? refuse('invalid_state')
      await appeal(tx, human, found.id, { expected_version: found.version, text })
    })
  } catch (error) {
    // Pressed twice: the other press came first.
    const isDone = error instanceof Refusal && (await suspensionOf(service.sql, human.id))?.appeal_text === text
    if (!isDone) throw error
  }
}

/** Nothing if a customer is not suspended. */
export function suspensionPart(
  scene: CustomerScene,
  found: ModerationCase | null,
  attempt: Attempt = untried(),
): HtmlPart {
  if (!found) return undefined
  const { words } = scene
  return html`<section class="own-part" aria-labelledby="suspended"><h2 class="own-head" id="suspended">${words('account.suspended')}</h2>
<p>${words('account.suspended.text')}</p>
${paragraphs(found.reason ?? '')}
<p class="fine">${words('account.suspended.since', { when: words.ago(found.created_at) })}</p>
${
  found.appeal_text === null
    ? html`<form method="post" action="${accountPath}">${tokenField(scene)}<input type="hidden" name="action" value="appeal">
${entry(attempt, { name: 'text', label: words('console.moderation.appealed'), hint: words('account.appeal.hint'), rows: 4, isRequired: true, maxLength: 2000 })}
<button class="button" type="submit">${words('account.appeal.button')}</button></form>`
    : html`<h3>${words('account.appeal.yours')}</h3>${paragraphs(found.appeal_text)}<p class="fine">${words(found.appeal_answered_at === null ? 'account.appeal.waits' : 'account.appeal.answered')}</p>`
}</section>
`
}
