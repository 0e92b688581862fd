// The stylesheet, the icon and what else pages are shown with, each under a URL that carries the hash of its bytes: it may be kept
// for ever.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

const types = {
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml; charset=utf-8',
  png: 'image/png',
  js: 'text/javascript; charset=utf-8',
} as const

type Extension = Exclude<keyof typeof types, 'js'>

export interface Asset {
  readonly path: string
  readonly contentType: string
  readonly bytes: Buffer
}

const hashed = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex').slice(0, 16)

/** A file that comes with the service. */
export const shipped = (file: URL, name: string, extension: keyof typeof types): Asset =>
  shippedAs(readFileSync(file), name, extension)

export const shippedAs = (bytes: Buffer, name: string, extension: keyof typeof types): Asset => ({
  path: `/assets/${name}-${hashed(bytes)}.${extension}`,
  contentType: types[extension],
  bytes,
})

/** Each layer overrules those before it, whatever their selectors; the last one, `own`, is the operator’s. */
const layers: Readonly<Record<string, readonly string[]>> = {
  tokens: ['tokens'],
  base: ['base'],
  layouts: ['layouts'],
  parts: ['frame', 'parts', 'controls'],
  pages: ['pages', 'services', 'reference'],
  media: ['media'],
  own: [],
}

export const layered = (layer: string, files: readonly URL[]): string =>
  `@layer ${layer} {\n${files.map((file) => readFileSync(file, 'utf8')).join('')}}\n`

const sheetOf = ([layer, names]: [string, readonly string[]]): string =>
  layered(
    layer,
    names.map((name) => new URL(`./style/${name}.css`, import.meta.url)),
  )

/** The browser needs one request, however many files there are. */
export const stylesheet: Asset = shippedAs(
  Buffer.from(`@layer ${Object.keys(layers).join(', ')};\n${Object.entries(layers).map(sheetOf).join('')}`),
  'kith',
  'css',
)
export const icon: Asset = shipped(new URL('./icon.svg', import.meta.url), 'icon', 'svg')

/** What an operator gave it to be shown with, below a path by which the site knows its kind. */
export const assetOf = (name: string, extension: Extension, bytes: Buffer): Asset => ({
  path: `${ownAssets[extension]}/${name}-${hashed(bytes)}.${extension}`,
  contentType: types[extension],
  bytes,
})

/** Where the assets of a server are that are not shipped. */
export const ownAssets: Readonly<Record<Extension, string>> = {
  css: '/assets/sheets',
  svg: '/assets/drawings',
  png: '/assets/pictures',
}

export const typeOfAsset = (extension: Extension): string => types[extension]
