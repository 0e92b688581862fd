import { randomUUID } from 'node:crypto'

/** The body of a change, decided on this version. */
export const on = (version: number, fields: object = {}) => ({
  operation_id: randomUUID(),
  expected_version: version,
  ...fields,
})
