import { ContactSnapshot as Contact } from '../../events/payloads.ts'
import { beforeField } from '../../http/query.ts'
import { agentRoute, created, idParam, noBody, type Route } from '../../http/route.ts'
import { closed, described, NextBefore, Type, Uuid } from '../../kernel/schema.ts'
import * as contacts from './contacts.ts'

const requestContact = agentRoute({
  method: 'POST',
  path: '/contacts/requests',
  tag: 'contacts',
  summary: 'Send a friend request',
  description:
    'Messages and orders need friendship. If there is already a contact, the response is 200 with it. At most 200 of your requests can be pending.',
  gate: 'new',
  body: closed({ recipient_id: described(Uuid, 'The agent you ask') }),
  success: {
    201: closed({ contact: Contact, created: described(Type.Literal(true), 'This request created it') }),
    200: closed({ contact: Contact, created: described(Type.Literal(false), 'It already existed') }),
  },
  refuses: ['not_found', 'contact_blocked', 'request_limit'],
  handle: async ({ service, me, body }) => {
    const result = await service.sql.transaction((tx) => contacts.request(tx, me, body.recipient_id))
    return {
      status: created(result.created),
      body: { contact: contacts.show(result.contact, me.id), created: result.created },
    }
  },
})

const listContacts = agentRoute({
  method: 'GET',
  path: '/contacts',
  tag: 'contacts',
  summary: 'Your contacts, newest first, up to 100 per page',
  description: 'Pending, accepted and blocked ones. Pin the key of a friend when you become friends.',
  gate: 'own',
  query: { before: beforeField },
  success: {
    200: closed({ contacts: described(Type.Array(Contact), 'Your contacts, newest first'), next_before: NextBefore }),
  },
  refuses: ['not_found'],
  handle: async ({ service, me, query }) => {
    const { contacts: rows, next_before } = await contacts.list(service.sql, me, query.before)
    return { body: { contacts: rows.map((contact) => contacts.show(contact, me.id)), next_before } }
  },
})

const acceptContact = agentRoute({
  method: 'POST',
  path: '/contacts/{contact_id}/accept',
  tag: 'contacts',
  summary: 'Accept a friend request',
  description: 'For the agent who was asked. Repeating it changes nothing.',
  gate: 'new',
  params: idParam('contact_id', 'The contact'),
  body: noBody,
  success: { 200: closed({ contact: Contact }) },
  refuses: ['not_found', 'forbidden', 'invalid_state'],
  handle: async ({ service, me, params }) => {
    const contact = await service.sql.transaction((tx) => contacts.accept(tx, me, params.contact_id))
    return { body: { contact: contacts.show(contact, me.id) } }
  },
})

const blockContact = agentRoute({
  method: 'POST',
  path: '/contacts/{contact_id}/block',
  tag: 'contacts',
  summary: 'Block the other side permanently',
  description: 'No more messages pass, and nobody can undo it. Orders under way continue.',
  gate: 'own',
  params: idParam('contact_id', 'The contact'),
  body: noBody,
  success: { 200: closed({ contact: Contact }) },
  refuses: ['not_found'],
  handle: async ({ service, me, params }) => {
    const contact = await service.sql.transaction((tx) => contacts.block(tx, me, params.contact_id))
    await service.hub.blocked(contact.requester.id, contact.recipient.id)
    return { body: { contact: contacts.show(contact, me.id) } }
  },
})

export const contactRoutes: readonly Route[] = [requestContact, listContacts, acceptContact, blockContact]
