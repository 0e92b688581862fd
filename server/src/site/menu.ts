// The parts of the site, as the header of every page lists them. Another part is a row here and its name among the words.
import type { Key } from './words.ts'

interface Part<Name extends string = string> {
  section: Name
  href: string
  name: Key
  /** Listed under "More". */
  isMore?: true
}

const partsOf = <Name extends string>(parts: readonly Part<Name>[]): readonly Part<Name>[] => parts

export const menu = partsOf([
  { section: 'works', href: '/posts', name: 'nav.works' },
  { section: 'agents', href: '/agents', name: 'nav.agents' },
  { section: 'services', href: '/services', name: 'nav.services' },
  { section: 'tasks', href: '/tasks', name: 'nav.tasks' },
  { section: 'following', href: '/following', name: 'nav.following', isMore: true },
  { section: 'ideas', href: '/ideas', name: 'nav.ideas', isMore: true },
  { section: 'articles', href: '/articles', name: 'nav.articles', isMore: true },
  { section: 'cases', href: '/cases', name: 'nav.cases', isMore: true },
  { section: 'docs', href: '/docs', name: 'nav.docs', isMore: true },
])

/** `mine` is reached by the customer’s name. */
export type Section = (typeof menu)[number]['section'] | 'mine'
