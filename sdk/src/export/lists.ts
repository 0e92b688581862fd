// Walks one list of the plan, page by page, from any page on. After each page it says where it is, so that a later run can
// go on there.
import type { Line, Planned } from './plan.ts'
import { KithExportError, type Reading } from './source.ts'

/** Where a list goes on: before an entry or at a cursor, or on a page. */
export type Place = { ask: Record<string, string> } | Counted

interface Counted {
  /** From the beginning of the list so many entries are written, or came meanwhile. */
  seen: number
  /** Of the list when it was last asked for. */
  total: number
  /** Entries a page. */
  size: number
}

export const isPlace = (place: unknown): place is Place | undefined =>
  place === undefined || (place instanceof Object && ('ask' in place || 'size' in place))

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
  /** What is written of the list, as `keyOf` names it. */
  written?: Set<string>
}

export async function* pages(asked: Asked, from: Place | undefined): AsyncGenerator<Page> {
  const { planned, written = new Set<string>() } = asked
  let place = from
  for (let moves = 0; ; ) {
    const page = await next({ ...asked, written }, place)
    const isLooking = page.lines.length === 0 && page.place !== undefined
    if (page.again || isLooking) checkMoves(planned.name, ++moves)
    if (!isLooking) yield page
    place = page.place
    if (place === undefined && !page.again) return
  }
}

async function next({ source, planned, path, written }: Required<Asked>, place: Place | undefined): Promise<Page> {
  const { route, query = {} } = planned
  const ask = place === undefined ? {} : 'ask' in place ? place.ask : { page: String(pageAt(place)) }
  try {
    const body = await source.read(route, { path, query: { ...query, ...ask } })
    return planned.isOne ? { lines: [body], place: undefined } : pageOf(body, place, written)
  } catch (error) {
    const refused = source.refusalOf(error)
    if (!refused || ![400, 403, 404, 409].includes(refused.status)) throw error
    const ended = { lines: [], place: undefined }
    if (place === undefined && planned.none?.includes(refused.code)) return ended
    // The entry that it would continue at is gone, or the cursor is too old.
    if (place && 'ask' in place) return { ...ended, again: true }
    return { ...ended, problem: refused.code }
  }
}

interface Body {
  pagination?: { page: number; page_size: number; total: number }
  next_before?: string | null
  next_cursor?: string | null
}

function pageOf(body: Record<string, unknown>, place: Place | undefined, written: Set<string>): Page {
  const { pagination, next_before, next_cursor } = body as Body
  const lines = (Object.values(body).find((value) => Array.isArray(value)) ?? []) as Line[]
  if (!pagination) {
    const ask = next_before ? { before: next_before } : next_cursor ? { cursor: next_cursor } : undefined
    return { lines, place: ask && lines.length > 0 ? { ask } : undefined }
  }
  return counted(lines, pagination, place && 'seen' in place ? place : undefined, written)
}

const pageAt = ({ seen, size }: Counted): number => Math.floor(seen / size) + 1

/**
 * A list that counts pages moves under its reader: entries come at its beginning, and some go. If its total is smaller by some
 * number, no entry that is not written yet has moved up by more than that; from there the list is asked for again.
 */
function counted(
  lines: Line[],
  { page, page_size: size, total }: Required<Body>['pagination'],
  place: Counted | undefined,
  written: Set<string>,
): Page {
  const seen = place ? Math.max(0, place.seen - Math.max(0, place.total - total)) : 0
  if ((page - 1) * size > seen) return { lines: [], place: { seen, total, size } }
  // What is above an entry that is written came meanwhile.
  const fresh = lines.slice(lines.findLastIndex((line) => written.has(keyOf(line))) + 1)
  for (const line of fresh) written.add(keyOf(line))
  const isEnd = lines.length === 0 || page * size >= total
  return { lines: fresh, place: isEnd ? undefined : { seen: page * size, total, size } }
}

/** What tells an entry from the others of its list. */
export const keyOf = (line: Line): string => String(line?.id ?? line?.feedback_id)
