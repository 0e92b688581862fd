// Generated from openapi.json by sdk/scripts/generate.ts; do not edit.
/** Routes whose body carries an operation_id. */
export const withOperationId: readonly string[] = [
]
