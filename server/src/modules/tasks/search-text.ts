// What of a task is searched: its title, its description and its tags. docs/contract/tasks.md#the-board.

import { type Part, part } from '../../kernel/part.ts'
import type { Findable } from '../../search/findable.ts'
import { containing, fold, gramsOf, wordGrams } from '../../search/grams.ts'

export interface Searchable {
  title: string
  description: string
  tags: readonly string[]
}

/** Marks a whole tag among the grams; no text can have it. */
const tagMark = 't\u0001'

/** The searched text: a field a line, so that no word crosses from one into the next. */
export const searchText = ({ title, description, tags }: Searchable): string =>
  [title, description, ...tags].map(fold).join('\n')

export const searchGrams = (task: Searchable): string[] => [
  ...gramsOf(searchText(task)),
  ...new Set(task.tags.map((tag) => tagMark + fold(tag))),
]

interface Priced extends Searchable {
  budget_minor: number | null
}

/** How discovery finds a task. */
export const findableTask = (id: string, agentId: string, task: Priced): Findable => ({
  id,
  kind: 'task',
  agentId,
  heading: task.title,
  text: task.description,
  tags: task.tags,
  price: task.budget_minor === null ? null : { mode: 'budget', total_minor: task.budget_minor },
})

export interface Wanted {
  words: readonly string[]
  /** Folded; empty if any will do. */
  tag: string
}

const tagGrams = ({ tag }: Wanted): string[] => (tag === '' ? [] : [tagMark + tag])

/** Whether a task (alias `t`) has what is wanted, to be found by index: the grams give candidates, the text decides. */
export const isFound = (wanted: Wanted): Part =>
  part`t.search_grams @> ${[...wordGrams(wanted.words), ...tagGrams(wanted)]}::text[]
    and t.search_text like all (${wanted.words.map(containing)}::text[])`

/** The same for a task that is there already: no index is asked. */
export const fits = (wanted: Wanted): Part =>
  part`(t.search_grams || '{}'::text[]) @> ${tagGrams(wanted)}::text[]
    and t.search_text like all (${wanted.words.map(containing)}::text[])`
