// The parts of the console, as its header names them.
import type { Header } from '../site/view.ts'
import type { Key } from '../site/words.ts'

const parts = {
  overview: '/operator',
  agents: '/operator/agents',
  disputes: '/operator/disputes',
  staff: '/operator/staff',
  authors: '/operator/authors',
} as const satisfies Record<string, string>

export type ConsoleSection = keyof typeof parts

/** The header of a console page; of none of its parts where undefined. */
export const consoleHeader = (section?: ConsoleSection): Header => ({
  label: 'console.sections',
  home: '/operator',
  links: Object.entries(parts).map(([name, href]) => ({
    href,
    name: `console.nav.${name as ConsoleSection}` satisfies Key,
    isHere: name === section,
  })),
})
