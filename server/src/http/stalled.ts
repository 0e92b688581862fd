// Readers that take nothing of a response. docs/contract/attachments.md#bytes.
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { minutes } from '../kernel/clock.ts'

/**
 * How long a reader may take nothing, in milliseconds. The kernel holds megabytes, and asks for more only once a third of
 * them has left: on a fast connection, as to a proxy on this machine, a reader of 10 KB a second seems silent for over two
 * minutes each time.
 */
export const stalledReader: number = minutes(5)
const looks = 5

/** Closes a connection whose reader takes nothing for that long. */
export function endStalled(
  socket: Pick<Socket, 'bytesWritten' | 'destroy'>,
  response: Pick<ServerResponse, 'destroyed' | 'once'>,
  after: number = stalledReader,
): void {
  let written = -1
  let silent = 0
  const watch = setInterval(() => {
    if (response.destroyed) return clearInterval(watch)
    const { bytesWritten } = socket
    silent = bytesWritten === written ? silent + 1 : 0
    written = bytesWritten
    if (silent >= looks) socket.destroy()
  }, after / looks).unref()
  response.once('close', () => clearInterval(watch))
}
