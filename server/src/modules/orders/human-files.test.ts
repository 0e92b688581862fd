// The files of a customer's order: uploaded behind a door of people's own, read by its two sides alone, kept and purged as
// those between agents. docs/contract/human-orders.md#files.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { on } from '../../../test/changes.ts'
import { jpeg } from '../../../test/corpus.ts'
import { silentMp3 } from '../../../test/corpus-media.ts'
import { type Customer, customer, humanOffer, humanOfferBody, isCustomer } from '../../../test/customers.ts'
import { givenFile, purgeDue, startDuePurges } from '../../../test/files.ts'
import { pluck } from '../../../test/pluck.ts'
import { beforehand, story } from '../../../test/story.ts'
import { assertFilesAddUp, sha256, uploaded } from '../../../test/upload.ts'
import { type Agent, type Answer, code, race } from '../../../test/world.ts'
import { days, hours, seconds } from '../../kernel/clock.ts'

const { w, bob, eve } = story('bob', 'eve', { env: { FILE_RETENTION_DAYS: '2' } })
const hilda = beforehand(() => customer(w, 'Hilda'))
const otto = beforehand(() => customer(w, 'Otto'))

const form = (bytes: Buffer, purpose = 'order', uploadId: string = randomUUID()): FormData => {
  const parts = new FormData()
  parts.append('purpose', purpose)
  parts.append('upload_id', uploadId)
  parts.append('file', new File([new Uint8Array(bytes)], 'holiday of Hilda.jpg'))
  return parts
}

/** Uploads as a page does it. */
async function send(who: Customer, body: FormData, headers: Record<string, string> = who.headers): Promise<Answer> {
  const answer = await fetch(`${w.url}/api/v1/human/attachments`, { method: 'POST', headers, body })
  return { status: answer.status, body: await answer.json(), headers: answer.headers }
}
const doors = ['', '/download', '/preview', '/stream']
/** What a file answers behind its four doors, to a person at people's door and to all else at the other. */
async function seen(id: string, reader: Agent | Customer | undefined): Promise<number[]> {
  const isPerson = reader && isCustomer(reader)
  const headers = isPerson ? { cookie: reader.headers.cookie } : reader && { authorization: `Bearer ${reader.token}` }
  return Promise.all(
    doors.map(async (door) => {
      const url = `${w.url}/api/v1${isPerson ? '/human' : ''}/attachments/${id}${door}`
      return (await fetch(url, { headers: headers ?? {} })).status
    }),
  )
}
const nothing = [404, 404, 404, 404]
const picture = [200, 200, 200, 404]

test('a customer sends a photo with an order and reads the delivery; only the two sides see either', async () => {
  const [photo, sound] = [await jpeg(), silentMp3(1)]
  const sent = await send(hilda, form(photo))
  assert.equal(code(sent), '201', JSON.stringify(sent.body))
  const { attachment: brief } = sent.body
  assert.equal(brief.download_url, `/api/v1/human/attachments/${brief.id}/download`)
  assert.equal(brief.preview_url, `/api/v1/human/attachments/${brief.id}/preview`)
  const { original_name: name, ...unnamed } = brief
  assert.match(name, /holiday/, 'its owner reads its name')
  assert.ok(!JSON.stringify(unnamed).includes('holiday'), 'and no address of it has it')
  assert.deepEqual([await seen(brief.id, hilda), await seen(brief.id, bob)], [picture, nothing], 'before the offer')
  const { body: listed } = await hilda.get('/human/attachments')
  assert.deepEqual(pluck(listed.attachments, 'id'), [brief.id])
  const card = (await hilda.request('GET', `/human/attachments/${brief.id}`)).body.attachment
  assert.deepEqual(card, brief)

  const order = await humanOffer(w, hilda, bob, { input_attachment_ids: [brief.id] })
  assert.equal(order.input_attachments[0].preview_url, `/api/v1/human/attachments/${brief.id}/preview`)
  const theirs = (await bob.get(`/human-orders/${order.id}`)).body.order.input_attachments[0]
  assert.equal(theirs.download_url, `/api/v1/attachments/${brief.id}/download`)
  assert.deepEqual((await hilda.get('/human/attachments')).body.attachments, [], 'it is held')
  const own = (await hilda.get(`/human/attachments/${brief.id}`)).body.attachment
  assert.deepEqual(own.binding, { kind: 'human_order', id: order.id, role: 'input', active: true })

  await bob.post(`/human-orders/${order.id}/accept`, on(1, { confirmed_total_minor: 1100 }))
  const [sketch, track] = [
    await uploaded(w, bob, await jpeg({ width: 90 }), { purpose: 'order' }),
    await uploaded(w, bob, sound, { purpose: 'order' }),
  ]
  assert.deepEqual(await seen(track.id, hilda), nothing, 'before the delivery')
  await bob.post(`/human-orders/${order.id}/updates`, on(2, { attachment_ids: [sketch.id] }))
  await bob.post(`/human-orders/${order.id}/deliver`, on(3, { result_attachment_ids: [track.id] }))
  const delivered = (await hilda.get(`/human/orders/${order.id}`)).body.order
  assert.equal(delivered.result_attachments[0].play_url, `/api/v1/human/attachments/${track.id}/stream`)
  const [shown] = (await hilda.get(`/human/orders/${order.id}/updates`)).body.updates
  assert.equal(shown.attachments[0].download_url, `/api/v1/human/attachments/${sketch.id}/download`)
  for (const [{ id }, expected] of [
    [brief, picture],
    [sketch, picture],
    [track, [200, 200, 404, 200]],
  ] as const) {
    assert.deepEqual([await seen(id, hilda), await seen(id, bob)], [expected, expected])
    for (const other of [otto, eve, undefined]) assert.deepEqual(await seen(id, other), nothing)
  }
  const bytes = await fetch(`${w.url}${delivered.result_attachments[0].download_url}`, {
    headers: { cookie: hilda.headers.cookie, range: 'bytes=0-9' },
  })
  assert.deepEqual([bytes.status, (await bytes.arrayBuffer()).byteLength], [206, 10])
  const whole = await fetch(`${w.url}/api/v1/human/attachments/${brief.id}/download`, {
    headers: { cookie: hilda.headers.cookie },
  })
  assert.equal(sha256(Buffer.from(await whole.arrayBuffer())), sha256(photo))
  assert.equal(whole.headers.get('cache-control'), 'private, no-store')
  const played = await fetch(`${w.url}/api/v1/human/attachments/${track.id}/stream`, {
    headers: { cookie: hilda.headers.cookie },
  })
  assert.equal(sha256(Buffer.from(await played.arrayBuffer())), sha256(sound))
  const small = await fetch(`${w.url}/api/v1/human/attachments/${brief.id}/preview`, {
    headers: { cookie: hilda.headers.cookie },
  })
  assert.equal(small.headers.get('content-type'), 'image/jpeg')
  // Her cookie opens nothing if agents go, and their token nothing if she goes.
  assert.equal(code(await hilda.get(`/attachments/${brief.id}`)), '404 not_found')
  assert.equal(code(await bob.get(`/human/attachments/${brief.id}`)), '403 forbidden')

  await hilda.post(`/human/orders/${order.id}/complete`, on(4))
  const { status } = (await hilda.get(`/human/attachments/${brief.id}`)).body.attachment
  assert.equal(status, 'retained')
  const discarded = await hilda.request('DELETE', `/human/attachments/${brief.id}`)
  assert.equal(code(discarded), '409 attachment_bound')
  w.travel(days(2) - hours(1))
  await startDuePurges(w)
  assert.deepEqual(await seen(brief.id, bob), picture, 'kept to the last hour')
  w.travel(hours(1))
  await purgeDue(w)
  assert.equal((await hilda.get(`/human/attachments/${brief.id}`)).body.attachment.status, 'purged')
  for (const reader of [hilda, bob]) assert.deepEqual(await seen(brief.id, reader), [200, 404, 404, 404])
  assert.deepEqual(await seen(brief.id, otto), nothing)
})

test('customers upload only for orders, with a form token, in order formats, once per upload', async () => {
  const photo = await jpeg({ width: 91 })
  for (const purpose of ['portfolio', 'avatar', 'character', 'x']) {
    assert.equal(code(await send(hilda, form(photo, purpose))), '400 invalid_input', purpose)
  }
  assert.equal(code(await send(hilda, form(Buffer.from('no format at all')))), '415 unsupported_media_type')
  const { cookie } = hilda.headers
  assert.equal(code(await send(hilda, form(photo), { cookie })), '403 csrf_failed')
  assert.equal(code(await send(hilda, form(photo), {})), '401 unauthorized')
  const id = randomUUID()
  const answers = await race(5, () => send(hilda, form(photo, 'order', id)))
  assert.deepEqual(answers.map(code).sort(), ['200', '200', '200', '200', '201'])
  assert.equal(new Set(answers.map(({ body }) => body.attachment.id)).size, 1)
  assert.equal(
    code(await send(hilda, form(await jpeg({ width: 92 }), 'order', id))),
    '409 idempotency_conflict',
    'other bytes',
  )
  const { storage } = (await hilda.get('/human/attachments/storage')).body
  assert.equal(storage.files.limit, 1000)
  const file = answers[0]?.body.attachment.id
  assert.equal(code(await otto.request('DELETE', `/human/attachments/${file}`)), '404 not_found')
  assert.ok(['200', '202'].includes(code(await hilda.request('DELETE', `/human/attachments/${file}`))))
})

test('a file that no order uses is deleted after a day', async () => {
  const sent = (await send(otto, form(await jpeg({ width: 93 })))).body.attachment
  w.travel(hours(24) + seconds(1))
  await purgeDue(w)
  assert.equal((await otto.get(`/human/attachments/${sent.id}`)).body.attachment.status, 'purged')
  const refused = await otto.post('/human/orders', humanOfferBody(w, bob, { input_attachment_ids: [sent.id] }))
  assert.equal(code(refused), '404 invalid_attachment')
})

test('a customer has a quota, and reads it on the customer endpoint', async () => {
  const ira = await customer(w, 'Ira')
  await w.sql`insert into storage_usage (owner_id, bytes, files, upload_records) values (${ira.id}, 0, 1000, 1000)`
  const refused = await send(ira, form(await jpeg({ width: 94 })))
  assert.equal(code(refused), '429 storage_quota_exceeded')
  const { scope, storage_url, uploads_url } = refused.body.error.details
  assert.deepEqual(
    [scope, storage_url, uploads_url],
    ['human', '/api/v1/human/attachments/storage', '/api/v1/human/attachments?scope=all'],
  )
  await w.sql`delete from storage_usage where owner_id = ${ira.id}`
  await assertFilesAddUp(w)
})

test("nobody orders with another customer's file, and a file belongs to one order", async () => {
  const mine = await givenFile(w, hilda, { purpose: 'order', file_format: 'mp3' })
  const order = (who: Customer) => who.post('/human/orders', humanOfferBody(w, bob, { input_attachment_ids: [mine] }))
  assert.equal(code(await order(otto)), '404 invalid_attachment')
  const answers = await race(20, () => order(hilda))
  assert.deepEqual(answers.map(code).sort(), ['201', ...Array(19).fill('409 attachment_already_bound')])
})
