// Lists in brief: which lists have a `view`, and what of a record is left in it. A model pays for each byte.
// docs/contract/representation.md#brief-lists.
import { parameter, type QueryField } from '../http/query.ts'
import type { Call, Route } from '../http/route.ts'
import type { Party } from '../kernel/callers.ts'
import { closed, described, Nullable, type TArray, type TObject, type TProperties, Type } from '../kernel/schema.ts'
import type { Query } from '../store/sql.ts'

// biome-ignore lint/suspicious/noExplicitAny: a record as its own list shows it
type Shown = any

interface Brief {
  /** The field of the response that has the records. */
  list: string
  /** What a record is called in the OpenAPI document. */
  shape: string
  /** The fields that stay, by name; of a price, those inside it. */
  keeps: readonly string[]
  /** The handle of the other side; null for a person. */
  handle?: (record: Shown, me: Party | undefined) => string | null
  /** The same by ID of the record, if the records do not say it. */
  handles?: (sql: Query, me: Party, ids: readonly string[]) => Promise<readonly { id: string; handle: string }[]>
}

const longestTitle = 60
/** Bytes of a response with twenty records; one with more may be longer in proportion. */
const longestPage = 6000
const recordsOfPage = 20

const order: Brief = {
  list: 'orders',
  shape: 'BriefOrder',
  keeps: ['id', 'version', 'state', 'title', 'amount_minor', 'total_minor', 'deadline', 'updated_at'],
  handle: ({ role, customer, contractor }) => (role === 'customer' ? contractor.handle : (customer.handle ?? null)),
}
const service: Brief = {
  list: 'items',
  shape: 'BriefService',
  keeps: ['id', 'version', 'state', 'title', 'amount_minor', 'total_minor', 'updated_at'],
  handle: ({ provider }) => provider.handle,
}
const task: Brief = {
  list: 'tasks',
  shape: 'BriefTask',
  keeps: ['id', 'version', 'state', 'title', 'budget_minor', 'deadline', 'updated_at'],
  handle: ({ customer }) => customer.handle,
}
const bid: Brief = {
  list: 'bids',
  shape: 'BriefBid',
  keeps: ['id', 'version', 'state', 'amount_minor', 'total_minor', 'deadline', 'updated_at'],
  handle: ({ bidder }) => bidder.handle,
}

export const briefs: Readonly<Record<string, Brief>> = {
  'GET /orders': order,
  'GET /human-orders': order,
  'GET /human/orders': order,
  'GET /bots': { list: 'bots', shape: 'BriefAgent', keeps: ['id', 'handle', 'display_name', 'updated_at'] },
  'GET /posts': {
    list: 'posts',
    shape: 'BriefPost',
    keeps: ['id', 'title', 'updated_at'],
    handle: ({ author }) => author.handle,
  },
  'GET /services': service,
  'GET /services/mine': service,
  'GET /tasks': task,
  'GET /tasks/mine': task,
  'GET /tasks/{task_id}/bids': bid,
  'GET /bids/mine': {
    ...bid,
    handles: (sql, _me, ids) => sql`
      select b.id, a.handle from bids b join tasks t on t.id = b.task_id join agents a on a.id = t.customer_id
      where b.id = any(${ids}::uuid[])`,
  },
  'GET /service-requests': {
    list: 'items',
    shape: 'BriefServiceRequest',
    keeps: ['id', 'version', 'status', 'title', 'updated_at'],
    handles: (sql, me, ids) => sql`
      select r.id, a.handle from service_requests r
      join agents a on a.id = case r.customer_id when ${me.id} then r.provider_id else r.customer_id end
      where r.id = any(${ids}::uuid[])`,
  },
  'GET /feedback': {
    list: 'feedback',
    shape: 'BriefFeedback',
    keeps: ['id', 'version', 'status', 'title', 'updated_at'],
    handle: ({ author }) => author.handle,
  },
  'GET /project-cases': {
    list: 'project_cases',
    shape: 'BriefProjectCase',
    keeps: ['id', 'version', 'state', 'title', 'updated_at'],
    handle: ({ customer, contractor }, me) => (me?.id === customer.id ? contractor.handle : customer.handle),
  },
}

const views = ['full', 'brief'] as const

const viewField: QueryField<(typeof views)[number]> = parameter(
  {
    schema: Type.Union(
      views.map((view) => Type.Literal(view)),
      { default: 'full' },
    ),
    code: 'invalid_input',
    absent: 'full',
    parse: (text: string) => views.find((view) => view === text),
  },
  '`brief`: records of only `id`, `version`, `state` or `status`, `title` or name (at most 60 characters), the other side’s ' +
    '`handle`, amounts, `deadline` and `updated_at`, as far as they have them',
)

/** A route with its brief view, if it is a list that has one. */
export function withView(route: Route): Route {
  const brief = briefs[`${route.method} ${route.path}`]
  if (!brief) return route
  const page = route.success[200] as TObject
  const full = page.properties[brief.list] as TArray<TObject>
  return {
    ...route,
    query: { ...route.query, view: viewField },
    brief: closed({
      ...page.properties,
      [brief.list]: described(Type.Array(shapeOf(brief, full.items)), 'The same records in brief'),
    }),
    async handle(call) {
      const { view, ...query } = call.query as { view: string }
      const answer = await route.handle({ ...call, query } as Call<TProperties, never, TObject>)
      if (view === 'full' || 'open' in answer) return answer
      const { me, service: running } = call as { me: Party | undefined } & Pick<typeof call, 'service'>
      const body = ('json' in answer ? JSON.parse(answer.json) : answer.body) as Record<string, Shown[]>
      const records = body[brief.list] as Shown[]
      const ids = records.map(({ id }) => id)
      const handles = me && ids.length > 0 ? await brief.handles?.(running.sql, me, ids) : undefined
      const known = new Map(handles?.map(({ id, handle }) => [id, handle]))
      const made = records.map((record) => briefOf(brief, record, known.get(record.id) ?? brief.handle?.(record, me)))
      const { status, headers } = answer
      return {
        ...(status !== undefined && { status }),
        ...(headers && { headers }),
        body: fitted({ ...body, [brief.list]: [] }, brief.list, made),
      }
    },
  }
}

function shapeOf({ shape, keeps, handle, handles }: Brief, full: TObject): TObject {
  const price = full.properties['price'] as TObject | undefined
  const kept = keeps.map((field) => [field, full.properties[field] ?? price?.properties[field]])
  const other = described(Nullable(Type.String()), 'The handle of the other side; null for a person')
  return Type.Object(
    { ...Object.fromEntries(kept), ...((handle || handles) && { handle: other }) },
    { additionalProperties: false, 'x-component': shape, description: 'What `view=brief` leaves of a record' },
  )
}

function briefOf({ keeps, handle, handles }: Brief, full: Shown, other: string | null | undefined): Shown {
  const record = Object.fromEntries(keeps.map((field) => [field, full[field] ?? full.price?.[field] ?? null]))
  if (handle || handles) record['handle'] = other ?? null
  for (const field of titles) {
    const text: unknown = record[field]
    if (typeof text === 'string') record[field] = [...text].slice(0, longestTitle).join('')
  }
  return record
}

const titles = ['title', 'display_name']
const bytesOf = (value: object): number => Buffer.byteLength(JSON.stringify(value))

/** A page with its records; if they are too long for it, with shorter titles. */
function fitted(page: object, list: string, records: readonly Shown[]): object {
  const whole = { ...page, [list]: records }
  const most = longestPage * Math.max(1, records.length / recordsOfPage)
  if (bytesOf(whole) <= most) return whole
  // Each has its share of the bytes that the page leaves, with a comma.
  const share = Math.floor((most - bytesOf(page)) / records.length) - 1
  return { ...page, [list]: records.map((record) => cut(record, share)) }
}

/** A record with the longest beginnings of its titles with which it is short enough. */
function cut(record: Record<string, unknown>, longest: number): Record<string, unknown> {
  const shorter = { ...record }
  for (const field of titles) {
    const letters = [...String(shorter[field] ?? '')]
    while (letters.length > 0 && bytesOf(shorter) > longest) {
      letters.pop()
      shorter[field] = letters.join('')
    }
  }
  return shorter
}
