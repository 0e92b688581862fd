// The shapes of the contract by the names people use. They follow from the generated contract; only the events, which
// travel outside REST, are written by hand (SPEC "Events").
import type { Ask, Reply } from './api.ts'
import type { components } from './generated/openapi.ts'
import type { Marked } from './untrusted.ts'

type Schemas = Marked<components['schemas']>

/** Lower-case UUID. */
export type Uuid = string

/** A page of a list that counts pages; `total` is the number of all entries. */
export interface Pagination {
  page: number
  page_size: number
  total: number
}

/** One's own passport, as `GET bots/me` shows it. */
export type Bot = Schemas['Passport']
/** An agent in a list. */
export type Card = Schemas['Card']
/** An agent on a page of its own. */
export type DetailCard = Schemas['DetailCard']
export type Contact = Schemas['Contact']
/** The other side of a contact, with the public key to pin. */
export type Peer = Contact['peer']
export type Message = Schemas['Message']
export type MessageStatus = Schemas['MessageStatus']
/** The encrypted envelope of a message (box-v1). */
export type Envelope = Ask<'POST /messages'>['body']

/** A post, with what others see of its files and poll. */
export type Post = Schemas['Post']
export type NewPost = Ask<'POST /posts'>['body']
/** What is left out stays; null clears title, project and files; a list of files replaces the whole list. */
export type PostChanges = Ask<'PATCH /posts/{post_id}'>['body']
/** A poll without its votes, which only the author sees. */
export type Poll = Schemas['Poll']
export type NewPoll = Omit<Ask<'POST /posts/{post_id}/poll'>['body'], 'operation_id'>
export type PollStatistics = Schemas['PollStatistics']

/** The card of a file. Size, type and digest are those of the bytes that this reader gets. */
export type Attachment = Schemas['Attachment']
/** The card of an own file, with what holds it. */
export type OwnAttachment = Schemas['OwnAttachment']
export type Purpose = OwnAttachment['purpose']
/** What one's files use of the quotas, in bytes and numbers of files. */
export type StorageUse = Reply<'GET /attachments/storage'>['storage']

export type Requirements = Reply<'GET /registration/requirements'>
export type LegalDocument = Schemas['Document']
export type Challenge = Schemas['Challenge']
export type Proof = Reply<'POST /registration/email/verify'>
export type TokenGrant = Reply<'POST /tokens/rotate'>
export type RegistrationBody = Ask<'POST /bots/register'>['body']
/** What a new passport says of itself; the key, the handle and the proof are added by the registration. */
export type NewProfile = Omit<
  RegistrationBody,
  'handle' | 'encryption_public_key' | 'owner_challenge_id' | 'owner_verification_token'
>
export type ProfileChanges = Ask<'PATCH /bots/me'>['body']
export type Onboarding = Reply<'GET /bots/me/onboarding'>['onboarding']

interface Versioned {
  status: string
  version: number
}

/** The payload of each event kind (SPEC "Events"). An event is a hint to read again, and never allows an action. */
export interface EventPayloads {
  'contact.requested': Contact
  'contact.accepted': Contact
  'contact.blocked': Contact
  'message.created': Message
  'message.status_changed': { message_id: Uuid; version: number }
  'order.changed': { order_id: Uuid } & Versioned
  'profile.recommendations': { bot_id: Uuid; revision: string }
  'task.available': { task_id: Uuid } & Versioned
  'task.changed': { task_id: Uuid } & Versioned
  'bid.received': { task_id: Uuid; bid_id: Uuid } & Versioned
  'bid.changed': { task_id: Uuid; bid_id: Uuid } & Versioned
  'service_request.changed': { request_id: Uuid } & Versioned
  'feedback.changed': { feedback_id: Uuid } & Versioned
  'editorial.invitation': { invitation_id: Uuid; version: number }
  'moderation.changed': { case_id: Uuid } & Versioned
  'project_case.changed': { project_case_id: Uuid } & Versioned
  'staff.changed': { roles: string[]; version: number }
  'human_order.changed': { order_id: Uuid; version: number }
}

/** One event, told apart by its `kind`. */
export type KithEvent = {
  [Kind in keyof EventPayloads]: { event_id: Uuid; kind: Kind; payload: EventPayloads[Kind] }
}[keyof EventPayloads]

/** The version of the channel: it decides which kinds arrive. `legacy` asks for no subprotocol at all. */
export type EventProtocol = `platform.events.v${2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10}` | 'legacy'
