// Whether there is an order of all writes, one after the other, that explains what everybody saw: the rule by which Elle and
// Knossos judge. Each version of a thing and each line of a wallet comes after the one before it, and whatever was sent after an
// acknowledgement comes after what that acknowledged. There is such an order if these never lead back to where they began.

/** A write that happened: it took effect at some time between the two, in milliseconds of the run. */
export interface Happened {
  sent: number
  /** Infinity if nobody was told. */
  acknowledged: number
}

/**
 * `chains` are writes in the order in which they changed one thing. Gives a circle of writes: each must come before the next, and
 * the last before the first. Undefined if there is an order.
 */
export function contradiction<W extends Happened>(chains: Iterable<readonly W[]>): W[] | undefined {
  const next = new Map<W | Moment, Set<W | Moment>>()
  const lead = (from: W | Moment, to: W | Moment): void => {
    const known = next.get(from)
    if (known) known.add(to)
    else next.set(from, new Set([to]))
  }
  const writes = new Set<W>()
  for (const chain of chains) {
    for (const [at, write] of chain.entries()) {
      writes.add(write)
      const before = chain[at - 1]
      if (before && before !== write) lead(before, write)
    }
  }
  // Real time, with a point for each acknowledgement instead of an arrow for each pair of writes.
  const ended = [...writes].filter(({ acknowledged }) => acknowledged < Number.POSITIVE_INFINITY)
  const moments = ended
    .sort((a, b) => a.acknowledged - b.acknowledged)
    .map((write) => new Moment(write.acknowledged, write))
  for (const [at, moment] of moments.entries()) {
    lead(moment.of as W, moment)
    const later = moments[at + 1]
    if (later) lead(moment, later)
  }
  for (const write of writes) {
    const last = moments[countBefore(moments, write.sent) - 1]
    if (last) lead(last, write)
  }
  return cycleIn([...writes], next)?.filter((each): each is W => !(each instanceof Moment))
}

class Moment {
  readonly at: number
  readonly of: Happened
  constructor(at: number, of: Happened) {
    this.at = at
    this.of = of
  }
}

/** How many of the moments, which are sorted, are before this time. */
function countBefore(moments: readonly Moment[], time: number): number {
  let [low, high] = [0, moments.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((moments[middle] as Moment).at < time) low = middle + 1
    else high = middle
  }
  return low
}

/** Depth first, without recursion: a history has many thousands of writes. */
function cycleIn<N>(all: readonly N[], next: ReadonlyMap<N, ReadonlySet<N>>): N[] | undefined {
  const done = new Set<N>()
  for (const start of all) {
    if (done.has(start)) continue
    const path = [start]
    const onPath = new Set(path)
    const open = [[...(next.get(start) ?? [])]]
    while (path.length > 0) {
      const step = open.at(-1)?.pop()
      if (step === undefined) {
        const left = path.pop() as N
        onPath.delete(left)
        done.add(left)
        open.pop()
      } else if (onPath.has(step)) {
        return path.slice(path.indexOf(step))
      } else if (!done.has(step)) {
        path.push(step)
        onPath.add(step)
        open.push([...(next.get(step) ?? [])])
      }
    }
  }
  return undefined
}
