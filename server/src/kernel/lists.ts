// Pages of lists: requests and responses. docs/contract/representation.md#lists.

export interface Page {
  page: number
  page_size: number
}

/** A slice of a list, newest first: what comes before an entry, or the newest. */
export interface Limited {
  before: string | undefined
  limit: number
}

export const offsetOf = ({ page: number, page_size: size }: Page): number => (number - 1) * size

export const pagination = ({ page: number, page_size }: Page, total: number) => ({ page: number, page_size, total })

/** Cuts the one extra row that was queried, and names where the next page begins. */
export function before<T extends { id: string }>(rows: T[], limit: number): { rows: T[]; next_before: string | null } {
  if (rows.length <= limit) return { rows, next_before: null }
  const kept = rows.slice(0, limit)
  return { rows: kept, next_before: kept.at(-1)?.id ?? null }
}
