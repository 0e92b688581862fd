// An address of every page of the site, by the page's own path, for the walks of the browser. A page without its row
// fails them.
import { htmlType, isFixed, isFormTarget, type PageRoute } from '../src/http/page.ts'
import type { Network } from './network.ts'
import { hostile } from './pages.ts'

export interface Address {
  path: string
  /** 200 when undefined. */
  status?: number
  /** As long as the contract. */
  isLong?: boolean
  /** Another stretch of a list that has an address of its own here. */
  isStretch?: boolean
  /** Gone through with the keyboard alone as well. */
  isTabbed?: boolean
}

type At = (network: Network) => readonly (string | Address)[]

const list =
  (path: string, ...others: readonly string[]): At =>
  ({ ids }) =>
    // An empty list has one page.
    ids.agents.length === 0
      ? [path]
      : [path, ...['page=2', ...others].map((query) => ({ path: `${path}?${query}`, isStretch: true }))]

const searched = (path: string, ...others: readonly string[]): At => {
  const queries = ['q=number', 'q=nothing+at+all', `q=${encodeURIComponent(hostile)}`, ...others]
  const tooLong = { path: `${path}?q=${'W'.repeat(300)}`, status: 400, isStretch: true }
  return (network) => [...list(path, ...queries)(network), ...(network.ids.agents.length === 0 ? [] : [tooLong])]
}

const each =
  (kind: keyof Network['ids'], path: string): At =>
  ({ ids }) =>
    ids[kind].map((id) => path + id)

const rows: Readonly<Record<string, At>> = {
  '/': () => ['/'],
  '/agents': searched('/agents', 'sort=name', 'available=true'),
  '/agents/{handle}': each('agents', '/agents/'),
  '/agents/{handle}/record': ({ ids }) => ids.agents.slice(0, 1).map((handle) => `/agents/${handle}/record`),
  '/posts': searched('/posts', 'kind=portfolio'),
  '/posts/{id}': each('posts', '/posts/'),
  '/services': searched('/services', 'mode=from&sort=price'),
  '/services/{id}': each('services', '/services/'),
  '/tasks': searched('/tasks', 'state=selected'),
  '/tasks/{id}': each('tasks', '/tasks/'),
  '/ideas': searched('/ideas'),
  '/ideas/{id}': each('ideas', '/ideas/'),
  '/articles': list('/articles'),
  '/articles/{id}': each('articles', '/articles/'),
  '/cases': list('/cases'),
  '/cases/{id}': each('cases', '/cases/'),
  '/search': ({ ids }) =>
    ids.agents.length === 0
      ? ['/search']
      : ['kind=services&sort=price', 'q=number', 'q=nothing+at+all'].map((query) => ({
          path: `/search?${query}`,
          isStretch: true,
        })),
  '/following': () => ['/following'],
  // The same whatever there is to see.
  '/docs': ({ ids }) => (ids.agents.length === 0 ? ['/docs'] : [{ path: '/docs?q=order', isStretch: true }]),
  '/docs/{topic}': ({ ids }) => (ids.agents.length === 0 ? [{ path: '/docs/tasks', isLong: true }] : []),
  '/docs/guides/{name}': ({ ids }) => (ids.agents.length === 0 ? [{ path: '/docs/guides/agents', isLong: true }] : []),
  '/docs/contract/{name}': ({ ids }) =>
    ids.agents.length === 0 ? [{ path: '/docs/contract/orders', isLong: true }] : [],
  '/documents/{name}/{version}': ({ ids }) =>
    ids.agents.length === 0 ? [{ path: '/documents/privacy/1.3', isLong: true }] : [],
  '/pages/{slug}': ({ ids }) => (ids.agents.length === 0 ? [] : ['/pages/about']),
  '/owner/confirm/{secret}': each('confirmations', '/owner/confirm/'),
}

/** Pages that no person reads, and what pages are shown with. */
const forPrograms = /\.(jsonl?|xml|txt|md|csv|ico|png|webmanifest)$|^\/(packages|assets|faces|cards|sitemap)\//

/** Pages of customers and operators, and those by which they come and go: what stands at them, page-examples.ts says. */
const ofSomebody = /^\/(sign-in|orders|wallet|account|unsubscribe|operator)(\/|$)/

const isRead = (page: PageRoute): boolean =>
  !isFormTarget(page) && !forPrograms.test(page.path) && !(isFixed(page) && page.contentType !== htmlType)

/** The pages that a person reads who is nobody in particular. */
export const readable = (pages: readonly PageRoute[]): PageRoute[] =>
  pages.filter((page) => isRead(page) && !ofSomebody.test(page.path))

/** A page of everyone's on which a customer finds more. */
export const showsMore = (page: PageRoute): boolean =>
  'knows' in page && page.knows === 'customer' && !ofSomebody.test(page.path)

/** The pages of customers, those included that show them more, or of operators. */
export const ownPages = (pages: readonly PageRoute[], whose: 'customers' | 'operators'): PageRoute[] =>
  pages.filter((page) => {
    if (!isRead(page)) return false
    if (!ofSomebody.test(page.path)) return whose === 'customers' && showsMore(page)
    return page.path.startsWith('/operator') === (whose === 'operators')
  })

/** Every address of a page in a network; undefined if the page has no row. */
export function addressesOf(page: Pick<PageRoute, 'path'>, network: Network): Address[] | undefined {
  return rows[page.path]?.(network).map((at) => (typeof at === 'string' ? { path: at } : at))
}

/** Addresses of no page, each with what it is answered with. */
export const problems: readonly Address[] = [
  { path: '/nothing-here', status: 404 },
  { path: '/language', status: 405 },
]
