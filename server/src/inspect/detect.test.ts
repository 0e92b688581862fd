// What a file is, whatever it is called: each format, what only looks like one, and files that are two things.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import * as corpus from '../../test/corpus.ts'
import * as sources from '../../test/corpus-sources.ts'
import { detect, detectBytes, mayUnpackItself } from './detect.ts'
import type { FileFormat } from './formats.ts'

const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1')
const ftyp = (major: string, ...compatible: string[]): Buffer => {
  const size = Buffer.alloc(4)
  size.writeUInt32BE(16 + compatible.length * 4)
  return Buffer.concat([size, latin1(`ftyp${major}\0\0\x02\0${compatible.join('')}`), Buffer.alloc(64)])
}
/** Frames of 128 kbit/s at 44.1 kHz, 417 bytes each. */
const mp3 = (frames: number): Buffer =>
  Buffer.concat(Array.from({ length: frames }, () => Buffer.concat([latin1('\xff\xfb\x90\0'), Buffer.alloc(413)])))
const id3 = (length: number): Buffer =>
  Buffer.concat([
    latin1('ID3\x04\0\0'),
    Buffer.from([21, 14, 7, 0].map((shift) => (length >> shift) & 0x7f)),
    Buffer.alloc(length),
  ])
const utf16 = (text: string): Buffer => Buffer.concat([latin1('\xff\xfe'), Buffer.from(text, 'utf16le')])

test('each format is detected by its first bytes', async () => {
  const expected: [FileFormat, Buffer][] = [
    ['jpeg', await corpus.jpeg()],
    ['png', await corpus.png()],
    ['png', corpus.animatedPng()],
    ['pdf', corpus.pdf()],
    ['pdf', Buffer.concat([latin1('\xef\xbb\xbf\r\n'), corpus.pdf()])],
    ['pdf', latin1('<html><body>%PDF-1.7</body></html>')],
    ['svg', sources.svg('<!-- %PDF-1.7 -->')],
    ['mp4', ftyp('isom', 'mp41')],
    ['mp4', ftyp('XXXX', 'YYYY', 'mp42')],
    ['mp3', mp3(3)],
    ['mp3', mp3(1)],
    ['mp3', Buffer.concat([id3(500), mp3(2)])],
    ['mp3', id3(100_000)],
    ['mp3', Buffer.concat([id3(500), id3(50), Buffer.alloc(300), mp3(2)])],
    ['mp3', Buffer.concat([Buffer.alloc(5000), mp3(2)])],
    ['mp3', Buffer.concat([id3(500), Buffer.alloc(500, 'more '), mp3(3)])],
    ['wav', latin1('RF64\xff\xff\xff\xffWAVEds64')],
    ['wav', Buffer.concat([latin1('RIFF\x24\0\0\0WAVEfmt '), Buffer.alloc(32)])],
    ['psd', sources.psd()],
    ['svg', sources.svg()],
    ['svg', Buffer.concat([latin1('\xef\xbb\xbf'), sources.svg()])],
    ['svg', utf16(sources.svg().toString())],
    ['svg', Buffer.from('<s:svg xmlns:s="http://www.w3.org/2000/svg"/>')],
    ['svg', sources.billionLaughs()],
    [
      'svg',
      Buffer.from('<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "a>b" [<!ENTITY a "]>">]><?a ?b?><!-- --><svg>'),
    ],
    ['eps', sources.eps()],
    ['eps', sources.dosEps()],
    ['dwg', sources.dwg('AC1009')],
    ['dwg', sources.dwg()],
    ['zip', sources.zip()],
    ['zip', sources.zip([])],
    ['zip', Buffer.concat([latin1('PK\x07\x08'), sources.zip()])],
    ['zip', Buffer.concat([latin1('PK00'), sources.zip()])],
  ]
  for (const [format, bytes] of expected) {
    assert.equal(detect(bytes.subarray(0, detectBytes)), format, bytes.toString('latin1', 0, 40))
  }
})

test('a file of another format is not accepted', () => {
  const strangers: Buffer[] = [
    Buffer.alloc(0),
    Buffer.alloc(4096),
    latin1('GIF89a\x01\0\x01\0'),
    latin1('RIFF\x24\0\0\0WEBPVP8 '),
    latin1('RIFF\x24\0\0\0AVI LIST'),
    latin1('<!DOCTYPE html><html><svg></svg></html>'),
    latin1(`${' '.repeat(1019)}%PDF-1.7`),
    latin1('<!-- <svg> --><html/>'),
    latin1('<svgx/>'),
    latin1('svg'),
    latin1('\x7fELF\x02\x01\x01'),
    latin1('MZ\x90\0'),
    latin1('#!/bin/sh\necho PK\x03\x04'),
    latin1('plain words'),
    utf16('plain words'),
    latin1('%!PS-Adobe-3.0\n%%Pages: 1'),
    latin1('AC1099\0\0'),
    latin1('AC1015 is the code of a release'),
    latin1('8BPS\0\x02'),
    latin1('PK\x07\x08 and words'),
    latin1('\xff\xf1\x50\x80\0\0\0\0'),
    latin1('ID3\x04\0\0\xff\xff\xff\xff'),
    Buffer.concat([mp3(1), Buffer.alloc(500)]),
    Buffer.concat([id3(500), Buffer.alloc(500)]),
    Buffer.concat([id3(500), Buffer.alloc(500, 'more '), mp3(1), Buffer.alloc(500, 'more ')]),
    ftyp('qt  '),
    ftyp('heic', 'mif1', 'mp42'),
    ftyp('avif', 'mif1'),
    corpus.gifAndScript(),
    corpus.pngSignature.subarray(0, 7),
  ]
  for (const bytes of strangers) assert.equal(detect(bytes), undefined, JSON.stringify(bytes.toString('latin1', 0, 40)))
})

test('a file with two formats counts as the one at its start', async () => {
  const [jpeg, zip, pdf] = [await corpus.jpeg(), sources.zip(), corpus.pdf()]
  assert.equal(detect(Buffer.concat([jpeg, zip])), 'jpeg')
  assert.equal(detect(Buffer.concat([pdf, zip])), 'pdf')
  assert.equal(detect(Buffer.concat([zip, pdf])), 'zip')
  assert.equal(detect(Buffer.concat([corpus.pngSignature, pdf])), 'png')
  assert.equal(detect(Buffer.concat([latin1('junk'), zip])), undefined)
  for (const [start, expected] of [
    ['MZ\x90\0', true],
    ['\x7fELF\x02\x01\x01', true],
    ['#!/bin/sh\n', true],
    ['junk', false],
    ['GIF89a', false],
    ['', false],
  ] as const) {
    assert.equal(mayUnpackItself(Buffer.concat([latin1(start), zip])), expected, start)
  }
})

test('any bytes get an answer', () => {
  const starts = ['\xff\xfb', 'ID3\x04', '\0\0\0\x20ftyp', '<!DOCTYPE svg [', '<?xml', '<!--', '\xff\xfe<', '%!PS']
  fc.assert(
    fc.property(fc.constantFrom('', ...starts), fc.uint8Array({ maxLength: 64 }), (start, rest) => {
      detect(Buffer.concat([latin1(start), rest]))
    }),
    { numRuns: 500 },
  )
  for (const piece of ['<!', '<!--', '-', '<?', '?', '"', '[', "<!DOCTYPE svg ['", ' ']) {
    assert.equal(detect(Buffer.from(piece.repeat(detectBytes).slice(0, detectBytes))), undefined)
  }
})
