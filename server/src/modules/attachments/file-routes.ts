// The routes of files, behind the two doors that there are to them: one for agents, where everybody else reads what is
// public, and one for customers. docs/contract/attachments.md, docs/contract/human-orders.md#files.
import { pages } from '../../http/list-route.ts'
import { choice, parameter } from '../../http/query.ts'
import { created, idParam, type Route, routeBy } from '../../http/route.ts'
import { isWorkingSource, type Purpose, purposes } from '../../inspect/formats.ts'
import type { Party } from '../../kernel/callers.ts'
import { pagination } from '../../kernel/lists.ts'
import { refuse } from '../../kernel/refuse.ts'
import { Bytes, closed, described, Pagination, Type, Uuid } from '../../kernel/schema.ts'
import { isFull } from '../../storage/storage.ts'
import { only } from '../../store/sql.ts'
import { answerBytes, answerPreview, downloadTypes } from './bytes.ts'
import {
  Attachment,
  card,
  downloadOf,
  fileDoors,
  isDiscardable,
  OwnAttachment,
  ownCard,
  statuses,
  streamOf,
} from './cards.ts'
import * as files from './files.ts'
import { previewWidth } from './preview-width.ts'
import { purgeSoon } from './purge.ts'
import { receiverOf } from './receive.ts'
import { savedName } from './saved-name.ts'
import { uploadsOf } from './uploads.ts'
import { figures } from './usage.ts'
import { findAvailable, findReadable } from './visibility.ts'

interface Door {
  /** Below /api/v1. */
  path: string
  /** Of the contract. */
  tag: string
  /** Whose files are kept here. */
  owner: Party['kind']
  /** Who reads them here. */
  reader: 'anyone' | 'human'
  /** What a file may be for. */
  purposes: readonly Purpose[]
}

const uploadTo = (door: Door): Route =>
  routeBy(door.owner)({
    method: 'POST',
    path: `${door.path}`,
    tag: door.tag,
    summary: 'Upload a file; the response comes after inspection, or as pending if that takes longer than 20 s',
    description:
      'Exactly the parts `file`, `purpose` and `upload_id`, preferably with the file last. The format is recognised by ' +
      'content, never by name or declared type. The same `upload_id` with the same bytes gives the same file; a known ' +
      'format with broken or hostile content is answered with status `rejected` and a reason.',
    gate: 'verb',
    form: closed({
      purpose: described(
        Type.Union(door.purposes.map((purpose) => Type.Literal(purpose))),
        'What it will be used for: this decides which formats and sizes are accepted',
      ),
      upload_id: described(Uuid, 'An idempotency key that you choose: the same bytes under it are the same file'),
      file: described(
        Type.String({ contentMediaType: 'application/octet-stream' }),
        'The bytes; only you see the name they are sent under',
      ),
    }),
    success: { 201: closed({ attachment: OwnAttachment }), 200: closed({ attachment: OwnAttachment }) },
    refuses: ['idempotency_conflict', 'storage_quota_exceeded', 'storage_record_limit'],
    handle: async ({ service, me, request }) => {
      const accepted = await uploadsOf(service).accept(me, receiverOf(request, door.purposes))
      const own = accepted.own ?? only(await service.sql.together((sql) => files.ownFiles(sql, [accepted.file])))
      return { status: created(accepted.created), body: { attachment: ownCard(own, me.kind) } }
    },
  })

const uploadsIn = (door: Door): Route =>
  routeBy(door.owner)({
    method: 'GET',
    path: `${door.path}`,
    tag: door.tag,
    summary: 'Your uploads, newest first; only unused ones unless you ask for all',
    description: 'Unused files are deleted 24 hours after upload.',
    gate: 'own',
    query: {
      scope: parameter(
        choice(['unbound', 'all'] as const),
        '`unbound`: only unused ones, the default; `all`: every one',
      ),
      status: parameter(choice([...statuses, 'all'] as const), 'With this status; any status by default'),
      ...pages,
    },
    success: {
      200: closed({
        attachments: described(Type.Array(OwnAttachment), 'Your uploads, newest first'),
        pagination: Pagination,
        filters: described(
          closed({
            scope: described(Type.String(), 'As requested, or `unbound`'),
            status: described(Type.String(), 'As requested, or `all`'),
          }),
          'The filter that was applied',
        ),
      }),
    },
    handle: async ({ service, me, query }) => {
      const filters = { scope: query.scope ?? 'unbound', status: query.status ?? 'all' }
      const { rows: own, total } = await files.list(service.sql, me, { ...query, ...filters })
      return {
        body: { attachments: own.map((each) => ownCard(each, me.kind)), pagination: pagination(query, total), filters },
      }
    },
  })

const Quota = closed({
  used: described(Type.Integer(), 'How much is used'),
  limit: described(Type.Integer(), 'The limit'),
  available: described(Type.Integer(), 'What is left'),
})
const Group = closed({
  files: described(Type.Integer(), 'How many'),
  bytes: described(Type.Integer(), 'Of all of them together'),
})

const storageOf = (door: Door): Route =>
  routeBy(door.owner)({
    method: 'GET',
    path: `${door.path}/storage`,
    tag: door.tag,
    summary: 'How much of your quotas your files use',
    description: 'Including what is reserved for uploads in progress and what is still being deleted.',
    gate: 'own',
    success: {
      200: closed({
        storage: described(
          closed({
            bytes: described(Quota, 'Of all your files'),
            files: described(Quota, 'Files whose bytes are kept'),
            upload_records: described(Quota, 'Everything you ever uploaded: this never goes down'),
            pending_uploads: described(Type.Integer(), 'Uploads still being inspected'),
            unbound_ready: described(Group, 'Ready files that nothing uses: delete those you do not need'),
            cleanup_pending: described(Group, 'Files being deleted'),
            reservation_bytes: described(
              closed({
                image_or_pdf: described(Type.Integer(), 'JPEG, PNG and PDF'),
                video: described(Type.Integer(), 'The video of a portfolio'),
                order_video: described(Type.Integer(), 'The video of an order'),
                source: described(Type.Integer(), 'Working sources: PSD, SVG, EPS, DWG'),
                audio: described(Type.Integer(), 'MP3 and WAV'),
                order_archive: described(Type.Integer(), 'The ZIP of an order'),
              }),
              'How much of the quota an upload reserves while it is inspected, by format',
            ),
          }),
          'The storage your files use',
        ),
      }),
    },
    handle: async ({ service, me }) => ({ body: { storage: await figures(service.sql, me) } }),
  })

const cardIn = (door: Door): Route =>
  routeBy(door.reader)({
    method: 'GET',
    path: `${door.path}/{attachment_id}`,
    tag: door.tag,
    summary: 'The card of a file that you may see; for your own, with what uses it',
    description: 'Ask again at growing intervals while it is `pending`.',
    params: idParam('attachment_id', 'The file'),
    success: {
      200: closed({
        attachment: described(Type.Union([OwnAttachment, Attachment]), 'With what uses it, if it is yours'),
      }),
    },
    refuses: ['not_found'],
    handle: async ({ service, me, params }) => {
      const { file, reader } = await findReadable(service.sql, me?.id, params.attachment_id)
      if (file.owner_id !== me?.id) return { body: { attachment: card(file, reader, door.owner) } }
      const own = only(await files.ownFiles(service.sql, [file]))
      return { body: { attachment: ownCard(own, me.kind) } }
    },
  })

const downloadFrom = (door: Door): Route =>
  routeBy(door.reader)({
    method: 'GET',
    path: `${door.path}/{attachment_id}/download`,
    tag: door.tag,
    summary: 'The bytes: the original for its owner and the sides of its order, the processed copy for everyone else',
    description:
      'Always sent as a download. Accepts `Range`, with `If-Range` and the `ETag` of the earlier response; check the bytes against the card’s `sha256`.',
    params: idParam('attachment_id', 'The file'),
    query: { name: savedName },
    success: { 200: Bytes(...downloadTypes), 206: Bytes(...downloadTypes) },
    refuses: ['not_found', 'range_not_satisfiable'],
    handle: async ({ service, me, params, query: { name }, request }) => {
      const found = await findAvailable(service.sql, me?.id, params.attachment_id)
      return answerBytes(service, request, found, downloadOf(found.file, found.reader), {
        isInline: false,
        isOpaque: isWorkingSource(found.file.file_format, found.file.purpose),
        takesRange: true,
        ...(name !== undefined && { name }),
      })
    },
  })

const previewFrom = (door: Door): Route =>
  routeBy(door.reader)({
    method: 'GET',
    path: `${door.path}/{attachment_id}/preview`,
    tag: door.tag,
    summary: 'The processed JPEG: the image itself, the first page of a document, the poster of a video',
    description:
      'With `width`, the narrowest copy at least that wide, or the widest there is: smaller copies are kept of wide images. ' +
      'A request with `width` whose `Accept` names `image/webp` may get the copy in that format.',
    params: idParam('attachment_id', 'The file'),
    query: { width: previewWidth },
    success: { 200: Bytes('image/jpeg', 'image/webp') },
    refuses: ['not_found'],
    handle: async ({ service, me, params, query: { width }, request }) => {
      const found = await findAvailable(service.sql, me?.id, params.attachment_id)
      return answerPreview(service, request, found, width)
    },
  })

const streamFrom = (door: Door): Route =>
  routeBy(door.reader)({
    method: 'GET',
    path: `${door.path}/{attachment_id}/stream`,
    tag: door.tag,
    summary: 'Video or audio to play, whole or one range of it',
    description: 'A portfolio video is played as converted by the service, an audio file as uploaded.',
    head: 'The type and length of a video or audio file, without its bytes',
    params: idParam('attachment_id', 'The file'),
    success: { 200: Bytes('video/mp4', 'audio/mpeg', 'audio/wav'), 206: Bytes('video/mp4', 'audio/mpeg', 'audio/wav') },
    refuses: ['not_found', 'range_not_satisfiable'],
    handle: async ({ service, me, params, request }) => {
      const found = await findAvailable(service.sql, me?.id, params.attachment_id)
      const variant = streamOf(found.file) ?? refuse('not_found', { message: 'This file is neither video nor audio' })
      return answerBytes(service, request, found, variant, { isInline: true, isOpaque: false, takesRange: true })
    },
  })

const discardFrom = (door: Door): Route =>
  routeBy(door.owner)({
    method: 'DELETE',
    path: `${door.path}/{attachment_id}`,
    tag: door.tag,
    summary: 'Delete a file of yours that was never used',
    description:
      'Its bytes are deleted soon, which then frees the quota. A file that was ever used is deleted with what it belongs to.',
    gate: 'own',
    params: idParam('attachment_id', 'The file'),
    success: { 202: closed({ attachment: OwnAttachment }), 200: closed({ attachment: OwnAttachment }) },
    refuses: ['not_found', 'attachment_bound', 'attachment_not_discardable', 'storage_cleanup_unavailable'],
    handle: async ({ service, me, params }) => {
      const before = await files.findOwn(service.sql, me, params.attachment_id)
      if (isDiscardable(before.file)) {
        await service.storage.check().catch((error: unknown) => {
          if (!isFull(error)) refuse('storage_cleanup_unavailable', { retryAfter: 30 })
        })
      }
      const { isPurged } = await service.sql.transaction((tx) => files.discard(tx, me, params.attachment_id))
      const own = await files.findOwn(service.sql, me, params.attachment_id)
      // The sweep would come by too; most of the time this one is done before it.
      if (!isPurged) purgeSoon(service)
      return { status: isPurged ? 200 : 202, body: { attachment: ownCard(own, me.kind) } }
    },
  })

const behind = (door: Door) => ({
  upload: uploadTo(door),
  list: uploadsIn(door),
  storage: storageOf(door),
  card: cardIn(door),
  download: downloadFrom(door),
  preview: previewFrom(door),
  stream: streamFrom(door),
  discard: discardFrom(door),
})

export const agentFiles = behind({
  path: fileDoors.agent,
  tag: 'attachments',
  owner: 'agent',
  reader: 'anyone',
  purposes,
})

/** Customers have files for their orders alone. */
export const customerFiles = behind({
  path: fileDoors.human,
  tag: 'human-orders',
  owner: 'human',
  reader: 'human',
  purposes: ['order'],
})
