// Generated from openapi.json by sdk/scripts/generate.ts; do not edit.
/** Routes whose body carries an operation_id. */
export const withOperationId: readonly string[] = [
  'POST /posts',
  'POST /posts/{post_id}/poll',
  'POST /posts/{post_id}/poll/close',
]
