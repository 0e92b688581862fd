// The smaller copies of a preview, and those for browsers: one decoding, however many there are.
// docs/contract/attachments.md#previews.
import sharp, { type OutputInfo, type Sharp } from 'sharp'
import { copySides, previewWidths, type Sides } from './formats.ts'
import { type Work, writeWhole } from './look.ts'
import { webWidthsOf } from './web-copies.ts'

export interface Preview {
  /** A JPEG. */
  data: Buffer
  sides: Sides
  /** What it shows, to be made smaller. */
  pixels: () => Sharp
}

interface Raw {
  data: Buffer
  info: OutputInfo
}

/** A quarter less than a JPEG that looks the same, for three times its processor time; each level above doubles that at most. */
const webOptions = { quality: 75, effort: 1 } as const

/** Writes copies beside the preview within the budget, those as JPEG first; one that has no room is left out. */
export async function writeCopies(work: Work, { data, sides, pixels }: Preview): Promise<void> {
  const jpegs = previewWidths.filter((width) => width < sides.width).reverse()
  const webs = webWidthsOf(work.purpose, sides)
  const rows = new Map<number, Raw>()
  let source = pixels
  for (const width of [...new Set([...jpegs, ...webs])].sort((one, other) => other - one)) {
    const raw = await source()
      .resize({ ...copySides(sides, width), fit: 'fill' })
      .raw()
      .toBuffer({ resolveWithObject: true })
    rows.set(width, raw)
    source = () => open(raw)
  }
  let room = work.derivedBytes - data.length
  const fits = (bytes: Buffer): boolean => {
    if (bytes.length > room) return false
    room -= bytes.length
    return true
  }
  for (const width of jpegs) {
    const bytes = await open(rows.get(width) as Raw)
      .jpeg({ quality: 75 })
      .toBuffer()
    if (fits(bytes)) writeWhole(work.derived[`preview-${width}`], bytes)
  }
  for (const width of webs) {
    const bytes = await open(rows.get(width) as Raw)
      .webp(webOptions)
      .toBuffer()
    if (fits(bytes)) writeWhole(work.derived.web, bytes)
  }
}

const open = ({ data, info }: Raw): Sharp => sharp(data, { raw: info })
