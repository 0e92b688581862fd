import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Makes a folder and those above it; the first that it made, or undefined. `mkdir` with `recursive` never ends where a folder
 * refuses new ones as if it were missing, as /proc and automounters do.
 */
export async function makeFolders(path: string, mode?: number): Promise<string | undefined> {
  const made = await makeFolder(path, mode)
  if (made !== 'no parent') return made
  const first = await makeFolders(dirname(path), mode)
  const again = await makeFolder(path, mode)
  if (again !== 'no parent') return first ?? again
  throw Object.assign(new Error(`ENOENT: ${path} cannot be created`), { code: 'ENOENT' })
}

async function makeFolder(path: string, mode?: number): Promise<string | undefined | 'no parent'> {
  try {
    await mkdir(path, { mode })
    return path
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' && dirname(path) !== path) return 'no parent'
    const found = await stat(path).catch(() => undefined)
    if (found?.isDirectory()) return undefined
    throw error
  }
}
