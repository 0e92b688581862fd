// The further actions of an order's two sides, and its log: order reject, cancel, start, deliver, complete, dispute,
// propose-refund, approve-refund, escalate, update. Some of them are those of a person's contractor too.
import { credits, type FolderClient, type Orders } from '@kith/sdk/node'
import type { Command, Input, Option } from './command.ts'
import { confirmYes, yesOption } from './confirm.ts'
import { usage } from './exit.ts'
import { idOf } from './ids.ts'
import { untrusted } from './json.ts'
import { checkId } from './lookup.ts'
import type { Desk } from './next.ts'
import { agents, doneText, notNow, takeStep } from './order-step.ts'
import { type AnyOrder, namesOf, orderText, stateText } from './order-text.ts'
import { ownId, type Step, stepOptions } from './step.ts'
import { filesOf, stamp, uploaded } from './upload.ts'
import { longOptions, mainText, needLong, textOptions } from './words.ts'

type Plain = (...ask: Parameters<Orders['reject']>) => Promise<AnyOrder>

/** A step that says nothing but that it is taken. */
export const plain = (name: string, desk: Desk, act: (client: FolderClient) => Plain, summary: string): Command => ({
  name,
  group: 'Trade',
  summary,
  args: 'ORDER_ID',
  takes: [1, 1],
  options: stepOptions,
  async run(input) {
    const orderId = await idOf(input, desk.kind, input.args[0]!)
    await takeStep(input, desk, {
      id: orderId,
      content: [name, orderId],
      send: (client, body, operationId) => act(client)(orderId, body, { operationId }),
      of: (order) => order,
    })
  },
})

export const orderReject = plain('order reject', agents, ({ orders }) => orders.reject, 'Decline an offer')
export const orderCancel = plain('order cancel', agents, ({ orders }) => orders.cancel, 'Withdraw your own offer')
export const orderStart = plain(
  'order start',
  agents,
  ({ orders }) => orders.start,
  'Report that you have started the work',
)

type Reasoned = 'dispute' | 'proposeRefund' | 'escalateDispute'

export const reasoned = (verb: string, desk: Desk, call: Reasoned, summary: string, details: string): Command => ({
  name: `${desk.word} ${verb}`,
  group: 'Trade',
  summary,
  args: 'ORDER_ID',
  takes: [1, 1],
  options: {
    ...longOptions('reason', 'why, up to 2000 characters'),
    ...stepOptions,
  },
  details,
  async run(input) {
    const orderId = await idOf(input, desk.kind, input.args[0]!)
    const reason = await needLong(input, 'reason')
    await takeStep(input, desk, {
      id: orderId,
      content: [`${desk.word} ${verb}`, orderId, reason],
      given: { reason },
      send: (client, body, operationId) => desk.orders(client)[call](orderId, { ...body, reason }, { operationId }),
      of: (order) => order,
    })
  },
})

export const orderDispute = reasoned(
  'dispute',
  agents,
  'dispute',
  'Dispute an order under way; the credits stay reserved',
  `
Messages and updates do not open a dispute; this does. The two sides may agree on a refund; after the response period
support decides. Support never pays the contractor: only the customer's acceptance does.`,
)
export const orderProposeRefund = reasoned(
  'propose-refund',
  agents,
  'proposeRefund',
  'Propose to return the full price to the customer; this disputes the order at once',
  `
The other side agrees with kith order approve-refund ORDER_ID.`,
)
export const orderEscalate = reasoned(
  'escalate',
  agents,
  'escalateDispute',
  'Ask support to decide a dispute',
  `
The platform does this automatically after the response period.`,
)

/** Steps that pay or pay back: shown and confirmed. */
const paying = (
  name: string,
  call: 'complete' | 'approveRefund',
  summary: string,
  details: string,
  unless: (order: AnyOrder) => string | undefined,
  question: (order: AnyOrder) => string,
): Command => ({
  name,
  group: 'Trade',
  summary,
  args: 'ORDER_ID',
  takes: [1, 1],
  options: { yes: yesOption, ...stepOptions },
  details,
  async run(input) {
    const orderId = await idOf(input, agents.kind, input.args[0]!)
    await takeStep(input, agents, {
      id: orderId,
      content: [name, orderId],
      async decide(order, client) {
        const obstacle = unless(order)
        if (obstacle !== undefined) throw notNow(order, obstacle)
        await confirmYes(input, orderText(order, await namesOf(client, order), input.io.columns), question(order))
      },
      send: (client, body, operationId) => client.orders[call](orderId, body, { operationId }),
      of: (order) => order,
    })
  },
})

export const orderComplete = paying(
  'order complete',
  'complete',
  'Accept the delivered work and pay the contractor; this cannot be undone',
  `
Look at the result first: kith order show ORDER_ID, kith download FILE_ID. Reward and fee are shown; at a terminal you are
asked to confirm, elsewhere pass --yes. Nothing is ever accepted by silence or automatically.`,
  (order) => (order.state === 'delivered' ? undefined : `the order is ${stateText(order)}, not delivered`),
  ({ total_minor }) => `Accept the work and pay ${credits(total_minor)} credits`,
)
export const orderApproveRefund = paying(
  'order approve-refund',
  'approveRefund',
  'Agree to a proposed refund: the customer gets the full price back',
  `
The full price is shown. At a terminal you are asked to confirm; elsewhere pass --yes.`,
  (order) => (order.refund_proposed_by === null ? 'no refund has been proposed' : undefined),
  ({ total_minor }) => `Return ${credits(total_minor)} credits to the customer`,
)

const fileOptions: Record<string, Option> = {
  file: { type: 'string', value: 'PATH', multiple: true, help: 'upload this and add it' },
  attach: { type: 'string', value: 'FILE_ID', multiple: true, help: 'add an upload of purpose order' },
}

/** Files of a step, uploaded before the order is looked at. */
async function filesFor(
  input: Input,
  field: string,
): Promise<{ count: number; content: unknown; prepare: NonNullable<Step<AnyOrder, never>['prepare']> }> {
  const { paths, attached } = filesOf(input)
  return {
    count: paths.length + attached.length,
    content: [await Promise.all(paths.map(stamp)), attached],
    prepare: async (client: FolderClient, intent) => {
      const ids = [...(await uploaded(client, input.io, intent, 'order', paths)), ...attached]
      return ids.length > 0 ? { [field]: ids } : {}
    },
  }
}

export const delivering = (desk: Desk, accepts: string): Command => ({
  name: `${desk.word} deliver`,
  group: 'Trade',
  summary: 'Deliver the work, once: a text, files or both',
  args: 'ORDER_ID',
  takes: [1, 1],
  options: {
    ...textOptions('the result, up to 8000 characters'),
    ...fileOptions,
    ...stepOptions,
  },
  details: `
Up to 10 files of up to 250 MiB each. A delivery cannot be changed; ${accepts}`,
  async run(input) {
    const orderId = await idOf(input, desk.kind, input.args[0]!)
    const text = await mainText(input)
    const files = await filesFor(input, 'result_attachment_ids')
    if (text === undefined && files.count === 0) throw usage('give --text, --file or --attach')
    const given = text === undefined ? {} : { result_text: text }
    await takeStep(input, desk, {
      id: orderId,
      content: [`${desk.word} deliver`, orderId, given, files.content],
      given,
      prepare: files.prepare,
      send: (client, body, operationId) => desk.orders(client).deliver(orderId, body, { operationId }),
      of: (order) => order,
    })
  },
})

export const orderDeliver = delivering(agents, 'the customer accepts it with kith order complete.')

export const updating = (desk: Desk, summary: string): Command => ({
  name: `${desk.word} update`,
  group: 'Trade',
  summary,
  args: 'ORDER_ID [TEXT]',
  takes: [1, 2],
  options: {
    ...textOptions('the same as TEXT'),
    ...fileOptions,
    ...stepOptions,
    id: ownId('update'),
  },
  details: `
A text of up to 8000 characters (- reads standard input), up to 10 files, or both. It cannot be changed or withdrawn. You can
add updates while the work is under way or disputed, and for a while after acceptance. An update does not open a dispute. The
service can read it.`,
  async run(input) {
    const [order, written] = input.args as [string, string | undefined]
    const orderId = await idOf(input, desk.kind, order)
    const own = input.text('id')
    const text = await mainText(input, [], written)
    const files = await filesFor(input, 'attachment_ids')
    if (text === undefined && files.count === 0) throw usage('give a TEXT, --file or --attach')
    const words = text === undefined ? {} : { text }
    await takeStep(input, desk, {
      id: orderId,
      content: [`${desk.word} update`, orderId, words, files.content],
      own: own === undefined ? undefined : checkId(own),
      given: words,
      prepare: files.prepare,
      send: (client, body, operationId) => desk.orders(client).updates.add(orderId, body, { operationId }),
      of: (answer) => answer.order,
      show: ({ update }, order) =>
        input.io.show({ order: untrusted(order), update: untrusted(update) }, () => `Added. ${doneText(order)}`),
    })
  },
})

export const orderUpdate = updating(agents, 'Send the other side an update on the work, with files if you like')
