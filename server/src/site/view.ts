// A page as its room tells it: what it is, and what stands in its middle. The frame comes around it here, once for all.
import type {
  Arriving,
  FormTarget,
  LeadsOn,
  LivePage,
  Sent,
  Shown,
  SiteCustomer,
  UploadTarget,
  Visit,
} from '../http/page.ts'
import { type Frame, frameOf } from './frame.ts'
import type { Part } from './html.ts'
import { renderPage } from './layout.ts'
import type { Key, Words } from './words.ts'

/** The parts of the site, as its header names them. */
export type Section =
  | 'mine'
  | 'home'
  | 'works'
  | 'agents'
  | 'tasks'
  | 'ideas'
  | 'articles'
  | 'cases'
  | 'following'
  | 'docs'

export interface View {
  /** As text, without the name of the site. */
  title: string
  /** One or two sentences, as text. */
  description?: string
  body: Part
  status?: number
  /** When it may be tried again, in seconds. */
  retryAfter?: number
  section?: Section
  /** What the header leads to, where it is not the parts of the site. */
  header?: Header
  /**
   * `text` is a column to read, `listing` one of a list of texts, `page` has room for more than one; `wide` leaves the whole width to
   * the body.
   */
  width?: 'text' | 'listing' | 'page' | 'wide'
  /** Where it is, for whoever links to it: its path, with what of its query makes another page. Undefined where it has no address. */
  canonical?: string
  /** Neighbours in a list, as paths. */
  previous?: string | undefined
  next?: string | undefined
  /** Is not to be indexed: what a search found, what is one's own. */
  isUnlisted?: boolean
  /** Its address is a secret, or it says what went wrong: it is not indexed, and names itself to nobody. */
  isSensitive?: boolean
  /** What programs follow instead of this page; a path of this site. */
  feed?: { title: string; href: string }
  /** What those show who link to it. */
  sharing?: Sharing
  /** The path of a script; its page says `hasScript`. */
  script?: string
}

export interface Header {
  label: Key
  /** Where its name leads. */
  home: string
  links: readonly { href: string; name: Key; isHere: boolean }[]
}

/** Open Graph and JSON-LD. */
export interface Sharing {
  kind: 'website' | 'article' | 'profile'
  /** A path of this site. */
  image?: { path: string; alt: string; width?: number; height?: number } | undefined
  /** Without `@context`; addresses are whole. */
  data?: Readonly<Record<string, unknown>>
}

/** What a page is made from. */
export interface Scene extends Visit {
  words: Words
  frame: Frame
}

export const sceneOf = (visit: Visit): Scene => {
  const frame = frameOf(visit.service, visit)
  return { ...visit, frame, words: frame.words }
}

export type SitePage = Omit<LivePage, 'caller' | 'cache' | 'show' | 'form'> & {
  /** Undefined where nothing has this address. */
  view: (scene: Scene) => Promise<View | undefined> | View | undefined
}

/** A page of the public site. */
export const sitePage = ({ view, ...page }: SitePage): LivePage => ({
  ...page,
  caller: 'anyone',
  cache: 'revalidated',
  show: async (visit) => {
    const scene = sceneOf(visit)
    return shownAs(scene, await view(scene))
  },
})

/** A view with the frame around it. */
export const shownAs = ({ frame }: Pick<Scene, 'frame'>, view: View | undefined): Shown =>
  view && {
    html: renderPage(frame, view),
    ...(view.status !== undefined && { status: view.status }),
    ...(view.retryAfter !== undefined && { retryAfter: view.retryAfter }),
  }

/** What a page of a customer is made from. */
export interface CustomerScene extends Scene {
  customer: SiteCustomer
}

type CustomerPage = Omit<LivePage, 'caller' | 'cache' | 'knows' | 'show' | 'form'> & {
  /** Undefined where nothing of this customer's has this address. */
  view: (scene: CustomerScene) => Promise<View | undefined> | View | undefined
  form?: Omit<NonNullable<LivePage['form']>, 'guard' | 'send'> & {
    send: (scene: CustomerScene & Sent) => Promise<View | LeadsOn | undefined>
  }
}

/** A page of a customer's own; whoever is not signed in is led there first, and back. */
export const customerPage = ({ view, form, ...page }: CustomerPage): LivePage => ({
  ...page,
  caller: 'anyone',
  cache: 'never',
  knows: 'customer',
  show: async (visit) => {
    const scene = customerScene(visit)
    return scene ? shownAs(scene, await view(scene)) : toSignIn(visit.here)
  },
  ...(form && { form: { ...form, guard: 'session', send: sending(form.send) } }),
})

type CustomerForm = Omit<FormTarget, 'caller' | 'cache' | 'knows' | 'send'> & {
  send: (scene: CustomerScene & Sent) => Promise<View | LeadsOn | undefined>
}

/** An address that the forms of a customer's pages are sent to. */
export const customerForm = ({ send, ...form }: CustomerForm): FormTarget => ({
  ...form,
  caller: 'anyone',
  cache: 'never',
  knows: 'customer',
  send: sending(send),
})

const sending =
  (send: CustomerForm['send']) =>
  async (sent: Sent): Promise<Shown | LeadsOn> => {
    const scene = customerScene(sent)
    if (!scene) return toSignIn(undefined)
    const answer = await send({ ...sent, ...scene })
    return answer && 'to' in answer ? answer : shownAs(scene, answer)
  }

type CustomerUpload = Omit<UploadTarget, 'caller' | 'cache' | 'knows' | 'receive'> & {
  receive: (scene: CustomerScene & Arriving) => Promise<View | undefined>
}

/** The same for a form that brings a file. */
export const customerUpload = ({ receive, ...form }: CustomerUpload): UploadTarget => ({
  ...form,
  caller: 'anyone',
  cache: 'never',
  knows: 'customer',
  receive: async (arriving) => {
    const scene = customerScene(arriving)
    if (scene) return shownAs(scene, await receive({ ...arriving, ...scene }))
    // Nobody reads what comes.
    arriving.request.resume()
    return toSignIn(undefined)
  },
})

function customerScene(visit: Visit): CustomerScene | undefined {
  const { customer } = visit
  return customer && { ...sceneOf(visit), customer }
}

/** Where somebody signs in, and is led on to a path of this site. */
export const signInPath = (to: string | undefined): string =>
  to === undefined || to === '/' ? '/sign-in' : `/sign-in?${new URLSearchParams({ to })}`

const toSignIn = (to: string | undefined): LeadsOn => ({ to: signInPath(to) })
