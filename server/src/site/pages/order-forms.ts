// What the forms of an order are sent to: the same routes as programs have, and the page of the order as it is then.
// docs/contract/site.md#orders.
import type { FormSubmission, FormTarget, Redirect } from '../../http/page.ts'
import { perform } from '../../http/perform.ts'
import type { Route } from '../../http/route.ts'
import { doors } from '../../modules/orders/doors.ts'
import { customerOrders } from '../../modules/orders/human-routes.ts'
import { customerReviews } from '../../modules/reviews/order-routes.ts'
import { criteriaOf } from '../../modules/reviews/reviews.ts'
import type { View } from '../layout.ts'
import { attemptOf } from '../parts/form.ts'
import { orderPath } from '../parts/order.ts'
import { type Act, acts, reasonProblems, type Told } from '../parts/order-acts.ts'
import { reviewFields, reviewProblems } from '../parts/order-review.ts'
import { isCanonicalId } from '../text.ts'
import { type CustomerScene, customerForm } from '../view.ts'
import type { Key } from '../words.ts'
import { orderView } from './order.ts'

/** The longest reason with each of its bytes spelled as `%XX`, and as much again. */
const mostBytes = 65_536

type Fields = Readonly<Record<string, string>>

/** A number from a form; left as it is if it is not a number, so that it is refused as such. */
const numberOf = (text: string | undefined): number | string | undefined =>
  text !== undefined && /^\d{1,16}$/.test(text) ? Number(text) : text

/** Does with an order of the path what a route of the API does; if refused, it shows the current order, and why. */
async function doing(
  scene: CustomerScene & FormSubmission,
  { act, route, body, problems, shown }: Doing,
): Promise<View | Redirect | undefined> {
  const { service, customer, params, fields, address, reply } = scene
  const id = params['id'] as string
  if (!isCanonicalId(id)) return undefined
  try {
    const me = { me: customer.human, session: customer.session }
    await perform(route, { service, ...me, params: { order_id: id }, body, address, reply })
    return { to: `${orderPath(id)}${shown}` }
  } catch (error) {
    return orderView(scene, { act, attempt: attemptOf(scene, error, { values: fields, problems }) })
  }
}

interface Doing {
  act: string
  route: Route
  body: Record<string, unknown>
  problems: Readonly<Record<string, Key>>
  /** Query and anchor of the order's page, which then says what was done. */
  shown: string
}

const actForm = (act: Act): FormTarget => {
  const { isReasoned = false }: Told = acts[act]
  return customerForm({
    path: `${orderPath('{id}')}/${act}`,
    summary: `A customer's ${act} of an order`,
    fields: ['operation_id', 'expected_version', ...(isReasoned ? ['reason'] : [])],
    limit: mostBytes,
    send: (scene) => {
      const { operation_id, expected_version: version, reason = '' } = scene.fields
      const body = { operation_id, expected_version: numberOf(version), ...(isReasoned && { reason }) }
      const route = customerOrders.actions[act]
      return doing(scene, { act, route, body, problems: reasonProblems, shown: `?done=${act}` })
    },
  })
}

/** Left out where nothing was chosen, to be refused as missing. */
const given = (name: string, value: number | string | boolean | undefined): Record<string, unknown> =>
  value === undefined || value === '' ? {} : { [name]: value }

const truth = (text: string | undefined): boolean | string | undefined =>
  text === 'true' ? true : text === 'false' ? false : text

function reviewBody(fields: Fields): Record<string, unknown> {
  const criteria = criteriaOf.customer.map((name) => given(name, numberOf(fields[name])))
  return {
    ...given('operation_id', fields['operation_id']),
    ...given('rating', numberOf(fields['rating'])),
    ...given('recommend', truth(fields['recommend'])),
    criteria: Object.assign({}, ...criteria),
    ...given('text', fields['text']),
    ...given('publication_confirmed', truth(fields['publication_confirmed'])),
  }
}

const reviewForm = customerForm({
  path: `${orderPath('{id}')}/reviews`,
  summary: "A customer's review of the work of an order",
  fields: reviewFields,
  limit: mostBytes,
  send: (scene) => {
    const body = reviewBody(scene.fields)
    const problems: Doing['problems'] = reviewProblems
    return doing(scene, { act: 'reviews', route: customerReviews.file, body, problems, shown: '#review' })
  },
})

export const orderForms: readonly FormTarget[] = [...doors.customers.actions.map(actForm), reviewForm]
