import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { addServices, databaseOf } from './data.ts'
import { atLeast, atMost, type Line } from './goal.ts'
import { type HttpClient, openHttp } from './http-client.ts'
import { pageScript, plantMarket, quoteScript } from './market-bare.ts'
import { pgbenchLatency } from './pgbench.ts'
import { median } from './statistics.ts'
import { type BenchAgent, registerAgents, startKith } from './targets.ts'
import { bare, call, lanes, type Pair, perSecond, rounds, step, tradingPairs } from './trading.ts'

const pageRounds = 400

/** Orders by quotes and pages of the catalogue against the bare statements; a work that all buy against as many as buyers. */
export async function market(): Promise<Line[]> {
  const kith = await startKith()
  const db = await databaseOf(kith)
  try {
    await plantMarket(db, lanes)
    const pairs = await tradingPairs(kith, lanes)
    const http = await openHttp(kith.url, lanes)
    const services = await Promise.all(pairs.map(({ contractor }) => publish(http, contractor)))
    const works = await plantWorks(db, pairs)
    const buyers = await registerAgents(kith.url, lanes, 'buyer')
    const [reader] = buyers as [BenchAgent]
    await addServices(
      db,
      pairs.map(({ contractor }) => contractor.id),
      10_000,
      { hits: 0 },
    )

    const cycles: [number, number][] = []
    const purchases: [number, number][] = []
    const pages: [number, number][] = []
    for (let round = 0; round < rounds; round++) {
      cycles.push([
        await perSecond((lane) => orderByQuote(http, pairs[lane] as Pair, services[lane] as Service)),
        await bare(db, quoteScript),
      ])
      purchases.push([
        await perSecond((lane) => buy(http, buyers[lane] as BenchAgent, works[0] as Work)),
        await perSecond((lane) => buy(http, buyers[lane] as BenchAgent, works[lane] as Work)),
      ])
      pages.push([await pageLatency(kith.url, reader), await pgbenchLatency(pageScript, connectionOf(db))])
    }
    http.close()
    const of = (pairs: readonly [number, number][], at: 0 | 1): number => median(pairs.map((pair) => pair[at]))
    const ratioOf = (pairs: readonly [number, number][]): number => median(pairs.map(([ours, theirs]) => ours / theirs))
    const rate = (value: number): string => `${value.toFixed(0)}/s`
    const shown = (value: number): string => `${value.toFixed(2)}x`
    return [
      {
        measure: 'quote, order by it and accept, 16 in parallel',
        kith: rate(of(cycles, 0)),
        against: `pgbench, bare statements ${rate(of(cycles, 1))}`,
        ratio: shown(ratioOf(cycles)),
        goal: atLeast(0.4, ratioOf(cycles)),
      },
      {
        measure: 'purchases of one work by 16 at once',
        kith: rate(of(purchases, 0)),
        against: `of 16 works ${rate(of(purchases, 1))}`,
        ratio: shown(ratioOf(purchases)),
        goal: atLeast(0.5, ratioOf(purchases)),
      },
      {
        measure: 'services, a page of 20 of one price mode, whole answer, p50',
        kith: `${of(pages, 0).toFixed(2)} ms`,
        against: `pgbench, bare statement ${of(pages, 1).toFixed(2)} ms`,
        ratio: shown(ratioOf(pages)),
        goal: atMost(3, ratioOf(pages)),
      },
    ]
  } finally {
    await db.end()
    await kith.stop()
    await kith.remove()
  }
}

const connectionOf = ({ host, port, user, database }: pg.Client) => ({
  ...{ host, port, user: user ?? '', database: database ?? '' },
})

interface Service {
  id: string
  version: number
}

async function publish(http: HttpClient, provider: BenchAgent): Promise<Service> {
  const made = (await call(http, provider, '/services', {
    operation_id: randomUUID(),
    title: 'A logo',
    description: 'Round, and of any colour',
    price: { mode: 'fixed', unit_label: 'logo', amount_minor: 10 },
    delivery_description: 'A file',
  })) as { service: Service }
  const body = { operation_id: randomUUID(), expected_version: made.service.version }
  return ((await call(http, provider, `/services/${made.service.id}/publish`, body)) as { service: Service }).service
}

async function orderByQuote(http: HttpClient, { customer, contractor }: Pair, service: Service): Promise<void> {
  const { quote } = (await call(http, customer, `/services/${service.id}/quote`, {
    operation_id: randomUUID(),
    expected_version: service.version,
    quantity: 1,
  })) as { quote: { id: string; total_minor: number } }
  const { order } = (await call(http, customer, '/orders', {
    operation_id: randomUUID(),
    service_quote_id: quote.id,
    title: 'My logo',
    description: 'As agreed',
    deadline: '2100-01-01T00:00:00Z',
    confirmed_total_minor: quote.total_minor,
  })) as { order: { id: string } }
  await step(http, contractor, order.id, 'accept', 1, { confirmed_total_minor: quote.total_minor })
}

interface Work {
  serviceId: string
  digest: string
}

/** A finished work on sale of each pair: of an order between the two that is closed. */
async function plantWorks(db: pg.Client, pairs: readonly Pair[]): Promise<Work[]> {
  const { rows } = await db.query(
    `with pair as materialized (
       select uuidv7() as order_id, uuidv7() as service_id, provider_id, customer_id
       from unnest($1::uuid[], $2::uuid[]) t (provider_id, customer_id)
     ), ordered as (
       insert into orders (id, state, version, source, title, description, deadline, customer_id, contractor_id,
         offer_author_id, amount_minor, fee_bps, fee_minor, total_minor, outcome, created_at, updated_at, closed_at)
       select order_id, 'closed', 5, 'direct', 'A logo', 'As agreed', now(), customer_id, provider_id, provider_id, 10, 1000, 1,
         11, 'accepted', now(), now(), now() from pair
     ), offered as (
       insert into services (id, provider_id, state, workflow, title, description, tags, price_mode, unit_label, unit_folded,
         amount_minor, fee_bps, fee_minor, total_minor, input_schema, delivery_description, portfolio_post_ids,
         search_text, search_grams, created_at, updated_at)
       select service_id, provider_id, 'published', 'ready', 'A round logo', 'As it was made', '{}', 'fixed', '', '', 10, 1000, 1,
         11, '{"version":1,"fields":[]}', 'At once', '{}', '', '{}', now(), now() from pair
     ), listed as (
       insert into listed_services (service_id, provider_id, state, price_mode, unit_label, total_minor)
       select service_id, provider_id, 'published', 'fixed', '', 11 from pair
     )
     insert into ready_services (service_id, source_order_id, provider_id, customer_id, customer_share_bps, provider_minor,
       customer_minor, license_code, result_text, attachment_ids, terms, digest, provider_consented_at,
       customer_consented_at, moderation, moderated_at, held_at, kept_until, created_at)
     select service_id, order_id, provider_id, customer_id, 3000, 7, 3, $3, 'Print it large', '{}', '{}',
       sha256(service_id::text::bytea), now(), now(), 'approved', now(), now(), now(), now() from pair
     returning service_id as "serviceId", encode(digest, 'hex') as digest`,
    [pairs.map(({ contractor }) => contractor.id), pairs.map(({ customer }) => customer.id), license],
  )
  return rows
}

const license = 'nonexclusive-no-resale-v1'

const buy = (http: HttpClient, buyer: BenchAgent, { serviceId, digest }: Work): Promise<unknown> =>
  call(http, buyer, `/services/${serviceId}/ready/purchase`, {
    operation_id: randomUUID(),
    expected_version: 1,
    expected_digest: digest,
    confirmed_total_minor: 11,
    license_code: license,
  })

async function pageLatency(url: string, { token }: BenchAgent): Promise<number> {
  const http = await openHttp(url, 1)
  const times: number[] = []
  for (let n = 0; n < pageRounds; n++) {
    const began = performance.now()
    const response = await http.request('GET', '/api/v1/services?price_mode=fixed&limit=20', token)
    times.push(performance.now() - began)
    if (response.status !== 200) throw new Error(response.body)
  }
  http.close()
  return median(times.slice(pageRounds / 8))
}
