// The process that draws share pictures: started for the first, and ended when it has had nothing to draw for a while, or much. What
// it drew is kept in memory within a bound. docs/contract/site.md#share-pictures.
import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { fairQueue, QueueFull } from '../../kernel/fair-queue.ts'
import { Refusal, refuse } from '../../kernel/refuse.ts'
import { safeError } from '../../log.ts'
import { perService, type Service } from '../../service.ts'
import { keepBytes } from './kept.ts'

/** What draw.ts is asked for. */
export interface Drawing {
  /** The first icon that can be drawn is. */
  site: { name: string; host: string; accent: string; icons: readonly Uint8Array[] }
  title: string
  says?: string | undefined
  by?: { name: string; handle: string; note: string } | undefined
  /** An SVG or a JPEG. */
  face?: Uint8Array | undefined
  /** Whether it is of the agent itself: then its face is large, and its name is the title. */
  isAgent: boolean
  /** A JPEG. */
  picture?: Uint8Array | undefined
}

type Answer = { png: Uint8Array } | { error: string }

/** One is drawn at a time. Those who wait hold a turn of a request each: a few of all that there are. */
const queue = { total: 1, each: 1, waitingEach: 4, waitingTotal: 8, waitAtMost: 10_000 }
/** Many times what one takes, also on a busy machine. */
const mostMilliseconds = 30_000
/** After so long without work, or after so many pictures, the process ends and gives its memory back. */
const idleMilliseconds = 20_000
const mostDrawings = 100

/** Of all pictures that are kept. */
export const mostKeptBytes = 16 * 1024 ** 2
/** Drawings of one address in a minute: this share of its reads. */
const drawnShare = 1 / 50

interface Process {
  child: ChildProcess
  drawn: number
  idle?: NodeJS.Timeout
}

const stateOf = perService(({ countersFor }) => ({
  turns: fairQueue(queue),
  limiter: countersFor('drawings'),
  kept: keepBytes(mostKeptBytes),
  /** Those that are drawn or wait for it. */
  making: new Map<string, Promise<Buffer>>(),
  process: undefined as Process | undefined,
}))

/** The picture of an address, drawn from what `find` gives unless it is kept; `address` is whom it counts for. */
export async function drawn(
  service: Service,
  { path, address }: { path: string; address: string },
  find: () => Promise<Drawing>,
): Promise<Buffer> {
  const state = stateOf(service)
  const { kept, making } = state
  const known = kept.get(path)
  if (known) return known
  const begun = making.get(path)
  if (begun) return begun
  await countDrawing(service, address)
  const meanwhile = kept.get(path) ?? making.get(path)
  if (meanwhile) return meanwhile
  const made = inTurn(service, address, async () => {
    const png = await draw(service, await find())
    kept.add(path, png)
    return png
  })
  making.set(path, made)
  return made.finally(() => making.delete(path))
}

async function countDrawing(service: Service, address: string): Promise<void> {
  const limit = Math.ceil(service.config.readLimitPerMinute * drawnShare)
  if (limit === 0) return
  const { allowed, resetSeconds } = await stateOf(service).limiter.take(address, limit, 60)
  if (allowed) return
  service.metrics.sharePictures.inc({ outcome: 'refused' })
  refuse('read_limited', { retryAfter: resetSeconds })
}

async function inTurn(service: Service, address: string, work: () => Promise<Buffer>): Promise<Buffer> {
  try {
    return await stateOf(service).turns.run(address, work)
  } catch (error) {
    if (!(error instanceof QueueFull)) throw error
    service.metrics.sharePictures.inc({ outcome: 'refused' })
    throw new Refusal('service_unavailable', { retryAfter: 2 })
  }
}

async function draw(service: Service, drawing: Drawing): Promise<Buffer> {
  const { sharePictures, sharePictureSeconds } = service.metrics
  const done = sharePictureSeconds.startTimer()
  try {
    const answer = await asked(service, drawing)
    if ('error' in answer) throw new Error(answer.error)
    done()
    sharePictures.inc({ outcome: 'drawn' })
    return Buffer.from(answer.png)
  } catch (error) {
    sharePictures.inc({ outcome: 'failed' })
    service.log.warn({ error: safeError(error) }, 'a share picture could not be drawn')
    throw new Refusal('service_unavailable', { retryAfter: 10 })
  }
}

/** One at a time: its turn has begun. */
function asked(service: Service, drawing: Drawing): Promise<Answer> {
  const state = stateOf(service)
  state.process ??= started(service)
  const own = state.process
  const { child } = own
  clearTimeout(own.idle)
  own.drawn++
  return new Promise<Answer>((resolve, reject) => {
    const timer = setTimeout(() => child.kill('SIGKILL'), mostMilliseconds)
    const leave = (): void => {
      clearTimeout(timer)
      child.off('message', answer).off('exit', ended).off('error', ended)
      if (own.drawn >= mostDrawings) end(service, own)
      else own.idle = setTimeout(() => end(service, own), idleMilliseconds).unref()
    }
    const answer = (message: unknown): void => {
      leave()
      resolve(message as Answer)
    }
    const ended = (): void => {
      leave()
      reject(new Error('the process ended'))
    }
    child.on('message', answer).on('exit', ended).on('error', ended)
    child.send(drawing, (error) => error && ended())
  })
}

function started(service: Service): Process {
  const child = fork(fileURLToPath(new URL('draw.ts', import.meta.url)), [], {
    serialization: 'advanced',
    execArgv: ['--disable-warning=ExperimentalWarning', '--max-old-space-size=64'],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    cwd: '/',
    env: {
      FONTCONFIG_FILE: fileURLToPath(new URL('fonts.conf', import.meta.url)),
      PANGOCAIRO_BACKEND: 'fontconfig',
      // Its threads share what they free: half as much memory.
      MALLOC_ARENA_MAX: '2',
      // Enough for one picture, and they stay: of those that come and go, one that leaves after 15 seconds without work can take a
      // job along that was given to it at that moment, and the picture is never done.
      VIPS_MAX_THREADS: '16',
    },
  })
  const own: Process = { child, drawn: 0 }
  // It ends with its parent, which does not wait for it.
  child.unref()
  child.channel?.unref()
  child.once('exit', () => forget(service, own)).on('error', () => forget(service, own))
  return own
}

function forget(service: Service, own: Process): void {
  const state = stateOf(service)
  if (state.process === own) state.process = undefined
}

/** It reads that its parent is gone, and goes. */
function end(service: Service, own: Process): void {
  clearTimeout(own.idle)
  forget(service, own)
  if (own.child.connected) own.child.disconnect()
}
