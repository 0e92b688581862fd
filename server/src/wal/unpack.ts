// Writes the files of a base copy into an empty folder.
import { mkdir, open, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { createZstdDecompress } from 'node:zlib'
import tar from 'tar-stream'
import { BackupError, digestOf, isInside } from '../backup/format.ts'
import { type Account, giveTo } from '../embedded/account.ts'
import type { BaseManifest } from './base.ts'
import { baseFolder, partOf } from './names.ts'
import type { Place } from './place.ts'

/** What helps if a base copy cannot be used. */
export const without = (label: string): string =>
  `move ${baseFolder}${label} out of the archive, and repeat the restore from the copy before it`

interface UnpackOptions {
  place: Place
  base: BaseManifest
  folder: string
  account: Account
  signal: AbortSignal | undefined
  told: (done: number, total: number) => void
}

export async function unpackBase({ place, base, folder, account, signal, told }: UnpackOptions): Promise<void> {
  async function* bytes(): AsyncGenerator<Buffer> {
    for (const [index, { bytes: length, sha256 }] of base.parts.entries()) {
      signal?.throwIfAborted()
      const part = await place.get(partOf(base.label, index))
      if (part?.length !== length || digestOf(part) !== sha256) {
        const fault = part ? 'damaged' : 'missing'
        throw new BackupError(`Part ${index} of the base copy ${base.label} is ${fault}: ${without(base.label)}`)
      }
      told(index, base.parts.length)
      yield part
    }
  }
  const source = Readable.from(bytes(), { objectMode: false })
  const extract = tar.extract()
  const unpacked = createZstdDecompress()
  source.on('error', (error) => unpacked.destroy(error))
  unpacked.on('error', (error) => extract.destroy(error))
  source.pipe(unpacked).pipe(extract)
  let written = 0
  for await (const each of extract) {
    const { name, type } = each.header
    const path = join(folder, name)
    if (!isInside(name.replace(/\/$/, ''))) throw new BackupError(`The base copy ${base.label} has an unknown entry`)
    if (type === 'directory') {
      await mkdir(path, { mode: 0o700 })
      each.resume()
    } else {
      const file = await open(path, 'wx', 0o600)
      try {
        for await (const chunk of each as AsyncIterable<Buffer>) {
          written += chunk.length
          await file.writeFile(chunk)
        }
      } finally {
        await file.close()
      }
    }
    await giveTo(account, path)
  }
  if (written < base.bytes) throw new BackupError(`The base copy ${base.label} is incomplete`)
  await writeFile(join(folder, 'recovery.signal'), '', { mode: 0o600 })
  await giveTo(account, join(folder, 'recovery.signal'))
}
