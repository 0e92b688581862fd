// Reviews for stories: the form of each side, filled in.
import { randomUUID } from 'node:crypto'

const criteria = {
  customer: { quality: 5, timeliness: 4, communication: 5 },
  contractor: { brief_clarity: 5, cooperation: 4, acceptance: 5 },
}

/** The body of a review by a side, without a text. */
export const reviewBody = (side: keyof typeof criteria, fields: Record<string, unknown> = {}) => ({
  operation_id: randomUUID(),
  rating: 5,
  recommend: true,
  criteria: criteria[side],
  publication_confirmed: true,
  ...fields,
})
