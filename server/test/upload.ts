// Uploads in a story: forms as clients send them, and the bytes as readers get them.
import assert from 'node:assert/strict'
import { createHash, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { type ClientRequest, Agent as Connections, type IncomingMessage, request } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { OwnAttachment } from '../src/modules/attachments/cards.ts'
import { createUploads, type Times, uploadsOf } from '../src/modules/attachments/uploads.ts'
import type { Service } from '../src/service.ts'
import { type ObjectName, objectNames } from '../src/storage/keys.ts'
import type { Storage } from '../src/storage/storage.ts'
import { conforms } from './conforms.ts'
import { assertUsageAddsUp } from './usage.ts'
import { type Agent, type Answer, eventually, type World } from './world.ts'

interface UploadOptions {
  purpose?: string
  uploadId?: string
  /** Parts in this order; `file` last unless told otherwise. */
  order?: readonly ('file' | 'purpose' | 'upload_id')[]
  fileName?: string
}

type Place = Pick<World, 'url'>
type Caller = Pick<Agent, 'token'>

const connections = new Connections({ keepAlive: true })

interface Asking {
  method?: string
  agent?: Caller | undefined
  headers?: Record<string, string>
  body?: Buffer | AsyncIterable<Buffer>
}

/** Asks for a path below /api/v1, or as a card names it. fetch would copy a body several times. */
async function ask(at: Place, path: string, { method = 'GET', agent, headers, body }: Asking): Promise<BytesAnswer> {
  const sent = request(at.url + (path.startsWith('/api/') ? path : `/api/v1${path}`), {
    // One that is refused in the middle of a body serves nobody else.
    agent: body === undefined ? connections : false,
    method,
    headers: { ...(agent && { authorization: `Bearer ${agent.token}` }), ...headers },
  })
  const heard = once(sent, 'response') as Promise<[IncomingMessage]>
  // Whoever is refused in the middle of a body may find its socket closed.
  sent.on('error', () => {})
  if (body === undefined || Buffer.isBuffer(body)) sent.end(body)
  else pipeline(Readable.from(body), sent).catch(() => {})
  const [response] = await heard
  const bytes = Buffer.concat(await response.toArray())
  if (!sent.writableFinished) sent.destroy()
  const status = response.statusCode as number
  return {
    status,
    headers: new Headers(Object.entries(response.headers).map(([name, value]) => [name, String(value)])),
    bytes,
    code: status >= 400 && bytes.length > 0 ? JSON.parse(bytes.toString()).error.code : undefined,
  }
}

/** Uploads bytes; the answer's shape is held against the contract. */
export function upload(at: Place, agent: Caller, bytes: Buffer, options: UploadOptions = {}): Promise<Answer> {
  const parts = {
    // As browsers write it.
    file: filePart(bytes, Buffer.from(options.fileName ?? 'file').toString('latin1')),
    purpose: field('purpose', options.purpose ?? 'portfolio'),
    upload_id: field('upload_id', options.uploadId ?? randomUUID()),
  }
  const order = options.order ?? (['purpose', 'upload_id', 'file'] as const)
  return post(at, agent, form(order.map((name) => parts[name])))
}

function answered({ status, headers, bytes }: BytesAnswer): Answer {
  const body = JSON.parse(bytes.toString())
  if (status < 300) assert.deepEqual(conforms(OwnAttachment, body.attachment), [])
  return { status, headers, body }
}

/** Uploads bytes that must turn out ready; gives the card. */
export async function uploaded(at: Place, agent: Caller, bytes: Buffer, options: UploadOptions = {}) {
  const answer = await upload(at, agent, bytes, options)
  assert.equal(answer.status, 201, JSON.stringify(answer.body))
  const card = await inspected(at, agent, answer)
  assert.equal(card.status, 'ready', JSON.stringify(card.moderation))
  return card
}

/** The card of an upload once its inspection has ended: on a busy machine the answer may come before. */
export async function inspected(at: Place, agent: Caller, { body }: Pick<Answer, 'body'>) {
  let card = body.attachment
  await eventually(async () => {
    if (card.status !== 'pending') return true
    card = answered(await ask(at, `/attachments/${card.id}`, { agent })).body.attachment
    return false
  }, 'the end of an inspection')
  return card
}

const boundary = 'a-boundary-of-a-test'

/** The type of a body that {@link form} or {@link partsOf} wrote. */
export const formType: string = `multipart/form-data; boundary=${boundary}`

/** A part of a form: its headers, each with a line end, and its bytes. */
interface RawPart {
  head: string
  body: Buffer | string
}

export const field = (name: string, body: string): RawPart => ({
  head: `Content-Disposition: form-data; name="${name}"\r\n`,
  body,
})

export const filePart = (body: Buffer | string, fileName = 'file'): RawPart => ({
  head: `Content-Disposition: form-data; name="file"; filename="${fileName}"\r\nContent-Type: image/jpeg\r\n`,
  body,
})

/** What comes before the bytes of the last part, and what comes after them. */
export function around(parts: readonly RawPart[]): { before: Buffer; after: Buffer } {
  const before = parts.map(({ head, body }, index) =>
    Buffer.concat([
      Buffer.from(`${index === 0 ? '' : '\r\n'}--${boundary}\r\n${head}\r\n`, 'latin1'),
      Buffer.from(index === parts.length - 1 ? '' : body),
    ]),
  )
  return { before: Buffer.concat(before), after: Buffer.from(`\r\n--${boundary}--\r\n`) }
}

/** A form, byte by byte as it is told here. */
export function form(parts: readonly RawPart[]): Buffer {
  const { before, after } = around(parts)
  return Buffer.concat([before, Buffer.from(parts.at(-1)?.body ?? ''), after])
}

export const usualFields = (purpose = 'portfolio', uploadId: string = randomUUID()): RawPart[] => [
  field('purpose', purpose),
  field('upload_id', uploadId),
]

/** Sends a body as it is. */
export const post = async (
  at: Place,
  agent: Caller | undefined,
  body: Buffer | AsyncIterable<Buffer>,
  headers: Record<string, string> = {},
): Promise<Answer> =>
  answered(
    await ask(at, '/attachments', { method: 'POST', agent, body, headers: { 'content-type': formType, ...headers } }),
  )

export interface Sending {
  request: ClientRequest
  /** Undefined if the connection ended without an answer. */
  answer: Promise<Pick<Answer, 'status' | 'body'> | undefined>
}

/** Begins an upload whose body the story writes when it likes. */
export function begin(at: Place, agent: Caller, headers: Record<string, string | number> = {}): Sending {
  const sent = request(`${at.url}/api/v1/attachments`, {
    method: 'POST',
    headers: { authorization: `Bearer ${agent.token}`, 'content-type': formType, ...headers },
    agent: false,
  })
  const answer = (once(sent, 'response') as Promise<[IncomingMessage]>)
    .then(async ([response]) => {
      const chunks = await response.setEncoding('utf8').toArray()
      return { status: response.statusCode as number, body: JSON.parse(chunks.join('')) }
    })
    .catch(() => undefined)
  // A refused sender may find its socket closed later on.
  sent.on('error', () => {})
  return { request: sent, answer }
}

export interface BytesAnswer {
  status: number
  headers: Headers
  bytes: Buffer
  /** The error code of a refusal. */
  code: string | undefined
}

export const read = (at: Place, path: string, asking: Omit<Asking, 'body'> = {}): Promise<BytesAnswer> =>
  ask(at, path, asking)

export const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

export const incomingOf = (service: Pick<Service, 'storage'>): Promise<string[]> => readdir(service.storage.incoming)

/**
 * Asserts that sums, rows and the storage say the same, and that no upload is under way; not for stories with files
 * whose bytes are nowhere.
 */
export async function assertFilesAddUp({ sql, service }: Pick<World, 'sql' | 'service'>): Promise<void> {
  await eventually(async () => (await incomingOf(service)).length === 0, 'an empty folder of incoming files')
  await assertUsageAddsUp(sql)
  const stored: Record<string, number> = {}
  for await (const { key, bytes } of service.storage.list()) stored[key] = bytes
  const rows = await sql<{ id: string; allocated_bytes: number } & Record<Column, number | null>>`
    select id, allocated_bytes, bytes, preview_bytes, preview_480_bytes, preview_1080_bytes, playback_bytes,
      web_bytes
    from attachments where status not in ('rejected', 'purged')`
  const known = rows.map((row) => ({
    ...row,
    objects: objectNames.flatMap((name): [string, number][] => {
      const bytes = row[columns[name]]
      return bytes === null ? [] : [[`${row.id}/${name}`, bytes]]
    }),
  }))
  assert.deepEqual(
    stored,
    Object.fromEntries(known.flatMap(({ objects }) => objects)),
    'the storage holds what the rows say',
  )
  for (const { id, allocated_bytes: allocated, objects } of known) {
    const sum = objects.reduce((all, [, bytes]) => all + bytes, 0)
    assert.equal(allocated, sum, `what ${id} costs is the sum of its objects`)
  }
}

/** Where a row says how many bytes each object has. */
const columns = {
  original: 'bytes',
  preview: 'preview_bytes',
  'preview-480': 'preview_480_bytes',
  'preview-1080': 'preview_1080_bytes',
  playback: 'playback_bytes',
  web: 'web_bytes',
} as const satisfies Record<ObjectName, string>
type Column = (typeof columns)[ObjectName]

/** Lets no inspection begin until the function that it gives is called: another node has both turns. */
export async function holdInspections({ sql, now }: Pick<World, 'sql' | 'now'>): Promise<() => Promise<void>> {
  const busy = randomUUID()
  await sql`insert into nodes (id, name, seen_at) values (${busy}, ${busy}, ${now()})`
  await eventually(async () => {
    await sql`
      insert into inspections (slot, node_id, expires_at)
      select slot, ${busy}, ${new Date(now().getTime() + 600_000)} from generate_series(1, 2) slot
      on conflict do nothing`
    const [held] = await sql<{ slots: number }>`
      select count(*)::int as slots from inspections where node_id = ${busy}`
    return held?.slots === 2
  }, 'both turns')
  return async () => {
    await sql`delete from inspections where node_id = ${busy}`
    await sql`delete from nodes where id = ${busy}`
  }
}

/** Tells a story of uploads that may take as long as it says, on a world that has its usual ones again afterwards. */
export async function withTimes({ service }: World, times: Partial<Times>, story: () => Promise<void>): Promise<void> {
  const uploads = uploadsOf(service)
  uploadsOf.use(service, createUploads(service, { acceptance: 300_000, answerWithin: 20_000, ...times }))
  try {
    await story()
  } finally {
    uploadsOf.use(service, uploads)
  }
}

/** Gives the storage other manners for as long as a story takes. */
export async function withStorage(w: World, change: Partial<Storage>, story: () => Promise<void>): Promise<void> {
  const { storage } = w.service
  const uploads = uploadsOf(w.service)
  Object.assign(w.service, { storage: { ...storage, ...change } })
  uploadsOf.use(w.service, createUploads(w.service))
  try {
    await story()
  } finally {
    Object.assign(w.service, { storage })
    uploadsOf.use(w.service, uploads)
  }
}
