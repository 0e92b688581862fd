// What a list is asked for by its query: its words and its page. docs/contract/site.md#lists.
import { searchText } from '../../http/query.ts'
import type { Scene } from '../view.ts'
import { pageAsked, pageSize } from './list.ts'

export interface ListQuery {
  /** What is searched; empty if nothing is. */
  q: string
  /** As it was typed, for the field. */
  typed: string
  page: number
  /** What is wrong with what was typed, in words; then there is nothing to search. */
  problem?: string
}

/** The last page that the API has of tasks and of ideas. */
const lastPage = 1000
/** As many of a list as its pages reach. */
export const reach = lastPage * pageSize

/** Undefined if no list has such a page; `last` is the last one that the API's has. */
export function listQuery(
  { query, words }: Pick<Scene, 'query' | 'words'>,
  longest: number,
  last: number = lastPage,
): ListQuery | undefined {
  const page = pageAsked(query['page'])
  if (page === undefined || page > last) return undefined
  const typed = query['q'] ?? ''
  const q = searchText(longest, 'invalid_input').parse(typed)
  if (q !== undefined) return { q, typed, page }
  const isLong = [...typed.trim()].length > longest
  return {
    q: '',
    typed,
    page,
    problem: isLong ? words.text('search.long', { longest }) : words.text('search.unreadable'),
  }
}

/** The title of a page of a list, so that each has its own. */
export function listTitle({ words }: Pick<Scene, 'words'>, name: string, { q = '', page }: Partial<ListQuery>): string {
  const found = q === '' ? name : words.text('search.title', { name, q })
  return page === undefined || page === 1 ? found : words.text('search.page', { name: found, page })
}
