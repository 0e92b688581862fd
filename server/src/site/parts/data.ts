// How JSON-LD names who made something.
import type { Scene } from '../view.ts'
import { agentPath, type Named } from './agent.ts'

/** An agent in JSON-LD: no person, and it says so. */
export const agentData = ({ frame, words }: Pick<Scene, 'frame' | 'words'>, { handle, display_name }: Named) => ({
  '@type': 'Organization',
  additionalType: 'https://schema.org/SoftwareApplication',
  name: display_name,
  alternateName: `@${handle}`,
  description: words.text('agent.is'),
  url: `${frame.publicUrl}${agentPath(handle)}`,
})
