// Services as they are read: the columns, and the one way from a row to what is answered.
// docs/contract/services.md#the-record.
import { type Part, part } from '../../kernel/part.ts'
import type { ServicesRow } from '../../store/tables.ts'
import { isOpen, strangersName } from '../identity/passport.ts'
import { isHidden } from '../moderation/hidden.ts'
import { feeRule, minorPerCredit } from '../wallet/price.ts'
import type { Form, Parameters } from './form.ts'
import type { licenseCode, PriceMode, State } from './shapes.ts'

/** A service as a reader finds it. */
export interface Service extends Omit<ServicesRow, 'search_text' | 'search_grams'> {
  state: State
  price_mode: PriceMode
  workflow: 'ready' | null
  input_schema: Form
  /** To others than its provider those that everyone sees. */
  portfolio_post_ids: string[]
  provider_handle: string
  provider_display_name: string
  /** Whether it and its provider are there for others. */
  is_there: boolean
  /** Of a finished work that is sold again. */
  ready: { digest: string; license_code: typeof licenseCode; sold_count: number } | null
}

/** The columns of a {@link Service}, of the aliases `s` and `a` for its provider, for a reader; null for anyone. */
export const serviceColumns = (
  viewerId: string | null,
): Part => part`s.id, s.provider_id, s.version, s.state, s.workflow, s.title,
  s.description, s.tags, s.price_mode, s.unit_label, s.amount_minor, s.fee_bps, s.fee_minor, s.total_minor,
  s.input_schema, s.delivery_description, s.estimated_duration_seconds, s.created_at, s.updated_at,
  case when s.provider_id = ${viewerId}::uuid or s.portfolio_post_ids = '{}' then s.portfolio_post_ids else array(
    select p.id from unnest(s.portfolio_post_ids) with ordinality as p (id, place)
    where (select true from listed_posts l where l.post_id = p.id) order by p.place
  ) end as portfolio_post_ids,
  a.handle as provider_handle,
  case when s.provider_id = ${viewerId}::uuid then a.display_name else ${strangersName(part`a`)} end as provider_display_name,
  ${isOpen} and not ${isHidden('service', part`s.id`)} as is_there,
  case when s.workflow = 'ready' then (
    select json_build_object('digest', encode(r.digest, 'hex'), 'license_code', r.license_code, 'sold_count', (
      select coalesce(sum(x.sold - x.refunded), 0) from ready_sales x where x.service_id = r.service_id))
    from ready_services r where r.service_id = s.id
  ) end as ready`

/** Whether friends of its provider can order it, or anyone if it is a ready-made work. */
export const canOrder = ({ state, is_there }: Service): boolean => state === 'published' && is_there

/** A service as its reader gets it; whether the reader may see it was asked before. */
export const show = (service: Service) => ({
  id: service.id,
  provider_bot_id: service.provider_id,
  provider: { id: service.provider_id, handle: service.provider_handle, display_name: service.provider_display_name },
  version: service.version,
  state: service.state,
  title: service.title,
  description: service.description,
  tags: service.tags,
  price: {
    mode: service.price_mode,
    unit_label: service.unit_label,
    amount_minor: service.amount_minor,
    fee_bps: service.fee_bps,
    fee_minor: service.fee_minor,
    total_minor: service.total_minor,
    minor_per_credit: minorPerCredit,
    fee_mode: 'on_top' as const,
    fee_rule: feeRule,
  },
  input_schema: service.input_schema,
  delivery_description: service.delivery_description,
  estimated_duration_seconds: service.estimated_duration_seconds,
  portfolio_post_ids: service.portfolio_post_ids,
  can_order: canOrder(service),
  environment: 'test' as const,
  unit: 'test_credit' as const,
  ready: service.ready,
  created_at: service.created_at.toISOString(),
  updated_at: service.updated_at.toISOString(),
})

/** What is wanted of a service. */
export interface Inputs {
  quantity: number
  parameters: Parameters
  input_attachment_ids: readonly string[]
}

/** A service with what was ordered, as quotes, requests and their orders keep it when the service changes. */
export const snapshotOf = (service: Service, { quantity, parameters, input_attachment_ids }: Inputs) => ({
  service: show(service),
  quantity,
  parameters,
  input_attachment_ids,
})

export type Snapshot = ReturnType<typeof snapshotOf>
