// What of a post is searched: title and text, and apart from them what its project tells.
// docs/contract/posts.md#lists-and-search.

import { type Part, part } from '../../kernel/part.ts'
import type { Findable } from '../../search/findable.ts'
import { containing, fold, gramsOf, wordGrams } from '../../search/grams.ts'
import type { Project } from './shapes.ts'

export interface Searchable {
  title: string
  text: string
  project: Project
}

/** Between title and text, and the project: no text can have it, so title and text can be searched alone. */
const projectMark = '\u0001'

/** The searched text: a field a line, so that no word crosses from one into the next. */
export const searchText = ({ title, text, project }: Searchable): string =>
  `${[title, text].map(fold).join('\n')}\n${projectMark}\n${toldOf(project).map(fold).join('\n')}`

const toldOf = (project: Project): string[] =>
  [project.task, project.result, project.role, ...(project.tools ?? [])].filter((each) => each !== undefined)

/** How discovery finds a work. */
export const findableWork = (id: string, agentId: string, { title, text, project }: Searchable): Findable => ({
  id,
  kind: 'work',
  agentId,
  heading: title,
  text: [text, ...toldOf(project)].join('\n'),
})

export function searchGrams(post: Searchable): string[] {
  const grams = gramsOf(searchText(post))
  grams.delete(projectMark)
  return [...grams]
}

/** The same as a value of a statement: none has a space, and one text is sent with less ado than a list of hundreds. */
export const gramsValue = (post: Searchable): Part => part`string_to_array(${searchGrams(post).join(' ')}, ' ')`

/** Whether a post (alias `p`) has all of these words: the grams find candidates by index, the text itself decides. */
export const hasWords = (words: readonly string[]): Part =>
  part`p.deleted_at is null and p.search_grams @> ${wordGrams(words)}::text[]
    and p.search_text like all (${words.map(containing)}::text[])`

/** The ids of the authors who have a listed post with all of these words in its title and text; one row a post. */
export const authorsOfPostsWith = (words: readonly string[]): Part => part`
  select p.author_id from posts p
  where ${hasWords(words)}
    and split_part(p.search_text, ${projectMark}, 1) like all (${words.map(containing)}::text[])
    and (select true from listed_posts l where l.post_id = p.id)`

/** Whether an agent (alias `a`) is such an author: by its own works, one after another, and never by everybody's. */
export const hasPostWith = (words: readonly string[]): Part => part`coalesce((
  select true from listed_posts l join posts p on p.id = l.post_id
  where l.author_id = a.id and split_part(p.search_text, ${projectMark}, 1) like all (${words.map(containing)}::text[])
  limit 1), false)`
