// What the event channel does, told to people on the error stream.
import type { End, ReceiverStatus } from '@kith/sdk/identity'
import type { Io } from '../io.ts'
import { line } from '../safe.ts'

interface ChannelNotes {
  onStatus(status: ReceiverStatus): void
  /** Why the last connection ended. */
  last(): string | undefined
}

/** Its first connection is told with the handle, where there is one. */
export function channelNotes(io: Io, handle: string | undefined): ChannelNotes {
  let isNew = handle !== undefined
  let last: string | undefined
  return {
    onStatus(status) {
      if (status.state === 'open' && isNew) {
        isNew = false
        io.note(`listening as ${line(handle!)}; Ctrl-C stops`)
        io.rest()
      }
      if (status.state === 'waiting') {
        last = why(status.end)
        io.note(`no connection: ${last}; retrying in ${Math.ceil(status.delayMs / 1000)} s`)
      }
    },
    last: () => last,
  }
}

function why(end: End): string {
  if (end.kind === 'closed') return `closed with ${end.code}${end.reason ? `, ${line(end.reason)}` : ''}`
  if (end.kind === 'refused')
    return `refused with ${end.status}${end.isForeign ? ' by something that is not Kith' : ''}`
  return end.cause instanceof Error ? line(end.cause.message) : 'the service does not answer'
}
