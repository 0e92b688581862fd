// Frames are counted however the network cuts them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type FrameHeader, frameReader } from './frame-reader.ts'

/** A frame of a client, masked as it must be, or not. */
function frame({ opcode, final }: FrameHeader, size: number, masked = true): Buffer {
  const length =
    size < 126
      ? Buffer.from([size])
      : size < 65536
        ? Buffer.from([126, size >> 8, size & 0xff])
        : Buffer.concat([Buffer.from([127, 0, 0, 0, 0]), Buffer.from([size >> 24, size >> 16, size >> 8, size])])
  length[0] = (length[0] as number) | (masked ? 0x80 : 0)
  return Buffer.concat([
    Buffer.from([opcode | (final ? 0x80 : 0)]),
    length,
    Buffer.alloc(masked ? 4 : 0, 0xff),
    Buffer.alloc(size, 0x8a),
  ])
}

test('every frame is read once, at any length and in any fragments', () => {
  const sizes = [0, 1, 125, 126, 2048, 65535, 65536, 70_001, 0]
  const sent = sizes.flatMap((size, at) => [
    { size, header: { opcode: [0, 1, 8, 9, 10][at % 5] as number, final: at % 2 === 0 }, masked: at % 3 > 0 },
    { size: 0, header: { opcode: 10, final: true }, masked: true },
  ])
  const bytes = Buffer.concat(sent.map(({ size, header, masked }) => frame(header, size, masked)))
  for (const step of [1, 2, 3, 7, 1000, 65536, bytes.length]) {
    const told: FrameHeader[] = []
    const read = frameReader((header) => told.push(header))
    for (let at = 0; at < bytes.length; at += step) read(bytes.subarray(at, at + step))
    assert.deepEqual(
      told,
      sent.map(({ header }) => header),
      `${step} bytes at a time`,
    )
  }
})
