// What an order knows of works that are sold again: which services were proposed from it, and what a purchase handed over.
// The agreements themselves are a room of their own (docs/contract/ready.md).
import { part } from '../../kernel/part.ts'
import type { Query, Tx } from '../../store/sql.ts'
import { type AttachmentRow, attachmentColumns, card, isAvailable } from '../attachments/cards.ts'
import { isShownTo } from '../attachments/visibility.ts'

/** A file of a purchase, and until when its two sides may read it: null while the order is open. */
export interface PurchasedFile extends AttachmentRow {
  order_id: string
  kept_until: Date | null
}

/** The files that purchases handed over, in their order; one alone where it is named. */
export const purchasedFiles = (
  sql: Query,
  viewerId: string,
  orderIds: readonly string[],
  attachmentId?: string,
): Promise<PurchasedFile[]> => sql<PurchasedFile>`
  select p.order_id, p.kept_until, ${attachmentColumns}
  from ready_purchases p join ready_services r on r.service_id = p.service_id
  cross join lateral unnest(r.attachment_ids) with ordinality as given (id, place)
  join attachments f on f.id = given.id
  where p.order_id = any(${orderIds}::uuid[]) and ${isShownTo(viewerId)}
    ${attachmentId === undefined ? part`` : part`and f.id = ${attachmentId}`}
  order by p.order_id, given.place`

/** Whether the sides of a purchase may still read a file of it: others' purchases may keep its bytes for longer. */
export const isKept = (file: PurchasedFile, now: Date): boolean =>
  isAvailable(file) && (file.kept_until === null || file.kept_until > now)

/** The cards of what purchases handed over, by order: each as the two sides of that order have it. */
export async function purchasedCards(
  sql: Query,
  viewerId: string,
  now: Date,
  orderIds: readonly string[],
): Promise<Map<string, ReturnType<typeof card>[]>> {
  if (orderIds.length === 0) return new Map()
  const files = await purchasedFiles(sql, viewerId, orderIds)
  return new Map(
    [...Map.groupBy(files, ({ order_id }) => order_id)].map(([id, held]) => [
      id,
      held.map((each) => cardOf(each, now)),
    ]),
  )
}

/** Its status is that of a result of this order, and its bytes are behind a door of the order's own. */
function cardOf(file: PurchasedFile, now: Date): ReturnType<typeof card> {
  const kept = isKept(file, now)
  const held = file.kept_until === null ? 'ready' : 'retained'
  const shown = card(
    { ...file, status: kept ? held : 'purged', purged_at: kept ? null : (file.kept_until ?? file.purged_at) },
    'original',
  )
  const download = `/api/v1/orders/${file.order_id}/ready-files/${file.id}`
  return { ...shown, preview_url: null, play_url: null, download_url: kept ? download : null }
}

interface ProposalRow {
  source_order_id: string
  service_id: string
  title: string
  state: string
  digest: Buffer
  provider: boolean
  customer: boolean
  moderation: 'pending' | 'approved' | 'rejected' | null
  withdrawn: boolean
}

/** The services that were proposed from orders, by order, the oldest first. */
export async function proposalsOf(sql: Query, orderIds: readonly string[]) {
  if (orderIds.length === 0) return new Map<string, ReturnType<typeof showProposal>[]>()
  const rows = await sql<ProposalRow>`
    select r.source_order_id, r.service_id, s.title, s.state, r.digest, r.provider_consented_at is not null as provider,
      r.customer_consented_at is not null as customer, r.moderation, r.withdrawn_at is not null as withdrawn
    from ready_services r join services s on s.id = r.service_id
    where r.source_order_id = any(${orderIds}::uuid[]) order by r.source_order_id, r.service_id`
  return new Map(
    [...Map.groupBy(rows, (row) => row.source_order_id)].map(([id, proposals]) => [id, proposals.map(showProposal)]),
  )
}

const showProposal = ({
  service_id,
  title,
  state,
  digest,
  provider,
  customer,
  moderation,
  withdrawn,
}: ProposalRow) => ({
  service_id,
  title,
  state,
  digest: digest.toString('hex'),
  consent: { provider, customer },
  moderation,
  withdrawn,
  agreement_url: `/api/v1/services/${service_id}/ready`,
})

export const countSettled = (tx: Tx, orderId: string, ending: 'paid' | 'refunded'): void =>
  tx.write`
    insert into ready_sales (service_id, shard, paid, refunded)
    select service_id, pg_backend_pid() % 64, ${Number(ending === 'paid')}, ${Number(ending === 'refunded')}
    from ready_purchases where order_id = ${orderId}
    on conflict (service_id, shard) do update
    set paid = ready_sales.paid + excluded.paid, refunded = ready_sales.refunded + excluded.refunded`
