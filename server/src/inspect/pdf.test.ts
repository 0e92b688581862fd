// The preview of a document: its first page, and no document that hides itself, is a fragment, or would act.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import sharp from 'sharp'
import * as corpus from '../../test/corpus.ts'
import * as sources from '../../test/corpus-sources.ts'
import { inspect } from '../../test/inspection.ts'
import { jbig2, jbig2Text } from '../../test/jbig2.ts'

async function preview(bytes: Uint8Array): Promise<{ image: Buffer; width: number; height: number }> {
  const inspection = await inspect('pdf', bytes)
  assert.ok(inspection.outcome === 'ready', JSON.stringify(inspection))
  const { format, width, height } = await sharp(inspection.image).metadata()
  assert.equal(format, 'jpeg')
  return { image: inspection.image, width, height }
}

async function reason(bytes: Uint8Array): Promise<string> {
  const inspection = await inspect('pdf', bytes)
  return inspection.outcome === 'ready' ? 'ready' : inspection.reason
}

/** The colour at a part of the width, in the middle of the height. */
async function colour(image: Buffer, part: number): Promise<number[]> {
  const { width, height } = await sharp(image).metadata()
  const region = { left: Math.floor(width * part), top: Math.floor(height / 2), width: 1, height: 1 }
  return [...(await sharp(image).extract(region).raw().toBuffer())].map((value) => Math.round(value / 64))
}

test('the first page is drawn on white', async () => {
  const { image, width, height } = await preview(corpus.pdf({ pages: 3 }))
  assert.deepEqual([width, height], [800, 400])
  assert.deepEqual(await colour(image, 0.25), [4, 0, 0])
  assert.deepEqual(await colour(image, 0.75), [4, 4, 4])
  const text = corpus.pdf({ content: 'BT /F1 40 Tf 10 40 Td (Hello) Tj ET' })
  assert.ok((await sharp((await preview(text)).image).stats()).entropy > 0.1, 'letters are drawn')
})

test('pages of every size get a preview', async () => {
  for (const [points, pixels] of [
    [{ width: 612, height: 792 }, [1236, 1600]],
    [{ width: 14_400, height: 14_400 }, [1600, 1600]],
    [{ width: 2, height: 2 }, [8, 8]],
    [{ width: 14_400, height: 1 }, [1600, 1]],
  ] as const) {
    const { width, height } = await preview(corpus.pdf(points))
    assert.deepEqual([width, height], pixels)
  }
  const { width, height } = await preview(corpus.pdf({ width: 1e9, height: 1e9 }))
  assert.ok(width <= 1600 && height <= 1600)
})

test('filled-in form fields are drawn, and no script of the form runs', async () => {
  const says = '/T (a) /V (Hello) /DA (/Helv 40 Tf 1 0 0 rg) /MK << /BG [0 0 1] >>'
  const acts = '/AA << /F << /S /JavaScript /JS (while\\(true\\){}) >> >>'
  const { image } = await preview(
    corpus.pdf({
      content: '0 1 0 rg 100 0 100 100 re f',
      page: `/Annots [<< /Type /Annot /Subtype /Widget /FT /Tx /F 4 /Rect [0 0 100 100] ${says} ${acts} >>]`,
      catalog: '/AcroForm << /Fields [] /DA (/Helv 12 Tf 0 g) /NeedAppearances true >>',
    }),
  )
  assert.deepEqual(await colour(image, 0.48), [0, 0, 4], 'the background of the field')
  assert.deepEqual(await colour(image, 0.52), [0, 4, 0], 'beside it the page')
  const field = await sharp(image).extract({ left: 0, top: 0, width: 380, height: 400 }).toBuffer()
  assert.ok(((await sharp(field).stats()).channels[0]?.mean ?? 0) > 20, 'the words, in red')
})

test('a page scanned in black and white is drawn', async () => {
  const isBlack = (x: number, y: number): boolean => x < 20 || (x > 40 && (x + y) % 2 === 0)
  const { image } = await preview(corpus.scannedPdf(64, 32, jbig2(64, 32, isBlack)))
  assert.deepEqual(await colour(image, 0.1), [0, 0, 0])
  assert.deepEqual(await colour(image, 0.5), [4, 4, 4])
  // Scanners that look for letters write each of them once, beside the pages.
  const { page, globals } = jbig2Text(64, 32, 10, [
    [2, 2],
    [20, 11],
  ])
  const letters = (await preview(corpus.scannedPdf(64, 32, page, globals))).image
  assert.deepEqual(await colour(letters, 25 / 64), [0, 0, 0])
  assert.deepEqual(await colour(letters, 8 / 64), [4, 4, 4])
  assert.deepEqual(await colour(letters, 40 / 64), [4, 4, 4])
})

test('a password-protected document is encrypted', async () => {
  assert.equal(await reason(corpus.pdf({ password: 'sesame' })), 'encrypted')
  assert.equal(await reason(corpus.pdf({ password: '' })), 'ready')
})

test('fragments, empty documents and documents followed by another file are broken', async () => {
  const whole = corpus.pdf({ pages: 20 })
  for (const part of [0.01, 0.4, 0.8, 0.995])
    assert.equal(await reason(corpus.cut(whole, part)), 'broken', `cut at ${part}`)
  assert.equal(await reason(corpus.pdf({ pages: 0 })), 'broken')
  assert.equal(await reason(Buffer.from(`%PDF-1.7\n${'junk '.repeat(100)}\n%%EOF\n`)), 'broken')
  const archive = sources.zip([{ name: 'a', data: corpus.pngSignature }, { name: 'b'.repeat(2000) }])
  assert.equal(await reason(Buffer.concat([whole, archive])), 'broken')
})

test('scripts and links in a document are only data', async () => {
  const link = '/Annots [<< /Type /Annot /Subtype /Link /Rect [0 0 200 100] /A << /S /URI /URI (http://a.test/) >> >>]'
  const { image } = await preview(
    corpus.pdf({ script: 'app.launchURL\\("http://a.test/"\\);while\\(true\\){}', page: link }),
  )
  assert.deepEqual(await colour(image, 0.25), [4, 0, 0])
})

test('a page that needs too many resources is aborted', async () => {
  assert.equal(await reason(corpus.nestedPdf(1)), 'ready')
  assert.equal(await reason(corpus.nestedPdf(10)), 'limits')
  // A path without an end takes several times its bytes.
  const path = (mebibytes: number): Buffer =>
    corpus.pdf({ content: '0 0 m 9 9 l\n'.repeat((mebibytes * 1024 ** 2) / 12) })
  assert.equal(await reason(path(8)), 'ready')
  assert.equal(await reason(path(56)), 'limits')
})
