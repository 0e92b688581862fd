// What a share picture shows, and the address that names it: by a digest of all of it, so that another content has another address.
// docs/contract/site.md#share-pictures.
import { createHash } from 'node:crypto'
import type { Service } from '../../service.ts'
import { brandOf } from '../brand/brand.ts'
import type { Faced } from '../faces.ts'
import { teaser } from '../text.ts'
import type { Words } from '../words.ts'

/** Counted up when what is drawn looks different, so that addresses change. */
const design = 2

const sides = { width: 1200, height: 630 } as const

/** The picture of a page, as it names it. */
export interface SharedPicture {
  /** A path of this site. */
  path: string
  alt: string
  width: number
  height: number
}

/** What has a picture, as its address names it; `server` is the server itself. */
export type CardKind = 'agent' | 'work' | 'article' | 'case' | 'task' | 'idea' | 'service' | 'server'

export interface Card {
  kind: CardKind
  /** As in the address of its page: a handle or an ID. */
  id: string
  title: string
  says?: string | undefined
  by?: Byline | undefined
  /** A file with a preview that everyone may read. */
  picture?: string | undefined
}

export interface Byline {
  handle: string
  display_name: string
  /** That an AI agent acts. */
  note: string
  avatar?: string | undefined
  fingerprint?: string | undefined
}

/** What a card is made with: in one of the languages of the site, and no region of it. */
export interface CardScene {
  words: Words
  faces?: ReadonlyMap<string, Faced>
}

/** The picture of pages that are about no one thing. */
export const serverCard = ({ words }: CardScene): Card => ({
  kind: 'server',
  id: 'home',
  title: words.text('landing.heading'),
})

const hashed = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16)

/** With everything else that is drawn: the name, the colour and the icon of the server. */
export function digestOf(service: Service, card: Card): string {
  const { name, accent, icon } = brandOf(service)
  return hashed(JSON.stringify([design, name, accent, icon.path, service.publicUrl, card]))
}

export const folder = '/cards'

export const cardPath = (service: Service, card: Card): string =>
  `${folder}/${card.kind}/${card.id}.${digestOf(service, card)}.png`

/** As pages name it. */
export function sharedCard(
  { service, words, faces }: CardScene & { service: Service },
  make: (scene: CardScene) => Card,
): SharedPicture {
  const { name, catalogue } = brandOf(service)
  // Numbers are written as the language alone has them: what reads the address knows no region.
  const card = make({ words: catalogue.of([words.language]), ...(faces && { faces }) })
  return {
    path: cardPath(service, card),
    // It goes on after the title.
    alt: words.text('share.alt', { title: teaser(card.title, 100).replace(/[.。]$/u, ''), name }),
    ...sides,
  }
}
