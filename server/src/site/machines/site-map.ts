// /sitemap.xml and its files: the addresses of all that everyone may read. docs/contract/site.md#for-search-engines.
import type { Feed, LivePage, Visit } from '../../http/page.ts'
import { mappedCases } from '../../modules/cases/site-map.ts'
import { mappedArticles } from '../../modules/editorial/site-map.ts'
import { mappedIdeas } from '../../modules/feedback/site-map.ts'
import { mappedWorks } from '../../modules/posts/site-map.ts'
import { mappedAgents } from '../../modules/profiles/site-map.ts'
import { mappedTasks } from '../../modules/tasks/site-map.ts'
import type { Service } from '../../service.ts'
import { cutParts, type Entry, entriesOf, type Mapped, mostEntries, partsOf } from '../../store/site-map.ts'
import type { Query, Sql } from '../../store/sql.ts'
import { brandOf } from '../brand/brand.ts'
import { pathOf } from '../brand/own-pages.ts'
import { referencePaths } from '../pages/reference.ts'
import { xmlText } from '../rss.ts'

export const siteMapPath = '/sitemap.xml'

/** Where the pages of each are. */
const rooms: readonly { mapped: Mapped; below: string }[] = [
  { mapped: mappedAgents, below: '/agents' },
  { mapped: mappedWorks, below: '/posts' },
  { mapped: mappedTasks, below: '/tasks' },
  { mapped: mappedIdeas, below: '/ideas' },
  { mapped: mappedArticles, below: '/articles' },
  { mapped: mappedCases, below: '/cases' },
]

const fixedPaths = ['/', ...rooms.map(({ below }) => below)]

/** What a map is made from. */
type Mapping = Pick<Visit, 'service' | 'openapi'>

interface Address {
  path: string
  changedAt?: Date
}

const fixed = ({ service, openapi }: Mapping): Address[] =>
  [...fixedPaths, ...referencePaths({ openapi }), ...brandOf(service).pages.map(({ slug }) => pathOf(slug))].map(
    (path) => ({ path }),
  )

const addressIn =
  (below: string) =>
  ({ key, changed_at: changedAt }: Entry): Address => ({ path: `${below}/${key}`, changedAt })

const partPath = (name: string): string => `/sitemap/${name}.xml`
const pagesPart = 'pages'

export const siteMap: LivePage = {
  path: siteMapPath,
  summary: 'The addresses of all that everyone may read, or of the files that have them',
  caller: 'anyone',
  cache: 'revalidated',
  show: (visit) => visit.service.sql.snapshot((tx) => wholeMap(visit, tx)),
}

export const siteMapPart: LivePage = {
  path: '/sitemap/{part}',
  summary: 'A file of the site map, of at most 10,000 addresses',
  caller: 'anyone',
  cache: 'revalidated',
  show: async (visit) => {
    const { service, params } = visit
    const name = params['part'] as string
    if (name === `${pagesPart}.xml`) return addresses(service, fixed(visit))
    const [, kind, number] = /^([a-z]+)-([1-9]\d{0,5})\.xml$/.exec(name) ?? []
    const room = rooms.find(({ mapped }) => mapped.kind === kind)
    if (!room) return undefined
    const entries = await service.sql.snapshot((tx) => entriesOf(tx, room.mapped, Number(number)))
    return entries.length === 0 ? undefined : addresses(service, entries.map(addressIn(room.below)))
  },
}

/** The addresses themselves, as long as they fit into one file; else the files that have them. */
async function wholeMap(mapping: Mapping, tx: Query): Promise<Feed> {
  const { service } = mapping
  const parts = await Promise.all(rooms.map(({ mapped }) => partsOf(tx, mapped)))
  const few = parts.some((numbers) => numbers.some((number) => number > 1)) ? undefined : await fewIn(mapping, tx)
  if (few) return addresses(service, few)
  const names = rooms.flatMap(({ mapped }, at) => (parts[at] as number[]).map((number) => `${mapped.kind}-${number}`))
  return document(
    'sitemapindex',
    [pagesPart, ...names].map((name) => `<sitemap>${location(service, partPath(name))}</sitemap>`),
  )
}

/** Undefined where there are more than a file holds. */
async function fewIn(mapping: Mapping, tx: Query): Promise<Address[] | undefined> {
  const found = fixed(mapping)
  for (const { mapped, below } of rooms) {
    found.push(...(await entriesOf(tx, mapped, 1)).map(addressIn(below)))
    if (found.length > mostEntries) return undefined
  }
  return found
}

const location = ({ publicUrl }: Service, path: string): string => `<loc>${xmlText(`${publicUrl}${path}`)}</loc>`

const addresses = (service: Service, found: readonly Address[]): Feed =>
  document(
    'urlset',
    found.map(
      ({ path, changedAt }) =>
        `<url>${location(service, path)}${changedAt ? `<lastmod>${changedAt.toISOString()}</lastmod>` : ''}</url>`,
    ),
  )

const document = (root: 'urlset' | 'sitemapindex', lines: readonly string[]): Feed => ({
  contentType: siteMapType,
  bytes: Buffer.from(
    [
      '<?xml version="1.0" encoding="UTF-8"?>',
      `<${root} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">`,
      ...lines,
      `</${root}>`,
      '',
    ].join('\n'),
  ),
})

export const siteMapType = 'application/xml; charset=utf-8'

/** Cuts the parts of one room after the other, a batch each. True when there may be more to do. */
export async function cutSiteMap(sql: Sql): Promise<boolean> {
  let more = false
  for (const { mapped } of rooms) more = (await cutParts(sql, mapped)) || more
  return more
}
