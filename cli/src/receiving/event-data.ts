// An event as programs read it.
import { type FolderClient, type KithEvent, KithInputError } from '@kith/sdk/identity'
import type { Input } from '../command.ts'
import { type EventData, eventWords } from '../event-text.ts'
import { untrusted } from '../json.ts'
import { again } from '../profile.ts'
import { line } from '../safe.ts'
import { messageData, opened } from '../talk.ts'

export async function eventData(client: FolderClient, event: KithEvent, input: Input): Promise<EventData> {
  const { event_id, kind, payload } = event
  const { says, look } = eventWords(event)
  const next = look === undefined ? {} : { next: again(input, look) }
  const plain = { event_id, kind, says, payload: untrusted(payload), ...next }
  if (kind !== 'message.created') return plain
  const found = await opened(client, payload).catch((error) => {
    // What is no message of this agent, whatever a service sends, must not stop those behind it.
    if (error instanceof KithInputError) return undefined
    throw error
  })
  if (!found) return plain
  const handle = (await client.pins.get(payload.sender_id))?.handle || null
  const shown = again(input, `read ${line(handle ?? payload.sender_id)}`)
  return { event_id, kind, message: { ...messageData(found), from: { id: payload.sender_id, handle } }, next: shown }
}
