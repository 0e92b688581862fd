// Programs of others that try `kith mcp`: no packages of this checkout, so each is installed when it is needed.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { hash } from 'node:crypto'
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const caches = fileURLToPath(new URL('../../node_modules/.cache/', import.meta.url))

/** With what each needs as the registry had it on a day; the digest is of the name, version and digest of every package. */
const pinned = {
  suite: {
    spec: '@modelcontextprotocol/conformance@0.2.0-alpha.12',
    before: '2026-11-26',
    digest: '2d67b978f2d3a8738fd5aa654dea8dd56abe5afc532822c485f629d797135e40',
  },
  inspector: {
    spec: '@modelcontextprotocol/inspector@2.12.0',
    before: '2026-11-26',
    digest: '400dcd68f4edf9f9e566945d174e2419a18d77a9daab39dc40620de739fc95ae',
  },
}

/** The path of a program of a package, installed once. */
export async function installed(name: keyof typeof pinned, program: string): Promise<string> {
  const { spec, before, digest } = pinned[name]
  const folder = join(caches, `conformance-${name}-${digest.slice(0, 16)}`)
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
    await writeFile(join(made, 'package.json'), '{ "private": true }\n')
    await fetched(made, spec, before)
    assert.equal(await digestOf(made), digest, `${spec} and what it needs are not the packages of ${before}`)
    await rename(made, folder).catch(async (error) => {
      // Another run was quicker.
      if (!(await isThere())) throw error
    })
  } finally {
    await rm(made, { recursive: true, force: true })
  }
  return path
}

/** Of all packages that were chosen, those of other platforms included; npm has compared each with its own digest. */
async function digestOf(folder: string): Promise<string> {
  const { packages } = JSON.parse(await readFile(join(folder, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { version?: string; integrity?: string }>
  }
  const lines = Object.entries(packages).flatMap(([path, { version, integrity }]) =>
    path === '' ? [] : [`${path.replace(/^.*node_modules\//, '')} ${version} ${integrity}\n`],
  )
  return hash('sha256', lines.sort().join(''))
}

/** A download that breaks off is tried again; npm itself does so only where it has not begun. */
async function fetched(folder: string, spec: string, before: string): Promise<void> {
  const words = [
    'install',
    `--before=${before}`,
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
    spec,
  ]
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
