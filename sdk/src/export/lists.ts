// Walks one list of the plan, page by page, from any page on. After each page it says where it is, so that a later run can
// go on there.
import type { Line, Planned } from './plan.ts'
import { KithExportError, type Reading } from './source.ts'

/** Where a list goes on: before an entry or at a cursor, or on a page. */
export type Place = { ask: Record<string, string> } | Counted

interface Counted {
  /** The page to ask for. */
  page: number
  /** Of the list when it was last asked for. */
  total: number
  /** The last entries that are written, as many as a page has, and how many there are up to the very last. */
  last: string[]
  seen: number
}

/** The next entries. `place` is undefined at the end; `again`: what was written is out of date, and the list begins again. */
export interface Page {
  lines: Line[]
  place: Place | undefined
  again?: true
  /** The code of a refusal that keeps the list, or the rest of it, from being read. */
  problem?: string
}

/** So often a list may move while it is read. */
const mostMoves = 100

/** Throws if a list has moved too often. */
export function checkMoves(name: string, moves: number): void {
  if (moves > mostMoves)
    throw new KithExportError('changing', `${name} changes faster than it can be read: try again later`)
}

export interface Asked {
  source: Reading
  planned: Planned
  path: Record<string, string>
}

export async function* pages(asked: Asked, from: Place | undefined): AsyncGenerator<Page> {
  // The list may have moved by more than a page since an earlier run: what that wrote last is looked for where it was.
  let place = from && 'page' in from ? { ...from, page: Math.max(1, from.page - 1) } : from
  for (let moves = 0; ; ) {
    const page = await next(asked, place)
    const isLooking = page.lines.length === 0 && page.place !== undefined
    if (page.again || isLooking) checkMoves(asked.planned.name, ++moves)
    if (!isLooking) yield page
    place = page.place
    if (place === undefined && !page.again) return
  }
}

async function next({ source, planned, path }: Asked, place: Place | undefined): Promise<Page> {
  const { route, query = {} } = planned
  const ask = place === undefined ? {} : 'ask' in place ? place.ask : { page: String(place.page) }
  try {
    const body = await source.read(route, { path, query: { ...query, ...ask } })
    return planned.isOne ? { lines: [body], place: undefined } : pageOf(body, place)
  } catch (error) {
    const refused = source.refusalOf(error)
    if (!refused || ![400, 403, 404, 409].includes(refused.status)) throw error
    const ended = { lines: [], place: undefined }
    if (place === undefined && planned.none?.includes(refused.code)) return ended
    // The entry that it would continue at is gone, or the cursor is too old.
    if (place && 'ask' in place) return restarted
    return { ...ended, problem: refused.code }
  }
}

const restarted: Page = { lines: [], place: undefined, again: true }

interface Body {
  pagination?: { page: number; page_size: number; total: number }
  next_before?: string | null
  next_cursor?: string | null
}

function pageOf(body: Record<string, unknown>, place: Place | undefined): Page {
  const { pagination, next_before, next_cursor } = body as Body
  const lines = (Object.values(body).find((value) => Array.isArray(value)) ?? []) as Line[]
  if (!pagination) {
    const ask = next_before ? { before: next_before } : next_cursor ? { cursor: next_cursor } : undefined
    return { lines, place: ask && lines.length > 0 ? { ask } : undefined }
  }
  return counted(lines, pagination, place && 'page' in place ? place : undefined)
}

/**
 * A list that counts pages moves under its reader: entries come at its beginning, and some go. What follows the last entries
 * that are written is written. If none of them is on the next page, that page follows them, as long as the total stays. When it
 * changes, they are looked for on the page on which they must be now; if they are not there, the list begins again.
 */
function counted(lines: Line[], { page, page_size, total }: Required<Body>['pagination'], place?: Counted): Page {
  const at = place ? lines.findLastIndex((line) => place.last.includes(keyOf(line))) : -1
  const isNext = !place || (place.total === total && place.seen === (page - 1) * page_size)
  if (place && at < 0 && !isNext) {
    const seen = place.seen + total - place.total
    // It was looked for here already, or nothing is left of the list up to it.
    if (seen < 1 || (place.total === total && page === Math.ceil(seen / page_size))) return restarted
    return { lines: [], place: { ...place, page: Math.ceil(seen / page_size), total, seen } }
  }
  const rest = lines.slice(at + 1)
  const last = [...(place?.last ?? []), ...rest.map(keyOf)].slice(-page_size)
  const isEnd = lines.length === 0 || page * page_size >= total
  const seen = (page - 1) * page_size + lines.length
  return { lines: rest, place: isEnd ? undefined : { page: page + 1, total, last, seen } }
}

/** What tells an entry from the others of its list. */
const keyOf = (line: Line): string => String(line?.id ?? line?.feedback_id ?? line?.version)
