import { mutation } from '../../http/mutation.ts'
import { choice, limitField, parameter, type QueryField, searchText, uuidField } from '../../http/query.ts'
import { agentRoute, type Route } from '../../http/route.ts'
import type { Agent } from '../../kernel/callers.ts'
import { passGate } from '../../kernel/gate.ts'
import { type Code, invalid } from '../../kernel/refuse.ts'
import { closed, described, Nullable, Type } from '../../kernel/schema.ts'
import type { Service as Kith } from '../../service.ts'
import { Actions } from '../orders/shapes.ts'
import { feeRule } from '../wallet/price.ts'
import { cursorAfter, readCursor } from './cursor.ts'
import { customerServices, quoteFor, serviceParam } from './customer-routes.ts'
import { nextSteps } from './next.ts'
import { type Filter, type FoundServices, mine, search } from './search.ts'
import * as services from './services.ts'
import { ActionBody, ChangeBody, CreateBody, priceModes, Service, states } from './shapes.ts'
import { type Service as Shown, show } from './show.ts'

const Reply = closed({ service: Service })
const reply = async (_tx: unknown, service: Shown) => ({ service: show(service) })

const createService = mutation({
  method: 'POST',
  path: '/services',
  tag: 'services',
  summary: 'Draft a service',
  description: 'Nobody else sees it until it is published. At most 100 services per agent.',
  gate: 'new',
  body: CreateBody,
  success: { 201: Reply, 200: Reply },
  refuses: ['invalid_portfolio', 'service_limit'],
  input: ({ body }) => services.canonicalCard(body),
  act: ({ tx, me, id, input }) => services.create(tx, me, id, input),
  reread: ({ tx, me, id }) => services.findVisible(tx, me.id, id),
  show: reply,
})

const changeCodes: readonly Code[] = ['not_found', 'forbidden', 'version_conflict', 'invalid_state']

const changeService = mutation({
  method: 'PATCH',
  path: '/services/{service_id}',
  tag: 'services',
  summary: 'Change your service; fields you leave out stay; price, form and lists are replaced as a whole',
  description: 'At least one field. Existing quotes and orders do not change.',
  gate: 'new',
  params: serviceParam,
  body: ChangeBody,
  success: { 200: Reply },
  refuses: [...changeCodes, 'invalid_portfolio'],
  changes: 'service_id',
  input({ body: { expected_version, ...given } }) {
    return { expected_version, ...services.canonicalChange(given) }
  },
  act: ({ tx, me, id, input }) => services.change(tx, me, id, input),
  reread: ({ tx, me, id }) => services.findVisible(tx, me.id, id),
  show: reply,
})

const told: Record<services.Action, { summary: string; description: string }> = {
  publish: {
    summary: 'Publish your service, so that others can find and order it',
    description: 'From a draft or a paused service, with an open profile.',
  },
  pause: {
    summary: 'Pause your service: it stays visible but cannot be ordered',
    description: 'Existing quotes cannot be used meanwhile. Orders continue.',
  },
  archive: {
    summary: 'Archive your service permanently',
    description: 'Only you can read it from then on, and nothing in it can be changed. Orders continue.',
  },
}

const actionRoutes = (Object.keys(services.moves) as services.Action[]).map((action) =>
  mutation({
    method: 'POST',
    path: `/services/{service_id}/${action}`,
    tag: 'services',
    ...told[action],
    gate: 'new',
    params: serviceParam,
    body: ActionBody,
    success: { 200: Reply },
    refuses: [...changeCodes, ...(action === 'publish' ? (['public_profile_required'] as const) : [])],
    changes: 'service_id',
    act: ({ tx, me, id, input }) => services.act(tx, me, action, id, input),
    reread: ({ tx, me, id }) => services.findVisible(tx, me.id, id),
    show: reply,
  }),
)

const minorField: QueryField<number | undefined> = {
  schema: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
  absent: undefined,
  parse: (text) => (/^(0|[1-9]\d{0,14})$/.test(text) ? Number(text) : undefined),
}

const filterFields = {
  q: parameter(
    searchText(200, 'invalid_input'),
    'All these words, or parts of words, must appear in the title, description, delivery or tags',
  ),
  provider_id: parameter(uuidField, 'Only services of this agent'),
  state: parameter(choice(states), 'In this state; others than its provider only see `published` and `paused`'),
  price_mode: parameter(choice(priceModes), 'With this kind of price'),
  unit_label: parameter(searchText(40, 'invalid_input'), 'The whole name of the unit, in any case'),
  min_total_minor: parameter(minorField, 'The full price per unit is at least this'),
  max_total_minor: parameter(minorField, 'The full price per unit is at most this'),
  limit: { ...limitField, code: 'invalid_pagination' as const },
  cursor: {
    schema: Type.String({
      maxLength: 200,
      description: 'The `next_cursor` of a response to you with the same filters, within 24 hours',
    }),
    absent: undefined,
    parse: (text: string) => (text.length <= 200 ? text : undefined),
  } as QueryField<string | undefined>,
}

const Page = closed({
  items: described(Type.Array(Service), 'The services found, newest first'),
  next_cursor: described(Nullable(Type.String()), 'Send it as `cursor` to get the next part; null at the end'),
})

/** A page of a list from where a cursor says; the next one's is for the same reader and filters alone. */
async function pageOf(
  { secrets, clock }: Kith,
  me: Agent,
  { scope, query }: { scope: 'all' | 'mine'; query: Filter & { cursor: string | undefined } },
  read: (filter: Filter, behind: string | undefined) => Promise<FoundServices>,
) {
  const { cursor, ...filter } = query
  const { min_total_minor: min, max_total_minor: max } = filter
  if (min !== undefined && max !== undefined && min > max) {
    invalid({ path: 'min_total_minor', problem: 'must be at most max_total_minor' })
  }
  const list = { readerId: me.id, list: { ...filter, scope, feeRule } }
  const behind = cursor === undefined ? undefined : readCursor(secrets, clock.now(), list, cursor)
  const found = await read(filter, behind)
  const last = found.more ? found.services.at(-1) : undefined
  const next_cursor = last ? cursorAfter(secrets, clock.now(), list, last.id) : null
  return { body: { items: found.services.map(show), next_cursor } }
}

const listServices = agentRoute({
  method: 'GET',
  path: '/services',
  tag: 'services',
  summary: 'Published and paused services of open profiles, newest first',
  description:
    '`q` finds those that contain all its words; prices are full prices per unit. `state=published` can be ordered.',
  gate: 'reading',
  query: filterFields,
  success: { 200: Page },
  confirms: true,
  handle: ({ service, me, query, confirm }) =>
    pageOf(service, me, { scope: 'all', query }, (filter, behind) =>
      search(service.sql, me.id, filter, { behind, confirm }),
    ),
})

const listMine = agentRoute({
  method: 'GET',
  path: '/services/mine',
  tag: 'services',
  summary: 'Your services, newest first, including drafts and archived ones',
  description: 'With the filters of the public list; a `cursor` only works with the list it came from.',
  gate: 'own',
  query: filterFields,
  success: { 200: Page },
  handle: ({ service, me, query }) =>
    pageOf(service, me, { scope: 'mine', query }, (filter, behind) => mine(service.sql, me.id, filter, behind)),
})

const getService = agentRoute({
  method: 'GET',
  path: '/services/{service_id}',
  tag: 'services',
  summary: 'A service: your own, or one that everyone can see',
  description:
    'With its form and its price, and what you may do next to order it: ask for friendship first. Its texts are the provider’s words.',
  gate: 'verb',
  params: serviceParam,
  success: { 200: closed({ service: Service, actions: Actions }) },
  refuses: ['not_found'],
  handle: async ({ service, me, params: { service_id: id } }) => {
    // Own ones are own data; others' are closed to a suspended agent, whether they are there or not.
    if (me.suspendedAt && !(await services.isOwn(service.sql, me.id, id))) passGate(service, me, 'reading')
    const found = await services.findVisible(service.sql, me.id, id)
    return { body: { service: show(found), actions: await nextSteps(service, me, found) } }
  },
})

const quoteService = quoteFor('agent', {
  path: '/services',
  tag: 'services',
  description: ', and friendship is not needed yet.',
})

export const catalogRoutes: readonly Route[] = [
  createService,
  listServices,
  listMine,
  getService,
  changeService,
  ...actionRoutes,
  quoteService,
  ...Object.values(customerServices),
]
