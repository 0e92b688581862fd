// Programs of others that try `kith mcp`: no packages of this checkout, so each is installed when it is needed.
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cp, mkdir, mkdtemp, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const caches = fileURLToPath(new URL('../../node_modules/.cache/', import.meta.url))

/** The path of a program, installed once for each lock file of the folder beside this. */
export async function installed(name: 'suite' | 'inspector', program: string): Promise<string> {
  const here = fileURLToPath(new URL(`${name}/`, import.meta.url))
  const lock = await readFile(join(here, 'package-lock.json'))
  const digest = createHash('sha256').update(lock).digest('hex').slice(0, 16)
  const folder = join(caches, `conformance-${name}-${digest}`)
  const path = join(folder, 'node_modules', program)
  if (await readFile(path).catch(() => undefined)) return path
  await mkdir(caches, { recursive: true })
  const made = await mkdtemp(join(caches, `conformance-${name}-`))
  for (const file of ['package.json', 'package-lock.json']) await cp(join(here, file), join(made, file))
  const words = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  await promisify(execFile)('npm', words, { cwd: made })
  await rename(made, folder)
  return path
}
