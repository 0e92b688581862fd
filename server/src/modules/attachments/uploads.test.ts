// Uploads as clients send them: every format for every purpose, the parts of a form, replays, and who may.
// docs/contract/attachments.md#uploading.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { jpeg, pdf, png } from '../../../test/corpus.ts'
import { mp3, video, wav } from '../../../test/corpus-media.ts'
import { dwg, eps, psd, svg, zip } from '../../../test/corpus-sources.ts'
import { story } from '../../../test/story.ts'
import { turnSuspended } from '../../../test/turning.ts'
import {
  around,
  assertFilesAddUp,
  begin,
  field,
  filePart,
  form,
  formType,
  incomingOf,
  inspected,
  post,
  sha256,
  upload,
  uploaded,
  usualFields,
} from '../../../test/upload.ts'
import { type Agent, eventually, worldFor } from '../../../test/world.ts'
import { allowedFormats, type FileFormat, formats, isWorkingSource, type Purpose } from '../../inspect/formats.ts'

const photo = await jpeg()
const { w, ada } = story('ada')
after(() => assertFilesAddUp(w))

test('each purpose accepts exactly its formats, whatever the file name', async () => {
  const samples: Record<FileFormat, Buffer> = {
    jpeg: photo,
    png: await png(),
    pdf: pdf(),
    mp4: await video(),
    mp3: mp3(1),
    wav: wav(1),
    psd: psd(),
    svg: svg(),
    eps: eps(),
    dwg: dwg(),
    zip: zip(),
  }
  const take = async (agent: Agent, purpose: Purpose, format: FileFormat): Promise<void> => {
    const answer = await upload(w, agent, samples[format], { purpose, fileName: 'song.exe' })
    if (!allowedFormats[purpose].includes(format)) {
      assert.equal(answer.status, 415, `${format} for ${purpose}`)
      assert.equal(answer.body.error.code, 'unsupported_media_type')
      assert.match(
        answer.body.error.message,
        /^Unsupported file type; .* are JPEG, PNG?.* or [A-Z0-9]+$|are JPEG or PNG$/,
      )
      return
    }
    const card = await inspected(w, agent, answer)
    const seen = [answer.status, card.status, card.purpose, card.file_format]
    assert.deepEqual(seen, [201, 'ready', purpose, format], `${format} for ${purpose}: ${card.moderation?.reason}`)
    assert.equal(card.mime_type, formats[format].mimeType)
    assert.equal(card.size, samples[format].length)
    assert.equal(card.sha256, sha256(samples[format]))
    assert.equal(card.download_only, isWorkingSource(format, purpose))
    assert.equal(card.sanitized, !card.download_only)
    assert.equal(card.preview_url === null, card.download_only)
    assert.equal(card.play_url === null, !['mp4', 'mp3', 'wav'].includes(format))
    assert.deepEqual([card.can_discard, card.binding, card.available], [true, null, true])
    const { original_name, ...unnamed } = card
    assert.ok(!JSON.stringify(unnamed).includes('song'), 'no address has the name')
  }
  const purposes = Object.keys(allowedFormats) as Purpose[]
  // An agent each, for while they wait large ones take a quarter of what an agent may have.
  await Promise.all(
    (Object.keys(formats) as FileFormat[]).map(async (format) => {
      const agent = await w.agent(`uploads_${format}`)
      await Promise.all(purposes.map((purpose) => take(agent, purpose, format)))
    }),
  )
})

test('the parts may come in any order, each exactly once', async () => {
  for (const order of [
    ['file', 'purpose', 'upload_id'],
    ['upload_id', 'file', 'purpose'],
  ] as const) {
    assert.equal((await upload(w, ada, photo, { order })).status, 201)
  }
  const late = await upload(w, ada, photo, { order: ['file', 'upload_id', 'purpose'], purpose: 'selfie' })
  assert.deepEqual(late.body.error.details.fields[0].path, 'purpose')
  const [purpose, id, file] = [field('purpose', 'order'), field('upload_id', randomUUID()), filePart(photo)]
  const long = field('purpose', 'p'.repeat(300))
  const wrong: [string, ReturnType<typeof field>[]][] = [
    ['file', [purpose, id]],
    ['upload_id', [purpose, file]],
    ['purpose', [id, file]],
    ['purpose', [purpose, purpose, id]],
    ['upload_id', [id, id, purpose]],
    ['file', [purpose, file, file, id]],
    ['body', [purpose, id, file, field('note', 'hi')]],
    ['note', [field('note', 'hi'), purpose, id, file]],
    ['body', [field('n'.repeat(65), 'hi'), purpose, id, file]],
    ['body', [field('заметка', 'hi'), purpose, id, file]],
    [
      'document',
      [purpose, id, { head: 'Content-Disposition: form-data; name="document"; filename="f"\r\n', body: photo }],
    ],
    ['body', [purpose, id, { head: 'Content-Disposition: form-data\r\n', body: 'x' }, file]],
    ['body', [{ head: 'X-Note: none\r\n', body: 'x' }, purpose, id, file]],
    ['purpose', [long, id, file]],
    [
      'purpose',
      [{ head: 'Content-Disposition: form-data; name="purpose"; filename="p"\r\n', body: 'order' }, id, file],
    ],
    ['purpose', [field('purpose', 'Portfolio'), id, file]],
    ['purpose', [field('purpose', ''), id, file]],
    ['upload_id', [purpose, field('upload_id', 'one'), file]],
    ['upload_id', [purpose, field('upload_id', '00000000-0000-0000-0000-00000000000g'), file]],
    ['upload_id', [purpose, file, field('upload_id', `${randomUUID()} `)]],
    ['file', [purpose, id, { head: 'Content-Disposition: attachment; name="file"\r\n', body: photo }]],
  ]
  for (const [path, parts] of wrong) {
    const answer = await post(w, ada, form(parts))
    assert.equal(answer.status, 400, path)
    assert.equal(answer.body.error.code, 'invalid_input')
    assert.equal(answer.body.error.details.fields[0].path, path)
  }
  const nameless = { head: 'Content-Disposition: form-data; name="file"\r\n', body: photo }
  assert.equal((await post(w, ada, form([purpose, id, nameless]))).status, 201, 'a file needs no name')
  const empty = await post(w, ada, form([purpose, id, filePart('')]))
  assert.equal(empty.status, 415, 'no bytes are no known format')
})

test('a body that is not a form, or only part of a form, is refused', async () => {
  const whole = form([...usualFields(), filePart(photo)])
  const types = ['multipart/form-data', 'multipart/mixed; boundary=x', 'image/jpeg', 'text/plain']
  for (const type of types) assert.equal((await post(w, ada, whole, { 'content-type': type })).status, 415, type)
  assert.equal((await ada.post('/attachments', {})).status, 415)
  const other = await post(w, ada, whole, { 'content-type': 'multipart/form-data; boundary=another' })
  assert.equal(other.status, 400)
  for (const part of [0, 1, 40, 130, whole.length - photo.length, whole.length - 400, whole.length - 5]) {
    const answer = await post(w, ada, whole.subarray(0, part))
    assert.equal(answer.status, 400, `${part} bytes of ${whole.length}: ${JSON.stringify(answer.body)}`)
  }
  assert.equal((await post(w, undefined, whole)).status, 401)
  const bare = begin(w, ada, { 'content-length': 0 })
  bare.request.end()
  assert.equal((await bare.answer)?.status, 400)
})

test('a body may come without a length, and after Expect: 100-continue; the case of its type is free', async () => {
  const whole = form([...usualFields(), filePart(photo)])
  const type = formType.replace('multipart/form', 'Multipart/FORM')
  const chunked = await post(w, ada, pieces(whole), { 'content-type': type })
  assert.equal(chunked.status, 201)
  const polite = begin(w, ada, { expect: '100-continue', 'content-length': whole.length })
  polite.request.flushHeaders()
  polite.request.once('continue', () => polite.request.end(whole))
  assert.equal((await polite.answer)?.status, 200, 'the same upload once more')
})

test('an upload that is too large is refused as soon as that is known', async () => {
  const declared = begin(w, ada, { 'content-length': 262_209_537 })
  declared.request.flushHeaders()
  const answer = await declared.answer
  assert.deepEqual([answer?.status, answer?.body.error.code], [413, 'payload_too_large'])
  assert.match(answer?.body.error.message, /the limit is 262209536 bytes/)
  declared.request.destroy()

  const mebibyte = 1024 ** 2
  const padded = (length: number): Buffer => Buffer.concat([photo, Buffer.alloc(length - photo.length)])
  const [fits, tooLong] = [padded(20 * mebibyte), padded(20 * mebibyte + 1)]
  const fitting = await upload(w, ada, fits, { purpose: 'order' })
  assert.equal(fitting.status, 201, JSON.stringify(fitting.body))
  for (const order of [undefined, ['file', 'upload_id', 'purpose']] as const) {
    const refused = await upload(w, ada, tooLong, { purpose: 'order', ...(order && { order }) })
    assert.deepEqual([refused.status, refused.body.error.code], [413, 'payload_too_large'])
    assert.match(refused.body.error.message, /the limit is 20971520 bytes/)
  }
  const source = await upload(w, ada, Buffer.concat([svg(), Buffer.alloc(20 * mebibyte, 0x20)]), { purpose: 'order' })
  assert.equal(source.status, 201, 'a working source may be larger')
})

test('repeating an upload returns the same file, and its ID takes no other file', async () => {
  const uploadId = randomUUID()
  const first = await uploaded(w, ada, photo, { uploadId })
  const again = await upload(w, ada, photo, { uploadId: uploadId.toUpperCase(), fileName: 'other' })
  assert.equal(again.status, 200)
  assert.deepEqual(again.body.attachment, first)
  for (const [bytes, purpose] of [
    [await jpeg({ width: 65 }), 'portfolio'],
    [photo, 'avatar'],
  ] as const) {
    const other = await upload(w, ada, bytes, { uploadId, purpose })
    assert.deepEqual([other.status, other.body.error.code], [409, 'idempotency_conflict'])
  }
  const bob = await w.agent('bob')
  const his = await uploaded(w, bob, photo, { uploadId })
  assert.notEqual(his.id, first.id, 'ids of uploads are a name space of each agent')

  const broken = await upload(w, ada, photo.subarray(0, photo.length / 2), { uploadId: randomUUID() })
  assert.deepEqual([broken.status, broken.body.attachment?.status], [201, 'rejected'])
  const brokenAgain = await upload(w, ada, photo.subarray(0, photo.length / 2), {
    uploadId: broken.body.attachment.upload_id,
  })
  assert.deepEqual([brokenAgain.status, brokenAgain.body.attachment.id], [200, broken.body.attachment.id])
})

test('identical uploads on two nodes are one file', async () => {
  const node = await w.node()
  const uploadId = randomUUID()
  const answers = await Promise.all([w, node, w, node].map((at) => upload(at, ada, photo, { uploadId })))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 200, 200, 201])
  assert.equal(new Set(answers.map(({ body }) => body.attachment.id)).size, 1)
})

test('a suspended agent uploads nothing new, and can still repeat earlier uploads', async () => {
  const cleo = await w.agent('cleo')
  const uploadId = randomUUID()
  const card = await uploaded(w, cleo, photo, { uploadId })
  await turnSuspended(w, cleo.id, true)
  const fresh = await upload(w, cleo, photo)
  assert.deepEqual([fresh.status, fresh.body.error.code], [403, 'profile_inactive'])
  const again = await upload(w, cleo, photo, { uploadId })
  assert.deepEqual([again.status, again.body.attachment.id], [200, card.id])
  const conflict = await upload(w, cleo, photo, { uploadId, purpose: 'order' })
  assert.equal(conflict.status, 409)
  assert.equal((await cleo.get(`/attachments/${card.id}`)).status, 200)
  assert.equal((await cleo.get('/attachments')).status, 200)
  assert.equal((await cleo.get('/attachments/storage')).body.storage.files.used, 1)
})

test('an agent without a verified email uploads nothing new after its grace period', async (t) => {
  const gated = await worldFor(t, { env: { OWNER_EMAIL_GATE: 'on' } })
  const dora = await gated.agentWithEmail('dora', 'dora@example.com')
  const uploadId = randomUUID()
  const card = await uploaded(gated, dora, photo, { uploadId })
  await gated.sql`update agents set email_verified_at = null where id = ${dora.id}`
  assert.equal((await upload(gated, dora, photo)).status, 201, 'within the days of grace')
  gated.travel(14 * 86_400_000 + 1000)
  const fresh = await upload(gated, dora, photo)
  assert.deepEqual([fresh.status, fresh.body.error.code], [403, 'owner_email_required'])
  const again = await upload(gated, dora, photo, { uploadId })
  assert.deepEqual([again.status, again.body.attachment.id], [200, card.id])
})

test('a client that hangs up at any point leaves nothing behind', async () => {
  const eve = await w.agent('eve')
  const whole = form([...usualFields(), filePart(await jpeg({ width: 900, height: 900, noise: true }))])
  const { before } = around([...usualFields(), filePart('')])
  for (const part of [0, 30, before.length, before.length + 5000, before.length + 20_000, whole.length - 3]) {
    const { request, answer } = begin(w, eve, { 'content-length': whole.length })
    request.write(whole.subarray(0, part))
    if (part > before.length) await eventually(async () => (await incomingOf(w.service)).length > 0, 'a file')
    else await new Promise((resolve) => setTimeout(resolve, 30))
    request.destroy()
    assert.equal(await answer, undefined)
    await eventually(async () => (await incomingOf(w.service)).length === 0, 'no file')
  }
  assert.equal((await eve.get('/attachments?scope=all')).body.pagination.total, 0)
  assert.equal((await eve.get('/attachments/storage')).body.storage.upload_records.used, 0)
})

test('a client that hangs up after sending everything finds the file', async () => {
  const finn = await w.agent('finn')
  const uploadId = randomUUID()
  const whole = form([...usualFields('portfolio', uploadId), filePart(photo)])
  const { request } = begin(w, finn, { 'content-length': whole.length })
  request.end(whole)
  await eventually(async () => (await finn.get('/attachments?scope=all')).body.pagination.total === 1, 'a record')
  request.destroy()
  assert.equal((await upload(w, finn, photo, { uploadId })).status, 200)
})

async function* pieces(bytes: Buffer) {
  for (let at = 0; at < bytes.length; at += 100) yield bytes.subarray(at, at + 100)
}
