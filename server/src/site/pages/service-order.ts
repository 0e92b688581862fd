// A person orders a service: the price of what was typed is worked out as a quote, and ordered by it once it is confirmed.
// docs/contract/site.md#services.
import { isDeepStrictEqual } from 'node:util'
import { checksOf } from '../../http/checks.ts'
import type { Form, FormSubmission, Redirect } from '../../http/page.ts'
import { perform } from '../../http/perform.ts'
import { type Problem, Refusal } from '../../kernel/refuse.ts'
import { customerServices } from '../../modules/catalog/customer-routes.ts'
import { judge, judgeParameters, type Parameters } from '../../modules/catalog/form.ts'
import { inputsOf } from '../../modules/catalog/inputs.ts'
import { find as findQuote, type Quote } from '../../modules/catalog/quotes.ts'
import { findVisible } from '../../modules/catalog/services.ts'
import type { Service } from '../../modules/catalog/show.ts'
import { type Attempt, attemptOf, together } from '../parts/form.ts'
import { orderPath } from '../parts/order.ts'
import { deadlineOf, filesField, offerProblems, requireDeadline } from '../parts/order-offer.ts'
import { servicePath } from '../parts/service.ts'
import {
  aligned,
  answerFields,
  answerLists,
  answerProblems,
  filesOf,
  type GivenAnswers,
  keysField,
  parametersOf,
} from '../parts/service-form.ts'
import { isCanonicalId } from '../text.ts'
import { type CustomerScene, sceneOf, shownAs, signedOut, signInPath } from '../view.ts'
import { type QuotedPrice, serviceView } from './service-view.ts'

/** Those of the form that stay as they were typed; the answers have entries of their own. */
export const orderFields = [
  'operation_id',
  'expected_version',
  'quote_operation_id',
  keysField,
  'quantity',
  'description',
  'deadline',
] as const
export const orderLists = [filesField, ...answerLists] as const

/** Twenty answers of the longest kind with each of their bytes spelled as `%XX` do not fit: what fits is what a body takes. */
const mostBytes = 524_288

export const orderForm: Form = {
  guard: 'session',
  fields: [
    ...orderFields,
    ...answerFields,
    'service_quote_id',
    'confirmed_total_minor',
    // A form of this kind sends the name of a file, and nothing of the file.
    'file',
  ],
  lists: orderLists,
  limit: mostBytes,
  send: async (sent) => {
    const { customer } = sent
    if (!customer) {
      return signedOut(sent, signInPath(`${servicePath(sent.params['id'] as string)}#order`), sent.unsent)
    }
    const scene = { ...sceneOf(sent), customer }
    const answer = await ordering({ ...sent, ...scene })
    return answer && 'to' in answer ? answer : shownAs(scene, answer)
  },
}

type Ordering = CustomerScene & FormSubmission

/** What was typed for a service, as the API takes it. */
interface Typing {
  service: Service
  sent: GivenAnswers
  parameters: Parameters
  files: readonly string[]
}

async function ordering(scene: Ordering): Promise<Redirect | Awaited<ReturnType<typeof serviceView>>> {
  const { service: kith, params, fields, lists, words } = scene
  const id = params['id'] as string
  if (!isCanonicalId(id)) return undefined
  const typing = typed(await findVisible(kith.sql, null, id), { values: fields, lists })
  const { sent } = typing
  const again = (attempt: Attempt, quote?: QuotedPrice) =>
    serviceView(scene, { attempt, lists: sent.lists, ...(quote && { quote }) })
  try {
    check(scene, typing)
    const confirmed = await confirmedQuote(scene, typing)
    const isOrdered = fields['confirmed_total_minor'] !== undefined
    if (confirmed && isOrdered && !fields['file']) return { to: orderPath(await order(scene, typing, confirmed)) }
    const { quote } = await asked(scene, typing)
    const left = fields['file'] ? { file: words.text('offer.files.left') } : {}
    const problem = fields['file'] ? 'form.refused' : 'service.price.changed'
    const told = isOrdered ? { problem: words.text(problem), status: fields['file'] ? 400 : 409 } : {}
    return await again({ values: sent.values, problems: left, ...told }, quote)
  } catch (error) {
    return again(refused(scene, typing, error))
  }
}

function typed(service: Service, given: GivenAnswers): Typing {
  const form = service.input_schema
  const sent = aligned(form, given)
  const parameters = parametersOf(form, sent)
  const files = [...new Set([...(sent.lists[filesField] ?? []), ...filesOf(form, parameters)])]
  return { service, sent, parameters, files }
}

const numberOf = (text = ''): number | string => (/^\s*\d{1,15}\s*$/.test(text) ? Number(text) : text)

function askBody({ fields }: Ordering, { parameters, files }: Typing): Record<string, unknown> {
  return {
    operation_id: fields['quote_operation_id'],
    expected_version: numberOf(fields['expected_version']),
    quantity: numberOf(fields['quantity']),
    parameters,
    [filesField]: [...files],
  }
}

/** The order is called like the service; where the form asks enough, nothing more need be said. */
function orderBody({ fields }: Ordering, { service }: Typing, quoteId: string, total: number): Record<string, unknown> {
  const { operation_id, description = '', deadline = '' } = fields
  const isAsked = service.input_schema.fields.length > 0
  return {
    operation_id,
    service_quote_id: quoteId,
    title: service.title,
    description: isAsked && description.trim() === '' ? service.title : description,
    deadline: deadlineOf(deadline),
    confirmed_total_minor: total,
  }
}

/** Any id and any total: the others are checked with them. */
const noQuote = { id: '00000000-0000-7000-8000-000000000000', total: 0 }

/** Refuses everything that is wrong with what was typed at once, before a price is worked out. */
function check(scene: Ordering, typing: Typing): void {
  const { input_schema: form } = typing.service
  together(
    () => checksOf(customerServices.quote).body(askBody(scene, typing)),
    () => checksOf(customerServices.order).body(orderBody(scene, typing, noQuote.id, noQuote.total)),
    () => requireDeadline(scene.fields, scene.service.clock.now()),
    () => judgeParameters(form, inputsOf(typing).parameters, typing.files),
  )
}

/** The quote that the page showed, if it is for what is typed now. */
async function confirmedQuote(
  { service: kith, customer, fields }: Ordering,
  typing: Typing,
): Promise<Quote | undefined> {
  const id = fields['service_quote_id'] ?? ''
  if (!isCanonicalId(id)) return undefined
  const quote = await findQuote(kith.sql, customer.human.id, id)
  const { snapshot, quantity, parameters, input_attachment_ids: files } = quote
  const { value } = judge(snapshot.service.input_schema, inputsOf(typing).parameters, typing.files)
  const isSame =
    quote.service_id === typing.service.id &&
    quantity === numberOf(fields['quantity']) &&
    isDeepStrictEqual(parameters, value) &&
    isDeepStrictEqual([...files].sort(), [...typing.files].sort())
  return isSame ? quote : undefined
}

async function asked(scene: Ordering, typing: Typing): Promise<{ quote: QuotedPrice }> {
  const { service, customer, address, reply } = scene
  const me = { me: customer.human, session: customer.session }
  const params = { service_id: typing.service.id }
  const made = await perform<{ quote: QuotedPrice }>(customerServices.quote, {
    ...{ service, ...me, params, address, reply },
    body: askBody(scene, typing),
  })
  return made.body
}

/** Orders for exactly the total that was confirmed; gives the id of the order. */
async function order(scene: Ordering, typing: Typing, { id }: Quote): Promise<string> {
  const { service, customer, address, reply, fields } = scene
  const total = Number(/^\d{1,15}$/.exec(fields['confirmed_total_minor'] ?? '')?.[0] ?? 0)
  const made = await perform<{ order: { id: string } }>(customerServices.order, {
    ...{ service, me: customer.human, session: customer.session, address, reply },
    body: orderBody(scene, typing, id, total),
  })
  return made.body.order.id
}

const problems = {
  ...offerProblems,
  quantity: 'service.quantity.problem',
  parameters: 'service.answers.problem',
} as const

/** Why it was not taken, each problem beside its entry. */
export function refused(
  scene: CustomerScene,
  { service, sent }: Pick<Typing, 'service' | 'sent'>,
  error: unknown,
): Attempt {
  const attempt = attemptOf(scene, error, { values: sent.values, problems })
  const fields = error instanceof Refusal ? ((error.extras.details?.['fields'] ?? []) as readonly Problem[]) : []
  const { parameters: _, ...others } = attempt.problems
  const isLong = error instanceof Refusal && error.code === 'payload_too_large'
  const told = isLong && { problem: scene.words.text('service.answers.long') }
  return {
    ...attempt,
    ...told,
    problems: { ...others, ...answerProblems(scene.words, { form: service.input_schema, sent }, fields) },
  }
}
