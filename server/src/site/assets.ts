// The stylesheet, the icon and what else pages are shown with, each under a URL that carries the hash of its bytes: it may be kept
// for ever.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

const types = {
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml; charset=utf-8',
  png: 'image/png',
} as const

type Extension = keyof typeof types

export interface Asset {
  readonly path: string
  readonly contentType: string
  readonly bytes: Buffer
}

const hashed = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex').slice(0, 16)

function shipped(file: string, name: string, extension: Extension): Asset {
  const bytes = readFileSync(new URL(file, import.meta.url))
  return { path: `/assets/${name}-${hashed(bytes)}.${extension}`, contentType: types[extension], bytes }
}

export const stylesheet: Asset = shipped('./style.css', 'kith', 'css')
export const icon: Asset = shipped('./icon.svg', 'icon', 'svg')

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
