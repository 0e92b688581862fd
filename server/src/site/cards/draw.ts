// Draws share pictures, one after another, until its parent disconnects: a process of its own (drawer.ts), because what draws takes
// memory that the service has no other use for. It reads nothing but its letters: what it draws comes with each order.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import sharp, { type OverlayOptions } from 'sharp'
import type { Drawing } from './drawer.ts'
import { lettersOf, shownOf } from './letters.ts'

const width = 1200
const height = 630
/** The most that the picture of a work may take of the width. */
const pictureWidth = 460
const faceSide = 300
const edge = 72
/** The server's icon above the title, and the face at the line below it. */
const iconSide = 56
const smallFace = 64
const gap = 24
/** Between both: what no letter of a title leaves. */
const room = { top: edge + iconSide + gap, bottom: height - edge - smallFace - gap } as const
/** Characters of a name: its handle fits beside it. */
const mostOfName = 32

const colours = { paper: '#fbfaf7', ink: '#1c1f1d', soft: '#565c58' } as const
const clear = { r: 0, g: 0, b: 0, alpha: 0 }
const mostBytes = 300_000

sharp.cache(false)
sharp.concurrency(1)

const require = createRequire(import.meta.url)
const fontAt = (style: string): string => require.resolve(`@expo-google-fonts/inter/${style}`)
const fonts = [fontAt('400Regular/Inter_400Regular.ttf'), fontAt('600SemiBold/Inter_600SemiBold.ttf')] as const
const has = lettersOf(readFileSync(fonts[1]))

interface Line {
  text: string
  size: number
  colour?: string
  isStrong?: boolean
  width: number
}

interface Drawn {
  input: Buffer
  raw: { width: number; height: number; channels: 4 }
}

const markup = (text: string): string =>
  text.replace(/[&<>]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[sign] as string)

/** A text as pixels, in as many lines as it takes. */
async function written({ text, size, colour = colours.ink, isStrong = false, width }: Line): Promise<Drawn> {
  const { data, info } = await sharp({
    text: {
      text: `<span foreground="${colour}"${isStrong ? ' weight="600"' : ''}>${markup(text)}</span>`,
      font: `Inter ${size}`,
      fontfile: isStrong ? fonts[1] : fonts[0],
      width,
      dpi: 72,
      rgba: true,
      wrap: 'word-char',
      spacing: Math.round(size * 0.1),
    },
  })
    .raw()
    .toBuffer({ resolveWithObject: true })
  return { input: data, raw: { width: info.width, height: info.height, channels: 4 } }
}

interface Fit extends Omit<Line, 'size'> {
  /** The largest first. */
  sizes: readonly number[]
  /** By what is drawn: marks and tails of letters make lines higher. */
  height: number
}

/** The height of lines of text that hardly has any marks. */
const linesOf = (count: number, size: number): number => count * size * 1.4

/** A text in the largest of these sizes in which it fits; cut if it fits in none. */
async function fitted({ sizes, height, ...line }: Fit): Promise<Drawn> {
  let { text } = line
  for (let at = 0; ; at++) {
    const size = sizes[Math.min(at, sizes.length - 1)] as number
    const drawn = await written({ ...line, text, size })
    const { raw } = drawn
    if (raw.height <= height && raw.width <= line.width) return drawn
    const points = [...text]
    if (points.length < 2) return written({ ...line, text: '…', size })
    if (at >= sizes.length - 1)
      text = `${points
        .slice(0, Math.ceil(points.length * 0.8) - 1)
        .join('')
        .trimEnd()}…`
  }
}

const rounded = (side: number, radius: number): Buffer =>
  Buffer.from(`<svg width="${side}" height="${side}"><rect width="${side}" height="${side}" rx="${radius}"/></svg>`)

/** A picture as a square with round corners, without what of it is longer; a logo is there whole. */
const square = (bytes: Buffer, side: number, radius: number, isWhole = false): Promise<Buffer> =>
  sharp(bytes, { density: 72 * Math.ceil(side / 64), failOn: 'none' })
    .resize(side, side, { fit: isWhole ? 'contain' : 'cover', background: clear })
    .composite([{ input: rounded(side, radius), blend: 'dest-in' }])
    .png({ compressionLevel: 1 })
    .toBuffer()

const bar = (accent: string): Buffer =>
  Buffer.from(`<svg width="${width}" height="12"><rect width="${width}" height="12" fill="${accent}"/></svg>`)

/** The first of these that can be drawn: an operator's logo may be broken. */
async function firstSquare([bytes, ...others]: readonly Uint8Array[], side: number): Promise<Buffer | undefined> {
  if (bytes === undefined) return undefined
  return square(Buffer.from(bytes), side, side / 4, true).catch(() => firstSquare(others, side))
}

function footOf({ name, handle, note }: NonNullable<Drawing['by']>, isAgent: boolean): string {
  const known = isAgent ? undefined : shownOf(name, has)
  const said = known && `${[...known].slice(0, mostOfName).join('')} `
  return `${said ?? ''}@${handle} · ${shownOf(note, has) ?? 'AI'}`
}

async function layers({ site, title, says, by, face, picture, isAgent }: Drawing): Promise<OverlayOptions[]> {
  const known = shownOf(title, has)
  // What cannot be written is told by the face and the handle of its agent.
  const isFace = face !== undefined && picture === undefined && (isAgent || known === undefined)
  const side = picture ? pictureWidth : isFace ? faceSide + edge : 0
  const column = width - side - 2 * edge
  const heading = known ?? (by ? `@${by.handle}` : site.host)
  const below = says === undefined ? undefined : shownOf(says, has)
  const small = face && !isFace ? smallFace : 0
  const foot = { text: by ? footOf(by, isAgent) : site.host, width: column - small - (small && 20) }
  const beside = iconSide + 20
  const place = { text: shownOf(site.name, has) ?? site.host, width: column - beside }
  const [icon, name, text, line] = await Promise.all([
    firstSquare(site.icons, iconSide),
    fitted({ ...place, sizes: [30], height: linesOf(1, 30), isStrong: true }),
    below && fitted({ text: below, sizes: [30], height: linesOf(2, 30), colour: colours.soft, width: column }),
    fitted({ ...foot, sizes: [28], height: linesOf(1, 28), colour: colours.soft }),
  ])
  const under = text ? gap + text.raw.height : 0
  const most = room.bottom - room.top - under
  const head = await fitted({ text: heading, sizes: [72, 60, 50, 42], height: most, isStrong: true, width: column })
  const top = Math.round((room.top + room.bottom - head.raw.height - under) / 2)
  const lineMiddle = height - edge - smallFace / 2
  const nameTop = Math.round(edge + (iconSide - name.raw.height) / 2)
  return [
    ...(icon ? [{ input: icon, left: edge, top: edge }] : []),
    { ...name, left: icon ? edge + beside : edge, top: nameTop },
    { ...head, left: edge, top },
    ...(text ? [{ ...text, left: edge, top: top + head.raw.height + gap }] : []),
    { ...line, left: edge + small + (small && 20), top: Math.round(lineMiddle - line.raw.height / 2) },
    ...(small && face
      ? [{ input: await square(Buffer.from(face), small, small / 2), left: edge, top: lineMiddle - small / 2 }]
      : []),
    ...(isFace && face
      ? [
          {
            input: await square(Buffer.from(face), faceSide, 48),
            left: width - edge - faceSide,
            top: (height - faceSide) / 2,
          },
        ]
      : []),
    ...(picture ? [{ input: await pictured(Buffer.from(picture)), left: width - pictureWidth, top: 0 }] : []),
    { input: bar(site.accent), left: 0, top: height - 12 },
  ]
}

const pictured = (bytes: Buffer): Promise<Buffer> =>
  sharp(bytes, { failOn: 'none' })
    .resize(pictureWidth, height, { fit: 'cover' })
    .png({ compressionLevel: 1 })
    .toBuffer()

/** With fewer colours where it would be too large: noise of 16 colours is small enough. */
async function drawn(drawing: Drawing): Promise<Buffer> {
  const whole = await sharp({ create: { width, height, channels: 3, background: colours.paper } })
    .composite(await layers(drawing))
    .removeAlpha()
    .raw()
    .toBuffer()
  for (const count of [256, 64, 16]) {
    const png = await sharp(whole, { raw: { width, height, channels: 3 } })
      .png({ palette: true, colours: count, effort: 4, compressionLevel: 9, dither: count === 256 ? 1 : 0.5 })
      .toBuffer()
    if (png.length <= mostBytes) return png
  }
  throw new Error('a picture that is too large in every way')
}

process.on('disconnect', () => process.exit())
process.on('message', (drawing: Drawing) => {
  drawn(drawing).then(
    (png) => process.send?.({ png }),
    // What it says may contain what it was to write.
    (error) => process.send?.({ error: (error as Error).name }),
  )
})
