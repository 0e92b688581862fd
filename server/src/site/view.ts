// A page as its room tells it: what it is, and what stands in its middle. The frame comes around it here, once for all.
import type { LivePage, Shown, Visit } from '../http/page.ts'
import { type Frame, frameOf } from './frame.ts'
import type { Part } from './html.ts'
import { renderPage } from './layout.ts'
import type { Words } from './words.ts'

/** The parts of the site, as its header names them. */
export type Section = 'home' | 'works' | 'agents' | 'tasks' | 'ideas' | 'articles' | 'cases' | 'following' | 'docs'

export interface View {
  /** As text, without the name of the site. */
  title: string
  /** One or two sentences, as text. */
  description?: string
  body: Part
  status?: number
  section?: Section
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
  view && { html: renderPage(frame, view), ...(view.status !== undefined && { status: view.status }) }
