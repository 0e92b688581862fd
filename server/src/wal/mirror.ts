// The files of attachments in the archive: each is copied once, before the changes that name it, and goes some time after it
// has gone from the storage. Files in S3 are not copied: S3 has versions of its own.
import { readdir, readFile, rename, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { days } from '../kernel/clock.ts'
import { orMissing } from '../storage/folders.ts'
import { fileFolder } from './names.ts'
import type { Place } from './place.ts'

/** Folders of the storage, one for some hours (`storage/local.ts`). */
const isPeriod = (name: string): boolean => /^[0-9a-f]{6}$/.test(name)

interface Mirror {
  /** Copies what the archive does not have. */
  copy(signal: AbortSignal): Promise<void>
  /** Removes from the archive what has been gone from the storage for `keepDays`. */
  prune(now: Date, keepDays: number): Promise<void>
}

/** `noteFile` remembers since when each file has been gone. */
export function createMirror(place: Place, storage: string, noteFile: string): Mirror {
  /** The change of a folder that two passes have seen alike: what is added later changes it again. */
  const seen = new Map<string, { mtime: bigint; passes: number }>()

  return {
    async copy(signal) {
      for (const period of (await readdir(storage).catch(orMissing<string[]>([]))).filter(isPeriod).sort()) {
        const folder = join(storage, period)
        const found = await stat(folder, { bigint: true }).catch(orMissing(undefined))
        const before = seen.get(period)
        if (!found || (before?.mtime === found.mtimeNs && before.passes > 1)) continue
        const there = new Set<string>()
        for await (const { key } of place.list(`${fileFolder}${period}/`)) there.add(key)
        for (const name of await readdir(folder).catch(orMissing<string[]>([]))) {
          const key = `${fileFolder}${period}/${name}`
          if (there.has(key)) continue
          signal.throwIfAborted()
          await place.put(key, { path: join(folder, name) }).catch(orMissing(undefined))
        }
        seen.set(period, { mtime: found.mtimeNs, passes: before?.mtime === found.mtimeNs ? before.passes + 1 : 1 })
      }
    },
    async prune(now, keepDays) {
      const gone = JSON.parse(await readFile(noteFile, 'utf8').catch(orMissing('{}'))) as Record<string, string>
      const still: Record<string, string> = {}
      const present = new Map<string, Set<string>>()
      for await (const { key } of place.list(fileFolder)) {
        const [period = '', name = ''] = key.slice(fileFolder.length).split('/')
        if (!isPeriod(period)) continue
        if (!present.has(period)) {
          present.clear()
          present.set(period, new Set(await readdir(join(storage, period)).catch(orMissing<string[]>([]))))
        }
        if (present.get(period)?.has(name)) continue
        const since = gone[key] ?? now.toISOString()
        if (now.getTime() - new Date(since).getTime() > days(keepDays)) await place.remove(key)
        else still[key] = since
      }
      await writeFile(`${noteFile}.new`, JSON.stringify(still), { mode: 0o600 })
      await rename(`${noteFile}.new`, noteFile)
    },
  }
}
