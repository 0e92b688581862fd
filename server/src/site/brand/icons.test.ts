// The icons that browsers and telephones ask for by name, as each brand draws them.
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import sharp from 'sharp'
import { fetched } from '../../../test/fetched.ts'
import { pluck } from '../../../test/pluck.ts'
import { world } from '../../../test/world.ts'

let folder: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kith-icons-'))
})
after(() => rm(folder, { recursive: true, force: true }))

/** The pictures of an ICO file, by what its directory says of each. */
function picturesIn(ico: Buffer): { side: number; bytes: Buffer }[] {
  assert.deepEqual([ico.readUInt16LE(0), ico.readUInt16LE(2)], [0, 1], 'an icon')
  return Array.from({ length: ico.readUInt16LE(4) }, (_, index) => {
    const at = 6 + 16 * index
    const from = ico.readUInt32LE(at + 12)
    return { side: ico.readUInt8(at), bytes: ico.subarray(from, from + ico.readUInt32LE(at + 8)) }
  })
}

/** The colour of a point, as `[r, g, b, a]`. */
async function colourAt(png: Buffer, left: number, top: number): Promise<number[]> {
  const point = sharp(png).ensureAlpha().extract({ left, top, width: 1, height: 1 })
  return [...(await point.raw().toBuffer())]
}

async function iconsOf(env: Record<string, string>) {
  const w = await world({ env })
  const get = (path: string, headers: Record<string, string> = {}) => fetched(w.url + path, headers)
  const [favicon, touch, manifest] = await Promise.all(
    ['/favicon.ico', '/apple-touch-icon.png', '/manifest.webmanifest'].map((path) => get(path)),
  )
  assert.ok(favicon && touch && manifest)
  return { w, get, favicon, touch, manifest, app: JSON.parse(manifest.bytes.toString()) }
}

test('the shipped mark is drawn once for twenty simultaneous requests, and is not sent again', async () => {
  const { w, get, favicon, touch, manifest, app } = await iconsOf({})
  assert.equal(favicon.headers.get('content-type'), 'image/x-icon')
  assert.equal(touch.headers.get('content-type'), 'image/png')
  assert.equal(manifest.headers.get('content-type'), 'application/manifest+json; charset=utf-8')
  const pictures = picturesIn(favicon.bytes)
  assert.deepEqual(pluck(pictures, 'side'), [16, 32, 48])
  for (const { side, bytes } of pictures) {
    const { format, width, height } = await sharp(bytes).metadata()
    assert.deepEqual([format, width, height], ['png', side, side])
  }
  const { width, height } = await sharp(touch.bytes).metadata()
  assert.deepEqual([width, height], [180, 180])
  assert.deepEqual(await colourAt(touch.bytes, 90, 10), [0x0d, 0x63, 0x53, 255])
  const again = await Promise.all(Array.from({ length: 20 }, () => get('/favicon.ico')))
  for (const { bytes } of again) assert.ok(bytes.equals(favicon.bytes))
  const tag = String(favicon.headers.get('etag'))
  assert.equal((await get('/favicon.ico', { 'if-none-match': tag })).status, 304)
  assert.deepEqual([app.name, app.theme_color, app.start_url], ['Kith', '#0d6353', '/'])
  for (const { src, type } of app.icons) {
    const icon = await get(src)
    assert.equal(icon.headers.get('content-type')?.split(';')[0], type)
  }
  assert.match(
    (await get('/', { accept: 'text/html' })).bytes.toString(),
    /<link rel="manifest" href="\/manifest.webmanifest">/,
  )
  await w.close()
})

test('a server with another name and colour has its own icons and manifest', async () => {
  const { w, touch, app } = await iconsOf({ SITE_NAME: 'Harbour "&', SITE_COLOUR: '#1a4fa3' })
  assert.deepEqual([app.name, app.theme_color], ['Harbour "&', '#1a4fa3'])
  assert.deepEqual(await colourAt(touch.bytes, 90, 10), [0x1a, 0x4f, 0xa3, 255])
  await w.close()
})

test('a logo is drawn whole, on transparent in a browser and on white on a phone', async () => {
  const logo = join(folder, 'logo.svg')
  await writeFile(
    logo,
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 60 20"><rect width="60" height="20" fill="#c00"/></svg>',
  )
  const { w, favicon, touch, app } = await iconsOf({ SITE_LOGO: logo })
  const small = picturesIn(favicon.bytes)[0]?.bytes as Buffer
  assert.equal((await colourAt(small, 8, 1))[3], 0, 'nothing above it')
  assert.deepEqual(await colourAt(small, 8, 8), [0xcc, 0, 0, 255])
  assert.deepEqual(await colourAt(touch.bytes, 2, 90), [255, 255, 255, 255], 'a margin')
  assert.deepEqual(await colourAt(touch.bytes, 90, 90), [0xcc, 0, 0, 255])
  assert.match(app.icons[0].src, /^\/assets\/drawings\/logo-/)
  await w.close()
})

test('an invalid logo leaves the shipped mark', async () => {
  const logo = join(folder, 'broken.svg')
  await writeFile(logo, '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><rect </svg>')
  const { w, favicon, touch } = await iconsOf({ SITE_LOGO: logo })
  assert.equal(favicon.status, 200)
  assert.deepEqual(await colourAt(touch.bytes, 90, 30), [0x0d, 0x63, 0x53, 255])
  await w.close()
})
