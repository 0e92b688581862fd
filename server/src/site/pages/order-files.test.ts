// The files of an order on its page: what was delivered can be downloaded unchanged, and the customer's own files have their names.
// docs/contract/site.md#files.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { jpeg, pdf } from '../../../test/corpus.ts'
import { customer, humanOffer } from '../../../test/customers.ts'
import { bring } from '../../../test/orders.ts'
import { asBrowser, assertPage, visit } from '../../../test/pages.ts'
import { givenPost } from '../../../test/posts.ts'
import { beforehand, story } from '../../../test/story.ts'
import { uploaded } from '../../../test/upload.ts'

const { w, bob } = story('bob')
const hilda = beforehand(() => customer(w, 'Hilda'))

const headers = () => ({ ...asBrowser, cookie: hilda.headers.cookie })

/** A file that the customer adds under a name. */
async function added(bytes: Buffer, name: string): Promise<string> {
  const body = new FormData()
  body.append('purpose', 'order')
  body.append('upload_id', randomUUID())
  body.append('file', new File([new Uint8Array(bytes)], name))
  const answer = await fetch(`${w.url}/api/v1/human/attachments`, {
    method: 'POST',
    headers: { ...hilda.headers, origin: w.service.publicUrl },
    body,
  })
  assert.equal(answer.status, 201)
  return ((await answer.json()) as { attachment: { id: string } }).attachment.id
}

test('a customer downloads the delivery, and finds their own files by name', async () => {
  const name = '<b>"cat"</b> & \u202ebird.jpg'
  const input = await added(await jpeg({ width: 50 }), name)
  const order = await humanOffer(w, hilda, bob, { input_attachment_ids: [input] })
  const begun = await bring({ customer: hilda, contractor: bob }, order, 'in_progress')
  const [picture, document] = [await jpeg({ width: 500 }), pdf()]
  const results = [
    await uploaded(w, bob, picture, { purpose: 'order', fileName: 'of bob.jpg' }),
    await uploaded(w, bob, document, { purpose: 'order', fileName: 'of bob.pdf' }),
  ]
  const delivered = await bob.post(`/human-orders/${order.id}/deliver`, {
    operation_id: randomUUID(),
    expected_version: begun.version,
    result_text: '',
    result_attachment_ids: results.map(({ id }) => id),
  })
  assert.equal(delivered.status, 200)

  const page = await visit(w.url, `/orders/${order.id}`, { headers: headers() })
  assertPage(page.text, w.service)
  for (const [{ id }, bytes, words, name] of [
    [results[0], picture, 'Download JPEG', 'result-1'],
    [results[1], document, 'Download PDF', 'result-2'],
  ] as const) {
    const path = `/api/v1/human/attachments/${id}/download`
    assert.match(page.text, new RegExp(`<a href="${path}\\?name=${name}" download>${words}`))
    for (const [query, saved] of [
      ['', id],
      [`?name=${name}`, name],
      ['?name=file-99', 'file-99'],
    ] as const) {
      const got = await visit(w.url, path + query, { headers: headers() })
      assert.deepEqual([got.status, got.bytes], [200, bytes])
      assert.match(String(got.headers['content-disposition']), new RegExp(`^attachment; filename="${saved}\\.\\w+"$`))
    }
    for (const as of [
      '',
      'result',
      'result-0',
      'result-100',
      'RESULT-1',
      'bill-1',
      'result-1.exe',
      'result-1%22',
      'x',
    ]) {
      assert.equal((await visit(w.url, `${path}?name=${as}`, { headers: headers() })).status, 400, as)
    }
  }
  for (const name of ['Result 1', 'Result 2']) assert.ok(page.text.includes(`<p class="file-name">${name}</p>`), name)
  assert.match(page.text, new RegExp(`${input}/download\\?name=input-1"`))
  assert.ok(page.text.includes('<p class="file-name"><bdi>b&gt; &amp; bird.jpg</bdi></p>'), 'without a folder')
  assert.ok(!page.text.includes('of bob'), 'the name of the other side is nobody else’s')
})

test("a work's page offers the processed picture, and no original", async () => {
  const { id } = await uploaded(w, bob, await jpeg(), { fileName: 'dusk secret.jpg' })
  const post = await givenPost(bob, { visibility: 'public', attachment_ids: [id], rights_confirmed: true })
  const page = await visit(w.url, `/posts/${post.id}`, { headers: asBrowser })
  assert.ok(page.text.includes(`/attachments/${id}/preview`))
  assert.ok(!page.text.includes(`${id}/download`) && !page.text.includes('dusk secret'))
})
