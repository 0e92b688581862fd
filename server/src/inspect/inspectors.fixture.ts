// A script for the tests of inspectors that are kept: it does what a file says which took it over.
import { openSync, writeSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { derivedNames } from '../storage/keys.ts'
import { getReady, leave } from './confine.ts'
import type { InspectionTask } from './inspectors.ts'
import { type Finding, noFacts, readWhole, ready, rejected, writeWhole } from './look.ts'

const original = 3
const derived = derivedNames.map((_, index) => original + 1 + index)
const preview = derived[derivedNames.indexOf('preview')] as number

/** What a file of the tests says. */
export interface Script {
  deed?: keyof typeof deeds
  /** A JPEG in base64, which is what is derived from it. */
  picture: string
}

let files = 0
let first = ''
const kept: Buffer[] = []

/** The number of files that it was handed so far is the width that it finds. */
const counted = (): Finding => ready({ width: files, height: 1 })
const line = (finding: Finding): string => `${JSON.stringify(finding)}\n`
const say = (finding: Finding): void => void writeSync(1, line(finding))
const derive = (picture: string): void => writeWhole(preview, Buffer.from(picture, 'base64'))

const deeds = {
  /** Gives the picture of its first file for every other. */
  remember: () => {
    derive(first)
    say(counted())
  },
  /** In one write: of two, the first might be read alone. */
  twice: () => void writeSync(1, line(counted()).repeat(2)),
  lie: () => say({ outcome: 'ready', facts: { ...noFacts, width: -1 } }),
  /** Writes for ever into whatever it can, also when nobody asks. */
  late: ({ picture }: Script) => {
    derive(picture)
    say(counted())
    setInterval(() => {
      for (const descriptor of derived) writeSync(descriptor, picture)
    }, 0)
  },
  spin: ({ picture }: Script) => {
    derive(picture)
    say(counted())
    for (;;);
  },
  burn: ({ picture }: Script) => {
    for (const began = process.cpuUsage().user; process.cpuUsage().user - began < 300_000; );
    derive(picture)
    say(counted())
  },
  grow: ({ picture }: Script) => {
    kept.push(Buffer.alloc(80 * 1024 * 1024, 1))
    derive(picture)
    say(counted())
  },
  sleep: () => setInterval(() => {}, 1000),
  die: () => leave(3),
  /** Only a process that had no other file says the truth of the next one. */
  slander: ({ picture }: Script) => {
    if (files > 1) return say(rejected('codec'))
    derive(picture)
    say(counted())
  },
  /** Finds how many of the things can be done that it must not do. */
  reach: ({ picture }: Script) => {
    const attempts = [
      () => openSync('/etc/hosts', 'r'),
      () => openSync('/proc/self/fd/3', 'r+'),
      () => writeSync(original, 'words'),
      () => process.kill(process.ppid, 0),
    ]
    const done = attempts.filter((attempt) => {
      try {
        attempt()
        return true
      } catch {
        return false
      }
    })
    derive(picture)
    say(ready({ width: files, height: done.length }))
  },
}

let usual: keyof typeof deeds | undefined

function look(): void {
  files++
  const script = JSON.parse(readWhole(original).toString()) as Script
  first ||= script.picture
  // Once taken over it stays so, whatever comes next.
  usual ??= script.deed
  if (usual) return void deeds[usual](script)
  derive(script.picture)
  say(counted())
}

/** As the service: it has a process of this script inspect a file, keeps it, and says so. */
async function guard(given: string): Promise<void> {
  const [{ createInspector }, { pino }] = await Promise.all([import('./inspect.ts'), import('pino')])
  const inspector = createInspector({ log: pino({ level: 'silent' }), script: fileURLToPath(import.meta.url) })
  const task = JSON.parse(given) as InspectionTask
  await inspector.inspect({ ...task, slot: 1, ownerId: 'ada' }, new AbortController().signal)
  process.stdout.write('kept\n')
  setInterval(() => {}, 1000)
}

const [what, given = ''] = process.argv.slice(2)
if (what === 'guard') await guard(given)
else {
  await getReady(1 + derivedNames.length)
  look()
  if (what === 'images') process.stdin.on('data', look)
  else leave(0)
}
