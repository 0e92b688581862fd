// Drawings in SVG that a reader would never come to the end of, and sound ones that look like them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as sources from '../../test/corpus-sources.ts'
import { lookAt } from '../../test/inspection.ts'
import { prepare } from './structure.ts'

async function outcome(content: string): Promise<string> {
  const { finding } = await lookAt(prepare, 'svg', sources.svg(content))
  return finding.outcome === 'ready' ? 'ready' : finding.reason
}

const times = (count: number, what: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => what(index)).join('')

/** Ten levels, each of which names the one below it ten times. */
const levels = (name: (level: number) => string): string => times(10, (level) => name(level + 1))
const hostile: Record<string, string> = {
  'groups of groups': `<g id="l0"><path d="M0 0"/></g>${levels(
    (level) => `<g id="l${level}">${times(10, () => `<use href="#l${level - 1}"/>`)}</g>`,
  )}`,
  symbols: `<symbol id="l0"><path d="M0 0"/></symbol>${levels(
    (level) => `<symbol id="l${level}">${times(10, () => `<use xlink:href=" &#35;l${level - 1} "/>`)}</symbol>`,
  )}<use href="#l10"/>`,
  'escaped names': `<g id="a0"><path d="M0 0"/></g>${levels(
    (level) => `<g id="a${level}">${times(10, () => `<use href="#%61${level - 1}"/>`)}</g>`,
  )}`,
  'patterns in patterns': `<pattern id="l0"><rect/></pattern>${levels(
    (level) => `<pattern id="l${level}">${times(10, () => `<rect fill="url(#l${level - 1})"/>`)}</pattern>`,
  )}<rect fill="url(#l10)"/>`,
  'patterns by style': `<pattern id="l0"><rect/></pattern>${levels(
    (level) =>
      `<pattern id="l${level}">${times(10, () => `<rect style="opacity:1;fill:u\\72l('#l${level - 1}')"/>`)}</pattern>`,
  )}`,
  'patterns by a style sheet': `<style>${levels((level) => `/**/ .c${level}, .d { fill: url( "#l${level - 1}" ) }`)}</style>
    <pattern id="l0"><rect/></pattern>${levels(
      (level) => `<pattern id="l${level}">${times(10, () => `<rect class="b c${level}"/>`)}</pattern>`,
    )}`,
  'a pattern that all children inherit': `<pattern id="p">${'<rect/>'.repeat(2000)}</pattern><g fill="url(#p)">${'<rect/>'.repeat(2000)}</g>`,
  'markers of long paths': `<marker id="m">${'<rect/>'.repeat(500)}</marker><path d="${'M1 2 3 4'.repeat(5000)}" marker-mid="url(#m)"/>`,
  masks: `<mask id="l0"><rect/></mask>${levels(
    (level) => `<mask id="l${level}">${times(10, () => `<rect mask="url(#l${level - 1})"/>`)}</mask>`,
  )}`,
  clips: `<clipPath id="l0"><rect/></clipPath>${levels(
    (level) => `<clipPath id="l${level}">${times(10, () => `<rect clip-path="url(#l${level - 1})"/>`)}</clipPath>`,
  )}`,
  'filters of pictures of filters': `<g id="g0"><rect/></g>${levels(
    (level) =>
      `<filter id="f${level}">${times(10, () => `<feImage href="#g${level - 1}"/>`)}</filter><g id="g${level}" filter="url(#f${level})"/>`,
  )}`,
  'two of a name': `<g id="l0"><path d="M0 0"/></g>${levels(
    (level) => `<g id="l${level}"/><g id="l${level}">${times(10, () => `<use href="#l${level - 1}"/>`)}</g>`,
  )}`,
  'a group in itself': '<g id="a"><use href="#a"/></g>',
  'groups in each other': '<g id="a"><use href="#b"/></g><g id="b"><use href="#a"/></g>',
  'a pattern of itself': '<pattern id="a"><rect fill="url(#a)"/></pattern><rect fill="url(#a)"/>',
  'gradients in a circle': '<linearGradient id="a" href="#b"/><radialGradient id="b" href="#a"/>',
  'a mask of itself': '<mask id="a"><g><rect mask="url(#a)"/></g></mask>',
  'a long chain': times(5000, (index) => `<g id="c${index}"><use href="#c${index + 1}"/></g>`),
}

test('a drawing that expands endlessly or beyond the limit is rejected', async () => {
  for (const [name, content] of Object.entries(hostile)) assert.equal(await outcome(content), 'limits', name)
})

const sound: Record<string, string> = {
  'a sprite of icons': `<defs>${times(300, (index) => `<symbol id="i${index}" viewBox="0 0 24 24"><path d="M0 0h24v24z" fill="none"/><path d="M12 2l3 7h7z"/></symbol>`)}</defs>
    ${times(3000, (index) => `<use xlink:href="#i${index % 300}" x="${index}"/>`)}`,
  'gradients of Inkscape': `<defs><linearGradient id="linearGradient1"><stop style="stop-color:#f00"/><stop offset="1"/></linearGradient>
    ${times(500, (index) => `<linearGradient id="g${index}" xlink:href="#linearGradient1" gradientUnits="userSpaceOnUse"/>`)}</defs>
    <g style="fill:url(#g1)">${times(5000, (index) => `<path id="path${index}" style="fill:url(#g${index % 500});stroke:none" d="m 1,2 3,4"/>`)}</g>`,
  'filters of Inkscape': `<filter id="filter1" inkscape:label="Drop shadow" xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape"><feFlood result="flood"/><feComposite in="flood" in2="SourceGraphic"/><feGaussianBlur/><feOffset/><feComposite/></filter>
    ${times(2000, () => '<path style="filter:url(#filter1)" d="m 1,2"/>')}`,
  'clips of Illustrator': `<style type="text/css">.st0{clip-path:url(#SVGID_2_);}.st1{fill:url(#SVGID_3_);}</style>
    <g><defs><rect id="SVGID_1_" width="9" height="9"/></defs><clipPath id="SVGID_2_"><use xlink:href="#SVGID_1_" style="overflow:visible;"/></clipPath>
    <linearGradient id="SVGID_3_"><stop/></linearGradient><g class="st0">${'<path class="st1" d="M0,0z"/>'.repeat(3000)}</g></g>`,
  'hatched areas of a map': `<pattern id="hatch"><path d="M0 0L8 8"/><path d="M8 0L0 8"/></pattern>${'<polygon points="0,0 1,1 2,2" fill="url(#hatch)"/>'.repeat(20_000)}`,
  'arrows of a diagram': `<marker id="arrow"><path d="M0 0L10 5L0 10z"/></marker>${'<path d="M0 0C1 1 2 2 3 3" marker-end="url(#arrow)"/>'.repeat(3000)}`,
  'links and animations that name what holds them': `<g id="a"><a href="#a"><rect id="r"><animate href="#r" attributeName="x"/></rect></a></g>
    <path id="p" d="M0 0L9 9"/><text><textPath href="#p">words</textPath></text>`,
  'rules of a place that only look like a circle':
    '<style>.map rect { fill: url(#p) }</style><pattern id="p"><rect/></pattern><g class="map"><rect/></g>',
  'names of nothing': '<use href="#nothing"/><rect fill="url(#nothing)" mask="none"/><use href="#"/><use href=""/>',
  'twins of a name in each other': '<g id="a"><g id="b"/></g><g id="b"><g id="a"/></g><use href="#a"/>',
}

test('valid drawings with many references stay accepted', async () => {
  for (const [name, content] of Object.entries(sound)) assert.equal(await outcome(content), 'ready', name)
})

test('large numbers of references are counted quickly', async () => {
  const many = times(
    100_000,
    (index) => `<g id="g${index}" class="c${index % 7}"><path d="M0 0"/><use href="#g0x"/></g>`,
  )
  assert.equal(await outcome(`<style>${'a'.repeat(3_000_000)}</style><g id="g0x"/>${many}`), 'ready')
  assert.equal(await outcome(`<style>${'/*'.repeat(1_000_000)}</style>`), 'ready')
})

test('every attribute that can hold an address is checked', async () => {
  const picture = 'data:image/png;base64,iVBORw0KGgo='
  const foreign = '<foreignObject><img xmlns="http://www.w3.org/1999/xhtml" WHAT/></foreignObject>'
  const kept = [
    `srcset="${picture}"`,
    `srcset="${picture} 1x, ${picture} 2x"`,
    'srcset="#a 1x,#b, #c 100w"',
    'srcset=""',
    'attributionsrc=""',
    'ping=""',
    'label="a.png 1x, http://a.test/"',
    'xmlns:e="http://a.test/" e:action="edit"',
  ]
  const refused = [
    'srcset="http://a.test/a.png"',
    `srcset="${picture}, http://a.test/a.png 2x"`,
    `srcset="${picture} 1x,http://a.test/a.png 2x"`,
    `srcset="#a,  ${picture} 2x , a.png"`,
    `srcset="#a (x,y) 1x, //a.test/b"`,
    `srcset="#a, , b.png 3x"`,
    `srcset="#a,&#10;b.png"`,
    'imagesrcset="#a 1x, http://a.test/a.png 2x"',
    'ping="http://a.test/"',
    'ping="#a http://a.test/"',
    'PING="//a.test/"',
    'attributionsrc="https://a.test/source"',
    'attributionsrc="#a&#9;https://a.test/source"',
    'formaction="http://a.test/"',
    'formaction="&#x6a;avascript:alert(1)"',
    'action="http://a.test/"',
    'poster="a.png"',
  ]
  for (const attribute of kept) assert.equal(await outcome(foreign.replace('WHAT', attribute)), 'ready', attribute)
  for (const attribute of refused) {
    assert.equal(await outcome(foreign.replace('WHAT', attribute)), 'external_reference', attribute)
  }
  for (const name of ['srcset', 'ping', 'attributionsrc', 'formaction', 'action', 'xlink:href', 'onclick']) {
    assert.equal(await outcome(`<set attributeName="${name}" to="http://a.test/"/>`), 'external_reference', name)
  }
  assert.equal(await outcome('<a href="https://a.test/" ping="https://b.test/"/>'), 'external_reference')
})
