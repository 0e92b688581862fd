// The smaller copies of a preview: one decoding, however many there are. docs/contract/attachments.md#previews.
import sharp from 'sharp'
import { copySides, previewWidths, type Sides } from './formats.ts'
import { type Work, writeWhole } from './look.ts'

/** Writes those that are narrower than the preview, beside it within the budget; one that has no room is left out. */
export async function writeCopies(work: Work, preview: Buffer, sides: Sides): Promise<void> {
  const [widest, ...others] = previewWidths.filter((width) => width < sides.width).reverse()
  if (widest === undefined) return
  const scaled = { ...copySides(sides, widest), fit: 'fill' } as const
  // A JPEG is decoded to a fraction of its size where that is enough.
  const { data, info: raw } = await sharp(preview).resize(scaled).raw().toBuffer({ resolveWithObject: true })
  let room = work.derivedBytes - preview.length
  for (const width of [widest, ...others]) {
    const copy = sharp(data, { raw })
    if (width !== widest) copy.resize({ ...copySides(sides, width), fit: 'fill' })
    const bytes = await copy.jpeg({ quality: 75 }).toBuffer()
    if (bytes.length > room) continue
    writeWhole(work.derived[`preview-${width}`], bytes)
    room -= bytes.length
  }
}
