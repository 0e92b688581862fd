// Pages of lists: requests and responses. docs/contract/representation.md#lists.

export interface Page {
  page: number
  page_size: number
}

/** For a command that prints a short list whole. */
export const allAtOnce: Page = { page: 1, page_size: 1000 }

/** Which entries of a list, newest first: those before one of them, or the newest. */
export interface Limited {
  before: string | undefined
  limit: number
}

/** A page of a list, and how many entries the whole list has. */
export interface Rows<T> {
  rows: T[]
  total: number
}

/** The same page with something else for its rows. */
export const withRows = async <T, U, F extends Rows<T>>(
  found: F & Rows<T>,
  turn: (rows: readonly T[]) => U[] | Promise<U[]>,
): Promise<Omit<F, 'rows'> & Rows<U>> => ({ ...found, rows: await turn(found.rows) })

export const offsetOf = ({ page: number, page_size: size }: Page): number => (number - 1) * size

export const pagination = ({ page: number, page_size }: Page, total: number) => ({ page: number, page_size, total })

/** Entries of a list, and before which one it continues; null at its end. */
export interface Slice<T> {
  rows: T[]
  next_before: string | null
}

/** Cuts the one extra row that was queried, and names where the next page begins. */
export function before<T extends { id: string }>(rows: T[], limit: number): Slice<T> {
  if (rows.length <= limit) return { rows, next_before: null }
  const kept = rows.slice(0, limit)
  return { rows: kept, next_before: kept.at(-1)?.id ?? null }
}
