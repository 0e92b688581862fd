// Tools of the set `market`: services, tasks with their bids, and requests for offers.
import type { FolderClient, NewTask, ServiceRequest } from '@kith/sdk/identity'
import { gives, need, only, reads, takes } from './actions.ts'
import { entriesOf, pageOf } from './pages.ts'
import { filesOf, filesWith } from './prepare.ts'
import { calling, type Entry, listed, plain, type Reader, shown } from './result.ts'
import { all, id, ids, invalid, of, word } from './schema.ts'
import { services } from './services.ts'
import { versionOf } from './step.ts'
import type { AnyTool, Call, Tool } from './tool.ts'
import { bidView, opening, orderView, requestView, taskView } from './views.ts'

interface Tasks {
  action: 'list' | 'show' | 'create' | 'cancel' | 'bid' | 'edit_bid' | 'withdraw_bid'
  task_id?: string
  bid_id?: string
  q?: string
  tag?: string
  state?: 'open' | 'selected' | 'cancelled' | 'expired'
  mine?: 'tasks' | 'bids'
  after?: string
  title?: string
  description?: string
  tags?: string[]
  budget_minor?: number
  deadline?: string
  bids_close_at?: string
  files?: string[]
  amount_minor?: number
  text?: string
  operation_id?: string
}

const taskReads = reads({
  task_id: id('The task'),
  ...all('GET /tasks', { q: 'Words', tag: 'A tag', state: 'open by default' }),
  mine: word('Your own', 'tasks', 'bids'),
})

const tasks: Tool<Tasks> = {
  name: 'tasks',
  toolset: 'market',
  title: 'Tasks and bids',
  description:
    'Lists tasks and shows one with the bids you may see; creates one (title, description, deadline; everyone reads it), cancels it, bids on one (amount_minor, deadline, text), edits or withdraws your bid. Select a bid with prepare.',
  destroys: true,
  resumes: true,
  takes: takes(taskReads, ['create', 'cancel', 'bid', 'edit_bid', 'withdraw_bid'], {
    bid_id: id('Your bid'),
    ...all('POST /tasks', {
      title: 'Its title',
      description: 'The work',
      tags: 'Up to 12',
      budget_minor: 'At most',
      deadline: 'With time zone',
      bids_close_at: 'End of bidding',
    }),
    files: ids('Order uploads'),
    amount_minor: of('POST /tasks/{task_id}/bids', 'amount_minor', 'Reward you ask for'),
    text: of('POST /tasks/{task_id}/bids', 'text', 'For bid'),
  }),
  reading: { title: 'Tasks', description: 'Lists tasks, and shows one with the bids you may see.', takes: taskReads },
  gives,
  async run(call) {
    const { args, client, reader, signal, operationId } = call
    const { action } = args
    if (action === 'list') return listTasks(client, reader, args, signal)
    if (action === 'create') {
      const { files } = args
      const body = {
        ...only(args, 'title', 'description', 'tags', 'budget_minor', 'deadline', 'bids_close_at'),
        ...(files?.length && { input_attachment_ids: files }),
      } as NewTask
      return { item: shown(reader, taskView(await client.tasks.create(body, { operationId, signal }))).value }
    }
    if (action === 'edit_bid' || action === 'withdraw_bid') return changeBid(call)
    const task_id = need(args.task_id, 'task_id')
    if (action === 'show') return showTask(client, reader, task_id, args.after)
    if (action === 'bid') {
      const { amount_minor, deadline, text } = args
      const body = {
        amount_minor: need(amount_minor, 'amount_minor'),
        deadline: need(deadline, 'deadline'),
        text: need(text, 'text'),
      }
      return { item: shown(reader, bidView(await client.bids.create(task_id, body, { operationId, signal }))).value }
    }
    const task = await client.tasks.get(task_id)
    const expected_version = await versionOf(client, operationId, task)
    const ended = await client.tasks.cancel(task_id, { expected_version }, { operationId, signal })
    return { item: shown(reader, taskView(ended)).value }
  },
}

async function listTasks(client: FolderClient, reader: Reader, args: Tasks, signal: AbortSignal) {
  const { mine, after, state } = args
  if (mine === 'bids') {
    const page = await pageOf(client, 'GET /bids/mine', 'page', { size: 'page_size' }, after, signal)
    const how = ({ task_id }: { task_id: string }) => `${calling('tasks', { action: 'show', task_id })} shows it`
    return listed(reader, 'items', entriesOf(page, bidView as never, how as never))
  }
  const query = mine ? only({ state }, 'state') : only(args, 'q', 'tag', 'state')
  const route = mine ? 'GET /tasks/mine' : 'GET /tasks'
  const page = await pageOf(client, route, 'page', { query, size: 'page_size' }, after, signal)
  const how = ({ id }: { id: string }) => `${calling('tasks', { action: 'show', task_id: id })} shows it`
  return listed(reader, 'items', entriesOf(page, taskView as never, how as never))
}

/** `after` is where a long text goes on, or `b` and the page of its bids. */
async function showTask(client: FolderClient, reader: Reader, task_id: string, after?: string) {
  const task = await client.tasks.get(task_id)
  const at = after?.startsWith('b') ? after.slice(1) : undefined
  const text = at === undefined ? after : undefined
  const { value } = shown(reader, taskView(task), { after: text })
  const page = await pageOf(client, 'GET /tasks/{task_id}/bids', 'page', { path: { task_id }, size: 'page_size' }, at)
  const entries: Entry[] = page.items.map(({ item, next }) => ({
    view: bidView(item as never),
    next,
    how: () => 'the bidder may tell you more in a message',
  }))
  const { bids, next } = listed(reader, 'bids', entries, { isAsked: true, most: text === undefined ? 250 : 60 }) as {
    bids: object[]
    next: string | null
  }
  const item = { ...value, bids, more_bids: next === null ? null : `b${next}` }
  // A long task leaves no room for bids: they are read without it.
  return Buffer.byteLength(JSON.stringify({ item })) < 15_900
    ? { item }
    : { item: { ...value, bids: [], more_bids: 'b0.1' } }
}

async function changeBid({ args, client, reader, signal, operationId }: Call<Tasks>) {
  const bid_id = need(args.bid_id, 'bid_id')
  const changes = args.action === 'edit_bid' ? only(args, 'amount_minor', 'deadline', 'text') : {}
  for await (const bid of client.bids.mine({ page_size: 50 })) {
    if (bid.id !== bid_id) continue
    const ask = { expected_version: await versionOf(client, operationId, bid), ...changes }
    const change = args.action === 'edit_bid' ? client.bids.edit : client.bids.withdraw
    return { item: shown(reader, bidView(await change(bid_id, ask, { operationId, signal }))).value }
  }
  return invalid('bid_id', 'is no bid of yours')
}

interface Requests {
  action: 'list' | 'show' | 'create' | 'offer' | 'reject' | 'cancel'
  request_id?: string
  after?: string
  service_id?: string
  title?: string
  description?: string
  quantity?: number
  parameters?: Record<string, never>
  files?: string[]
  amount_minor?: number
  deadline?: string
  operation_id?: string
}

const requestReads = reads({ request_id: id('Not for list, create') })

const requests: Tool<Requests> = {
  name: 'requests',
  toolset: 'market',
  title: 'Requests for offers',
  description:
    'For services with a "from" price. Lists and shows yours; create (service_id, title, description) asks a provider, cancel withdraws; as provider, offer (amount_minor, deadline) makes an order, reject declines.',
  destroys: true,
  resumes: true,
  takes: takes(requestReads, ['create', 'offer', 'reject', 'cancel'], {
    ...all('POST /service-requests', {
      service_id: 'The service',
      title: 'Its title',
      description: 'The work',
      quantity: '1 by default',
    }),
    parameters: { type: 'object', description: 'By keys of its form' },
    files: ids('Order uploads'),
    ...all('POST /service-requests/{request_id}/offer', { amount_minor: 'Your price', deadline: 'With time zone' }),
  }),
  reading: {
    title: 'Requests for offers',
    description: 'Lists and shows requests that you sent or received.',
    takes: requestReads,
  },
  gives,
  async run({ args, client, reader, signal, operationId }) {
    const { action, after } = args
    const view = async (request: ServiceRequest) => {
      const handles = await handlesOf(client, [request])
      const files = opening(reader, request.input_attachments)
      return { item: shown(reader, { ...requestView(request, handles), ...files }, { after }).value }
    }
    if (action === 'list') {
      const page = await pageOf(client, 'GET /service-requests', 'page', { size: 'page_size' }, after, signal)
      const how = ({ id }: { id: string }) => `${calling('requests', { action: 'show', request_id: id })} shows it`
      const handles = await handlesOf(
        client,
        page.items.map(({ item }) => item as ServiceRequest),
      )
      return listed(
        reader,
        'items',
        entriesOf(page, (each) => requestView(each as ServiceRequest, handles), how),
      )
    }
    if (action === 'create') {
      const service = await client.services.get(need(args.service_id, 'service_id'))
      if (args.request_id !== undefined)
        invalid('request_id', 'is not an argument of create; operation_id names this call')
      const ask = {
        title: need(args.title, 'title'),
        description: need(args.description, 'description'),
        ...only(args, 'quantity', 'parameters'),
        ...filesOf({ files: filesWith(service, args) }),
      }
      return view(await client.serviceRequests.create(service, ask, { operationId, signal }))
    }
    const request = await client.serviceRequests.get(need(args.request_id, 'request_id'))
    if (action === 'show') return view(request)
    const changes =
      action === 'offer'
        ? { amount_minor: need(args.amount_minor, 'amount_minor'), deadline: need(args.deadline, 'deadline') }
        : {}
    const ask = { expected_version: await versionOf(client, operationId, request), ...changes }
    if (action !== 'offer') return view(await client.serviceRequests[action](request.id, ask, { operationId, signal }))
    const made = await client.serviceRequests.offer(request.id, ask as never, { operationId, signal })
    const handles = await handlesOf(client, [made.request])
    return plain(reader, { item: { ...requestView(made.request, handles), order: orderView(made.order) } })
  },
}

/** The names of the sides of requests: those that are not pinned yet are in the contacts. */
async function handlesOf(client: FolderClient, of: readonly ServiceRequest[]): Promise<(id: string) => string | null> {
  const { bot } = client.passport
  const names = new Map([[bot.id, bot.handle]])
  for (const [id, { handle }] of Object.entries(await client.pins.all())) if (handle) names.set(id, handle)
  if (!of.every(({ customer_id, provider_id }) => names.has(customer_id) && names.has(provider_id)))
    for await (const { peer } of client.contacts.list()) names.set(peer.id, peer.handle)
  return (id) => names.get(id) ?? null
}

export const market: readonly AnyTool[] = [services, tasks, requests]
