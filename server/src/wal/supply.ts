// Gives a recovering PostgreSQL the segments that it asks for by a file, and a few ahead of it: only those few are on the disk at
// once, however long the archive is.
import { existsSync } from 'node:fs'
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { zstdDecompress } from 'node:zlib'
import { BackupError } from '../backup/format.ts'
import { type Account, giveTo } from '../embedded/account.ts'
import { supplyFolder } from '../embedded/settings.ts'
import { isLogFile, isSegment, keyOfLogFile, segmentAfter } from './names.ts'
import type { Place } from './place.ts'

const decompress = promisify(zstdDecompress)
const ahead = 8
const every = 20
const wanted = '.wanted'

interface SupplyOptions {
  place: Place
  /** The segments that the archive has. */
  segments: ReadonlySet<string>
  dataFolder: string
  account: Account
  /** Once it is aborted PostgreSQL gets nothing more, and comes to its end. */
  signal: AbortSignal | undefined
  /** Gets each segment that was given. */
  told: (segment: string) => void
}

export interface Supply {
  /** Why PostgreSQL did not get a segment that it asked for, although the archive has it; it got nothing from then on. */
  failure(): unknown
  stop(): Promise<void>
}

export async function startSupply({
  place,
  segments,
  dataFolder,
  account,
  signal,
  told,
}: SupplyOptions): Promise<Supply> {
  const folder = join(dataFolder, supplyFolder)
  await mkdir(folder, { mode: 0o700 })
  await giveTo(account, folder)
  const ending = new AbortController()
  let failure: unknown
  let last: string | undefined
  /** One ahead that could not be read: it may not be needed. */
  let unread: string | undefined
  const isOver = (): boolean => signal?.aborted === true || failure !== undefined

  async function fetch(name: string): Promise<void> {
    const small = await place.get(keyOfLogFile(name))
    if (!small && !isSegment(name)) return
    if (!small) throw new BackupError(`Segment ${name} is missing from the archive by now`)
    const path = join(folder, name)
    const bytes = await decompress(small).catch(() => {
      throw new BackupError(`Segment ${name} of the archive is damaged`)
    })
    await writeFile(`${path}.part`, bytes, { mode: 0o600 })
    await giveTo(account, `${path}.part`)
    await rename(`${path}.part`, path)
    if (isSegment(name)) {
      last = name
      told(name)
    }
  }

  async function pass(): Promise<void> {
    const names = await readdir(folder)
    for (const name of names.filter((each) => each.endsWith(wanted))) {
      const asked = name.slice(0, -wanted.length)
      // PostgreSQL also asks for what is not there: how the archive ends is how it knows where to stop.
      const isThere = isLogFile(asked) && (!isSegment(asked) || segments.has(asked))
      if (isThere && !isOver()) await fetch(asked)
      await rm(join(folder, name), { force: true })
    }
    if (names.filter(isSegment).length >= ahead || last === undefined || isOver()) return
    const next = segmentAfter(last)
    if (!segments.has(next) || names.includes(next) || next === unread) return
    await fetch(next).catch(() => {
      unread = next
    })
  }

  async function run(): Promise<void> {
    while (!ending.signal.aborted) {
      try {
        await pass()
      } catch (error) {
        // The folder goes with a server that does not start, which says why itself.
        if (!existsSync(folder)) return
        failure ??= error
      }
      await sleep(every, undefined, { signal: ending.signal }).catch(() => {})
    }
  }
  const running = run()
  return {
    failure: () => failure,
    async stop() {
      ending.abort()
      await running
    },
  }
}
