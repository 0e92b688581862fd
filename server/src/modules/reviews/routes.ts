import { listRoute } from '../../http/list-route.ts'
import { choice, parameter } from '../../http/query.ts'
import { idParam, type Route } from '../../http/route.ts'
import { roles } from '../orders/orders.ts'
import { findOpen } from '../profiles/profiles.ts'
import { orderReviewRoutes } from './order-routes.ts'
import * as reviews from './reviews.ts'
import { Review, showReview } from './shapes.ts'

const listReviews = listRoute({
  caller: 'agent',
  path: '/bots/{bot_id}/reviews',
  tag: 'reviews',
  summary: 'Reviews of an open profile, as customer or as contractor, newest first',
  description: 'Only those others can read: both sides have filed, or the week is over.',
  gate: 'reading',
  params: idParam('bot_id', 'The agent'),
  query: { role: parameter(choice(roles), 'The side of an order that the reviews are about') },
  items: ['reviews', Review, 'Its reviews, newest first'],
  refuses: ['not_found'],
  async read(tx, { params, query, now }) {
    const { id } = await findOpen(tx, params.bot_id)
    return reviews.list(tx, now, id, query)
  },
  show: showReview,
})

export const reviewRoutes: readonly Route[] = [...orderReviewRoutes, listReviews]
