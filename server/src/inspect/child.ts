// The process that looks into one uploaded file. It loads what the format needs, gives up what it can, says that it is
// ready, is deprived by its parent of the rest, and only then reads the first byte. See inspect.ts and confine.ts.
import { fstatSync, writeSync } from 'node:fs'
import { flushCompileCache } from 'node:module'
import { type DerivedName, derivedNames } from '../storage/keys.ts'
import { getReady, leave } from './confine.ts'
import { type FileFormat, formats, type Purpose, purposes } from './formats.ts'
import { conclude, diskFailed, type Prepare } from './look.ts'

const REPORT = 1
const ORIGINAL = 3
const derived = Object.fromEntries(derivedNames.map((name, index) => [name, ORIGINAL + 1 + index]))

const load: Record<FileFormat, () => Promise<{ prepare: Prepare }>> = {
  jpeg: () => import('./image.ts'),
  png: () => import('./image.ts'),
  pdf: () => import('./pdf.ts'),
  mp4: () => import('./media.ts'),
  mp3: () => import('./media.ts'),
  wav: () => import('./media.ts'),
  psd: () => import('./structure.ts'),
  svg: () => import('./structure.ts'),
  eps: () => import('./structure.ts'),
  dwg: () => import('./structure.ts'),
  zip: () => import('./structure.ts'),
}

const [format, purpose, derivedBytes] = process.argv.slice(2) as [FileFormat, Purpose, string]
if (!(format in formats) || !purposes.includes(purpose)) throw new Error('unknown format or purpose')

const say = (value: object): void => {
  writeSync(REPORT, `${JSON.stringify(value)}\n`)
}

const look = await (await load[format]()).prepare(format, purpose)
flushCompileCache()
await getReady(1 + derivedNames.length)

const finding = await conclude(look, {
  format,
  purpose,
  original: ORIGINAL,
  originalBytes: fstatSync(ORIGINAL).size,
  derived: derived as Record<DerivedName, number>,
  derivedBytes: Number(derivedBytes),
}).catch(() => leave(diskFailed))
say(finding)
leave(0)
