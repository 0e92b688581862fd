// docs/contract/events.md#the-channel: the subprotocol names the version; without one it is the legacy channel, version
// 1.
import { newestChannelVersion } from '../events/kinds.ts'

/** The version of the one subprotocol offered; undefined if it is unsupported or there are several. */
export function negotiate(offered: readonly string[]): number | undefined {
  if (offered.length === 0) return 1
  const version = /^platform\.events\.v(\d{1,2})$/.exec(offered[0] as string)?.[1]
  if (offered.length > 1 || version === undefined || version.startsWith('0')) return undefined
  const number = Number(version)
  return number >= 2 && number <= newestChannelVersion ? number : undefined
}

/** Every protocol named in the (possibly repeated) `Sec-WebSocket-Protocol` headers. */
export function offeredProtocols(rawHeaders: readonly string[]): string[] {
  const offered: string[] = []
  for (let i = 0; i < rawHeaders.length; i += 2) {
    if ((rawHeaders[i] as string).toLowerCase() !== 'sec-websocket-protocol') continue
    offered.push(...(rawHeaders[i + 1] as string).split(',').map((name) => name.trim()))
  }
  return offered
}
