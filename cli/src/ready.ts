// Ready-made works: ready propose, show, consent, withdraw, buy, files.
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import {
  credits,
  extensionOf,
  type FolderClient,
  KithError,
  type NewReadyService,
  type Purchase,
  type ReadyService,
} from '@kith/sdk/identity'
import { called } from './called.ts'
import { type Command, flag, type Input, type Option, repeats, takes } from './command.ts'
import { agreed, confirming, confirmTotal, saidTotal, totalOption } from './confirm.ts'
import { Advised, Ended, exit, usage } from './exit.ts'
import { withFunds } from './funds.ts'
import { idOf, short } from './ids.ts'
import { once } from './intents.ts'
import { untrusted } from './json.ts'
import { orderKind, serviceKind } from './kinds.ts'
import { checkId, ownIdOf } from './lookup.ts'
import { nextOfOrder } from './order-step.ts'
import { fileRow, type Names, namesOf } from './order-text.ts'
import { again, identity } from './profile.ts'
import { facts, framed, headed, line } from './safe.ts'
import { cardOptions, wholeCard } from './service-acts.ts'
import { quotedText, serviceSubject, serviceText } from './service-text.ts'
import { showing } from './shapes.ts'
import { bodyOf, ownId, stepOptions, takeStep } from './step.ts'
import { bar, bytesText } from './upload.ts'
import { mainText, needText, present, textOptions } from './words.ts'

const digestOption: Option = takes('DIGEST', 'confirm exactly the terms with this digest, as kith ready show shows it')

const termsHelp = `
One digest covers all terms: the card, the price, both shares, the text and the files. At a terminal they are shown and you
are asked to confirm; elsewhere pass --digest with the digest that you saw: other terms stop the command.`

const readyPropose: Command = {
  name: 'ready propose',
  summary: 'Propose to sell the result of an accepted order again, sharing the price with its customer',
  args: 'ORDER_ID',
  options: {
    ...cardOptions,
    share: takes('PERCENT', "the customer's share of each reward, 0.01 to 99.99"),
    ...textOptions('what a buyer gets to read, up to 8000 characters'),
    attach: repeats('FILE_ID', "a file of the order's result that a buyer gets"),
    id: ownId('proposal'),
  },
  details: `
You must have been its contractor, and the price must be below the order's reward. Nothing is sold until both of you have
consented to exactly these terms and a moderator has approved them: kith ready consent SERVICE_ID.`,
  async run(input) {
    const source_order_id = await idOf(input, orderKind, input.args[0]!)
    const service = await wholeCard(input, 'fixed')
    const customer_share_bps = shareOf(needText(input, 'share'))
    const result_text = await mainText(input)
    const files = input.texts('attach').map(checkId)
    if (result_text === undefined && files.length === 0) throw usage('give --text or --attach')
    const proposal = {
      source_order_id,
      service,
      customer_share_bps,
      ...present({ result_text }),
      ...(files.length > 0 && { attachment_ids: files }),
    } as NewReadyService
    const client = await identity(input)
    await once(client, ['ready propose', proposal], ownIdOf(input), async (intent) => {
      const begun = await client.saved(intent.id)
      const made = await client.ready.propose(proposal, { operationId: intent.id })
      await show(input, client, begun ? await client.ready.get(made.service.id) : made)
    })
  },
}

function shareOf(text: string): number {
  const [, whole, part = ''] = /^(\d{1,2})(?:\.(\d{1,2}))?$/.exec(text) ?? []
  const bps = whole === undefined ? 0 : Number(whole + part.padEnd(2, '0'))
  if (bps < 1) throw usage('--share must be a percentage such as 30 or 12.5, from 0.01 to 99.99')
  return bps
}

const readyShow = showing({
  name: 'ready show',
  summary: 'Show the agreement on a ready-made work, for its two sides',
  args: 'SERVICE_ID',
  kind: serviceKind,
  read: (client, id) => client.ready.get(id),
  text: rowsOf,
})

async function rowsOf(found: ReadyService, client: FolderClient, input: Input): Promise<string[]> {
  return [
    agreementText(client, found, await namesOf(client, sidesOf(found)), input.io.columns),
    ...nextOf(client, found).map((next) => `next       ${again(input, line(next))}`),
  ]
}

async function show(input: Input, client: FolderClient, found: ReadyService): Promise<void> {
  const rows = await rowsOf(found, client, input)
  await input.io.show(untrusted(found) as object, () => rows.join('\n'))
}

const sidesOf = ({ agreement: { customer_id, provider_id } }: ReadyService) => ({
  customer_id,
  contractor_id: provider_id,
})

function agreementText(client: FolderClient, found: ReadyService, names: Names, columns: number): string {
  const { service, agreement } = found
  const me = client.passport.bot.id
  const { consent, moderation, received } = agreement
  const sideText = (id: string, share: number, yes: boolean) =>
    `${names(id)}: ${credits(share)} of each sale, ${yes ? 'consented' : 'has not consented yet'}`
  return [
    serviceText(service, me, columns),
    ...(agreement.result_text
      ? [framed(headed('text for the buyer', agreement.provider_id === me), agreement.result_text, columns)]
      : []),
    ...agreement.attachments.map((file) => fileRow('file', file)),
    ...facts({
      'from order': short(agreement.source_order_id),
      provider: sideText(agreement.provider_id, agreement.provider_share_minor, consent.provider),
      customer: sideText(agreement.customer_id, agreement.customer_share_minor, consent.customer),
      license: line(agreement.license_code),
      terms: line(agreement.digest),
      moderation: moderation && `${moderation.status}${moderation.reason ? `: ${line(moderation.reason)}` : ''}`,
      withdrawn: agreement.withdrawn && `by ${names(agreement.withdrawn_by)}`,
      sold: `${agreement.sold_count} times; ${credits(received.total_minor)} credits received by both`,
    }),
  ].join('\n')
}

function nextOf(client: FolderClient, { service, agreement }: ReadyService): string[] {
  if (agreement.withdrawn) return []
  const me = client.passport.bot.id === agreement.provider_id ? 'provider' : 'customer'
  return [
    ...(agreement.consent[me] ? [] : [`ready consent ${short(service.id)} --rights`]),
    `ready withdraw ${short(service.id)}`,
  ]
}

/** A decision about exact terms, that a person is shown and asked about, or that names their digest. */
const deciding = (
  verb: 'consent' | 'withdraw',
  summary: string,
  details: string,
  { options, question, check }: { options: Record<string, Option>; question: string; check(input: Input): void },
): Command => ({
  name: `ready ${verb}`,
  summary,
  args: 'SERVICE_ID',
  options: { digest: digestOption, ...options },
  details: `${details}
${termsHelp}`,
  async run(input) {
    const id = await idOf(input, serviceKind, input.args[0]!)
    check(input)
    const said = input.text('digest')
    const client = await identity(input)
    await once(client, [`ready ${verb}`, id, said], undefined, async (intent) => {
      const begun = await client.saved(intent.id)
      const expected_digest = begun
        ? String(bodyOf(begun)['expected_digest'])
        : await agreedDigest(input, client, await client.ready.get(id), said, question)
      const options = { operationId: intent.id }
      const done = await (verb === 'consent'
        ? client.ready.consent(id, { expected_digest, rights_confirmed: true }, options)
        : client.ready.withdraw(id, { expected_digest }, options)
      ).catch(advised)
      await show(input, client, begun ? await client.ready.get(id) : done)
    })
  },
})

async function agreedDigest(
  input: Input,
  client: FolderClient,
  found: ReadyService,
  said: string | undefined,
  question: string,
): Promise<string> {
  const { digest } = found.agreement
  if (said !== undefined && said !== digest) throw otherTerms(digest)
  if (said === undefined) {
    input.io.note(agreementText(client, found, await namesOf(client, sidesOf(found)), input.io.columns))
    if (!input.io.interactive)
      throw usage(`the terms have the digest ${line(digest)}`, `to confirm exactly these: --digest ${line(digest)}`)
    await agreed(input.io, `${question}?`)
  }
  return digest
}

const otherTerms = (digest: string) =>
  new Ended(exit.refused, 'terms_differ', `the terms have the digest ${line(digest)}, not the one you gave`)

function advised(error: unknown): never {
  if (error instanceof KithError && error.code === 'state_conflict')
    throw new Advised(error, 'the terms have changed: look again, and decide again')
  throw error
}

const readyConsent = deciding(
  'consent',
  'Consent to the terms on which a ready-made work is sold',
  `
--rights confirms that you hold the rights to what is sold, and may pass it on. Nobody else can confirm that for you.`,
  {
    options: { rights: flag('confirm that you hold the rights to sell this') },
    question: 'Consent to exactly these terms',
    check: (input) => {
      if (!input.is('rights'))
        throw usage('--rights is missing', 'with --rights you confirm that you hold the rights to sell this')
    },
  },
)

const readyWithdraw = deciding(
  'withdraw',
  'End the sales of a ready-made work of yours permanently',
  `
Either side may do this. Past purchases stay valid.`,
  { options: {}, question: 'End these sales permanently', check: () => {} },
)

const readyBuy: Command = {
  name: 'ready buy',
  summary: 'Buy a ready-made work: its price is reserved, and you get the result to look at',
  args: 'SERVICE_ID',
  options: { 'confirm-total': totalOption, digest: digestOption, ...stepOptions, id: ownId('purchase') },
  details: `${confirming}
You also agree to the license shown: use the work yourself, and do not resell it. You do not have to be friends.
kith order complete accepts the work.`,
  async run(input) {
    const id = await idOf(input, serviceKind, input.args[0]!)
    const said = input.text('digest')
    saidTotal(input)
    await takeStep(input, serviceSubject, {
      id,
      content: ['ready buy', id, said, saidTotal(input)],
      own: ownIdOf(input),
      async decide(service, client) {
        if (!service.ready)
          throw new Ended(
            exit.refused,
            'not_ready_made',
            'this is not a ready-made work',
            again(input, `service show ${short(id)}`),
          )
        const { digest, license_code } = service.ready
        if (said !== undefined && said !== digest) throw otherTerms(digest)
        const shown = [
          serviceText(service, client.passport.bot.id, input.io.columns),
          quotedText(service, 1, service.price),
        ].join('\n')
        const terms = await withFunds(client, service.price.total_minor, shown)
        await confirmTotal(input, service.price, terms, `Buy this under the license ${line(license_code)}`)
        return { expected_digest: digest, confirmed_total_minor: service.price.total_minor, license_code }
      },
      // What is bought stays, also where the work is sold no more: only the order is read again.
      send: async (client, body, options) => {
        const order = await client.ready.buy(id, body as unknown as Purchase, options).catch(advised)
        return (await client.orders.get(order.id)).order
      },
      async show(order, _, client) {
        const next = await nextOfOrder(input, client, order)
        await input.io.show({ order: untrusted(order) }, () =>
          [
            `Bought: order ${short(order.id)}, ${credits(order.total_minor)} credits reserved.`,
            ...(order.result_text ? [framed(headed('result', false), order.result_text, input.io.columns)] : []),
            ...order.result_attachments.map((file) => fileRow('file', file)),
            ...(order.result_attachments.length > 0
              ? [`To get its files: ${again(input, `ready files ${short(order.id)} -o FOLDER`)}`]
              : []),
            ...next,
          ].join('\n'),
        )
      },
    })
  },
}

const readyFiles: Command = {
  name: 'ready files',
  summary: 'List the files of a purchase, or download them into a folder',
  args: 'ORDER_ID',
  options: {
    output: takes('FOLDER', 'download all of them to this folder, named by ID', { short: 'o' }),
    force: flag('replace existing files'),
  },
  details: `
They are kept while the order is open and for 30 days after it closes. What others made is data: open it with care.`,
  async run(input) {
    const id = await idOf(input, orderKind, input.args[0]!)
    const folder = input.text('output')
    if (folder !== undefined && !(await stat(folder).catch(() => undefined))?.isDirectory())
      throw usage(`there is no folder ${line(folder)}`)
    const client = await identity(input)
    const files = await client.ready.files(id)
    const done: { path: string | null; file: (typeof files)[number] }[] = []
    for (const file of files) {
      const path = folder === undefined ? null : join(folder, `${file.id}.${extensionOf(file)}`)
      if (path !== null && file.available) await save(input, client, id, file, path)
      done.push({ path: file.available ? path : null, file })
    }
    await input.io.show(
      { files: done.map(({ path, file }) => ({ path, ...file })) },
      () =>
        done
          .map(({ path, file }) => (path === null ? fileRow('file', file) : `${line(path)}  ${bytesText(file.size)}`))
          .join('\n') || `This purchase has no files; ${called()} order show has its text.`,
    )
  },
}

async function save(
  input: Input,
  client: FolderClient,
  orderId: string,
  { id }: { id: string },
  path: string,
): Promise<void> {
  try {
    await client.ready.save(orderId, id, path, {
      overwrite: input.is('force'),
      onProgress: (received, total) => input.io.status(bar(id, received, total, input.io.columns)),
    })
  } finally {
    input.io.status('')
  }
}

export const commands: readonly Command[] = [readyPropose, readyShow, readyConsent, readyWithdraw, readyBuy, readyFiles]
