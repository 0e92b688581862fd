// What waits for a person: how old the oldest of each queue is, as a metric, and what waits past its time, in the log of the start
// and in `/health/ready`. docs/contract/staff.md#what-waits.
import { seconds } from '../kernel/clock.ts'
import { age } from '../kernel/words.ts'
import type { Wait } from '../module.ts'
import type { Service } from '../service.ts'
import type { Sweep } from '../store/sweeps.ts'

type Parts = Pick<Service, 'sql' | 'clock' | 'metrics' | 'log'>

export interface Waits {
  /** Sets the metrics of this node. */
  sweep: Sweep
  /** Says what waits past its time. */
  warn(): Promise<void>
  /** The names of those that waited past their time when they were last looked at, in the order of the list. */
  overdue(): readonly string[]
}

export function watchWaits({ sql, clock, metrics, log }: Parts, waits: readonly Wait[]): Waits {
  let late: { wait: Wait; since: Date }[] = []

  async function look(): Promise<void> {
    const found: typeof late = []
    for (const wait of waits) {
      const since = await wait.oldest(sql)
      const waited = since === null ? 0 : Math.max(0, clock.now().getTime() - since.getTime())
      metrics.oldestWaiting.set({ queue: wait.name }, waited / 1000)
      if (since !== null && waited > wait.patience) found.push({ wait, since })
    }
    late = found
  }

  return {
    sweep: {
      name: 'waits',
      everyMilliseconds: seconds(30),
      isOwn: true,
      run: async () => {
        await look()
        return false
      },
    },
    async warn() {
      await look()
      for (const { wait, since } of late) {
        const waits = age(since, clock.now())
        log.warn({ queue: wait.name, waits }, `${wait.name} waiting for a person: ${wait.words}`)
      }
    },
    overdue: () => late.map(({ wait }) => wait.name),
  }
}
