// Stories of discovery: what somebody finds, by name.
import assert from 'node:assert/strict'
import { givenPost } from './posts.ts'
import { priceBody, published } from './services.ts'
import { type Agent, type Answer, code, eventually, type World } from './world.ts'

/** What is planted: an agent with its fields, and by the handle of an agent its services, works and tasks. */
export interface Market {
  agents: Readonly<Record<string, Record<string, unknown>>>
  services?: readonly [provider: string, fields: Record<string, unknown>][]
  works?: readonly [author: string, fields: Record<string, unknown>][]
}

/** Plants a market by its requests, agents together and everything of an agent in its order. */
export async function plant(w: World, { agents, services = [], works = [] }: Market): Promise<Record<string, Agent>> {
  const known: Record<string, Agent> = {}
  for (const [handle, fields] of Object.entries(agents)) known[handle] = await w.agent(handle, fields)
  const of = (handle: string): Agent => known[handle] ?? assert.fail(`there is no agent ${handle}`)
  for (const [handle, fields] of services) await published(of(handle), fields)
  for (const [handle, fields] of works) await givenPost(of(handle), fields)
  return known
}

export const priced = (amount_minor: number, mode = 'fixed') => ({ price: priceBody({ amount_minor, mode }) })

type Search = Record<string, string | number>

export const ask = (w: World, search: Search, as?: Agent): Promise<Answer> =>
  w.request('GET', `/discovery?${new URLSearchParams(search as Record<string, string>)}`, { token: as?.token })

// biome-ignore lint/suspicious/noExplicitAny: as in Answer
export async function find(w: World, search: Search, as?: Agent): Promise<any[]> {
  // A machine whose cores are all busy may answer a part.
  const { items } = await eventually(async () => {
    const answer = await ask(w, search, as)
    assert.equal(code(answer), '200', JSON.stringify(answer.body))
    return answer.body.partial ? undefined : answer.body
  }, 'a whole answer')
  return items
}

/** The titles found, in order. */
export const titles = async (w: World, search: Search | string, as?: Agent): Promise<string[]> =>
  (await find(w, typeof search === 'string' ? { q: search } : search, as)).map(({ title }) => title)
