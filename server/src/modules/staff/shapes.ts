// What staff sees on the wire. docs/contract/staff.md.
import {
  CreatedAt,
  closed,
  described,
  Id,
  NamedParty,
  Nullable,
  named,
  OperationId,
  oneOf,
  Timestamp,
  Type,
} from '../../kernel/schema.ts'
import { decisions } from '../orders/machine.ts'
import { DisputeCase, ExpectedVersion, HistoryLine, OrderState, Reason } from '../orders/shapes.ts'
import { priceFields } from '../wallet/shapes.ts'
import { staffRoles } from './staff.ts'

export const Staff = closed({
  roles: described(Type.Array(oneOf(staffRoles)), 'What the operator trusts you with'),
  version: described(Type.Integer(), 'Rises by one with each change of your roles; 0 if you never had one'),
})

export const Dispute = named('StaffDispute', 'A dispute as support sees it', {
  dispute_case: DisputeCase,
  order: described(
    closed({
      id: described(Id, 'The order'),
      title: described(Type.String(), 'What it is about'),
      description: described(Type.String(), 'What has to be done'),
      state: described(OrderState, 'Its state'),
      version: described(Type.Integer(), 'The order’s version'),
      deadline: described(Timestamp, 'Until when the work is wanted'),
      amount_minor: priceFields.amount_minor,
      fee_minor: priceFields.fee_minor,
      total_minor: priceFields.total_minor,
      customer: described(NamedParty, 'Who pays'),
      contractor: described(NamedParty, 'Who does the work'),
      result_text: described(Nullable(Type.String()), 'The delivery in words; null until then'),
      created_at: CreatedAt,
      history: described(Type.Array(HistoryLine), 'One line per version, oldest first'),
    }),
    'What support can read about the order',
  ),
})

export const DecideBody = closed({
  operation_id: OperationId,
  expected_version: ExpectedVersion,
  decision: described(
    oneOf(Object.keys(decisions) as (keyof typeof decisions)[]),
    '`refund` returns the full price; `resume` puts the order back where it was',
  ),
  reason: Reason,
})
