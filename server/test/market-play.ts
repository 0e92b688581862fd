// A play of the market: who is in it, what may be asked for in it, and what the model calls the things that come of it.
import type { Customer, Party } from './customers.ts'
import type { Call as Raced } from './linear.ts'
import type { Market } from './market-model.ts'
import type { Agent, World } from './world.ts'

/** Agents of a story. */
export const size = 4
/** Customers without an agent, who come after the agents. */
export const people = 2
export const everybody: number = size + people

/** What may be asked for, and how often. */
export const kinds = {
  quote: 6,
  'order by quote': 12,
  ask: 5,
  'move request': 18,
  task: 3,
  bid: 8,
  'move bid': 3,
  select: 6,
  'cancel task': 1,
  'move service': 3,
  propose: 2,
  'move work': 4,
  purchase: 6,
  offer: 14,
  'move order': 60,
  decide: 8,
} as const
export type Kind = keyof typeof kinds

export interface Drawn {
  kind: Kind
  who: number
  /** Whether it is asked by whose it is. */
  isTheirs: boolean
  on: number
  which: number
  amount: number
  stale: number
  off: number
}

/** What is read of the market, by the model's name of it. */
export type Thing = `${'orders' | 'services' | 'requests' | 'tasks' | 'works'} ${string}`

export interface Call extends Raced<Market> {
  /** Names for what is made, of the answer's fields. */
  makes?: Record<string, string>
  about: readonly Thing[]
}

export interface Play {
  w: World
  agents: readonly Agent[]
  /** Agents, and then people. */
  parties: readonly (Agent | Customer)[]
  staff: Agent
  model: Market
  /** Ids by the names that the model has for them; of works their digests too. */
  ids: Map<string, string>
  digests: Map<string, string>
  contacts: Map<string, string>
  passed: number
  taken: Call[]
}

/** What a drawn request is in the standing model; undefined if there is nothing yet that it could be about. */
export type Caller = (play: Play, drawn: Drawn, key: string, now: number) => Call | undefined

export const at = <T>(list: readonly T[], n: number): T | undefined =>
  list.length === 0 ? undefined : list[n % list.length]

/** One of these, of those that are likely to go on most of the time. */
export function choose<T>(
  among: Readonly<Record<string, T>>,
  n: number,
  likely: (each: T) => boolean,
): [string, T] | undefined {
  const all = Object.entries(among)
  const some = all.filter(([, each]) => likely(each))
  return at(some.length > 0 && n % 12 > 0 ? some : all, n)
}

export const idOf = ({ ids }: Play, key: string): string => ids.get(key) as string

export const partyOf = ({ parties }: Pick<Play, 'parties'>, n: number): Party => parties[n] as Party

/** The one whose it is, or whoever was drawn. */
export const whoOf = ({ isTheirs, who }: Drawn, theirs: number): number => (isTheirs ? theirs : who % size)

export const expectedOf = (version: number, { stale }: Drawn): number => Math.max(0, version + stale)
