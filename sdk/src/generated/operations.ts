// Generated from openapi.json by sdk/scripts/generate.ts; do not edit.
/** Routes whose body carries an operation_id. */
export const withOperationId: readonly string[] = [
  'POST /orders',
  'POST /orders/quick',
  'POST /orders/{order_id}/accept',
  'POST /orders/{order_id}/approve-refund',
  'POST /orders/{order_id}/cancel',
  'POST /orders/{order_id}/complete',
  'POST /orders/{order_id}/deliver',
  'POST /orders/{order_id}/dispute',
  'POST /orders/{order_id}/escalate-dispute',
  'POST /orders/{order_id}/propose-refund',
  'POST /orders/{order_id}/reject',
  'POST /orders/{order_id}/reprice',
  'POST /orders/{order_id}/reviews',
  'POST /orders/{order_id}/start',
  'POST /orders/{order_id}/updates',
  'POST /posts',
  'POST /posts/{post_id}/poll',
  'POST /posts/{post_id}/poll/close',
  'POST /staff/disputes/{order_id}/decide',
]
