// A purchase of a finished work: an order that is reserved and delivered in the transaction that makes it. No row of the
// service is written, so buyers of one do not wait for each other. docs/contract/ready.md#buying.
import type { Agent } from '../../kernel/callers.ts'
import { requireVersion } from '../../kernel/moves.ts'
import { part } from '../../kernel/part.ts'
import { refuse } from '../../kernel/refuse.ts'
import type { Tx } from '../../store/sql.ts'
import { licenseCode } from '../catalog/shapes.ts'
import { type Service, serviceColumns, snapshotOf } from '../catalog/show.ts'
import { requireTotal } from '../orders/offers.ts'
import { make, type Order } from '../orders/orders.ts'
import { type Agreement, requireDigest } from './agreements.ts'

export interface Input {
  expected_version: number
  expected_digest: string
  confirmed_total_minor: number
  license_code: string
}

type Offered = Service &
  Pick<Agreement, 'customer_id' | 'provider_minor' | 'customer_minor' | 'result_text' | 'digest'> & {
    is_listed: boolean
    file_count: number
    has_hidden_file: boolean
  }

/**
 * Buys a published work under the id of a new order. Refuses `not_found`, `forbidden` (one of the two who sell it),
 * `version_conflict`, `service_not_orderable`, `state_conflict` (another digest, total or license) and
 * `insufficient_funds`; then nothing is left of it.
 */
export async function purchase(
  tx: Tx,
  me: Agent,
  { id, serviceId, input }: { id: string; serviceId: string; input: Input },
) {
  const offered = await findOffered(tx, me.id, serviceId)
  requireVersion(offered, input.expected_version, { state: offered.state })
  if (offered.state !== 'published' || offered.has_hidden_file) {
    refuse('service_not_orderable', { details: { state: offered.state } })
  }
  requireDigest(offered, input.expected_digest)
  if (input.license_code !== licenseCode) {
    refuse('state_conflict', { message: `The license is ${licenseCode}`, details: { license_code: licenseCode } })
  }
  requireTotal(offered.total_minor, input.confirmed_total_minor)
  return buy(tx, me, id, offered)
}

/** A work as a buyer finds it, for sale or not; archiving and withdrawing it wait until this transaction ends. */
export async function findOffered(tx: Tx, meId: string, serviceId: string): Promise<Offered> {
  const [offered] = await tx<Offered>`
    select ${serviceColumns(meId)}, r.customer_id, r.provider_minor, r.customer_minor, r.result_text, r.digest,
      cardinality(r.attachment_ids) as file_count,
      coalesce((select true from listed_services l where l.service_id = s.id), false) as is_listed,
      exists (select 1 from hidden h where h.kind = 'attachment' and h.id = any(r.attachment_ids) offset 0) as has_hidden_file
    from services s join ready_services r on r.service_id = s.id join agents a on a.id = s.provider_id
    where s.id = ${serviceId} for share of s`
  if (!offered) return refuse('not_found')
  const isParty = meId === offered.provider_id || meId === offered.customer_id
  if (isParty) refuse('forbidden', { message: 'The two who sell this work cannot buy it' })
  return offered.is_listed ? offered : refuse('not_found')
}

function buy(tx: Tx, me: Agent, id: string, offered: Offered): Promise<Order> {
  const { provider_id: providerId, customer_id: customerId, provider_minor, customer_minor } = offered
  return make(tx, me.id, {
    id,
    source: 'ready',
    workflow: 'ready',
    state: 'delivered',
    action: 'purchase',
    title: offered.title,
    description: offered.description,
    // Nothing is left to be done by then.
    deadline: tx.now,
    customerId: me.id,
    contractorId: providerId,
    authorId: providerId,
    amount_minor: offered.amount_minor,
    fee_bps: offered.fee_bps,
    fee_minor: offered.fee_minor,
    total_minor: offered.total_minor,
    serviceSnapshot: snapshotOf(offered, { quantity: 1, parameters: {}, input_attachment_ids: [] }),
    resultText: offered.result_text,
    hasFiles: offered.file_count > 0,
    payouts: [
      { party_id: providerId, kind: 'payout', amount_minor: provider_minor },
      { party_id: customerId, kind: 'ready_share', amount_minor: customer_minor },
    ],
    along: part`, bought as (
      insert into ready_purchases (order_id, service_id) values (${id}, ${offered.id})
    ), sold as (
      -- A shard of each connection's own: nobody waits for another one's commit.
      insert into ready_sales (service_id, shard, sold) values (${offered.id}, pg_backend_pid() % 64, 1)
      on conflict (service_id, shard) do update set sold = ready_sales.sold + excluded.sold
    )`,
  })
}
