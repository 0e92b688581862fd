// The picture that stands for a video before it is played.
import {
  AV_CODEC_FLAG_BITEXACT,
  AV_CODEC_FLAG_QSCALE,
  AV_PIX_FMT_YUVJ420P,
  AVCOL_RANGE_JPEG,
  FF_QP2LAMBDA,
} from 'node-av/constants'
import { type Frame, Rational } from 'node-av/lib'
import { disposing } from './disposing.ts'
import { copySides, type PreviewWidth, previewWidths, type Sides } from './formats.ts'
import { reject } from './media-reject.ts'
import { openEncoder, openFilters } from './transcode-codecs.ts'

// FFmpeg's scale of quantisation: from very good to just recognisable.
const qualities = [4, 10, 31]

export interface Poster {
  whole: Buffer
  copies: { width: PreviewWidth; bytes: Buffer }[]
}

/** JPEGs of a frame, each of at most so many bytes and without a word about itself. Throws a Rejection `limits`. */
export function encodePoster(frame: Frame, maxBytes: number): Poster {
  const copies = previewWidths.flatMap((width) => {
    if (width >= frame.width) return []
    const bytes = encode(frame, copySides(frame, width), maxBytes)
    return bytes ? [{ width, bytes }] : []
  })
  return { whole: encode(frame, frame, maxBytes) ?? reject('limits'), copies }
}

function encode(frame: Frame, { width, height }: Sides, maxBytes: number): Buffer | undefined {
  const { format, colorSpace, colorRange } = frame
  const source = `video_size=${frame.width}x${frame.height}:pix_fmt=${format}:time_base=1/1:colorspace=${colorSpace}:range=${colorRange}`
  for (const quality of qualities) {
    const bytes = encodeAt(frame, { width, height }, source, quality * FF_QP2LAMBDA)
    if (bytes.length <= maxBytes) return bytes
  }
  return undefined
}

const encodeAt = disposing((use, frame: Frame, { width, height }: Sides, source: string, quality: number): Buffer => {
  const filters = use(
    openFilters(
      'video',
      source,
      `scale=${width}:${height}:flags=area:out_range=full:out_color_matrix=bt601,format=yuvj420p`,
    ),
  )
  const encoder = use(
    openEncoder('mjpeg', {}, (context) => {
      context.width = width
      context.height = height
      context.pixelFormat = AV_PIX_FMT_YUVJ420P
      context.colorRange = AVCOL_RANGE_JPEG
      context.timeBase = new Rational(1, 1)
      context.setFlags(AV_CODEC_FLAG_QSCALE, AV_CODEC_FLAG_BITEXACT)
      context.globalQuality = quality
    }),
  )
  const parts: Buffer[] = []
  const copy = frame.clone()
  if (copy) use(copy)
  filters.push(copy, (converted) => {
    converted.quality = quality
    encoder.push(converted, ({ data }) => parts.push(data))
  })
  encoder.push(null, ({ data }) => parts.push(data))
  return Buffer.concat(parts)
})

const contrast = 24

/** Whether a frame is of one brightness: black before a fade, or white. */
export function isFlat(frame: Frame): boolean {
  const plane = frame.data?.[0]
  const stride = frame.linesize[0]
  if (plane === undefined || stride === undefined) return true
  let [darkest, brightest] = [255, 0]
  const step = Math.max(1, Math.floor(Math.min(frame.width, frame.height) / 64))
  for (let row = 0; row < frame.height; row += step) {
    for (let column = 0; column < frame.width; column += step) {
      const luma = plane[row * stride + column] as number
      darkest = Math.min(darkest, luma)
      brightest = Math.max(brightest, luma)
    }
  }
  return brightest - darkest < contrast
}
