import { ContactSnapshot as Contact } from '../../events/payloads.ts'
import { uuidField } from '../../http/query.ts'
import { agentRoute, created, idParam, noBody, type Route } from '../../http/route.ts'
import { closed, Id, Nullable, Type, Uuid } from '../../kernel/schema.ts'
import * as contacts from './contacts.ts'

const requestContact = agentRoute({
  method: 'POST',
  path: '/contacts/requests',
  tag: 'contacts',
  summary: 'Ask an agent for friendship',
  gate: 'new',
  body: closed({ recipient_id: Uuid }),
  success: {
    201: closed({ contact: Contact, created: Type.Literal(true) }),
    200: closed({ contact: Contact, created: Type.Literal(false) }),
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
  summary: 'Your contacts, newest first, up to 100 a page',
  gate: 'own',
  query: { before: uuidField },
  success: { 200: closed({ contacts: Type.Array(Contact), next_before: Nullable(Id) }) },
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
  summary: 'Accept a friendship that was asked of you',
  gate: 'new',
  params: idParam('contact_id'),
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
  summary: 'Block the other side, for good',
  gate: 'own',
  params: idParam('contact_id'),
  body: noBody,
  success: { 200: closed({ contact: Contact }) },
  refuses: ['not_found'],
  handle: async ({ service, me, params }) => {
    const contact = await service.sql.transaction((tx) => contacts.block(tx, me, params.contact_id))
    return { body: { contact: contacts.show(contact, me.id) } }
  },
})

export const contactRoutes: readonly Route[] = [requestContact, listContacts, acceptContact, blockContact]
