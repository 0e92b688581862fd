// One process of `kith mcp`: what it was started with, and the identity that its tools act for.
import { type FolderClient, KithError, KithNetworkError } from '@kith/sdk/identity'
import { again, openProfile, resumeQuietly } from '../profile.ts'
import type { Reader } from './result.ts'
import type { Toolset } from './toolsets.ts'

export interface Settings {
  profile: string
  toolsets: readonly Toolset[]
  readOnly: boolean
  /** The folder that files are read from. */
  files?: string | undefined
  from: 'all' | 'friends'
}

export interface Session {
  settings: Settings
  /** A word for the owner, on the error stream. */
  note(text: string): void
  /** The identity; until it exists, each call looks for it again. */
  client(): Promise<FolderClient>
  reader(client: FolderClient): Promise<Reader>
  /** Sends what an earlier run left open; what stays open is only noted. */
  resume(client: FolderClient): Promise<void>
  /** What the last `inbox` handed over, which the next one acknowledges. */
  handed: Set<string>
  /** Events that this process has shown without acknowledging them. */
  seen: Set<string>
  /** Whether it has looked at what another process stored. */
  looked: boolean
  /** Longest that a call may take to be answered. */
  answerMs: number
  /** Calls that were not answered in time, by what was asked: the same again, within minutes, is the same call. */
  unanswered: Map<string, Promise<object>>
  /** Ends with the process. */
  signal: AbortSignal
  /** Runs a call, which the end of the process waits for. */
  during<T>(call: Promise<T>): Promise<T>
  /** When no call is still under way. */
  settled(): Promise<unknown>
}

/** Before a host gives up on a call, which it may after a minute. */
const usualAnswerMs = 57_000
/** Friends change rarely, and only their names matter here. */
const friendsMs = 30_000

export function createSession(
  settings: Settings,
  note: (text: string) => void,
  signal: AbortSignal,
  open: () => Promise<FolderClient> = () => openProfile(settings),
  answerMs = usualAnswerMs,
): Session {
  let opened: Promise<FolderClient> | undefined
  const underWay = new Set<Promise<unknown>>()
  let friends: { names: Set<string>; at: number } | undefined

  async function friendsOf(client: FolderClient): Promise<Set<string>> {
    if (friends && Date.now() - friends.at < friendsMs) return friends.names
    const names = new Set<string>()
    for await (const { status, peer } of client.contacts.list()) if (status === 'accepted') names.add(`@${peer.handle}`)
    friends = { names, at: Date.now() }
    return names
  }

  return {
    settings,
    note,
    answerMs,
    unanswered: new Map(),
    signal,
    during(call) {
      underWay.add(call)
      const over = () => void underWay.delete(call)
      call.then(over, over)
      return call
    },
    settled: () => Promise.allSettled(underWay),
    handed: new Set(),
    seen: new Set(),
    looked: false,
    client() {
      // One for all calls: hosts make several at once, and what one client sends another would take for left open.
      opened ??= open().catch((error) => {
        opened = undefined
        throw error
      })
      return opened
    },
    async reader(client) {
      const friends = settings.from === 'friends' ? await friendsOf(client) : undefined
      return { me: client.passport.bot.handle, friends, command: (words) => again(settings, words) }
    },
    async resume(client) {
      if (settings.readOnly) return
      await resumeQuietly(client, { note })
    },
  }
}

/** Whether the service could not be asked, rather than said no; something in between may have said so instead. */
export const isUnreachable = (error: unknown): boolean =>
  error instanceof KithNetworkError ||
  (error instanceof KithError && (error.status >= 500 || error.code === 'unexpected_answer'))
