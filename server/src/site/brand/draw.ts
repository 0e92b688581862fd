// Draws a picture as PNG at several sides, and ends: a process of its own (icons.ts), which reads what is asked for and writes the
// pictures, both as JSON with bytes in base64.
import { json } from 'node:stream/consumers'
import sharp from 'sharp'
import type { Drawing } from './icons.ts'

const { pictures, sides, margin } = (await json(process.stdin)) as Drawing

/** An SVG is drawn this large before it is made smaller, so that its edges are sharp. */
const drawnSide = 512
const clear = { r: 0, g: 0, b: 0, alpha: 0 }

async function drawn(bytes: Buffer): Promise<string[]> {
  const { format, width = drawnSide, height = drawnSide } = await sharp(bytes).metadata()
  // Dots an inch at which the longer side has the size that is wanted.
  const density = Math.min(Math.max((72 * drawnSide) / Math.max(width, height), 1), 2400)
  const whole = await sharp(bytes, format === 'svg' ? { density } : {})
    .png()
    .toBuffer()
  const fitted = (side: number) =>
    sharp(whole).resize(side, side, { fit: 'contain', background: clear }).png().toBuffer()
  const last = sides.at(-1) as number
  const air = Math.round(last * margin)
  // Telephones put black behind what is clear.
  const onWhite = sharp({ create: { width: last, height: last, channels: 3, background: '#ffffff' } }).composite([
    { input: await fitted(last - 2 * air), left: air, top: air },
  ])
  const all = [...(await Promise.all(sides.slice(0, -1).map(fitted))), await onWhite.png().toBuffer()]
  return all.map((each) => each.toString('base64'))
}

async function firstDrawn([picture = '', ...others]: readonly string[]): Promise<string[]> {
  try {
    return await drawn(Buffer.from(picture, 'base64'))
  } catch (error) {
    if (others.length === 0) throw error
    return firstDrawn(others)
  }
}

process.stdout.write(JSON.stringify(await firstDrawn(pictures)))
