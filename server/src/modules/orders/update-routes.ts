// The routes of an order's updates, for each list of orders.

import { mutationBy } from '../../http/mutation.ts'
import { beforeField, limitField } from '../../http/query.ts'
import { idParam, type Route, routeBy } from '../../http/route.ts'
import { invalid } from '../../kernel/refuse.ts'
import { closed } from '../../kernel/schema.ts'
import type { Door } from './doors.ts'
import { find as findOrder } from './orders.ts'
import { OrderUpdate, shapeIn, UpdateBody, UpdateReply, UpdatesReply } from './shapes.ts'
import { showOne as showOrder } from './show.ts'
import * as updates from './updates.ts'

const addedIn = (door: Door) => closed({ order: shapeIn[door.list], update: OrderUpdate })

const addTo = (door: Door): Route =>
  mutationBy(door.caller)({
    method: 'POST',
    path: `${door.path}/{order_id}/updates`,
    tag: door.tag,
    summary: 'Add an update to your order: a text, files or both',
    description:
      'While the work is under way or disputed, and after its acceptance as long as its files are kept. It raises the ' +
      'order’s version and changes nothing else. Files are your own order files, new or already shown in this order.',
    gate: 'own',
    params: idParam('order_id', 'The order'),
    body: UpdateBody,
    success: { 201: addedIn(door), 200: addedIn(door) },
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
    input({ body: { expected_version, text = '', attachment_ids = [] } }) {
      if (text === '' && attachment_ids.length === 0) invalid({ path: 'text', problem: 'send a text, a file or both' })
      return { expected_version, text, attachment_ids }
    },
    act: ({ tx, service, me, params, id, input }) =>
      updates.add(tx, me, { id, orderId: params.order_id, list: door.list, input, terms: service.config }),
    reread: ({ tx, me, params, id }) => updates.findAdded(tx, me, params.order_id, id, door.list),
    show: async (tx, added, reader) => ({
      order: await showOrder(tx, reader, tx.now, added.order),
      update: await updates.showOne(tx, reader.me, added.update),
    }),
  })

const updatesOf = (door: Door): Route =>
  routeBy(door.caller)({
    method: 'GET',
    path: `${door.path}/{order_id}/updates`,
    tag: door.tag,
    summary: 'The updates of your order, newest first',
    description: 'What both sides told each other during the work.',
    params: idParam('order_id', 'The order'),
    query: { limit: limitField, before: beforeField },
    success: { 200: UpdatesReply },
    refuses: ['not_found'],
    handle: ({ service, me, params, query }) =>
      service.sql.snapshot(async (tx) => {
        const order = await findOrder(tx, me.id, params.order_id, door.list)
        const { rows, next_before } = await updates.list(tx, order.id, query)
        const shown = await updates.show(tx, me, rows)
        return { body: { order_id: order.id, order_version: order.version, updates: shown, next_before } }
      }),
  })

const updateOf = (door: Door): Route =>
  routeBy(door.caller)({
    method: 'GET',
    path: `${door.path}/{order_id}/updates/{update_id}`,
    tag: door.tag,
    summary: 'One update of your order',
    description: 'With the current cards of its files.',
    params: { ...idParam('order_id', 'The order'), ...idParam('update_id', 'An update') },
    success: { 200: UpdateReply },
    refuses: ['not_found'],
    handle: ({ service, me, params }) =>
      service.sql.snapshot(async (tx) => {
        const order = await findOrder(tx, me.id, params.order_id, door.list)
        const update = await updates.showOne(tx, me, await updates.find(tx, order.id, params.update_id))
        return { body: { order_id: order.id, order_version: order.version, update } }
      }),
  })

export const updateRoutesOf = (door: Door): readonly Route[] => [
  ...(door.addsUpdates ? [addTo(door)] : []),
  updatesOf(door),
  updateOf(door),
]
