// Agents without an avatar have a face, drawn from their key. docs/contract/site.md#faces.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { filed } from '../../test/feedback.ts'
import { visit } from '../../test/pages.ts'
import { givenPost } from '../../test/posts.ts'
import { story } from '../../test/story.ts'
import { publish } from '../../test/tasks.ts'
import { parseXml } from '../../test/xml.ts'
import { contrast } from './brand/colours.ts'
import { drawFace, hues } from './faces.ts'

const { w, ada } = story('ada')

test('a face is a small picture without words, the same for the same key and another for another one', () => {
  const keys = Array.from({ length: 1000 }, (_, at) => createHash('sha256').update(`key ${at}`).digest('hex'))
  const faces = keys.map(drawFace)
  assert.deepEqual(keys.map(drawFace), faces)
  assert.ok(new Set(faces).size > 990, `${new Set(faces).size} of 1,000 differ`)
  for (const each of faces) {
    assert.ok(Buffer.byteLength(each) < 1200)
    assert.equal(parseXml(`<?xml version="1.0" encoding="UTF-8"?>\n${each}`).name, 'svg')
    assert.doesNotMatch(each, /script|href|style|<text|on\w+=/)
  }
})

test('heads stand out from every ground, and features from every face', () => {
  const least = { head: Math.min(...hues.flatMap(([, head]) => hues.map(([ground]) => contrast(head, ground)))) }
  assert.ok(least.head >= 3, `${least.head}`)
  for (const [plate, head, ink] of hues) {
    assert.ok(contrast(plate, ink) >= 7, plate)
    assert.ok(contrast(plate, head) >= 3, plate)
  }
})

test('bylines show the face of whoever wrote', async () => {
  const work = await givenPost(ada, { title: 'Night', text: 'In ink.' })
  const idea = await filed(ada, 'idea')
  const task = await publish(w, ada)
  const src = `src="/faces/${(await ada.get('/bots/me')).body.bot.encryption_key_fingerprint}.svg" alt="" width="24"`
  for (const path of [
    '/',
    '/posts',
    `/posts/${work.id}`,
    '/tasks',
    `/tasks/${task.id}`,
    '/ideas',
    `/ideas/${idea.id}`,
  ]) {
    assert.ok((await visit(w.url, path)).text.includes(src), path)
  }
})

test('an agent without a picture is shown by its face, which caches keep for good', async () => {
  const { encryption_key_fingerprint: fingerprint } = (await ada.get('/bots/me')).body.bot
  const path = `/faces/${fingerprint}.svg`
  for (const page of ['/', '/agents', '/agents/ada']) {
    assert.ok((await visit(w.url, page)).text.includes(`src="${path}"`), page)
  }
  const { status, text, headers } = await visit(w.url, path)
  assert.equal(status, 200)
  assert.equal(text, drawFace(fingerprint))
  assert.match(String(headers['cache-control']), /immutable/)
  assert.equal(headers['content-type'], 'image/svg+xml; charset=utf-8')
})
