// The process that looks into an uploaded file, or into one image after another of one sender. It loads what the format
// needs, gives up what it can, says that it is ready, is deprived by its parent of the rest, and only then reads the
// first byte. See inspect.ts, inspectors.ts and confine.ts.
import { on } from 'node:events'
import { fstatSync, writeSync } from 'node:fs'
import { flushCompileCache } from 'node:module'
import { type DerivedName, derivedNames } from '../storage/keys.ts'
import { getReady, leave } from './confine.ts'
import { type FileFormat, formats, type Purpose, purposes } from './formats.ts'
import { conclude, diskFailed, type Look, type Prepare, type Work } from './look.ts'

const REPORT = 1
const ORIGINAL = 3
const derived = Object.fromEntries(derivedNames.map((name, index) => [name, ORIGINAL + 1 + index])) as Record<
  DerivedName,
  number
>

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

/** What is looked for; on the command line, or line by line where several images are looked into. */
type Order = Pick<Work, 'format' | 'purpose' | 'derivedBytes'>

async function report(look: Look, order: Order): Promise<void> {
  const work = { ...order, original: ORIGINAL, originalBytes: fstatSync(ORIGINAL).size, derived }
  const finding = await conclude(look, work).catch(() => leave(diskFailed))
  writeSync(REPORT, `${JSON.stringify(finding)}\n`)
}

async function lookOnce(format: FileFormat, purpose: Purpose, derivedBytes: number): Promise<never> {
  if (!(format in formats) || !purposes.includes(purpose)) throw new Error('unknown format or purpose')
  const look = await (await load[format]()).prepare(format, purpose)
  flushCompileCache()
  await getReady(1 + derivedNames.length)
  await report(look, { format, purpose, derivedBytes })
  return leave(0)
}

/** Until its parent ends it. Of one file nothing is kept on purpose for the next: the decoder caches nothing. */
async function lookOnAndOn(): Promise<void> {
  const look = await (await load.jpeg()).prepare('jpeg', 'order')
  flushCompileCache()
  let words = await getReady(1 + derivedNames.length)
  const lines = on(process.stdin, 'data') as AsyncIterableIterator<[Buffer]>
  for (;;) {
    while (!words.includes('\n')) words += (await lines.next()).value[0].toString()
    await report(look, JSON.parse(words))
    words = ''
  }
}

const [what, purpose, derivedBytes] = process.argv.slice(2)
if (what === 'images') await lookOnAndOn()
else await lookOnce(what as FileFormat, purpose as Purpose, Number(derivedBytes))
