// Working sources are kept as they are: what their outline must hold, and which of them would reach out or mislead.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import * as corpus from '../../test/corpus.ts'
import * as sources from '../../test/corpus-sources.ts'
import { inspect, lookAt } from '../../test/inspection.ts'
import type { FileFormat } from './formats.ts'
import { prepare } from './structure.ts'

async function outcome(format: FileFormat, bytes: Uint8Array): Promise<string> {
  const { finding, image } = await lookAt(prepare, format, bytes)
  assert.equal(image.length, 0, 'a working source has no preview')
  return finding.outcome === 'ready' ? 'ready' : finding.reason
}

const whole: readonly [FileFormat, string, Buffer][] = [
  ['psd', 'psd', sources.psd()],
  ['psd', 'packed psd', sources.psd({ compression: 1 })],
  ['eps', 'dos eps', sources.dosEps()],
  ['dwg', 'dwg 2000', sources.dwg('AC1015')],
  ['dwg', 'dwg 2018', sources.dwg()],
  ['svg', 'svg', sources.svg()],
  ['zip', 'zip', sources.zip()],
  ['zip', 'empty zip', sources.zip([])],
  ['zip', 'wide zip', sources.zip([{ name: 'a' }, { name: 'b', data: 'words' }], { wide: true })],
]

test('a complete file is ready; a truncated one yields nothing', async () => {
  for (const [format, name, bytes] of whole) {
    assert.equal(await outcome(format, bytes), 'ready', name)
    for (const part of [0, 0.1, 0.35, 0.6, 0.85, 0.97]) {
      // A drawing has room behind the last of its parts that the header speaks of.
      if (format === 'dwg' && part > 0.2) continue
      assert.equal(await outcome(format, corpus.cut(bytes, part)), 'broken', `${name} cut at ${part}`)
    }
  }
})

test('any bytes have an outcome', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...whole),
      fc.double({ min: 0, max: 0.999, noNaN: true }),
      fc.integer({ min: 1, max: 255 }),
      async ([format, , bytes], place, change) => {
        const changed = Buffer.from(bytes)
        const at = Math.floor(place * changed.length)
        changed[at] = (changed[at] as number) ^ change
        await outcome(format, changed)
      },
    ),
    { numRuns: 150 },
  )
})

test('a layout matches its header', async () => {
  assert.equal(await outcome('psd', sources.psd({ depth: 16, mode: 9 })), 'ready')
  assert.equal(await outcome('psd', sources.psd({ depth: 1, mode: 0, channels: 1 })), 'ready')
  assert.equal(await outcome('psd', sources.psd({ width: 30_000, height: 1, channels: 1 })), 'ready')
  for (const recipe of [
    { width: 30_001, height: 1 },
    { width: 0 },
    { height: 0 },
    { channels: 0 },
    { channels: 57 },
    { depth: 7 },
    { mode: 5 },
    { mode: 2 },
    { layers: 0xffff_ffff },
    { layers: 1 },
  ]) {
    assert.equal(await outcome('psd', sources.psd(recipe)), 'broken', JSON.stringify(recipe))
  }
})

test('the parts of a PostScript file lie within it', async () => {
  assert.equal(await outcome('eps', sources.eps()), 'ready')
  assert.equal(await outcome('eps', Buffer.from(sources.eps().toString().replaceAll('\n', '\r'))), 'ready')
  const unboxed = Buffer.from(sources.eps().toString().replace('BoundingBox', 'Box'))
  assert.equal(await outcome('eps', unboxed), 'broken')
  assert.equal(await outcome('eps', corpus.cut(sources.eps(), 0.7)), 'broken')
  assert.equal(await outcome('eps', sources.dosEps(unboxed)), 'broken')
  for (const [field, value] of [
    [4, 0],
    [4, 1_000_000],
    [8, 0],
    [8, 0xffff_ffff],
    [20, 10],
    [24, 1_000_000],
  ] as const) {
    const bytes = sources.dosEps()
    bytes.writeUInt32LE(value, field)
    assert.equal(await outcome('eps', bytes), 'broken', `${value} at ${field}`)
  }
})

test('a drawing refers only to places within itself', async () => {
  for (const version of ['AC1009', 'AC1021'] as const) assert.equal(await outcome('dwg', sources.dwg(version)), 'ready')
  const old = sources.dwg('AC1015')
  old.writeUInt32LE(0x10_0000, 0x19 + 1)
  assert.equal(await outcome('dwg', old), 'broken')
  const unmasked = sources.dwg()
  unmasked.fill(0, 0x80, 0x80 + 0x6c)
  assert.equal(await outcome('dwg', unmasked), 'broken')
})

const encodings = [
  'windows-1250',
  'Windows-1251',
  'cp1252',
  'windows-1258',
  'iso-8859-1',
  'ISO-8859-5',
  'koi8-r',
  'KOI8-U',
]
const written = (encoding: string, content: string): Buffer =>
  Buffer.from(`<?xml version="1.0" encoding="${encoding}"?><svg>${content}</svg>`, 'latin1')

test('an SVG drawing is self-contained', async () => {
  const picture = 'data:image/png;base64,iVBORw0KGgo='
  const sound: readonly Buffer[] = [
    sources.svg(),
    sources.svg(`<image href="${picture}"/><use xlink:href="#a"/><g fill="url(#b)" style="filter:url('#c')"/>`),
    sources.svg(`<style>@font-face { src: url(data:font/woff2;base64,AAAA) } .a { fill: url( "#b" ) }</style>`),
    sources.svg('<style><![CDATA[ a > b { fill: red } ]]></style>'),
    sources.svg(
      '<metadata><r:RDF xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#" r:about="http://a.test/"/></metadata>',
    ),
    sources.svg('<text>a &amp; b &#169; (c) http://a.test/</text><!-- http://a.test/ -->'),
    sources.svg('<g id="url" label="image(1)"/>'),
    sources.svg(`<image href="${picture}${'A'.repeat(3_000_000)}"/>`),
    Buffer.from(
      '\ufeff<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd"><svg/>',
    ),
    // Illustrator's name spaces, and fonts that it gives no type.
    Buffer.from(
      '<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd" [\n' +
        '\t<!ENTITY ns_ai "http://ns.adobe.com/AdobeIllustrator/10.0/">\n]>\n' +
        '<svg xmlns:i="&ns_ai;"><foreignObject requiredExtensions="&ns_ai;"/></svg>',
    ),
    sources.svg('<style>@font-face { src: url("data:;base64,\\\nT1RUTw==") }</style>'),
    // Links that wait until somebody follows them, as diagrams have.
    sources.svg('<a xlink:href="https://a.test/?b=1&amp;c"/><a href="mailto:a@a.test"/><a href="b.html#c:d"/>'),
    sources.svg('<g style="overscroll-behavior: none"/>'),
    Buffer.from('<!DOCTYPE svg [<!ATTLIST svg xmlns:x CDATA #FIXED "http://www.w3.org/1999/xlink">]><svg/>'),
    Buffer.from('\ufeff<svg xmlns="http://www.w3.org/2000/svg"><g/></svg>', 'utf16le'),
    Buffer.from('<?xml version="1.0" encoding="ISO-8859-1"?><svg><text>\xe9</text></svg>', 'latin1'),
  ]
  for (const bytes of [...sound, ...encodings.map((encoding) => written(encoding, '<text>\xef\xf0</text>'))])
    assert.equal(await outcome('svg', bytes), 'ready', bytes.toString('utf8', 0, 300))

  const reaching: readonly Buffer[] = [
    sources.billionLaughs(),
    Buffer.from('<!DOCTYPE svg [<!ENTITY % a SYSTEM "http://a.test/"> %a;]><svg/>'),
    Buffer.from('<!DOCTYPE svg SYSTEM "http://a.test/evil.dtd"><svg/>'),
    Buffer.from('<!DOCTYPE svg SYSTEM "file:///etc/passwd"><svg/>'),
    Buffer.from('<!DOCTYPE svg [<!ATTLIST svg onload CDATA "alert(1)">]><svg/>'),
    Buffer.from('<?xml-stylesheet href="a.css"?><svg/>'),
    sources.svg('<script>alert(1)</script>'),
    sources.svg('<s:script xmlns:s="http://www.w3.org/2000/svg" />'),
    sources.svg('<g/>', 'onload="alert(1)"'),
    sources.svg("<g OnClick = 'alert(1)' />"),
    sources.svg('<image href="http://a.test/a.png"/>'),
    sources.svg('<image href="//a.test/a.png"/>'),
    sources.svg('<image xlink:href="file:///etc/passwd"/>'),
    sources.svg('<use href="other.svg#a"/>'),
    sources.svg('<a href="javascript:alert(1)"/>'),
    sources.svg('<a href="&#x6a;ava&#10;script:alert(1)"/>'),
    sources.svg(`<a href="java${' '.repeat(300)}script:alert(1)"/>`),
    sources.svg('<a href="file:///etc/passwd"/>'),
    sources.svg('<a href="data:text/html,words"/>'),
    sources.svg(`<use href="${' '.repeat(300)}http://a.test/"/>`),
    sources.svg('<style>a { behavior: none }</style>'),
    Buffer.from('<!DOCTYPE svg [<!ENTITY ns_a SYSTEM "http://a.test/">]><svg/>'),
    Buffer.from('<!DOCTYPE svg [<!ENTITY ns_a "http://a.test/&ns_b;">]><svg/>'),
    Buffer.from(`<!DOCTYPE svg [<!ENTITY ns_a "http://${'a'.repeat(200)}">]><svg/>`),
    sources.svg('<image href="data:image/svg+xml,&lt;svg/>"/>'),
    sources.svg('<image href="data:text/html,words"/>'),
    sources.svg('<g xml:base="http://a.test/"><use href="#a"/></g>'),
    sources.svg('<rect fill="url(http://a.test/#a)"/>'),
    sources.svg('<rect style="fill:u\\72l(http://a.test/)"/>'),
    sources.svg('<rect style="fill: url( &quot;//a.test/&quot; )"/>'),
    sources.svg('<style>@import "a.css";</style>'),
    sources.svg('<style>@&#x69;mport "a.css";</style>'),
    sources.svg('<style>"/*" } a { fill: url(http://a.test/) } "*/"</style>'),
    sources.svg('<style><![CDATA[a { fill: url(a.png) }]]></style>'),
    sources.svg('<foreignObject><iframe xmlns="http://www.w3.org/1999/xhtml"/></foreignObject>'),
    sources.svg('<animate attributeName="href" to="http://a.test/"/>'),
  ]
  for (const bytes of [...reaching, ...encodings.map((encoding) => written(encoding, '\xef<script>\xf0</script>'))])
    assert.equal(await outcome('svg', bytes), 'external_reference', bytes.toString('utf8', 0, 300))
})

test('an SVG drawing is well-formed', async () => {
  const malformed: readonly Buffer[] = [
    Buffer.from('<svg>'),
    Buffer.from('<svg></g></svg>'),
    Buffer.from('<svg/><svg/>'),
    Buffer.from('<html/>'),
    Buffer.from('<svg/>words'),
    Buffer.concat([sources.svg(), sources.zip()]),
    Buffer.concat([sources.svg(), Buffer.from('<?php ?>words')]),
    sources.svg('<g a=b/>'),
    sources.svg('<g a="b"c="d"/>'),
    sources.svg('<g a="<"/>'),
    sources.svg('<g a="&nothing;"/>'),
    sources.svg('<style>&nothing;</style>'),
    sources.svg('\0'),
    sources.svg('<!-- '),
    Buffer.concat([Buffer.from('<svg>'), Buffer.from([0xc3, 0x28]), Buffer.from('</svg>')]),
    ...['UTF-7', 'Shift_JIS', 'ISO-2022-JP', 'EBCDIC-CP-US', 'windows-1259', 'iso-8859-12'].map((encoding) =>
      Buffer.from(`<?xml version="1.0" encoding="${encoding}"?><svg/>`),
    ),
  ]
  for (const bytes of malformed) assert.equal(await outcome('svg', bytes), 'broken', bytes.toString('utf8', 0, 200))
  assert.equal(await outcome('svg', sources.svg('<g>'.repeat(2000) + '</g>'.repeat(2000))), 'limits')
  assert.equal(await outcome('svg', sources.svg(`<g a="${'a'.repeat(70_000_000)}"/>`)), 'limits')
})

test('an archive is a single archive whose entries exist', async () => {
  const entries = [{ name: 'a.txt', data: 'words' }, { name: 'b/' }, { name: '../c', data: Buffer.alloc(1_000_000) }]
  assert.equal(await outcome('zip', sources.zip(entries, { comment: 'by hand' })), 'ready')
  // It is never unpacked: what could only hurt whoever unpacks it, and what nobody here can read, is kept as it is.
  assert.equal(await outcome('zip', sources.zip([{ name: 'a', data: 'words', encrypted: true }])), 'ready')
  // The end says it twice, as in what was written to a pipe: in the wide fields and in the narrow ones.
  const twice = sources.zip(entries, { wide: true })
  const [narrow, wide] = [twice.length - 22, twice.length - 22 - 76]
  for (const [to, from, length] of [
    [8, 24, 2],
    [10, 32, 2],
    [12, 40, 4],
    [16, 48, 4],
  ] as const) {
    twice.copy(twice, narrow + to, wide + from, wide + from + length)
  }
  assert.equal(await outcome('zip', twice), 'ready')
  const contradicting = Buffer.from(twice)
  contradicting[narrow + 16]! ^= 1
  assert.equal(await outcome('zip', contradicting), 'broken')
  for (const [story, bytes] of [
    ['more entries than there are', sources.zip(entries, { count: 4 })],
    ['fewer entries than there are', sources.zip(entries, { count: 2 })],
    ['no end of entries', sources.zip(entries, { count: 0xffff })],
    ['no end of entries in wide fields', sources.zip(entries, { wide: true, count: 400_000 })],
    [
      'shared bytes',
      sources.zip([
        { name: 'a', data: 'words' },
        { name: 'a', sharedWith: 0 },
      ]),
    ],
    [
      'another name in front of its bytes',
      sources.zip([
        { name: 'a', data: 'words' },
        { name: 'b', sharedWith: 0 },
      ]),
    ],
  ] as const) {
    assert.equal(await outcome('zip', bytes), 'broken', story)
  }
  assert.equal(await outcome('zip', sources.zip(entries, { wide: true, count: 600_000 })), 'limits')
})

test('the confined process gives the same outcome', async () => {
  for (const [format, name, bytes] of whole.slice(-6, -1)) {
    assert.deepEqual((await inspect(format, bytes)).outcome, 'ready', name)
  }
  const utf16 = Buffer.from('\ufeff<svg><style>a { fill: red }</style></svg>', 'utf16le')
  assert.equal((await inspect('svg', utf16)).outcome, 'ready')
  for (const encoding of encodings) {
    assert.equal((await inspect('svg', written(encoding, '<text>\xef\xf0</text>'))).outcome, 'ready', encoding)
  }
  const reaching = await inspect('svg', sources.svg('<script/>'))
  assert.deepEqual([reaching.outcome, 'reason' in reaching && reaching.reason], ['rejected', 'external_reference'])
})
