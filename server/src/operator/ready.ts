// Ready-made works that wait for a moderator: seen and judged by the operator. docs/contract/ready.md#publication.
import type { Page } from '../kernel/lists.ts'
import { refuse } from '../kernel/refuse.ts'
import { countWaiting, type Verdict, type Waiting, waiting, waits } from '../modules/ready/consent.ts'
import type { Entry } from '../store/audit.ts'
import { only, type Sql, type Tx } from '../store/sql.ts'
import { judgeSubject } from './moderation.ts'
import { OperatorError } from './operator.ts'

export interface WaitingReady {
  ready: Waiting[]
  /** Of which so many are shown, the longest waiting first. */
  total: number
}

const most = 200

export const waitingReady = (sql: Sql, page: Page = { page: 1, page_size: most }): Promise<WaitingReady> =>
  sql.snapshot(async (tx) => ({ ready: await waiting(tx, page), total: await countWaiting(tx) }))

interface ReadyJudgement {
  actor: string
  serviceId: string
  verdict: Verdict
  reason: string | undefined
}

export interface ReadyJudged {
  service: { id: string; moderation: 'approved' | 'rejected'; state: string }
  audit: Entry
}

/**
 * Lets a work be sold, or not, by its case. One whose sales ended while it waited can only be rejected here, which
 * closes its case: there is nothing left to approve.
 */
export async function judgeReady(tx: Tx, { actor, serviceId, verdict, reason }: ReadyJudgement): Promise<ReadyJudged> {
  const [there] = await tx`select 1 from ready_services where service_id = ${serviceId}`
  if (!there) throw new OperatorError(`There is no ready-made service ${serviceId}`)
  const subject = { kind: 'service', id: serviceId } as const
  const isOpen = verdict === 'reject' || (await waits(tx, serviceId))
  const decided = isOpen ? await judgeSubject(tx, { actor, subject, verdict, reason }) : undefined
  if (!decided) return refuse('invalid_state', { message: 'This work is not waiting for a moderator' })
  const { state } = only(await tx<{ state: string }>`select state from services where id = ${serviceId}`)
  return {
    service: { id: serviceId, moderation: verdict === 'approve' ? 'approved' : 'rejected', state },
    audit: decided.audit,
  }
}
