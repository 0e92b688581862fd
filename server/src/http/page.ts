// One page of the site: its path, who may see it, how long it is cached, and what it accepts. The site serves the list
// of them (app/modules.ts), and its test visits them all (docs/contract/site.md).
import type { IncomingMessage } from 'node:http'
import type { FastifyReply } from 'fastify'
import type { Human, Session } from '../kernel/callers.ts'
import type { Service } from '../service.ts'
import type { Sofar, StartParts } from './multipart.ts'
import type { OpenApi } from './openapi-document.ts'
import type { Strategy } from './route.ts'

/** How long others may cache it: `never` for personal pages, `forever` if the path identifies the bytes. */
export const caching = {
  never: 'no-store',
  /** Cached, but revalidated each time: for anything that can be withdrawn at any moment. */
  revalidated: 'public, max-age=0, must-revalidate',
  forever: 'public, max-age=31536000, immutable',
} as const

export type Caching = keyof typeof caching

interface SiteSession {
  /** The form token of this session, `csrf_token` in forms. */
  formToken: string
}

/** Whose browser it is, if it has a valid session. */
interface SiteVisitor extends SiteSession {
  id: string
}

/** The customer who is signed in with this browser. */
export interface SiteCustomer extends SiteSession {
  human: Human
  session: Session
}

/** The operator who is signed in with this browser. */
export interface SiteOperator extends SiteSession {
  id: string
  email: string
  session: Session
  /** Signed in by what: with only a link, nothing is possible but showing or adding a passkey. */
  level: 'link' | 'passkey'
}

/** Whose session a page, or its form, is made for. */
export interface Sessions {
  visitor: SiteVisitor
  customer: SiteCustomer
  operator: SiteOperator
}

export type SessionOf = keyof Sessions

/** The input of a page. */
export interface Visit {
  service: Service
  /** The API's whole contract. */
  openapi: () => OpenApi
  params: Readonly<Record<string, string>>
  /** The client's address, as limits count it. */
  address: string
  /** The host that its browser requested, with the port, as it says. */
  host: string | undefined
  /** The given ones among the query parameters that the page reads. */
  query: Readonly<Record<string, string>>
  accept?: string | undefined
  /** The reader's languages, preferred first, in BCP 47; empty if not stated. */
  languages: readonly string[]
  /** The language that the address itself names, which comes before all others. */
  language?: string | undefined
  /** The page's own address, with the query parameters that it reads; of an address for forms that of the page above it. */
  here: string
  /** Each only on a page that uses it. */
  visitor?: SiteVisitor | undefined
  customer?: SiteCustomer | undefined
  operator?: SiteOperator | undefined
  /** Whether an operator reads a page that is not theirs: it shows them the way to the console. */
  isByOperator?: boolean
  /** The name of the customer who reads a public page; null if nobody is signed in, undefined if the page does not ask. */
  reader?: string | null
}

interface Address {
  /** With `{name}` for each parameter, and no slash at the end. */
  path: string
  /** What it shows, for readers of the list. */
  summary: string
  /** `anyone`: the same bytes whatever credential is sent. */
  caller: Extract<Strategy, 'anyone'>
  cache: Caching
  /** Its address is a credential: it is sent to no other page, and not indexed. */
  isSecret?: boolean
  /** It has a script of this site. */
  hasScript?: boolean
  /** Other sites may show it too. */
  isShared?: boolean
}

/** The same for every reader: made once per address, compressed once, and sent with an ETag. */
export interface FixedPage extends Address {
  contentType: string
  /** Undefined if nothing has this address. */
  bytes: (visit: Visit) => Buffer | undefined | Promise<Buffer | undefined>
  /** Whatever besides its address changes its bytes; it has few values. */
  variant?: (visit: Visit) => string
  /** Milliseconds until it is made again; by default never. If set, visits are counted, because making it may read. */
  keptFor?: number
  /** The page for a visit with a query, such as a search; undefined if it takes none. */
  queried?: Pick<LivePage, 'query' | 'show'>
}

/** A page made for each visit. */
export interface LivePage extends Address {
  /** The query parameters it reads; a browser may send others. A repeated one is a 404. */
  query?: readonly string[]
  /** The session that makes it different; then it belongs to nobody else. */
  knows?: SessionOf
  /** It depends on what the reader accepts: caches must distinguish these. */
  variesOn?: 'Accept'
  /** Not only the database answers it, or it writes: it says itself what of it a replica may read. */
  readsItself?: boolean
  show: (visit: Visit) => Promise<Shown | Redirect>
  form?: Form
}

/** The response to a visit; undefined if nothing has this address. */
export type Shown = { status?: number; retryAfter?: number; html: string } | Feed | Download | undefined

/** Not a page to read, but data for programs. */
export interface Feed {
  bytes: Buffer
  contentType: string
  /**
   * When it last changed in any way that its readers could see: another whole second each time, so that whoever has the
   * date has the bytes. It may be in the future for a moment. Null if it never changed, undefined if unknown.
   */
  changedAt?: Date | null
}

/** A file made while it is sent: however long it is, little of it is in memory. */
export interface Download {
  chunks: () => AsyncIterable<string | Uint8Array>
  contentType: string
  /** In ASCII, to save the bytes under; omitted if a page shows them. */
  fileName?: string
}

/** The content of a form, as `application/x-www-form-urlencoded`. */
interface Fields {
  /** The fields it reads; a browser may send others. */
  fields: readonly string[]
  /** Fields that may be repeated, such as checkboxes. */
  lists?: readonly string[]
  /** Bytes of the whole body. */
  limit: number
}

/** What a form brought, for sending it again. */
export interface Unsent {
  /** The path that it was sent to. */
  sentTo: string
  /** The page of this site that it was sent from, if the browser says so. */
  from: string | undefined
  /** The page that a browser can visit there. */
  here: string
  /** With its form token. */
  fields: Readonly<Record<string, string>>
  lists: Readonly<Record<string, readonly string[]>>
}

export interface FormSubmission extends Visit {
  fields: Readonly<Record<string, string>>
  /** Every value of each of the form's `lists`. */
  lists: Readonly<Record<string, readonly string[]>>
  /** All of it, with what the page does not read. */
  unsent: Unsent
  /** Response headers with the remaining limit. */
  reply: FastifyReply
}

/** A form sent to the page's own path with POST. */
export interface Form extends Fields {
  /**
   * What authorises the sender: the secret in the page's `address`, or the browser, which vouches that the form is of
   * this site, with the token of the `session` that the page knows.
   */
  guard: 'address' | 'session'
  send: (sent: FormSubmission) => Promise<Shown | Redirect>
}

/**
 * An address that forms of other pages are sent to: it takes only POST, from a page of this site that its browser
 * vouches for, with the form token if there is a session. It responds with a page that says what is wrong, or a
 * redirect.
 */
export interface FormTarget extends Address, Fields {
  cache: 'never'
  /** Whose session it changes; nobody's by default, and then no form token is required. */
  knows?: SessionOf
  send: (sent: FormSubmission) => Promise<Shown | Redirect>
}

/**
 * A {@link FormTarget} that takes a file: `multipart/form-data`, which it reads from the request in its own time. The
 * part before the file has the form token, and nothing may be kept before that was checked.
 */
export interface UploadTarget extends Address {
  cache: 'never'
  knows: SessionOf
  /** What its form has before the file. */
  parts: StartParts
  /** Where what was typed is sent again without a file. */
  sentTo: (params: Visit['params']) => string
  receive: (upload: Upload) => Promise<Shown | Redirect>
}

export interface Upload extends Visit {
  request: IncomingMessage
  reply: FastifyReply
  /** Notes what came before the file, once that was read. */
  note: (sofar: Sofar) => void
  /** What came before the file; reads the form up to there if nobody has begun to. */
  unsent: () => Promise<Unsent>
  /** Whether a token belongs to the session. */
  isOwnToken: (given: string | undefined) => boolean
}

/** 303. */
export interface Redirect {
  /** A path of this site. */
  to: string
  /** Whole `Set-Cookie` values. */
  cookies?: readonly string[]
}

export type PageRoute = FixedPage | LivePage | FormTarget | UploadTarget

export const isFixed = (page: PageRoute): page is FixedPage => 'bytes' in page
export const isUploadTarget = (page: PageRoute): page is UploadTarget => 'receive' in page
/** Whether it takes only POST. */
export const isFormTarget = (page: PageRoute): page is FormTarget | UploadTarget =>
  'send' in page || isUploadTarget(page)

export const htmlType = 'text/html; charset=utf-8'

export function methodsOf(page: PageRoute): readonly string[] {
  if (isFormTarget(page)) return ['POST']
  return 'form' in page && page.form ? ['GET', 'HEAD', 'POST'] : ['GET', 'HEAD']
}
