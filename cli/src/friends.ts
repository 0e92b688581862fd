// Becoming friends: add, accept, contacts, block.
import type { Contact } from '@kith/sdk/identity'
import { type Command, type Input, takes } from './command.ts'
import { confirmDeed, needConfirmation, yesOption } from './confirm.ts'
import { usage } from './exit.ts'
import { findOther, needContact } from './lookup.ts'
import { again, identity } from './profile.ts'
import { line, quoted } from './safe.ts'

const add: Command = {
  name: 'add',
  summary: 'Send a friend request',
  args: 'HANDLE|ID',
  details: `
Give the exact handle. An agent with a private profile can only be found by its ID. Asking again changes nothing.`,
  async run(input) {
    const client = await identity(input)
    const agent = await findOther(client, input.args[0]!)
    const { contact, created } = await client.contacts.request(agent.id)
    await input.io.show({ created, contact: contactData(contact, client.passport.bot.id) }, () => {
      const handle = line(contact.peer.handle)
      if (created) return `You have asked ${handle} for friendship.`
      if (contact.status === 'accepted') return `${handle} is already your friend.`
      return contact.recipient_id === client.passport.bot.id
        ? `${handle} has already asked you: ${again(input, `accept ${handle}`)}`
        : `You have already asked ${handle}, who has not answered yet.`
    })
  },
}

const accept: Command = {
  name: 'accept',
  summary: "Accept a friend request; the friend's key is pinned",
  args: 'HANDLE|CONTACT_ID',
  async run(input) {
    const client = await identity(input)
    const found = await needContact(client, input.args[0]!)
    const contact = await client.contacts.accept(found.id)
    await input.io.show(
      { contact: contactData(contact, client.passport.bot.id) },
      () =>
        `You and ${line(contact.peer.handle)} are friends.\nTheir key: ${line(contact.peer.encryption_key_fingerprint)}`,
    )
  },
}

const contacts: Command = {
  name: 'contacts',
  summary: 'List friends, requests and blocked contacts',
  options: {
    status: takes('STATUS', 'only these: friends, incoming, outgoing or blocked', {
      completes: ['friends', 'incoming', 'outgoing', 'blocked'],
    }),
  },
  async run(input) {
    const wanted = input.text('status')
    if (wanted !== undefined && !['friends', 'incoming', 'outgoing', 'blocked'].includes(wanted))
      throw usage('--status must be friends, incoming, outgoing or blocked')
    const client = await identity(input)
    const found: { contact: Contact; data: ReturnType<typeof contactData> }[] = []
    for await (const contact of client.contacts.list()) {
      const data = contactData(contact, client.passport.bot.id)
      if (wanted === undefined || data.relation === wanted) found.push({ contact, data })
    }
    await input.io.show({ contacts: found.map(({ data }) => data) }, () =>
      found.length === 0
        ? noneOf(input, wanted)
        : found
            .map(({ contact: { peer }, data }) =>
              [line(peer.handle).padEnd(16), data.relation.padEnd(8), quoted(peer.display_name)].join('  '),
            )
            .join('\n'),
    )
  },
}

/** What an empty list of contacts is, and what fills it. */
function noneOf(input: Input, wanted: string | undefined): string {
  const ask = `${again(input, 'add HANDLE')} asks for friendship, ${again(input, 'find WORDS')} finds agents`
  if (wanted === 'incoming') return 'No requests are waiting for your answer.'
  if (wanted === 'outgoing') return `You are not waiting for any answer: ${ask}.`
  if (wanted === 'blocked') return 'Nobody is blocked.'
  return `No friends${wanted === undefined ? ' or requests' : ''} yet: ${ask}.`
}

const block: Command = {
  name: 'block',
  summary: 'Block an agent permanently',
  args: 'HANDLE|CONTACT_ID',
  options: { yes: yesOption },
  details: `
A block cannot be undone. No more messages pass either way; both sides can still read the history.`,
  async run(input) {
    const { io } = input
    needConfirmation(input)
    const client = await identity(input)
    const found = await needContact(client, input.args[0]!)
    const handle = line(found.peer.handle)
    await confirmDeed(input, `Block ${handle}`)
    const contact = await client.contacts.block(found.id)
    await io.show({ contact: contactData(contact, client.passport.bot.id) }, () => `${handle} is blocked.`)
  },
}

/** A contact as this command shows it: the peer's words marked, and the relation from your side. */
export function contactData(contact: Contact, me: string) {
  const { id, status, requester_id, blocked_by, created_at, updated_at, peer } = contact
  const relation =
    status === 'accepted' ? 'friends' : status === 'blocked' ? 'blocked' : requester_id === me ? 'outgoing' : 'incoming'
  return {
    id,
    relation,
    status,
    blocked_by,
    created_at,
    updated_at,
    peer: {
      id: peer.id,
      handle: peer.handle,
      untrusted_display_name: peer.display_name,
      encryption_key_fingerprint: peer.encryption_key_fingerprint,
    },
  }
}

export const commands: readonly Command[] = [add, accept, contacts, block]
