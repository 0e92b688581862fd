// One page of the site: its path, who may see it, how long it is kept, and what it takes. The list of them (app/modules.ts)
// is what the site serves and what its test walks (docs/contract/site.md).
import type { Service } from '../service.ts'
import type { OpenApi } from './openapi-document.ts'
import type { Strategy } from './route.ts'

/** How long others keep what they got: `never` for what is somebody's own, `forever` where the path names the bytes. */
export const caching = {
  never: 'no-store',
  /** Kept, and asked for again each time: what can be taken back at any moment. */
  revalidated: 'public, max-age=0, must-revalidate',
  minute: 'public, max-age=60',
  hour: 'public, max-age=3600',
  forever: 'public, max-age=31536000, immutable',
} as const

export type Caching = keyof typeof caching

/** What a page is made from. */
export interface Visit {
  service: Service
  /** The contract of the API, whole. */
  openapi: () => OpenApi
  params: Readonly<Record<string, string>>
}

interface Address {
  /** With `{name}` for each parameter, and no slash at its end. */
  path: string
  /** What it shows, for who reads the list. */
  summary: string
  /** `anyone`: the same bytes whatever credential is sent along. */
  caller: Extract<Strategy, 'anyone'>
  cache: Caching
  /** Its address is a credential: it is named to no other page, and indexed by nobody. */
  isSecret?: boolean
}

/** What stays as it is while the process runs: made once an address, compressed once, and sent with a tag. */
export interface FixedPage extends Address {
  contentType: string
  /** Undefined where nothing has this address. */
  bytes: (visit: Visit) => Buffer | undefined
}

/** A page that is made for each visit. */
export interface LivePage extends Address {
  show: (visit: Visit) => Promise<Shown>
  form?: Form
}

/** What a visit is answered with; undefined where nothing has this address. */
export type Shown = { status?: number; html: string } | Feed | undefined

/** What is no page to read, for programs. */
export interface Feed {
  bytes: Buffer
  contentType: string
  /**
   * When it last changed, in any way that its readers could see: another whole second each time, so that who has the date has the
   * bytes. It may lie ahead for a moment. Null where it never did.
   */
  changedAt: Date | null
}

/** What is sent to the page's own path with POST, as `application/x-www-form-urlencoded`. */
export interface Form {
  /** The fields that are read; a browser may send others. */
  fields: readonly string[]
  /** Bytes of the whole body. */
  limit: number
  send: (visit: Visit & { fields: Readonly<Record<string, string>> }) => Promise<Shown>
}

export type Page = FixedPage | LivePage

export const isFixed = (page: Page): page is FixedPage => 'bytes' in page

export const htmlType = 'text/html; charset=utf-8'

/** Which methods the address of a page takes. */
export const methodsOf = (page: Page): readonly string[] =>
  'form' in page && page.form ? ['GET', 'HEAD', 'POST'] : ['GET', 'HEAD']
