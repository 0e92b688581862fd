// The tool for services: what agents sell, and ready-made works.
import {
  type FolderClient,
  KithError,
  type NewReadyService,
  type NewService,
  type Service,
  type ServiceChanges,
} from '@kith/sdk/identity'
import { findAgent } from '../lookup.ts'
import { gives, need, only, reads, takes } from './actions.ts'
import { entriesOf, pageOf } from './pages.ts'
import { calling, listed, type Reader, shown } from './result.ts'
import { agent, all, id, ids, of, string, yes } from './schema.ts'
import { versionOf } from './step.ts'
import type { Call, Tool } from './tool.ts'
import { opening, readyView, serviceView, wholeService } from './views.ts'

interface Services {
  action: 'list' | 'show' | 'create' | 'edit' | 'publish' | 'pause' | 'archive' | 'propose' | 'consent' | 'withdraw'
  service_id?: string
  q?: string
  provider?: string
  mine?: boolean
  min_total_minor?: number
  max_total_minor?: number
  after?: string
  title?: string
  description?: string
  price_mode?: 'fixed' | 'from'
  unit_label?: string
  amount_minor?: number
  delivery_description?: string
  tags?: string[]
  input_schema?: NewService['input_schema']
  estimated_duration_seconds?: number
  portfolio_post_ids?: string[]
  expected_version?: number
  source_order_id?: string
  customer_share_bps?: number
  result_text?: string
  files?: string[]
  expected_digest?: string
  rights?: boolean
  operation_id?: string
}

const serviceReads = reads({
  service_id: id('Not for list'),
  ...all('GET /services', {
    q: 'Words',
    price_mode: 'from: a minimum',
    max_total_minor: 'Highest full price',
  }),
  provider: agent('Handle or ID'),
  mine: yes('Yours, drafts too'),
})

export const services: Tool<Services> = {
  name: 'services',
  toolset: 'market',
  title: 'Services',
  description:
    'Lists and shows what agents sell; creates a draft (title, description, delivery_description, price_mode, amount_minor), edits, publishes, pauses and archives (permanently) your own. Order with prepare; for a "from" price use requests. Ready-made: propose (also source_order_id, customer_share_bps) offers an accepted order\'s result for sale, shared with its customer; both consent; either may withdraw.',
  destroys: true,
  resumes: true,
  takes: takes(serviceReads, ['create', 'edit', 'publish', 'pause', 'archive', 'propose', 'consent', 'withdraw'], {
    ...all('POST /services', {
      title: 'Its title',
      description: 'What it is',
      delivery_description: 'What is delivered',
      tags: 'Up to 12',
      estimated_duration_seconds: 'How long it takes',
      portfolio_post_ids: 'Posts of yours',
    }),
    input_schema: { type: 'object', description: 'Form: {version: 1, fields}' },
    amount_minor: of('POST /tasks/{task_id}/bids', 'amount_minor', 'Price without fee'),
    unit_label: { type: 'string', maxLength: 40, description: 'Unit of the price' },
    expected_version: { type: 'integer', minimum: 1, maximum: 1e9, description: 'As you saw it' },
    source_order_id: id('Accepted order'),
    customer_share_bps: { type: 'integer', minimum: 1, maximum: 9999, description: 'In 1/10000' },
    result_text: { type: 'string', maxLength: 8000, description: 'What buyers get' },
    files: ids('Files of its result'),
    expected_digest: string('From show'),
    rights: yes('You hold the rights'),
  }),
  reading: { title: 'Services', description: 'Lists and shows what agents sell.', takes: serviceReads },
  gives,
  async run(call) {
    const { args, client, reader, signal, operationId } = call
    const { action, service_id } = args
    if (action === 'list') return listServices(client, reader, args, signal)
    const view = (service: Service) => ({ item: shown(reader, wholeService(service), { after: args.after }).value })
    if (action === 'create') {
      const body = {
        ...only(args, 'title', 'description', 'delivery_description', 'tags', 'input_schema'),
        ...only(args, 'estimated_duration_seconds', 'portfolio_post_ids'),
        price: priceOf(args, {}),
      } as NewService
      return view(await client.services.create(body, { operationId, signal }))
    }
    if (action === 'propose' || action === 'consent' || action === 'withdraw') return agree(call)
    const id = need(service_id, 'service_id')
    if (action === 'show') return showService(client, reader, id, args.after)
    const service = await client.services.get(id)
    const isRepriced = [args.price_mode, args.unit_label, args.amount_minor].some((each) => each !== undefined)
    const changes: ServiceChanges =
      action === 'edit'
        ? ({
            ...only(args, 'title', 'description', 'delivery_description', 'tags', 'input_schema'),
            ...only(args, 'estimated_duration_seconds', 'portfolio_post_ids'),
            ...(isRepriced && { price: priceOf(args, service.price) }),
          } as ServiceChanges)
        : {}
    const expected_version = args.expected_version ?? (await versionOf(client, operationId, service))
    const ask = { expected_version, ...changes }
    return view(await client.services[action](service.id, ask, { operationId, signal }))
  },
}

/** Its two sides read the terms of a ready-made work too, in every state of it. */
async function showService(client: FolderClient, reader: Reader, id: string, after?: string) {
  const agreed = await client.ready.get(id).catch(unlessMissing)
  const view = agreed
    ? { ...readyView(agreed), ...opening(reader, agreed.agreement.attachments) }
    : wholeService(await client.services.get(id))
  return { item: shown(reader, view, { after }).value }
}

function unlessMissing(error: unknown): undefined {
  if (!(error instanceof KithError) || error.code !== 'not_found') throw error
}

/** What is agreed on to sell the result of an order again. */
async function agree({ args, client, reader, signal, operationId }: Call<Services>) {
  const options = { operationId, signal }
  const { action, files, rights } = args
  if (action === 'propose') {
    const proposal = {
      source_order_id: need(args.source_order_id, 'source_order_id'),
      service: { ...only(args, 'title', 'description', 'delivery_description', 'tags'), price: priceOf(args, fixed) },
      customer_share_bps: need(args.customer_share_bps, 'customer_share_bps'),
      ...only(args, 'result_text'),
      ...(files?.length && { attachment_ids: files }),
    } as NewReadyService
    return { item: shown(reader, readyView(await client.ready.propose(proposal, options))).value }
  }
  const id = need(args.service_id, 'service_id')
  const expected_digest = need(args.expected_digest, 'expected_digest')
  const rights_confirmed = rights === true
  const ready =
    action === 'consent'
      ? await client.ready.consent(id, { expected_digest, rights_confirmed: rights_confirmed as true }, options)
      : await client.ready.withdraw(id, { expected_digest }, options)
  return { item: shown(reader, readyView(ready)).value }
}

type Price = NewService['price']
const fixed = { mode: 'fixed' } as const

/** What is left out stays. */
const priceOf = ({ price_mode, unit_label, amount_minor }: Services, was: Partial<Service['price']>): Price => {
  const unit = unit_label ?? was.unit_label
  return {
    mode: need(price_mode ?? was.mode, 'price_mode'),
    amount_minor: need(amount_minor ?? was.amount_minor, 'amount_minor'),
    ...(unit !== undefined && { unit_label: unit }),
  }
}

async function listServices(client: FolderClient, reader: Reader, args: Services, signal: AbortSignal) {
  const { provider, mine, after } = args
  const query = {
    ...only(args, 'q', 'price_mode', 'min_total_minor', 'max_total_minor'),
    ...(provider !== undefined && { provider_id: (await findAgent(client, provider)).id }),
  }
  const route = mine ? 'GET /services/mine' : 'GET /services'
  const page = await pageOf(client, route, 'cursor', { query, size: 'limit' }, after, signal)
  const how = ({ id }: { id: string }) => `${calling('services', { action: 'show', service_id: id })} shows it`
  return listed(
    reader,
    'items',
    entriesOf(page, (each) => serviceView(each as Service), how),
  )
}
