import assert from 'node:assert/strict'
import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { test } from 'node:test'
import { isoCBOR } from '@simplewebauthn/server/helpers'
import { isPublicKey } from './public-key.ts'

type Label = [number, number | Uint8Array<ArrayBuffer>]

const bytes = (text = ''): Uint8Array<ArrayBuffer> => Uint8Array.from(Buffer.from(text, 'base64url'))
const jwk = ({ publicKey }: { publicKey: KeyObject }) => publicKey.export({ format: 'jwk' })
const isTaken = (...labels: Label[]): Promise<boolean> => isPublicKey(isoCBOR.encode(new Map<number, Label[1]>(labels)))

const p256 = jwk(generateKeyPairSync('ec', { namedCurve: 'P-256' }))
const ed25519 = jwk(generateKeyPairSync('ed25519'))
const rsa = (modulusLength: number) => jwk(generateKeyPairSync('rsa', { modulusLength }))
const [x, y] = [bytes(p256.x), bytes(p256.y)]
const ec = (crv: number, ...point: Uint8Array<ArrayBuffer>[]): Label[] => [
  [1, 2],
  [3, -7],
  [-1, crv],
  ...point.map((each, at): Label => [-2 - at, each]),
]
const rsaOf = ({ n, e }: { n?: string; e?: string }): Label[] => [
  [1, 3],
  [3, -257],
  [-1, bytes(n)],
  [-2, bytes(e)],
]

test('the three key types that the console requests are accepted', async () => {
  assert.ok(await isTaken(...ec(1, x, y)))
  assert.ok(await isTaken([1, 1], [3, -8], [-1, 6], [-2, bytes(ed25519.x)]))
  assert.ok(await isTaken(...rsaOf(rsa(2048))))
})

test('a key that cannot check signatures is refused', async () => {
  const { n } = rsa(2048)
  const wrong: Label[][] = [
    [],
    ec(1),
    ec(1, x),
    ec(1, y, x),
    ec(1, x, x.subarray(1)),
    ec(1, new Uint8Array(32), new Uint8Array(32)),
    ec(2, x, y),
    [[1, 1], [3, -7], ...ec(1, x, y).slice(2)],
    [[1, 2], [3, -8], ...ec(1, x, y).slice(2)],
    [[1, 2], [3, -35], ...ec(1, x, y).slice(2)],
    [
      [1, 1],
      [3, -8],
      [-1, 6],
      [-2, bytes(ed25519.x).subarray(1)],
    ],
    rsaOf(rsa(1024)),
    rsaOf({ n: n as string, e: 'AQ' }),
    rsaOf({ n: n as string }),
  ]
  for (const labels of wrong) assert.equal(await isTaken(...labels), false, JSON.stringify(labels))
  for (const cose of ['', 'a0', 'ff', '9f', 'bbffffffffffffffff', '01'])
    assert.equal(await isPublicKey(Uint8Array.from(Buffer.from(cose, 'hex'))), false, cose)
})
