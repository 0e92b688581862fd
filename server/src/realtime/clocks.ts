// How the clocks of other nodes run beside this one's. Wall clocks may be seconds apart, and jump; a question and its answer tell
// more exactly how old a hint is.
import { seconds } from '../kernel/clock.ts'

/** Of a question with its answer: half of it is how wrong the result may be. */
const answerWithin = 500
/** Until then a node is asked again several times. */
const knownFor = seconds(30)

export interface Clocks {
  /** A node has answered what was asked at `asked`; it was `at` there. */
  answered(nodeId: string, asked: number, at: number): void
  /** What a moment of this clock is by that of a node, to a quarter of a second; undefined if that is not known. */
  there(nodeId: string, at: number): number | undefined
}

export function createClocks(now: () => number): Clocks {
  const known = new Map<string, { ahead: number; since: number }>()
  return {
    answered(nodeId, asked, at) {
      const heard = now()
      for (const [id, { since }] of known) if (heard - since >= knownFor) known.delete(id)
      const took = heard - asked
      if (Number.isFinite(at) && took >= 0 && took <= answerWithin) {
        known.set(nodeId, { ahead: at - asked - took / 2, since: heard })
      }
    },
    there(nodeId, at) {
      const clock = known.get(nodeId)
      return clock && now() - clock.since < knownFor ? at + clock.ahead : undefined
    },
  }
}
