// The reader of standard output, which may stop reading and stay: what is written for it must not keep this process.
import { exit } from '../exit.ts'

/** Once told to stop, a reader that reads nothing is waited for this long. */
const unreadMs = 1_000

interface OutputReader {
  /** Whether it was written, before the signal or soon after it. */
  reads(written: Promise<void>): Promise<boolean>
  /** Ends this process, with success, where a line that nobody reads would keep it. */
  leave(): void
}

export function outputReader(stop: AbortSignal): OutputReader {
  let isUnread = false
  return {
    async reads(written) {
      isUnread = true
      await unlessStopped(
        stop,
        written.finally(() => {
          isUnread = false
        }),
      )
      return !isUnread
    },
    leave() {
      if (isUnread) process.exit(exit.done)
    },
  }
}

/** Waits for `work`, though once the signal aborts not much longer; it leaves nothing at the signal. */
async function unlessStopped(signal: AbortSignal, work: Promise<void>): Promise<void> {
  let start = () => {}
  let late: NodeJS.Timeout | undefined
  const given = new Promise<void>((resolve) => {
    start = () => {
      late = setTimeout(resolve, unreadMs)
    }
  })
  signal.addEventListener('abort', start)
  if (signal.aborted) start()
  try {
    await Promise.race([work, given])
  } finally {
    clearTimeout(late)
    signal.removeEventListener('abort', start)
  }
}
