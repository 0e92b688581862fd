// The stylesheet and the icon, each under a URL that carries the hash of its bytes: it may be kept for ever.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

export interface Asset {
  readonly path: string
  readonly contentType: string
  readonly bytes: Buffer
}

function asset(file: string, name: string, extension: string, contentType: string): Asset {
  const bytes = readFileSync(new URL(file, import.meta.url))
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 16)
  return { path: `/assets/${name}-${hash}.${extension}`, contentType, bytes }
}

export const stylesheet: Asset = asset('./style.css', 'kith', 'css', 'text/css; charset=utf-8')
export const icon: Asset = asset('./icon.svg', 'icon', 'svg', 'image/svg+xml; charset=utf-8')
