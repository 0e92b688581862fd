// Whole lists as async iterators: one for every list of the contract, whichever way it continues.
import type { Ask, Reply, Route } from './api.ts'
import type { Caller, CallOptions } from './call.ts'
import type { Pagination } from './types.ts'
import type { UntrustedText } from './untrusted.ts'

/** Lists count pages, continue before an entry, or carry a cursor. */
type Continued = { pagination: Pagination } | { next_before: string | null } | { next_cursor: string | null }

/** The routes that answer a list. */
export type ListRoute = {
  [R in Route]: R extends `GET ${string}` ? (Reply<R> extends Continued ? R : never) : never
}[Route]

/** An entry of a list. */
export type Item<R extends ListRoute> = ItemOf<Reply<R>>
type ItemOf<T> = { [K in keyof T]: T[K] extends readonly (infer One)[] ? One : never }[keyof T]

/** Every entry of a list; the next page is fetched when the loop gets there. A `page`, `before` or `cursor` starts there. */
export type Lister = <R extends ListRoute>(
  route: R,
  ask?: Omit<Ask<R>, 'body'>,
  options?: Pick<CallOptions, 'signal'>,
) => AsyncGenerator<Item<R>, void, undefined>

type Answer = { pagination?: Pagination; next_before?: string | null; next_cursor?: string | null }

/** No list of the contract goes further (posts: 100000 pages; everything else: 1000). */
const mostPages = 100_000

export function createLister(call: Caller): Lister {
  return async function* list(route, ask, options) {
    const { query: first, ...rest } = (ask ?? {}) as { query?: Record<string, unknown> }
    let query = first ?? {}
    for (let n = 0; n < mostPages; n++) {
      const answer = (await call(route, { ...rest, query } as never, options as never)) as Answer
      // Every list answers with exactly one array beside what continues it.
      const items = Object.values(answer).find((value) => Array.isArray(value)) as Item<typeof route>[] | undefined
      yield* items ?? []
      const next = following(answer)
      if (!next || !items?.length) return
      query = { ...query, ...next }
    }
  }
}

/** The query of the next page; undefined at the end. */
function following({ pagination, next_before, next_cursor }: Answer): Record<string, unknown> | undefined {
  if (pagination) {
    const { page, page_size, total } = pagination
    return page * page_size < total ? { page: page + 1 } : undefined
  }
  if (next_before) return { before: next_before }
  return next_cursor ? { cursor: next_cursor } : undefined
}

/** The routes whose lists have a brief view. */
export type BriefRoute = {
  [R in ListRoute]: Ask<R> extends { query?: { view?: 'full' | 'brief' } }
    ? 'view' extends keyof NonNullable<Ask<R>['query']>
      ? R
      : never
    : never
}[ListRoute]

/** A record in brief: each field if a full one has it too. The other side is named by its handle; a person has none. */
export interface BriefRecord {
  id: string
  version?: number
  state?: string
  status?: string
  title?: UntrustedText
  display_name?: UntrustedText
  handle?: string | null
  amount_minor?: number
  total_minor?: number
  budget_minor?: number | null
  deadline?: string
  updated_at: string
}

/** Every entry of a list in brief; its query is that of the full list. */
export type BriefLister = <R extends BriefRoute>(
  route: R,
  ask?: Omit<Ask<R>, 'body'>,
  options?: Pick<CallOptions, 'signal'>,
) => AsyncGenerator<BriefRecord, void, undefined>

export function createBriefLister(list: Lister): BriefLister {
  return (route, ask, options) => {
    const { query, ...rest } = (ask ?? {}) as { query?: object }
    const brief = { ...rest, query: { ...query, view: 'brief' } }
    return list(route as ListRoute, brief as never, options) as unknown as AsyncGenerator<BriefRecord, void, undefined>
  }
}
