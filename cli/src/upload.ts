// Uploads for whatever needs files: with a bar at a terminal, waited for until the inspection ended.
import { stat } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import { type Attachment, type FolderClient, KithError, KithInputError, type Purpose } from '@kith/sdk/identity'
import type { Input } from './command.ts'
import { Ended, exit, usage } from './exit.ts'
import { type Intent, partId } from './intents.ts'
import type { Io } from './io.ts'
import { checkId } from './lookup.ts'
import { line } from './safe.ts'

/** What --rights says, and why this command never says it by itself. */
export const rightsMeaning =
  'with --rights you confirm that you hold the rights to publish the files; nobody else can confirm it for you'

/** What tells a file of a command line from another, without reading it. */
export async function stamp(path: string): Promise<[path: string, size: number, modified: number]> {
  const found = await stat(path).catch(() => undefined)
  if (!found) throw usage(`there is no file ${line(path)}`)
  if (!found.isFile()) throw usage(`${line(path)} is not a file`)
  return [resolve(path), found.size, found.mtimeMs]
}

/** Upload one file and wait for its inspection; `rejected` is an answer too. */
export async function uploadFile(
  client: FolderClient,
  io: Io,
  ask: { path: string; purpose: Purpose; uploadId: string; keepName?: boolean },
): Promise<Attachment> {
  const { path, purpose, uploadId, keepName = false } = ask
  const name = line(basename(path)).slice(0, 30)
  try {
    const { attachment } = await client.files.upload({
      source: path,
      purpose,
      uploadId,
      ...(keepName && { name: basename(path) }),
      onProgress: (sent, total) =>
        io.status(sent < total ? bar(name, sent, total, io.columns) : `${name}: being inspected`),
    })
    return attachment.status === 'pending' ? await client.files.waitUntilInspected(attachment.id) : attachment
  } catch (error) {
    // Of several files it has to be known which.
    if (error instanceof KithInputError && !error.message.includes(resolve(path)))
      throw usage(`${line(path)}: ${error.message}`)
    if (error instanceof KithError && error.code === 'unsupported_media_type') throw unsupported(path, error)
    throw error
  } finally {
    io.status('')
  }
}

/** The refusal with the name of the file: "x.webp: unsupported file type; avatars are JPEG or PNG". */
function unsupported(path: string, { code, message, status, requestId }: KithError): Ended {
  const more = { status, request_id: requestId }
  return new Ended(
    exit.refused,
    code,
    `${line(path)}: ${message[0]!.toLowerCase()}${message.slice(1)}`,
    undefined,
    more,
  )
}

/** As `uploadFile`, for a file that is of no use unless it is ready. */
export async function uploadReady(
  client: FolderClient,
  io: Io,
  ask: Parameters<typeof uploadFile>[2],
): Promise<string> {
  const file = await uploadFile(client, io, ask)
  if (file.status !== 'ready') throw new Ended(exit.refused, `file_${file.status}`, unusable(ask.path, file))
  return file.id
}

/** Whether the command line names any. */
export const namesFiles = (input: Input): boolean => input.given('file') || input.given('attach')

/** Files that a command names: paths to upload, and own uploads to attach. At most 10. */
export function filesOf(input: Input): { paths: string[]; attached: string[] } {
  const [paths, attached] = [input.texts('file'), input.texts('attach').map(checkId)]
  if (paths.length + attached.length > 10) throw usage('at most 10 files')
  return { paths, attached }
}

/** The ids of files, uploaded under ids that belong to the intent: the same at every try. */
export async function uploaded(
  client: FolderClient,
  io: Io,
  intent: Intent,
  purpose: Purpose,
  paths: readonly string[],
): Promise<string[]> {
  const ids: string[] = []
  for (const [n, path] of paths.entries())
    ids.push(await uploadReady(client, io, { path, purpose, uploadId: partId(intent, n) }))
  return ids
}

/** The same files together: how many, what identifies them in an intent, and their IDs once they are uploaded. */
export async function namedFiles(input: Input, purpose: Purpose) {
  const { paths, attached } = filesOf(input)
  return {
    count: paths.length + attached.length,
    stamps: await Promise.all(paths.map(stamp)),
    attached,
    ids: async (client: FolderClient, intent: Intent): Promise<string[]> => [
      ...(await uploaded(client, input.io, intent, purpose, paths)),
      ...attached,
    ],
  }
}

/** What the reasons of a rejection mean; another, such as a moderator's, is shown as it is. */
const rejections: Readonly<Record<string, string>> = {
  broken: 'it is damaged, or not of the type it claims to be',
  encrypted: 'it is encrypted',
  external_reference: 'it refers to something outside itself',
  dimensions: 'it is too wide or too high',
  duration: 'it is too long',
  frame_rate: 'it has too many frames per second',
  codec: 'its video or audio codec is not supported',
  limits: 'it contains more than can be checked',
}

export function unusable(path: string, { status, moderation: { reason } }: Attachment): string {
  if (status !== 'rejected') return `${line(path)} is ${status}`
  if (reason === null) return `${line(path)} was rejected`
  return `${line(path)} was rejected: ${Object.hasOwn(rejections, reason) ? rejections[reason] : line(reason)}`
}

/** Fails before anything is sent, where files are about to be published and nobody said that this is right. */
export function needRights(input: Input): void {
  if (!input.is('rights')) throw usage('publishing files needs --rights', rightsMeaning)
}

export function bar(name: string, done: number, total: number, columns: number): string {
  const text = ` ${Math.floor((100 * done) / total)}%  ${bytesText(done)} of ${bytesText(total)}`
  const room = Math.max(10, Math.min(40, columns - name.length - text.length - 4))
  const full = Math.floor((room * done) / total)
  return `${name} ${'█'.repeat(full)}${'░'.repeat(room - full)}${text}`
}

export function bytesText(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`
  if (bytes < 1024 ** 2) return `${(bytes / 1024).toFixed(1)} KiB`
  return bytes < 1024 ** 3 ? `${(bytes / 1024 ** 2).toFixed(1)} MiB` : `${(bytes / 1024 ** 3).toFixed(2)} GiB`
}
