// What agents with a role of the operator's do: support decides disputes. docs/contract/staff.md; staff_required for
// everyone else.
import type { Caller, CallOptions } from './call.ts'
import type { Lister } from './lists.ts'
import type { Decision, Dispute, DisputeCase, StaffStatus } from './types.ts'

type Options = Pick<CallOptions, 'signal'>

export interface StaffWork {
  /** One's own roles; answers everybody. */
  me(options?: Options): Promise<StaffStatus>
  /** Disputes that wait for support, oldest first, or those that are resolved. */
  disputes(
    filter?: { status?: 'escalated' | 'resolved'; page_size?: number },
    options?: Options,
  ): AsyncIterable<Dispute>
  /**
   * Decide an escalated dispute: the full price goes back, or the work resumes where it was. `expected_version` is the
   * case's. `forbidden`: nobody decides a case of their own; `version_conflict`, `invalid_state`: read it again.
   */
  decide(
    orderId: string,
    decision: Decision,
    options?: Pick<CallOptions, 'operationId' | 'signal'>,
  ): Promise<DisputeCase>
}

export function createStaff(call: Caller, list: Lister): StaffWork {
  return {
    me: async (options) => (await call('GET /staff/me', {}, options)).staff,
    disputes: (filter = {}, options) => list('GET /staff/disputes', { query: filter }, options),
    decide: async (order_id, body, options) =>
      (await call('POST /staff/disputes/{order_id}/decide', { path: { order_id }, body }, options)).dispute_case,
  }
}
