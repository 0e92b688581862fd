// A confined process that is handed one file after another, and is suspended between them: then it neither computes,
// outside of the slots of the platform, nor writes into what is read of it. child.ts has its side.
import { readFileSync } from 'node:fs'
import type { Means } from './means.ts'
import { type Confined, drained, type Ending, reportBytes, startConfined, statusBytes } from './sandbox.ts'
import { openScratch, type Scratch } from './scratch.ts'

export interface Kept {
  readonly scratch: Scratch
  /** Files that it was handed. */
  readonly files: number
  /** It is there, and has said nothing that it was not asked for. */
  isSound(): boolean
  /** Has it look into what lies in the scratch files; it is suspended when this resolves. */
  ask(words: string, signal: AbortSignal): Promise<Ending>
  suspend(): void
  /** What it has had so far: seconds of a processor, and bytes of memory more than at its start. */
  spent(): Promise<{ cpuSeconds: number; grownBytes: number }>
  /** Resolves when it has ended, by whatever cause. */
  readonly exited: Promise<void>
  /** Resolves once none of it runs any more. */
  end(): Promise<void>
}

/** `path`: beside it are the names that its scratch files have for a moment. */
export async function startKept(
  confined: Omit<Confined, 'descriptors'>,
  path: string,
  means: Means,
  signal: AbortSignal,
): Promise<Kept> {
  const scratch = await openScratch(path)
  try {
    const child = await startConfined({ ...confined, descriptors: scratch.descriptors }, means, signal)
    const atStart = await statusBytes(child.pid, 'VmRSS').catch(() => 0)
    let isClean = child.begun === ''
    const unasked = (): void => {
      isClean = false
      child.kill()
    }
    let hear: (words: string) => void = unasked
    child.stdout
      .on('data', (words: string) => hear(words))
      .on('error', () => {})
      .resume()
    let files = 0

    return {
      scratch,
      get files() {
        return files
      },
      isSound: () => isClean && !child.hasExited(),
      async ask(words, signal) {
        files++
        let said = ''
        let overrun = false
        const { promise: answered, resolve: hasAnswered } = Promise.withResolvers<undefined>()
        hear = (words) => {
          said += words
          if (said.includes('\n') || said.length > reportBytes) hasAnswered(undefined)
        }
        const overran = (): void => {
          overrun = true
          child.kill()
        }
        const timer = setTimeout(overran, confined.limits.wallSeconds * 1000)
        signal.addEventListener('abort', child.kill, { once: true })
        try {
          signal.throwIfAborted()
          signalTo(child.pid, 'SIGCONT')
          child.tell(`${words}\n`)
          const exit = await Promise.race([answered, child.exited])
          // What it had said is on its way still.
          if (exit) await drained(child.stdout)
          hear = unasked
          signal.throwIfAborted()
          if (exit) return { ...exit, report: said, overrun }
          signalTo(child.pid, 'SIGSTOP')
          const isOneLine = said.length <= reportBytes && said.indexOf('\n') === said.length - 1
          if (isOneLine) return { code: 0, signal: null, report: said, overrun }
          unasked()
          return { code: null, signal: 'SIGKILL', report: undefined, overrun }
        } finally {
          clearTimeout(timer)
          signal.removeEventListener('abort', child.kill)
        }
      },
      suspend: () => signalTo(child.pid, 'SIGSTOP'),
      async spent() {
        const stat = readFileSync(`/proc/${child.pid}/stat`, 'utf8')
        return { cpuSeconds: processorSeconds(stat), grownBytes: (await statusBytes(child.pid, 'VmRSS')) - atStart }
      },
      exited: child.exited.then(
        () => {},
        () => {},
      ),
      async end() {
        await child.end()
        await scratch.close()
      },
    }
  } catch (error) {
    await scratch.close()
    throw error
  }
}

/** In /proc/…/stat, behind the name, which may hold anything: ticks of a hundredth in user and in system mode. */
function processorSeconds(stat: string): number {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) / 100
}

function signalTo(pid: number, signal: 'SIGCONT' | 'SIGSTOP'): void {
  try {
    process.kill(pid, signal)
  } catch {
    // It is gone; its exit says so.
  }
}
