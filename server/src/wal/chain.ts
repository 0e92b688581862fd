// What joins the database to its archive.
import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { orMissing } from '../storage/folders.ts'
import { chainFile } from '../store/locate.ts'

/** The base copy from which the archive goes on to now without a gap, remembered beside the database. */
export function chainOf(folder: string) {
  const path = join(folder, chainFile)
  return {
    async label(): Promise<string | undefined> {
      const text = await readFile(path, 'utf8').catch(orMissing(undefined))
      return text === undefined ? undefined : (JSON.parse(text) as { base: string }).base
    },
    async extend(base: string): Promise<void> {
      await writeFile(`${path}.new`, `${JSON.stringify({ base })}\n`, { mode: 0o600, flush: true })
      await rename(`${path}.new`, path)
    },
    cut: () => rm(path, { force: true }),
  }
}
