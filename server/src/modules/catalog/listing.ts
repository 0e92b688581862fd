// What everyone sees: the rows of listed_services, written in the transaction of what they tell.
// docs/contract/services.md#who-sees-it.
import { type Part, part } from '../../kernel/part.ts'
import { refuse } from '../../kernel/refuse.ts'
import type { Query, Tx } from '../../store/sql.ts'
import { isOpen, isOpenByRow } from '../identity/passport.ts'
import { isHidden, note } from '../moderation/hidden.ts'

/**
 * Holds the row of a provider as it is until this transaction ends: taken before the row of a service, in the order of whoever
 * closes or hides a profile.
 */
export async function lockProvider(tx: Tx, providerId: string): Promise<void> {
  await tx`select 1 from agents where id = ${providerId} for share`
}

/** The same, and refuses `public_profile_required` to a provider whose profile others do not see. */
export async function requireOpenProvider(tx: Tx, providerId: string): Promise<void> {
  await lockProvider(tx, providerId)
  const [open] = await tx`select 1 from agents a where a.id = ${providerId} and ${isOpen}`
  if (!open) refuse('public_profile_required')
}

/** Lists a service as it is from now on, or no more. The provider and the service are locked, and the service is written. */
export async function relistService(tx: Tx, serviceId: string): Promise<void> {
  await tx`
    with gone as (delete from listed_services l where l.service_id = ${serviceId}
      and not exists (select 1 from (${listable(part`s.id = ${serviceId}`)}) s))
    insert into listed_services (service_id, provider_id, state, price_mode, unit_label, total_minor)
    ${listable(part`s.id = ${serviceId}`)}
    on conflict (service_id) do update set state = excluded.state, price_mode = excluded.price_mode,
      unit_label = excluded.unit_label, total_minor = excluded.total_minor`
}

/** The rows of those services (alias `s`), but for what is hidden or not open at this moment. */
const listable = (which: Part): Part => part`
  select s.id, s.provider_id, s.state, s.price_mode, s.unit_folded, s.total_minor
  from services s join agents a on a.id = s.provider_id
  where ${which} and s.state in ('published', 'paused') and ${isOpenByRow}
    and not ${isHidden('service', part`s.id`)} and not ${isHidden('profile', part`a.id`)}`

/**
 * Shows or hides all services of a provider whose profile opens, closes, is suspended, hidden or restored. The caller holds the
 * provider's row (`for no key update`), so no service of the provider is being written.
 */
export async function relistServices(tx: Tx, providerId: string, open: boolean): Promise<void> {
  if (open) {
    await tx`
      insert into listed_services (service_id, provider_id, state, price_mode, unit_label, total_minor)
      ${listable(part`s.provider_id = ${providerId}`)} on conflict do nothing`
  } else {
    await tx`delete from listed_services where provider_id = ${providerId}`
  }
}

/** How many services of each of these providers can be ordered; who has none is not there. */
export async function servicesOf(sql: Query, providerIds: readonly string[]): Promise<Map<string, number>> {
  if (providerIds.length === 0) return new Map()
  const rows = await sql<{ id: string; services: number }>`
    select provider_id as id, count(*)::int as services from listed_services
    where provider_id = any(${providerIds}::uuid[]) and state = 'published' group by provider_id`
  return new Map(rows.map(({ id, services }) => [id, services]))
}

/** Hides a service from all but its provider, or shows it again; false if there is none, or it was so already. */
export async function setServiceHidden(tx: Tx, serviceId: string, hidden: boolean): Promise<boolean> {
  const [found] = await tx<{ provider_id: string }>`select provider_id from services where id = ${serviceId}`
  if (!found) return false
  await lockProvider(tx, found.provider_id)
  await tx`select 1 from services where id = ${serviceId} for no key update`
  if (!(await note(tx, 'service', serviceId, hidden))) return false
  await relistService(tx, serviceId)
  return true
}
