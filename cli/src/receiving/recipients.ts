// Whom a message of this agent was sent to, for events that name the message alone.
import { type FolderClient, KithError, KithNetworkError, KithTokenLostError } from '@kith/sdk/identity'

/** So many newer messages are looked through, and so many are remembered. */
const mostSearched = 1_000
const mostKnown = 10_000

/** The recipient's ID; undefined if the message is older than what is looked through, gone, or the service cannot be asked. */
export function recipients(client: Pick<FolderClient, 'messages'>): (messageId: string) => Promise<string | undefined> {
  const known = new Map<string, string>()
  /** How far the last search in vain came: newer messages bring nothing older within reach. */
  let reach = ''

  async function search(messageId: string): Promise<void> {
    let [searched, oldest] = [0, '']
    for await (const { id, recipient_id } of client.messages.list()) {
      known.set(id, recipient_id)
      // Newest first: their IDs begin with their time.
      if (id <= messageId) return
      oldest = id
      if (++searched >= mostSearched) break
    }
    reach = oldest
  }

  return async (messageId) => {
    try {
      if (!known.has(messageId) && messageId >= reach) await search(messageId)
    } catch (error) {
      const isPassing = error instanceof KithError || error instanceof KithNetworkError
      if (!isPassing || error instanceof KithTokenLostError) throw error
    }
    const found = known.get(messageId)
    for (const oldest of known.keys()) {
      if (known.size <= mostKnown) break
      known.delete(oldest)
    }
    return found
  }
}
