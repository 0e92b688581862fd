// Gives a recovering PostgreSQL the segments that it asks for by a file, and a few ahead of it: only those few are on the disk at
// once, however long the archive is.
import { existsSync } from 'node:fs'
import { chown, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { zstdDecompress } from 'node:zlib'
import { type Account, ownAccount } from '../embedded/account.ts'
import { supplyFolder } from '../embedded/settings.ts'
import { isLogFile, isSegment, keyOfLogFile, segmentAfter } from './names.ts'
import type { Place } from './place.ts'

const decompress = promisify(zstdDecompress)
const ahead = 8
const every = 20
const wanted = '.wanted'

export interface SupplyOptions {
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
  /** Why it ended, if it did not end by `stop`. */
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
  await give(folder)
  const ending = new AbortController()
  let failure: unknown
  let last: string | undefined

  async function give(path: string): Promise<void> {
    if (account.uid !== ownAccount().uid) await chown(path, account.uid, account.gid)
  }

  async function fetch(name: string): Promise<boolean> {
    const small = await place.get(keyOfLogFile(name))
    if (!small) return false
    const path = join(folder, name)
    await writeFile(`${path}.part`, await decompress(small), { mode: 0o600 })
    await give(`${path}.part`)
    await rename(`${path}.part`, path)
    if (isSegment(name)) {
      last = name
      told(name)
    }
    return true
  }

  async function pass(): Promise<void> {
    const names = await readdir(folder)
    for (const name of names.filter((each) => each.endsWith(wanted))) {
      const asked = name.slice(0, -wanted.length)
      // PostgreSQL also asks for what is not there: how the archive ends is how it knows where to stop.
      const isThere = isLogFile(asked) && (!isSegment(asked) || segments.has(asked))
      if (isThere && !signal?.aborted) await fetch(asked)
      await rm(join(folder, name), { force: true })
    }
    if (names.filter(isSegment).length >= ahead || last === undefined || signal?.aborted) return
    const next = segmentAfter(last)
    if (segments.has(next) && !names.includes(next)) await fetch(next)
  }

  async function run(): Promise<void> {
    while (!ending.signal.aborted) {
      try {
        await pass()
      } catch (error) {
        // The folder goes with a server that does not start, which says why itself.
        if (existsSync(folder)) failure = error
        return
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
