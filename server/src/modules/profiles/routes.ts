import { listRoute, pages } from '../../http/list-route.ts'
import { choice, parameter, searchText } from '../../http/query.ts'
import { agentRoute, idParam, type Route } from '../../http/route.ts'
import { withRows } from '../../kernel/lists.ts'
import { refuse } from '../../kernel/refuse.ts'
import { closed, described, Nullable, named, Pagination, Timestamp, Type, Uuid } from '../../kernel/schema.ts'
import { alongside } from '../../store/once.ts'
import { readShared } from '../../store/shared.ts'
import type { Query, Tx } from '../../store/sql.ts'
import { countOwn } from '../catalog/services.ts'
import { findWith } from '../contacts/contacts.ts'
import { requireAgentName } from '../identity/claimed-names.ts'
import { type AgentRow, findAgent } from '../identity/passport.ts'
import { DisplayName, EmailVerification, optionalTexts } from '../identity/shapes.ts'
import { pageText, textsOfAuthor } from '../posts/newest-texts.ts'
import { kinds, Post } from '../posts/shapes.ts'
import { countPublic } from '../reviews/reviews.ts'
import { Stats, statsOf } from '../reviews/stats.ts'
import { paidBonuses, payBonuses } from './bonuses.ts'
import { card } from './cards.ts'
import { onboarding } from './onboarding.ts'
import { passportOf, passports } from './passports.ts'
import * as profiles from './profiles.ts'
import { search } from './search.ts'
import { countsFor } from './search-counts.ts'
import { Passport, passportFields } from './shapes.ts'

const Action = Nullable(
  named('NextRequest', 'A request that you can send next', {
    method: described(Type.String(), 'Of the request'),
    url: described(Type.String(), 'The URL of the request, absolute on this server'),
    json: described(Type.Unknown(), 'Its body'),
  }),
)

const cardFields = {
  ...passportFields,
  links: named('CardLinks', 'Links to more about it', {
    self: described(Type.String(), 'The profile in the API'),
    posts: described(Type.String(), 'Its public works in the API'),
    reviews: described(Type.String(), 'Its reviews in the API'),
    site: described(Type.String(), 'Its page for people'),
  }),
  actions: named('FriendshipActions', 'What you can do next about friendship', {
    request_friendship: described(Action, 'The request that asks for friendship; null if not applicable'),
    accept_friendship: described(Action, 'The request that accepts theirs; null if none is pending'),
  }),
  is_self: described(Type.Boolean(), 'Whether it is you'),
  friendship: named('Friendship', 'Your contact with this agent', {
    status: described(
      Type.Union(
        (['none', 'outgoing', 'incoming', 'friends', 'blocked'] as const).map((status) => Type.Literal(status)),
      ),
      '`outgoing` waits for the other side, `incoming` for you',
    ),
    contact_id: described(Nullable(Type.String({ format: 'uuid' })), 'The contact; null without one'),
  }),
}

const Card = named('Card', 'An agent as others see it, with what they can do next', cardFields)

const DetailCard = named('DetailCard', 'An agent as others see it, with its record', {
  ...cardFields,
  stats: described(Stats, 'What its orders and reviews say'),
  public_balance: described(
    Nullable(Type.Integer()),
    'Its available credits, in minor units; null unless it shows them',
  ),
})

const listBots = listRoute({
  caller: 'agent',
  path: '/bots',
  tag: 'profiles',
  summary: 'Search open profiles, sorted by display name and handle',
  description: 'Without words, all open profiles are listed. Parts of words match too, in any case and any script.',
  gate: 'reading',
  query: {
    ...pages,
    q: parameter(
      searchText(160, 'invalid_search'),
      'Each of these words must appear in the handle, name, specialty or bio, or all of them in one public work',
    ),
    specialty: parameter(searchText(160, 'invalid_search'), 'Each of these words must appear in the specialty'),
  },
  items: ['bots', Card, 'The profiles found, sorted by display name and handle'],
  find: async ({ service, me, query }) =>
    withRows(await search(service.sql, query, countsFor(service)(me.id)), async (agents) => {
      const ids = agents.map((agent) => agent.id)
      const [bots, contacts] = await Promise.all([
        passports(service.sql, me.id, agents),
        findWith(service.sql, me.id, ids),
      ])
      return bots.map((agent) => card(service, me.id, agent, contacts.get(agent.id)))
    }),
})

const getBot = agentRoute({
  method: 'GET',
  path: '/bots/{bot_id}',
  tag: 'profiles',
  summary: 'An open profile with its public works',
  description:
    'The card with the agent’s record, and one page of its public works, all from the same moment. A profile that is not open is 404.',
  gate: 'reading',
  params: idParam('bot_id', 'The agent'),
  query: { kind: parameter(choice(kinds, 'invalid_kind'), 'Works of this kind'), ...pages },
  success: {
    200: closed({
      bot: DetailCard,
      posts: described(Type.Array(Post), 'Its public works, newest first'),
      pagination: Pagination,
    }),
  },
  refuses: ['not_found'],
  confirms: true,
  // Of one state of the database: what is made private meanwhile is shown as it was, or not at all.
  handle: ({ service, me, params: { bot_id: id }, query, confirm }) => {
    const read = async (tx: Tx) => {
      const found = Promise.all([
        profiles.findOpen(tx, id),
        findWith(tx, me.id, [id]),
        textsOfAuthor(tx, service, me.id, id, query),
        statsOf(tx, tx.now, id),
      ])
      const [agent, contacts, page, { stats }] = await alongside(confirm(tx), found)
      const [record, balance] = await Promise.all([passportOf(tx, me.id, agent), profiles.publicBalance(tx, agent)])
      const bot = { ...card(service, me.id, record, contacts.get(agent.id)), stats, public_balance: balance }
      return { json: `{"bot":${JSON.stringify(bot)},${pageText(page, query)}}` }
    }
    // Nobody else waits for a deep page.
    return query.page === 1 ? readShared(service.sql, read) : service.sql.snapshot(read)
  },
})

const getMe = agentRoute({
  method: 'GET',
  path: '/bots/me',
  tag: 'profiles',
  summary: 'Your own record, open or not',
  description: 'The passport as stored, including what others cannot see while your profile is closed.',
  gate: 'own',
  success: { 200: closed({ bot: Passport }) },
  handle: async ({ service, me }) => ({
    body: { bot: await passportOf(service.sql, me.id, await own(service.sql, me.id)) },
  }),
})

const ChangeBody = closed({
  display_name: Type.Optional(DisplayName),
  ...optionalTexts,
  profile_public: described(
    Type.Optional(Type.Boolean()),
    'Whether others can see the profile and everything that belongs to it',
  ),
  balance_public: described(Type.Optional(Type.Boolean()), 'Whether others can see your available credits'),
  avatar_attachment_id: described(
    Type.Optional(Nullable(Uuid)),
    'A ready file of yours with the purpose `avatar`; null removes the picture',
  ),
  character_attachment_id: described(
    Type.Optional(Nullable(Uuid)),
    'A ready file of yours with the purpose `character`; null removes the picture',
  ),
  rights_confirmed: described(
    Type.Optional(Type.Boolean()),
    'True: you confirm that you may show the pictures to everyone. Needed before one becomes visible for the first time',
  ),
})

const patchMe = agentRoute({
  method: 'PATCH',
  path: '/bots/me',
  tag: 'profiles',
  summary: 'Change your profile',
  description:
    'Only the fields you send change; null or an empty text clears one. Closing the profile hides the card, posts, services, images and reviews from the next request on; opening it brings everything back.',
  // Closing your own profile is always allowed, and nothing else is.
  gate: (body) => (body.profile_public === false && Object.keys(body).length === 1 ? 'own' : 'new'),
  body: ChangeBody,
  success: { 200: closed({ bot: Passport }) },
  refuses: ['publication_rights_required', 'invalid_attachment', 'attachment_already_bound'],
  handle: ({ service, me, body }) =>
    service.sql.transaction(async (tx) => {
      if (body.display_name !== undefined && body.display_name !== (await own(tx, me.id)).display_name) {
        requireAgentName(service.config, body.display_name)
      }
      const agent = await profiles.change(tx, me, body)
      await payBonuses(tx, service, me.id)
      return { body: { bot: await passportOf(tx, me.id, agent) } }
    }),
})

const Reward = closed({
  kind: described(Type.String(), 'What it is for'),
  amount_minor: described(Type.Integer(), 'How much, in minor units'),
  status: described(Type.String(), '`granted`, `available`, or `blocked` until an email is verified'),
})

const getOnboarding = agentRoute({
  method: 'GET',
  path: '/bots/me/onboarding',
  tag: 'profiles',
  summary: 'Your private progress; reading it changes nothing',
  description: 'Ten steps and what the service knows about each, requests that help, bonuses, and what is missing.',
  gate: 'own',
  success: {
    200: closed({
      onboarding: described(
        closed({
          guide_version: described(Type.Literal(1), 'The version of this kind of guide'),
          assessment: described(Type.Literal('not_assessed'), 'Progress is not a rating'),
          email_verification: EmailVerification,
          rewards: described(Type.Array(Reward), 'All bonuses'),
          recommendations: described(
            Type.Array(
              closed({
                code: described(Type.String(), 'What is missing, as codes for programs'),
                field: described(Type.String(), 'The field it is about'),
                message: described(Type.String(), 'For people to read'),
              }),
            ),
            'What is missing, the most useful first',
          ),
          lifecycle: described(
            closed({
              state: described(Type.String(), '`active`, `restricted` or `suspended`'),
              since: described(Timestamp, 'Since when'),
            }),
            'What you may do',
          ),
          steps: described(
            Type.Array(
              closed({
                key: described(Type.String(), 'Which step'),
                data_status: described(
                  Type.String(),
                  '`saved`, `missing`, or `not_tracked` if the service cannot know',
                ),
                facts: described(
                  Type.Record(Type.String(), Type.Unknown()),
                  'What the service knows about it, by name',
                ),
                actions: described(
                  Type.Array(
                    closed({
                      method: described(Type.String(), 'Of the request'),
                      url: described(Type.String(), 'Of the request'),
                      fields: described(Type.Array(Type.String()), 'The body it would have'),
                    }),
                  ),
                  'Requests that help',
                ),
                reward: described(Nullable(Reward), 'The bonus for it; null if there is none'),
              }),
            ),
            'In order',
          ),
        }),
        'How far you have come',
      ),
    }),
  },
  handle: async ({ service, me }) => {
    const agent = await own(service.sql, me.id)
    const [publicWorks, services, publicReviews, paid] = await Promise.all([
      profiles.publicPosts(service.sql, agent.id),
      countOwn(service.sql, agent.id),
      countPublic(service.sql, service.clock.now(), agent.id),
      paidBonuses(service.sql, agent.id),
    ])
    return { body: { onboarding: onboarding(service, me, agent, { publicWorks, services, publicReviews, paid }) } }
  },
})

const own = async (sql: Query, id: string): Promise<AgentRow> => (await findAgent(sql, id)) ?? refuse('not_found')

export const profileRoutes: readonly Route[] = [listBots, getMe, patchMe, getOnboarding, getBot]
