// The command of agents as an npm package, made from this checkout as it runs: without a compiler, which a production install has
// not, and with all that it needs inside, so that nothing is fetched when it is installed. The same checkout makes the same bytes on
// every node: files in their order, one date, one owner, and a compression that does not depend on the processor.
import { readdir, readFile } from 'node:fs/promises'
import { createRequire, stripTypeScriptTypes } from 'node:module'
import { join, relative, sep } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { constants, gzip } from 'node:zlib'
import tar from 'tar-stream'

interface Manifest {
  name: string
  version: string
  description: string
  license: string
  type?: 'module'
  engines?: Record<string, string>
  bin?: Record<string, string>
  files?: string[]
  exports?: Record<string, unknown>
  dependencies?: Record<string, string>
}

/** By their paths within the package. */
type Files = Map<string, Buffer>

const root = fileURLToPath(new URL('../../../..', import.meta.url))

const readManifest = async (folder: string): Promise<Manifest> =>
  JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))

export const clientManifest = (): Promise<Manifest> => readManifest(join(root, 'cli'))

/** What npm dates the files of every package, for the same reason. */
const date = new Date('1985-10-26T08:15:00Z')

export async function packClient(): Promise<Buffer> {
  const files: Files = new Map()
  const manifest = await addOwn(files, join(root, 'cli'), '')
  await addDependencies(files, join(root, 'cli'), manifest)
  // What is bundled brings what it needs itself.
  const bundled = { ...manifest, bundleDependencies: Object.keys(manifest.dependencies ?? {}) }
  files.set('package.json', asJson(bundled))

  const archive = tar.pack()
  const programs = new Set(Object.values(manifest.bin ?? {}))
  for (const [path, content] of [...files].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const mode = programs.has(path) ? 0o755 : 0o644
    archive.entry({ name: `package/${path}`, mode, mtime: date, uid: 0, gid: 0, uname: '', gname: '' }, content)
  }
  archive.finalize()
  // Other strategies look for repetitions with whatever instructions the processor has, and find others on another one.
  return promisify(gzip)(await buffer(archive), { strategy: constants.Z_RLE })
}

const asJson = (value: object): Buffer => Buffer.from(`${JSON.stringify(value, null, 2)}\n`)

/** A workspace of this checkout, as it is published: what its manifest lists, and its source where that lists what is compiled. */
async function addOwn(files: Files, folder: string, to: string): Promise<Manifest> {
  const {
    devDependencies: _,
    scripts: __,
    ...manifest
  } = (await readManifest(folder)) as Manifest & Record<string, unknown>
  for (const listed of manifest.files ?? []) {
    if (listed !== 'dist') await addTree(files, join(folder, listed), join(to, listed), () => true)
  }
  const source = join(folder, 'src')
  for (const path of await filesIn(source)) {
    if (path.endsWith('.test.ts')) continue
    const content = await readFile(join(source, path))
    if (path.endsWith('.ts')) files.set(slashed(join(to, 'dist', javascript(path))), compiled(content.toString('utf8')))
    else files.set(slashed(join(to, 'dist', path)), content)
  }
  const own = { ...manifest, ...(manifest.exports && { exports: published(manifest.exports) }) }
  files.set(slashed(join(to, 'package.json')), asJson(own))
  return own
}

const javascript = (path: string): string => path.replace(/\.ts$/, '.js')

/**
 * Types become blanks, so that a line of an error is the one of the source; a file of types alone becomes an empty module. The imports
 * of this checkout are written in one way, by its formatter.
 */
function compiled(source: string): Buffer {
  const code = stripTypeScriptTypes(source)
  if (code.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '').trim() === '') return Buffer.from('export {}\n')
  return Buffer.from(code.replace(/(\bfrom |\bimport |\bimport\()'(\.{1,2}\/[^'\n]+)\.ts'/g, "$1'$2.js'"))
}

/** Neither its types nor its source are in the package. */
const published = (exports: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(exports).map(([name, target]) => [
      name,
      (target as { default?: unknown } | null)?.default ?? target,
    ]),
  )

/** All that it needs, and what that needs, beside each other. */
async function addDependencies(files: Files, folder: string, { dependencies = {} }: Manifest): Promise<void> {
  for (const name of Object.keys(dependencies).sort()) {
    const found = await folderOf(name, folder)
    const to = join('node_modules', name)
    const manifest = await readManifest(found)
    const present = files.get(slashed(join(to, 'package.json')))
    if (present) {
      const { version } = JSON.parse(present.toString('utf8')) as Manifest
      if (version !== manifest.version) throw new Error(`two versions of ${name}: ${version} and ${manifest.version}`)
      continue
    }
    if (found.split(sep).includes('node_modules')) await addTree(files, found, to, isRun)
    else await addOwn(files, found, to)
    await addDependencies(files, found, manifest)
  }
}

/** Its folder as Node finds it from another one; its manifest need not be among its exports. */
async function folderOf(name: string, from: string): Promise<string> {
  const { paths } = createRequire(join(from, 'package.json')).resolve
  for (const path of paths(name) ?? []) {
    const found = join(path, name)
    const manifest = await readManifest(found).catch(() => undefined)
    if (manifest) return name.startsWith('@kith/') ? join(root, name.slice('@kith/'.length)) : found
  }
  throw new Error(`${name} is not installed`)
}

/** Types, maps and the source of others run nowhere. */
const isRun = (path: string): boolean => !/(^|\/)node_modules\/|\.(map|[cm]?ts|md)$/.test(path)

async function addTree(files: Files, folder: string, to: string, takes: (path: string) => boolean): Promise<void> {
  const paths = await filesIn(folder)
  if (paths.length === 0) files.set(slashed(to), await readFile(folder))
  for (const path of paths) {
    if (takes(path)) files.set(slashed(join(to, path)), await readFile(join(folder, path)))
  }
}

/** Below a folder, with slashes; none where it is a file. */
async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch((error) => {
    if (error.code === 'ENOTDIR') return []
    throw error
  })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => slashed(relative(folder, join(entry.parentPath, entry.name))))
}

const slashed = (path: string): string => path.split(sep).join('/')

/** As a program of its own: it writes the package to its standard output. */
if (import.meta.main) process.stdout.write(await packClient())
