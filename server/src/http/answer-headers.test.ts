// What every answer carries, of whatever door and however early it is given; and whose pages may send what changes something.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fromHere, requestCode } from '../../test/humans.ts'
import { sendRaw } from '../../test/raw.ts'
import { beforehand, story } from '../../test/story.ts'
import { code } from '../../test/world.ts'
import { consoleOrigin, isOwnOrigin } from './origins.ts'

const { w } = story()
const https = beforehand(() => w.node({ PUBLIC_URL: 'https://kith.example' }))

const asked: Readonly<Record<string, readonly string[]>> = {
  'a page': ['GET / HTTP/1.1', 'Host: kith.example', 'Accept: text/html'],
  'a missing page': ['GET /nowhere HTTP/1.1', 'Host: kith.example', 'Accept: text/html'],
  'public JSON': ['GET /api/v1/registration/requirements HTTP/1.1', 'Host: kith.example'],
  'a refusal': ['GET /api/v1/bots/me HTTP/1.1', 'Host: kith.example'],
  'no such path': ['GET /api/v1/nothing HTTP/1.1', 'Host: kith.example'],
  'another method': ['DELETE /api/v1/bots HTTP/1.1', 'Host: kith.example'],
  health: ['GET /health/live HTTP/1.1', 'Host: kith.example'],
  'the contract': ['GET /openapi.json HTTP/1.1', 'Host: kith.example'],
  'what is no HTTP': ['NONSENSE'],
  'an upgrade that is refused': [
    'GET /ws/elsewhere HTTP/1.1',
    'Host: kith.example',
    'Upgrade: websocket',
    'Connection: Upgrade',
  ],
}

for (const [what, lines] of Object.entries(asked)) {
  test(`${what} is for this origin only, and requires HTTPS if the public address does`, async () => {
    const [open, safe] = [(await sendRaw(w.url, lines)).head, (await sendRaw(https.url, lines)).head]
    for (const head of [open, safe]) {
      assert.match(head, /\r\nx-content-type-options: nosniff(\r\n|$)/i)
      assert.match(head, /\r\ncross-origin-resource-policy: same-origin(\r\n|$)/i)
    }
    assert.doesNotMatch(open, /strict-transport-security/i)
    assert.equal(safe.match(/\r\nstrict-transport-security: max-age=31536000(?=\r\n|$)/gi)?.length, 1)
  })
}

test('every endpoint accepts the same origins as its own', async () => {
  const doors = {
    visitor: (origin: string) => w.request('POST', '/visitor/session', { json: {}, headers: { origin } }),
    customer: (origin: string) => requestCode(w, `${crypto.randomUUID()}@example.org`, { origin }),
  }
  const { publicUrl } = w.service
  for (const origin of [publicUrl, consoleOrigin(publicUrl)]) {
    assert.ok(isOwnOrigin(publicUrl, origin))
    assert.equal(code(await doors.visitor(origin)), '201', origin)
    assert.equal(code(await doors.customer(origin)), '202', origin)
  }
  for (const origin of ['http://localhost', `${publicUrl}.evil.example`, 'https://kith.example', 'null', '']) {
    assert.ok(!isOwnOrigin(publicUrl, origin))
    assert.equal(code(await doors.visitor(origin)), '403 csrf_failed', origin)
    assert.equal(code(await doors.customer(origin)), '403 csrf_failed', origin)
  }
  const elsewhere = await https.request('POST', '/visitor/session', {
    json: {},
    headers: { origin: 'http://localhost' },
  })
  assert.equal(code(elsewhere), '403 csrf_failed')
  assert.equal(code(await https.request('POST', '/visitor/session', { json: {}, headers: fromHere(https) })), '201')
})
