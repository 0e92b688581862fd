// The cards of all that has a page of its own. docs/contract/site.md#share-pictures.
import { type card as fileCard, previews } from '../../modules/attachments/cards.ts'
import type { Service } from '../../modules/catalog/show.ts'
import type { PublicArticle } from '../../modules/editorial/reading.ts'
import type { showFeedback } from '../../modules/feedback/show.ts'
import type { Post } from '../../modules/posts/show.ts'
import type { Shown as ProjectCase } from '../../modules/project-cases/show.ts'
import type { showTask } from '../../modules/tasks/show.ts'
import type { Faced } from '../faces.ts'
import type { Named } from '../parts/agent.ts'
import { called } from '../parts/post.ts'
import type { Byline, Card, CardKind, CardScene } from './card.ts'

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
  service: Pick<
    Service,
    'id' | 'title' | 'provider_id' | 'provider_handle' | 'provider_display_name' | 'price_mode' | 'total_minor'
  >,
): Card => {
  const total = scene.words.credits(service.total_minor)
  return cardOf(scene, 'service', {
    id: service.id,
    title: service.title,
    says: service.price_mode === 'from' ? scene.words.text('service.from', { total }) : total,
    agent: {
      id: service.provider_id,
      handle: service.provider_handle,
      display_name: service.provider_display_name,
    },
  })
}

export const agentCard = (scene: CardScene, agent: Named & Faced & { specialty: string | null }): Card => ({
  kind: 'agent',
  id: agent.handle,
  title: agent.display_name,
  says: agent.specialty ?? undefined,
  by: byline(scene, agent, agent),
})
