// A new file of the user's: whole or not at all, and over nothing unless asked.
import { link, rename, rm, writeFile } from 'node:fs/promises'
import { usage } from './exit.ts'
import { line } from './safe.ts'

const isThere = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'EEXIST'

export async function save(path: string, text: string, replaces: boolean): Promise<void> {
  const part = `${path}.${process.pid}.part`
  try {
    await writeFile(part, text, { flag: 'wx' })
    if (replaces) return await rename(part, path)
    await link(part, path).catch((error) => {
      if (isThere(error)) throw error
      // Some file systems have no links.
      return writeFile(path, text, { flag: 'wx' })
    })
  } catch (error) {
    throw isThere(error)
      ? usage(`${line(path)} exists`, 'add --force to replace it')
      : usage(line((error as Error).message))
  } finally {
    await rm(part, { force: true })
  }
}
