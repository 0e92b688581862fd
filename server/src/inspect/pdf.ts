// PDF: its first page as a picture, with what was filled into its form. PDFium draws it, in WebAssembly: scripts,
// attachments and links in the file are data that nobody reads. docs/contract/attachments.md#formats.
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { PDFiumLibrary } from '@hyzyla/pdfium'
import sharp from 'sharp'
import { jpegOf, makeCopies, writePreview } from './copies.ts'
import { type Finding, type Look, type Prepare, readWhole, ready, rejected, type Work } from './look.ts'

/** The longer side of the preview, and how much a page the size of a stamp is enlarged at most. */
const previewPixels = 1600
const maxScale = 4

/** Where readers look for the mark of the end. */
const tailBytes = 1024

export const prepare: Prepare = async () => {
  sharp.concurrency(1)
  sharp.cache(false)
  const wasm = createRequire(import.meta.url).resolve('@hyzyla/pdfium/pdfium.wasm')
  const compiled = await WebAssembly.compile(await readFile(wasm))
  // Compiled once, with a memory of its own for each file: what one leaves there the next does not find.
  const instance = (): Promise<Library> =>
    PDFiumLibrary.init({
      instantiateWasm: (imports, done) => {
        const made = new WebAssembly.Instance(compiled, imports)
        // Typed as the callback of something else than what it takes.
        ;(done as unknown as (made: WebAssembly.Instance, compiled: WebAssembly.Module) => void)(made, compiled)
        return made.exports
      },
    })
  // What the first one loads by name cannot be loaded any more when the file is there.
  let next: Promise<Library> | undefined = instance()
  await next
  const look: Look = async (work) => {
    const library = await (next ?? instance())
    next = undefined
    return draw(library, work)
  }
  return look
}

type Library = Awaited<ReturnType<typeof PDFiumLibrary.init>>
type Document = Awaited<ReturnType<Library['loadDocument']>>

async function draw(library: Library, work: Work): Promise<Finding> {
  const bytes = readWhole(work.original)
  const end = endOf(bytes)
  if (end === undefined) return rejected('broken')

  let document: Document
  try {
    document = await library.loadDocument(end.isFound ? bytes : bytes.subarray(0, end.bytes))
  } catch (error) {
    return rejected(/password|security/i.test(String(error)) ? 'encrypted' : 'broken')
  }
  if (!end.isFound && !hasOwnTable(document)) return rejected('broken')
  if (document.getPageCount() < 1) return rejected('broken')
  const page = document.getPage(0)
  const { originalWidth, originalHeight } = page.getOriginalSize()
  const longer = Math.max(originalWidth, originalHeight)
  // A page that can not be loaded has no size.
  if (!(originalWidth > 0 && originalHeight > 0 && Number.isFinite(longer))) return rejected('broken')

  const scale = Math.min(previewPixels / longer, maxScale)
  const inPixels = (points: number): number => Math.max(1, Math.round(points * scale))
  const [width, height] = [inPixels(originalWidth), inPixels(originalHeight)]
  const { data } = await page.render({ width, height, scale: 1, render: 'bitmap', renderFormFields: true })
  const picture = sharp(data, { raw: { width, height, channels: 4 } }).flatten({ background: '#ffffff' })
  const jpeg = await jpegOf(picture, 85).toBuffer()
  if (jpeg.length > work.derivedBytes) return rejected('limits')
  const sides = { width, height }
  writePreview(work, { data: jpeg, sides, copies: await makeCopies(work.purpose, sides, () => sharp(jpeg)) })
  return ready()
}

interface End {
  /** The first byte behind the last mark of an end. */
  bytes: number
  /** Whether readers find it where they look first. */
  isFound: boolean
}

const eof = '%%EOF'

/**
 * Where a document ends; undefined if it does not. PDFium repairs what was cut off as well as it can, and would show
 * a page of it: so what has no end is cut off, and so is a later version with objects but no end. Padding does not
 * count, nor do lines that servers and mailers add; an archive behind it makes two files of one.
 */
function endOf(bytes: Buffer): End | undefined {
  const mark = bytes.lastIndexOf(eof, bytes.length, 'latin1')
  if (mark < 0) return undefined
  const end = mark + eof.length
  let length = bytes.length
  while (length > end && (bytes[length - 1] as number) <= 0x20) length--
  const behind = bytes.subarray(end, length)
  if (behind.includes('PK\x05\x06', 0, 'latin1')) return undefined
  const isFound = length - mark <= tailBytes
  if (!isFound && /\d\s+\d+\s+obj\b/.test(behind.toString('latin1'))) return undefined
  return { bytes: end, isFound }
}

/** Whether the table of its objects is where the document says, and PDFium had not to look for them. */
function hasOwnTable(document: Document): boolean {
  // Neither is offered by the wrapper.
  const { module, documentIdx } = document as unknown as {
    module: { _FPDF_DocumentHasValidCrossReferenceTable(document: number): number }
    documentIdx: number
  }
  return module._FPDF_DocumentHasValidCrossReferenceTable(documentIdx) !== 0
}
