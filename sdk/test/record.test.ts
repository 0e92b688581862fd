// Signed records, checked without their server: the vectors of the standards, and what a thief, a forger or a hostile file tries.
// docs/contract/record.md.
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { ed25519 } from '@noble/curves/ed25519.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { concatBytes, hexToBytes } from '@noble/hashes/utils.js'
import { base58Of, ed25519KeyOf } from '../src/did.ts'
import { checkRecord, fetchDidDocument, fetchRecord, issuerOf, KithNetworkError, verifyRecord } from '../src/index.ts'
import { isSigned } from '../src/record.ts'
import { canonicalJson, type Json, type JsonObject, readStrictly } from '../src/strict-json.ts'

const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
function multibase(bytes: Uint8Array): string {
  let text = ''
  for (let rest = BigInt(`0x${Buffer.from(bytes).toString('hex')}`); rest > 0n; rest /= 58n)
    text = alphabet[Number(rest % 58n)] + text
  return `z${'1'.repeat(bytes.findIndex((byte) => byte !== 0))}${text}`
}

interface Signer {
  keyId: string
  method: JsonObject
  sign(document: JsonObject, proof?: JsonObject): JsonObject
}

const issuer = 'did:web:kith.example'
const start = Date.parse('2026-11-23T00:00:00Z')
const day = 86_400_000
const at = (days: number): string => new Date(start + days * day).toISOString()
const contexts = ['https://www.w3.org/ns/credentials/v2']

function signer(revoked?: string, did = issuer): Signer {
  const { secretKey, publicKey } = ed25519.keygen()
  const publicKeyMultibase = multibase(concatBytes(Uint8Array.of(0xed, 1), publicKey))
  const keyId = `${did}#${publicKeyMultibase}`
  const digest = (value: Json) => sha256(new TextEncoder().encode(canonicalJson(value)))
  return {
    keyId,
    method: { id: keyId, type: 'Multikey', controller: did, publicKeyMultibase, ...(revoked && { revoked }) },
    sign(document, changes = {}) {
      const config = {
        type: 'DataIntegrityProof',
        cryptosuite: 'eddsa-jcs-2022',
        created: at(0),
        verificationMethod: keyId,
        proofPurpose: 'assertionMethod',
        '@context': document['@context'] ?? null,
        ...changes,
      }
      const signature = ed25519.sign(concatBytes(digest(config), digest(document)), secretKey)
      return { ...document, proof: { ...config, proofValue: multibase(signature) } }
    },
  }
}

const review = (fields: JsonObject = {}): JsonObject => ({
  rating: 5,
  text: 'Good',
  created_at: at(-1),
  author: { id: null, handle: null, display_name: 'Dora' },
  order_digest: 'd'.repeat(64),
  ...fields,
})

const credential = (fields: JsonObject = {}, subject: JsonObject = {}): JsonObject => ({
  '@context': contexts,
  type: ['VerifiableCredential', 'AgentRecord'],
  issuer,
  validFrom: at(0),
  validUntil: at(90),
  credentialSubject: {
    id: 'https://kith.example/agents/ann',
    type: 'Agent',
    passport_id: '01890a5d-ac96-774b-bcce-b302099a8057',
    handle: 'ann',
    display_name: 'Ann',
    encryption_public_key: 'key',
    fingerprint: 'f'.repeat(64),
    registered_at: at(-30),
    orders_completed: 3,
    disputes_lost: 0,
    works: 2,
    reviews: [review()],
    ...subject,
  },
  ...fields,
})

const documentOf = (...signers: Signer[]): JsonObject => ({
  id: issuer,
  verificationMethod: signers.map(({ method }) => method),
  assertionMethod: signers.map(({ keyId }) => keyId),
})
const verdictOf = (record: JsonObject | string, document: unknown, days = 1): string =>
  verifyRecord(typeof record === 'string' ? record : JSON.stringify(record), document, start + days * day).verdict

test('the W3C vector for eddsa-jcs-2022 verifies', () => {
  // https://www.w3.org/TR/vc-di-eddsa/#representation-eddsa-jcs-2022
  const multikey = 'z6MkrJVnaZkeFzdQyMZu1cgjg7k1pZZ6pvBQ7XJPt4swbTQ2'
  const document = {
    '@context': ['https://www.w3.org/ns/credentials/v2', 'https://www.w3.org/ns/credentials/examples/v2'],
    id: 'urn:uuid:58172aac-d8ba-11ed-83dd-0b3aef56cc33',
    type: ['VerifiableCredential', 'AlumniCredential'],
    name: 'Alumni Credential',
    description: 'A minimum viable example of an Alumni Credential.',
    issuer: 'https://vc.example/issuers/5678',
    validFrom: '2023-01-01T00:00:00Z',
    credentialSubject: { id: 'did:example:abcdefgh', alumniOf: 'The School of Examples' },
  }
  const config = {
    type: 'DataIntegrityProof',
    cryptosuite: 'eddsa-jcs-2022',
    created: '2023-02-24T23:36:38Z',
    verificationMethod: `did:key:${multikey}#${multikey}`,
    proofPurpose: 'assertionMethod',
    '@context': document['@context'],
  }
  const digest = (value: Json) => Buffer.from(sha256(new TextEncoder().encode(canonicalJson(value)))).toString('hex')
  assert.equal(digest(document), '59b7cb6251b8991add1ce0bc83107e3db9dbbab5bd2c28f687db1a03abc92f19')
  assert.equal(digest(config), '66ab154f5c2890a140cb8388a22a160454f80575f6eae09e5a097cabe539a1db')
  const signature = base58Of(
    'z2HnFSSPPBzR36zdDgK8PbEHeXbR56YF24jwMpt3R1eHXQzJDMWS93FCzpvJpwTWd3GAVFuUfjoJdcnTMuVor51aX',
    64,
  )!
  assert.deepEqual(
    signature,
    hexToBytes(
      '407cd12654b33d718ecbb99179a1506daaa849450bf3fc523cce3e1c96f8b80351da3f253d725c6f00b07c9e5448d50b3ef78012b9ab54255116d069c6dd2808',
    ),
  )
  const key = ed25519KeyOf(multikey)!
  assert.equal(isSigned({ document, config, signature }, key), true)
  assert.equal(isSigned({ document: { ...document, name: 'Alumni credential' }, config, signature }, key), false)
})

test('the vectors of RFC 8785 verify', () => {
  const input = String.raw`{"numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
    "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/", "literals": [null, true, false]}`
  assert.equal(
    canonicalJson(readStrictly(input)!),
    String.raw`{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"}`,
  )
  const unsorted = {
    '\u20ac': 'Euro Sign',
    '\r': 'Carriage Return',
    '\ufb33': 'Hebrew Letter Dalet With Dagesh',
    '1': 'One',
    '10': 'Ten',
    '2': 'Two',
    '\ud83d\ude00': 'Emoji: Grinning Face',
    '\u0080': 'Control',
    '\u00f6': 'Latin Small Letter O With Diaeresis',
  }
  assert.deepEqual(
    [...canonicalJson(unsorted).matchAll(/:"(.*?)"/g)].map(([, value]) => value),
    [
      ...['Carriage Return', 'One', 'Ten', 'Two', 'Control', 'Latin Small Letter O With Diaeresis', 'Euro Sign'],
      ...['Emoji: Grinning Face', 'Hebrew Letter Dalet With Dagesh'],
    ],
  )
  const numbers = {
    '0000000000000001': '5e-324',
    '8000000000000000': '0',
    '7fefffffffffffff': '1.7976931348623157e+308',
    '4430000000000000': '295147905179352830000',
    '44b52d02c7e14af5': '9.999999999999997e+22',
    '44b52d02c7e14af6': '1e+23',
    '444b1ae4d6e2ef4f': '999999999999999900000',
    '444b1ae4d6e2ef50': '1e+21',
    '3eb0c6f7a0b5ed8c': '9.999999999999997e-7',
    '3eb0c6f7a0b5ed8d': '0.000001',
    '41b3de4355555554': '333333333.33333325',
    becbf647612f3696: '-0.0000033333333333333333',
    '43143ff3c1cb0959': '1424953923781206.2',
  }
  for (const [hex, text] of Object.entries(numbers))
    assert.equal(canonicalJson(Buffer.from(hex, 'hex').readDoubleBE()), text)
})

test('a signed record is valid in any JSON formatting, and altered once any value differs', () => {
  const key = signer()
  const document = documentOf(key)
  const record = key.sign(credential())
  assert.equal(verdictOf(record, document), 'valid')
  assert.equal(verdictOf(JSON.stringify(record, null, 4).replace('"Good"', '"\\u0047ood"'), document), 'valid')
  const turned = Object.fromEntries(Object.entries(record).reverse())
  assert.equal(verdictOf(turned, document), 'valid', 'the order of keys means nothing')

  let tried = 0
  const change = (value: Json, put: (changed: Json | undefined) => Json, path: string): void => {
    const others: (Json | undefined)[] = [undefined, null, `${value}x`, 0, -1, 1e21, [], {}, 'z'.repeat(89), [value]]
    for (const other of others) {
      if (JSON.stringify(other) === JSON.stringify(value)) continue
      const { verdict } = verifyRecord(JSON.stringify(put(other)), document, start + day)
      assert.ok(['altered', 'unknown_key'].includes(verdict), `${path} as ${JSON.stringify(other)}: ${verdict}`)
      tried++
    }
    if (typeof value !== 'object' || value === null) return
    for (const [name, inner] of Object.entries(value)) {
      const putInner = (changed: Json | undefined): Json => {
        const copy = structuredClone(value) as Record<string, Json | undefined>
        copy[name] = changed
        return put(copy as Json)
      }
      change(inner, putInner, `${path}.${name}`)
    }
    if (!Array.isArray(value)) {
      for (const name of ['more', '__proto__', 'constructor', 'toJSON']) {
        const copy: Json = structuredClone(value)
        Object.defineProperty(copy, name, { value: 'x', enumerable: true })
        assert.equal(verdictOf(JSON.stringify(put(copy)), document), 'altered', `${path} with ${name}`)
      }
    }
  }
  change(record, (changed) => changed ?? null, 'record')
  assert.ok(tried > 250, String(tried))
})

test('keys decide: unknown keys, foreign keys and retired keys', () => {
  const [key, other, retired] = [signer(), signer(), signer(at(10))]
  const document = documentOf(key, retired)
  assert.equal(verdictOf(other.sign(credential()), document), 'unknown_key')
  assert.equal(verdictOf(key.sign(credential()), { ...document, id: 'did:web:other.example' }), 'unknown_key')
  assert.equal(verdictOf(key.sign(credential()), { ...document, assertionMethod: [] }), 'unknown_key')
  for (const nothing of [undefined, null, 1, 'x', [], {}, { id: issuer, verificationMethod: {}, assertionMethod: {} }])
    assert.equal(verdictOf(key.sign(credential()), nothing), 'unknown_key')
  const method = { ...key.method, revoked: 'some day' }
  const unreadable = { id: issuer, verificationMethod: [null, method], assertionMethod: [key.keyId] }
  assert.equal(verdictOf(key.sign(credential()), unreadable), 'unknown_key', 'a retirement nobody can read')
  // A stranger's own server states nothing in the name of another.
  const foreign = signer(undefined, 'did:web:evil.example')
  assert.equal(verdictOf(foreign.sign(credential()), documentOf(key, foreign)), 'altered')
  // A signature under the ID of another key.
  assert.equal(verdictOf(other.sign(credential(), { verificationMethod: key.keyId }), document), 'altered')

  assert.equal(verdictOf(retired.sign(credential()), document, 20), 'valid', 'signed before it was retired')
  assert.equal(verdictOf(retired.sign(credential(), { created: at(11) }), document, 20), 'retired_key')
  const late = retired.sign(credential({ validUntil: at(10_000) }))
  assert.equal(verdictOf(late, document, 89), 'valid')
  assert.equal(verdictOf(late, document, 91), 'expired', 'what a stolen key signs dies with it, whatever it says')
})

test('a record is valid until it expires', () => {
  const key = signer()
  const [document, record] = [documentOf(key), key.sign(credential())]
  assert.deepEqual(
    [-1, -0.001, 0, 90, 90.001].map((days) => verdictOf(record, document, days)),
    ['expired', 'valid', 'valid', 'valid', 'expired'],
  )
  const { subject } = verifyRecord(JSON.stringify(record), document, start + 100 * day)
  assert.equal(subject?.handle, 'ann', 'what was signed is still told')
  assert.equal(verifyRecord(JSON.stringify(record), undefined).subject, undefined, 'what was not is not')
})

test('hostile files are not records: nothing throws, nothing takes long', () => {
  const key = signer()
  const document = documentOf(key)
  const record = JSON.stringify(key.sign(credential()))
  const files = [
    '',
    'no JSON',
    '[]',
    'null',
    '{}',
    '"__proto__"',
    '{"__proto__":null}',
    '['.repeat(500_000),
    `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`,
    `${record.slice(0, -1)},"issuer":"did:web:evil.example"}`,
    record.replace('"issuer":', '"issuer":"did:web:evil.example","\\u0069ssuer":'),
    record.replace('"works":2', '"works":2,"works":2'),
    record.replace('"works":2', '"works":1e400'),
    record.replace('"works":2', '"works":2.5'),
    record.replace('"Ann"', '"\\ud800"'),
    record.replace('"Good"', '["Good"]'),
    `\ufeff${record}`,
    `${record}${record}`,
    record.padEnd(1024 * 1024 + 1),
    `"${'\\"'.repeat(500_000)}`,
  ]
  for (const file of files) {
    assert.equal(verdictOf(file, document), 'altered', file.slice(0, 80))
    assert.equal(issuerOf(file), undefined, file.slice(0, 80))
  }
  const wrong = [
    ...[{ reviews: {} }, { reviews: [null] }, { reviews: [review({ rating: '5' })] }, { works: -1 }, { handle: 1 }],
    ...[{ reviews: [review({ author: 'Dora' })] }, { reviews: [review({ author: {} })] }, { type: 'Person' }],
  ].map((subject) => key.sign(credential({}, subject)))
  const others = [
    key.sign(credential({ type: ['VerifiableCredential'] })),
    key.sign(credential({ validUntil: 'never' })),
    key.sign(credential(), { proofPurpose: 'authentication' }),
    key.sign(credential(), { cryptosuite: 'eddsa-rdfc-2022' }),
    key.sign(credential(), { '@context': [] }),
  ]
  for (const signed of [...wrong, ...others])
    assert.equal(verdictOf(signed, document), 'altered', 'signed, but of another shape')
  assert.equal(verdictOf(record, document), 'valid')
})

test('keys are fetched only from the server that the record names', async (t) => {
  const seen: string[] = []
  const answer = { body: '{}', status: 200, headers: {} as Record<string, string>, isSilent: false }
  const server = createServer((request, response) => {
    seen.push(request.url!)
    if (answer.isSilent) return
    response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers }).end(answer.body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.close()
    server.closeAllConnections()
  })
  const { port } = server.address() as AddressInfo
  const did = `did:web:127.0.0.1%3A${port}`
  const key = signer(undefined, did)
  answer.body = JSON.stringify({ ...documentOf(key), id: did })
  const now = Date.now()
  const days = (count: number) => new Date(now + count * day).toISOString()
  const fresh = credential({ issuer: did, validFrom: days(0), validUntil: days(90) })
  const record = JSON.stringify(key.sign(fresh, { created: days(0) }))
  assert.equal((await checkRecord(record)).verdict, 'valid')
  assert.deepEqual(seen, ['/.well-known/did.json'])

  const foreign = (error: KithNetworkError) => error.reason === 'foreign'
  await assert.rejects(fetchRecord(`http://127.0.0.1:${port}`, 'ann'), foreign, 'a DID document is not a record')

  answer.body = JSON.stringify(key.sign(fresh)).replace(
    '"type":',
    `"deep":${'['.repeat(50_000)}${']'.repeat(50_000)},"type":`,
  )
  await assert.rejects(fetchRecord(`http://127.0.0.1:${port}`, 'ann'), foreign, 'nor is one without a bottom')

  answer.body = `{"id":"${'x'.repeat(1024 * 1024)}"}`
  await assert.rejects(checkRecord(record), KithNetworkError, 'as long as it likes')
  Object.assign(answer, { status: 302, body: '', headers: { location: '/elsewhere' } })
  await assert.rejects(checkRecord(record), (error: KithNetworkError) => error.reason === 'redirect')
  assert.ok(!seen.includes('/elsewhere'))
  Object.assign(answer, { status: 404, headers: {} })
  await assert.rejects(checkRecord(record), { status: 404 })
  answer.isSilent = true
  const timeout = (error: KithNetworkError) => error.reason === 'timeout'
  await assert.rejects(checkRecord(record, { timeoutMs: 50 }), timeout, 'as late as it likes')

  // Nothing is asked about an issuer that names no server.
  const strange = [
    'did:key:z6Mk',
    'did:web:',
    'did:web:a/b',
    'did:web:a:b',
    'did:web:a%2Fb',
    'did:web:u%40a',
    'http://a',
  ]
  for (const issuer of [...strange, 'did:web:KITH.example', 'did:web:a%3Ab', 'did:web:a%3A99999', 'did:web:a%0A']) {
    const { keyId, sign } = signer(undefined, issuer)
    assert.ok(keyId)
    const { verdict } = await checkRecord(JSON.stringify(sign(credential({ issuer }))))
    assert.equal(verdict, 'unknown_key', issuer)
    await assert.rejects(fetchDidDocument(issuer), { name: 'KithInputError' })
  }
})
