// The widths of a preview behind its door: which bytes each gives, to whom, and what they cost.
// docs/contract/attachments.md#bytes and docs/contract/attachments.md#previews.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import sharp from 'sharp'
import { blackPng, jpeg, pdf } from '../../../test/corpus.ts'
import { video } from '../../../test/corpus-media.ts'
import { svg } from '../../../test/corpus-sources.ts'
import { givenPost } from '../../../test/posts.ts'
import { story } from '../../../test/story.ts'
import { assertFilesAddUp, read, sha256, upload, uploaded, withStorage } from '../../../test/upload.ts'
import { type Agent, eventually } from '../../../test/world.ts'
import type { Storage } from '../../storage/storage.ts'
import { setFileHidden } from './files.ts'
import { purgeNext } from './purge.ts'
import { uploadsOf } from './uploads.ts'

const wide = await jpeg({ width: 1600, height: 900 })
const { w, ada } = story('ada')
after(() => assertFilesAddUp(w))

/** How wide what a door gives is; its status where it gives nothing. */
async function widthOf(id: string, query = '', agent?: Agent, headers = {}): Promise<number> {
  const { status, bytes } = await read(w, `/attachments/${id}/preview${query}`, { ...(agent && { agent }), headers })
  return status === 200 ? (await sharp(bytes).metadata()).width : status
}
const queries = ['', '?width=480', '?width=1080']
const widths = (id: string, agent?: Agent) => Promise.all(queries.map((query) => widthOf(id, query, agent)))
const publish = (id: string) => givenPost(ada, { attachment_ids: [id], rights_confirmed: true })
const keysOf = async (id: string): Promise<string[]> =>
  (await Array.fromAsync(w.service.storage.list())).flatMap(({ key }) =>
    key.startsWith(`${id}/`) ? [key.slice(id.length + 1)] : [],
  )

test('a width returns the narrowest copy at least that wide, or the widest one', async () => {
  for (const [what, bytes, expected] of [
    ['wide', wide, [1600, 480, 1080]],
    ['between', await jpeg({ width: 700, height: 900 }), [700, 480, 700]],
    ['narrow', await jpeg({ width: 300, height: 900 }), [300, 300, 300]],
    ['a page', pdf({ width: 612, height: 792 }), [1236, 480, 1080]],
    ['a poster', await video({ seconds: 0.2, width: 640, height: 360, audio: null }), [640, 480, 640]],
  ] as const) {
    assert.deepEqual(await widths((await uploaded(w, ada, bytes)).id, ada), expected, what)
  }
  const source = await uploaded(w, ada, svg())
  assert.deepEqual(await widths(source.id, ada), [404, 404, 404], 'a source has none')
})

test('each width has its own bytes, ETag and length, and the card is unchanged', async () => {
  const { id, ...card } = await uploaded(w, ada, wide)
  await publish(id)
  const tags = new Set<string | null>()
  for (const query of queries) {
    const path = `/attachments/${id}/preview${query}`
    const { status, headers, bytes } = await read(w, path)
    const tag = headers.get('etag')
    assert.deepEqual([status, tag, headers.get('content-type')], [200, `"${sha256(bytes)}"`, 'image/jpeg'])
    assert.equal(headers.get('content-length'), String(bytes.length))
    assert.equal(headers.get('cache-control'), 'public, max-age=600, s-maxage=0, must-revalidate')
    assert.equal(headers.get('content-disposition'), `inline; filename="${id}.jpg"`)
    assert.match(headers.get('content-security-policy') ?? '', /sandbox/)
    assert.equal((await read(w, path, { headers: { 'if-none-match': tag ?? '' } })).status, 304)
    const head = await read(w, path, { method: 'HEAD' })
    assert.deepEqual([head.status, head.headers.get('etag'), head.bytes.length], [200, tag, 0])
    tags.add(tag)
  }
  assert.equal(tags.size, 3)
  const own = await read(w, `/attachments/${id}/preview?width=480`, { agent: ada })
  assert.equal(own.headers.get('cache-control'), 'private, no-store')
  assert.deepEqual([card.width, card.height, card.preview_url], [1600, 900, `/api/v1/attachments/${id}/preview`])
  assert.ok(!Object.keys(card).some((name) => name.includes('previews')))
})

/** As browsers ask for pictures. */
const asImage = { accept: 'image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8' }

test('a browser gets a copy as WebP, and everyone else the JPEG', async () => {
  const { id, size } = await uploaded(w, ada, wide)
  await publish(id)
  assert.equal(size, wide.length)
  const path = `/attachments/${id}/preview`
  const seen = new Set<string>()
  for (const [width, accept, type] of [
    ['480', asImage.accept, 'webp'],
    ['480', 'IMAGE/WEBP;q=0.001', 'webp'],
    ['96', 'image/webp', 'webp'],
    ['192', 'image/png, image/webp ;v=1', 'webp'],
    ['1080', 'image/webp', 'webp'],
    ['480', '*/*', 'jpeg'],
    ['480', 'image/*', 'jpeg'],
    ['480', '', 'jpeg'],
    ['480', 'image/webp;q=0', 'jpeg'],
    ['480', 'image/webp; q=0.000, */*', 'jpeg'],
    ['480', 'image/webpx', 'jpeg'],
    ['1080', 'image/avif', 'jpeg'],
    [undefined, 'image/webp', 'jpeg'],
  ] as const) {
    const query = width === undefined ? '' : `?width=${width}`
    const { status, headers, bytes } = await read(w, path + query, { headers: { accept } })
    const what = `${width} ${accept}`
    assert.deepEqual([status, headers.get('content-type')], [200, `image/${type}`], what)
    const { format, width: wide, height, exif } = await sharp(bytes).metadata()
    const expected = width === undefined ? 1600 : Math.max(480, Number(width))
    assert.deepEqual([format, wide, height, exif], [type, expected, Math.round((expected * 9) / 16), undefined], what)
    assert.equal(headers.get('vary'), 'authorization, accept')
    assert.equal(headers.get('content-length'), String(bytes.length))
    assert.equal(headers.get('cache-control'), 'public, max-age=600, s-maxage=0, must-revalidate')
    const extension = type === 'webp' ? 'webp' : 'jpg'
    assert.equal(headers.get('content-disposition'), `inline; filename="${id}.${extension}"`)
    assert.match(headers.get('content-security-policy') ?? '', /sandbox/)
    const tag = headers.get('etag') ?? ''
    seen.add(`${tag} ${sha256(bytes)}`)
    const again = await read(w, path + query, { headers: { accept, 'if-none-match': tag } })
    assert.deepEqual([again.status, again.headers.get('vary')], [304, 'authorization, accept'])
    const head = await read(w, path + query, { method: 'HEAD', headers: { accept } })
    assert.deepEqual([head.headers.get('etag'), head.headers.get('content-length')], [tag, String(bytes.length)])
  }
  assert.equal(seen.size, 5, 'each variant has its own bytes and ETag')
})

test('which copies a browser gets depends on what the file is for', async () => {
  const of = async (bytes: Buffer, purpose: string) => {
    const { id } = await uploaded(w, ada, bytes, { purpose })
    const at = async (width: number) => {
      const { bytes: got } = await read(w, `/attachments/${id}/preview?width=${width}`, {
        agent: ada,
        headers: asImage,
      })
      const { format, width: wide } = await sharp(got).metadata()
      return `${format} ${wide}`
    }
    return Promise.all([96, 192, 480, 1080, 1920].map(at))
  }
  const square = (side: number) => jpeg({ width: side, height: side })
  assert.deepEqual(await of(await square(1024), 'portfolio'), [
    ...Array(3).fill('webp 480'),
    ...Array(2).fill('webp 1024'),
  ])
  assert.deepEqual(await of(await square(300), 'character'), Array(5).fill('webp 300'))
  assert.deepEqual(await of(await square(1024), 'avatar'), [
    'webp 96',
    'webp 192',
    'webp 480',
    'jpeg 1024',
    'jpeg 1024',
  ])
  assert.deepEqual(await of(await square(150), 'avatar'), ['webp 96', ...Array(4).fill('webp 150')])
  assert.deepEqual(await of(await square(1024), 'order'), [...Array(3).fill('jpeg 480'), ...Array(2).fill('jpeg 1024')])
  const page = [...Array(3).fill('webp 480'), 'webp 1080', 'jpeg 1236']
  assert.deepEqual(await of(pdf({ width: 612, height: 792 }), 'portfolio'), page)
  const large = [...Array(3).fill('webp 480'), 'webp 1080']
  assert.deepEqual(await of(blackPng(2400, 300), 'portfolio'), [...large, 'webp 1920'])
  assert.deepEqual(await of(blackPng(2399, 300), 'portfolio'), [...large, 'jpeg 2399'])
  assert.deepEqual(await of(blackPng(2400, 300), 'character'), [...large, 'jpeg 2400'])
  const clip = await video({ seconds: 0.2, width: 640, height: 360, audio: null })
  assert.deepEqual(await of(clip, 'portfolio'), [...Array(3).fill('jpeg 480'), ...Array(2).fill('jpeg 640')])
})

test('any other width or parameter is refused', async () => {
  const { id } = await uploaded(w, ada, wide)
  for (const query of [
    'width=',
    'width=0',
    'width=479',
    'width=481',
    'width=1600',
    'width=0480',
    'width=480.0',
    'width=%20480',
    'width=-480',
    'width=480&width=1080',
    'width=480&width=480',
    'widths=480',
    'Width=480',
    'width=__proto__',
    'height=480',
  ]) {
    const { status, code } = await read(w, `/attachments/${id}/preview?${query}`, { agent: ada })
    assert.deepEqual([status, code], [400, 'invalid_input'], query)
  }
  const { status } = await read(w, `/attachments/${id}/download?width=480`, { agent: ada })
  assert.equal(status, 400, 'the original has one width')
})

test('a reader who may not see a file finds none of its widths', async () => {
  const { id } = await uploaded(w, ada, wide)
  const bob = await w.agent('bob')
  const [none, all] = [Array(3).fill(404), [1600, 480, 1080]]
  const others = async () => {
    const inBrowsers = await Promise.all(queries.map((query) => widthOf(id, query, undefined, asImage)))
    assert.deepEqual(inBrowsers, await widths(id))
    return [inBrowsers, await widths(id, bob)]
  }
  assert.deepEqual(await widths(id, ada), all)
  assert.deepEqual(await others(), [none, none], 'nothing holds it')
  const post = await publish(id)
  assert.deepEqual(await others(), [all, all])
  const tag = (await read(w, `/attachments/${id}/preview?width=480`)).headers.get('etag') ?? ''

  await ada.patch('/bots/me', { profile_public: false })
  assert.deepEqual(await others(), [none, none], 'the profile is closed')
  const kept = await read(w, `/attachments/${id}/preview?width=480`, { headers: { 'if-none-match': tag } })
  assert.equal(kept.status, 404, 'a copy that somebody kept is not confirmed')
  await ada.patch('/bots/me', { profile_public: true })
  assert.deepEqual(await others(), [all, all])

  const hide = (hidden: boolean) => w.sql.transaction((tx) => setFileHidden(tx, id, hidden))
  await hide(true)
  assert.deepEqual(await others(), [none, none], 'it is hidden')
  assert.deepEqual(await widths(id, ada), all)
  await hide(false)
  assert.deepEqual(await others(), [all, all])

  await ada.patch(`/posts/${post.id}`, { visibility: 'private' })
  assert.deepEqual(await others(), [none, none], 'the post is private')
})

test('copies count towards the quota to the byte, and are deleted with the file', async () => {
  const eve = await w.agent('eve')
  const used = async () => (await eve.get('/attachments/storage')).body.storage.bytes.used
  const uploadId = randomUUID()
  const card = await uploaded(w, eve, wide, { uploadId })
  assert.deepEqual(await keysOf(card.id), ['original', 'preview', 'preview-1080', 'preview-480', 'web'])
  const every = [...queries.map((query) => [query, {}] as const), ...queries.slice(1).map((q) => [q, asImage] as const)]
  const sizes = await Promise.all(
    every.map(([query, headers]) => read(w, `${card.preview_url}${query}`, { agent: eve, headers })),
  )
  const sum = sizes.reduce((all, { bytes }) => all + bytes.length, wide.length)
  assert.deepEqual([card.allocated_bytes, await used()], [sum, sum])

  const replays = await Promise.all(Array.from({ length: 20 }, () => upload(w, eve, wide, { uploadId })))
  for (const { status, body } of replays) assert.deepEqual([status, body.attachment], [200, card])
  assert.equal(await used(), sum, 'a replay costs nothing')

  await w.request('DELETE', `/attachments/${card.id}`, { token: eve.token })
  await eventually(async () => {
    await purgeNext(w.service).catch(() => {})
    return (await used()) === 0
  }, 'the bytes given back')
  assert.deepEqual(await keysOf(card.id), [])
  assert.deepEqual(await widths(card.id, eve), [404, 404, 404])
})

test('a quota with room for the inspection has room for the copies', async () => {
  const finn = await w.agent('finn')
  const [gibibyte, reserved] = [1024 ** 3, 28 * 1024 ** 2]
  const using = (bytes: number) => w.sql`update storage_usage set bytes = bytes + ${bytes} where owner_id = ${finn.id}`
  const first = await uploaded(w, finn, await jpeg())
  const others = gibibyte - reserved - first.allocated_bytes
  await using(others + 1)
  assert.equal((await upload(w, finn, wide)).body.error.code, 'storage_quota_exceeded')
  await using(-1)
  const card = await uploaded(w, finn, wide)
  const { bytes } = (await finn.get('/attachments/storage')).body.storage
  assert.equal(bytes.available, reserved - card.allocated_bytes)
  await using(-others)
})

test('storage that fills up at any object keeps none of them, and accepts all of them later', async () => {
  const gil = await w.agent('gil')
  const { put } = w.service.storage
  for (const name of ['original', 'preview', 'preview-480', 'preview-1080', 'web']) {
    const uploadId = randomUUID()
    let id = ''
    const failing: Storage['put'] = async (key, path) => {
      id = key.split('/')[0] as string
      if (key.endsWith(`/${name}`)) throw Object.assign(new Error('no space'), { code: 'ENOSPC' })
      await put(key, path)
    }
    await withStorage(w, { put: failing }, async () => {
      const { status, body } = await upload(w, gil, wide, { uploadId })
      assert.deepEqual([status, body.error.code], [503, 'service_unavailable'], name)
    })
    assert.deepEqual(await keysOf(id), [], name)
    assert.equal((await gil.get('/attachments/storage')).body.storage.upload_records.used, 0)
  }
  const { id } = await uploaded(w, gil, wide)
  assert.deepEqual(await widths(id, gil), [1600, 480, 1080])
})

test('an inspection that a dead node left is repeated for all objects', async () => {
  const hal = await w.agent('hal')
  const { id, allocated_bytes: kept } = await uploaded(w, hal, wide)
  const reserved = 28 * 1024 ** 2
  await w.sql.transaction(async (tx) => {
    await tx`
      update attachments set status = 'pending', node_id = ${randomUUID()}, stored = true, preview_bytes = null,
        preview_sha256 = null, preview_width = null, preview_height = null, preview_480_bytes = null,
        preview_480_sha256 = null, preview_1080_bytes = null, preview_1080_sha256 = null, web_bytes = null,
        web_sha256 = null, web_widths = null, web_sizes = null,
        allocated_bytes = ${reserved}, purge_after = null where id = ${id}`
    await tx`
      update storage_usage set bytes = bytes + ${reserved - kept}
      where owner_id in (${hal.id}, '00000000-0000-0000-0000-000000000000')`
  })
  assert.deepEqual(await widths(id, hal), [404, 404, 404])
  const card = await eventually(async () => {
    await uploadsOf(w.service).recover()
    const now = (await hal.get(`/attachments/${id}`)).body.attachment
    return now.status === 'ready' ? now : undefined
  }, 'the verdict')
  assert.equal(card.allocated_bytes, kept)
  assert.deepEqual(await widths(id, hal), [1600, 480, 1080])
})

test('a file older than copies serves its preview at every width', async () => {
  const ida = await w.agent('ida')
  const narrow = await uploaded(w, ida, await jpeg({ width: 400, height: 300 }), { purpose: 'order' })
  await w.sql`update attachments set preview_width = null, preview_height = null where id = ${narrow.id}`
  assert.deepEqual(await widths(narrow.id, ida), [400, 400, 400])
  assert.equal(await widthOf(narrow.id, '?width=96', ida, asImage), 400)
})
