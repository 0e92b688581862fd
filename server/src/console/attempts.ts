// How often a sign-in may fail, by address and by account: ten times in a quarter of an hour. What is right is let in, however
// often others failed from the same address: nobody guesses 32 random bytes or a signature, but anybody could lock an operator out.
import type { FormSubmission } from '../http/page.ts'
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

/** Counts a failure; in how many seconds it is no longer too many, undefined if it is not. */
export async function countRefused({ limiter, metrics }: Counting, trying: Trying): Promise<number | undefined> {
  const states = await Promise.all(keysOf(trying).map((key) => limiter.take(key, most, windowSeconds)))
  const full = states.filter(({ allowed }) => !allowed)
  metrics.operatorSignIns.inc({ by: trying.by, outcome: full.length > 0 ? 'limited' : 'refused' })
  return full.length > 0 ? Math.max(...full.map(({ resetSeconds }) => resetSeconds)) : undefined
}

/** Says when to come again, in a header too. */
export function tooOften(sent: FormSubmission, seconds: number): string {
  sent.reply.header('retry-after', String(seconds))
  return sceneOf(sent).words.text('operator.sign_in.limited', { minutes: Math.ceil(seconds / 60) })
}

export function countDone({ metrics }: Counting, { by }: Trying): void {
  metrics.operatorSignIns.inc({ by, outcome: 'done' })
}
