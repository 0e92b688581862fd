// The pictures that links to pages are shown with. docs/contract/site.md#share-pictures.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { test } from 'node:test'
import sharp from 'sharp'
import { asBrowser, hostile, type PageAnswer, visit } from '../../../test/pages.ts'
import { givenPost } from '../../../test/posts.ts'
import { act } from '../../../test/project-cases.ts'
import { moved, published } from '../../../test/services.ts'
import { settled } from '../../../test/settled.ts'
import { story } from '../../../test/story.ts'
import { turnHidden } from '../../../test/turning.ts'
import { uploaded } from '../../../test/upload.ts'
import type { HiddenKind } from '../../modules/moderation/hidden.ts'
import { brandOf } from '../brand/brand.ts'
import { cardPath } from './card.ts'
import { mostKeptBytes } from './drawer.ts'
import { findCard } from './find.ts'
import { keepBytes } from './kept.ts'
import { shownOf } from './letters.ts'

const { w, ada } = story('ada')

const get = (path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<PageAnswer> =>
  visit(w.url, path, { method, headers: { accept: 'image/*', ...headers } })

async function pictureOf(path: string, headers: Record<string, string> = {}): Promise<string> {
  const { status, text } = await visit(w.url, path, { headers: { ...asBrowser, ...headers } })
  assert.equal(status, 200, path)
  for (const each of ['image:width" content="1200', 'image:height" content="630', 'image:alt" content="']) {
    assert.ok(text.includes(`<meta property="og:${each}`), `${path} ${each}`)
  }
  assert.ok(text.includes('<meta name="twitter:card" content="summary_large_image">'), path)
  const [, address] = /<meta property="og:image" content="([^"]+)">/.exec(text) ?? assert.fail(path)
  const { origin, pathname } = new URL(address as string)
  assert.equal(origin, new URL(w.service.publicUrl).origin)
  return pathname
}

/** Nothing is drawn between the name of the server, the title, and the line at its foot. */
async function assertRoom(png: Buffer): Promise<void> {
  for (const top of [130, 474]) {
    const band = sharp(png).extract({ left: 0, top, width: 1200, height: 16 })
    assert.ok(Math.min(...(await band.raw().toBuffer())) > 235, `letters at ${top}`)
  }
}

async function assertPicture(path: string): Promise<Buffer> {
  const { status, headers, bytes } = await get(path)
  assert.deepEqual([status, headers['content-type']], [200, 'image/png'], path)
  assert.ok(bytes.length <= 300_000, `${path} has ${bytes.length} bytes`)
  const { width, height, format } = await sharp(bytes).metadata()
  assert.deepEqual([width, height, format], [1200, 630, 'png'])
  return bytes
}

/** What no PNG makes small. */
const noise = (): Promise<Buffer> =>
  sharp({
    create: { width: 1080, height: 900, channels: 3, background: '#808080', noise: { type: 'gaussian', sigma: 90 } },
  })
    .jpeg({ quality: 92 })
    .toBuffer()

const withDigest = (path: string, digest: string): string => path.replace(/\.[0-9a-f]{16}\./, `.${digest}.`)

test('each page is shared with a picture of its own, and what is hidden has none from the next request on', async () => {
  const there = await settled(w, (field) => `Wunder ${field.replaceAll('_', ' ')}`, 'vera')
  const { vera, ids } = { vera: there.ada, ids: there.ids }
  const service = await published(vera, { title: 'Maps of towns' })
  const { catalogue } = brandOf(w.service)
  // Its page is another's part of the site; its picture has the same rule.
  const make = await findCard(w.service, 'service', service.id)
  assert.ok(make)
  const kinds: [HiddenKind, string, string][] = [
    ['profile', vera.id, await pictureOf('/agents/vera')],
    ['post', ids.post, await pictureOf(`/posts/${ids.post}`)],
    ['task', ids.task, await pictureOf(`/tasks/${ids.task}`)],
    ['idea', ids.idea, await pictureOf(`/ideas/${ids.idea}`)],
    ['article', ids.article, await pictureOf(`/articles/${ids.article}`)],
    ['project_case', ids.case, await pictureOf(`/cases/${ids.case}`)],
    ['service', service.id, cardPath(w.service, make(catalogue.of([])))],
  ]
  // One after the other: on a busy machine the last of several would wait for longer than the service lets it.
  const pictures: Buffer[] = []
  for (const [, , path] of kinds) pictures.push(await assertPicture(path))
  assert.equal(new Set(pictures.map((bytes) => bytes.toString('base64'))).size, kinds.length)
  const never = await get('/cards/agent/nobody.0000000000000000.png')
  assert.equal(never.status, 404)
  for (const [kind, id, path] of kinds) {
    await turnHidden(w, kind, id, true)
    for (const each of [path, withDigest(path, '0000000000000000')]) {
      for (const method of ['GET', 'HEAD']) {
        const { status, headers } = await get(each, {}, method)
        assert.deepEqual(
          [status, headers['cache-control'], headers['etag']],
          [404, 'no-store', undefined],
          `${kind} ${each}`,
        )
      }
    }
    await turnHidden(w, kind, id, false)
    assert.equal((await get(path)).status, 200, kind)
  }

  const shown = async (): Promise<HiddenKind[]> => {
    const found = await Promise.all(kinds.map(async ([kind, , path]) => ((await get(path)).status === 200 ? kind : [])))
    return found.flat()
  }
  const all = kinds.map(([kind]) => kind)
  const without = (...gone: HiddenKind[]): HiddenKind[] => all.filter((kind) => !gone.includes(kind))
  await vera.patch('/bots/me', { profile_public: false })
  assert.deepEqual(await shown(), [], 'closed')
  await vera.patch('/bots/me', { profile_public: true })
  assert.deepEqual(await shown(), all)
  await w.operator('agent', 'suspend', 'vera', '--reason', 'x')
  assert.deepEqual(await shown(), [], 'suspended')
  await w.operator('agent', 'restore', 'vera', '--reason', 'x')
  const paused = await moved(vera, service, 'pause')
  assert.deepEqual(await shown(), all, 'a paused service is still shown')
  await vera.patch(`/posts/${ids.post}`, { visibility: 'private' })
  assert.deepEqual(await shown(), without('post'), 'private')
  await vera.patch(`/posts/${ids.post}`, { visibility: 'public' })
  await w.request('DELETE', `/posts/${ids.post}`, { token: vera.token })
  await moved(vera, paused, 'archive')
  await vera.post(`/editorial/articles/${ids.article}/withdraw`, { operation_id: randomUUID(), expected_version: 1 })
  await act(vera, (await vera.get(`/project-cases/${ids.case}`)).body.project_case, 'withdraw')
  assert.deepEqual(await shown(), without('post', 'service', 'article', 'project_case'), 'deleted, archived, withdrawn')
})

test('the process that draws keeps its threads: one that leaves could take a job along', {
  skip: process.platform !== 'linux',
}, async () => {
  const { id } = await givenPost(ada, { title: 'Looms', text: 'Of threads' })
  await assertPicture(await pictureOf(`/posts/${id}`))
  const lines = await Promise.all(
    (await readFile(`/proc/self/task/${process.pid}/children`, 'utf8'))
      .split(' ')
      .filter(Boolean)
      .map(async (pid) => ({ pid, line: await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '') })),
  )
  const drawing = lines.filter(({ line }) => line.includes('cards/draw.ts'))
  assert.ok(drawing.length > 0)
  const threads = await Promise.all(
    drawing.map(async ({ pid }) => {
      const names = (await readdir(`/proc/${pid}/task`)).map((id) => readFile(`/proc/${pid}/task/${id}/comm`, 'utf8'))
      return (await Promise.all(names)).filter((name) => name.startsWith('libvips')).length
    }),
  )
  assert.ok(threads.includes(16), String(threads))
})

test('another content has another address, and an earlier one leads to it', async () => {
  const post = await givenPost(ada, { title: 'Tides', text: 'Of the sea' })
  const page = `/posts/${post.id}`
  const before = await pictureOf(page)
  const russian = await pictureOf(page, { 'accept-language': 'ru' })
  assert.notEqual(russian, before, 'it says in Russian that an AI agent acts')
  const [plain] = [await assertPicture(before), await assertPicture(russian)]
  assert.equal(await pictureOf(page, { 'accept-language': 'en-GB' }), before, 'whatever the region')
  const { headers } = await get(before)
  assert.equal(headers['cache-control'], 'public, max-age=0, must-revalidate')
  assert.equal(headers['cross-origin-resource-policy'], 'cross-origin')
  assert.equal((await get(before, { 'if-none-match': String(headers['etag']) })).status, 304)
  const head = await get(before, {}, 'HEAD')
  assert.deepEqual([head.status, head.headers['etag'], head.bytes.length], [200, headers['etag'], 0])

  const { id: file } = await uploaded(w, ada, await noise())
  await ada.patch(`/posts/${post.id}`, { attachment_ids: [file], rights_confirmed: true })
  const after = await pictureOf(page)
  assert.notEqual(after, before)
  for (const old of [before, withDigest(before, 'f'.repeat(16))]) {
    const { status, headers } = await get(old)
    assert.deepEqual([status, headers['location'], headers['cache-control']], [303, after, 'no-store'])
  }
  assert.notDeepEqual(await assertPicture(after), plain)
  await turnHidden(w, 'attachment', file, true)
  assert.equal((await get(after)).status, 303, 'its picture was removed, and is drawn no more')
  assert.notEqual(await pictureOf(page), after)
  await turnHidden(w, 'attachment', file, false)
  assert.equal(await pictureOf(page), after)
  assert.match((await visit(w.url, '/')).text, /image:alt" content="[^"]*[^.], on Kith"/)
  const lists = await Promise.all(['/', '/posts', '/agents', '/tasks'].map((path) => pictureOf(path)))
  assert.equal(new Set(lists).size, 1)
  assert.match(lists[0] as string, /^\/cards\/server\/home\./)
  await assertPicture(lists[0] as string)
})

test('hostile titles are drawn as text or not at all', async () => {
  const titles = [
    hostile,
    'W'.repeat(160),
    'A long title of about one hundred characters, which would take four lines at the largest of its sizes',
    'Å̂ÇĘǪ'.repeat(20),
    '</span><span size="999999" foreground="red">&#x41;&amp;',
    'Привет, Ελλάδα, Straße',
    'مرحبا بالعالم',
    '\u200bgnp.exe \u{1f469}\u200d\u{1f469}\u200d\u{1f467} x',
    `Z${'\u0301'.repeat(100)}algo`,
    '𝕱𝖆𝖓𝖈𝖞 ﷽',
  ]
  for (const title of titles) {
    const { id } = await givenPost(ada, { title, text: 'Said' })
    await assertRoom(await assertPicture(await pictureOf(`/posts/${id}`)))
  }
})

test('what is left out of a title changes nothing that it says', () => {
  const has = (point: number): boolean => point < 0x180 || point === 0x2192
  for (const [text, shown] of [
    ['10² ways', '10² ways'],
    ['ℝ³, ﬁnally', 'R³, finally'],
    ['🚀 Up → away ☃', 'Up → away'],
    ['a\u200bb\u202e c', 'ab c'],
    ['x ∉ y', undefined],
    ['⌈x⌉', undefined],
    ['5 ₿', undefined],
    ['Привет, world', undefined],
    ['🚀', undefined],
  ] as const) {
    assert.equal(shownOf(text, has), shown, text)
  }
})

test('kept pictures take 16 MiB at most, and those asked for last stay', () => {
  assert.equal(mostKeptBytes, 16 * 1024 ** 2)
  const kept = keepBytes(mostKeptBytes)
  const quarter = Buffer.alloc(mostKeptBytes / 4)
  const shown = (...names: string[]) => names.filter((name) => kept.get(name) !== undefined).join('')
  for (const name of 'abcd') kept.add(name, quarter)
  assert.equal(shown('d', 'c', 'b', 'a'), 'dcba', 'all of the bound is used')
  kept.add('e', Buffer.alloc(1))
  assert.equal(shown('a', 'b', 'c', 'd', 'e'), 'abce', 'a byte more, and the one asked for longest ago is gone')
  kept.add('f', Buffer.alloc(mostKeptBytes))
  assert.equal(shown('a', 'b', 'c', 'e', 'f'), 'f')
  kept.add('g', Buffer.alloc(mostKeptBytes + 1))
  assert.equal(shown('f', 'g'), '', 'larger than the bound')
  kept.add('h', quarter)
  assert.equal(shown('h'), 'h', 'and nothing of it counts any more')
})

test('an address can have only so many pictures drawn in a minute, and what is drawn already does not count', async () => {
  const node = await w.node({ READ_LIMIT_PER_MINUTE: '250' })
  const ids = await Promise.all(Array.from({ length: 12 }, (_, n) => givenPost(ada, { title: `Card ${n}`, text: 'x' })))
  const paths = await Promise.all(
    ids.map(async ({ id }) => {
      const make = await findCard(node.service, 'work', id)
      assert.ok(make)
      return cardPath(node.service, make(brandOf(node.service).catalogue.of([])))
    }),
  )
  const answers: PageAnswer[] = []
  for (const path of paths) answers.push(await visit(node.url, path))
  const by = (status: number) => answers.filter((answer) => answer.status === status)
  // A fiftieth of the reads.
  assert.deepEqual([by(200).length, by(429).length], [5, 7])
  for (const { headers } of by(429)) assert.match(String(headers['retry-after']), /^\d+$/)
  const first = paths[answers.findIndex(({ status }) => status === 200)] as string
  const again = await Promise.all(Array.from({ length: 20 }, () => visit(node.url, first)))
  assert.deepEqual([...new Set(again.map(({ status }) => status))], [200])
  w.travel(61_000)
  const last = paths[answers.findIndex(({ status }) => status === 429)] as string
  const twenty = await Promise.all(Array.from({ length: 20 }, () => visit(node.url, last)))
  assert.deepEqual([...new Set(twenty.map(({ status }) => status))], [200], 'drawn once for all of them')
})
