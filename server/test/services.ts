// Services and quotes for stories. What should be taken and is not fails the test.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { days, newId } from '../src/kernel/clock.ts'
import { searchText } from '../src/modules/catalog/services.ts'
import { priceOf } from '../src/modules/wallet/price.ts'
import { gramsOf } from '../src/search/grams.ts'
import { isCustomer, type Party } from './customers.ts'
import { inTime } from './orders.ts'
import { withoutGrams } from './unindexed.ts'
import { type Agent, type Answer, code, type World } from './world.ts'

// biome-ignore lint/suspicious/noExplicitAny: as in Answer
export type Shown = any

type Fields = Record<string, unknown>

/** A price of 10 credits a logo unless told otherwise. */
export const priceBody = (fields: Fields = {}): Fields => ({
  mode: 'fixed',
  unit_label: 'logo',
  amount_minor: 1000,
  ...fields,
})

export const serviceBody = (fields: Fields = {}): Fields => ({
  operation_id: randomUUID(),
  title: 'A logo',
  description: 'Round, and of any colour',
  price: priceBody(),
  delivery_description: 'A file',
  ...fields,
})

/** A form with one field of each type, none of them required. */
export const formOf = (...fields: Fields[]): Fields => ({
  version: 1,
  fields: fields.map((field, at) => ({ key: `field_${at}`, label: `Field ${at}`, ...field })),
})

export async function draft(provider: Agent, fields?: Fields): Promise<Shown> {
  const answer = await provider.post('/services', serviceBody(fields))
  assert.equal(code(answer), '201', JSON.stringify(answer.body))
  return answer.body.service
}

export const move = (provider: Agent, service: Shown, action: string): Promise<Answer> =>
  provider.post(`/services/${service.id}/${action}`, {
    operation_id: randomUUID(),
    expected_version: service.version,
  })

export async function moved(provider: Agent, service: Shown, action: string): Promise<Shown> {
  const answer = await move(provider, service, action)
  assert.equal(code(answer), '200', JSON.stringify(answer.body))
  return answer.body.service
}

export const published = async (provider: Agent, fields?: Fields): Promise<Shown> =>
  moved(provider, await draft(provider, fields), 'publish')

export const change = (provider: Agent, service: Shown, fields: Fields): Promise<Answer> =>
  provider.patch(`/services/${service.id}`, {
    operation_id: randomUUID(),
    expected_version: service.version,
    ...fields,
  })

export const quoteBody = (service: Shown, fields: Fields = {}): Fields => ({
  operation_id: randomUUID(),
  expected_version: service.version,
  ...fields,
})

/** Where a customer asks for a quote: an agent, or a person. */
export const quotePath = (customer: Party, { id }: Shown): string =>
  `${isCustomer(customer) ? '/human' : ''}/services/${id}/quote`

export const askQuote = (customer: Party, service: Shown, fields?: Fields): Promise<Answer> =>
  customer.post(quotePath(customer, service), quoteBody(service, fields))

export async function quoted(customer: Party, service: Shown, fields?: Fields): Promise<Shown> {
  const answer = await askQuote(customer, service, fields)
  assert.equal(code(answer), '201', JSON.stringify(answer.body))
  return answer.body.quote
}

/** The body of an order by a quote. */
export const byQuote = (w: Pick<World, 'now'>, quote: Shown, fields: Fields = {}): Fields => ({
  operation_id: randomUUID(),
  service_quote_id: quote.id,
  title: 'My logo',
  description: 'As in the form',
  deadline: inTime(w, days(7)),
  confirmed_total_minor: quote.total_minor,
  ...fields,
})

export const orderBy = (w: Pick<World, 'now'>, customer: Party, quote: Shown, fields?: Fields): Promise<Answer> =>
  customer.post(isCustomer(customer) ? '/human/orders' : '/orders', byQuote(w, quote, fields))

/** What is written in bulk, as the service would write it. */
export interface Seed {
  provider: Pick<Agent, 'id'>
  title: string
  state?: 'published' | 'paused'
  mode?: 'fixed' | 'from'
  unit?: string
  amount: number
}

/** Many published services at once, oldest first, listed and counted, without what discovery finds them by. */
export async function seedServices(w: Pick<World, 'sql' | 'now'>, seeds: readonly Seed[]): Promise<void> {
  const began = w.now().getTime() - seeds.length
  const rows = seeds.map(({ provider, title, state = 'published', mode = 'fixed', unit = 'unit', amount }, at) => {
    const { fee_bps, fee_minor, total_minor } = priceOf(amount)
    const created = new Date(began + at)
    const card = {
      title,
      description: 'Some words of a common life',
      price: { mode, unit_label: unit, amount_minor: amount },
      delivery_description: 'A file',
      tags: [],
      input_schema: { version: 1 as const, fields: [] },
      estimated_duration_seconds: null,
      portfolio_post_ids: [],
    }
    const search_text = searchText(card)
    const search_grams = `{${[...gramsOf(search_text)].map((gram) => JSON.stringify(gram)).join()}}`
    const { price: _, ...words } = card
    const of = { ...words, id: newId(created), provider_id: provider.id, state, price_mode: mode, unit_label: unit }
    const money = { amount_minor: amount, fee_bps, fee_minor, total_minor }
    const arrays = { tags: '{}', portfolio_post_ids: '{}', search_grams }
    return {
      ...of,
      ...money,
      ...arrays,
      unit_folded: unit,
      search_text,
      version: 1,
      created_at: created,
      updated_at: created,
    }
  })
  await withoutGrams(w.sql, 'services', async () => {
    for (let at = 0; at < rows.length; at += 1000) {
      const some = JSON.stringify(rows.slice(at, at + 1000))
      await w.sql`insert into services select * from json_populate_recordset(null::services, ${some}::json)`
    }
  })
  await w.sql`
    insert into listed_services (service_id, provider_id, state, price_mode, unit_label, total_minor)
    select id, provider_id, state, price_mode, unit_folded, total_minor from services on conflict do nothing`
  await w.sql`
    insert into party_counts (party_id, name, value)
    select provider_id, 'services', count(*) from services group by provider_id
    on conflict (party_id, name) do update set value = excluded.value`
  await w.sql`delete from counters where name = 'services'`
  await w.sql`insert into counters (name, shard, value) select 'services', 0, count(*) from services`
}
