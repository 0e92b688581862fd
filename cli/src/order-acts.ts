// The further actions of an order's two sides, and its log: order reject, cancel, start, deliver, complete, dispute,
// propose-refund, approve-refund, escalate, update. Some of them are those of a person's contractor too.
import { credits } from '@kith/sdk/identity'
import { type Command, type Input, type Option, repeats } from './command.ts'
import { confirmYes, yesOption } from './confirm.ts'
import { usage } from './exit.ts'
import { untrusted } from './json.ts'
import type { Desk } from './next.ts'
import { agents, doneText, notNow, orderSubject } from './order-step.ts'
import { type AnyOrder, namesOf, orderText, stateText } from './order-text.ts'
import { type Changing, changing } from './shapes.ts'
import { namedFiles } from './upload.ts'
import { longOptions, mainText, needLong, present, textOptions } from './words.ts'

/** A command that changes an order of either list. */
const acting = <A = AnyOrder>(
  verb: string,
  desk: Desk,
  ask: Pick<Changing<AnyOrder, A>, 'summary' | 'options' | 'details' | 'makes' | 'step'> & { args?: string },
): Command =>
  changing<AnyOrder, A>({
    name: `${desk.word} ${verb}`,
    args: 'ORDER_ID',
    kind: desk.kind,
    subject: orderSubject(desk),
    ...ask,
  })

/** A step that says nothing but that it is taken. */
export const plain = (verb: 'reject' | 'start' | 'cancel', desk: Desk, summary: string): Command =>
  acting(verb, desk, {
    summary,
    step: (id) => ({
      send: (client, body, options) =>
        // A person's order is never the agent's own offer.
        (verb === 'cancel' ? client.orders.cancel : desk.orders(client)[verb])(id, body, options),
    }),
  })

const calls = { dispute: 'dispute', 'propose-refund': 'proposeRefund', escalate: 'escalateDispute' } as const

export const reasoned = (verb: keyof typeof calls, desk: Desk, summary: string, details: string): Command =>
  acting(verb, desk, {
    summary,
    options: longOptions('reason', 'why, up to 2000 characters'),
    details,
    async step(id, input) {
      const reason = await needLong(input, 'reason')
      return {
        said: [reason],
        given: { reason },
        send: (client, body, options) => desk.orders(client)[calls[verb]](id, { ...body, reason }, options),
      }
    },
  })

/** Steps that pay or pay back: shown and confirmed. */
const paying = (
  verb: 'complete' | 'approve-refund',
  summary: string,
  details: string,
  unless: (order: AnyOrder) => string | undefined,
  question: (order: AnyOrder) => string,
): Command =>
  acting(verb, agents, {
    summary,
    options: { yes: yesOption },
    details,
    step: (id, input) => ({
      async decide(order, client) {
        const obstacle = unless(order)
        if (obstacle !== undefined) throw notNow(order, obstacle)
        await confirmYes(input, orderText(order, await namesOf(client, order), input.io.columns), question(order))
      },
      send: (client, body, options) =>
        client.orders[verb === 'complete' ? 'complete' : 'approveRefund'](id, body, options),
    }),
  })

const fileOptions: Record<string, Option> = {
  file: repeats('PATH', 'upload this and add it'),
  attach: repeats('FILE_ID', 'add an upload of purpose order'),
}

/** A text and files of a step, uploaded before the order is looked at. */
async function contentOf(
  input: Input,
  text: string | undefined,
  fields: { text: string; files: string },
  need: string,
) {
  const files = await namedFiles(input, 'order')
  if (text === undefined && files.count === 0) throw usage(need)
  const given = present({ [fields.text]: text })
  return {
    said: [given, [files.stamps, files.attached]],
    given,
    async prepare(...ask: Parameters<typeof files.ids>) {
      const ids = await files.ids(...ask)
      return ids.length > 0 ? { [fields.files]: ids } : {}
    },
  }
}

export const delivering = (desk: Desk, accepts: string): Command =>
  acting('deliver', desk, {
    summary: 'Deliver the work, once: a text, files or both',
    options: { ...textOptions('the result, up to 8000 characters'), ...fileOptions },
    details: `
Up to 10 files of up to 250 MiB each. A delivery cannot be changed; ${accepts}`,
    async step(id, input) {
      const fields = { text: 'result_text', files: 'result_attachment_ids' }
      return {
        ...(await contentOf(input, await mainText(input), fields, 'give --text, --file or --attach')),
        send: (client, body, options) => desk.orders(client).deliver(id, body, options),
      }
    },
  })

export const updating = (desk: Desk, summary: string): Command =>
  acting('update', desk, {
    summary,
    args: 'ORDER_ID [TEXT]',
    options: { ...textOptions('the same as TEXT'), ...fileOptions },
    makes: 'update',
    details: `
A text of up to 8000 characters (- reads standard input), up to 10 files, or both. It cannot be changed or withdrawn. You can
add updates while the work is under way or disputed, and for a while after acceptance. An update does not open a dispute. The
service can read it.`,
    async step(id, input) {
      const text = await mainText(input, [], input.args[1])
      const fields = { text: 'text', files: 'attachment_ids' }
      return {
        ...(await contentOf(input, text, fields, 'give a TEXT, --file or --attach')),
        send: (client, body, options) => desk.orders(client).updates.add(id, body, options),
        of: (answer: Added) => answer.order,
        show: ({ update }, order) =>
          input.io.show({ order: untrusted(order), update: untrusted(update) }, () => `Added. ${doneText(order)}`),
      }
    },
  })

type Added = Awaited<ReturnType<ReturnType<Desk['orders']>['updates']['add']>>

export const commands: readonly Command[] = [
  plain('reject', agents, 'Decline an offer'),
  plain('cancel', agents, 'Withdraw your own offer'),
  plain('start', agents, 'Report that you have started the work'),
  updating(agents, 'Send the other side an update on the work, with files if you like'),
  delivering(agents, 'the customer accepts it with kith order complete.'),
  paying(
    'complete',
    'Accept the delivered work and pay the contractor; this cannot be undone',
    `
Look at the result first: kith order show ORDER_ID, kith download FILE_ID. Reward and fee are shown; at a terminal you are
asked to confirm, elsewhere pass --yes. Nothing is ever accepted by silence or automatically.`,
    (order) =>
      order.state === 'delivered'
        ? undefined
        : `the order is ${stateText(order)}: only a delivered one can be accepted`,
    ({ total_minor }) => `Accept the work and pay ${credits(total_minor)} credits`,
  ),
  reasoned(
    'dispute',
    agents,
    'Dispute an order under way; the credits stay reserved',
    `
Messages and updates do not open a dispute; this does. The two sides may agree on a refund; after the response period
support decides. Support never pays the contractor: only the customer's acceptance does.`,
  ),
  reasoned(
    'propose-refund',
    agents,
    'Propose to return the full price to the customer; this disputes the order at once',
    `
The other side agrees with kith order approve-refund ORDER_ID.`,
  ),
  paying(
    'approve-refund',
    'Agree to a proposed refund: the customer gets the full price back',
    `
The full price is shown. At a terminal you are asked to confirm; elsewhere pass --yes.`,
    (order) => (order.refund_proposed_by === null ? 'no refund has been proposed' : undefined),
    ({ total_minor }) => `Return ${credits(total_minor)} credits to the customer`,
  ),
  reasoned(
    'escalate',
    agents,
    'Ask support to decide a dispute',
    `
The platform does this automatically after the response period.`,
  ),
]
