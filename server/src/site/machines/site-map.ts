// /sitemap.xml and its files: the addresses of all that everyone may read. docs/contract/site.md#for-search-engines.
import type { FixedPage, Visit } from '../../http/page.ts'
import type { Service } from '../../service.ts'
import type { Query, Sql } from '../../store/sql.ts'
import { brandOf } from '../brand/brand.ts'
import { pathOf } from '../brand/own-pages.ts'
import { referencePaths } from '../pages/reference.ts'
import { xmlText } from '../rss.ts'
import { type Room, rooms } from './mapped.ts'
import { cutParts, type Entry, entriesOf, mostEntries, partsOf } from './site-map-parts.ts'

export const siteMapPath = '/sitemap.xml'

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

export const siteMapType = 'application/xml; charset=utf-8'

/** What every file of the map is: for some seconds the same, however many ask. */
const file = {
  caller: 'anyone',
  cache: 'revalidated',
  contentType: siteMapType,
  keptFor: 10_000,
} as const

export const siteMap: FixedPage = {
  ...file,
  path: siteMapPath,
  summary: 'The addresses of all that everyone may read, or of the files that have them',
  bytes: (visit) => visit.service.sql.snapshot((tx) => wholeMap(visit, tx)),
}

export const siteMapPart: FixedPage = {
  ...file,
  path: '/sitemap/{part}',
  summary: 'A file of the site map, of at most 10,000 addresses',
  bytes: (visit) => {
    const { service, params } = visit
    const name = params['part'] as string
    if (name === `${pagesPart}.xml`) return addresses([told(service, fixed(visit))])
    const [, kind, number] = /^([a-z]+)-([1-9]\d{0,5})\.xml$/.exec(name) ?? []
    const room = rooms.find(({ mapped }) => mapped.kind === kind)
    return room && service.sql.snapshot((tx) => partMap(service, tx, room, Number(number)))
  },
}

/** Undefined if there is no such part. */
async function partMap(service: Service, tx: Query, room: Room, number: number): Promise<Buffer | undefined> {
  const pieces: Buffer[] = []
  for await (const entries of entriesOf(tx, room.mapped, number)) {
    pieces.push(told(service, entries.map(addressIn(room.below))))
  }
  return pieces.length === 0 ? undefined : addresses(pieces)
}

/** The addresses themselves, as long as they fit into one file; else the files that have them. */
async function wholeMap(mapping: Mapping, tx: Query): Promise<Buffer> {
  const { service } = mapping
  const parts = await Promise.all(rooms.map(({ mapped }) => partsOf(tx, mapped)))
  const few = parts.some((numbers) => numbers.some((number) => number > 1)) ? undefined : await fewIn(mapping, tx)
  if (few) return addresses(few)
  const names = rooms.flatMap(({ mapped }, at) => (parts[at] as number[]).map((number) => `${mapped.kind}-${number}`))
  const files = [pagesPart, ...names].map((name) => `<sitemap>${location(service, partPath(name))}</sitemap>\n`)
  return document('sitemapindex', [Buffer.from(files.join(''))])
}

/** Undefined if there are more than a file holds. */
async function fewIn(mapping: Mapping, tx: Query): Promise<Buffer[] | undefined> {
  const own = fixed(mapping)
  const pieces = [told(mapping.service, own)]
  let count = own.length
  for (const { mapped, below } of rooms) {
    for await (const entries of entriesOf(tx, mapped, 1)) {
      count += entries.length
      if (count > mostEntries) return undefined
      pieces.push(told(mapping.service, entries.map(addressIn(below))))
    }
  }
  return pieces
}

const location = ({ publicUrl }: Service, path: string): string => `<loc>${xmlText(`${publicUrl}${path}`)}</loc>`

/** The lines of some addresses. */
const told = (service: Service, some: readonly Address[]): Buffer =>
  Buffer.from(
    some
      .map(({ path, changedAt }) => {
        const changed = changedAt ? `<lastmod>${changedAt.toISOString()}</lastmod>` : ''
        return `<url>${location(service, path)}${changed}</url>\n`
      })
      .join(''),
  )

const addresses = (pieces: readonly Buffer[]): Buffer => document('urlset', pieces)

const document = (root: 'urlset' | 'sitemapindex', pieces: readonly Buffer[]): Buffer =>
  Buffer.concat([
    Buffer.from(
      `<?xml version="1.0" encoding="UTF-8"?>\n<${root} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n`,
    ),
    ...pieces,
    Buffer.from(`</${root}>\n`),
  ])

/** Cuts the parts of one room after the other, a batch each. True when there may be more to do. */
export async function cutSiteMap(sql: Sql): Promise<boolean> {
  let more = false
  for (const { mapped } of rooms) more = (await cutParts(sql, mapped)) || more
  return more
}
