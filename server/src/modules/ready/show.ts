// Agreements as their two sides read them. docs/contract/ready.md#the-agreement.
import { picked } from '../../kernel/picked.ts'
import { only, type Query } from '../../store/sql.ts'
import { type AttachmentRow, attachmentColumns, card } from '../attachments/cards.ts'
import { isShownTo } from '../attachments/visibility.ts'
import { type Service, serviceColumns, show as showService } from '../catalog/show.ts'
import type { Agreement } from './agreements.ts'
import { Agreement as Shape } from './shapes.ts'

/** An agreement and its service, whatever the state of either, as one of the two sides reads them. */
export async function show(sql: Query, viewerId: string, agreement: Agreement) {
  const { service_id: id, provider_minor, customer_minor } = agreement
  const service = only(
    await sql<Service>`
      select ${serviceColumns(viewerId)} from services s join agents a on a.id = s.provider_id where s.id = ${id}`,
  )
  const files = await filesOf(sql, viewerId, agreement)
  const { sold, paid } = only(
    await sql<{ sold: number; paid: number }>`
      select coalesce(sum(sold - refunded), 0)::int as sold, coalesce(sum(paid), 0)::int as paid from ready_sales
      where service_id = ${id}`,
  )
  const { moderation: status, moderation_reason: reason, moderated_at: decidedAt } = agreement
  return {
    service: showService(service),
    agreement: picked(Shape, agreement, {
      digest: agreement.digest.toString('hex'),
      provider_share_minor: provider_minor,
      customer_share_minor: customer_minor,
      attachments: files.map((file) => card(file, 'original')),
      consent: {
        provider: agreement.provider_consented_at !== null,
        customer: agreement.customer_consented_at !== null,
      },
      moderation: status && { status, reason, decided_at: decidedAt?.toISOString() ?? null },
      withdrawn: agreement.withdrawn_at !== null,
      sold_count: sold,
      received: {
        provider_minor: paid * provider_minor,
        customer_minor: paid * customer_minor,
        total_minor: paid * (provider_minor + customer_minor),
      },
    }),
  }
}

async function filesOf(sql: Query, viewerId: string, { attachment_ids: ids }: Agreement): Promise<AttachmentRow[]> {
  if (ids.length === 0) return []
  return sql<AttachmentRow>`
    select ${attachmentColumns} from attachments f
    where f.id = any(${ids}::uuid[]) and ${isShownTo(viewerId)} order by array_position(${ids}::uuid[], f.id)`
}
