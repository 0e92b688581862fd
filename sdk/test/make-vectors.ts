// Makes vectors/box-v1.json. Everything is derived from names, so it always makes the same file; the boxes are sealed
// by tweetnacl, not by this SDK, so that the vectors can find this SDK wrong.
//
//   node launch.mjs --conditions=source sdk/test/make-vectors.ts
import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import nacl from 'tweetnacl'

const digest = (text: string) => new Uint8Array(createHash('sha256').update(`kith box-v1 ${text}`).digest())
const b64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')
const utf8 = (text: string) => new TextEncoder().encode(text)
const fromHex = (text: string) => new Uint8Array(Buffer.from(text, 'hex'))

function person(name: string) {
  const pair = nacl.box.keyPair.fromSecretKey(digest(`secret key of ${name}`))
  return {
    ...pair,
    name,
    record: {
      secret_key: b64(pair.secretKey),
      public_key: b64(pair.publicKey),
      fingerprint: createHash('sha256').update(pair.publicKey).digest('hex'),
    },
  }
}

const alice = person('alice')
const bob = person('bob')
const mallory = person('mallory')

function sealed(name: string, plain: Uint8Array) {
  const nonce = digest(`nonce of ${name}`).slice(0, 24)
  return { nonce, ciphertext: nacl.box(plain, nonce, bob.publicKey, alice.secretKey) }
}

const texts: Record<string, string> = {
  'one character': 'a',
  ascii: 'Hello Bob, shall we work together?',
  'several scripts': 'Привет, 世界 — ça va? 🤝🏽',
  'white space and a line feed': '  edges stay \n\tas they are  ',
  'a leading byte order mark': '\ufeffkept',
  'a NUL character': 'a\u0000b',
  'no normalisation': 'e\u0301 is not \u00e9',
  'most characters': 'x'.repeat(8000),
  'most bytes': 'é'.repeat(7500),
  'astral characters count once': '🙂'.repeat(3750),
}

const badPlain: Record<string, Uint8Array> = {
  'empty text': new Uint8Array(),
  'more than 8000 characters': utf8('x'.repeat(8001)),
  'more than 15000 bytes': utf8('é'.repeat(7501)),
  'not UTF-8': fromHex('48c328'),
  'an encoded surrogate': fromHex('eda080'),
  'an overlong encoding': fromHex('c0af'),
}

/** Points of order 1, 2, 4 and 8, and other spellings of them: every secret made with one is all zero. */
const smallOrder = [
  '0000000000000000000000000000000000000000000000000000000000000000',
  '0100000000000000000000000000000000000000000000000000000000000000',
  'e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800',
  '5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157',
  'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  '0000000000000000000000000000000000000000000000000000000000000080',
  '0100000000000000000000000000000000000000000000000000000000000080',
]

/** The whole file, as data. */
export function makeVectors() {
  const good = sealed('ascii', utf8(texts['ascii']!))
  const base = { secret_key: bob.record.secret_key, public_key: alice.record.public_key }
  const envelope = (change: Partial<Record<'nonce' | 'ciphertext' | 'secret_key' | 'public_key', string>>) => ({
    ...base,
    nonce: b64(good.nonce),
    ciphertext: b64(good.ciphertext),
    ...change,
  })
  const altered = (bytes: Uint8Array, at: number) => b64(bytes.map((byte, i) => (i === at ? byte ^ 1 : byte)))
  return {
    format: 'kith box-v1 test vectors',
    version: 1,
    keys: { alice: alice.record, bob: bob.record, mallory: mallory.record },
    seal: Object.entries(texts).map(([name, text]) => {
      const { nonce, ciphertext } = sealed(name, utf8(text))
      return { name, from: 'alice', to: 'bob', text, nonce: b64(nonce), ciphertext: b64(ciphertext) }
    }),
    open_refused: [
      { name: 'wrong secret key', error: 'not_authentic', ...envelope({ secret_key: mallory.record.secret_key }) },
      { name: 'wrong public key', error: 'not_authentic', ...envelope({ public_key: mallory.record.public_key }) },
      { name: 'altered tag', error: 'not_authentic', ...envelope({ ciphertext: altered(good.ciphertext, 0) }) },
      { name: 'altered text', error: 'not_authentic', ...envelope({ ciphertext: altered(good.ciphertext, 20) }) },
      { name: 'altered nonce', error: 'not_authentic', ...envelope({ nonce: altered(good.nonce, 23) }) },
      { name: 'cut short', error: 'not_authentic', ...envelope({ ciphertext: b64(good.ciphertext.slice(0, -1)) }) },
      { name: 'nonce of 23 bytes', error: 'bad_nonce', ...envelope({ nonce: b64(good.nonce.slice(1)) }) },
      {
        name: 'ciphertext of 15 bytes',
        error: 'bad_ciphertext',
        ...envelope({ ciphertext: b64(digest('x').slice(0, 15)) }),
      },
      {
        name: 'ciphertext of 16385 bytes',
        error: 'bad_ciphertext',
        ...envelope({ ciphertext: b64(sealed('large', new Uint8Array(16369)).ciphertext) }),
      },
      { name: 'public key of 31 bytes', error: 'bad_key', ...envelope({ public_key: b64(alice.publicKey.slice(1)) }) },
      { name: 'small-order public key', error: 'bad_key', ...envelope({ public_key: b64(fromHex(smallOrder[1]!)) }) },
      {
        name: 'nonce in the URL alphabet',
        error: 'bad_base64',
        ...envelope({ nonce: `-_${b64(good.nonce).slice(2)}` }),
      },
      ...Object.entries(badPlain).map(([name, plain]) => {
        const { nonce, ciphertext } = sealed(name, plain)
        return { name, error: 'bad_text', ...envelope({ nonce: b64(nonce), ciphertext: b64(ciphertext) }) }
      }),
    ],
    public_keys_refused: smallOrder.map((point) => ({ hex: point, base64: b64(fromHex(point)) })),
    base64: [
      ...['', '00', '0001', '000102', 'fbff', 'ffffffff'].map((bytes) => ({ base64: b64(fromHex(bytes)), hex: bytes })),
      // The same bytes in other spellings, and texts that are not base64: all refused.
      ...[
        'AA',
        'AA=',
        'AB==',
        'AAB=',
        'AAAA=',
        'AA==AA==',
        '-_8=',
        ' AAE=',
        'AAE=\n',
        'AA E=',
        'A',
        '=',
        '====',
        'AAE==',
      ].map((base64) => ({ base64, error: 'bad_base64' })),
    ],
    fingerprint_of_alice_is_sha256_of: hex(alice.publicKey),
  }
}

if (import.meta.main) {
  const path = new URL('../vectors/box-v1.json', import.meta.url)
  writeFileSync(path, `${JSON.stringify(makeVectors(), undefined, 2)}\n`)
}
