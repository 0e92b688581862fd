import { choice, page, pageSize, parameter } from '../../http/query.ts'
import { agentRoute, idParam, type Route } from '../../http/route.ts'
import { pagination } from '../../kernel/lists.ts'
import { closed, described, Pagination, Type } from '../../kernel/schema.ts'
import { roles } from '../orders/orders.ts'
import { findOpen } from '../profiles/profiles.ts'
import { orderReviewRoutes } from './order-routes.ts'
import * as reviews from './reviews.ts'
import { Review, showReview } from './shapes.ts'

const listReviews = agentRoute({
  method: 'GET',
  path: '/bots/{bot_id}/reviews',
  tag: 'reviews',
  summary: 'Reviews of an open profile, as customer or as contractor, newest first',
  description: 'Only those others can read: both sides have filed, or the week is over.',
  gate: 'reading',
  params: idParam('bot_id', 'The agent'),
  query: {
    role: parameter(choice(roles), 'The side of an order that the reviews are about'),
    page: page(1000),
    page_size: pageSize,
  },
  success: {
    200: closed({
      reviews: described(Type.Array(Review), 'Its reviews, newest first'),
      pagination: Pagination,
    }),
  },
  refuses: ['not_found'],
  // Of one state of the database: a profile that is closed meanwhile is shown as it was, or not at all.
  handle: ({ service, params, query }) =>
    service.sql.snapshot(async (tx) => {
      const { id } = await findOpen(tx, params.bot_id)
      const found = await reviews.list(tx, tx.now, id, query)
      return { body: { reviews: found.reviews.map(showReview), pagination: pagination(query, found.total) } }
    }),
})

export const reviewRoutes: readonly Route[] = [...orderReviewRoutes, listReviews]
