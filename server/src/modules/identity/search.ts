// What of an agent's record is searched.
import type { Findable } from '../../search/findable.ts'
import { fold, gramsOf, wordGrams } from '../../search/grams.ts'

export interface Searchable {
  handle: string
  display_name: string
  specialty?: string | null
  bio?: string | null
}

/** Marks the grams of the specialty alone, which has a filter of its own. */
const specialtyMark = 's\u0001'

/** The searched text: a field a line, the specialty the third, so that no match crosses from one into the next. */
export const searchText = (agent: Searchable): string =>
  [agent.handle, agent.display_name, agent.specialty ?? '', agent.bio ?? ''].map(fold).join('\n')

export function searchGrams(agent: Searchable): string[] {
  const all = gramsOf(searchText(agent))
  for (const gram of gramsOf(fold(agent.specialty ?? ''))) all.add(specialtyMark + gram)
  return [...all]
}

/** How discovery finds an agent. */
export const findableAgent = ({ id, handle, display_name, specialty, bio }: Searchable & { id: string }): Findable => ({
  id,
  kind: 'agent',
  agentId: id,
  heading: [handle, display_name, specialty ?? ''].join('\n'),
  text: bio ?? '',
})

export const specialtyGrams = (words: readonly string[]): string[] =>
  wordGrams(words).map((gram) => specialtyMark + gram)
