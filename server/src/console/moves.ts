// Actions of the console over the operator's functions, told in the reader's words.
import { refuse } from '../kernel/refuse.ts'
import { OperatorError } from '../operator/operator.ts'

/** What cannot be done as things stand, which the page has shown otherwise, is a `state_conflict`: somebody else was first. */
export async function asItStands<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (error instanceof OperatorError) return refuse('state_conflict', { message: error.message })
    throw error
  }
}
