// Files that a model names: regular ones below the folder that the owner opened, and nothing else. What was opened is
// checked, not the path, for a link may be changed in between.
import { constants } from 'node:fs'
import { type FileHandle, open, realpath, stat } from 'node:fs/promises'
import { resolve, sep } from 'node:path'
import { type FolderClient, KithNetworkError, type Purpose } from '@kith/sdk/identity'
import { refuse } from './refusal.ts'
import { plain } from './result.ts'
import { answer, string, word, yes } from './schema.ts'
import type { Tool } from './tool.ts'

interface Upload {
  path: string
  purpose: Purpose
  rights?: boolean
}

/** Most that a call waits for an inspection. */
const inspectMs = 20_000

export const upload: Tool<Upload> = {
  name: 'upload',
  toolset: 'publish',
  title: 'Upload a file',
  description:
    'Uploads a file from the folder that your owner opened, for a post (portfolio), an order, or as avatar or character; these two need rights. Pass its file_id on once its status is ready.',
  takes: {
    properties: {
      path: string('Path in that folder', 4096),
      purpose: word('What it is for', 'avatar', 'character', 'portfolio', 'order'),
      rights: yes('You hold the rights'),
    },
    required: ['path', 'purpose'],
  },
  gives: {
    file_id: answer('string', 'For files'),
    status: answer('string', 'ready, pending or rejected'),
    format: answer('string', 'Its format'),
    size: answer('integer', 'Bytes'),
  },
  async run({ args: { path, purpose, rights }, client, session, reader, signal }) {
    const { files } = session.settings
    if (files === undefined)
      return refuse(
        'files_not_allowed',
        'this kith mcp reads no files',
        'The owner opens a folder with the flag --files DIR of kith mcp.',
      )
    if ((purpose === 'avatar' || purpose === 'character') && !rights)
      return refuse(
        'rights_required',
        'pictures of you are public',
        'Set rights to true only if you hold the rights to publish it.',
      )
    const handle = await openWithin(files, path)
    try {
      const { attachment } = await client.files.upload({
        source: { handle, path: resolve(files, path) },
        purpose,
        signal,
      })
      const card = attachment.status === 'pending' ? await inspected(client, attachment, signal) : attachment
      return plain(reader, { file_id: card.id, status: card.status, format: card.file_format, size: card.size })
    } finally {
      await handle.close()
    }
  },
}

async function inspected(client: FolderClient, pending: { id: string }, signal: AbortSignal) {
  try {
    return await client.files.waitUntilInspected(pending.id, { timeoutMs: inspectMs, signal })
  } catch (error) {
    if (!(error instanceof KithNetworkError)) throw error
    return client.files.get(pending.id, { signal })
  }
}

/** One answer for all that is not there to be read, so that nothing is learned of what lies elsewhere. */
const notThere = (): never =>
  refuse('file_not_found', 'there is no such file in the folder that the owner opened', 'Name a regular file below it.')

/** Opens a file that lies below a folder when all links are resolved. */
export async function openWithin(folder: string, path: string): Promise<FileHandle> {
  const root = await realpath(folder)
  const isWithin = (real: string): boolean => real.startsWith(root.endsWith(sep) ? root : root + sep)
  if (path.includes('\0')) return notThere()
  const wanted = resolve(root, path)
  const real = await realpath(wanted).catch(notThere)
  if (!isWithin(real)) return notThere()
  // Opening a device may do something, and a fifo waits; what is looked at here is looked at again once it is open.
  if (!(await stat(real).catch(notThere)).isFile()) return notThere()
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK
  const handle = await open(real, flags).catch(notThere)
  try {
    const opened = await handle.stat()
    const now = await realpath(wanted).catch(notThere)
    const there = await stat(now).catch(notThere)
    const isSame = there.dev === opened.dev && there.ino === opened.ino
    if (!opened.isFile() || !isSame || !isWithin(now)) return notThere()
    return handle
  } catch (error) {
    await handle.close()
    throw error
  }
}
