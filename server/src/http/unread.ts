// Large responses that are complete and that their readers have not taken: how many bytes of them are in memory. A reader
// may take a byte now and then, and ask for more on other connections. docs/contract/limits.md#requests-at-once.
import { refuse } from '../kernel/refuse.ts'
import { perService, type Service } from '../service.ts'

const mebibyte = 1024 ** 2

interface Response {
  destroyed: boolean
  req: { socket: { destroy(): void } }
  once(event: 'close', listener: () => void): unknown
}

interface Unread {
  /** Counts what a caller is sent until it is taken; if all have too much, the connection with the oldest of it is closed. */
  add(key: string, bytes: number, response: Response): void
  /** Whether a caller has too much to be sent more. */
  isTooMuch(key: string): boolean
}

interface UnreadOptions {
  each?: number
  total?: number
  onClosed?: () => void
}

export function createUnread({ each = 16 * mebibyte, total = 128 * mebibyte, onClosed }: UnreadOptions = {}): Unread {
  const byCaller = new Map<string, number>()
  /** Oldest first. */
  const unread = new Map<Response, { key: string; bytes: number }>()
  let all = 0

  function change(key: string, bytes: number): void {
    all += bytes
    const now = (byCaller.get(key) ?? 0) + bytes
    if (now > 0) byCaller.set(key, now)
    else byCaller.delete(key)
  }

  function forget(response: Response): void {
    const known = unread.get(response)
    if (known && unread.delete(response)) change(known.key, -known.bytes)
  }

  return {
    add(key, bytes, response) {
      if (response.destroyed) return
      unread.set(response, { key, bytes })
      change(key, bytes)
      response.once('close', () => forget(response))
      for (const [oldest] of unread) {
        if (all <= total) break
        forget(oldest)
        onClosed?.()
        oldest.req.socket.destroy()
      }
    },
    isTooMuch: (key) => (byCaller.get(key) ?? 0) >= each,
  }
}

export const unreadOf = perService(({ metrics }: Service) =>
  createUnread({ onClosed: () => metrics.turnsRefused.inc({ why: 'unread' }) }),
)

/** Refuses `read_limited` to a caller that has not read enough of what it was sent. */
export function requireRead(service: Service, key: string): void {
  if (!unreadOf(service).isTooMuch(key)) return
  service.metrics.turnsRefused.inc({ why: 'own' })
  refuse('read_limited', { retryAfter: 5, message: 'Read the responses that you have asked for' })
}
