// A disk that is soon full, for stories about what happens then.
import { execFileSync } from 'node:child_process'
import { mkdir } from 'node:fs/promises'

/** A small file system of its own in this folder; undefined if this user may make none, which is said. */
export async function tinyDisk(
  context: { diagnostic(message: string): void },
  folder: string,
  kibibytes: number,
): Promise<{ folder: string; end(): void } | undefined> {
  await mkdir(folder, { recursive: true })
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${kibibytes}k`, 'tmpfs', folder], { stdio: 'ignore' })
  } catch {
    context.diagnostic('no file system of its own can be mounted here')
    return undefined
  }
  return { folder, end: () => void execFileSync('umount', ['-l', folder]) }
}
