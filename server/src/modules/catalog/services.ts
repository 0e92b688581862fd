// Services: what an agent offers to do, at which price, and the form that a customer fills in.
// docs/contract/services.md#writing.
import type { Agent, Party } from '../../kernel/callers.ts'
import { requireVersion } from '../../kernel/moves.ts'
import { type Part, part } from '../../kernel/part.ts'
import { invalid, refuse } from '../../kernel/refuse.ts'
import { type Quota, take } from '../../quotas/quotas.ts'
import { type Findable, keepFindable } from '../../search/findable.ts'
import { fold, gramsOf } from '../../search/grams.ts'
import { contentDigest } from '../../store/once.ts'
import { only, type Query, type Tx } from '../../store/sql.ts'
import { maxTotal, type Price, priceOf } from '../wallet/price.ts'
import { canonicalForm, emptyForm, type Form, type FormGiven } from './form.ts'
import { lockProvider, relistService, requireOpenProvider } from './listing.ts'
import type { PriceMode, State } from './shapes.ts'
import { type Service, serviceColumns } from './show.ts'

/** Archived ones too: a record that is there stays there. */
export const serviceQuota: Quota = {
  name: 'services',
  party: 100,
  platform: 10_000,
  code: 'service_limit',
  isLasting: true,
}

interface PriceInput {
  mode: PriceMode
  unit_label: string
  amount_minor: number
}

/** What a service says, in canonical form. */
export interface Card {
  title: string
  description: string
  price: PriceInput
  delivery_description: string
  tags: string[]
  input_schema: Form
  estimated_duration_seconds: number | null
  portfolio_post_ids: string[]
}

/** The same as a body has it; null clears what may be left out. */
interface CardGiven {
  title: string
  description: string
  price: Omit<PriceInput, 'unit_label'> & { unit_label?: string }
  delivery_description: string
  tags?: string[] | null
  input_schema?: FormGiven | null
  estimated_duration_seconds?: number | null
  portfolio_post_ids?: string[] | null
}

/** The given fields of a card with their defaults spelled out; refuses `invalid_input` for a price or a form that cannot be. */
export function canonicalCard(given: CardGiven): Card {
  const { price, input_schema: form = null, ...rest } = given
  return {
    title: rest.title,
    description: rest.description,
    price: canonicalPrice(price),
    delivery_description: rest.delivery_description,
    tags: rest.tags ?? [],
    input_schema: form ? canonicalForm(form) : emptyForm(),
    estimated_duration_seconds: rest.estimated_duration_seconds ?? null,
    portfolio_post_ids: rest.portfolio_post_ids ?? [],
  }
}

/** The same of those fields that a change names; refuses a change of nothing. */
export function canonicalChange(given: Partial<CardGiven>): Partial<Card> {
  const { price, input_schema: form, tags, portfolio_post_ids: posts, ...rest } = given
  if (Object.keys(given).length === 0) invalid({ path: '', problem: 'send at least one field' })
  return {
    ...rest,
    ...(price && { price: canonicalPrice(price) }),
    ...(form !== undefined && { input_schema: form ? canonicalForm(form) : emptyForm() }),
    ...(tags !== undefined && { tags: tags ?? [] }),
    ...(posts !== undefined && { portfolio_post_ids: posts ?? [] }),
  }
}

function canonicalPrice({ mode, unit_label = '', amount_minor }: CardGiven['price']): PriceInput {
  if (priceOf(amount_minor).total_minor > maxTotal) {
    invalid({ path: 'price.amount_minor', problem: `the full price must be at most ${maxTotal}` })
  }
  return { mode, unit_label, amount_minor }
}

/** Makes a draft under an id; refuses `invalid_portfolio` and `service_limit`. */
export async function create(
  tx: Tx,
  me: Agent,
  id: string,
  card: Card,
  { workflow = null }: { workflow?: Service['workflow'] } = {},
): Promise<Service> {
  await requirePortfolio(tx, me, card.portfolio_post_ids)
  await take(tx, serviceQuota, me.id)
  await tx`
    insert into services (id, provider_id, state, workflow, title, description, tags, price_mode, unit_label, unit_folded,
      amount_minor, fee_bps, fee_minor, total_minor, input_schema, delivery_description, estimated_duration_seconds,
      portfolio_post_ids, search_text, search_grams, created_at, updated_at)
    select ${id}, ${me.id}, 'draft', ${workflow}, ${columnsOf(card)}, ${tx.now}, ${tx.now}`
  await keepFindable(tx, findableService(id, me.id, card))
  return findVisible(tx, me.id, id)
}

/** The values of a card, from its title to its grams. */
function columnsOf(card: Card): Part {
  const { mode, unit_label, amount_minor } = card.price
  const price: Price = priceOf(amount_minor)
  return part`${card.title}::text, ${card.description}::text, ${card.tags}::text[], ${mode}::text, ${unit_label}::text,
    ${fold(unit_label)}::text, ${amount_minor}::bigint, ${price.fee_bps}::integer, ${price.fee_minor}::bigint,
    ${price.total_minor}::bigint, ${JSON.stringify(card.input_schema)}::json, ${card.delivery_description}::text,
    ${card.estimated_duration_seconds}::integer, ${card.portfolio_post_ids}::uuid[], ${searchText(card)}::text,
    ${[...gramsOf(searchText(card))]}::text[]`
}

/** What of a service is searched: a field a line, so that no word crosses from one into the next. */
export const searchText = ({ title, description, delivery_description, tags }: Card): string =>
  [title, description, delivery_description, ...tags].map(fold).join('\n')

/** How discovery finds a service. */
export const findableService = (id: string, agentId: string, card: Card): Findable => ({
  id,
  kind: 'service',
  agentId,
  heading: card.title,
  text: [card.description, card.delivery_description].join('\n'),
  tags: card.tags,
  price: { mode: card.price.mode, total_minor: priceOf(card.price.amount_minor).total_minor },
})

/** Works that show what a provider can do: own public ones, or `invalid_portfolio`. */
async function requirePortfolio(tx: Tx, me: Agent, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  const { found } = only(
    await tx<{ found: number }>`
      select count(*)::int as found from posts p
      where p.id = any(${ids}::uuid[]) and p.author_id = ${me.id} and p.deleted_at is null
        and p.kind = 'portfolio' and p.visibility = 'public'`,
  )
  if (found < ids.length)
    refuse('invalid_portfolio', { message: 'Each must be one of your own public portfolio works' })
}

/** A service that the viewer, or anyone, may see: an own one, or a listed one; `not_found` otherwise. */
export async function findVisible(
  sql: Query,
  viewerId: string | null,
  id: string,
  lock: Part = part``,
): Promise<Service> {
  const [service] = await sql<Service>`
    select ${serviceColumns(viewerId)} from services s join agents a on a.id = s.provider_id
    where s.id = ${id}
      and (s.provider_id = ${viewerId} or (select true from listed_services l where l.service_id = s.id)) ${lock}`
  return service ?? refuse('not_found')
}

/** Those of these services that everyone sees, in no order. */
export const listedAmong = (sql: Query, ids: readonly string[]): Promise<Service[]> => sql<Service>`
  select ${serviceColumns(null)}
  from listed_services l join services s on s.id = l.service_id join agents a on a.id = s.provider_id
  where l.service_id = any(${ids}::uuid[])`

/** The newest services of a provider that everyone sees, at most this many. */
export const newestListedOf = (sql: Query, providerId: string, most: number): Promise<Service[]> => sql<Service>`
  select ${serviceColumns(null)}
  from (
    select service_id from listed_services where provider_id = ${providerId} order by service_id desc limit ${most}
  ) l join services s on s.id = l.service_id join agents a on a.id = s.provider_id
  order by s.id desc`

/** An own service, locked; someone else's visible one is `forbidden`. */
export async function findOwn(tx: Tx, me: Agent, id: string): Promise<Service> {
  const service = await findVisible(tx, me.id, id, part`for no key update of s`)
  return service.provider_id === me.id ? service : refuse('forbidden', { message: 'This service is not yours' })
}

export async function isOwn(sql: Query, viewerId: string, id: string): Promise<boolean> {
  const [own] = await sql`select 1 from services where id = ${id} and provider_id = ${viewerId}`
  return own !== undefined
}

/**
 * A service that the caller may order at the version that it has read; refuses `not_found`, `forbidden` (an own one),
 * `version_conflict`, `service_not_orderable` (paused, or sold by purchase alone) and `price_mode_mismatch`.
 */
export async function findForOrder(
  tx: Tx,
  me: Party,
  id: string,
  { expected_version, mode }: { expected_version: number; mode: PriceMode },
): Promise<Service> {
  const service = await findVisible(tx, me.id, id)
  if (service.provider_id === me.id) refuse('forbidden', { message: 'This is your own service' })
  requireVersion(service, expected_version, { state: service.state })
  const { details } = stateOf(service)
  if (service.state !== 'published') refuse('service_not_orderable', { details })
  const isPerson = me.kind === 'human'
  if (service.workflow === 'ready') {
    const message = isPerson ? 'Only agents can buy ready-made works' : 'This work is ready-made; buy it instead'
    refuse('service_not_orderable', { message, details })
  }
  if (service.price_mode !== mode) {
    const message = 'Only agents can ask for an offer on this service; order from its provider directly'
    refuse('price_mode_mismatch', { ...(isPerson && { message }), details: { mode: service.price_mode } })
  }
  return service
}

const stateOf = ({ state }: Service) => ({ message: `The service is ${state}`, details: { state } })

export interface Ask {
  expected_version: number
}

/**
 * Changes an own service; what is left out stays, and where nothing differs nothing is written and the version stays. Refuses
 * `not_found`, `forbidden`, `version_conflict`, `invalid_state` (archived, or a ready-made work) and `invalid_portfolio`.
 */
export async function change(
  tx: Tx,
  me: Agent,
  id: string,
  { expected_version, ...input }: Ask & Partial<Card>,
): Promise<Service> {
  await lockProvider(tx, me.id)
  const service = await findOwn(tx, me, id)
  requireVersion(service, expected_version, { state: service.state })
  if (service.state === 'archived') refuse('invalid_state', stateOf(service))
  if (service.workflow === 'ready') {
    const message = 'Both sides agreed on this work as it is; to change it, withdraw it, and propose it again'
    refuse('invalid_state', { ...stateOf(service), message })
  }
  const standing = cardOf(service)
  const next: Card = { ...standing, ...input }
  if (input.portfolio_post_ids) await requirePortfolio(tx, me, input.portfolio_post_ids)
  if (contentDigest(next).equals(contentDigest(standing))) return service
  await tx`
    update services set (title, description, tags, price_mode, unit_label, unit_folded, amount_minor, fee_bps, fee_minor,
      total_minor, input_schema, delivery_description, estimated_duration_seconds, portfolio_post_ids, search_text,
      search_grams) = (select ${columnsOf(next)}), version = version + 1, updated_at = ${tx.now}
    where id = ${id}`
  await keepFindable(tx, findableService(id, me.id, next))
  await relistService(tx, id)
  return findVisible(tx, me.id, id)
}

/** What a service says. */
export const cardOf = (service: Service): Card => ({
  title: service.title,
  description: service.description,
  price: { mode: service.price_mode, unit_label: service.unit_label, amount_minor: service.amount_minor },
  delivery_description: service.delivery_description,
  tags: service.tags,
  input_schema: service.input_schema,
  estimated_duration_seconds: service.estimated_duration_seconds,
  portfolio_post_ids: service.portfolio_post_ids,
})

/** The states of a service and the ways between them. docs/contract/services.md#states. */
export const moves = {
  publish: { from: ['draft', 'paused'], to: 'published' },
  pause: { from: ['published'], to: 'paused' },
  archive: { from: ['draft', 'published', 'paused'], to: 'archived' },
} as const satisfies Record<string, { from: readonly State[]; to: State }>

export type Action = keyof typeof moves

/**
 * Moves an own service on. Refuses `public_profile_required` (to publish), `not_found`, `forbidden`, `version_conflict` and
 * `invalid_state`; a ready-made work is published by its own rules.
 */
export async function act(tx: Tx, me: Agent, action: Action, id: string, ask: Ask): Promise<Service> {
  if (action === 'publish') await requireOpenProvider(tx, me.id)
  else await lockProvider(tx, me.id)
  const service = await findOwn(tx, me, id)
  requireVersion(service, ask.expected_version, { state: service.state })
  const { from, to }: { from: readonly State[]; to: State } = moves[action]
  if (!from.includes(service.state)) refuse('invalid_state', stateOf(service))
  if (action === 'publish' && service.workflow === 'ready') await requireApproved(tx, id)
  return setState(tx, me.id, service, to)
}

/** A finished work is published by its approval; one that was paused since, or could not be shown then, by its provider. */
async function requireApproved(tx: Tx, id: string): Promise<void> {
  const approved = await tx`
    select 1 from ready_services where service_id = ${id} and moderation = 'approved' and stopped_at is null`
  if (approved.length === 0) refuse('invalid_state', { message: 'This work has not been approved' })
}

/** Writes the state of a service and raises its version; its provider (`lockProvider`) and it are locked. */
export async function setState(tx: Tx, viewerId: string, service: Service, to: State): Promise<Service> {
  await tx`update services set state = ${to}, version = version + 1, updated_at = ${tx.now} where id = ${service.id}`
  await relistService(tx, service.id)
  if (to === 'archived' && service.workflow === 'ready') {
    await tx`
      update ready_services set stopped_at = ${tx.now} where service_id = ${service.id} and stopped_at is null`
  }
  return findVisible(tx, viewerId, service.id)
}

/** How many services an agent has made, and how many of them others see. */
export async function countOwn(sql: Query, providerId: string): Promise<{ own: number; listed: number }> {
  return only(
    await sql<{ own: number; listed: number }>`
      select (select count(*)::int from services s where s.provider_id = ${providerId}) as own,
        (select count(*)::int from listed_services l where l.provider_id = ${providerId}) as listed`,
  )
}
