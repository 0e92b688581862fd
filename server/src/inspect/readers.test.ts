// Files as programs leave them, which the letter of their formats does not allow, and what is really broken beside
// them: the service draws the line where common readers do, and their verdicts are beside its own.
// docs/files.md#what-is-accepted.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import fc from 'fast-check'
import { jpeg, pdf } from '../../test/corpus.ts'
import { codedJpeg } from '../../test/corpus-jpeg.ts'
import { mp3, silentMp3, wav } from '../../test/corpus-media.ts'
import { eps, moved, psd, zip } from '../../test/corpus-sources.ts'
import { lookAt } from '../../test/inspection.ts'
import { type Reader, verdictOf } from '../../test/readers.ts'
import { detect, detectBytes, mayUnpackItself } from './detect.ts'
import type { FileFormat } from './formats.ts'
import { prepare as prepareImage } from './image.ts'
import { areScansWhole } from './jpeg-scan.ts'
import type { Look, Prepare } from './look.ts'
import { prepare as prepareMedia } from './media.ts'
import { prepare as preparePdf } from './pdf.ts'
import { prepare as prepareSource } from './structure.ts'

const prepared = new Map<FileFormat, Promise<Look>>()

/** One look a format, as a process that is used again has. */
const once =
  (prepare: Prepare): Prepare =>
  (format, purpose) => {
    const look = prepared.get(format) ?? prepare(format, purpose)
    prepared.set(format, look)
    return look
  }

const prepareOf = (format: FileFormat): Prepare =>
  once(
    format === 'pdf'
      ? preparePdf
      : format === 'jpeg'
        ? prepareImage
        : format === 'mp3' || format === 'wav'
          ? prepareMedia
          : prepareSource,
  )

/** Which of them read it: `!` in front of those that do not. */
type Readers = readonly (Reader | `!${Reader}`)[]
type Case = readonly [name: string, bytes: Buffer, outcome: string, readers: Readers]

async function reads(context: TestContext, reader: Reader, bytes: Buffer): Promise<boolean | undefined> {
  const verdict = await verdictOf(context, reader, bytes)
  if (verdict === undefined) return undefined
  const { status, stdout } = verdict
  if (reader === 'pdftoppm' || reader === 'ffprobe') return status === 0 && stdout.length > 0
  // 1 is a warning of theirs, and all was read.
  return status === 0 || (reader === 'unzip' && status === 1)
}

async function compare(context: TestContext, format: FileFormat, cases: readonly Case[]): Promise<void> {
  for (const [name, bytes, outcome, readers] of cases) {
    const head = bytes.subarray(0, detectBytes)
    assert.equal(detect(head) ?? (mayUnpackItself(head) ? 'zip' : undefined), format, name)
    const { finding } = await lookAt(prepareOf(format), format, bytes)
    assert.equal(finding.outcome === 'ready' ? 'ready' : finding.reason, outcome, name)
    for (const entry of readers) {
      const reader = entry.replace('!', '') as Reader
      const verdict = await reads(context, reader, bytes)
      if (verdict !== undefined) assert.equal(verdict, !entry.startsWith('!'), `${name}: ${reader}`)
    }
  }
}

const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1')
const joined = (...parts: (Buffer | string)[]): Buffer =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? latin1(part) : part)))
/** With other bytes from a place on. */
const patched = (bytes: Buffer, at: number, ...values: number[]): Buffer => {
  const copy = Buffer.from(bytes)
  copy.set(values, at)
  return copy
}
const inserted = (bytes: Buffer, at: number, more: Buffer | string): Buffer =>
  joined(bytes.subarray(0, at), more, bytes.subarray(at))
const u32le = (value: number): number[] => [0, 8, 16, 24].map((shift) => (value >>> shift) & 0xff)

test('a PostScript file ends where its program ends', async (context) => {
  const head = '%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 10 10\n%%EndComments\n'
  const image = '10 10 scale 10 10 8 [10 0 0 -10 0 10] { currentfile buf readhexstring pop } bind false 3 colorimage'
  const pillow = `${head}gsave\n10 dict begin\n/buf 30 string def\n${image}\n${'ff0000'.repeat(100)}\n%%EndBinary\ngrestore end\n`
  const photoshop = `${head}gsave 10 10 scale 10 10 8 [10 0 0 -10 0 10] {<ff>} image grestore\n[/EMC pdfmark\n[/NamespacePop pdfmark\n`
  const figure = `${head}/rs {restore} bind def\n/$F2psBegin {/$F2psEnteredState save def} def\n/$F2psEnd {$F2psEnteredState} def\n$F2psBegin\n`
  await compare(context, 'eps', [
    ['as Pillow writes it', latin1(pillow), 'ready', ['gs']],
    ['as Photoshop writes it', latin1(photoshop), 'ready', ['gs']],
    ['of an old Mac', latin1(photoshop.replaceAll('\n', '\r')), 'ready', ['gs']],
    ['through a spooler', latin1(`${photoshop}\x04\0\0`), 'ready', []],
    ['marks of the Distiller behind the end', joined(eps(), '[/EMC pdfmark\n'), 'ready', []],
    // Readers draw of a cut picture what there is.
    ['cut within its picture', latin1(pillow.slice(0, 400)), 'broken', ['gs']],
    ['cut within its last line', latin1(photoshop.slice(0, -6)), 'broken', ['!gs']],
    ['a name that ends like an operator', latin1(`${head}/weekend`), 'broken', []],
    ['as fig2dev writes it', latin1(`${figure}$F2psEnd\nrs\n`), 'ready', ['gs']],
    ['the same, cut off', latin1(`${figure}gs 1 -1 sc rs\n`), 'broken', []],
    ['as FreeHand writes it', latin1(`${head}1 dict begin\nend  % FreeHandDict\n%%EndDocument: _\n`), 'ready', ['gs']],
    ['cut off behind its prolog', latin1(`${head}/a 1 def\n%%EndProlog\n`), 'broken', ['gs']],
  ])
})

test('the reserved bytes of a layout are ignored', async (context) => {
  await compare(context, 'psd', [
    ['blanks', patched(psd(), 6, ...latin1('      ')), 'ready', ['ffmpeg']],
    ['blanks, and a cut picture', patched(psd(), 6, ...latin1('      ')).subarray(0, -1), 'broken', []],
  ])
})

test('a sound is complete if its own chunk is', async (context) => {
  const plain = wav(3)
  const named = (form: string, ...sizes: [riff: number, data: number, samples: number]): Buffer => {
    const body = Buffer.alloc(28)
    sizes.forEach((size, index) => {
      body.writeBigUInt64LE(BigInt(size), index * 8)
    })
    const chunk = joined('ds64', Buffer.from(u32le(28)), body)
    const wide = patched(patched(plain, 40, ...u32le(0xffff_ffff)), 4, ...u32le(0xffff_ffff))
    return joined(form, inserted(wide.subarray(4), 8, chunk))
  }
  await compare(context, 'wav', [
    ['a whole that is too long', patched(plain, 4, ...u32le(1_000_000)), 'ready', ['ffprobe']],
    ['a whole that is too short', patched(plain, 4, ...u32le(100)), 'ready', ['ffprobe']],
    [
      'a header that was never finished',
      patched(patched(plain, 4, ...u32le(36)), 40, 0, 0, 0, 0),
      'ready',
      ['ffprobe'],
    ],
    ['something behind the sound', joined(plain, 'LIST\xff\xff\0\0cut off'), 'ready', ['ffprobe']],
    [
      'the sound in front of its format',
      joined(plain.subarray(0, 12), plain.subarray(36), plain.subarray(12, 36)),
      'ready',
      ['ffprobe'],
    ],
    ['RF64', named('RF64', 24_072, 24_000, 24_000), 'ready', ['ffprobe']],
    ['BW64', named('BW64', 24_072, 24_000, 24_000), 'ready', ['ffprobe']],
    ['RF64 of a sound beyond the file', named('RF64', 24_072, 24_001, 24_000), 'broken', []],
    ['RF64 of a sound of petabytes', named('RF64', 24_072, 2 ** 52, 24_000), 'broken', []],
    [
      'RF64 without its sizes',
      joined('RF64', named('RF64', 0, 0, 0).subarray(4, 12), named('RF64', 0, 0, 0).subarray(48)),
      'broken',
      [],
    ],
    ['no sound', patched(patched(wav(0), 4, ...u32le(36)), 40, 0, 0, 0, 0), 'broken', []],
    // Players play what there is of it.
    ['a sound that was cut off', plain.subarray(0, 10_000), 'broken', ['ffprobe']],
    ['no format', joined(plain.subarray(0, 12), plain.subarray(36)), 'broken', ['!ffprobe']],
  ])
})

test('a song starts and ends where players start and end it', async (context) => {
  const plain = mp3(3)
  const tag = (says: number, has: number): Buffer =>
    joined(
      'ID3\x03\0\0',
      Buffer.from([21, 14, 7, 0].map((shift) => (says >> shift) & 0x7f)),
      Buffer.alloc(has, 'cover '),
    )
  const announced = Buffer.from(plain.subarray(0, 192))
  announced.write('Info', 36, 'latin1')
  announced.writeUInt32BE(1, 40)
  announced.writeUInt32BE(1000, 44)
  await compare(context, 'mp3', [
    ['a last frame that is cut off', plain.subarray(0, -50), 'ready', ['ffprobe']],
    ['zeros in front', joined(Buffer.alloc(5000), plain), 'ready', ['ffprobe']],
    ['a tag that says less than it has', joined(tag(100, 3000), plain), 'ready', ['ffprobe']],
    ['a cover that says less than it has', joined(tag(20_000, 60_000), plain), 'ready', ['ffprobe']],
    ['a tag, zeros and frames', joined(tag(100, 100), Buffer.alloc(2000), plain), 'ready', ['ffprobe']],
    ['a tag longer than the file', joined(tag(100_000, 3000), plain), 'broken', ['!ffprobe']],
    ['less than it announces', joined(announced, plain), 'broken', []],
    ['two kinds', joined(plain, silentMp3(3)), 'broken', ['ffprobe']],
    ['two kinds with a tag between them', joined(plain, tag(100, 100), silentMp3(3)), 'broken', ['ffprobe']],
    ['cut off in the tag before another song', joined(plain, tag(100_000, 3000)), 'broken', ['ffprobe']],
    ['a piece of a frame', joined(tag(17_000, 17_000), plain.subarray(0, 100)), 'broken', []],
    [
      'a frame without another one',
      joined(tag(17_000, 17_000), silentMp3(0.02), Buffer.alloc(200, 'text ')),
      'broken',
      [],
    ],
  ])
})

test('concatenated songs with tags are as long as all of them together', async () => {
  const cover = joined('ID3\x03\0\0\0\x0b\x06\0', Buffer.alloc(0x2c300, 'cover '))
  const song = joined(cover, mp3(3))
  const alone = await lookAt(prepareOf('mp3'), 'mp3', song)
  const three = await lookAt(prepareOf('mp3'), 'mp3', joined(song, song, song))
  assert.ok(alone.finding.outcome === 'ready' && three.finding.outcome === 'ready')
  const [one, all] = [alone, three].map(
    ({ finding }) => ('facts' in finding && finding.facts.durationMilliseconds) || 0,
  )
  assert.ok(Math.abs((all as number) - 3 * (one as number)) <= 3, `${all} is not three times ${one}`)
})

test('an archive may have data before and after it, and no reader finds a different archive', async (context) => {
  const plain = zip([
    { name: 'a.txt', data: 'words' },
    { name: 'b.txt', data: 'more' },
  ])
  const other = zip([{ name: 'c.txt', data: 'other' }])
  const empty = zip([])
  const script = latin1('#!/usr/bin/env python3\n')
  const program = joined('MZ', Buffer.alloc(3000, '\x81\x38PK\x03\x04\x0f\x85\x70\x01\0\0'))
  const behind = (length: number): Buffer => joined(plain, Buffer.alloc(length, 'more '))
  const nameless = (length: number, says = length, filling: Buffer | number = 0): Buffer =>
    joined(
      'PK\x03\x04\0\0\0\0\0\0\x21\x08\x21\x02',
      Buffer.alloc(14),
      Buffer.from([says, 0]),
      Buffer.alloc(length, filling),
    )
  const comment = (text: string): Buffer => zip([{ name: 'a' }], { comment: text })
  await compare(context, 'zip', [
    ['padding of no name', zip([{ name: 'a' }, { name: '', data: Buffer.alloc(10) }]), 'ready', ['unzip', '7z']],
    ["padding of Android's packer in front", joined(nameless(100), moved(plain, 130)), 'ready', ['unzip', '7z']],
    ['padding twice', joined(nameless(0), nameless(9), moved(plain, 69)), 'ready', ['unzip', '7z']],
    ['padding that says more than it has', joined(nameless(100, 101), moved(plain, 130)), 'broken', []],
    ['a header of no name that has data', joined(patched(nameless(5), 18, 5), moved(plain, 35)), 'broken', []],
    ['padding that holds an entry', joined(nameless(40, 40, plain.subarray(0, 40)), moved(plain, 70)), 'broken', []],
    ['a script that unpacks itself', joined(script, moved(plain, script.length)), 'ready', ['unzip', '7z']],
    ['a script in front of which places do not know', joined(script, plain), 'ready', ['unzip']],
    ['a program with the signature in its code', joined(program, plain), 'ready', ['unzip']],
    ['a program that was counted', joined(program, moved(plain, program.length)), 'ready', ['unzip', '7z']],
    ['the only part of several', joined('PK\x07\x08', moved(plain, 4)), 'ready', ['unzip', '7z']],
    ['the same, of older programs', joined('PK00', moved(plain, 4)), 'ready', ['unzip', '7z']],
    ['bytes behind the end', behind(65_535), 'ready', ['unzip', '7z']],
    ['zeros behind the end', joined(plain, Buffer.alloc(512)), 'ready', ['unzip', '7z']],
    // Python and Java look no further for the end.
    ['more bytes behind the end', behind(65_536), 'broken', ['unzip', '7z']],
    // One takes the first for the archive, the other the last.
    ['two archives', joined(plain, other), 'broken', ['unzip', '7z']],
    ['two archives that were counted', joined(plain, moved(other, plain.length)), 'broken', ['unzip', '7z']],
    ['an empty archive in front', joined(empty, plain), 'broken', []],
    ['an empty archive behind', joined(plain, empty), 'broken', []],
    ['an entry in front that the directory does not know', joined(script, plain.subarray(0, 40), plain), 'broken', []],
    ['an end within the comment', comment(`PK\x05\x06${'\0'.repeat(18)}`), 'broken', []],
    ['the signature within the comment', comment('PK\x05\x06 and more'), 'broken', []],
    ['a comment that was cut off', comment('by hand').subarray(0, -3), 'broken', ['!7z']],
    [
      'wide places that do not know what is in front',
      joined(script, zip([{ name: 'a' }], { wide: true })),
      'broken',
      [],
    ],
    [
      'wide places that know it',
      joined(script, moved(zip([{ name: 'a' }], { wide: true }), script.length)),
      'ready',
      ['unzip', '7z'],
    ],
    ['no directory', plain.subarray(0, plain.indexOf('PK\x01\x02', 0, 'latin1')), 'broken', ['!unzip', '!7z']],
    ['a directory that was cut off', plain.subarray(0, -30), 'broken', ['!unzip', '!7z']],
    ['a program without an archive', program, 'broken', ['!unzip', '!7z']],
  ])
})

test('a document may have lines added by mail and web servers before and after it', async (context) => {
  const plain = pdf({ pages: 5 })
  const server = 'HTTP/1.1 200 OK\r\nContent-Type: application/pdf\r\n\r\n'
  const lines = (length: number): Buffer => Buffer.alloc(length, 'a line\n')
  const update = `3 0 obj\n<< /Length 5000 >>\nstream\n${'0 0 1 rg '.repeat(300)}`
  const noTable = latin1(plain.toString('latin1').replace(/startxref\n\d+/, 'startxref\n12345'))
  await compare(context, 'pdf', [
    ['a line in front', joined(server, plain), 'ready', ['pdftoppm']],
    ['the last place for its header', joined(lines(1018), plain), 'ready', ['pdftoppm']],
    ['a page of HTML in front', joined('<html><body>\n', plain), 'ready', ['pdftoppm']],
    ['lines behind', joined(plain, lines(500)), 'ready', ['pdftoppm']],
    ['many lines behind', joined(plain, lines(100_000)), 'ready', ['pdftoppm']],
    ['lines in front and behind', joined(server, plain, lines(5000)), 'ready', ['pdftoppm']],
    ['padding', joined(plain, Buffer.alloc(100_000)), 'ready', ['pdftoppm']],
    ['a table that is elsewhere', noTable, 'ready', ['pdftoppm']],
    ['a table that is elsewhere, and lines behind', joined(noTable, lines(5000)), 'broken', []],
    // Readers show the version before it.
    ['a later version that was cut off', joined(plain, update), 'broken', ['pdftoppm']],
    ['an archive behind', joined(plain, zip([{ name: 'a' }])), 'broken', ['pdftoppm']],
    ['no end', plain.subarray(0, plain.lastIndexOf('%%EOF')), 'broken', ['pdftoppm']],
    ['half of it', plain.subarray(0, plain.length / 2), 'broken', ['!pdftoppm']],
    ['a header and words', latin1('<html><body>%PDF-1.7</body></html>'), 'broken', ['!pdftoppm']],
  ])
  assert.equal(detect(joined(lines(1019), plain)), undefined, 'a header further behind')
})

test('a photograph is complete if decoders warn only about other data', async (context) => {
  const plain = await jpeg({ noise: true, width: 200, height: 150 })
  const progressive = await jpeg({ noise: true, width: 200, height: 150, progressive: true })
  const at = (bytes: Buffer, marker: number): number => bytes.indexOf(Buffer.from([0xff, marker]))
  const stray = latin1('\x01\x02\xff\0\x03')
  const framed = (marker: number, bits = 8): Buffer =>
    patched(patched(plain, at(plain, 0xc0) + 1, marker), at(plain, 0xc0) + 4, bits)
  const adobe = (transform: number): Buffer => joined('\xff\xee\0\x0eAdobe\0\x64\0\0\0\0', Buffer.from([transform]))
  const end = latin1('\xff\xd9')
  await compare(context, 'jpeg', [
    [
      'bytes in front of its tables',
      inserted(plain, plain.lastIndexOf(latin1('\xff\xdb')), stray),
      'ready',
      ['ffmpeg'],
    ],
    ['bytes in front of its scan', inserted(plain, at(plain, 0xda), stray), 'ready', ['ffmpeg']],
    [
      'bytes between its scans',
      inserted(progressive, progressive.lastIndexOf(Buffer.from([0xff, 0xda])), stray),
      'ready',
      ['ffmpeg'],
    ],
    ['bytes behind its scan', inserted(plain, plain.length - 2, stray), 'ready', ['ffmpeg']],
    ['fill bytes', inserted(plain, at(plain, 0xda), '\xff\xff\xff'), 'ready', ['ffmpeg']],
    ['a transform that nobody knows', inserted(plain, 2, adobe(9)), 'ready', ['ffmpeg']],
    [
      'a revision of JFIF that does not exist',
      inserted(plain, 2, '\xff\xe0\0\x10JFIF\0\x96\0\0\0\x01\0\x01\0\0'),
      'ready',
      ['ffmpeg'],
    ],
    ['of the extended process', framed(0xc1), 'ready', ['ffmpeg']],
    ['a scan that was cut off', plain.subarray(0, plain.length / 2), 'broken', []],
    ['a scan that was cut off and ended', joined(plain.subarray(0, plain.length / 2), end), 'broken', []],
    [
      'the same behind stray bytes',
      joined(inserted(plain, at(plain, 0xda), stray).subarray(0, plain.length / 2), end),
      'broken',
      [],
    ],
    ['a table beyond the file', plain.subarray(0, at(plain, 0xdb) + 30), 'broken', ['!ffmpeg']],
    ['12 bits', framed(0xc1, 12), 'codec', []],
    ['12 bits in a baseline frame', framed(0xc0, 12), 'codec', []],
    ['without loss', framed(0xc3), 'codec', []],
    ['arithmetic codes', framed(0xc9), 'codec', []],
    ['arithmetic codes, progressive', framed(0xca), 'codec', []],
    ['of a hierarchy', framed(0xc5), 'codec', []],
  ])
})

test("a photograph's scan is walked to its end, because decoders continue past damage", async (context) => {
  const colour = [
    [2, 2],
    [1, 1],
    [1, 1],
  ] as const
  const plain = codedJpeg()
  const restarting = codedJpeg({ interval: 5 })
  const apart = codedJpeg({ components: colour, isApart: true })
  const beforeEnd = (bytes: Buffer, more: string): Buffer => inserted(bytes, bytes.length - 2, more)
  // The first code becomes one that leads beyond its block.
  const values = plain.indexOf(Buffer.from([0xff, 0xc4, 0, 23, 0x10])) + 21
  const lastScan = apart.lastIndexOf(Buffer.from([0xff, 0xda]))
  await compare(context, 'jpeg', [
    ['grey', plain, 'ready', ['ffmpeg']],
    ['in colours', codedJpeg({ components: colour }), 'ready', ['ffmpeg']],
    ['a scan for each component', apart, 'ready', ['ffmpeg']],
    [
      'components of uneven sides',
      codedJpeg({
        width: 45,
        height: 37,
        isApart: true,
        components: [
          [2, 2],
          [1, 2],
          [2, 1],
        ],
      }),
      'ready',
      ['ffmpeg'],
    ],
    ['with restarts', codedJpeg({ components: colour, interval: 2 }), 'ready', ['ffmpeg']],
    ['filled with zeros', codedJpeg({ interval: 4, padding: 0 }), 'ready', ['ffmpeg']],
    ['a restart behind the last unit', beforeEnd(restarting, '\xff\xd5'), 'ready', ['ffmpeg']],
    ['components of one ID', codedJpeg({ components: colour, sameId: true }), 'ready', ['ffmpeg']],
    ['without tables, as webcams write it', codedJpeg({ hasNoTables: true }), 'ready', ['ffmpeg']],
    ['coded a row taller', codedJpeg({ more: 6 }), 'ready', ['ffmpeg']],
    ['bytes behind its codes', beforeEnd(plain, '\0\0\0\0'), 'ready', ['ffmpeg']],
    ['a unit too few', codedJpeg({ more: -1 }), 'broken', ['ffmpeg']],
    ['a unit too many', codedJpeg({ more: 1 }), 'broken', ['ffmpeg']],
    ['a unit too many behind a restart', codedJpeg({ interval: 30, more: 1 }), 'broken', ['ffmpeg']],
    ['a row too few behind a restart', codedJpeg({ interval: 6, more: -6 }), 'broken', ['ffmpeg']],
    ['an impossible code near its end', patched(plain, plain.length - 6, 0xee, 0xee), 'broken', ['ffmpeg']],
    ['values beyond a block', patched(plain, values, 0xf1, 0xf2), 'broken', []],
    ['restarts in another order', codedJpeg({ interval: 5, restartsFrom: 1 }), 'broken', ['ffmpeg']],
    ['a restart lost', joined(...restarting.toString('latin1').split('\xff\xd1')), 'broken', ['ffmpeg']],
    ['a component without a scan', joined(apart.subarray(0, lastScan), '\xff\xd9'), 'broken', ['ffmpeg']],
  ])
  const bases = [plain, restarting, apart, codedJpeg({ hasNoTables: true, components: colour, interval: 3 })]
  fc.assert(
    fc.property(
      fc.constantFrom(...bases),
      fc.nat(),
      fc.uint8Array({ maxLength: 3 }),
      fc.nat({ max: 20 }),
      (bytes, place, more, lost) => {
        const at = 2 + (place % (bytes.length - 2))
        areScansWhole(joined(bytes.subarray(0, at), Buffer.from(more), bytes.subarray(at + lost)))
      },
    ),
    { numRuns: 500 },
  )
})
