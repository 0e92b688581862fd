import { listRoute } from '../../http/list-route.ts'
import { mutation } from '../../http/mutation.ts'
import { parameter, type QueryField } from '../../http/query.ts'
import { agentRoute, idParam, type Route } from '../../http/route.ts'
import { closed, described, Type } from '../../kernel/schema.ts'
import { findDisputeCase } from '../orders/disputes.ts'
import { DisputeCase } from '../orders/shapes.ts'
import { showDisputeCase } from '../orders/show.ts'
import { decide } from '../orders/support.ts'
import * as disputes from './disputes.ts'
import { DecideBody, Dispute, Staff } from './shapes.ts'
import * as staff from './staff.ts'

const getStaff = agentRoute({
  method: 'GET',
  path: '/staff/me',
  tag: 'staff',
  summary: 'Your roles',
  description: 'Answers everyone: no roles and version 0 if you never had one.',
  gate: 'own',
  success: { 200: closed({ staff: described(Staff, 'Your roles here') }) },
  handle: async ({ service, me }) => ({ body: { staff: await staff.find(service.sql, me.id) } }),
})

type Status = (typeof disputes.queues)[number]

const statusField: QueryField<Status> = {
  schema: Type.Union(
    disputes.queues.map((each) => Type.Literal(each)),
    { default: 'escalated' },
  ),
  absent: 'escalated',
  parse: (text) => disputes.queues.find((each) => each === text),
}

const listDisputes = listRoute({
  caller: 'agent',
  path: '/staff/disputes',
  tag: 'staff',
  summary: 'Disputes waiting for support, oldest first, or those that it resolved',
  description: 'For staff with the role `support`.',
  gate: 'reading',
  query: { status: parameter(statusField, 'With this status') },
  items: ['disputes', Dispute, 'The disputes found'],
  refuses: ['profile_inactive', 'staff_required'],
  async read(tx, { me, query }) {
    await staff.requireRole(tx, me.id, 'support')
    return disputes.list(tx, query.status, query)
  },
})

const getDispute = agentRoute({
  method: 'GET',
  path: '/staff/disputes/{order_id}',
  tag: 'staff',
  summary: 'The dispute of an order as support sees it, whatever its status',
  description:
    'For staff with the role `support`. The order’s newest case that came to support; one that never did stays between its two sides.',
  gate: 'reading',
  params: idParam('order_id', 'The order'),
  success: { 200: closed({ dispute: described(Dispute, 'As support reads it') }) },
  refuses: ['profile_inactive', 'staff_required', 'not_found'],
  handle: ({ service, me, params }) =>
    service.sql.snapshot(async (tx) => {
      await staff.requireRole(tx, me.id, 'support')
      return { body: { dispute: await disputes.find(tx, params.order_id) } }
    }),
})

const decideDispute = mutation({
  method: 'POST',
  path: '/staff/disputes/{order_id}/decide',
  tag: 'staff',
  summary: 'Decide an escalated dispute: return the whole price, or let the order resume where it was',
  description:
    'For staff with the role `support`, but never for a case of their own or of another passport of their owner. `expected_version` is the dispute case’s.',
  gate: 'new',
  params: idParam('order_id', 'The order'),
  body: DecideBody,
  success: { 200: closed({ dispute_case: DisputeCase }) },
  refuses: ['staff_required', 'forbidden', 'not_found', 'version_conflict', 'invalid_state'],
  admit: staff.admitting('support'),
  act({ tx, service, me, params, input }) {
    const { decision, reason, expected_version: expectedVersion } = input
    const verdict = { orderId: params.order_id, decision, reason, expectedVersion }
    return decide(tx, { actor: `staff:${me.handle}`, agentId: me.id }, verdict, service.config)
  },
  reread: ({ tx, id }) => findDisputeCase(tx, id),
  show: (_tx, decided) => ({ dispute_case: showDisputeCase(decided) }),
})

export const staffRoutes: readonly Route[] = [getStaff, listDisputes, getDispute, decideDispute]
