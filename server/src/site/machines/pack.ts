// The packages that a server hands out, made from this checkout as it runs: without a compiler, which a production install has
// not, and with all that they need inside, so that nothing is fetched when one is installed. The same checkout makes the same bytes on
// every node: files in their order, one date, one owner, and a compression that does not depend on the processor.
import { readdir, readFile } from 'node:fs/promises'
import { createRequire, stripTypeScriptTypes } from 'node:module'
import { dirname, join, posix, relative, sep } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { constants, gzip } from 'node:zlib'
import tar from 'tar-stream'
import { guideSources, relinked } from '../guides.ts'
import { wheel, wheelName } from './wheel.ts'

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

interface Packed {
  content: Buffer
  /** The file of this checkout that it is, below the checkout; what is made here has none. */
  source?: string
}

/** By their paths within the package. */
type Files = Map<string, Packed>

const root = fileURLToPath(new URL('../../../..', import.meta.url))

const readManifest = async (folder: string): Promise<Manifest> =>
  JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))

/** The command with the SDK, and the SDK alone. */
export const npmNames = ['kith', 'sdk'] as const
export type NpmName = (typeof npmNames)[number]
/** With the module for Python. */
export const packageNames = [...npmNames, 'python'] as const
export type PackageName = (typeof packageNames)[number]

export const sdkManifest = (): Promise<Manifest> => readManifest(join(root, 'sdk'))

export const packageFileName = (name: PackageName, version: string): string =>
  name === 'python' ? wheelName(version) : `${name}-${version}.tgz`

/** What npm dates the files of every package, for the same reason. */
const date = new Date('1985-10-26T08:15:00Z')

/** Where the package of the command has it: the rest is the SDK, which is imported where the command was installed. */
const commandFolder = 'command'

export async function packed(name: PackageName): Promise<Buffer> {
  if (name === 'python') return wheel((await sdkManifest()).version)
  const files: Files = new Map()
  const manifest = await addOwn(files, join(root, 'sdk'), '')
  await addDependencies(files, join(root, 'sdk'), manifest)
  const command = name === 'kith' ? await addCommand(files) : undefined
  const bin = command?.bin
  // What is bundled brings what it needs itself.
  const dependencies = { ...manifest.dependencies, ...command?.dependencies }
  const bundled = { ...manifest, dependencies, bundleDependencies: Object.keys(dependencies) }
  const listed = [...(manifest.files ?? []), guidesFolder, ...(bin ? [commandFolder] : [])]
  files.set('package.json', asJson({ ...bundled, files: listed, ...(bin && { bin }) }))
  addGuides(files)
  relink(files)

  const archive = tar.pack()
  const programs = new Set(Object.values(bin ?? {}))
  for (const [path, { content }] of [...files].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const mode = programs.has(path) ? 0o755 : 0o644
    archive.entry({ name: `package/${path}`, mode, mtime: date, uid: 0, gid: 0, uname: '', gname: '' }, content)
  }
  archive.finalize()
  // Other strategies look for repetitions with whatever instructions the processor has, and find others on another one.
  return promisify(gzip)(await buffer(archive), { strategy: constants.Z_RLE })
}

/** Its programs by name, and what it needs beside the SDK, which it imports by its name: it finds the package around it. */
async function addCommand(files: Files): Promise<Required<Pick<Manifest, 'bin' | 'dependencies'>>> {
  const folder = join(root, 'cli')
  const manifest = await addOwn(files, folder, commandFolder)
  files.set(`${commandFolder}/package.json`, asJson({ version: manifest.version, type: manifest.type }))
  const { '@kith/sdk': _, ...dependencies } = manifest.dependencies ?? {}
  await addDependencies(files, folder, { ...manifest, dependencies })
  const programs = Object.entries(manifest.bin ?? {})
  return {
    bin: Object.fromEntries(programs.map(([program, path]) => [program, `${commandFolder}/${path}`])),
    dependencies,
  }
}

const asJson = (value: object): Packed => ({ content: Buffer.from(`${JSON.stringify(value, null, 2)}\n`) })

/** The guides for agents and the contract in words lie as in this checkout; those of the workspaces come with them. */
const guidesFolder = 'docs'

function addGuides(files: Files): void {
  for (const { group, file, text } of guideSources()) {
    if ((group === 'agents' || group === 'rules') && file.startsWith(`${guidesFolder}/`))
      files.set(file, { content: Buffer.from(text), source: file })
  }
}

/** The links of what people read lead to other files of the package. */
function relink(files: Files): void {
  const places = new Map([...files].flatMap(([path, { source }]) => (source ? [[source, path] as const] : [])))
  for (const [path, { content, source }] of files) {
    if (!source?.endsWith('.md')) continue
    const text = relinked(source, content.toString('utf8'), (file, fragment) => {
      const place = places.get(slashed(file))
      const anchor = fragment === undefined ? '' : `#${fragment}`
      return place && `${place === path ? '' : posix.relative(dirname(path), place)}${anchor}`
    })
    files.set(path, { content: Buffer.from(text), source })
  }
}

/** A workspace of this checkout, as it is published: what its manifest lists, and its source where that lists what is compiled. */
async function addOwn(files: Files, folder: string, to: string): Promise<Manifest> {
  const {
    devDependencies: _,
    private: __,
    ...manifest
  } = (await readManifest(folder)) as Manifest & Record<string, unknown>
  for (const listed of manifest.files ?? []) {
    // The workspaces share one license.
    const from = listed === 'LICENSE' ? root : folder
    if (listed !== 'dist') await addTree(files, join(from, listed), join(to, listed), () => true)
  }
  const source = join(folder, 'src')
  const types = join(folder, 'generated')
  for (const path of await filesIn(source)) {
    if (path.endsWith('.test.ts')) continue
    const content = await readFile(join(source, path))
    const put = (name: string, made: Buffer) => files.set(slashed(join(to, 'dist', name)), { content: made })
    if (!path.endsWith('.ts')) put(path, content)
    else {
      const text = content.toString('utf8')
      put(path.replace(/\.ts$/, '.js'), compiled(text))
      if (!manifest.exports) continue
      const declared = path.replace(/\.ts$/, '.d.ts')
      // A file of types alone declares itself.
      put(declared, published(await readFile(join(types, declared), 'utf8').catch(() => text)))
    }
  }
  const own = { ...manifest, ...(manifest.exports && { exports: withoutSource(manifest.exports) }) }
  files.set(slashed(join(to, 'package.json')), asJson(own))
  return own
}

/** The imports of this checkout are written in one way, by its formatter; the compiler has another one. */
const published = (code: string): Buffer =>
  Buffer.from(code.replace(/(\bfrom |\bimport |\bimport\()(['"])(\.{1,2}\/[^'"\n]+)\.ts\2/g, '$1$2$3.js$2'))

/** A file of types alone becomes an empty module. */
function compiled(source: string): Buffer {
  const code = withoutTypes(source)
  return code.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '').trim() === '' ? Buffer.from('export {}\n') : published(code)
}

/** As if no types had been written: where they were there is nothing, not even blanks or lines. */
function withoutTypes(source: string): string {
  const blanked = stripTypeScriptTypes(source)
  if (blanked.length !== source.length) return blanked
  let at = 0
  const lines = source.split('\n').flatMap((line) => {
    const left = blanked.slice(at, at + line.length)
    at += line.length + 1
    if (left === line) return [line]
    const code = closed(line, left)
    return code.trim() === '' ? [] : [code]
  })
  return lines.join('\n')
}

/** A line without the blanks that types left in it. */
function closed(line: string, left: string): string {
  const isGone = (at: number): boolean => left[at] !== line[at] && /\s/.test(left[at] as string)
  let code = ''
  for (let at = 0; at < line.length; ) {
    if (!isGone(at)) {
      code += left[at++]
      continue
    }
    // With the blanks between words that are gone.
    let end = at + 1
    for (let next = end; next < line.length && (isGone(next) || left[next] === ' '); next++)
      if (isGone(next)) end = next + 1
    const after = left[end] ?? ''
    if (/^[ ),;\]}]?$/.test(after)) code = code.replace(/(?<=\S) +$/, '')
    if (after === ' ' && /^$|\s$/.test(code)) end += 1
    else if (/[\w$]$/.test(code) && /[\w$]/.test(after)) code += ' '
    at = end
  }
  return code
}

/** Its source is not in the package. */
const withoutSource = (exports: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(exports).map(([name, target]) => {
      if (typeof target !== 'object' || target === null) return [name, target]
      const { source: _, ...rest } = target as { source?: unknown }
      return [name, rest]
    }),
  )

/** All that it needs, and what that needs, beside each other. */
async function addDependencies(files: Files, folder: string, { dependencies = {} }: Manifest): Promise<void> {
  for (const name of Object.keys(dependencies).sort()) {
    const found = await folderOf(name, folder)
    const to = join('node_modules', name)
    const manifest = await readManifest(found)
    const present = files.get(slashed(join(to, 'package.json')))
    if (present) {
      const { version } = JSON.parse(present.content.toString('utf8')) as Manifest
      if (version !== manifest.version) throw new Error(`two versions of ${name}: ${version} and ${manifest.version}`)
      continue
    }
    await addTree(files, found, to, isRun)
    await addDependencies(files, found, manifest)
  }
}

/** Its folder as Node finds it from another one; its manifest need not be among its exports. */
async function folderOf(name: string, from: string): Promise<string> {
  const { paths } = createRequire(join(from, 'package.json')).resolve
  for (const path of paths(name) ?? []) {
    const found = join(path, name)
    if (await readManifest(found).catch(() => undefined)) return found
  }
  throw new Error(`${name} is not installed`)
}

/** Types, maps, the source of others, twins of modules for `require`, and editions of zod that nothing imports run nowhere. */
const isRun = (path: string): boolean =>
  !/(^|\/)node_modules\/|^(v3|v4\/mini|v4-mini|mini)\/|\.(map|[cm]?ts|md|cjs)$/.test(path)

async function addTree(files: Files, folder: string, to: string, takes: (path: string) => boolean): Promise<void> {
  const add = async (from: string, path: string) =>
    files.set(slashed(path), { content: await readFile(from), source: slashed(relative(root, from)) })
  const paths = await filesIn(folder)
  if (paths.length === 0) await add(folder, to)
  for (const path of paths) if (takes(path)) await add(join(folder, path), join(to, path))
}

/** Below a folder, with slashes; none if it is a file. */
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

/** As a program of its own: it writes a package to its standard output. Node 22 has no `import.meta.main`. */
if (process.argv[1] === fileURLToPath(import.meta.url))
  process.stdout.write(await packed(process.argv[2] as PackageName))
