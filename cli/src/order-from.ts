// Ordering from the catalogue: order from.
import {
  credits,
  type FolderClient,
  KithError,
  type NewQuotedOrder,
  type Order,
  type Quote,
  type Service,
} from '@kith/sdk/identity'
import { type Command, type Input, takes } from './command.ts'
import { confirming, confirmTotal, saidTotal, totalOption } from './confirm.ts'
import { Advised, Ended, exit } from './exit.ts'
import { type Filled, filledIn, formDetails, formOptions, givenOf } from './form.ts'
import { withFunds } from './funds.ts'
import { idOf, short } from './ids.ts'
import { type Intent, partId } from './intents.ts'
import { serviceKind } from './kinds.ts'
import { nextOfOrder, readOrder } from './order-step.ts'
import { again, identity } from './profile.ts'
import { line, quoted } from './safe.ts'
import { quotedText } from './service-text.ts'
import { make } from './shapes.ts'
import { bodyOf, ownId } from './step.ts'
import { timeOf, times } from './when.ts'
import { mainText, textOptions } from './words.ts'

const weekSeconds = 7 * 86_400

const orderFrom: Command = {
  name: 'order from',
  summary: "Order a friend's service at its price; nothing is reserved until it is accepted",
  args: 'SERVICE_ID',
  options: {
    ...formOptions,
    title: takes('TEXT', 'title of the order, up to 160 characters (default: that of the service)'),
    ...textOptions('a note to the provider, up to 8000 characters', 'description'),
    deadline: takes('WHEN', `${times} (default: 7d, or as long as the service takes)`),
    'confirm-total': totalOption,
    id: ownId('order'),
  },
  details: `${formDetails}
${confirming}
A quote is valid for ten minutes and for one order. The provider accepts or rejects the order.`,
  async run(input) {
    const serviceId = await idOf(input, serviceKind, input.args[0]!)
    const quantity = input.number('quantity', 1, { min: 1, max: 1000, whole: true })
    const given = await givenOf(input)
    const about = await mainText(input, ['description'])
    const due = input.text('deadline')
    const deadlineAt = due === undefined ? undefined : timeOf(due, '--deadline')
    saidTotal(input)
    const client = await identity(input)
    const service = await client.services.get(serviceId)
    requireOrderable(input, service)
    await requireFriend(input, client, service)
    const filled = await filledIn(input, service.input_schema, given)
    const title = input.text('title') ?? service.title
    await make(input, client, {
      content: ['order from', serviceId, quantity, filled.content, title, about, due, saidTotal(input)],
      key: 'order',
      body: (_, intent) => agreedOn(input, client, intent, { service, quantity, filled, title, about, deadlineAt }),
      send: (_, body: NewQuotedOrder, options) => client.orders.fromQuote(body, options).catch(advised),
      read: readOrder,
      says: async (order: Order, id) => [
        `Ordered from ${line(service.provider.handle)}: ${id}, ${credits(order.total_minor)} credits in total.`,
        ...(await nextOfOrder(input, client, order)),
      ],
    })
  },
}

interface Wanted {
  service: Service
  quantity: number
  filled: Filled
  title: string
  about: string | undefined
  deadlineAt: ReturnType<typeof timeOf> | undefined
}

/** Show the price, have it agreed to, upload what goes along, and fix the price in a quote. */
async function agreedOn(
  input: Input,
  client: FolderClient,
  intent: Intent,
  { service, quantity, filled, title, about, deadlineAt }: Wanted,
): Promise<NewQuotedOrder> {
  // The number of quotes is limited: only looking at a price makes none.
  const price = await client.orders.quote(service.price.amount_minor * quantity)
  const deed = `Order this from ${line(service.provider.handle)}`
  const terms = `${quoted(service.title, 160)}\n${quotedText(service, quantity, price)}`
  await confirmTotal(input, price, await withFunds(client, price.total_minor, terms), deed)
  const inputs = await filled.inputs(client, intent)
  const quote = await quoteFor(client, intent, (operationId) =>
    client.quotes.create(service, { quantity, ...inputs }, { operationId }).catch(advised),
  )
  if (quote.total_minor !== price.total_minor)
    throw new Ended(
      exit.refused,
      'total_differs',
      `the quote is ${credits(quote.total_minor)} credits, but you agreed to ${credits(price.total_minor)}`,
    )
  const took = quote.snapshot.service.estimated_duration_seconds ?? 0
  return {
    service_quote_id: quote.id,
    title,
    description:
      about ?? (service.input_schema.fields.length > 0 ? 'As answered in the form.' : 'As described in the service.'),
    deadline: deadlineAt ? await deadlineAt(client) : dueIn(await client.now(), took),
    confirmed_total_minor: quote.total_minor,
  }
}

export const dueIn = (began: number, seconds: number) =>
  new Date(began + 1000 * Math.max(weekSeconds, seconds)).toISOString()

/** A quote of this intent that still holds: that of a former try, or a new one. */
export async function quoteFor(
  client: FolderClient,
  intent: Pick<Intent, 'id'>,
  create: (operationId: string) => Promise<Quote>,
): Promise<Quote> {
  for (let n = 100; ; n++) {
    const id = partId(intent, n)
    const begun = await client.saved(id)
    if (!begun) return create(id)
    const service_id = begun.path.split('/')[2]!
    const body = bodyOf(begun) as unknown as { expected_version: number }
    const { quote } = await client.call(
      'POST /services/{service_id}/quote',
      { path: { service_id }, body },
      { operationId: id },
    )
    if (Date.parse(quote.expires_at) > (await client.now()) + 30_000) return quote as Quote
  }
}

function requireOrderable(input: Input, service: Service): void {
  const id = short(service.id)
  if (service.ready)
    throw new Ended(exit.refused, 'ready_made', 'this is a ready-made work', again(input, `ready buy ${id}`))
  if (service.price.mode === 'from')
    throw new Ended(
      exit.refused,
      'price_mode_mismatch',
      'its price depends on the case',
      `ask for an offer: ${again(input, `request new ${id}`)}`,
    )
  if (!service.can_order)
    throw new Ended(exit.refused, 'service_unavailable', `the service is ${service.state} and cannot be ordered now`)
}

/** Told before anything is uploaded or asked: services are ordered from friends. */
export async function requireFriend(
  input: Input,
  client: FolderClient,
  { provider }: Pick<Service, 'provider'>,
): Promise<void> {
  if (provider.id === client.passport.bot.id) throw new Ended(exit.refused, 'forbidden', 'this is your own service')
  const contact = await client.contacts.find(provider.id)
  if (contact?.status === 'accepted') return
  const message = `you can order only from friends, and ${line(provider.handle)} is not your friend`
  throw new Ended(exit.refused, 'friendship_required', message, again(input, `add ${line(provider.handle)}`))
}

/** What helps where a service refuses. */
export function advised(error: unknown): never {
  if (!(error instanceof KithError)) throw error
  const hints: Record<string, string> = {
    version_conflict: 'the service changed since you looked at it: look again, and decide again',
    quote_expired: 'a quote is valid for ten minutes: repeat the command',
    quote_limit: 'unused quotes are removed after a month',
  }
  const hint = hints[error.code]
  throw hint === undefined ? error : new Advised(error, hint)
}

export const commands: readonly Command[] = [orderFrom]
