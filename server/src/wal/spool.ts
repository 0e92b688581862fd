// What PostgreSQL has finished and the archive does not have yet: taken over from the data folder, compressed, and kept on this
// disk until it is sent. So an archive that is away for hours costs little room, and PostgreSQL never waits for it.
import { chown, constants, lstat, mkdir, open, readdir, rm, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { constants as zlib, zstdCompress } from 'node:zlib'
import { dataFolderOf } from '../embedded/cluster.ts'
import { takenFolder } from '../embedded/settings.ts'
import { writeWhole } from '../kernel/durable.ts'
import { isHistory, isLogFile } from './names.ts'

const compress = promisify(zstdCompress)
const ending = '.zst'

export interface Waiting {
  name: string
  path: string
  bytes: number
  /** When it was taken over. */
  since: Date
}

export interface Spool {
  /** Takes over what PostgreSQL has finished; it may recycle that then. */
  take(): Promise<void>
  /** In the order in which it is to be sent. */
  waiting(): Promise<Waiting[]>
  sent(waiting: Waiting): Promise<void>
  /** How often everything was given up. */
  gaps(): number
}

interface SpoolOptions {
  /** The folder of the embedded server. */
  folder: string
  /** Bytes that may wait; less if the disk has little room. */
  limit: number
  /** Everything that waited was given up, and what is taken over next does not follow what the archive has. */
  onGap: (reason: string) => Promise<void>
}

/** Sorted: the origin of a timeline before its segments. */
const inOrder = (a: string, b: string): number => Number(isHistory(b)) - Number(isHistory(a)) || (a < b ? -1 : 1)

export async function openSpool({ folder, limit, onGap }: SpoolOptions): Promise<Spool> {
  const data = dataFolderOf(folder)
  const spool = join(folder, 'archive')
  const taken = join(data, takenFolder)
  await makeOwned(spool)
  // PostgreSQL's user looks into this one.
  await makeOwned(taken, await stat(data))
  for (const name of await readdir(spool)) if (!name.endsWith(ending)) await rm(join(spool, name), { force: true })

  let gaps = 0

  async function waiting(): Promise<Waiting[]> {
    const names = (await readdir(spool)).filter((name) => name.endsWith(ending))
    const all = names.map(async (file) => {
      const path = join(spool, file)
      const { size, mtime } = await stat(path)
      return { name: file.slice(0, -ending.length), path, bytes: size, since: mtime }
    })
    return (await Promise.all(all)).sort((a, b) => inOrder(a.name, b.name))
  }

  async function drop(reason: string): Promise<void> {
    // Before anything goes: who is killed in the middle must know that a part is missing.
    gaps += 1
    await onGap(reason)
    for (const { path } of await waiting()) await rm(path, { force: true })
  }

  async function keep(name: string): Promise<void> {
    const bytes = await readLogFile(join(data, 'pg_wal', name))
    const small = await compress(bytes, {
      params: { [zlib.ZSTD_c_compressionLevel]: 1, [zlib.ZSTD_c_checksumFlag]: 1 },
    })
    // A part that stayed would keep its room on a full disk from the database until the next start.
    await writeWhole(join(spool, name + ending), small)
  }

  return {
    waiting,
    async take() {
      const ready = (await readdir(join(data, 'pg_wal/archive_status')))
        .filter((name) => name.endsWith('.ready'))
        .map((name) => name.slice(0, -'.ready'.length))
        .filter(isLogFile)
        .sort(inOrder)
      const marks = new Set(await readdir(taken))
      for (const mark of marks.difference(new Set(ready))) await rm(join(taken, mark), { force: true })
      for (const name of ready.filter((each) => !marks.has(each))) {
        try {
          await keep(name)
          const used = (await waiting()).reduce((sum, { bytes }) => sum + bytes, 0)
          const { bavail, bsize } = await statfs(spool)
          if (used > Math.min(limit, (used + bavail * bsize) / 2)) await drop('too much waits for the archive')
        } catch (error) {
          // PostgreSQL needs the room more.
          const { code } = error as NodeJS.ErrnoException
          if (code !== 'ENOSPC' && code !== 'EDQUOT') throw error
          await drop('the disk is full')
        }
        const mark = await open(join(taken, name), constants.O_WRONLY | constants.O_CREAT | constants.O_NOFOLLOW, 0o644)
        await mark.close()
      }
    },
    gaps: () => gaps,
    sent: ({ path }) => rm(path, { force: true }),
  }
}

async function makeOwned(path: string, owner?: { uid: number; gid: number }): Promise<void> {
  await mkdir(path, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  const found = await lstat(path)
  if (!found.isDirectory()) throw new Error(`${path} is not a folder`)
  if (owner && (found.uid !== owner.uid || found.gid !== owner.gid)) await chown(path, owner.uid, owner.gid)
}

/** A file that PostgreSQL's user may have replaced by a link. */
async function readLogFile(path: string): Promise<Buffer> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW)
  try {
    return await file.readFile()
  } finally {
    await file.close()
  }
}
