// The smaller copies of a preview, and those for browsers: one decoding, however many there are.
// docs/contract/attachments.md#previews.
import sharp, { type Sharp } from 'sharp'
import { copySides, type Purpose, previewWidths, type Sides } from './formats.ts'
import { type Work, writeWhole } from './look.ts'
import { webWidthsOf } from './web-copies.ts'

export interface Preview {
  /** A JPEG. */
  data: Buffer
  sides: Sides
  copies: Copies
}

/** Those of one width. */
interface Copy {
  width: number
  jpeg: Buffer | undefined
  web: Buffer | undefined
}

export type Copies = readonly Copy[]

/** The usual Huffman codes: those that fit a picture best save 2 to 4 % of its bytes for twice the processor time. */
export const jpegOf = (picture: Sharp, quality: number): Sharp => picture.jpeg({ quality, optimiseCoding: false })

/**
 * Effort 1 saves 6 % of the bytes of a small copy against effort 0, and 2 % of those of a large one, whose processor time
 * is most of what a picture takes. Effort 2 saves as much again, for half more of that time.
 */
const webEffort = (width: number): number => (width > 480 ? 0 : 1)

/** Makes all copies of a preview with these sides, from what it shows; several at once, each from the next larger. */
export function makeCopies(purpose: Purpose, sides: Sides, pixels: () => Sharp): Promise<Copies> {
  const jpegs: readonly number[] = previewWidths.filter((width) => width < sides.width)
  const webs = webWidthsOf(purpose, sides)

  async function make(source: () => Sharp, [width, ...narrower]: readonly number[]): Promise<Copies> {
    if (width === undefined) return []
    const resized = source().resize({ ...copySides(sides, width), fit: 'fill' })
    const [isJpeg, isWeb] = [jpegs.includes(width), webs.includes(width)]
    // To hold what is encoded once takes half as long again.
    const picture = (isJpeg && isWeb) || narrower.length > 0 ? await held(resized) : () => resized
    const [jpeg, web, others] = await Promise.all([
      isJpeg ? jpegOf(picture(), 75).toBuffer() : undefined,
      isWeb
        ? picture()
            .webp({ quality: 75, effort: webEffort(width) })
            .toBuffer()
        : undefined,
      make(picture, narrower),
    ])
    return [{ width, jpeg, web }, ...others]
  }
  return make(
    pixels,
    [...new Set([...jpegs, ...webs])].sort((one, other) => other - one),
  )
}

/** Writes a preview and, within the budget, its copies, those as JPEG first; one that has no room is left out. */
export function writePreview(work: Work, { data, copies }: Preview): void {
  writeWhole(work.derived.preview, data)
  let room = work.derivedBytes - data.length
  const fits = (bytes: Buffer): boolean => {
    if (bytes.length > room) return false
    room -= bytes.length
    return true
  }
  for (const width of previewWidths.toReversed()) {
    const jpeg = copies.find((copy) => copy.width === width)?.jpeg
    if (jpeg && fits(jpeg)) writeWhole(work.derived[`preview-${width}`], jpeg)
  }
  for (const { web } of copies.toReversed()) if (web && fits(web)) writeWhole(work.derived.web, web)
}

/** The pixels of a picture, for several uses. */
async function held(picture: Sharp): Promise<() => Sharp> {
  const { data, info } = await picture.raw().toBuffer({ resolveWithObject: true })
  return () => sharp(data, { raw: info })
}
