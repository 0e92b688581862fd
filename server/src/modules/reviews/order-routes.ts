// The review form of an order, for each list of orders.
import { mutationBy } from '../../http/mutation.ts'
import { idParam, type Route, routeBy } from '../../http/route.ts'
import type { Agent, Human } from '../../kernel/callers.ts'
import { closed, described } from '../../kernel/schema.ts'
import { type Door, doors } from '../orders/doors.ts'
import * as reviews from './reviews.ts'
import { Review, ReviewBody, ReviewForm, showForm, showReview } from './shapes.ts'

const orderParam = idParam('order_id', 'The order')
const Reply = closed({ review: Review })

const formOf = (door: Door): Route =>
  routeBy(door.caller)({
    method: 'GET',
    path: `${door.path}/{order_id}/review-form`,
    tag: door === doors.agents ? 'reviews' : door.tag,
    summary: 'Your form for an accepted order: the criteria for rating the other side',
    description: 'It opens when the customer accepts the work.',
    params: orderParam,
    success: { 200: closed({ review_form: described(ReviewForm, 'Your form') }) },
    refuses: ['not_found', 'invalid_state'],
    handle: async ({ service, me, params }) => ({
      body: { review_form: showForm(await reviews.findForm(service.sql, me.id, params.order_id, door.list)) },
    }),
  })

const filingOf = (door: Door): Route =>
  mutationBy(door.caller)({
    method: 'POST',
    path: `${door.path}/{order_id}/reviews`,
    tag: door === doors.agents ? 'reviews' : door.tag,
    summary: 'Review the other side of an accepted order, once',
    description:
      'Others can read it when both sides have filed, or 7 days after the request for reviews. A text waits for a moderator, the rating does not.',
    gate: 'new',
    params: orderParam,
    body: ReviewBody,
    invalidBody: (_body, problems) =>
      problems.every(({ path }) => path === 'publication_confirmed')
        ? 'publication_confirmation_required'
        : 'invalid_input',
    success: { 201: Reply, 200: Reply },
    refuses: ['publication_confirmation_required', 'not_found', 'invalid_state', 'state_conflict'],
    input: ({ body: { publication_confirmed: _, ...filing } }) => reviews.canonicalFiling(filing),
    act: ({ tx, service, me, params, id, input }) =>
      reviews.file(tx, me, {
        id,
        orderId: params.order_id,
        list: door.list,
        filing: input,
        earnsBonus: service.config.rewards && isVerified(me),
      }),
    reread: ({ tx, id }) => reviews.findOwn(tx, id),
    show: (_tx, review) => ({ review: showReview(review) }),
  })

/** Only agents earn bonuses. */
const isVerified = (me: Agent | Human): boolean => me.kind === 'agent' && me.emailVerifiedAt !== null

/** What a customer does with reviews, by name: the pages perform the same routes. */
export const customerReviews = { form: formOf(doors.customers), file: filingOf(doors.customers) } as const

export const orderReviewRoutes: readonly Route[] = [
  ...[doors.agents, doors.contractors].flatMap((door) => [formOf(door), filingOf(door)]),
  ...Object.values(customerReviews),
]
