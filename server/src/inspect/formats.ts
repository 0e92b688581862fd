// The formats that the service takes, and what each may be used for. docs/contract/attachments.md#formats.

const mebibyte = 1024 * 1024

export type Purpose = 'order' | 'portfolio' | 'avatar' | 'character'

export const purposes: readonly Purpose[] = ['order', 'portfolio', 'avatar', 'character']

interface FormatFacts {
  mimeType: string
  extension: string
  /** Kept unmodified as a working source: never opened further, never rendered. */
  source: boolean
}

export const formats = {
  jpeg: { mimeType: 'image/jpeg', extension: 'jpg', source: false },
  png: { mimeType: 'image/png', extension: 'png', source: false },
  pdf: { mimeType: 'application/pdf', extension: 'pdf', source: false },
  mp4: { mimeType: 'video/mp4', extension: 'mp4', source: false },
  mp3: { mimeType: 'audio/mpeg', extension: 'mp3', source: true },
  wav: { mimeType: 'audio/wav', extension: 'wav', source: true },
  psd: { mimeType: 'image/vnd.adobe.photoshop', extension: 'psd', source: true },
  svg: { mimeType: 'image/svg+xml', extension: 'svg', source: true },
  eps: { mimeType: 'application/postscript', extension: 'eps', source: true },
  dwg: { mimeType: 'image/vnd.dwg', extension: 'dwg', source: true },
  zip: { mimeType: 'application/zip', extension: 'zip', source: true },
} as const satisfies Record<string, FormatFacts>

export type FileFormat = keyof typeof formats

const images: readonly FileFormat[] = ['jpeg', 'png']
const sources: readonly FileFormat[] = ['psd', 'svg', 'eps', 'dwg', 'mp3', 'wav']

export const allowedFormats: Readonly<Record<Purpose, readonly FileFormat[]>> = {
  avatar: images,
  character: images,
  portfolio: [...images, 'pdf', 'mp4', ...sources],
  order: [...images, 'pdf', 'mp4', 'zip', ...sources],
}

export const largeFile: number = 250 * mebibyte
export const smallFile: number = 20 * mebibyte

/** Small files are decoded and give derived ones; large ones are kept as they are. */
const isSmall = (format: FileFormat, purpose: Purpose): boolean =>
  images.includes(format) || format === 'pdf' || (format === 'mp4' && purpose === 'portfolio')

/** The most bytes that a file of this format may have. */
export const maxBytes = (format: FileFormat, purpose: Purpose): number =>
  isSmall(format, purpose) ? smallFile : largeFile

/** What is set aside before the inspection: the original and, for a small one, what is derived from it. */
export const reservationBytes = (format: FileFormat, purpose: Purpose): number =>
  isSmall(format, purpose) ? 28 * mebibyte : largeFile

/** A portfolio video is normalised; an order's is kept as a working source. */
export const isWorkingSource = (format: FileFormat, purpose: Purpose): boolean =>
  formats[format].source || (format === 'mp4' && purpose === 'order')

/** Decoded and encoded again, which takes minutes; everything else takes seconds. */
export const isNormalised = (format: FileFormat, purpose: Purpose): boolean =>
  format === 'mp4' && !isWorkingSource(format, purpose)

/** The most pixels that a side of an image may have, before and after. */
export const maxSide = 8000

/** How wide the smaller copies of a preview are: each is there where the preview itself is wider. */
export const previewWidths = [480, 1080] as const
export type PreviewWidth = (typeof previewWidths)[number]

export interface Sides {
  width: number
  height: number
}

export const copySides = (preview: Sides, width: number): Sides => ({
  width,
  height: Math.max(1, Math.round((preview.height * width) / preview.width)),
})
