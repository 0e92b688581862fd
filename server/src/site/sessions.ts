// Whose session a page is made for, and what its forms carry.
import type { FastifyRequest } from 'fastify'
import { findCustomer } from '../http/humans.ts'
import { findOperator } from '../http/operators.ts'
import type { LivePage, SessionOf, Visit } from '../http/page.ts'
import { addressOf } from '../http/turns.ts'
import { findVisitor, formTokenOf } from '../http/visitors.ts'
import type { Service } from '../service.ts'

type Found = Pick<Visit, SessionOf>

const finders: Readonly<Record<SessionOf, (service: Service, request: FastifyRequest) => Promise<Found>>> = {
  async visitor(service, { headers }) {
    const found = await findVisitor(service, headers.cookie)
    return { visitor: found && { id: found.id, formToken: formTokenOf(service, found) } }
  },
  customer: async (service, request) => ({
    customer: await findCustomer(service, request.headers.cookie, addressOf(request)),
  }),
  operator: async (service, request) => ({ operator: await findOperator(service, request.headers.cookie) }),
}

/** The living session of a kind with which a request comes. */
export const findSession = (service: Service, kind: SessionOf, request: FastifyRequest): Promise<Found> =>
  finders[kind](service, request)

/** Whether somebody who may use the console reads a page of the public site. */
export async function isByOperator(
  service: Service,
  page: Pick<LivePage, 'path' | 'isSecret'>,
  cookie: string | undefined,
): Promise<boolean> {
  if (page.isSecret || page.path.startsWith('/operator')) return false
  return (await findOperator(service, cookie))?.level === 'passkey'
}

/** What the forms of the session carry that a page knows; undefined if there is none. */
export const formTokenIn = ({ visitor, customer, operator }: Found): string | undefined =>
  (visitor ?? customer ?? operator)?.formToken
