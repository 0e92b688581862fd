// JPEG and PNG: decoded whole and written again as JPEG, so that only the picture remains of what was sent.
// docs/contract/attachments.md#formats.
import sharp, { type Sharp } from 'sharp'
import { jpegOf, makeCopies, type Preview, writePreview } from './copies.ts'
import { maxSide } from './formats.ts'
import { isOfOtherCodec, tidied } from './jpeg.ts'
import { areScansWhole } from './jpeg-scan.ts'
import type { RejectionReason } from './look.ts'
import { type Finding, type Prepare, readWhole, ready, rejected, type Work } from './look.ts'
import { withProfile } from './png-colours.ts'
import { withoutTexts } from './png-texts.ts'

const maxPixels = 40_000_000

/** A picture of no more is decoded once and held, three bytes a pixel; a larger one is decoded again for its copies. */
const heldPixels = 6_000_000

/** Full size where the budget allows; after the second of these the picture shrinks. */
const qualities = [85, 70, 70, 70, 70] as const

export const prepare: Prepare = async () => {
  // libvips knows many formats; whatever a file pretends to be inside, it is read as one of these.
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({ operation: ['VipsForeignLoadJpeg', 'VipsForeignLoadPng'] })
  // One picture in a process that ends with it.
  sharp.concurrency(1)
  sharp.cache(false)
  return look
}

async function look(work: Work): Promise<Finding> {
  const encoded = await encodedOf(work)
  if (typeof encoded === 'string') return rejected(encoded)
  const { width, height } = encoded.sides
  writePreview(work, encoded)
  return ready({ width, height })
}

async function encodedOf(work: Work): Promise<Preview | RejectionReason> {
  const bytes = readWhole(work.original)
  if (work.format === 'png') return encode(work, withProfile(withoutTexts(bytes)))
  if (isOfOtherCodec(bytes)) return 'codec'
  let areWhole: boolean | undefined
  const check = (): void => {
    areWhole ??= areScansWhole(bytes)
  }
  const encoded = await encode(work, bytes, check).catch((error) => {
    const cleaned = tidied(bytes)
    if (cleaned.equals(bytes)) throw error
    return encode(work, cleaned, check)
  })
  return typeof encoded === 'string' || areWhole ? encoded : 'broken'
}

/** `meanwhile` is done on this thread while another one decodes. */
async function encode(work: Work, bytes: Buffer, meanwhile: () => void = () => {}): Promise<Preview | RejectionReason> {
  const { format, width, height, space, hasProfile } = await sharp(bytes, { limitInputPixels: false }).metadata()
  if (format !== work.format) return 'broken'
  if (width > maxSide || height > maxSide || width * height > maxPixels) return 'dimensions'

  const decode = (): Sharp => {
    // Of an animation only the first frame; a warning of the decoder is an error.
    const picture = sharp(bytes, { failOn: 'warning', limitInputPixels: maxPixels, pages: 1 }).autoOrient()
    // Else sharp leaves colours of 16 bits in a space of its own, and greys of 16 bits as they are.
    if (hasProfile && space === 'rgb16') picture.withIccProfile('srgb', { attach: false })
    if (hasProfile && space === 'grey16') picture.pipelineColourspace('b-w')
    return picture.flatten({ background: '#ffffff' }).toColourspace('srgb')
  }
  if (width * height > heldPixels) return beside(shrink(work, decode, Math.max(width, height)), meanwhile)
  const held = await beside(decode().raw().toBuffer({ resolveWithObject: true }), meanwhile)
  const pixels = (): Sharp => sharp(held.data, { raw: held.info })
  const [whole, copies] = await Promise.all([
    jpegOf(pixels(), qualities[0]).toBuffer({ resolveWithObject: true }),
    makeCopies(work.purpose, held.info, pixels),
  ])
  if (whole.data.length <= work.derivedBytes) return { data: whole.data, sides: whole.info, copies }
  return shrink(work, pixels, Math.max(width, height))
}

/** The first preview that the budget allows, with its copies; `longer` is the longer side of the picture. */
async function shrink(work: Work, pixels: () => Sharp, longer: number): Promise<Preview | RejectionReason> {
  let scale = 1
  for (const [attempt, quality] of qualities.entries()) {
    const picture = pixels()
    // The orientation may have turned it: the box is the same both ways.
    const side = Math.max(1, Math.round(longer * scale))
    if (scale < 1) picture.resize({ width: side, height: side, fit: 'inside' })
    const { data, info: sides } = await jpegOf(picture, quality).toBuffer({ resolveWithObject: true })
    if (data.length <= work.derivedBytes) {
      return { data, sides, copies: await makeCopies(work.purpose, sides, () => sharp(data)) }
    }
    // The bytes go with the area.
    if (attempt > 0) scale *= 0.9 * Math.sqrt(work.derivedBytes / data.length)
  }
  return 'limits'
}

/** What another thread is at already, and what is done here until then. */
async function beside<T>(others: Promise<T>, ours: () => void): Promise<T> {
  const [result] = await Promise.all([others, (async () => ours())()])
  return result
}
