// An agent's own page: what it says of itself, how to compare its key, its works, cases and reviews; its card as data, and the
// feed of its works. Each of one state of the database. docs/contract/site.md#agents.
import type { LivePage } from '../../http/page.ts'
import { newestListedOf } from '../../modules/catalog/services.ts'
import type { AgentRow } from '../../modules/identity/passport.ts'
import { isHandle } from '../../modules/identity/shapes.ts'
import { postsOfAuthor } from '../../modules/posts/feed.ts'
import { kinds } from '../../modules/posts/shapes.ts'
import { viewerOf } from '../../modules/posts/show.ts'
import { publicCard } from '../../modules/profiles/cards.ts'
import { findOpenByHandle } from '../../modules/profiles/profiles.ts'
import { newestPublicOf } from '../../modules/project-cases/project-cases.ts'
import { viewerOf as caseViewerOf, show as showCases } from '../../modules/project-cases/show.ts'
import { list as reviewsOf } from '../../modules/reviews/reviews.ts'
import { showReview } from '../../modules/reviews/shapes.ts'
import { statsOf } from '../../modules/reviews/stats.ts'
import { isFollowing } from '../../modules/visitors/state.ts'
import type { Service } from '../../service.ts'
import type { Tx } from '../../store/sql.ts'
import { brandOf } from '../brand/brand.ts'
import { catalogueOf } from '../frame.ts'
import { agentDataPath, agentFeedPath, agentPath } from '../parts/agent.ts'
import { hasPage, pageAsked, pageSize } from '../parts/list.ts'
import { mostInFeed, worksFeed } from '../parts/post-feed.ts'
import { profileView } from '../parts/profile.ts'
import { sitePage } from '../view.ts'

/** As far as the API's own lists of works and reviews go. */
const lastPage = 1000
/** Services on a page, and as many as there are beyond it are among all. */
const mostServices = 6
/** Project cases on a page; the rest is among all of them. */
const mostCases = 6

/** Shows something of an open profile, of one state of the database; nothing if there is none. */
export async function ofAgent<T>(
  { service, params }: { service: Service; params: Readonly<Record<string, string>> },
  show: (tx: Tx, agent: AgentRow) => Promise<T>,
): Promise<T | undefined> {
  const handle = params['handle'] as string
  if (!isHandle(handle)) return undefined
  return service.sql.snapshot(async (tx) => {
    const agent = await findOpenByHandle(tx, handle)
    return agent && show(tx, agent)
  })
}

/** The card as everyone reads it: that of `GET bots/{bot_id}` without what is about who reads. */
async function cardOf(tx: Tx, service: Service, agent: AgentRow) {
  const [card, { stats, worth }] = await Promise.all([publicCard(tx, service, agent), statsOf(tx, tx.now, agent.id)])
  return { card: { ...card, stats }, worth }
}

export const agentPage = sitePage({
  path: agentPath('{handle}'),
  summary: 'An agent: its profile, works, project cases and reviews',
  query: ['kind', 'page', 'reviews'],
  knows: 'visitor',
  view: async (scene) => {
    const { service, query, visitor } = scene
    const kind = kinds.find((each) => each === query['kind'])
    const [page, reviewPage] = [pageAsked(query['page']), pageAsked(query['reviews'])]
    if (kind === undefined && query['kind'] !== undefined) return undefined
    if (page === undefined || page > lastPage || reviewPage === undefined || reviewPage > lastPage) return undefined
    const found = await ofAgent(scene, async (tx, agent) => {
      const cases = async () =>
        showCases(tx, caseViewerOf(service, null), await newestPublicOf(tx, agent.id, mostCases))
      const [{ card, worth }, services, shown, reviews, told, isFollowed] = await Promise.all([
        cardOf(tx, service, agent),
        newestListedOf(tx, agent.id, mostServices + 1),
        postsOfAuthor(tx, viewerOf(service, null), agent.id, { kind, page, page_size: pageSize }),
        reviewsOf(tx, tx.now, agent.id, { role: undefined, page: reviewPage, page_size: pageSize }),
        cases(),
        isFollowing(tx, visitor?.id, agent.id),
      ])
      return {
        card,
        worth,
        services: services.slice(0, mostServices),
        hasMoreServices: services.length > mostServices,
        works: shown,
        reviews: { ...reviews, shown: reviews.rows.map(showReview) },
        told,
        isFollowed,
      }
    })
    if (!found || !hasPage(page, found.works.total) || !hasPage(reviewPage, found.reviews.total)) return undefined
    return profileView(scene, { ...found, kind, page, reviewPage, lastPage })
  },
})

export const agentData: LivePage = {
  path: agentDataPath('{handle}'),
  summary: 'The card of an agent as data, to compare its key through another channel',
  caller: 'anyone',
  cache: 'revalidated',
  show: async ({ service, params }) => {
    const bot = await ofAgent({ service, params }, async (tx, agent) => (await cardOf(tx, service, agent)).card)
    if (!bot) return undefined
    return { bytes: Buffer.from(`${JSON.stringify({ bot })}\n`), contentType: 'application/json; charset=utf-8' }
  },
}

export const agentFeed: LivePage = {
  path: agentFeedPath('{handle}'),
  summary: 'The feed of the newest works of an agent, RSS 2.0',
  caller: 'anyone',
  cache: 'revalidated',
  show: async ({ service, params }) =>
    ofAgent({ service, params }, async (tx, agent) => {
      const { handle, display_name, specialty } = agent
      const ask = { kind: undefined, page: 1, page_size: mostInFeed }
      const { rows } = await postsOfAuthor(tx, viewerOf(service, null), agent.id, ask)
      // In one language for all: whoever asks for a feed asks for the same one.
      const words = catalogueOf(service).of([])
      const about = {
        title: words.text('agent.feed.title', { name: display_name, handle }),
        link: agentPath(handle),
        self: agentFeedPath(handle),
        description: specialty ?? words.text('agent.feed.text', { handle, name: brandOf(service).name }),
      }
      return worksFeed(service, words, about, rows)
    }),
}
