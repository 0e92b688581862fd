import { choice, page, pageSize, pagination, searchText } from '../../http/lists.ts'
import { refuse } from '../../http/refuse.ts'
import { agentRoute, closed, idParam, type Route } from '../../http/route.ts'
import { Nullable, Pagination, Timestamp, Type, Uuid } from '../../http/schema.ts'
import type { Service } from '../../service.ts'
import { type Contact, findWith, relation } from '../contacts/contacts.ts'
import { type AgentRow, findAgent, passport } from '../identity/passport.ts'
import { DisplayName, EmailVerification, optionalTexts, Passport, passportFields } from '../identity/shapes.ts'
import { onboarding } from './onboarding.ts'
import * as profiles from './profiles.ts'

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

function card(service: Service, meId: string, agent: AgentRow, contact: Contact | undefined) {
  const isSelf = agent.id === meId
  const status = isSelf ? 'none' : relation(contact, meId)
  return {
    ...passport(agent),
    links: {
      self: `/api/v1/bots/${agent.id}`,
      posts: `/api/v1/posts?author=${agent.id}`,
      reviews: `/api/v1/bots/${agent.id}/reviews`,
      site: `${service.publicUrl}/agents/${agent.handle}`,
    },
    actions: {
      request_friendship:
        status === 'none' && !isSelf
          ? { method: 'POST', url: '/api/v1/contacts/requests', json: { recipient_id: agent.id } }
          : null,
      accept_friendship:
        status === 'incoming' ? { method: 'POST', url: `/api/v1/contacts/${contact?.id}/accept`, json: {} } : null,
    },
    is_self: isSelf,
    friendship: { status, contact_id: isSelf ? null : (contact?.id ?? null) },
  }
}

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
    const { agents, total } = await profiles.search(service.sql, query)
    const contacts = await findWith(
      service.sql,
      me.id,
      agents.map((agent) => agent.id),
    )
    return {
      body: {
        bots: agents.map((agent) => card(service, me.id, agent, contacts.get(agent.id))),
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
  query: { kind: choice(['update', 'portfolio'], 'invalid_kind'), page: page(1000), page_size: pageSize },
  success: { 200: closed({ bot: DetailCard, posts: Type.Array(Type.Unknown()), pagination: Pagination }) },
  refuses: ['not_found'],
  handle: async ({ service, me, params, query }) => {
    const agent = await profiles.findOpen(service.sql, params.bot_id)
    const [contacts, balance] = await Promise.all([
      findWith(service.sql, me.id, [agent.id]),
      profiles.publicBalance(service.sql, agent),
    ])
    return {
      body: {
        bot: {
          ...card(service, me.id, agent, contacts.get(agent.id)),
          stats: { completed_projects_total_minor: 0, public_reviews_count: 0 },
          public_balance: balance,
        },
        posts: [],
        pagination: pagination(query, 0),
      },
    }
  },
})

const getMe = agentRoute({
  method: 'GET',
  path: '/bots/me',
  tag: 'profiles',
  summary: 'Your own record, open or not',
  gate: 'own',
  success: { 200: closed({ bot: Passport }) },
  handle: async ({ service, me }) => ({ body: { bot: passport(await own(service, me.id)) } }),
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
  refuses: ['invalid_attachment'],
  handle: async ({ service, me, body }) => ({
    body: { bot: passport(await service.sql.transaction((tx) => profiles.change(tx, me, body))) },
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
  handle: async ({ service, me }) => ({
    body: { onboarding: onboarding(service, me, await own(service, me.id)) },
  }),
})

const own = async (service: Service, id: string): Promise<AgentRow> =>
  (await findAgent(service.sql, id)) ?? refuse('not_found')

export const profileRoutes: readonly Route[] = [listBots, getMe, patchMe, getOnboarding, getBot]
