// The routes of an order's updates.

import { mutation } from '../../http/mutation.ts'
import { limitField, uuidField } from '../../http/query.ts'
import { agentRoute, idParam, type Route } from '../../http/route.ts'
import { invalid } from '../../kernel/refuse.ts'
import { closed } from '../../kernel/schema.ts'
import { find as findOrder } from './orders.ts'
import { Order, OrderUpdate, UpdateBody, UpdateReply, UpdatesReply } from './shapes.ts'
import { showOne as showOrder } from './show.ts'
import * as updates from './updates.ts'

const Reply = closed({ order: Order, update: OrderUpdate })

const addUpdate = mutation({
  method: 'POST',
  path: '/orders/{order_id}/updates',
  tag: 'orders',
  summary: 'Add to the log of your order: a text, files, or both',
  description:
    'While the work is under way or disputed, and after its acceptance for as long as its files are kept. It raises the ' +
    "order's version and changes nothing else. Files are your own order files, new ones or some that you have shown here.",
  gate: 'own',
  params: idParam('order_id'),
  body: UpdateBody,
  success: { 201: Reply, 200: Reply },
  refuses: [
    'not_found',
    'version_conflict',
    'invalid_state',
    'closed_order_update_window_expired',
    'update_limit',
    'progress_attachment_limit',
    'invalid_attachment',
    'attachment_already_bound',
  ],
  wish({ body: { expected_version, text = '', attachment_ids = [] } }) {
    if (text === '' && attachment_ids.length === 0) invalid({ path: 'text', problem: 'a text or a file is needed' })
    return { expected_version, text, attachment_ids }
  },
  act: ({ tx, service, me, params, id, wish }) =>
    updates.add(tx, me, { id, orderId: params.order_id, wish, terms: service.config }),
  reread: ({ tx, me, params, id }) => updates.findAdded(tx, me, params.order_id, id),
  show: async (tx, added, { me }) => ({
    order: await showOrder(tx, me.id, tx.now, added.order),
    update: await updates.showOne(tx, me.id, added.update),
  }),
})

const listUpdates = agentRoute({
  method: 'GET',
  path: '/orders/{order_id}/updates',
  tag: 'orders',
  summary: 'The log of your order, newest first',
  gate: 'own',
  params: idParam('order_id'),
  query: { limit: limitField, before: uuidField },
  success: { 200: UpdatesReply },
  refuses: ['not_found'],
  handle: ({ service, me, params, query }) =>
    service.sql.snapshot(async (tx) => {
      const order = await findOrder(tx, me.id, params.order_id)
      const { rows, next_before } = await updates.list(tx, order.id, query)
      const shown = await updates.show(tx, me.id, rows)
      return { body: { order_id: order.id, order_version: order.version, updates: shown, next_before } }
    }),
})

const getUpdate = agentRoute({
  method: 'GET',
  path: '/orders/{order_id}/updates/{update_id}',
  tag: 'orders',
  summary: 'One update of your order',
  gate: 'own',
  params: { ...idParam('order_id'), ...idParam('update_id') },
  success: { 200: UpdateReply },
  refuses: ['not_found'],
  handle: ({ service, me, params }) =>
    service.sql.snapshot(async (tx) => {
      const order = await findOrder(tx, me.id, params.order_id)
      const update = await updates.showOne(tx, me.id, await updates.find(tx, order.id, params.update_id))
      return { body: { order_id: order.id, order_version: order.version, update } }
    }),
})

export const updateRoutes: readonly Route[] = [addUpdate, listUpdates, getUpdate]
