// How an inspection of media says, from any depth, why a file is refused.
import type { RejectionReason } from './look.ts'

export class Rejection extends Error {
  readonly reason: RejectionReason
  constructor(reason: RejectionReason) {
    super(reason)
    this.reason = reason
  }
}

export function reject(reason: RejectionReason): never {
  throw new Rejection(reason)
}

/** An encoder's padding makes the sound a frame or two longer than what was recorded. */
export const roundingSeconds = 0.1
