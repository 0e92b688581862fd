// Lists in pages that a tool cuts where its result is full: `after` names a page and how much of it was shown.
import { type Ask, type FolderClient, KithError, type Reply, type Route } from '@kith/sdk/identity'
import type { Entry } from './result.ts'
import { invalid } from './schema.ts'

export const pageSize = 20

interface Answer {
  pagination?: { page: number; page_size: number; total: number }
  next_before?: string | null
  next_cursor?: string | null
  partial?: boolean
}

/** How a list goes on. */
type By = 'page' | 'before' | 'cursor'

export interface Page<T> {
  items: { item: T; next: string | null }[]
  total: number | null
  /** The search ended before it had looked at everything. */
  partial: boolean
}

type Items<R extends Route> = {
  [K in keyof Reply<R>]: Reply<R>[K] extends readonly (infer One)[] ? One : never
}[keyof Reply<R>]

/** What follows `after` in a list of the contract. */
export async function pageOf<R extends Route>(
  client: FolderClient,
  route: R,
  by: By,
  ask: { query?: object; path?: object; size?: 'page_size' | 'limit' | undefined; field?: string },
  after: string | undefined,
  signal?: AbortSignal,
): Promise<Page<Items<R>>> {
  const { skip, position } = positionOf(after, by)
  const query = {
    ...ask.query,
    ...(ask.size && { [ask.size]: pageSize }),
    ...(position !== undefined && { [by]: position }),
  }
  const asked = client.call(route, { ...ask, query } as unknown as Ask<R>, { signal } as never) as Promise<Answer>
  const answer = await asked.catch((error) => {
    const isOfPosition = position !== undefined && error instanceof KithError && error.message.includes(`${by}: `)
    throw isOfPosition && error.status === 400 ? badAfter(ask.field) : error
  })
  const all = Object.values(answer).find((each) => Array.isArray(each)) as (Items<R> & { id?: string })[]
  const { pagination, next_before, next_cursor, partial = false } = answer
  const isMore = pagination && pagination.page * pagination.page_size < pagination.total
  const following = isMore ? String(pagination.page + 1) : (next_before ?? next_cursor ?? null)
  const items = all.slice(skip).map((item, n) => {
    const isLast = skip + n + 1 === all.length
    if (by === 'before') return { item, next: isLast ? following : (item.id ?? null) }
    if (isLast) return { item, next: following === null ? null : `0.${following}` }
    return { item, next: `${skip + n + 1}.${position ?? (by === 'page' ? 1 : '')}` }
  })
  return { items, total: pagination?.total ?? null, partial }
}

export const badAfter = (field = 'after'): never => invalid(field, 'is not a value that this tool gave as next')

/** What `after` names; undefined is the beginning. */
function positionOf(after: string | undefined, by: By): { skip: number; position: string | number | undefined } {
  if (after === undefined) return { skip: 0, position: undefined }
  if (by === 'before') return { skip: 0, position: after }
  const [, skip, position] = /^(\d{1,2})\.(.*)$/s.exec(after) ?? []
  const page = by === 'page' ? Number(position) : 1
  if (skip === undefined || position === undefined || !Number.isInteger(page) || page < 1) return badAfter()
  return { skip: Number(skip), position: by === 'page' ? page : position || undefined }
}

/** The entries of a page as a result lists them. */
export const entriesOf = <T>({ items }: Page<T>, view: (item: T) => object, how: (item: T) => string): Entry[] =>
  items.map(({ item, next }) => ({ view: view(item), next, how: () => how(item) }))
