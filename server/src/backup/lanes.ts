// Work that several connections of a restore share.
import type pg from 'pg'

type Work = (client: pg.Client) => Promise<unknown>

export interface Lanes {
  /** Does the work once a connection is free: the costliest first, so that the last pieces are small. */
  add(cost: number, work: Work): void
  /** One more connection that does work. */
  join(client: pg.Client): void
  /** Throws if work has failed; none begins after that. */
  check(): void
  /** Waits until all work is done, also what it has added, or throws what failed first. */
  settle(): Promise<void>
}

export function createLanes(clients: readonly pg.Client[]): Lanes {
  const free = [...clients]
  const waiting: { cost: number; work: Work }[] = []
  let running = 0
  let failure: { error: unknown } | undefined
  let settled = () => {}

  function advance(): void {
    while (failure === undefined && free.length > 0 && waiting.length > 0) {
      void run(free.pop() as pg.Client, (waiting.shift() as { work: Work }).work)
    }
    if (failure !== undefined || running === 0) settled()
  }

  async function run(client: pg.Client, work: Work): Promise<void> {
    running += 1
    try {
      await work(client)
      free.push(client)
    } catch (error) {
      failure ??= { error }
    }
    running -= 1
    advance()
  }

  function check(): void {
    if (failure) throw failure.error
  }

  return {
    add(cost, work) {
      const at = waiting.findIndex((other) => other.cost < cost)
      waiting.splice(at === -1 ? waiting.length : at, 0, { cost, work })
      advance()
    },
    join(client) {
      free.push(client)
      advance()
    },
    check,
    async settle() {
      await new Promise<void>((resolve) => {
        settled = resolve
        advance()
      })
      check()
    },
  }
}
