// Sending, the hot path: every check, the message and its event in one statement for all that wait, then the answer
// and the recipient's socket. docs/decisions/0004-hot-path.md says why it is one.
import type { PushedEvent } from '../../events/hub.ts'
import type { Admitted, Agent } from '../../kernel/callers.ts'
import { inactiveBy } from '../../kernel/gate.ts'
import { Refusal, refuse, unauthorized } from '../../kernel/refuse.ts'
import { perService, type Service } from '../../service.ts'
import { coalesce } from '../../store/coalesce.ts'
import {
  type Created,
  type Envelope,
  insertFaultless,
  insertJudged,
  type Outcome,
  type Refused,
  type Send,
  type Stored,
} from './inserting.ts'
import type { Message } from './messages.ts'

export interface SentMessage {
  /** The {@link Message} as it is answered. */
  json: string
  created: boolean
}

const maxAttempts = 5

/** Sends as the agent of a session, whose token may have been recalled from memory: it is checked with all else. */
export type Sender = (sender: Admitted<Agent>, envelope: Envelope) => Promise<SentMessage>

/**
 * Returns the verb that sends. The caller's token is checked in the same statement, so the agent may come from
 * memory. Refuses, in this order: unauthorized; idempotency_conflict, message_expired (a used client_message_id);
 * profile_inactive, owner_email_required; invalid_input (to the sender itself), not_found; contact_not_accepted; key_changed,
 * peer_key_changed, nonce_reuse.
 */
function createSender(service: Service): Sender {
  const shared = {
    // The ID without its sender: if two use the same by chance, one of them goes with the next statement.
    keys: ({ sender: { caller }, envelope: { recipient_id: other, client_message_id, nonce } }: Send) => [
      client_message_id,
      caller.id < other ? `${caller.id} ${other} ${nonce}` : `${other} ${caller.id} ${nonce}`,
    ],
    maxBatch: 64,
    maxWaiting: 10_000,
    onFull: () => new Refusal('service_unavailable', { retryAfter: 1 }),
  }
  const write = coalesce<Send, Created | undefined>({
    ...shared,
    write: (sends) => {
      service.metrics.sendBatch.observe(sends.length)
      return insertFaultless(service, sends)
    },
    written: (sends, outcomes) => push(service, sends, outcomes),
    // One statement at a time makes the largest batches. A second begins only beside one that takes longer than 20 ms, such as
    // one that waits for a lock.
    concurrency: 2,
    overtakeAfter: 20,
  })
  const judge = coalesce<Send, Outcome>({
    ...shared,
    write: (sends) => insertJudged(service, sends),
    written: (sends, outcomes) => push(service, sends, outcomes),
    concurrency: 1,
  })
  async function judged(send: Send): Promise<SentMessage> {
    for (let attempt = 0; attempt < maxAttempts; attempt++) {
      const result = await judge(send)
      // Another node wrote the same id or nonce at the same moment, or blocked: what it did decides the next time.
      if (result.outcome === 'again') continue
      if (!isStored(result)) return refuseSend(result)
      return sentOf(send, result)
    }
    return refuse('service_unavailable', { retryAfter: 1 })
  }
  return (sender, envelope) => {
    const send = { sender, envelope }
    return write(send).then((created) => (created ? sentOf(send, created) : judged(send)))
  }
}

export const senderOf = perService(createSender)

const sentOf = (send: Send, result: Stored): SentMessage => {
  const created = result.outcome === 'created'
  return { json: (created && result.json) || jsonOf(messageFrom(send, result)), created }
}

const isStored = (result: Stored | Refused): result is Stored =>
  result.outcome === 'created' || result.outcome === 'replay'

function refuseSend({ outcome: code, suspensionCaseId }: Refused): never {
  if (code === 'unauthorized') unauthorized()
  if (code === 'invalid_input') {
    refuse(code, { details: { fields: [{ path: 'recipient_id', problem: 'must be another agent' }] } })
  }
  return refuse(code, code === 'profile_inactive' ? inactiveBy(suspensionCaseId) : {})
}

const messageFrom = ({ sender, envelope }: Send, { id, created_at }: { id: string; created_at: Date }): Message => ({
  id,
  sender_id: sender.caller.id,
  recipient_id: envelope.recipient_id,
  client_message_id: envelope.client_message_id,
  nonce: envelope.nonce,
  ciphertext: envelope.ciphertext,
  encryption_version: 'box-v1',
  sender_public_key: envelope.sender_public_key,
  recipient_public_key: envelope.recipient_public_key,
  created_at: created_at.toISOString(),
})

/** Nothing in a message needs escaping, because IDs and base64 are canonical: so it takes a quarter of `JSON.stringify`. */
const jsonOf = (message: Message): string =>
  `{"id":"${message.id}","sender_id":"${message.sender_id}","recipient_id":"${message.recipient_id}",` +
  `"client_message_id":"${message.client_message_id}","nonce":"${message.nonce}","ciphertext":"${message.ciphertext}",` +
  `"encryption_version":"${message.encryption_version}","sender_public_key":"${message.sender_public_key}",` +
  `"recipient_public_key":"${message.recipient_public_key}","created_at":"${message.created_at}"}`

/** Straight from memory to the recipient's socket, as the row would be read on delivery; made into JSON once for both. */
function push(service: Service, sends: readonly Send[], outcomes: readonly (Outcome | undefined)[]): void {
  const events: PushedEvent[] = []
  for (const [at, result] of outcomes.entries()) {
    if (result?.outcome !== 'created') continue
    const payload = messageFrom(sends[at] as Send, result)
    result.json = jsonOf(payload)
    const { id, recipient_id: recipientId } = payload
    events.push({ id, recipientId, kind: 'message.created', payload, json: result.json, begunAt: result.begunAt })
  }
  service.metrics.messagesSent.inc(events.length)
  service.hub.push(events)
}
