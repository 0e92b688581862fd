// Who runs which sweeps: a process of its own all of them; of several workers each those about its own memory, and one
// worker at a time the others.
import type { Service } from '../service.ts'
import { type Sweep, type Sweeper, type SweepState, startSweeps } from '../store/sweeps.ts'
import type { Worker } from './workers/worker.ts'

interface Sweeping {
  /** In the given order. */
  states(): Promise<readonly SweepState[]>
  stop(): Promise<void>
}

export function sweepWith(
  sweeps: readonly Sweep[],
  service: Service,
  worker: Pick<Worker, 'hasSweeps' | 'sweepStates'> | undefined,
): Sweeping {
  const running: Sweeper[] = []
  const states = (): SweepState[] => running.flatMap((each) => each.states())
  const begin = (some: readonly Sweep[]): void => void running.push(startSweeps(some, service))
  let isOver = false
  begin(sweeps.filter(({ isOwn }) => !worker || isOwn))
  worker?.hasSweeps({
    begin: () => {
      if (!isOver) begin(sweeps.filter(({ isOwn }) => !isOwn))
    },
    states,
  })
  return {
    async states() {
      const own = new Map(states().map((state) => [state.name, state]))
      if (worker) for (const state of await worker.sweepStates()) if (!own.has(state.name)) own.set(state.name, state)
      return sweeps.flatMap(({ name }) => own.get(name) ?? [])
    },
    async stop() {
      isOver = true
      await Promise.all(running.map((each) => each.stop()))
    },
  }
}
