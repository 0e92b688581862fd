// Programs of others that try `kith mcp`: no packages of this checkout, so each is installed when it is needed.
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cp, mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
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
  const isThere = (): Promise<boolean> =>
    readFile(path).then(
      () => true,
      () => false,
    )
  if (await isThere()) return path
  await mkdir(caches, { recursive: true })
  const made = await mkdtemp(join(caches, `conformance-${name}-`))
  try {
    for (const file of ['package.json', 'package-lock.json']) await cp(join(here, file), join(made, file))
    await fetched(made)
    await rename(made, folder).catch(async (error) => {
      // Another run was quicker.
      if (!(await isThere())) throw error
    })
  } finally {
    await rm(made, { recursive: true, force: true })
  }
  return path
}

/** A download that breaks off is tried again; npm itself does so only where it has not begun. */
async function fetched(folder: string): Promise<void> {
  const words = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  const attempt = () => promisify(execFile)('npm', words, { cwd: folder })
  for (const pause of [5000, 30_000]) {
    const why = await attempt().then(
      () => undefined,
      (error) => error as Error,
    )
    if (!why) return
    process.stderr.write(`${why.message}\nTried again in ${pause / 1000} s\n`)
    await sleep(pause)
  }
  await attempt()
}
