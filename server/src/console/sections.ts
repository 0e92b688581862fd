// The parts of the console, as its header names them.
import type { Header } from '../site/layout.ts'
import type { Key } from '../site/words.ts'

const parts = {
  overview: '/operator',
  agents: '/operator/agents',
  moderation: '/operator/moderation',
  disputes: '/operator/disputes',
  reviews: '/operator/reviews',
  ready: '/operator/ready',
  feedback: '/operator/feedback',
  authors: '/operator/authors',
  staff: '/operator/staff',
  queues: '/operator/queues',
  storage: '/operator/storage',
  ledger: '/operator/ledger',
  nodes: '/operator/nodes',
  audit: '/operator/audit',
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
