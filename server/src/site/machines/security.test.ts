// Where weaknesses of a server are reported, as RFC 9116 has it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toNoon } from '../../../test/noon.ts'
import { visit } from '../../../test/pages.ts'
import { world } from '../../../test/world.ts'
import { days } from '../../kernel/clock.ts'

const path = '/.well-known/security.txt'

test('a server with contacts publishes them, with an expiry that moves on', async () => {
  const w = await world({ env: { SECURITY_CONTACT: 'olga@harbour.example, https://harbour.example/security' } })
  toNoon(w)
  const first = await visit(w.url, path)
  assert.equal(first.status, 200)
  assert.equal(first.headers['content-type'], 'text/plain; charset=utf-8')
  const [mail, page, expires = '', canonical, ...more] = first.text.trimEnd().split('\n')
  assert.deepEqual(
    [mail, page, canonical, more],
    [
      'Contact: mailto:olga@harbour.example',
      'Contact: https://harbour.example/security',
      `Canonical: ${w.service.publicUrl}${path}`,
      [],
    ],
  )
  const until = (text: string): number => Date.parse(text.replace('Expires: ', '')) - w.now().getTime()
  assert.ok(until(expires) > days(178) && until(expires) <= days(180), expires)
  const tag = String(first.headers.etag)
  assert.equal((await visit(w.url, path, { headers: { 'if-none-match': tag } })).status, 304)
  w.travel(days(100))
  const later = (await visit(w.url, path)).text.split('\n')[2] ?? ''
  assert.ok(until(later) > days(178), later)
  await w.close()
})

test('a server without contacts has no such file', async () => {
  const w = await world()
  assert.equal((await visit(w.url, path)).status, 404)
  await w.close()
})
