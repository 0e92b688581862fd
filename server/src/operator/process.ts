// What the console knows of the process that it is a face of: the lists of its rooms, its sweeps and its checks. Set once by
// app/start.ts, which knows them all.
import type { Queue, Wait } from '../module.ts'
import { type PerService, perService } from '../service.ts'
import type { SweepState } from '../store/sweeps.ts'
import type { Walk } from '../store/walks.ts'

/** Whether each part works, as this process last saw it. */
export interface Health {
  database: boolean
  /** Whether this node can say to the others that it lives, and takes event connections. */
  events: boolean
  storage: boolean
  /** Undefined if none is set. */
  redis: boolean | undefined
}

export interface Process {
  queues: readonly Queue[]
  waits: readonly Wait[]
  walks: readonly Walk[]
  sweeps: () => Promise<readonly SweepState[]>
  health: () => Promise<Health>
}

export const processOf: PerService<Process> = perService(() => {
  throw new Error('the console was asked before the process was up')
})
