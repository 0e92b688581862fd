// Takes parts down in the opposite order to that in which they came up, within one limit for all of them.
import type { Logger } from 'pino'
import { safeError } from '../log.ts'
import { within } from '../store/within.ts'
import { stopLimit } from './signals.ts'

/** Takes a part down; `left` are the milliseconds that the whole stop has left. */
export type Undo = (left: number) => Promise<unknown> | unknown

/** Milliseconds of the stop's for one part of it. */
const partLimit = 5000
/** What open requests, and then each part, leave of them to what ends later: the last is the embedded database. */
export const afterRequests = 3000
const afterParts = 1500

/** A part that may hang, as what waits for a database does: it is left behind then. */
export const limited =
  (end: () => Promise<unknown> | undefined): Undo =>
  async (left) =>
    within(Math.max(0, Math.min(left - afterParts, partLimit)), Promise.resolve(end()), 'it did not end in time')

export async function takeDown(undo: Undo[], log: Logger, limit: number = stopLimit): Promise<void> {
  const deadline = performance.now() + limit
  for (let step = undo.pop(); step; step = undo.pop()) {
    try {
      await step(deadline - performance.now())
    } catch (error) {
      log.warn({ error: safeError(error) }, 'a part of the service did not stop cleanly')
    }
  }
}
