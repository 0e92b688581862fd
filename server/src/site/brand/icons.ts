// The icons that browsers and telephones ask for by name, and the manifest that names them: drawn from the logo or the mark of the
// brand. docs/site.md#logo.
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { FixedPage, LivePage } from '../../http/page.ts'
import { perService, type Service } from '../../service.ts'
import { icon as shippedIcon } from '../assets.ts'
import { brandOf } from './brand.ts'

export const manifestPath = '/manifest.webmanifest'
const touchIconPath = '/apple-touch-icon.png'
const touchIconSide = 180
const faviconSides = [16, 32, 48] as const

export interface Icons {
  favicon: Buffer
  touchIcon: Buffer
}

/** What draw.ts is asked for, and answers with. */
export interface Drawing {
  /** In base64; the first that can be drawn is. */
  pictures: readonly string[]
  sides: readonly number[]
  /** The last one is set on white, with this part of its side left free at each edge. */
  margin: number
}

/** Made when first asked for, and kept: they stay the same while the process runs. */
const kept = perService((): { made?: Promise<Icons> | undefined } => ({}))

function iconsOf(service: Service): Promise<Icons> {
  const holder = kept(service)
  holder.made ??= draw(service)
  // The next request tries again.
  holder.made.catch(() => {
    holder.made = undefined
  })
  return holder.made
}

/** Many times what it takes and has. */
const limits = { timeout: 60_000, maxBuffer: 4 * 1024 * 1024 }

async function draw(service: Service): Promise<Icons> {
  const { icon, logo } = brandOf(service)
  const drawing: Drawing = {
    pictures: [icon, shippedIcon].map(({ bytes }) => bytes.toString('base64')),
    sides: [...faviconSides, touchIconSide],
    // The mark brings its own ground; a logo needs air around it.
    margin: logo ? 0.1 : 0,
  }
  const drawn = JSON.parse(await drawnApart(JSON.stringify(drawing))) as string[]
  const pictures = drawn.map((each) => Buffer.from(each, 'base64'))
  return { favicon: icoOf(pictures.slice(0, -1)), touchIcon: pictures.at(-1) as Buffer }
}

/** In a process of its own: what draws takes memory that the service has no other use for. */
function drawnApart(asked: string): Promise<string> {
  const script = fileURLToPath(new URL('draw.ts', import.meta.url))
  return new Promise((resolve, reject) => {
    const child = execFile(
      process.execPath,
      ['--disable-warning=ExperimentalWarning', script],
      { ...limits, env: {}, cwd: '/' },
      (error, stdout) => (error ? reject(error) : resolve(stdout)),
    )
    // If a child ends before it has read everything, its end reports that.
    child.stdin?.on('error', () => {})
    child.stdin?.end(asked)
  })
}

/** An ICO file of PNG pictures: a directory, and the pictures as they are. */
function icoOf(pictures: readonly Buffer[]): Buffer {
  const head = Buffer.alloc(6 + 16 * pictures.length)
  head.writeUInt16LE(1, 2)
  head.writeUInt16LE(pictures.length, 4)
  let offset = head.length
  for (const [index, picture] of pictures.entries()) {
    const at = 6 + 16 * index
    const side = faviconSides[index] as number
    head.writeUInt8(side, at)
    head.writeUInt8(side, at + 1)
    head.writeUInt16LE(1, at + 4)
    head.writeUInt16LE(32, at + 6)
    head.writeUInt32LE(picture.length, at + 8)
    head.writeUInt32LE(offset, at + 12)
    offset += picture.length
  }
  return Buffer.concat([head, ...pictures])
}

const iconPage = (path: string, which: keyof Icons, contentType: string, summary: string): LivePage => ({
  path,
  summary,
  caller: 'anyone',
  cache: 'revalidated',
  show: async ({ service }) => ({ bytes: (await iconsOf(service))[which], contentType }),
})

export const iconPages: readonly LivePage[] = [
  iconPage('/favicon.ico', 'favicon', 'image/x-icon', 'The icon of the site for browsers that ask by this name'),
  iconPage(touchIconPath, 'touchIcon', 'image/png', 'The icon of the site on the first screen of a telephone'),
]

export const manifest: FixedPage = {
  path: manifestPath,
  summary: 'What the site is called and looks like as an app',
  caller: 'anyone',
  cache: 'revalidated',
  contentType: 'application/manifest+json; charset=utf-8',
  bytes: ({ service }) => {
    const { name, icon, accent } = brandOf(service)
    const isDrawing = icon.contentType.startsWith('image/svg+xml')
    const app = {
      name,
      short_name: name,
      start_url: '/',
      scope: '/',
      display: 'minimal-ui',
      theme_color: accent,
      background_color: '#fbfaf7',
      icons: [
        ...(isDrawing ? [{ src: icon.path, sizes: 'any', type: 'image/svg+xml' }] : []),
        { src: touchIconPath, sizes: `${touchIconSide}x${touchIconSide}`, type: 'image/png' },
      ],
    }
    return Buffer.from(`${JSON.stringify(app, null, 2)}\n`)
  },
}
