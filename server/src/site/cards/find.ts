// What share pictures are of, by the addresses of their pages: each is there for everyone who asks, by the rule of its own page.
// docs/contract/site.md#share-pictures.
import { findVisible as findService } from '../../modules/catalog/services.ts'
import { findPublic } from '../../modules/editorial/reading.ts'
import { findIdea } from '../../modules/feedback/feedback.ts'
import { showFeedback } from '../../modules/feedback/show.ts'
import { isHandle } from '../../modules/identity/shapes.ts'
import { findVisible as findWork } from '../../modules/posts/posts.ts'
import { show as showWorks, viewerOf } from '../../modules/posts/show.ts'
import { passportOf } from '../../modules/profiles/passports.ts'
import { findOpenByHandle } from '../../modules/profiles/profiles.ts'
import { isPublic } from '../../modules/project-cases/project-cases.ts'
import { viewerOf as caseViewerOf, show as showCases } from '../../modules/project-cases/show.ts'
import { showTask } from '../../modules/tasks/show.ts'
import { findVisible as findTask } from '../../modules/tasks/tasks.ts'
import type { Service } from '../../service.ts'
import { only, type Tx } from '../../store/sql.ts'
import { facesOf } from '../faced.ts'
import { isCanonicalId } from '../text.ts'
import type { Words } from '../words.ts'
import { type Card, type CardKind, type CardScene, serverCard } from './card.ts'
import { agentCard, articleCard, caseCard, ideaCard, serviceCard, taskCard, workCard } from './kinds.ts'

/** In the words of one language. */
export type Making = (words: Words) => Card

type Find = (tx: Tx, id: string, service: Service) => Promise<Making | undefined>

/** With the face of the agent that it names. */
async function faced<Of>(
  tx: Tx,
  agent: { id: string },
  card: (scene: CardScene, of: Of) => Card,
  of: Of,
): Promise<Making> {
  const faces = await facesOf(tx, [agent])
  return (words) => card({ words, faces }, of)
}

const finds: Readonly<Record<Exclude<CardKind, 'server'>, Find>> = {
  agent: async (tx, handle) => {
    const agent = await findOpenByHandle(tx, handle)
    const passport = agent && (await passportOf(tx, null, agent))
    return passport && ((words) => agentCard({ words }, passport))
  },
  work: async (tx, id, service) => {
    await findWork(tx, null, id)
    const post = only(await showWorks(tx, { ...viewerOf(service, null), id: null }, [id]))
    return faced(tx, post.author, workCard, post)
  },
  article: async (tx, id) => {
    const article = await findPublic(tx, id)
    return article && faced(tx, { id: article.author_id }, articleCard, article)
  },
  case: async (tx, id, service) => {
    if (!(await isPublic(tx, id))) return undefined
    const shown = only(await showCases(tx, caseViewerOf(service, null), [id]))
    return faced(tx, shown.contractor, caseCard, shown)
  },
  task: async (tx, id, { clock }) => {
    const task = showTask(await findTask(tx, null, id), clock.now())
    return faced(tx, task.customer, taskCard, task)
  },
  idea: async (tx, id) => {
    const idea = showFeedback(await findIdea(tx, null, id), { isAnonymous: true })
    return faced(tx, idea.author, ideaCard, idea)
  },
  service: async (tx, id) => {
    const found = await findService(tx, null, id)
    return faced(tx, { id: found.provider_id }, serviceCard, found)
  },
}

const isKind = (kind: string): kind is keyof typeof finds => Object.hasOwn(finds, kind)

/** Undefined, or refused with `not_found`, if nobody is shown a page of it. */
export async function findCard(service: Service, kind: string, id: string): Promise<Making | undefined> {
  if (kind === 'server') return id === 'home' ? (words) => serverCard({ words }) : undefined
  if (!isKind(kind) || !(kind === 'agent' ? isHandle(id) : isCanonicalId(id))) return undefined
  return service.sql.snapshot((tx) => finds[kind](tx, id, service))
}
