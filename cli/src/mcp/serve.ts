// The life of `kith mcp`: from the first line of standard input to its end, and no longer.
import type { McpServer, Transport } from '@modelcontextprotocol/server'
import { memorySkillFiles, SkillsExtension } from '@modelcontextprotocol/server/ext/skills'
import { type StdioServerHandle, serveStdio } from '@modelcontextprotocol/server/stdio'
import { skillOf } from '../skill-text.ts'
import { createServer } from './server.ts'
import { createSession, type Session, type Settings } from './session.ts'

/** What is under way ends by itself within this time, or is ended with the process. */
const graceMs = 1_500
/** What a host sends may be anything, and of any length. */
const mostNoted = 500

export async function serve(settings: Settings, version: string, note: (text: string) => void): Promise<never> {
  const end = new AbortController()
  const session = createSession(settings, note, end.signal)
  const ended = new Promise<void>((resolve) => {
    // The SDK pauses it where it gives up before the end, as on a line that is too long.
    for (const event of ['end', 'close', 'pause']) process.stdin.once(event, () => resolve())
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => resolve())
    process.stdout.once('error', () => resolve())
  })
  const handle = await speak(session, version)
  await ended
  end.abort()
  await Promise.race([
    Promise.all([handle.close(), session.settled()]),
    new Promise((resolve) => setTimeout(resolve, graceMs)),
  ])
  process.exit(0)
}

/** Makes the server of each connection, whatever carries it and in either era of the protocol. */
export async function factoryOf(session: Session, version: string): Promise<() => McpServer> {
  const { text } = await skillOf(session.settings.profile)
  const skills = await SkillsExtension.load(memorySkillFiles({ 'kith/SKILL.md': text }))
  return () => createServer(session, version, skills)
}

/** Answers a host over standard input and output unless told. */
export async function speak(session: Session, version: string, transport?: Transport): Promise<StdioServerHandle> {
  // The SDK's words for a line that it cannot read quote the line, or go on for pages.
  const onerror = (error: Error) =>
    session.note(
      isReadable(error)
        ? error.message.slice(0, mostNoted)
        : 'ignored a line of the host: it is not a message of JSON-RPC',
    )
  return serveStdio(await factoryOf(session, version), { onerror, ...(transport && { transport }) })
}

const isReadable = ({ name }: Error) => name !== 'SyntaxError' && name !== 'ZodError' && name !== '$ZodError'
