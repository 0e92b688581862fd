// How often a sign-in may fail, by address and by account: ten times in a quarter of an hour. What succeeds is not counted.
import type { Sent } from '../http/page.ts'
import type { Service } from '../service.ts'
import { sceneOf } from '../site/view.ts'

const most = 10
const windowSeconds = 15 * 60

type Counting = Pick<Service, 'limiter' | 'metrics'>

/** What is counted: an address as limits know it, and whose passkey was shown, where that is known. */
export interface Trying {
  by: 'link' | 'passkey'
  address: string
  operatorId?: string | undefined
}

const keysOf = ({ address, operatorId }: Trying): string[] => [
  `console:address:${address}`,
  ...(operatorId === undefined ? [] : [`console:operator:${operatorId}`]),
]

/** In how many seconds somebody may try again who failed too often; undefined where it may now. */
export async function waitOf({ limiter, metrics }: Counting, trying: Trying): Promise<number | undefined> {
  const states = await Promise.all(keysOf(trying).map((key) => limiter.take(key, most, windowSeconds, 0)))
  const full = states.filter(({ remaining }) => remaining === 0)
  if (full.length === 0) return undefined
  metrics.operatorSignIns.inc({ by: trying.by, outcome: 'limited' })
  return Math.max(...full.map(({ resetSeconds }) => resetSeconds))
}

/** Says when to come again, in a header too. */
export function tooOften(sent: Sent, seconds: number): string {
  sent.reply.header('retry-after', String(seconds))
  return sceneOf(sent).words.text('operator.sign_in.limited', { minutes: Math.ceil(seconds / 60) })
}

export async function countRefused({ limiter, metrics }: Counting, trying: Trying): Promise<void> {
  metrics.operatorSignIns.inc({ by: trying.by, outcome: 'refused' })
  await Promise.all(keysOf(trying).map((key) => limiter.take(key, most, windowSeconds)))
}

export function countDone({ metrics }: Counting, { by }: Trying): void {
  metrics.operatorSignIns.inc({ by, outcome: 'done' })
}
