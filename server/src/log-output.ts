// The standard output as the place of the log: a full disk or a reader that hangs costs lines, never the service.
import { writeSync } from 'node:fs'
import type { DestinationStream } from 'pino'

/** How often, and for how many milliseconds each time, a full pipe is given time before a line is lost. */
const attempts = 10
const pause = 10

const waiting = new Int32Array(new SharedArrayBuffer(4))

/** What was not written before a line that was: how many lines, and the code of the last error. */
type OnLost = (lines: number, code: string | undefined) => void

type Write = (bytes: Uint8Array) => number

/** A pipe does not block once Node has opened it as its stream. */
const toStandardOutput: Write = (bytes) => writeSync(process.stdout.fd, bytes)

export function openOutput(onLost: OnLost, write: Write = toStandardOutput): DestinationStream {
  let lost = 0
  let lastCode: string | undefined
  /** Whether the output ends within a line. */
  let isCut = false

  /** The error that kept the rest of it from being written. */
  function send(line: string): { code: string | undefined } | undefined {
    let left: Uint8Array = Buffer.from(isCut ? `\n${line}` : line)
    for (let attempt = 1; left.length > 0; ) {
      try {
        const written = write(left)
        left = left.subarray(written)
        isCut = left.length > 0
      } catch (error) {
        const { code } = error as { code?: string }
        if (code !== 'EAGAIN' || lost > 0 || attempt++ >= attempts) return { code }
        Atomics.wait(waiting, 0, 0, pause)
      }
    }
    return undefined
  }

  return {
    write(line) {
      const failure = send(line)
      if (failure) {
        lost += 1
        lastCode = failure.code
      } else if (lost > 0) {
        const lines = lost
        lost = 0
        onLost(lines, lastCode)
      }
    },
  }
}
