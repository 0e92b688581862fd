// Large bodies: how many bytes of them are in memory, and one after another what parsing and checking them takes of the only
// thread. Bodies that are sent at once also arrive at once. docs/contract/limits.md#requests-at-once.
import { Refusal } from '../kernel/refuse.ts'
import { perService } from '../service.ts'

const mebibyte = 1024 ** 2

/** More than the longest message: those are never held up, and the kernel takes a response of one at once. */
export const largeFrom: number = 32 * 1024

interface Room {
  /** Refuses if the caller, or all together, would have too much. */
  grow(bytes: number): void
  giveBack(): void
}

interface LargeBodies {
  /** The room of a caller's body, which has no bytes yet. */
  roomFor(key: string): Room
  /** Runs the work of one body in each round of the event loop, so that others get their turn in between. */
  inTurn(work: () => void): void
}

export function createLargeBodies({ each = 4 * mebibyte, total = 64 * mebibyte } = {}): LargeBodies {
  const held = new Map<string, number>()
  const line: (() => void)[] = []
  let all = 0

  const change = (key: string, bytes: number): void => {
    const now = (held.get(key) ?? 0) + bytes
    all += bytes
    if (now > 0) held.set(key, now)
    else held.delete(key)
  }

  const runNext = (): void => {
    const work = line.shift()
    if (line.length > 0) setImmediate(runNext)
    work?.()
  }

  return {
    roomFor(key) {
      let own = 0
      return {
        grow(bytes) {
          const more = bytes - own
          if ((held.get(key) ?? 0) + more > each || all + more > total) {
            throw new Refusal('service_unavailable', {
              retryAfter: 1,
              message: 'Too many large bodies at once; try again',
            })
          }
          change(key, more)
          own = bytes
        },
        giveBack() {
          change(key, -own)
          own = 0
        },
      }
    },
    inTurn(work) {
      line.push(work)
      if (line.length === 1) setImmediate(runNext)
    },
  }
}

export const largeBodiesOf = perService(() => createLargeBodies())
