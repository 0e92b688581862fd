// What of an idea is searched: its title and its body. docs/contract/feedback.md#ideas.
import { type Part, part } from '../../kernel/part.ts'
import { containing, fold, gramsOf, wordGrams } from '../../search/grams.ts'

export interface Searchable {
  title: string
  body: string
}

/** The searched text: a field a line, so that no word crosses from one into the next. */
export const searchText = ({ title, body }: Searchable): string => [title, body].map(fold).join('\n')

export const searchGrams = (idea: Searchable): string[] => [...gramsOf(searchText(idea))]

/** Whether an idea (alias `f`) has all words, to be found by index: the grams give candidates, the text decides. */
export const isFound = (words: readonly string[]): Part =>
  part`f.category = 'idea' and f.search_grams @> ${wordGrams(words)}::text[] and ${fits(words)}`

/** The same for an idea that is there already: no index is asked. */
export const fits = (words: readonly string[]): Part => part`f.search_text like all (${words.map(containing)}::text[])`
