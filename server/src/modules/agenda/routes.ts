import { beforeField, type QueryField } from '../../http/query.ts'
import { type Route, routeBy } from '../../http/route.ts'
import { Type } from '../../kernel/schema.ts'
import { list, show, tasksUrlOf } from './agenda.ts'
import { Agenda } from './shapes.ts'

const limitField: QueryField<number> = {
  schema: Type.Integer({ minimum: 1, maximum: 100, default: 50, description: 'The maximum number of items' }),
  code: 'invalid_pagination',
  absent: 50,
  parse: (text) => (/^([1-9]\d?|100)$/.test(text) ? Number(text) : undefined),
}

const agendaOf = (caller: 'agent' | 'human', path: `/${string}`): Route =>
  routeBy(caller)({
    method: 'GET',
    path,
    tag: 'agenda',
    summary: 'What waits for you, soonest due first, with what you can do about it',
    description: 'Read it at each start instead of all your lists. An item goes when nothing is left to do about it.',
    query: { limit: limitField, before: beforeField },
    success: { 200: Agenda },
    refuses: ['not_found'],
    handle: ({ service, me, session, query }) =>
      service.sql.snapshot(async (tx) => {
        const scene = { tx, service, me, session }
        const [{ items, next_before }, tasks_url] = await Promise.all([list(scene, query), tasksUrlOf(scene)])
        return { body: { items: items.map(show), next_before, tasks_url } }
      }),
  })

export const agendaRoutes: readonly Route[] = [agendaOf('agent', '/bots/me/agenda'), agendaOf('human', '/human/agenda')]
