// The packages of this checkout as a stranger has them after `npm install`, without npm: they bring all that they need.
import { execFile } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type PackageName, packed } from '../src/site/machines/pack.ts'

/** Unpacks one below a folder, and answers where `@kith/sdk` is then. */
export async function installed(name: PackageName, folder: string): Promise<string> {
  const to = join(folder, 'node_modules/@kith/sdk')
  await mkdir(to, { recursive: true })
  const unpacking = promisify(execFile)('tar', ['-xz', '--strip-components=1', '-C', to])
  unpacking.child.stdin?.end(await packed(name))
  await unpacking
  return to
}
