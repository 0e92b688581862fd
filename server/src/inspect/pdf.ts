// PDF: its first page as a picture. PDFium draws it, in WebAssembly: scripts, attachments and links in the file are
// data that nobody reads. docs/contract/attachments.md#formats.
import { PDFiumLibrary } from '@hyzyla/pdfium'
import sharp from 'sharp'
import { writeCopies } from './copies.ts'
import {
  type Finding,
  type Look,
  type Prepare,
  readAt,
  readWhole,
  ready,
  rejected,
  type Work,
  writeWhole,
} from './look.ts'

/** The longer side of the preview, and how much a page the size of a stamp is enlarged at most. */
const previewPixels = 1600
const maxScale = 4

/** Where readers look for the mark of the end; behind it is no room for another file. */
const tailBytes = 1024

export const prepare: Prepare = async () => {
  sharp.concurrency(1)
  sharp.cache(false)
  const library = await PDFiumLibrary.init()
  const look: Look = (work) => draw(library, work)
  return look
}

type Library = Awaited<ReturnType<typeof PDFiumLibrary.init>>

async function draw(library: Library, work: Work): Promise<Finding> {
  // PDFium repairs what was cut off as well as it can, and would show a page of it.
  const tail = readAt(work.original, Math.max(0, work.originalBytes - tailBytes), tailBytes)
  if (!tail.includes('%%EOF')) return rejected('broken')

  let document: Awaited<ReturnType<Library['loadDocument']>>
  try {
    document = await library.loadDocument(readWhole(work.original))
  } catch (error) {
    return rejected(/password|security/i.test(String(error)) ? 'encrypted' : 'broken')
  }
  if (document.getPageCount() < 1) return rejected('broken')
  const page = document.getPage(0)
  const { originalWidth, originalHeight } = page.getOriginalSize()
  const longer = Math.max(originalWidth, originalHeight)
  // A page that can not be loaded has no size.
  if (!(originalWidth > 0 && originalHeight > 0 && Number.isFinite(longer))) return rejected('broken')

  const scale = Math.min(previewPixels / longer, maxScale)
  const inPixels = (points: number): number => Math.max(1, Math.round(points * scale))
  const [width, height] = [inPixels(originalWidth), inPixels(originalHeight)]
  const { data } = await page.render({ width, height, scale: 1, render: 'bitmap' })
  const jpeg = await sharp(data, { raw: { width, height, channels: 4 } })
    .flatten({ background: '#ffffff' })
    .jpeg({ quality: 85 })
    .toBuffer()
  if (jpeg.length > work.derivedBytes) return rejected('limits')
  writeWhole(work.derived.preview, jpeg)
  await writeCopies(work, jpeg, { width, height })
  return ready()
}
