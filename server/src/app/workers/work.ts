// A worker's life: it starts as a process of its own does, and ends when the primary process says so, or is gone.
import { flushCompileCache } from 'node:module'
import type { Config } from '../../config.ts'
import { isMistake, reasonOf } from '../../failure.ts'
import { systemClock } from '../../kernel/clock.ts'
import { createLog, safeError } from '../../log.ts'
import { endWell } from '../ending.ts'
import { endingSignals } from '../signals.ts'
import { start } from '../start.ts'
import { joinPrimary } from './worker.ts'

export async function work(config: Config): Promise<void> {
  // A terminal's Ctrl-C, and a manager that signals a whole group, reach the primary process too: it decides.
  for (const name of endingSignals) process.on(name, () => {})
  const worker = await joinPrimary()
  const log = createLog(config.logLevel, { format: config.logFormat, of: { worker: worker.number } })
  const stop = endWell(config.drainDelaySeconds, { log, onEnd: (drain) => worker.onDrain(drain) })
  try {
    const running = await start(config, { clock: systemClock, log, signal: stop.signal, worker })
    stop.from(running)
    setTimeout(flushCompileCache, 2000).unref()
  } catch (error) {
    if (stop.signal.aborted) stop.stopped(stop.code())
    if (isMistake(error)) log.fatal({ error: safeError(error) }, 'the start failed')
    await worker.failed(reasonOf(error))
    process.exit(1)
  }
}
