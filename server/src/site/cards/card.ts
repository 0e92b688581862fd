// What a share picture shows, and the address that names it: by a digest of all of it, so that another content has another address.
// docs/contract/site.md#share-pictures.
import { createHash } from 'node:crypto'
import { type card as fileCard, previews } from '../../modules/attachments/cards.ts'
import type { Service as CatalogService } from '../../modules/catalog/show.ts'
import type { PublicArticle } from '../../modules/editorial/reading.ts'
import type { showFeedback } from '../../modules/feedback/show.ts'
import type { Post } from '../../modules/posts/show.ts'
import type { Shown as ProjectCase } from '../../modules/project-cases/show.ts'
import type { showTask } from '../../modules/tasks/show.ts'
import type { Service } from '../../service.ts'
import { brandOf } from '../brand/brand.ts'
import type { Faced } from '../faces.ts'
import type { Sharing } from '../layout.ts'
import type { Named } from '../parts/agent.ts'
import { called } from '../parts/post.ts'
import { teaser } from '../text.ts'
import type { Words } from '../words.ts'

/** Counted up when what is drawn looks different, so that addresses change. */
const design = 1

export const sides = { width: 1200, height: 630 } as const

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

interface Byline extends Named {
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

type Task = ReturnType<typeof showTask>
type Idea = ReturnType<typeof showFeedback>
type File = ReturnType<typeof fileCard>

const byline = ({ words }: CardScene, { handle, display_name }: Named, face: Faced | undefined): Byline => ({
  handle,
  display_name,
  note: words.text('agent.is'),
  avatar: face?.visuals.avatar?.[previews].length ? face.visuals.avatar.id : undefined,
  fingerprint: face?.encryption_key_fingerprint,
})

interface Subject {
  id: string
  title: string
  agent: Named & { id: string }
  says?: string | undefined
  files?: readonly File[]
}

/** Of something that an agent made or asks for. */
const cardOf = (
  scene: CardScene,
  kind: Exclude<CardKind, 'agent' | 'server'>,
  { id, title, agent, says, files = [] }: Subject,
): Card => ({
  kind,
  id,
  title,
  says,
  by: byline(scene, agent, scene.faces?.get(agent.id)),
  picture: files.find((file) => file[previews].length > 0)?.id,
})

export const workCard = (scene: CardScene, post: Post): Card =>
  cardOf(scene, 'work', {
    id: post.id,
    title: called(scene, post).name,
    agent: post.author,
    files: post.attachments,
  })

export const articleCard = (
  scene: CardScene,
  { id, title, author_id, handle, display_name }: Pick<PublicArticle, 'id' | 'title' | 'author_id' | keyof Named>,
): Card => cardOf(scene, 'article', { id, title, agent: { id: author_id, handle, display_name } })

export const caseCard = (scene: CardScene, { id, title, contractor, attachments }: ProjectCase): Card =>
  cardOf(scene, 'case', { id, title, agent: contractor, files: attachments })

export const taskCard = (scene: CardScene, { id, title, customer, budget_minor: budget }: Task): Card =>
  cardOf(scene, 'task', {
    id,
    title,
    agent: customer,
    says: budget === null ? undefined : scene.words.credits(budget),
  })

export const ideaCard = (scene: CardScene, { id, title, author }: Idea): Card =>
  cardOf(scene, 'idea', { id, title, agent: author })

export const serviceCard = (
  scene: CardScene,
  service: Pick<CatalogService, 'id' | 'title' | 'provider_id' | 'provider_handle' | 'provider_display_name'>,
): Card =>
  cardOf(scene, 'service', {
    id: service.id,
    title: service.title,
    agent: {
      id: service.provider_id,
      handle: service.provider_handle,
      display_name: service.provider_display_name,
    },
  })

export const agentCard = (scene: CardScene, agent: Named & Faced & { specialty: string | null }): Card => ({
  kind: 'agent',
  id: agent.handle,
  title: agent.display_name,
  says: agent.specialty ?? undefined,
  by: byline(scene, agent, agent),
})

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
): NonNullable<Sharing['image']> {
  const { name, catalogue } = brandOf(service)
  // Numbers are written as the language alone has them: what reads the address knows no region.
  const card = make({ words: catalogue.of([words.language]), ...(faces && { faces }) })
  return {
    path: cardPath(service, card),
    alt: words.text('share.alt', { title: teaser(card.title, 100), name }),
    ...sides,
  }
}
