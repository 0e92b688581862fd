// Quotes: a price for so much of a service with these parameters, and the order that it gives.
// docs/contract/services.md#quotes.
import type { Party } from '../../kernel/callers.ts'
import { after, days, earlier, minutes } from '../../kernel/clock.ts'
import { type Part, part } from '../../kernel/part.ts'
import { picked } from '../../kernel/picked.ts'
import { invalid, refuse } from '../../kernel/refuse.ts'
import { giveBack, type Quota, take } from '../../quotas/quotas.ts'
import type { Query, Sql, Tx } from '../../store/sql.ts'
import type { ServiceQuotesRow } from '../../store/tables.ts'
import { isOpen } from '../identity/passport.ts'
import { isHidden } from '../moderation/hidden.ts'
import { findBeside } from '../orders/beside.ts'
import { holdAccount, requireRoom } from '../orders/customers.ts'
import { bindInputs } from '../orders/files.ts'
import { type QuotedOffer, requireTotal } from '../orders/offers.ts'
import { make, type Order } from '../orders/orders.ts'
import { sourceOf } from '../orders/sources.ts'
import { maxTotal, minorPerCredit, type Price, priceOf } from '../wallet/price.ts'
import { judgeParameters } from './form.ts'
import { requireInputs } from './inputs.ts'
import { type Ask, findForOrder } from './services.ts'
import { Quote as QuoteShape } from './shapes.ts'
import { type Inputs, type Service, type Snapshot, snapshotOf } from './show.ts'

/** From the making of a quote to its end. */
export const quoteLifetime: number = minutes(10)
/** How long one that gave no order is kept after its end. */
export const unusedLifetime: number = days(30)

/** Of those that are there: what gave an order stays. */
export const quoteQuota: Quota = { name: 'service_quotes', party: 1000, platform: 100_000, code: 'quote_limit' }

export type Quote = Omit<ServiceQuotesRow, 'order_id' | 'snapshot'> & { snapshot: Snapshot }

/** The price of so many units; refuses `invalid_input` beyond what an order may cost. */
export function priceFor(service: Pick<Service, 'amount_minor'>, quantity: number): Price {
  const price = priceOf(service.amount_minor * quantity)
  if (price.total_minor > maxTotal) {
    invalid({ path: 'quantity', problem: `the full price must be at most ${maxTotal}` })
  }
  return price
}

/**
 * Makes a quote under an id; nothing is reserved and no file is bound. Refuses what {@link findForOrder} does, then
 * `invalid_input` for parameters and the full price, what files are refused with, and `quote_limit`; `unauthorized` where a
 * person's account was closed meanwhile.
 */
export async function quote(
  tx: Tx,
  me: Party,
  id: string,
  { serviceId, ask }: { serviceId: string; ask: Ask & Inputs },
): Promise<Quote> {
  if (me.kind === 'human') await holdAccount(tx, me)
  // Taken along with the first statement; that there is no place left is told after all else.
  const taken = take(tx, quoteQuota, me.id)
  taken.catch(() => {})
  const service = await findForOrder(tx, me, serviceId, { ...ask, mode: 'fixed' })
  const { quantity, input_attachment_ids } = ask
  const parameters = judgeParameters(service.input_schema, ask.parameters, input_attachment_ids)
  const price = priceFor(service, quantity)
  await requireInputs(tx, me, service.input_schema, parameters, input_attachment_ids)
  await taken
  const made: Quote = {
    ...price,
    id,
    service_id: serviceId,
    service_version: service.version,
    customer_id: me.id,
    provider_id: service.provider_id,
    quantity,
    parameters,
    input_attachment_ids: [...input_attachment_ids],
    snapshot: snapshotOf(service, { quantity, parameters, input_attachment_ids }),
    created_at: tx.now,
    expires_at: after(tx.now, quoteLifetime),
  }
  tx.write`
    insert into service_quotes (id, service_id, service_version, customer_id, provider_id, quantity, parameters,
      input_attachment_ids, snapshot, amount_minor, fee_bps, fee_minor, total_minor, created_at, expires_at)
    values (${id}, ${serviceId}, ${made.service_version}, ${me.id}, ${made.provider_id}, ${quantity},
      ${JSON.stringify(parameters)}::json, ${made.input_attachment_ids}, ${JSON.stringify(made.snapshot)}::json,
      ${price.amount_minor}, ${price.fee_bps}, ${price.fee_minor}, ${price.total_minor}, ${made.created_at},
      ${made.expires_at})`
  return made
}

/** An own quote, or `not_found`. */
export async function find(sql: Query, customerId: string, id: string): Promise<Quote> {
  const [found] = await sql<Quote>`select * from service_quotes where id = ${id} and customer_id = ${customerId}`
  return found ?? refuse('not_found')
}

export const showQuote = (made: Quote) => picked(QuoteShape, made, { minor_per_credit: minorPerCredit })

/** Removes the quotes of a customer that gave no order, whose account is closed and holds no more. */
export async function discardQuotes(tx: Tx, customerId: string): Promise<void> {
  const gone = await tx`delete from service_quotes where customer_id = ${customerId} and order_id is null returning 1`
  giveBack(tx, quoteQuota, customerId, gone.length)
}

/**
 * Orders by a quote, under an id: offered to the provider, at the quoted price, with the service as it was then.
 * Refuses `not_found` (not the caller's quote, or its service or provider no longer exists), `friendship_required`,
 * `quote_already_used`, `quote_expired`, `service_not_orderable` (paused or archived since), what files are refused
 * with, and `state_conflict`. A person needs no friendship, and is refused like any offer of a person: `request_limit`.
 */
export async function order(tx: Tx, me: Party, id: string, input: QuotedOffer): Promise<Order> {
  if (me.kind === 'human') await requireRoom(tx, me)
  const source = me.kind === 'human' ? 'human' : 'quote'
  const provider = part`(
    select provider_id from service_quotes where id = ${input.service_quote_id} and customer_id = ${me.id})`
  const [claimed, beside] = await Promise.all([
    claim(tx, me, input.service_quote_id, { id, source }),
    findBeside(tx, me, provider),
  ])
  const { quantity, parameters, input_attachment_ids: ids, snapshot } = claimed
  // What gave an order takes no place: else a customer could order so often, and then never again.
  giveBack(tx, quoteQuota, me.id)
  await bindInputs(tx, me, { id, source }, ids)
  requireTotal(claimed.total_minor, input.confirmed_total_minor)
  const order = await make(tx, me.id, {
    amount_minor: claimed.amount_minor,
    fee_bps: claimed.fee_bps,
    fee_minor: claimed.fee_minor,
    total_minor: claimed.total_minor,
    id,
    source,
    title: input.title,
    description: input.description,
    deadline: input.deadline,
    customerId: me.id,
    contractorId: claimed.provider_id,
    authorId: me.id,
    hasFiles: ids.length > 0,
    state: 'offered',
    action: 'offer',
    serviceSnapshot: { service: snapshot.service, quantity, parameters, input_attachment_ids: ids },
    quoteId: claimed.id,
  })
  return { ...order, ...(beside && { beside }) }
}

interface Standing extends Quote {
  order_id: string | null
  is_there: boolean
  service_state: string
  is_friend: boolean
}

/** A quote (alias `q`) with what an order by it asks of its two sides; a friendship that is found stands until the end. */
const standing = (meId: string): Part => part`q.*,
  (select ${isOpen} from agents a where a.id = q.provider_id) and not ${isHidden('service', part`q.service_id`)} as is_there,
  (select s.state from services s where s.id = q.service_id) as service_state,
  coalesce((
    select c.status from contacts c
    where least(c.requester_id, c.recipient_id) = least(${meId}::uuid, q.provider_id)
      and greatest(c.requester_id, c.recipient_id) = greatest(${meId}::uuid, q.provider_id)
    for share), '') = 'accepted' as is_friend`

/** Takes a quote for an order: one statement where nothing stands against it. */
async function claim(
  tx: Tx,
  me: Party,
  quoteId: string,
  { id: orderId, source }: Pick<Order, 'id' | 'source'>,
): Promise<Quote> {
  const [taken] = await tx<Standing>`
    update service_quotes q set order_id = ${orderId}
    where q.id = ${quoteId} and q.customer_id = ${me.id} and q.order_id is null and q.expires_at > ${tx.now}
    returning ${standing(me.id)}`
  const [found] = taken
    ? [taken]
    : await tx<Standing>`
        select ${standing(me.id)} from service_quotes q where q.id = ${quoteId} and q.customer_id = ${me.id}`
  if (!found) return refuse('not_found')
  if (!found.is_there) refuse('not_found')
  if (sourceOf({ source }).friendship && !found.is_friend) refuse('friendship_required')
  if (!taken) return refuse(found.order_id === null ? 'quote_expired' : 'quote_already_used')
  if (found.service_state !== 'published') refuse('service_not_orderable')
  return found
}

/** Quotes that one batch of the sweep removes. */
const batch = 500

/** Removes quotes that gave no order, a while after their end, and gives their places back. */
export const quoteSweep = (sql: Sql): Promise<boolean> =>
  sql.transaction(async (tx) => {
    const gone = await tx<{ customer_id: string; quotes: number }>`
      with due as materialized (
        select id from service_quotes
        where order_id is null and expires_at <= ${earlier(tx.now, unusedLifetime)}
        order by expires_at limit ${batch} for update skip locked
      ), gone as (
        delete from service_quotes where id in (select id from due) returning customer_id
      )
      select customer_id, count(*)::int as quotes from gone group by customer_id order by customer_id`
    for (const { customer_id, quotes } of gone) giveBack(tx, quoteQuota, customer_id, quotes)
    return gone.reduce((sum, { quotes }) => sum + quotes, 0) === batch
  })
