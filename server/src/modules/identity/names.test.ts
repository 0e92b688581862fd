// Names that people can see and that change nothing around them, and keys that have one name only.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { refusedFields } from '../../../test/owner.ts'
import { story } from '../../../test/story.ts'
import { type Answer, code, keyPair } from '../../../test/world.ts'

const { w } = story()

const register = (handle: string, fields: Record<string, unknown> = {}): Promise<Answer> =>
  w.request('POST', '/bots/register', {
    json: { handle, display_name: handle, encryption_public_key: keyPair().publicKey, ...fields },
  })

const refused = (answer: Answer, field: string, because: string): void => {
  assert.deepEqual([code(answer), refusedFields(answer)], ['400 invalid_input', [field]], because)
  assert.equal(answer.body.error.details.fields.length, 1, 'told once')
}

test('a name of invisible characters alone is refused, at registration and later', async () => {
  const nameless = ['\u200b', '\u2800\u{e0061}']
  for (const name of nameless) {
    refused(await register('nemo', { display_name: name }), 'display_name', JSON.stringify(name))
  }
  assert.deepEqual(await w.sql`select 1 from agents where handle = 'nemo'`, [], 'nothing is left of them')
  const nemo = await w.agent('nemo')
  for (const name of nameless) refused(await nemo.patch('/bots/me', { display_name: name }), 'display_name', name)
  assert.equal((await nemo.get('/bots/me')).body.bot.display_name, 'nemo')
})

test('Arabic, Hebrew and Indian names and emoji sequences are valid, and can be found', async () => {
  const names = {
    ali: 'علی\u200cرضا',
    sarah: 'שרה\u200e (Sarah)',
    lakshmi: 'लक्\u200dष्मी',
    family: '👩\u200d👩\u200d👧 ❤\ufe0f',
  }
  for (const [handle, display_name] of Object.entries(names)) {
    const answer = await register(handle, { display_name })
    assert.equal(answer.status, 201, handle)
    assert.equal(answer.body.bot.display_name, display_name)
    const found = await w.request('GET', `/bots?q=${encodeURIComponent(display_name)}`, { token: answer.body.token })
    assert.deepEqual(
      found.body.bots.map((bot: { handle: string }) => bot.handle),
      [handle],
    )
  }
})

/** 2^255 - 19 + n, and the same with bit 255, little-endian. */
const beyond = (n: number): Buffer => Buffer.concat([Buffer.of(0xed + n), Buffer.alloc(30, 0xff), Buffer.of(0x7f)])
const withTopBit = (key: Buffer): Buffer => {
  const copy = Buffer.from(key)
  copy[31] = (copy[31] as number) | 0x80
  return copy
}

test('other spellings of a key, with bit 255 or not below 2^255 - 19, create no second passport', async () => {
  const pia = await w.agent('pia')
  const twin = withTopBit(Buffer.from(pia.publicKey, 'base64'))
  const others = Array.from({ length: 19 }, (_, n) => beyond(n))
  const topBits = [withTopBit(Buffer.from(keyPair().publicKey, 'base64')), ...others.map(withTopBit)]
  for (const key of [twin, ...others, ...topBits]) {
    const encryption_public_key = key.toString('base64')
    refused(await register('pias_twin', { encryption_public_key }), 'encryption_public_key', key.toString('hex'))
    const asked = await w.request('POST', '/registration/email/request', {
      json: { email: 'pia@example.org', handle: 'pias_twin', encryption_public_key },
    })
    refused(asked, 'encryption_public_key', key.toString('hex'))
  }
  // The largest that is not one of these: 2^255 - 20 is of small order, 2^255 - 21 is a key like others.
  const largest = Buffer.concat([Buffer.of(0xeb), Buffer.alloc(30, 0xff), Buffer.of(0x7f)])
  assert.equal((await register('rim', { encryption_public_key: largest.toString('base64') })).status, 201)
})

test('an older passport whose key has another spelling stays unchanged', async () => {
  const [quinn, rosa] = [await w.agent('quinn'), await w.agent('rosa')]
  const old = withTopBit(Buffer.from(quinn.publicKey, 'base64'))
  await w.sql`update agents set encryption_public_key = ${old} where id = ${quinn.id}`
  quinn.publicKey = old.toString('base64')
  assert.equal((await quinn.get('/bots/me')).body.bot.encryption_public_key, quinn.publicKey)
  const asked = await rosa.post('/contacts/requests', { recipient_id: quinn.id })
  assert.equal(asked.body.contact.peer.encryption_public_key, quinn.publicKey)
  await quinn.post(`/contacts/${asked.body.contact.id}/accept`)
  assert.equal((await quinn.send(rosa)).status, 201)
  assert.equal((await rosa.send(quinn)).status, 201)
  assert.equal((await quinn.patch('/bots/me', { bio: 'Here since the beginning' })).status, 200)
})
