// What staff sees on the wire. docs/contract/staff.md.
import { closed, Id, Nullable, OperationId, oneOf, Timestamp, Type } from '../../kernel/schema.ts'
import { decisions } from '../orders/machine.ts'
import { DisputeCase, ExpectedVersion, HistoryLine, OrderState, Reason } from '../orders/shapes.ts'
import { staffRoles } from './staff.ts'

export const Staff = closed({ roles: Type.Array(oneOf(staffRoles)), version: Type.Integer() })

const Side = closed({ id: Id, handle: Nullable(Type.String()), display_name: Type.String() })

export const Dispute = closed({
  dispute_case: DisputeCase,
  order: closed({
    id: Id,
    title: Type.String(),
    description: Type.String(),
    state: OrderState,
    version: Type.Integer(),
    deadline: Timestamp,
    amount_minor: Type.Integer(),
    fee_minor: Type.Integer(),
    total_minor: Type.Integer(),
    customer: Side,
    contractor: Side,
    result_text: Nullable(Type.String()),
    created_at: Timestamp,
    history: Type.Array(HistoryLine),
  }),
})

export const DecideBody = closed({
  operation_id: OperationId,
  expected_version: ExpectedVersion,
  decision: oneOf(Object.keys(decisions) as (keyof typeof decisions)[]),
  reason: Reason,
})
