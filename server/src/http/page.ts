// One page of the site: its path, who may see it, how long it is kept, and what it takes. The list of them (app/modules.ts)
// is what the site serves and what its test walks (docs/contract/site.md).
import type { IncomingMessage } from 'node:http'
import type { FastifyReply } from 'fastify'
import type { Human, Session } from '../kernel/callers.ts'
import type { Service } from '../service.ts'
import type { OpenApi } from './openapi-document.ts'
import type { Strategy } from './route.ts'

/** How long others keep what they got: `never` for what is somebody's own, `forever` where the path names the bytes. */
export const caching = {
  never: 'no-store',
  /** Kept, and asked for again each time: what can be taken back at any moment. */
  revalidated: 'public, max-age=0, must-revalidate',
  forever: 'public, max-age=31536000, immutable',
} as const

export type Caching = keyof typeof caching

interface SiteSession {
  /** What a form of this session carries as `csrf_token`. */
  formToken: string
}

/** Whose browser it is, where it has a session that lives. */
export interface SiteVisitor extends SiteSession {
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
  /** By what: with a link alone nothing is possible but to show, or to add, a passkey. */
  level: 'link' | 'passkey'
}

/** Whose session a page, or what is sent to it, is made for. */
export interface Sessions {
  visitor: SiteVisitor
  customer: SiteCustomer
  operator: SiteOperator
}

export type SessionOf = keyof Sessions

/** What a page is made from. */
export interface Visit {
  service: Service
  /** The contract of the API, whole. */
  openapi: () => OpenApi
  params: Readonly<Record<string, string>>
  /** Where it comes from, as limits count it. */
  address: string
  /** The host that its browser asked, with the port, as it says. */
  host: string | undefined
  /** Of what the page reads of its query, what was given. */
  query: Readonly<Record<string, string>>
  /** What it takes, as its `Accept` says. */
  accept?: string | undefined
  /** The languages that the reader wants, the dearest first, as BCP 47 has them; none where nothing is said. */
  languages: readonly string[]
  /** The page's own address, with what it reads of its query; undefined where nothing can be visited. */
  here?: string | undefined
  /** Each only on a page that knows it. */
  visitor?: SiteVisitor | undefined
  customer?: SiteCustomer | undefined
  operator?: SiteOperator | undefined
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
  /** It has a script of this site. */
  hasScript?: boolean
}

/** What is the same for every reader: made once for each address, compressed once, and sent with a tag. */
export interface FixedPage extends Address {
  contentType: string
  /** Undefined where nothing has this address. */
  bytes: (visit: Visit) => Buffer | undefined | Promise<Buffer | undefined>
  /** What else than its address makes other bytes of it; of few kinds. */
  variant?: (visit: Visit) => string
  /** Milliseconds until it is made again; as long as the process runs when undefined. Then its visits are counted: it may read. */
  keptFor?: number
  /** What it shows to a visitor who asks for something; undefined where nothing is asked. */
  asked?: Pick<LivePage, 'query' | 'show'>
}

/** A page that is made for each visit. */
export interface LivePage extends Address {
  /** What it reads of its query; a browser may send others. One that comes twice leads nowhere. */
  query?: readonly string[]
  /** By whose session it is another one; then it is nobody else's. */
  knows?: SessionOf
  /** What it is depends on what the reader takes: a cache between tells them apart. */
  variesOn?: 'Accept'
  show: (visit: Visit) => Promise<Shown | LeadsOn>
  form?: Form
}

/** What a visit is answered with; undefined where nothing has this address. */
export type Shown = { status?: number; retryAfter?: number; html: string } | Feed | Download | undefined

/** What is no page to read, for programs. */
export interface Feed {
  bytes: Buffer
  contentType: string
  /**
   * When it last changed, in any way that its readers could see: another whole second each time, so that who has the date has the
   * bytes. It may lie ahead for a moment. Null where it never did, undefined where nobody knows.
   */
  changedAt?: Date | null
}

/** A file, which is made while it is sent: however long it is, little of it is in memory. */
export interface Download {
  chunks: () => AsyncIterable<string | Uint8Array>
  contentType: string
  /** In ASCII, where the bytes are to be saved; left out where a page shows them. */
  fileName?: string
}

/** What a form sends, as `application/x-www-form-urlencoded`. */
interface Fields {
  /** The fields that are read; a browser may send others. */
  fields: readonly string[]
  /** Those of which there may be several, as boxes are that are ticked. */
  lists?: readonly string[]
  /** Bytes of the whole body. */
  limit: number
}

export interface Sent extends Visit {
  fields: Readonly<Record<string, string>>
  /** Of the form's `lists` each, as often as it was sent. */
  lists: Readonly<Record<string, readonly string[]>>
  /** The headers of an answer say what is left of a limit. */
  reply: FastifyReply
}

/** What is sent to the page's own path with POST. */
export interface Form extends Fields {
  /**
   * What shows that its sender may: the secret in the page's `address`, or the browser, which vouches that the form is of this
   * site, with the token of the `session` that the page knows.
   */
  guard: 'address' | 'session'
  send: (sent: Sent) => Promise<Shown | LeadsOn>
}

/**
 * An address that forms of other pages are sent to: it takes POST alone, from a page of this site that its browser vouches for, with
 * the form token where there is a session. It answers with a page that says what is wrong, or leads on.
 */
export interface FormTarget extends Address, Fields {
  cache: 'never'
  /** Whose session it changes something of; of nobody's when undefined, and then no form token is asked for. */
  knows?: SessionOf
  send: (sent: Sent) => Promise<Shown | LeadsOn>
}

/**
 * A {@link FormTarget} that takes a file: `multipart/form-data`, which it reads from the request in its own time. What stands before
 * the file has the form token, and nothing is to be kept before that was judged.
 */
export interface UploadTarget extends Address {
  cache: 'never'
  knows: SessionOf
  receive: (arriving: Arriving) => Promise<Shown | LeadsOn>
}

export interface Arriving extends Visit {
  request: IncomingMessage
  reply: FastifyReply
  /** Whether a token is that of the session. */
  isOwnToken: (given: string | undefined) => boolean
}

/** 303. */
export interface LeadsOn {
  /** A path of this site. */
  to: string
  /** Whole `Set-Cookie` values. */
  cookies?: readonly string[]
}

export type Page = FixedPage | LivePage | FormTarget | UploadTarget

export const isFixed = (page: Page): page is FixedPage => 'bytes' in page
export const isUploadTarget = (page: Page): page is UploadTarget => 'receive' in page
/** Whether it takes POST alone. */
export const isFormTarget = (page: Page): page is FormTarget | UploadTarget => 'send' in page || isUploadTarget(page)

export const htmlType = 'text/html; charset=utf-8'

/** Which methods the address of a page takes. */
export function methodsOf(page: Page): readonly string[] {
  if (isFormTarget(page)) return ['POST']
  return 'form' in page && page.form ? ['GET', 'HEAD', 'POST'] : ['GET', 'HEAD']
}
