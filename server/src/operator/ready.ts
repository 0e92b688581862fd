// Ready-made works that wait for a moderator: seen and judged by the operator. docs/contract/ready.md#publication.
import { countWaiting, judge as judgeWork, type Verdict, type Waiting, waiting } from '../modules/ready/consent.ts'
import { type Entry, record } from '../store/audit.ts'
import type { Sql, Tx } from '../store/sql.ts'
import { checkReason, OperatorError } from './operator.ts'

export interface WaitingWorks {
  ready: Waiting[]
  /** Of which so many are shown, the longest waiting first. */
  total: number
}

const most = 200

export const readyWorks = (sql: Sql): Promise<WaitingWorks> =>
  sql.snapshot(async (tx) => ({ ready: await waiting(tx, { limit: most }), total: await countWaiting(tx) }))

export interface WorkJudgement {
  actor: string
  serviceId: string
  verdict: Verdict
  reason: string | undefined
}

export interface WorkJudged {
  service: { id: string; moderation: 'approved' | 'rejected'; state: string }
  audit: Entry
}

/** Lets a work be sold, or not. */
export async function judgeReady(tx: Tx, { actor, serviceId, verdict, reason }: WorkJudgement): Promise<WorkJudged> {
  const why = reason === undefined ? null : checkReason(reason)
  const [there] = await tx`select 1 from ready_services where service_id = ${serviceId}`
  if (!there) throw new OperatorError(`There is no ready-made service ${serviceId}`)
  const { state } = await judgeWork(tx, { serviceId, verdict, reason: why })
  const audit = await record(tx, { actor, action: `ready.${verdict}`, subject: serviceId, reason: why })
  return { service: { id: serviceId, moderation: verdict === 'approve' ? 'approved' : 'rejected', state }, audit }
}
