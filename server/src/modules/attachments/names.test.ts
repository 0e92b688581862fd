// What a file was called where it came from: its owner reads it, and nobody else does. docs/contract/attachments.md#its-name.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import pino from 'pino'
import { jpeg } from '../../../test/corpus.ts'
import { type Customer, customer, humanOffer } from '../../../test/customers.ts'
import { bring } from '../../../test/orders.ts'
import { story } from '../../../test/story.ts'
import { filePart, form, inspected, post, read, upload, uploaded, usualFields } from '../../../test/upload.ts'
import { type Agent, eventually } from '../../../test/world.ts'
import { longestName, nameToKeep } from './names.ts'
import { purgeOne } from './purge.ts'

const photo = await jpeg()
const lines: string[] = []
const { w, ada } = story('ada', { log: pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) }) })

const cardOf = async (id: string, who: Pick<Agent, 'get'> = ada) =>
  (await who.get(`/attachments/${id}`)).body.attachment

const nameIn = async (id: string): Promise<string | null> => {
  const [row] = await w.service.sql<{ original_name: string | null }>`
    select original_name from attachments where id = ${id}`
  return row?.original_name ?? null
}

test('the owner sees a file’s name, and nobody else does', async () => {
  const bob = await w.agent('bob')
  const name = 'Юля, the harbour (final) – v2.jpg'
  const file = await uploaded(w, ada, photo, { fileName: name })
  assert.equal(file.original_name, name)
  assert.equal((await ada.get('/attachments?scope=all')).body.attachments[0].original_name, name)
  const shown = await ada.post('/posts', {
    text: 'The harbour',
    visibility: 'public',
    attachment_ids: [file.id],
    rights_confirmed: true,
  })
  assert.equal(shown.status, 201, JSON.stringify(shown.body))
  for (const answer of [
    await bob.get(`/attachments/${file.id}`),
    await w.request('GET', `/attachments/${file.id}`),
    await bob.get(`/posts/${shown.body.post.id}`),
    await ada.get(`/posts/${shown.body.post.id}`),
  ]) {
    assert.equal(answer.status, 200)
    assert.ok(!JSON.stringify(answer.body).includes('harbour (final)'))
    assert.ok(!JSON.stringify(answer.body).includes('original_name'))
  }
  for (const agent of [ada, bob]) {
    const { headers } = await read(w, file.download_url, { agent })
    assert.equal(headers.get('content-disposition'), `attachment; filename="${file.id}.jpg"`)
  }
})

test('the other side of an order reads the file but not its name', async () => {
  const hilda: Customer = await customer(w, 'Hilda')
  const kay = await w.agent('kay')
  const name = 'my secret client.jpg'
  const result = await uploaded(w, kay, photo, { purpose: 'order', fileName: name })
  const order = await humanOffer(w, hilda, kay)
  const begun = await bring({ customer: hilda, contractor: kay }, order, 'in_progress')
  const delivered = await kay.post(`/human-orders/${order.id}/deliver`, {
    operation_id: randomUUID(),
    expected_version: begun.version,
    result_text: 'Here',
    result_attachment_ids: [result.id],
  })
  assert.equal(delivered.status, 200, JSON.stringify(delivered.body))
  const [card, read] = [
    await hilda.get(`/human/attachments/${result.id}`),
    await hilda.get(`/human/orders/${order.id}`),
  ]
  assert.deepEqual([card.status, card.body.attachment.can_download_original], [200, true])
  for (const { body } of [card, read, delivered]) assert.ok(!JSON.stringify(body).includes('secret client'))
  assert.equal((await cardOf(result.id, kay)).original_name, name)
})

test('a name that a page could not display is made safe', () => {
  const cases: readonly [string | undefined, string | null][] = [
    [undefined, null],
    ['', null],
    ['file', null],
    ['Blob', null],
    ['..', null],
    ['../../etc/passwd', 'passwd'],
    ['C:\\Users\\Ada\\secret\\cat.png', 'cat.png'],
    ['folder/', null],
    ['a\r\nSet-Cookie: a=b', 'aSet-Cookie: a=b'],
    ['cat\u202egnp.exe', 'catgnp.exe'],
    ['\u2067\u2069\u200b\u0000', null],
    ['a\ud800b', 'ab'],
    ['  two   blanks\t.txt ', 'two blanks.txt'],
    ['نام\u200cها.pdf', 'نام\u200cها.pdf'],
    ['👩‍🎨.svg', '👩‍🎨.svg'],
    ['😀'.repeat(longestName), '😀'.repeat(longestName)],
    ['😀'.repeat(longestName + 1), '😀'.repeat(longestName)],
    [`${'\u200b'.repeat(longestName)}a`, null],
    [`${'a'.repeat(longestName - 1)} b`, 'a'.repeat(longestName - 1)],
    ['<script>alert(1)</script>.jpg', 'script>.jpg'],
  ]
  for (const [given, kept] of cases) assert.equal(nameToKeep(given), kept, JSON.stringify(given))
})

test('a hostile name is stored as the rule says, and the upload is accepted', async () => {
  for (const name of ['n'.repeat(65_536), 'a%0D%0Ab', '../../etc/passwd', 'a\\"b', 'x\u202ey', 'файл\u0007.jpg']) {
    const answer = await post(w, ada, form([...usualFields('order'), filePart(photo, name)]))
    const { status, original_name: kept } = await inspected(w, ada, answer)
    assert.equal(status, 'ready')
    assert.ok(
      kept === null || ([...kept].length <= longestName && !/[/\\\p{Cc}\u202e]/u.test(kept)),
      JSON.stringify(kept),
    )
  }
})

test('an upload ID keeps its first name, however often it is retried under another', async () => {
  const uploadId = randomUUID()
  const twins = await Promise.all(
    Array.from({ length: 20 }, (_, n) => upload(w, ada, photo, { uploadId, fileName: `take ${n}.jpg` })),
  )
  assert.deepEqual([...new Set(twins.map(({ status }) => status))].sort(), [200, 201])
  assert.equal(new Set(twins.map(({ body }) => body.attachment.original_name)).size, 1)
})

test('a name is deleted with the bytes, and with its owner’s account', async () => {
  const uploadId = randomUUID()
  const file = await uploaded(w, ada, photo, { uploadId, fileName: 'cat.jpg' })
  assert.equal(await nameIn(file.id), 'cat.jpg')
  const gone = await w.request('DELETE', `/attachments/${file.id}`, { token: ada.token })
  assert.ok(gone.status < 300)
  await purgeOne(w.service)
  await eventually(async () => (await cardOf(file.id)).status === 'purged', 'bytes that are gone')
  assert.equal((await cardOf(file.id)).original_name, null)
  assert.equal(await nameIn(file.id), null)
  const again = await upload(w, ada, photo, { uploadId, fileName: 'cat.jpg' })
  assert.deepEqual([again.status, again.body.attachment.original_name], [200, null])

  const broken = await upload(w, ada, photo.subarray(0, photo.length / 2), { fileName: 'half.jpg' })
  assert.deepEqual([broken.body.attachment.status, broken.body.attachment.original_name], ['rejected', null])
  assert.equal(await nameIn(broken.body.attachment.id), null)

  const nora = await customer(w, 'Nora')
  const body = new FormData()
  for (const [name, value] of [
    ['purpose', 'order'],
    ['upload_id', randomUUID()],
  ] as const)
    body.append(name, value)
  body.append('file', new File([new Uint8Array(photo)], 'nora.jpg'))
  const sent = await fetch(`${w.url}/api/v1/human/attachments`, {
    method: 'POST',
    headers: { ...nora.headers, origin: w.service.publicUrl },
    body,
  })
  const { attachment } = (await sent.json()) as { attachment: { id: string; original_name: string } }
  assert.deepEqual([sent.status, attachment.original_name], [201, 'nora.jpg'])
  assert.equal((await nora.request('POST', '/human/close', { json: { confirm: true } })).status, 200)
  assert.equal(await nameIn(attachment.id), null)
})

test('no name is logged', () => {
  for (const name of ['harbour (final)', 'secret client', 'cat.jpg', 'half.jpg', 'nora.jpg', 'take 1']) {
    assert.ok(!lines.join('').includes(name), name)
  }
})
