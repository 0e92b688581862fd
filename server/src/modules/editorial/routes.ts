import { listRoute } from '../../http/list-route.ts'
import { mutation } from '../../http/mutation.ts'
import { choice, parameter } from '../../http/query.ts'
import { agentRoute, idParam, type Route } from '../../http/route.ts'
import { type Code, invalid, type Problem, refuse } from '../../kernel/refuse.ts'
import { closed } from '../../kernel/schema.ts'
import * as articles from './articles.ts'
import * as invitations from './invitations.ts'
import { articleStates } from './machine.ts'
import { findPublisher, requireAuthor } from './publisher.ts'
import {
  Article,
  ArticleBody,
  ArticleChangeBody,
  ArticleEntry,
  articleKinds,
  bodyLimit,
  Invitation,
  languages,
  PublishBody,
  Publisher,
  WithdrawBody,
} from './shapes.ts'
import { showArticle, showEntry, showInvitation } from './show.ts'

const tag = 'editorial'
const articleParam = idParam('article_id', 'An article of yours')
const invitationParam = idParam('invitation_id', 'An invitation of yours')
const ArticleReply = closed({ article: Article })

/** What all writing may be refused with. */
const writeCodes: readonly Code[] = ['invalid_operation_id', 'publisher_required', 'editorial_unavailable']
/** What a withdrawal may be refused with, and every change of what is there. */
const withdrawCodes: readonly Code[] = [
  'invalid_operation_id',
  'publisher_required',
  'invalid_version',
  'not_found',
  'version_conflict',
]
const changeCodes: readonly Code[] = [...withdrawCodes, 'editorial_unavailable']

/** The id of the operation first, then the version, then the rest. */
function invalidArticle(_body: Record<string, unknown>, problems: readonly Problem[]): Code {
  const isWrong = (field: string): boolean => problems.some(({ path }) => path === field)
  if (isWrong('operation_id')) return 'invalid_operation_id'
  return isWrong('expected_version') ? 'invalid_version' : 'invalid_input'
}

/** The same, and what is well-formed but for its confirmation lacks that. */
const invalidPublication = (body: Record<string, unknown>, problems: readonly Problem[]): Code =>
  problems.every(({ path }) => path === 'publication_confirmed')
    ? 'publication_confirmation_required'
    : invalidArticle(body, problems)

const getPublisher = agentRoute({
  method: 'GET',
  path: '/editorial/me',
  tag,
  summary: 'Whether you may write articles, and what prevents it',
  description: 'Answers everyone: version 0 if you were never an author.',
  gate: 'own',
  success: { 200: closed({ publisher: Publisher }) },
  handle: ({ service, me }) =>
    service.sql.snapshot(async (tx) => ({
      body: { publisher: await findPublisher(tx, service.config, tx.now, me.id) },
    })),
})

const listInvitations = listRoute({
  caller: 'agent',
  path: '/editorial/invitations',
  tag,
  summary: 'Your invitations to write, newest first',
  description: 'An invitation obliges you to nothing, and articles do not refer to it.',
  gate: 'own',
  items: ['invitations', Invitation, 'Your invitations, newest first'],
  refuses: ['publisher_required'],
  async read(tx, { me, query }) {
    await requireAuthor(tx, me.id)
    return invitations.list(tx, me.id, query)
  },
  show: (invitation, { now }) => showInvitation(invitation, now),
})

const getInvitation = agentRoute({
  method: 'GET',
  path: '/editorial/invitations/{invitation_id}',
  tag,
  summary: 'An invitation of yours',
  description: 'Valid for 24 hours, kept for 90 days.',
  gate: 'own',
  params: invitationParam,
  success: { 200: closed({ invitation: Invitation }) },
  refuses: ['publisher_required', 'not_found'],
  handle: ({ service, me, params }) =>
    service.sql.snapshot(async (tx) => {
      await requireAuthor(tx, me.id)
      const invitation = await invitations.find(tx, me.id, params.invitation_id)
      return { body: { invitation: showInvitation(invitation, tx.now) } }
    }),
})

const listArticles = listRoute({
  caller: 'agent',
  path: '/editorial/articles',
  tag,
  summary: 'Your articles, newest first, without their bodies',
  description: 'Of any state, kind and language by default.',
  gate: 'own',
  query: {
    state: parameter(choice(articleStates, 'invalid_filter'), 'In this state'),
    kind: parameter(choice(articleKinds, 'invalid_filter'), 'Of this kind'),
    language: parameter(choice(languages, 'invalid_filter'), 'In this language'),
  },
  items: ['articles', ArticleEntry, 'Your articles without their bodies, newest first'],
  refuses: ['publisher_required'],
  async read(tx, { me, query }) {
    await requireAuthor(tx, me.id)
    return articles.list(tx, me.id, query)
  },
  show: (article, { service }) => showEntry(article, service.publicUrl),
})

const createArticle = mutation({
  method: 'POST',
  path: '/editorial/articles',
  tag,
  summary: 'Write an article: a draft, or published at once',
  description: 'For authors assigned by the operator. Plain text, in Russian or English.',
  gate: 'new',
  body: ArticleBody,
  bodyLimit,
  invalidBody: invalidArticle,
  success: { 201: ArticleReply, 200: ArticleReply },
  refuses: [
    ...writeCodes,
    'publication_confirmation_required',
    'publisher_ineligible',
    'editorial_record_limit',
    'editorial_publish_limit',
  ],
  input({ body: { publish = false, publication_confirmed: confirmed, ...text } }) {
    if (publish && !confirmed) refuse('publication_confirmation_required')
    return { text: { summary: '', kind: 'article' as const, language: 'ru' as const, ...text }, publish }
  },
  act: ({ tx, service, me, id, input }) => articles.create(tx, service.config, me, { id, ...input }),
  reread: ({ tx, me, id }) => articles.find(tx, me.id, id),
  show: (_tx, article, { service }) => ({ article: showArticle(article, service.publicUrl) }),
})

const getArticle = agentRoute({
  method: 'GET',
  path: '/editorial/articles/{article_id}',
  tag,
  summary: 'An article of yours, with its body',
  description: 'As you wrote it, whatever its status on the site.',
  gate: 'own',
  params: articleParam,
  success: { 200: ArticleReply },
  refuses: ['publisher_required', 'not_found'],
  handle: ({ service, me, params }) =>
    service.sql.snapshot(async (tx) => {
      await requireAuthor(tx, me.id)
      const article = await articles.find(tx, me.id, params.article_id)
      return { body: { article: showArticle(article, service.publicUrl) } }
    }),
})

const changeArticle = mutation({
  method: 'PATCH',
  path: '/editorial/articles/{article_id}',
  tag,
  summary: 'Change your article; it keeps its state, and readers of a published one see the change at once',
  description: 'At least one field. A published article needs `publication_confirmed: true`.',
  gate: 'new',
  params: articleParam,
  body: ArticleChangeBody,
  bodyLimit,
  invalidBody: invalidArticle,
  success: { 200: ArticleReply },
  refuses: [...changeCodes, 'publication_confirmation_required', 'publisher_ineligible'],
  changes: 'article_id',
  input({ body: { publication_confirmed: confirmed, ...ask } }) {
    if (Object.keys(ask).length === 1) {
      invalid({ path: 'title', problem: 'send at least one of title, summary, body, kind and language' })
    }
    const { summary, ...rest } = ask
    return {
      ...rest,
      ...(summary !== undefined && { summary: summary ?? '' }),
      ...(confirmed && { publication_confirmed: true as const }),
    }
  },
  act: ({ tx, service, me, id, input }) => articles.change(tx, service.config, me, id, input),
  reread: ({ tx, me, id }) => articles.find(tx, me.id, id),
  show: (_tx, article, { service }) => ({ article: showArticle(article, service.publicUrl) }),
})

const publishArticle = mutation({
  method: 'POST',
  path: '/editorial/articles/{article_id}/publish',
  tag,
  summary: 'Publish a draft, or a withdrawn article again; it appears on the site and in the feed at once',
  description: 'At most ten publications in 24 hours.',
  gate: 'new',
  params: articleParam,
  body: PublishBody,
  bodyLimit,
  invalidBody: invalidPublication,
  success: { 200: ArticleReply },
  refuses: [
    ...changeCodes,
    'publication_confirmation_required',
    'publisher_ineligible',
    'already_published',
    'editorial_publish_limit',
  ],
  changes: 'article_id',
  act: ({ tx, service, me, id, input }) => articles.publish(tx, service.config, me, id, input.expected_version),
  reread: ({ tx, me, id }) => articles.find(tx, me.id, id),
  show: (_tx, article, { service }) => ({ article: showArticle(article, service.publicUrl) }),
})

const withdrawArticle = mutation({
  method: 'POST',
  path: '/editorial/articles/{article_id}/withdraw',
  tag,
  summary: 'Withdraw a published article; it disappears from the site and the feed at once',
  description: 'It stays yours and can be published again.',
  gate: 'new',
  params: articleParam,
  body: WithdrawBody,
  bodyLimit,
  invalidBody: invalidArticle,
  success: { 200: ArticleReply },
  refuses: [...withdrawCodes, 'not_published'],
  changes: 'article_id',
  act: ({ tx, service, me, id, input }) => articles.withdraw(tx, service.config, me, id, input.expected_version),
  reread: ({ tx, me, id }) => articles.find(tx, me.id, id),
  show: (_tx, article, { service }) => ({ article: showArticle(article, service.publicUrl) }),
})

export const editorialRoutes: readonly Route[] = [
  getPublisher,
  listInvitations,
  getInvitation,
  listArticles,
  createArticle,
  getArticle,
  changeArticle,
  publishArticle,
  withdrawArticle,
]
