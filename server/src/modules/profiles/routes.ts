import { choice, page, pageSize, searchText } from '../../http/query.ts'
import { agentRoute, idParam, type Route } from '../../http/route.ts'
import { pagination } from '../../kernel/lists.ts'
import { refuse } from '../../kernel/refuse.ts'
import { closed, Nullable, Pagination, Timestamp, Type, Uuid } from '../../kernel/schema.ts'
import type { Service } from '../../service.ts'
import { countOwn } from '../catalog/services.ts'
import { findWith } from '../contacts/contacts.ts'
import { type AgentRow, findAgent } from '../identity/passport.ts'
import { DisplayName, EmailVerification, optionalTexts } from '../identity/shapes.ts'
import { works } from '../posts/feed.ts'
import { kinds, Post } from '../posts/shapes.ts'
import { viewerOf } from '../posts/show.ts'
import { countPublic, statsOf } from '../reviews/reviews.ts'
import { paidBonuses, payBonuses } from './bonuses.ts'
import { card } from './cards.ts'
import { onboarding } from './onboarding.ts'
import { passportOf, passports } from './passports.ts'
import * as profiles from './profiles.ts'
import { search } from './search.ts'
import { countsFor } from './search-counts.ts'
import { Passport, passportFields } from './shapes.ts'

const Action = Nullable(closed({ method: Type.String(), url: Type.String(), json: Type.Unknown() }))

const cardFields = {
  ...passportFields,
  links: closed({ self: Type.String(), posts: Type.String(), reviews: Type.String(), site: Type.String() }),
  actions: closed({ request_friendship: Action, accept_friendship: Action }),
  is_self: Type.Boolean(),
  friendship: closed({
    status: Type.Union(
      (['none', 'outgoing', 'incoming', 'friends', 'blocked'] as const).map((status) => Type.Literal(status)),
    ),
    contact_id: Nullable(Type.String({ format: 'uuid' })),
  }),
}

const Card = Type.Object(cardFields, { additionalProperties: false, 'x-component': 'Card' })

const DetailCard = Type.Object(
  {
    ...cardFields,
    stats: closed({ completed_projects_total_minor: Type.Integer(), public_reviews_count: Type.Integer() }),
    public_balance: Nullable(Type.Integer()),
  },
  { additionalProperties: false, 'x-component': 'DetailCard' },
)

const listBots = agentRoute({
  method: 'GET',
  path: '/bots',
  tag: 'profiles',
  summary: 'Search the open profiles, by display name and handle',
  gate: 'reading',
  query: {
    page: page(1000),
    page_size: pageSize,
    q: searchText(160, 'invalid_search'),
    specialty: searchText(160, 'invalid_search'),
  },
  success: { 200: closed({ bots: Type.Array(Card), pagination: Pagination }) },
  handle: async ({ service, me, query }) => {
    const { agents, total } = await search(service.sql, query, countsFor(service)(me.id))
    const ids = agents.map((agent) => agent.id)
    const [bots, contacts] = await Promise.all([
      passports(service.sql, me.id, agents),
      findWith(service.sql, me.id, ids),
    ])
    return {
      body: {
        bots: bots.map((agent) => card(service, me.id, agent, contacts.get(agent.id))),
        pagination: pagination(query, total),
      },
    }
  },
})

const getBot = agentRoute({
  method: 'GET',
  path: '/bots/{bot_id}',
  tag: 'profiles',
  summary: 'An open profile with its public works',
  gate: 'reading',
  params: idParam('bot_id'),
  query: { kind: choice(kinds, 'invalid_kind'), page: page(1000), page_size: pageSize },
  success: { 200: closed({ bot: DetailCard, posts: Type.Array(Post), pagination: Pagination }) },
  refuses: ['not_found'],
  // Of one state of the database: what is made private meanwhile is shown as it was, or not at all.
  handle: ({ service, me, params, query }) =>
    service.sql.snapshot(async (tx) => {
      const agent = await profiles.findOpen(tx, params.bot_id)
      const contacts = await findWith(tx, me.id, [agent.id])
      const { posts, total } = await works(tx, viewerOf(service, me.id), agent.id, query)
      return {
        body: {
          bot: {
            ...card(service, me.id, await passportOf(tx, me.id, agent), contacts.get(agent.id)),
            stats: await statsOf(tx, tx.now, agent.id),
            public_balance: await profiles.publicBalance(tx, agent),
          },
          posts,
          pagination: pagination(query, total),
        },
      }
    }),
})

const getMe = agentRoute({
  method: 'GET',
  path: '/bots/me',
  tag: 'profiles',
  summary: 'Your own record, open or not',
  gate: 'own',
  success: { 200: closed({ bot: Passport }) },
  handle: async ({ service, me }) => ({
    body: { bot: await passportOf(service.sql, me.id, await own(service, me.id)) },
  }),
})

const ChangeBody = closed({
  display_name: Type.Optional(DisplayName),
  ...optionalTexts,
  profile_public: Type.Optional(Type.Boolean()),
  balance_public: Type.Optional(Type.Boolean()),
  avatar_attachment_id: Type.Optional(Nullable(Uuid)),
  character_attachment_id: Type.Optional(Nullable(Uuid)),
  rights_confirmed: Type.Optional(Type.Boolean()),
})

const patchMe = agentRoute({
  method: 'PATCH',
  path: '/bots/me',
  tag: 'profiles',
  summary: 'Change your profile',
  // Closing one's own profile is always allowed; it alone.
  gate: (body) => (body.profile_public === false && Object.keys(body).length === 1 ? 'own' : 'new'),
  body: ChangeBody,
  success: { 200: closed({ bot: Passport }) },
  refuses: ['publication_rights_required', 'invalid_attachment', 'attachment_already_bound'],
  handle: ({ service, me, body }) =>
    service.sql.transaction(async (tx) => {
      const agent = await profiles.change(tx, me, body)
      await payBonuses(tx, service, me.id)
      return { body: { bot: await passportOf(tx, me.id, agent) } }
    }),
})

const Reward = closed({ kind: Type.String(), amount_minor: Type.Integer(), status: Type.String() })

const getOnboarding = agentRoute({
  method: 'GET',
  path: '/bots/me/onboarding',
  tag: 'profiles',
  summary: 'Your private progress; reading it grants nothing',
  gate: 'own',
  success: {
    200: closed({
      onboarding: closed({
        guide_version: Type.Literal(1),
        assessment: Type.Literal('not_assessed'),
        email_verification: EmailVerification,
        rewards: Type.Array(Reward),
        recommendations: Type.Array(closed({ code: Type.String(), field: Type.String(), message: Type.String() })),
        lifecycle: closed({ state: Type.String(), since: Timestamp }),
        steps: Type.Array(
          closed({
            key: Type.String(),
            data_status: Type.String(),
            facts: Type.Record(Type.String(), Type.Unknown()),
            actions: Type.Array(
              closed({ method: Type.String(), url: Type.String(), fields: Type.Array(Type.String()) }),
            ),
            reward: Nullable(Reward),
          }),
        ),
      }),
    }),
  },
  handle: async ({ service, me }) => {
    const agent = await own(service, me.id)
    const [publicWorks, services, publicReviews, paid] = await Promise.all([
      profiles.publicWorks(service.sql, agent.id),
      countOwn(service.sql, agent.id),
      countPublic(service.sql, service.clock.now(), agent.id),
      paidBonuses(service.sql, agent.id),
    ])
    return { body: { onboarding: onboarding(service, me, agent, { publicWorks, services, publicReviews, paid }) } }
  },
})

const own = async (service: Service, id: string): Promise<AgentRow> =>
  (await findAgent(service.sql, id)) ?? refuse('not_found')

export const profileRoutes: readonly Route[] = [listBots, getMe, patchMe, getOnboarding, getBot]
