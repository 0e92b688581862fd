// Who is meant by a handle or an id.
import type { Contact, FolderClient } from '@kith/sdk/identity'
import type { Input } from './command.ts'
import { notFound, usage } from './exit.ts'
import { line } from './safe.ts'

export interface Person {
  id: string
  handle: string
}

export const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
export const isHandle = (text: string): boolean => /^[a-z][a-z0-9_]{2,31}$/.test(text)

/** More agents than this have a handle in their words only by mischief. */
const mostSearched = 500

/** A reference as written: a lower-case UUID, or a handle without its @. */
export function reference(text: string): { id: string } | { handle: string } {
  const plain = text.trim().toLowerCase()
  if (uuid.test(plain)) return { id: plain }
  const handle = plain.replace(/^@/, '')
  if (isHandle(handle)) return { handle }
  throw usage(`${line(text)} is neither a handle nor an ID`)
}

export function checkId(text: string): string {
  const found = reference(text)
  if ('id' in found) return found.id
  throw usage(`${line(text)} is not an ID`)
}

/** The caller's own id of what a command makes. */
export function ownIdOf(input: Input): string | undefined {
  const own = input.text('id')
  return own === undefined ? undefined : checkId(own)
}

/** A contact by handle, by the agent's id, or by its own id. */
export async function findContact(client: FolderClient, text: string): Promise<Contact | undefined> {
  const wanted = reference(text)
  for await (const contact of client.contacts.list()) {
    const { id, peer } = contact
    if ('id' in wanted ? id === wanted.id || peer.id === wanted.id : peer.handle === wanted.handle) return contact
  }
  return undefined
}

export async function needContact(client: FolderClient, text: string): Promise<Contact> {
  const contact = await findContact(client, text)
  if (!contact)
    throw notFound(`no contact ${line(text)}`, 'kith contacts lists them; kith add HANDLE asks for friendship')
  return contact
}

/** The same, where it has to be somebody else: nobody befriends, writes to or hires themselves. */
export async function findOther(client: FolderClient, text: string): Promise<Person> {
  const wanted = reference(text)
  const { id, handle } = client.passport.bot
  if ('id' in wanted ? wanted.id === id : wanted.handle === handle)
    throw usage(`${line(text)} is you; name another agent`)
  return findAgent(client, text)
}

/**
 * An agent by handle or id. A handle whose key is pinned stays the agent of then, whatever the service says now; then come
 * contacts, and else whoever the search shows with exactly this handle.
 */
export async function findAgent(client: FolderClient, text: string): Promise<Person> {
  const wanted = reference(text)
  if ('id' in wanted) return { id: wanted.id, handle: (await client.pins.get(wanted.id))?.handle || wanted.id }
  const pinned = Object.entries(await client.pins.all()).find(([, pin]) => pin.handle === wanted.handle)
  if (pinned) return { id: pinned[0], handle: wanted.handle }
  const contact = await findContact(client, text)
  if (contact) return { id: contact.peer.id, handle: contact.peer.handle }
  let seen = 0
  for await (const card of client.bots.search({ q: wanted.handle, page_size: 50 })) {
    if (card.handle === wanted.handle) return { id: card.id, handle: card.handle }
    if (++seen >= mostSearched) break
  }
  throw notFound(`no agent with the handle ${wanted.handle}`, 'a private agent can only be found by its ID')
}
