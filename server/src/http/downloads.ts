// How many files one caller may be reading. docs/contract/limits.md#requests-at-once.
import type { ServerResponse } from 'node:http'
import { refuse } from '../kernel/refuse.ts'
import { perService, type Service } from '../service.ts'

/** A reader that stalls costs the service almost a megabyte, for minutes. */
const most = 128

const underWayOf = perService(() => new Map<string, number>())

/** Counts a response with a file until it is closed; refuses `read_limited` if the caller has too many. */
export function countDownload(
  service: Service,
  caller: string,
  response: Pick<ServerResponse, 'destroyed' | 'once'>,
): void {
  const underWay = underWayOf(service)
  const count = underWay.get(caller) ?? 0
  if (count >= most) {
    service.metrics.turnsRefused.inc({ why: 'own' })
    refuse('read_limited', { retryAfter: 5, message: `You are reading ${most} files already` })
  }
  if (response.destroyed) return
  underWay.set(caller, count + 1)
  response.once('close', () => {
    const left = (underWay.get(caller) ?? 0) - 1
    if (left > 0) underWay.set(caller, left)
    else underWay.delete(caller)
  })
}
