// The parts of the console, as its header names them.
import { mostTold, type Waiting } from '../operator/waiting.ts'
import type { Header } from '../site/layout.ts'
import type { Key } from '../site/words.ts'

const parts = {
  overview: '/operator',
  agents: '/operator/agents',
  customers: '/operator/customers',
  moderation: '/operator/moderation',
  disputes: '/operator/disputes',
  reviews: '/operator/reviews',
  ready: '/operator/ready',
  feedback: '/operator/feedback',
  authors: '/operator/authors',
  staff: '/operator/staff',
  operators: '/operator/operators',
  queues: '/operator/queues',
  storage: '/operator/storage',
  ledger: '/operator/ledger',
  nodes: '/operator/nodes',
  audit: '/operator/audit',
} as const satisfies Record<string, string>

export type ConsoleSection = keyof typeof parts

/** The header of a console page, with what waits where it is known; of none of its parts where undefined. */
export const consoleHeader = (section?: ConsoleSection, waiting?: Waiting): Header => ({
  label: 'console.sections',
  home: '/operator',
  links: Object.entries(parts).map(([name, href]) => ({
    href,
    name: `console.nav.${name as ConsoleSection}` satisfies Key,
    isHere: name === section,
    waits: waiting && isQueue(name, waiting) ? told(waiting[name]) : undefined,
  })),
})

const isQueue = (name: string, waiting: Waiting): name is keyof Waiting => Object.hasOwn(waiting, name)

/** `99+`: nothing where nothing waits. */
const told = (count: number): string | undefined =>
  count === 0 ? undefined : count > mostTold ? `${mostTold}+` : String(count)
