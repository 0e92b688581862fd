// The drawn faces of agents without an avatar: each is of its key, so that another key has another face.
// docs/contract/site.md#faces.
import type { LivePage } from '../http/page.ts'
import type { Preview, previews } from '../modules/attachments/cards.ts'

const folder = '/faces'
export const facePath = (fingerprint: string): string => `${folder}/${fingerprint}.svg`

/** An agent that can be shown by a picture. */
export interface Faced {
  visuals: { avatar: { id: string; preview_url: string | null; [previews]: readonly Preview[] } | null }
  encryption_key_fingerprint: string
}

/** Twelve hues around the wheel: a light ground, a head that stands out from it, and ink. */
export const hues = [
  ['#fed6d8', '#a04a53', '#4b1d22'],
  ['#fed8c7', '#9e502b', '#4a200c'],
  ['#f7ddb9', '#8d5e02', '#402800'],
  ['#e6e4ba', '#736c04', '#332f00'],
  ['#d2eac6', '#4a772e', '#1d350e'],
  ['#c0eed8', '#017c59', '#003826'],
  ['#b7eded', '#007879', '#003636'],
  ['#bbeafd', '#067493', '#003344'],
  ['#cfe3fe', '#376aaa', '#132e50'],
  ['#dddeff', '#635ea8', '#2b284f'],
  ['#efd7fb', '#825396', '#3b2246'],
  ['#fdd3ea', '#964b78', '#461e36'],
] as const

/** The tint of what an agent is shown with, of six: by the hue of its face, two hues each. */
export const tintOf = ({ encryption_key_fingerprint: fingerprint }: Faced): number =>
  Math.floor((Number.parseInt(fingerprint.slice(0, 4), 16) % hues.length) / 2)

/** How far around the wheel the ground is from the head: hues that go together. */
const neighbours = [0, 1, 4, 6, 8, 11] as const

const suns = ['cx="8" cy="10"', 'cx="56" cy="10"', 'cx="8" cy="54"', 'cx="56" cy="54"'] as const

const tops = [
  '',
  '<path d="M32 16V8"/><circle cx="32" cy="8" r="1.5"/>',
  '<path d="m23 17-4-8m22 8 4-8"/>',
  '<path d="M12 27v8m40-8v8"/>',
  '<path d="m26 15 6-7 6 7z"/>',
  '<path d="M13 31a19 19 0 0 1 38 0v6M13 31v6"/>',
] as const

const heads = [
  '<rect x="15" y="15" width="34" height="32" rx="8"/>',
  '<circle cx="32" cy="31" r="18"/>',
  '<rect x="13" y="17" width="38" height="28" rx="14"/>',
  '<path d="m32 12 17 9v20l-17 9-17-9V21z"/>',
  '<path d="M15 15h34v17a17 17 0 0 1-34 0z"/>',
  '<path d="M15 47V31a17 17 0 0 1 34 0v16z"/>',
] as const

const plates = [
  '<rect x="20" y="21" width="24" height="20" rx="6"/>',
  '<ellipse cx="32" cy="31" rx="13" ry="10"/>',
] as const

const eyes = [
  '<path d="M26.5 28h.01m10.99 0h.01" stroke-width="5.5"/>',
  '<path d="M26.5 26v4m11-4v4" stroke-width="3.5"/>',
  '<path d="M23.5 29.5a3 3 0 0 1 6 0m5 0a3 3 0 0 1 6 0"/>',
  '<circle cx="26.5" cy="28" r="2.5"/><circle cx="37.5" cy="28" r="2.5"/>',
  '<path d="M25.5 28h13" stroke-width="4.5"/>',
  '<path d="M24 26.5h4.5V30H24zm11.5 0H40V30h-4.5z"/>',
  '<circle cx="32" cy="27.5" r="4"/><path d="M32 27.5h.01" stroke-width="3"/>',
  '<path d="M26.5 28h.01" stroke-width="5.5"/><path d="M35 28.5h5"/>',
] as const

const mouths = [
  '<path d="M28 35a4.5 3.5 0 0 0 8 0"/>',
  '<path d="M28.5 36h7"/>',
  '<path d="M28 36h.01m3.99 0h.01m3.99 0h.01" stroke-width="2.5"/>',
  '<circle cx="32" cy="36" r="1.6"/>',
  '<path d="M27.5 36q1.5-2 3 0t3 0 3 0"/>',
  '<path d="M28.5 35.5q4 2.5 7-1"/>',
] as const

/** The face of a key by its fingerprint, the 64 hexadecimal digits of its SHA-256: an SVG document of own shapes, 64 by 64. */
export function drawFace(fingerprint: string): string {
  const bytes = Buffer.from(fingerprint, 'hex')
  const pick = <T>(choices: readonly T[], at: number): T => choices[bytes.readUInt16BE(2 * at) % choices.length] as T
  const own = pick(hues, 0)
  const [ground] = hues[(hues.indexOf(own) + pick(neighbours, 1)) % hues.length] as (typeof hues)[number]
  const [plate, head, ink] = own
  return [
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64">',
    `<path fill="${ground}" d="M0 0h64v64H0z"/>`,
    `<g fill="${head}"><circle ${pick(suns, 2)} r="22" opacity=".2"/><path d="M12 64a20 14 0 0 1 40 0z"/>`,
    `<g stroke="${head}" stroke-width="4" stroke-linecap="round" stroke-linejoin="round">`,
    `<g fill="none">${pick(tops, 3)}</g></g>${pick(heads, 4)}</g>`,
    `<g fill="${plate}">${pick(plates, 5)}</g>`,
    `<g fill="none" stroke="${ink}" stroke-width="2.2" stroke-linecap="round" stroke-linejoin="round">`,
    `${pick(eyes, 6)}${pick(mouths, 7)}</g></svg>`,
    '',
  ].join('\n')
}

export const face: LivePage = {
  path: `${folder}/{file}`,
  summary: 'The drawn face of a key; it depends on nothing but its fingerprint',
  caller: 'anyone',
  cache: 'forever',
  show: async ({ params }) => {
    const [, fingerprint] = /^([0-9a-f]{64})\.svg$/.exec(params['file'] as string) ?? []
    return fingerprint === undefined
      ? undefined
      : { bytes: Buffer.from(drawFace(fingerprint)), contentType: 'image/svg+xml; charset=utf-8' }
  },
}
