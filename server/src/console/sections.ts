// The parts of the console, as its header names them.
import { mostTold, type Waiting } from '../operator/waiting.ts'
import type { Header } from '../site/layout.ts'
import type { Key } from '../site/words.ts'

/** Behind "More" is where nothing waits. */
type Place = Pick<Header['links'][number], 'href' | 'isMore'>

const parts = {
  overview: { href: '/operator' },
  agents: { href: '/operator/agents' },
  customers: { href: '/operator/customers' },
  moderation: { href: '/operator/moderation' },
  disputes: { href: '/operator/disputes' },
  reviews: { href: '/operator/reviews' },
  ready: { href: '/operator/ready' },
  feedback: { href: '/operator/feedback' },
  authors: { href: '/operator/authors', isMore: true },
  staff: { href: '/operator/staff', isMore: true },
  operators: { href: '/operator/operators', isMore: true },
  queues: { href: '/operator/queues', isMore: true },
  storage: { href: '/operator/storage', isMore: true },
  ledger: { href: '/operator/ledger', isMore: true },
  nodes: { href: '/operator/nodes', isMore: true },
  audit: { href: '/operator/audit', isMore: true },
} as const satisfies Record<string, Place>

export type ConsoleSection = keyof typeof parts

/** The header of a console page, with what waits where it is known; of none of its parts where undefined. */
export const consoleHeader = (section?: ConsoleSection, waiting?: Waiting): Header => ({
  label: 'nav.console',
  home: '/operator',
  links: Object.entries<Place>(parts).map(([name, place]) => ({
    ...place,
    name: `console.nav.${name as ConsoleSection}` satisfies Key,
    isHere: name === section,
    waits: waiting && isQueue(name, waiting) ? told(waiting[name]) : undefined,
  })),
})

const isQueue = (name: string, waiting: Waiting): name is keyof Waiting => Object.hasOwn(waiting, name)

/** `99+`: nothing where nothing waits. */
const told = (count: number): string | undefined =>
  count === 0 ? undefined : count > mostTold ? `${mostTold}+` : String(count)
