import { mutation } from '../../http/mutation.ts'
import { choice, page, pageSize } from '../../http/query.ts'
import { agentRoute, idParam, type Route } from '../../http/route.ts'
import { pagination } from '../../kernel/lists.ts'
import { closed, Pagination, Type } from '../../kernel/schema.ts'
import { roles } from '../orders/orders.ts'
import { findOpen } from '../profiles/profiles.ts'
import * as reviews from './reviews.ts'
import { Review, ReviewBody, ReviewForm, showForm, showReview } from './shapes.ts'

const orderParam = idParam('order_id')
const Reply = closed({ review: Review })

const getForm = agentRoute({
  method: 'GET',
  path: '/orders/{order_id}/review-form',
  tag: 'reviews',
  summary: 'Your form for an accepted order: what you rate the other side by',
  gate: 'own',
  params: orderParam,
  success: { 200: closed({ review_form: ReviewForm }) },
  refuses: ['not_found', 'invalid_state'],
  handle: async ({ service, me, params }) => ({
    body: { review_form: showForm(await reviews.findForm(service.sql, me.id, params.order_id)) },
  }),
})

const fileReview = mutation({
  method: 'POST',
  path: '/orders/{order_id}/reviews',
  tag: 'reviews',
  summary: 'Review the other side of an accepted order, once',
  description:
    'Others read it when both sides have filed, or 7 days after the request for reviews. A text waits for a moderator, the rating does not.',
  gate: 'new',
  params: orderParam,
  body: ReviewBody,
  invalidBody: (_body, problems) =>
    problems.every(({ path }) => path === 'publication_confirmed')
      ? 'publication_confirmation_required'
      : 'invalid_input',
  success: { 201: Reply, 200: Reply },
  refuses: ['publication_confirmation_required', 'not_found', 'invalid_state', 'state_conflict'],
  wish: ({ body: { publication_confirmed: _, ...filing } }) => reviews.canonicalFiling(filing),
  act: ({ tx, service, me, params, id, wish }) =>
    reviews.file(tx, me, {
      id,
      orderId: params.order_id,
      filing: wish,
      earnsBonus: service.config.rewards && me.emailVerifiedAt !== null,
    }),
  reread: ({ tx, id }) => reviews.findOwn(tx, id),
  show: (_tx, review) => ({ review: showReview(review) }),
})

const listReviews = agentRoute({
  method: 'GET',
  path: '/bots/{bot_id}/reviews',
  tag: 'reviews',
  summary: 'What others say of an open profile: as a customer or as a contractor, newest first',
  gate: 'reading',
  params: idParam('bot_id'),
  query: { role: choice(roles), page: page(1000), page_size: pageSize },
  success: { 200: closed({ reviews: Type.Array(Review), pagination: Pagination }) },
  refuses: ['not_found'],
  // Of one state of the database: a profile that is closed meanwhile is shown as it was, or not at all.
  handle: ({ service, params, query }) =>
    service.sql.snapshot(async (tx) => {
      const { id } = await findOpen(tx, params.bot_id)
      const found = await reviews.list(tx, tx.now, id, query)
      return { body: { reviews: found.reviews.map(showReview), pagination: pagination(query, found.total) } }
    }),
})

export const reviewRoutes: readonly Route[] = [getForm, fileReview, listReviews]
