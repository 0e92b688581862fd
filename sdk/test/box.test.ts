// box-v1 against the published vectors, and the vectors against an implementation that shares no code with ours.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import nacl from 'tweetnacl'
import { fromBase64, toBase64 } from '../src/base64.ts'
import { checkPublicKey, fingerprint, generateKeyPair, keyPairOf, open, seal, sealWithNonce } from '../src/box.ts'
import { KithBoxError } from '../src/errors.ts'
import { makeVectors } from './make-vectors.ts'

const vectors = JSON.parse(readFileSync(new URL('../vectors/box-v1.json', import.meta.url), 'utf8')) as ReturnType<
  typeof makeVectors
>
const { alice, bob } = vectors.keys
const refused = (code: string) => (error: unknown) => error instanceof KithBoxError && error.code === code

test('the published vectors match the output of their generator', () => {
  assert.deepEqual(vectors, JSON.parse(JSON.stringify(makeVectors())))
})

test('public keys and fingerprints follow from the secret keys', async () => {
  for (const person of Object.values(vectors.keys)) {
    assert.equal(keyPairOf(person.secret_key).publicKey, person.public_key)
    assert.equal(await fingerprint(person.public_key), person.fingerprint)
  }
})

for (const vector of vectors.seal)
  test(`seals and opens: ${vector.name}`, () => {
    const sealed = sealWithNonce(vector.text, alice.secret_key, bob.public_key, fromBase64(vector.nonce))
    assert.deepEqual(sealed, { nonce: vector.nonce, ciphertext: vector.ciphertext })
    assert.equal(open(vector, bob.secret_key, alice.public_key), vector.text)
    assert.equal(open(vector, alice.secret_key, bob.public_key), vector.text)
  })

for (const vector of vectors.open_refused)
  test(`does not open: ${vector.name}`, () => {
    assert.throws(() => open(vector, vector.secret_key, vector.public_key), refused(vector.error))
  })

test('public keys of small order are refused', () => {
  for (const { base64 } of vectors.public_keys_refused) {
    assert.throws(() => checkPublicKey(base64), refused('bad_key'))
    assert.throws(() => seal('hello', alice.secret_key, base64), refused('bad_key'))
  }
  checkPublicKey(bob.public_key)
})

test('every key is created in the one encoding that services accept: below 2^255 - 19, without bit 255', () => {
  const prime = 2n ** 255n - 19n
  const edges = [new Uint8Array(32), new Uint8Array(32).fill(0xff)].map((secret) => keyPairOf(toBase64(secret)))
  for (const { publicKey } of [...Array.from({ length: 50 }, generateKeyPair), ...edges]) {
    const number = BigInt(`0x${Buffer.from(fromBase64(publicKey)).reverse().toString('hex')}`)
    assert.ok(number < prime, publicKey)
  }
})

test('only canonical base64 is accepted', () => {
  for (const vector of vectors.base64)
    if ('hex' in vector) {
      assert.equal(Buffer.from(fromBase64(vector.base64)).toString('hex'), vector.hex)
      assert.equal(toBase64(new Uint8Array(Buffer.from(vector.hex, 'hex'))), vector.base64)
    } else assert.throws(() => fromBase64(vector.base64), refused(vector.error))
})

test('texts that no message may carry are refused', () => {
  for (const text of ['', 'x'.repeat(8001), 'é'.repeat(7501), 'a\ud800', '\udc00'])
    assert.throws(() => seal(text, alice.secret_key, bob.public_key), refused('bad_text'))
})

test('an independent implementation opens our messages, and we open its messages', () => {
  const bytes = (text: string) => new Uint8Array(Buffer.from(text, 'base64'))
  for (let n = 1; n <= 40; n++) {
    const ours = generateKeyPair()
    const theirs = nacl.box.keyPair()
    const text = '𝔎ith '.repeat(n)
    const sealed = seal(text, ours.secretKey, toBase64(theirs.publicKey))
    const opened = nacl.box.open(bytes(sealed.ciphertext), bytes(sealed.nonce), bytes(ours.publicKey), theirs.secretKey)
    assert.equal(Buffer.from(opened!).toString(), text)
    const nonce = nacl.randomBytes(24)
    const back = nacl.box(new TextEncoder().encode(text), nonce, bytes(ours.publicKey), theirs.secretKey)
    assert.equal(
      open({ nonce: toBase64(nonce), ciphertext: toBase64(back) }, ours.secretKey, toBase64(theirs.publicKey)),
      text,
    )
  }
})

test('every sealing uses a fresh nonce', () => {
  const nonces = new Set(Array.from({ length: 200 }, () => seal('same', alice.secret_key, bob.public_key).nonce))
  assert.equal(nonces.size, 200)
})
