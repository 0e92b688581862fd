// Answers of bytes: conditions, one range, and headers that keep a browser from running anything.
// docs/contract/attachments.md#bytes; RFC 9110, sections 13 and 14.
import type { IncomingMessage } from 'node:http'
import Negotiator from 'negotiator'
import type { Answer } from '../../http/route.ts'
import { formats } from '../../inspect/formats.ts'
import type { WebWidth } from '../../inspect/web-copies.ts'
import { Refusal, refuse } from '../../kernel/refuse.ts'
import type { Service } from '../../service.ts'
import type { ByteRange } from '../../storage/storage.ts'
import { previewAt, previewOf, type ReadableRow, type Reader, type Variant, webPreviewAt } from './cards.ts'
import { openStored } from './stored.ts'

/** What a download may be. */
export const downloadTypes: readonly string[] = [
  ...new Set(Object.values(formats).map(({ mimeType }) => mimeType)),
  'application/octet-stream',
]

interface Presentation {
  /** Shown in place, as what it is; otherwise saved, as bytes of no type where `isOpaque`. */
  isInline: boolean
  isOpaque: boolean
  takesRange: boolean
  /** Part of pages: a browser may show it again for a while without asking. */
  isPicture?: true
  /** What it is saved as, without an extension; its ID by default. */
  name?: string
}

/** Longer than any browser's; what follows is not read. */
const longestAccept = 500

/** In seconds: for a browser alone, since what it keeps only its own reader has seen. Everything shared asks each time. */
const kept = 'public, max-age=600, s-maxage=0, must-revalidate'

/** A file's preview, in a width where one is asked for; `not_found` if it has none. */
export function answerPreview(
  service: Service,
  request: IncomingMessage,
  found: { file: ReadableRow; reader: Reader },
  width: WebWidth | undefined,
): Answer {
  const { file } = found
  const variant =
    (width === undefined ? previewOf(file) : inWidth(request, file, width)) ??
    refuse('not_found', { message: 'This file has no preview' })
  return answerBytes(service, request, found, variant, {
    isInline: true,
    isOpaque: false,
    takesRange: false,
    isPicture: true,
  })
}

const inWidth = ({ headers }: IncomingMessage, file: ReadableRow, width: WebWidth): Variant | undefined =>
  (takesWebP(headers.accept) ? webPreviewAt(file, width) : undefined) ?? previewAt(file, width)

/** Whether it is named: a client that takes anything may not expect another format than the usual one. RFC 9110, section 12.5.1. */
const takesWebP = (accept = ''): boolean =>
  new Negotiator({ headers: { accept: accept.slice(0, longestAccept).toLowerCase() } })
    .mediaTypes()
    .includes('image/webp')

/** The answer that hands out one variant of a file; a malformed range is ignored, an unsatisfiable one refused. */
export function answerBytes(
  service: Service,
  request: IncomingMessage,
  { file, reader }: { file: { id: string }; reader: Reader },
  variant: Variant,
  { isInline, isOpaque, takesRange, isPicture, name = file.id }: Presentation,
): Answer {
  const { offset } = variant
  const tag = `"${variant.sha256.toString('hex')}${offset === undefined ? '' : `-${offset}`}"`
  const headers: Record<string, string> = {
    'content-type': isOpaque ? 'application/octet-stream' : variant.mimeType,
    'content-disposition': `${isInline ? 'inline' : 'attachment'}; filename="${name}.${variant.extension}"`,
    'content-security-policy': "default-src 'none'; sandbox",
    // What everyone may see, other sites may show too; what is private is shown by this one alone.
    ...(reader === 'processed' && { 'cross-origin-resource-policy': 'cross-origin' }),
    // Rights are checked at each request: a copy may be kept, and not used unasked.
    'cache-control': reader !== 'processed' ? 'private, no-store' : isPicture ? kept : 'public, no-cache',
    vary: isPicture ? 'authorization, accept' : 'authorization',
    'accept-ranges': takesRange ? 'bytes' : 'none',
    etag: tag,
  }
  if (matches(request.headers['if-none-match'], tag)) return { status: 304, headers, open: neverOpened }
  const range = takesRange ? rangeOf(request, variant.bytes, tag) : undefined
  const length = range ? range.end - range.start + 1 : variant.bytes
  return {
    status: range ? 206 : 200,
    headers: {
      ...headers,
      'content-length': String(length),
      ...(range && { 'content-range': `bytes ${range.start}-${range.end}/${variant.bytes}` }),
    },
    open: async () => {
      const part = offset === undefined ? range : { start: offset, end: offset + variant.bytes - 1 }
      const opened = await openStored(service, { id: file.id, object: variant.object, range: part })
      return opened ?? refuse('not_found')
    },
  }
}

const neverOpened = (): never => {
  throw new Error('an answer without a body is not opened')
}

const matches = (condition: string | undefined, tag: string): boolean =>
  condition !== undefined &&
  (condition.trim() === '*' || condition.split(',').some((each) => each.trim().replace(/^W\//, '') === tag))

/** The one range that is asked for, clipped to the end; undefined if all is. */
function rangeOf({ method, headers }: IncomingMessage, length: number, tag: string): ByteRange | undefined {
  const condition = headers['if-range']
  if (headers.range === undefined || (method !== 'GET' && method !== 'HEAD')) return undefined
  if (condition !== undefined && condition !== tag) return undefined
  const [unit, list = ''] = headers.range.split('=', 2) as [string, string?]
  if (unit.trim().toLowerCase() !== 'bytes') return undefined
  const specs = list.split(',').map((spec) => /^\s*(\d*)-(\d*)\s*$/.exec(spec))
  if (specs.some((spec) => spec === null || (spec[1] === '' && spec[2] === ''))) return undefined
  if (specs.length > 1) return unsatisfiable(length)
  const [, first = '', last = ''] = specs[0] as RegExpExecArray
  if (first === '') {
    const suffix = Math.min(Number(last), length)
    return suffix === 0 ? unsatisfiable(length) : { start: length - suffix, end: length - 1 }
  }
  if (last !== '' && Number(last) < Number(first)) return undefined
  if (Number(first) >= length) return unsatisfiable(length)
  return { start: Number(first), end: last === '' ? length - 1 : Math.min(Number(last), length - 1) }
}

function unsatisfiable(length: number): never {
  throw new Refusal('range_not_satisfiable', { headers: { 'content-range': `bytes */${length}` } })
}
