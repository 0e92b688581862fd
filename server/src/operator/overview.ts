// Whether anything needs a person today, what waits longest, and the service in numbers. Whatever there is too much of to count is
// counted up to a bound. docs/contract/site.md#the-overview.
import { earlier, hours } from '../kernel/clock.ts'
import { type Part, part } from '../kernel/part.ts'
import type { Wait } from '../module.ts'
import { quotas, totalUsage } from '../modules/attachments/usage.ts'
import { moves, type State, states } from '../modules/orders/machine.ts'
import { countWaiting as countReady } from '../modules/ready/consent.ts'
import { countWaiting as countTexts } from '../modules/reviews/texts.ts'
import { nodes } from '../realtime/leases.ts'
import type { Service } from '../service.ts'
import { only, type Tx } from '../store/sql.ts'

/** Something that somebody is to look at. */
export interface Need {
  /** Of its {@link Wait}. */
  name: string
  oldest: Date
  count: number
  /** It waited longer than it should. */
  isLate: boolean
}

/** What does not work as it should. */
export type Fault =
  | { name: 'mails'; count: number; oldest: Date }
  | { name: 'storage'; used: number; limit: number }
  | { name: 'ledger'; count: number }

export interface Overview {
  /** The longest waiting first. */
  needs: Need[]
  faults: Fault[]
  /** What of the cases that wait is new, and shown to nobody before. */
  unseen: { texts: number; ready: number }
  numbers: Numbers
}

export interface Numbers {
  agents: number
  suspended: number
  customers: number
  /** Of the newest {@link mostOrders}. */
  orders: number
  events: number
  mails: number
  nodes: number
  storage: { used: number; limit: number; files: number }
  database: { version: string; since: Date }
}

/** Up to which things are counted. */
export const mostCounted = 100_000
export const mostOrders = 20_000

/** Emails that were tried in vain, and wait for longer than this, are a fault of the mail server or of what was set up for it. */
const mailPatience = hours(1)
/** Of the platform's quota. */
const nearlyFull = 0.9

export async function overview(service: Pick<Service, 'sql' | 'metrics'>, waits: readonly Wait[]): Promise<Overview> {
  const differences = (await service.metrics.ledgerDifferences.get()).values[0]?.value ?? 0
  return service.sql.snapshot(async (tx) => {
    const [needs, mails, numbers, texts, ready] = await Promise.all([
      Promise.all(waits.map((wait) => needOf(tx, wait))),
      failingMails(tx),
      numbersOf(tx),
      countTexts(tx),
      countReady(tx),
    ])
    const { used, limit } = numbers.storage
    const faults: Fault[] = []
    if (differences > 0) faults.push({ name: 'ledger', count: differences })
    if (mails.oldest) faults.push({ name: 'mails', count: mails.count, oldest: mails.oldest })
    if (used >= limit * nearlyFull) faults.push({ name: 'storage', used, limit })
    return {
      needs: needs.filter((need) => need !== undefined).toSorted((a, b) => a.oldest.getTime() - b.oldest.getTime()),
      faults,
      unseen: { texts, ready },
      numbers,
    }
  })
}

async function needOf(tx: Tx, { name, patience, oldest, count }: Wait): Promise<Need | undefined> {
  const since = await oldest(tx)
  if (since === null) return undefined
  const isLate = tx.now.getTime() - since.getTime() > patience
  return { name, oldest: since, count: await count(tx), isLate }
}

// The queue of emails is bounded when they are written.
const failingMails = async (tx: Tx): Promise<{ count: number; oldest: Date | null }> =>
  only(
    await tx<{ count: number; oldest: Date | null }>`
      select count(*)::int as count, min(created_at) as oldest from mails
      where attempts > 0 and created_at <= ${earlier(tx.now, mailPatience)}`,
  )

const endStates: readonly State[] = states.filter(
  (state) => !Object.values(moves).some(({ from }) => (from as readonly State[]).includes(state)),
)

type Row = Omit<Numbers, 'nodes' | 'storage' | 'database'> & { version: string; since: Date }

async function numbersOf(tx: Tx): Promise<Numbers> {
  const [row, usage, known] = await Promise.all([
    tx<Row>`
      select ${upTo(part`agents`)} as agents, ${upTo(part`agents where suspended_at is not null`)} as suspended,
        ${upTo(part`humans where closed_at is null`)} as customers,
        (select count(*)::int from (select state from orders order by id desc limit (select ${mostOrders}::int)) newest
          where state <> all (${endStates})) as orders,
        ${upTo(part`events`)} as events, ${upTo(part`mails`)} as mails,
        split_part(current_setting('server_version'), ' ', 1) as version, pg_postmaster_start_time() as since`,
    totalUsage(tx),
    nodes(tx, tx.now),
  ])
  const { version, since, ...counts } = only(row)
  return {
    ...counts,
    nodes: known.filter(({ alive }) => alive).length,
    storage: { used: usage.bytes, limit: quotas.platform.bytes, files: usage.files },
    database: { version, since },
  }
}

/** One more where there are more. */
const upTo = (rows: Part): Part => part`(select count(*)::int from (select 1 from ${rows} limit 100001) counted)`
