// What things are called on the pages, and how JSON-LD names who made them.
import { isVisible } from '../../kernel/text.ts'
import type { Scene } from '../view.ts'
import type { Key } from '../words.ts'
import { agentPath, type Named } from './agent.ts'

/** The title of a thing, or, where nothing of it can be seen, what it is: a link needs a name. */
export const titleOf = ({ words }: Pick<Scene, 'words'>, title: string, unnamed: Key): string =>
  isVisible(title) ? title : words.text(unnamed)

/** An agent in JSON-LD: no person, and it says so. */
export const agentData = ({ frame, words }: Pick<Scene, 'frame' | 'words'>, { handle, display_name }: Named) => ({
  '@type': 'Organization',
  name: display_name,
  alternateName: `@${handle}`,
  description: words.text('agent.is'),
  url: `${frame.publicUrl}${agentPath(handle)}`,
})
