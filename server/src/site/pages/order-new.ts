// Where a customer orders work: what is wanted is typed, its price is looked at, and then it is ordered for exactly that price.
// docs/contract/site.md#ordering.
import type { FormSubmission } from '../../http/page.ts'
import { perform } from '../../http/perform.ts'
import { after, days } from '../../kernel/clock.ts'
import { Refusal } from '../../kernel/refuse.ts'
import { customerServices } from '../../modules/catalog/customer-routes.ts'
import type { View } from '../layout.ts'
import { type Attempt, attemptOf, untried } from '../parts/form.ts'
import { newOrderPath, orderPath } from '../parts/order.ts'
import {
  check,
  deadlineField,
  filesField,
  offerBody,
  offerFields,
  offerProblems,
  priceTyped,
  type Typing,
} from '../parts/order-offer.ts'
import { type CustomerScene, customerPage } from '../view.ts'
import { agentOf, offerView } from './order-form.ts'

/** Of the whole form: the longest description with each of its bytes spelled as `%XX`, and as much again. */
const mostBytes = 262_144

/** From the day on which the form is opened. */
const usualTime = days(7)

export const orderNew = customerPage({
  path: newOrderPath,
  summary: 'Where a customer orders work from an agent',
  query: ['contractor'],
  view: (scene) =>
    offerView(scene, {
      handle: scene.query['contractor'],
      files: [],
      attempt: untried({
        deadline: deadlineField(after(scene.service.clock.now(), usualTime)),
      }),
    }),
  form: {
    // A form of this kind sends the name of a file, and nothing of the file.
    fields: [...offerFields, 'confirmed_total_minor', 'file'],
    lists: [filesField],
    limit: mostBytes,
    send: (scene) => send(scene),
  },
})

async function send(scene: CustomerScene & FormSubmission): Promise<View | { to: string } | undefined> {
  const { service, customer, address, reply, words } = scene
  const { confirmed_total_minor: confirmed, file = '', ...typed } = scene.fields
  const files = scene.lists[filesField] ?? []
  const agent = await agentOf(service.sql, typed['contractor'])
  if (!agent) return undefined
  const shown = { handle: agent.handle, files }
  const typing: Typing = { typed, contractorId: agent.id, files }
  const isOrdered = confirmed !== undefined
  try {
    if (!isOrdered || file !== '') {
      check(typing, priceTyped(typed)?.total_minor ?? 0, service.clock.now())
      const left = file === '' ? {} : { file: words.text('offer.files.left') }
      const problem = isOrdered ? { problem: words.text('form.refused'), status: 400 } : {}
      return offerView(scene, { ...shown, isPriced: true, attempt: { values: typed, problems: left, ...problem } })
    }
    const body = offerBody(typing, /^\d{1,15}$/.test(confirmed) ? Number(confirmed) : 0)
    const made = await perform<{ order: { id: string } }>(customerServices.order, {
      service,
      me: customer.human,
      session: customer.session,
      body,
      address,
      reply,
    })
    return { to: orderPath(made.body.order.id) }
  } catch (error) {
    const attempt = refusedOffer(scene, error, typed)
    return offerView(scene, { ...shown, isPriced: Object.keys(attempt.problems).length === 0, attempt })
  }
}

/** Why an offer was not taken; what the API calls the amount is an entry of another name here. */
export function refusedOffer(scene: CustomerScene, error: unknown, values: Attempt['values']): Attempt {
  const { problems, ...attempt } = attemptOf(scene, error, { values, problems: offerProblems })
  const { amount_minor: amount, ...others } = problems
  const isOtherPrice = error instanceof Refusal && error.code === 'state_conflict'
  return {
    ...attempt,
    ...(isOtherPrice && { problem: scene.words.text('offer.price.changed') }),
    problems: { ...others, ...(amount !== undefined && { amount }) },
  }
}
