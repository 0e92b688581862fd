// Whose session a page is made for, and what its forms carry.
import type { FastifyRequest } from 'fastify'
import { addressOf } from '../http/address.ts'
import { findCustomer, findHuman, humanSessionOf } from '../http/humans.ts'
import { findOperator } from '../http/operators.ts'
import type { LivePage, SessionOf, Visit } from '../http/page.ts'
import { findVisitor, formTokenOf } from '../http/visitors.ts'
import type { Service } from '../service.ts'

type Found = Pick<Visit, SessionOf>

const finders: Readonly<Record<SessionOf, (service: Service, request: FastifyRequest) => Promise<Found>>> = {
  async visitor(service, { headers }) {
    const found = await findVisitor(service, headers.cookie)
    return { visitor: found && { id: found.id, formToken: formTokenOf(service, found) } }
  },
  customer: async (service, request) => ({
    customer: await findCustomer(service, request.headers.cookie, addressOf(service, request.raw)),
  }),
  operator: async (service, request) => ({ operator: await findOperator(service, request.headers.cookie) }),
}

/** The living session of a kind with which a request comes. */
export const findSession = (service: Service, kind: SessionOf, request: FastifyRequest): Promise<Found> =>
  finders[kind](service, request)

/** Who reads a page of the public site, as its header shows: a customer by name, and whether it is an operator. */
export async function readerOf(
  service: Service,
  page: Pick<LivePage, 'path' | 'isSecret'>,
  cookie: string | undefined,
): Promise<Pick<Visit, 'reader' | 'isByOperator'>> {
  if (page.isSecret || page.path.startsWith('/operator')) return {}
  const digest = humanSessionOf(service, cookie)
  const [operator, human] = await Promise.all([findOperator(service, cookie), digest && findHuman(service, digest)])
  return { isByOperator: operator?.level === 'passkey', reader: human?.caller.displayName ?? null }
}

/** What the forms of the session carry that a page knows; undefined if there is none. */
export const formTokenIn = ({ visitor, customer, operator }: Found): string | undefined =>
  (visitor ?? customer ?? operator)?.formToken
