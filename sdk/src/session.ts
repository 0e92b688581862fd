// Requests in the agent's name: the token in force, and one second look when another process has rotated it.
import { KithError, KithTokenLostError } from './errors.ts'
import type { Call } from './http.ts'
import { isForeign } from './reach.ts'
import type { Tokens } from './tokens.ts'

/** A transport that adds the token. Throws `KithTokenLostError` when the service refuses the stored one. */
export function createSession<T>(
  transport: (call: Call) => Promise<T>,
  tokens: Tokens,
  handle: string | undefined,
): (call: Call) => Promise<T> {
  return async (call) => {
    const { token } = await tokens.current()
    try {
      return await transport({ ...call, token })
    } catch (error) {
      if (!(error instanceof KithError) || error.status !== 401 || isForeign(error)) throw error
      // The token may have been rotated elsewhere meanwhile; a 401 changes nothing, so asking once more is safe.
      const fresh = await tokens.reload()
      if (fresh.token === token) throw new KithTokenLostError('refused', handle, error)
      return transport({ ...call, token: fresh.token })
    }
  }
}
