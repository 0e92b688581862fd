// The card of a file: what it is, and where this reader finds its bytes. Owners and others get different bytes.
// docs/contract/attachments.md#the-card.

import {
  allowedFormats,
  copySides,
  type FileFormat,
  formats,
  isWorkingSource,
  type PreviewWidth,
  type Purpose,
  previewWidths,
  type Sides,
} from '../../inspect/formats.ts'
import { type WebWidth, webWidthsOf } from '../../inspect/web-copies.ts'
import type { Party } from '../../kernel/callers.ts'
import { type Part, part } from '../../kernel/part.ts'
import { CreatedAt, closed, described, Id, Nullable, named, oneOf, Timestamp, Type } from '../../kernel/schema.ts'
import type { ObjectName } from '../../storage/keys.ts'
import type { AttachmentBindingsRow, AttachmentsRow } from '../../store/tables.ts'

export const statuses = ['pending', 'ready', 'rejected', 'retained', 'purging', 'purged'] as const
export type Status = (typeof statuses)[number]

/** What only the bytes of its preview’s copies are read by. */
type CopyColumn = `preview_${PreviewWidth}_sha256` | 'web_bytes' | 'web_sha256' | 'web_widths' | 'web_sizes'

/** What of a file's row is read for a card, and for all of its bytes but copies of its preview. */
export type AttachmentRow = Omit<
  AttachmentsRow,
  | 'purpose'
  | 'file_format'
  | 'status'
  | 'original_name'
  | 'node_id'
  | 'stored'
  | 'purge_after'
  | 'updated_at'
  | CopyColumn
> & { purpose: Purpose; file_format: FileFormat; status: Status }

/** The columns of an {@link AttachmentRow}, of a table or alias `f`. */
export const attachmentColumns: Part = part`f.id, f.owner_id, f.upload_id, f.purpose, f.file_format, f.status, f.bytes,
  f.sha256, f.preview_bytes, f.preview_sha256, f.preview_width, f.preview_height, f.preview_480_bytes, f.preview_1080_bytes,
  f.playback_bytes, f.playback_sha256, f.width, f.height, f.duration_ms,
  f.frames_per_second, f.video_codec, f.audio_codec, f.rejection_reason, f.allocated_bytes, f.first_bound_at,
  f.created_at, f.purged_at`

/** The same where those are given too: what lists files only names them, and needs no digests of them. */
export type ReadableRow = AttachmentRow & Pick<AttachmentsRow, CopyColumn>
export const readableColumns: Part = part`${attachmentColumns}, f.preview_480_sha256, f.preview_1080_sha256,
  f.web_bytes, f.web_sha256, f.web_widths, f.web_sizes`

type Times = 'first_bound_at' | 'created_at' | 'purged_at'
type Digests = 'sha256' | 'preview_sha256' | 'playback_sha256'

/** A row as PostgreSQL has it in JSON, where a statement gives files along with what holds them. */
export type AttachmentJson = Omit<AttachmentRow, Times | Digests> & Record<Times | Digests, string | null>

const timeOf = (text: string | null): Date | null => (text === null ? null : new Date(text))
const bytesOf = (text: string | null): Buffer | null => (text === null ? null : Buffer.from(text.slice(2), 'hex'))

export const rowOfJson = (json: AttachmentJson): AttachmentRow =>
  ({
    ...json,
    sha256: bytesOf(json.sha256),
    preview_sha256: bytesOf(json.preview_sha256),
    playback_sha256: bytesOf(json.playback_sha256),
    first_bound_at: timeOf(json.first_bound_at),
    created_at: timeOf(json.created_at),
    purged_at: timeOf(json.purged_at),
  }) as AttachmentRow

/** The owner and the participants of its order read the original; everyone else what was made of it. */
export type Reader = 'original' | 'processed'

/** One of the objects of a file, as a reader gets it. */
export interface Variant {
  object: ObjectName
  mimeType: string
  extension: string
  bytes: number
  sha256: Buffer
  /** Where it begins, if its object has others beside it. */
  offset?: number
}

const original = (file: AttachmentRow): Variant => ({
  object: 'original',
  mimeType: formats[file.file_format].mimeType,
  extension: formats[file.file_format].extension,
  bytes: file.bytes,
  sha256: file.sha256,
})

/** The processed JPEG: of an image itself, of a document's first page, of a video's poster. */
export function previewOf(file: AttachmentRow): Variant | undefined {
  if (file.preview_bytes === null || file.preview_sha256 === null) return undefined
  const { mimeType, extension } = formats.jpeg
  return { object: 'preview', mimeType, extension, bytes: file.preview_bytes, sha256: file.preview_sha256 }
}

/** The narrowest JPEG that is at least so wide, the preview itself where none is. */
export function previewAt(file: ReadableRow, wanted: WebWidth): Variant | undefined {
  const full = previewOf(file)
  for (const width of previewWidths) {
    const [bytes, sha256] = [file[`preview_${width}_bytes`], file[`preview_${width}_sha256`]]
    if (!full || width < wanted || bytes === null || sha256 === null) continue
    return { ...full, object: `preview-${width}`, bytes, sha256 }
  }
  return full
}

/** The same as WebP; undefined if it has none that is as good as that JPEG. */
export function webPreviewAt(file: ReadableRow, wanted: WebWidth): Variant | undefined {
  const { web_widths: widths, web_sizes: sizes, web_sha256: sha256, preview_width: widest } = file
  if (widths === null || sizes === null || sha256 === null || widest === null) return undefined
  const index = widths.findIndex((width) => width >= Math.min(wanted, widest))
  const bytes = sizes[index]
  if (bytes === undefined) return undefined
  const offset = sizes.slice(0, index).reduce((sum, size) => sum + size, 0)
  return { object: 'web', mimeType: 'image/webp', extension: 'webp', bytes, sha256, offset }
}

const playbackOf = (file: AttachmentRow): Variant | undefined =>
  file.playback_bytes === null || file.playback_sha256 === null
    ? undefined
    : { ...original(file), object: 'playback', bytes: file.playback_bytes, sha256: file.playback_sha256 }

/** What a download gives: sources are kept as they are for every reader, all else others get processed. */
export function downloadOf(file: AttachmentRow, reader: Reader): Variant {
  if (reader === 'original' || isWorkingSource(file.file_format, file.purpose)) return original(file)
  return playbackOf(file) ?? previewOf(file) ?? original(file)
}

/** What is played: video and audio; the normalised video where there is one. */
export function streamOf(file: AttachmentRow): Variant | undefined {
  if (!['mp4', 'mp3', 'wav'].includes(file.file_format)) return undefined
  return playbackOf(file) ?? original(file)
}

/** Whether the bytes of a file are there to be read. */
export const isAvailable = (file: AttachmentRow): boolean => file.status === 'ready' || file.status === 'retained'

/** Whether its owner may let it go: it was never used. */
export const isDiscardable = ({ status, first_bound_at }: Pick<AttachmentRow, 'status' | 'first_bound_at'>): boolean =>
  status === 'ready' && first_bound_at === null

const Url = described(Nullable(Type.String()), 'Null where there is none for you')

const fields = {
  id: described(Id, 'The file'),
  status: described(
    oneOf(statuses),
    '`ready` can be used; `pending` is being inspected; `rejected` says why in `moderation`',
  ),
  purpose: described(oneOf(Object.keys(allowedFormats) as Purpose[]), 'What it was uploaded for'),
  file_format: described(oneOf(Object.keys(formats) as FileFormat[]), 'Its format, by content'),
  size: described(Type.Integer(), 'The size in bytes of what you would download'),
  sha256: described(Type.String(), 'Of the bytes you would download, in hexadecimal'),
  mime_type: described(Type.String(), 'Of the bytes you would download'),
  width: described(Nullable(Type.Integer()), 'In pixels; null if it has none'),
  height: described(Nullable(Type.Integer()), 'In pixels; null if it has none'),
  duration_ms: described(Nullable(Type.Integer()), 'For video and audio, in milliseconds; null otherwise'),
  preview_url: described(Url, 'Its preview as JPEG; null without one'),
  download_url: described(Url, 'Where to get its bytes; null if they are not for you, or gone'),
  play_url: described(Url, 'Where to play video and audio; null otherwise'),
  moderation: named('Inspection', 'The result of the inspection', {
    status: described(oneOf(['pending', 'passed', 'rejected'] as const), 'The outcome'),
    reason: described(Nullable(Type.String()), 'Why it was rejected; null if it was not'),
  }),
  available: described(Type.Boolean(), 'Whether its bytes still exist'),
  purged_at: described(Nullable(Timestamp), 'When its bytes were deleted; null while they exist'),
  download_only: described(
    Type.Boolean(),
    'Whether to download it rather than display it: a working source may contain anything',
  ),
  sanitized: described(Type.Boolean(), 'Whether there is a copy without metadata, which is what the public gets'),
  can_download_original: described(Type.Boolean(), 'Whether you would download exactly the bytes that were uploaded'),
  created_at: CreatedAt,
}

/** What the owner is told besides. */
const ownFields = {
  upload_id: described(Id, 'The ID it was uploaded under'),
  original_name: described(
    Nullable(Type.String()),
    'The name you sent it under; only you see it. Null if you sent none, or its bytes are gone',
  ),
  allocated_bytes: described(Type.Integer(), 'How much of your quota it uses'),
  can_discard: described(Type.Boolean(), 'Whether you may delete it: it was never used'),
  binding: described(
    Nullable(
      closed({
        kind: described(Type.String(), 'What kind of thing uses it'),
        id: described(Id, 'Its ID'),
        role: described(Type.String(), 'What it is used as'),
        active: described(Type.Boolean(), 'Whether it is still in use there'),
      }),
    ),
    'What uses it, or used it last; null if nothing ever did',
  ),
}

export const Attachment = Type.Object(fields, {
  additionalProperties: false,
  'x-component': 'Attachment',
  description: 'A file as its reader may get it',
})
export const OwnAttachment = Type.Object(
  { ...fields, ...ownFields },
  { additionalProperties: false, 'x-component': 'OwnAttachment', description: 'A file as its owner sees it' },
)

/** A preview as pages show it. The sides are null of one that was made before they were kept. */
export interface Preview {
  url: string
  width: number | null
  height: number | null
}

/**
 * Under which a card has its {@link Preview}s, the narrowest first and the whole one last. They are for the pages of this
 * server and no part of the contract: what has a symbol for its name is in no JSON.
 */
export const previews: unique symbol = Symbol('previews')

function previewsOf(file: AttachmentRow, url: string): Preview[] {
  const sides = sidesOf(file)
  if (!sides) return [{ url, width: null, height: null }]
  const copies = previewWidths.filter((width) => file[`preview_${width}_bytes`] !== null)
  // In a width a browser may get it as WebP.
  const [widest] = previewWidths.filter((width) => width >= sides.width)
  const whole = widest === undefined ? url : `${url}?width=${widest}`
  // Only browsers have wider copies; those of other files, and whoever takes no WebP, get the whole there.
  const [large] = webWidthsOf(file.purpose, sides).filter((width) => previewWidths.every((each) => each < width))
  return [
    ...[...copies, ...(large === undefined ? [] : [large])].map((width) => ({
      url: `${url}?width=${width}`,
      ...copySides(sides, width),
    })),
    { url: whole, ...sides },
  ]
}

/** The size of a file’s preview, or of the image itself: its card states the same; undefined if there is neither. */
export function sidesOf({
  preview_width,
  preview_height,
  width,
  height,
  file_format,
}: AttachmentRow): Sides | undefined {
  if (preview_width !== null && preview_height !== null) return { width: preview_width, height: preview_height }
  const isImage = formats[file_format].mimeType.startsWith('image/')
  return isImage && width !== null && height !== null ? { width, height } : undefined
}

/** Behind which door, below /api/v1, each kind of party reads files; everybody else where agents do. */
export const fileDoors = { agent: '/attachments', human: '/human/attachments' } as const satisfies Record<
  Party['kind'],
  string
>

/** A file as everyone but its owner reads it: without the name that it had. */
export function card(file: AttachmentRow, reader: Reader, viewer: Party['kind'] = 'agent') {
  const shown = downloadOf(file, reader)
  const available = isAvailable(file)
  const isSource = isWorkingSource(file.file_format, file.purpose)
  const url = (door: string) => `/api/v1${fileDoors[viewer]}/${file.id}/${door}`
  const previewUrl = available && previewOf(file) ? url('preview') : null
  return {
    id: file.id,
    status: file.status,
    purpose: file.purpose,
    file_format: file.file_format,
    size: shown.bytes,
    sha256: shown.sha256.toString('hex'),
    mime_type: shown.mimeType,
    width: file.width,
    height: file.height,
    duration_ms: file.duration_ms,
    preview_url: previewUrl,
    download_url: available ? url('download') : null,
    play_url: available && streamOf(file) ? url('stream') : null,
    moderation: moderation(file),
    available,
    purged_at: file.purged_at?.toISOString() ?? null,
    download_only: isSource,
    sanitized: !isSource && previewOf(file) !== undefined,
    can_download_original: available && shown.object === 'original',
    created_at: file.created_at.toISOString(),
    [previews]: previewUrl === null ? [] : previewsOf(file, previewUrl),
  }
}

function moderation({ status, rejection_reason: reason }: AttachmentRow) {
  if (status === 'pending') return { status: 'pending' as const, reason: null }
  return reason === null ? { status: 'passed' as const, reason } : { status: 'rejected' as const, reason }
}

export type BindingRow = Pick<AttachmentBindingsRow, 'attachment_id' | 'kind' | 'subject_id' | 'role' | 'active'>

export interface OwnFile {
  file: AttachmentRow
  name: string | null
  /** What holds it now, or held it last. */
  binding: BindingRow | undefined
}

/** The same for the owner, with its name and what holds it now, or held it last. */
export const ownCard = ({ file, name, binding }: OwnFile, owner: Party['kind']) => ({
  ...card(file, 'original', owner),
  upload_id: file.upload_id,
  original_name: name,
  allocated_bytes: file.allocated_bytes,
  can_discard: isDiscardable(file),
  binding: binding ? { kind: binding.kind, id: binding.subject_id, role: binding.role, active: binding.active } : null,
})
