// Files on pages: each as everyone gets it, with its place before it is there. docs/contract/site.md#files.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { HtmlValidate } from 'html-validate'
import sharp from 'sharp'
import { blackPng, jpeg, pdf, png } from '../../../test/corpus.ts'
import { mp3, video, wav } from '../../../test/corpus-media.ts'
import { psd, svg } from '../../../test/corpus-sources.ts'
import { hostile } from '../../../test/pages.ts'
import { givenPost } from '../../../test/posts.ts'
import { story } from '../../../test/story.ts'
import { assertFilesAddUp, read, uploaded } from '../../../test/upload.ts'
import { previews } from '../../modules/attachments/cards.ts'
import { show, viewerOf } from '../../modules/posts/show.ts'
import { passportOf } from '../../modules/profiles/passports.ts'
import { render } from '../html.ts'
import { createCatalogue, shippedLanguages, type Words } from '../words.ts'
import { avatar } from './agent.ts'
import { cover, type File, figures } from './files.ts'

const { w, ada } = story('ada')
after(() => assertFilesAddUp(w))

const catalogue = createCatalogue(shippedLanguages)
const [english, russian] = [catalogue.of(['en']), catalogue.of(['ru'])]
const shownIn = (words: Words, files: readonly File[], title: string): string =>
  render(figures({ words }, files, title))

/** Files of a public work as everyone gets them, in the order of their bytes. */
async function shown(...contents: Buffer[]): Promise<readonly File[]> {
  const ids: string[] = []
  for (const bytes of contents) ids.push((await uploaded(w, ada, bytes)).id)
  const post = await givenPost(ada, { attachment_ids: ids, rights_confirmed: true })
  const [found] = await show(w.sql, viewerOf(w.service, null), [post.id])
  return found?.attachments ?? []
}

function elements(html: string, name: string): Record<string, string>[] {
  return [...html.matchAll(new RegExp(`<${name}((?: [a-z-]+(?:="[^"]*")?)*)>`, 'g'))].map(([, attributes = '']) =>
    Object.fromEntries(
      [...attributes.matchAll(/ ([a-z-]+)(?:="([^"]*)")?/g)].map(([, key, value = '']) => [key, value]),
    ),
  )
}

/** What everyone gets at an address of a page: a browser is told apart by what it takes. */
async function got(url: string, accept = '*/*') {
  const { status, headers, bytes } = await read(w, url, { headers: { accept } })
  assert.equal(status, 200, url)
  return { type: headers.get('content-type'), bytes }
}

/** Everything that a picture names is there, as wide as it says, and the page knows the sides of the whole. */
async function assertPicture(
  img: Record<string, string>,
  whole: readonly [number, number],
  widths: readonly number[],
  widestWebP = 1080,
) {
  assert.deepEqual([Number(img['width']), Number(img['height'])], whole)
  const choice = (img['srcset'] ?? `${img['src']} ${whole[0]}w`).split(', ').map((each) => each.split(' '))
  assert.deepEqual(
    choice.map(([, width]) => width),
    widths.map((width) => `${width}w`),
  )
  assert.equal(img['src'], choice[0]?.[0])
  assert.equal(img['sizes'] === undefined, widths.length === 1)
  for (const [url = '', said] of choice) {
    const { type, bytes } = await got(url)
    const { width, height } = await sharp(bytes).metadata()
    assert.deepEqual([type, `${width}w`], ['image/jpeg', said])
    const { type: inBrowser, bytes: own } = await got(url, 'image/webp,*/*')
    assert.deepEqual(
      [inBrowser, (await sharp(own).metadata()).width],
      [width > widestWebP ? type : 'image/webp', width],
    )
    assert.ok(Math.abs(height / width - whole[1] / whole[0]) < 0.01, 'the same proportions')
  }
}

test('a picture has its dimensions and sizes, and links to the full image', async () => {
  for (const [bytes, whole, widths] of [
    [await jpeg({ width: 1600, height: 900 }), [1600, 900], [480, 1080, 1600]],
    [await png({ width: 700, height: 1400 }), [700, 1400], [480, 700]],
    [await png({ width: 40, height: 30 }), [40, 30], [40]],
  ] as const) {
    const html = shownIn(english, await shown(bytes), 'A lamp')
    const [img] = elements(html, 'img')
    const [link] = elements(html, 'a')
    assert.equal(img?.['alt'], '\u2068A lamp\u2069')
    await assertPicture(img ?? {}, whole, widths)
    assert.equal((await sharp((await got(link?.['href'] ?? '')).bytes).metadata()).width, whole[0])
  }
  const [large] = elements(shownIn(english, await shown(blackPng(2400, 300)), 'A wall'), 'img')
  const choice = (large?.['srcset'] ?? '').split(', ').map(async (each) => {
    const [url = '', said] = each.split(' ')
    const { type, bytes } = await got(url, 'image/webp,*/*')
    return [said, type, (await sharp(bytes).metadata()).width]
  })
  assert.deepEqual(await Promise.all(choice), [
    ['480w', 'image/webp', 480],
    ['1080w', 'image/webp', 1080],
    ['1920w', 'image/webp', 1920],
    ['2400w', 'image/jpeg', 2400],
  ])
})

test('all but the first picture of a page load lazily', async () => {
  const files = await shown(await jpeg({ width: 600 }), await jpeg({ width: 601 }))
  const [first, second] = elements(shownIn(english, files, 'Two'), 'img')
  assert.deepEqual([first?.['loading'], first?.['fetchpriority']], [undefined, 'high'])
  assert.deepEqual([second?.['loading'], second?.['fetchpriority']], ['lazy', undefined])
  assert.deepEqual([first?.['decoding'], second?.['decoding']], ['async', 'async'])
  assert.equal(second?.['alt'], '\u2068Two\u2069: file 2 of 2')
  const [card] = elements(render(cover(files, '')), 'img')
  assert.deepEqual([card?.['loading'], card?.['alt'], card?.['class']], ['lazy', '', undefined])
  await assertPicture(card ?? {}, [600, 48], [480, 600])
  const [eager] = elements(render(cover(files, '', { isFirst: true })), 'img')
  assert.equal(eager?.['loading'], undefined)
})

test('a document shows its first page, which everyone gets as an image', async () => {
  const html = shownIn(english, await shown(pdf({ width: 612, height: 792 })), 'A plan')
  const [img] = elements(html, 'img')
  assert.match(img?.['alt'] ?? '', /A plan.*: first page of a PDF document/)
  await assertPicture(img ?? {}, [1236, 1600], [480, 1080, 1236])
  assert.match(html, /First page of a PDF document\./)
  assert.match(html, /download>Download JPEG, \d/, 'the bytes that everyone gets are no PDF')
})

test('video and audio players load nothing by themselves, and show the duration', async () => {
  const files = await shown(await video({ seconds: 2, width: 640, height: 360 }), mp3(3), wav(61))
  const html = shownIn(english, files, 'A song')
  const [player] = elements(html, 'video')
  assert.deepEqual(
    [player?.['controls'], player?.['preload'], player?.['width'], player?.['height']],
    ['', 'none', '640', '360'],
  )
  assert.equal((await got(player?.['src'] ?? '')).type, 'video/mp4')
  assert.equal((await sharp((await got(player?.['poster'] ?? '')).bytes).metadata()).width, 640)
  const sounds = elements(html, 'audio')
  assert.deepEqual(
    sounds.map(({ controls, preload }) => [controls, preload]),
    [
      ['', 'none'],
      ['', 'none'],
    ],
  )
  for (const { src = '' } of sounds) assert.match((await got(src)).type ?? '', /^audio\//)
  assert.match(html, /Video, MP4, 2 sec\./)
  assert.match(html, /Audio, MP3, 3 sec\./)
  assert.match(html, /Audio, WAV, 1 min, 1 sec\./)
  assert.match(shownIn(russian, files, 'Песня'), /Видео, MP4, 2 с\./)
  for (const named of [player, ...sounds])
    assert.match(named?.['aria-label'] ?? '', /A song.*: file \d of 3: (video|audio)/)
})

test('a working source is only a download, with its format and size', async () => {
  const files = await shown(psd(), svg())
  for (const [words, format] of [
    [english, /<strong>PSD<\/strong> <span>Download only\.<\/span> .*Download PSD, [\d.]+\skB/],
    [russian, /<strong>PSD<\/strong> <span>Только для скачивания\.<\/span> .*Скачать PSD, [\d,]+\sкБ/],
  ] as const) {
    assert.match(shownIn(words, files, 'A drawing'), format)
  }
  const html = shownIn(english, files, 'A drawing')
  assert.equal(elements(html, 'img').length, 0, 'an SVG is drawn by nobody')
  for (const { href = '', download } of elements(html, 'a')) {
    assert.equal(download, '')
    assert.equal((await got(href)).type, 'application/octet-stream')
  }
  assert.equal(render(cover(files, '')), '')
})

test('a file no longer kept says so, and a work without files shows none', async () => {
  const [file] = await shown(await jpeg({ width: 600 }))
  assert.ok(file)
  const id = file.id
  const status = async (text: string, purgedAt: Date | null) =>
    w.sql`update attachments set status = ${text}, purged_at = ${purgedAt} where id = ${id}`
  const [holder] = await w.sql<{ post: string }>`
    select subject_id as post from attachment_bindings where attachment_id = ${id}`
  for (const [name, at] of [
    ['purging', null],
    ['purged', w.now()],
  ] as const) {
    await status(name, at)
    const [post] = await show(w.sql, viewerOf(w.service, null), [holder?.post ?? ''])
    const html = shownIn(english, post?.attachments ?? [], 'Gone')
    assert.match(html, /This file is no longer stored\./)
    assert.doesNotMatch(html, /<img|href|src=/)
    assert.equal(render(cover(post?.attachments ?? [], '')), '')
  }
  await status('ready', null)
  assert.equal(shownIn(english, [], 'Nothing'), '')
})

test('a file older than copies has the dimensions on its card, or none', async () => {
  const [image, page] = await shown(await jpeg({ width: 400, height: 300 }), pdf())
  await w.sql`
    update attachments set preview_width = null, preview_height = null where id = ${image?.id ?? ''}`
  const [holder] = await w.sql<{ post: string }>`
    select subject_id as post from attachment_bindings where attachment_id = ${image?.id ?? ''}`
  const [post] = await show(w.sql, viewerOf(w.service, null), [holder?.post ?? ''])
  const [img] = elements(shownIn(english, post?.attachments ?? [], 'Old'), 'img')
  await assertPicture(img ?? {}, [400, 300], [400], 0)
  const { preview_url: url } = page as File
  const old = { ...(page as File), [previews]: [{ url: url ?? '', width: null, height: null }] }
  const [plain] = elements(shownIn(english, [old], 'Old'), 'img')
  assert.deepEqual([plain?.['src'], plain?.['width'], plain?.['srcset']], [url, undefined, undefined])
})

test('an avatar uses the smallest copy that is sharp at the size the page sets', async () => {
  const { id } = await uploaded(w, ada, await jpeg({ width: 900, height: 900 }), { purpose: 'avatar' })
  const change = { avatar_attachment_id: id, rights_confirmed: true }
  assert.equal((await ada.patch('/bots/me', change)).status, 200)
  const [agent] = await w.sql`select * from agents where id = ${ada.id}`
  const passport = await passportOf(w.sql, ada.id, agent as never)
  for (const [size, width] of [
    [24, 96],
    [56, 192],
    [112, 480],
  ] as const) {
    const [img] = elements(render(avatar(passport, size)), 'img')
    assert.deepEqual([img?.['width'], img?.['height'], img?.['alt']], [String(size), String(size), ''])
    const widthFor = async (accept: string) =>
      (await sharp((await got(img?.['src'] ?? '', accept)).bytes).metadata()).width
    assert.deepEqual([await widthFor('image/webp'), await widthFor('*/*')], [width, 480])
  }
})

test('a title stays text, with any content, and the HTML is valid', async () => {
  const files = await shown(
    await jpeg({ width: 1200, height: 900 }),
    pdf(),
    await video({ seconds: 1, width: 500, height: 300 }),
    mp3(2),
    psd(),
  )
  const validator = new HtmlValidate({ extends: ['html-validate:recommended'] })
  for (const words of [english, russian]) {
    for (const title of [hostile, '\u202eevil\u202c', 'ש'.repeat(300), 'x'.repeat(2000)]) {
      const body = `${render(cover(files, title))}\n${shownIn(words, files, title)}`
      assert.ok(!body.includes('<script>') && !body.includes('onerror=alert(1)>'), 'it is escaped')
      const report = await validator.validateString(
        `<!DOCTYPE html>\n<html lang="en">\n<head>\n<title>Files</title>\n</head>\n<body>\n${body}\n</body>\n</html>\n`,
      )
      const found = report.results.flatMap(({ messages }) => messages.map((each) => `${each.ruleId}: ${each.message}`))
      assert.deepEqual(found, [])
    }
  }
})
