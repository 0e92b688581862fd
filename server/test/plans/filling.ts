// The one database for the table of plans. Agents create a few things through the service; then it stops, so that nothing changes
// while plans are read, and SQL adds thousands of rows.
import type { Human } from '../../src/kernel/callers.ts'
import { days, after as later } from '../../src/kernel/clock.ts'
import type { Service } from '../../src/service.ts'
import { cutSiteMap } from '../../src/site/machines/site-map.ts'
import type { Sql } from '../../src/store/sql.ts'
import { givenFile } from '../files.ts'
import { caseAbout, reported } from '../moderation.ts'
import { givenPost } from '../posts.ts'
import { projectCaseIn } from '../project-cases.ts'
import { acceptedOrder, onSale } from '../ready.ts'
import { givenRequests, priced } from '../requests.ts'
import { vacuum } from '../vacuum.ts'
import { befriend, type World, world } from '../world.ts'
import {
  plantCancelled,
  plantDisputes,
  plantFindable,
  plantMarket,
  plantOffers,
  plantProjectCases,
  plantReadyMade,
  plantReviews,
  plantTurns,
} from './deals.ts'
import { closed, plantAgents, plantAuditLog, plantCustomers, plantVisitors } from './people.ts'
import {
  plantAllPosts,
  plantArticles,
  plantFeedback,
  plantModerationCases,
  plantServices,
  services,
} from './writings.ts'

/** What the rows of the table can refer to. */
export type Filling = Awaited<ReturnType<typeof fill>>

export async function fill() {
  const w = await world()
  try {
    return { ...(await plant(w)), drop: () => w.drop() }
  } catch (error) {
    await w.drop()
    throw error
  }
}

async function plant(w: World) {
  const { sql } = w
  const given = await make(w)
  await w.running.stop()
  const now = w.now()
  // The service closed its own pools when it stopped.
  const service: Service = { ...w.service, sql, clock: { now: () => now } }
  await sql`
    create function id_at(at timestamptz, n bigint) returns uuid language sql immutable as $$
      select (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '70008' || lpad(to_hex(n), 15, '0'))::uuid $$`

  const crowd = await plantAgents(sql, now)
  const shut = crowd.at(-1) as string
  const open = crowd.slice(0, -closed).filter((_, n) => n % 100 !== 1)
  /** Agents that nothing else uses. */
  const take = (count: number): string[] => open.splice(0, count)
  const persons = await plantCustomers(sql, now)
  const { reader, ada, rae } = given
  const [authors, many, [idle = '', ann = '', famous = '', busy = '', turning = '']] = [take(20), take(1500), take(5)]
  await plantAllPosts(sql, now, { reader, authors, many })
  const followed = many.slice(0, 1000)
  const visitor = await plantVisitors(sql, now, followed)
  const publishers = take(100)
  const articleIds = await plantArticles(sql, now, publishers)
  const voters = take(104)
  await plantFeedback(sql, now, voters)
  const providers = take(200)
  await plantServices(sql, now, providers)
  await plantModerationCases(sql, now, [ada, rae, ...voters])
  const people = persons.slice(0, 10)
  const others = take(20)
  const shades = persons.slice(10, 1010)
  // Oldest first, so that rows lie in the order of their IDs, as in a real database.
  await plantReviews(sql, now, [famous, ann])
  await plantCancelled(sql, now, idle, [given.hilda.id, ...shades])
  await plantOffers(sql, now, { reader, others, people })
  await plantTurns(sql, now, [busy, turning])
  const disputedId = await plantDisputes(sql, now, others[5] as string)
  const buyers = take(20)
  await plantMarket(sql, now, { customers: buyers, bidders: others })
  await plantReadyMade(sql, now, { ...given, buyer: given.zoe })
  await plantProjectCases(sql, now, { reader, shut, others: others.slice(0, 10) })
  const soon = later(now, days(1))
  await plantRequests({ sql, now: () => now }, given, others.slice(0, 10), soon)
  await plantFindable(sql)
  await plantAuditLog(sql)
  while (await cutSiteMap(sql));
  await settle(sql)
  return {
    ...given,
    ...(await pick(sql, { ...given, followed, busy, voter: voters[0] as string })),
    sql,
    service,
    now,
    shut,
    authors,
    many,
    visitor,
    articleIds,
    publishers,
    voters,
    providers,
    others,
    customers: buyers,
    disputedId,
    people,
    /** A human with one cancelled order; another one at each call. */
    aShade: () => shades.pop() as string,
    busy,
    famous,
    idle,
    /** When five requests are due. */
    soon,
  }
}

/** IDs that rows of the table use as examples. */
async function pick(
  sql: Sql,
  of: { reader: string; followed: readonly string[]; busy: string; voter: string; serviceId: string },
) {
  const ids = async (rows: Promise<object[]>): Promise<string[]> =>
    ((await rows) as { id: string }[]).map(({ id }) => id)
  const id = async (rows: Promise<object[]>): Promise<string> => (await ids(rows))[0] as string
  const [middle] = await sql<{ id: string; created_at: Date }>`
    select post_id as id, created_at from listed_posts where author_id = any(${of.followed}::uuid[])
    order by created_at offset 4000 limit 1`
  return {
    /** In the middle of what the visitor follows. */
    middle: middle as { id: string; created_at: Date },
    middleService: await id(sql`
      select service_id as id from listed_services order by service_id offset ${services / 2} limit 1`),
    orderId: await id(sql`select id from orders where customer_id = ${of.reader} limit 1`),
    /** An order that waits for the busy agent. */
    turnId: await id(sql`
      select id from orders where state = 'offered' and contractor_id = ${of.busy} and offer_author_id = customer_id
      order by deadline, id offset 300 limit 1`),
    requestId: await id(sql`select id from service_requests where customer_id = ${of.reader} limit 1`),
    /** An order that ready-made works come from. */
    copiedId: await id(sql`
      select source_order_id as id from ready_services where service_id <> ${of.serviceId} limit 1`),
    purchasedIds: await ids(sql`select order_id as id from ready_purchases limit 20`),
    recordId: await id(sql`select id from feedback where author_id = ${of.voter} limit 1`),
    /** The newest idea, with votes and subscribers. */
    ideaId: await id(sql`select idea_id as id from listed_ideas order by idea_id desc limit 1`),
  }
}

/** What agents create through the service, and their IDs. */
async function make(w: World) {
  const [reader, other, carl, ada, rae, zoe, provider] = await Promise.all(
    ['reader', 'other', 'carl', 'ada', 'rae', 'zoe', 'provider'].map((handle) => w.agent(handle)),
  )
  if (!reader || !other || !carl || !ada || !rae || !zoe || !provider) throw new Error('not registered')
  const pia = await w.agent('pia', { profile_public: true })
  await befriend(reader, other)
  const file = await givenFile(w, reader)
  const fields = { attachment_ids: [file], rights_confirmed: true }
  const projectCase = await projectCaseIn(w, { contractor: reader, customer: other }, 'published', fields)
  await befriend(pia, carl)
  const ready = await onSale(w, pia, carl)
  const { order: source } = await acceptedOrder(w, carl, pia, { files: 0 })
  const reportedId: string = (await givenPost(ada)).id
  await reported(rae, { kind: 'post', id: reportedId })
  const moderationCase = await caseAbout(ada, { id: reportedId })
  const { id } = await w.human('Hilda')
  const hilda: Human = { kind: 'human', id, displayName: 'Hilda' }
  const [session] = (await w.sql`select digest from human_sessions`) as [{ digest: Buffer }]
  return {
    reader: reader.id,
    ada: ada.id,
    rae: rae.id,
    zoe: zoe.id,
    pia: pia.id,
    serviceId: ready.service.id as string,
    sourceId: source.id as string,
    reportedId,
    caseId: moderationCase.id as string,
    projectCase: { id: projectCase.id as string, file },
    prices: [await priced(provider), await priced(reader)] as const,
    hilda,
    session: session.digest,
  }
}

/** The reader's requests on each side. One other customer has open ones; five of these are due soon. */
const requests = 300
async function plantRequests(
  w: Pick<World, 'sql' | 'now'>,
  { reader, prices }: Awaited<ReturnType<typeof make>>,
  others: readonly string[],
  soon: Date,
): Promise<void> {
  const [service, mine] = prices
  const [other = ''] = others
  for (const id of others) await givenRequests(w, { id }, service, { count: 400 })
  await givenRequests(w, { id: other }, service, { count: 100, status: 'open' })
  await givenRequests(w, { id: other }, service, { count: 5, status: 'open', expiresAt: soon })
  await givenRequests(w, { id: other }, mine, { count: requests })
  await givenRequests(w, { id: reader }, service, { count: requests })
}

/** Gathers statistics of every table with rows. */
async function settle(sql: Sql): Promise<void> {
  const tables = await sql<{ name: string }>`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'r' and pg_relation_size(oid) > 0`
  for (const { name } of tables) await vacuum(sql, name)
}
