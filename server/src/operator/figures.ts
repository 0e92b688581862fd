// Figures of the service by day. A sweep keeps them, so that no page counts a table that grows: agents, orders and credits are
// counted by the IDs of a day, which begin with their time; messages and refused requests are added up by each node, as it has
// counted them itself. docs/contract/site.md#the-overview.
import { after, days, earlier, firstIdOf } from '../kernel/clock.ts'
import { totalUsage } from '../modules/attachments/usage.ts'
import type { Service } from '../service.ts'
import type { Query, Sql, Tx } from '../store/sql.ts'

export const figureNames = ['agents', 'messages', 'orders', 'credits', 'storage', 'refused'] as const
export type FigureName = (typeof figureNames)[number]

/** The days that the console shows, today included. */
const daysShown = 30
/** Older ones are deleted. */
const daysKept = 400

export interface DayFigures {
  /** Its beginning in UTC. */
  day: Date
  figures: Record<FigureName, number>
}

const dayOf = (moment: Date): Date => new Date(Math.floor(moment.getTime() / days(1)) * days(1))

/** The last {@link daysShown} days, the oldest first. What nobody kept is 0; of storage the last known sum goes on. */
export async function figuresOf(sql: Query, now: Date): Promise<DayFigures[]> {
  const first = earlier(dayOf(now), days(daysShown - 1))
  const rows = await sql<{ day: Date; name: FigureName; value: number }>`
    select day, name, value from daily_figures where day >= ${first} order by day`
  let storage = 0
  return Array.from({ length: daysShown }, (_, at) => {
    const day = after(first, days(at))
    const found = new Map(rows.filter((row) => row.day.getTime() === day.getTime()).map((row) => [row.name, row.value]))
    storage = found.get('storage') ?? storage
    const figures = Object.fromEntries(figureNames.map((name) => [name, found.get(name) ?? 0]))
    return { day, figures: { ...(figures as DayFigures['figures']), storage } }
  })
}

/** What a node has counted since it started. */
const countedBy = async ({ metrics }: Pick<Service, 'metrics'>): Promise<Record<'messages' | 'refused', number>> => {
  const [messages, refused] = await Promise.all([totalOf(metrics.messagesSent), totalOf(metrics.refusals)])
  return { messages, refused }
}

const totalOf = async (counter: { get(): Promise<{ values: readonly { value: number }[] }> }): Promise<number> =>
  (await counter.get()).values.reduce((sum, { value }) => sum + value, 0)

/**
 * The sweep of a node that adds what it has counted since its last run; that is lost if it is killed: at most a minute’s.
 */
export function countKeeper(service: Pick<Service, 'sql' | 'clock' | 'metrics'>): () => Promise<boolean> {
  let told = { messages: 0, refused: 0 }
  return async () => {
    const counted = await countedBy(service)
    const added = { messages: counted.messages - told.messages, refused: counted.refused - told.refused }
    await service.sql.transaction(
      (tx) => tx`
        insert into daily_figures (day, name, value)
        select ${dayOf(tx.now)}::timestamptz, name, value
        from (values ('messages', ${added.messages}::bigint), ('refused', ${added.refused}::bigint)) as counted (name, value)
        on conflict (day, name) do update set value = daily_figures.value + excluded.value`,
    )
    // Only what is committed was told.
    told = counted
    return false
  }
}

/** The sweep that counts what the database knows of today, of yesterday, and of one day that nobody counted. */
export async function keepFigures(sql: Sql): Promise<boolean> {
  await sql.transaction(keep)
  return false
}

async function keep(tx: Tx): Promise<void> {
  const today = dayOf(tx.now)
  // One node at a time, so that no sum is overwritten by an older one.
  await tx`select pg_advisory_xact_lock(hashtextextended('daily figures', 0))`
  const { bytes } = await totalUsage(tx)
  await tx`
    insert into daily_figures (day, name, value) values (${today}, 'storage', ${bytes})
    on conflict (day, name) do update set value = excluded.value`
  const yesterday = earlier(today, days(1))
  const [missing] = await tx<{ day: Date }>`
    select d.day from generate_series(${earlier(today, days(daysShown - 1))}::timestamptz, ${yesterday}::timestamptz,
      interval '24 hours') as d (day)
    where not exists (select 1 from daily_figures f where f.day = d.day and f.name = 'orders') order by d.day limit 1`
  await countDay(tx, today)
  // The end of a day that is over; and of the days before, the oldest that nobody counted yet: they are filled in one by one.
  // The day before that may have been counted before it was over, by a server that stopped then.
  await countDay(tx, yesterday)
  if (missing) {
    await countDay(tx, missing.day)
    await countDay(tx, earlier(missing.day, days(1)))
  }
  await tx`delete from daily_figures where day < ${earlier(today, days(daysKept))}`
}

async function countDay(tx: Tx, day: Date): Promise<void> {
  const [least, most] = [firstIdOf(day), firstIdOf(after(day, days(1)))]
  await tx`
    insert into daily_figures (day, name, value)
    select ${day}::timestamptz, name, value from (values
      ('agents', (select count(*) from agents where id >= ${least} and id < ${most})),
      ('orders', (select count(*) from orders where id >= ${least} and id < ${most})),
      ('credits', (select coalesce(sum(amount_minor), 0)::bigint from ledger_entries
        where id >= ${least} and id < ${most} and kind in ('payout', 'ready_share') and amount_minor > 0))) as counted (name, value)
    on conflict (day, name) do update set value = excluded.value`
}
