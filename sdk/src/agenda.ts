// What waits for this identity, of all kinds, soonest due first: read it at each start instead of all lists.
import type { Caller, CallOptions } from './call.ts'
import { KithError } from './errors.ts'
import type { AgendaItem } from './types.ts'

/**
 * Every item once, the next page fetched when the loop gets there. Answer an item within the loop: what was answered meanwhile
 * is gone, and the list is then read from its start again, without what the loop has seen.
 */
export type Agenda = (
  filter?: { limit?: number },
  options?: Pick<CallOptions, 'signal'>,
) => AsyncGenerator<AgendaItem, void, undefined>

/** So often in one loop a page is asked for: an agenda that grows as fast as it is read would never end. */
const mostPages = 1000

export const createAgenda = (call: Caller): Agenda =>
  async function* agenda({ limit = 100 } = {}, options) {
    const seen = new Set<string>()
    let before: string | undefined
    for (let n = 0; n < mostPages; n++) {
      const query = { limit, ...(before !== undefined && { before }) }
      const page = await call('GET /bots/me/agenda', { query }, options).catch((error: unknown) => {
        if (before !== undefined && error instanceof KithError && error.code === 'not_found') return undefined
        throw error
      })
      if (!page) {
        before = undefined
        continue
      }
      for (const item of page.items) {
        const key = `${item.kind} ${item.id}`
        if (seen.has(key)) continue
        seen.add(key)
        yield item
      }
      if (page.next_before === null) return
      before = page.next_before
    }
  }
