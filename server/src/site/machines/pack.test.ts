// What lies in the packages that a server hands out, how large they are, and that every server makes the same ones.
// docs/contract/site.md#packages.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { glob, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, posix } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gunzipSync } from 'node:zlib'
import tar from 'tar-stream'
import { anchorsOf } from '../../../test/anchors.ts'
import { type NpmName, npmNames, packageFileName, packageNames, packed, sdkManifest } from './pack.ts'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../../../..', import.meta.url))

/** More than each takes, by a little: what grows past it was put in by mistake, or is worth a thought. */
const largest: Readonly<Record<NpmName, number>> = { kith: 3_200_000, sdk: 1_520_000 }

const guides = [
  'agents',
  'export',
  'files',
  'human-orders',
  'market',
  'mcp',
  'orders',
  'oversight',
  'python',
  'receiving',
  'record',
  'shop',
  'writing',
]
const sdkNeeds = ['@noble/ciphers', '@noble/curves', '@noble/hashes', 'ws']
const bundled: Readonly<Record<NpmName, string[]>> = {
  kith: ['@modelcontextprotocol/core', '@modelcontextprotocol/server', ...sdkNeeds, 'zod'],
  sdk: sdkNeeds,
}

/** Below a folder, by their paths from there. */
const sources = async (pattern: string, folder: string): Promise<string[]> =>
  Array.fromAsync(glob(pattern, { cwd: join(root, folder) }))

/** What a package is made of, without the files of others. */
async function ownFiles(name: NpmName): Promise<string[]> {
  const compiled = async (folder: string, to: string, endings: string[]) =>
    (await sources('**/*.ts', `${folder}/src`))
      .filter((path) => !path.endsWith('.test.ts'))
      .flatMap((path) => endings.map((ending) => `${to}${path.replace(/\.ts$/, ending)}`))
  return [
    ...['package.json', 'README.md', 'LICENSE', 'vectors/README.md', 'vectors/box-v1.json'],
    ...guides.map((guide) => `docs/${guide}.md`),
    ...(await sources('*.md', 'docs/contract')).map((page) => `docs/contract/${page}`),
    ...(await compiled('sdk', 'dist/', ['.js', '.d.ts'])),
    ...(name === 'sdk'
      ? []
      : [
          ...['package.json', 'README.md', 'LICENSE', 'bin/kith.js', 'skill/SKILL.md'].map((path) => `command/${path}`),
          ...(await compiled('cli', 'command/dist/', ['.js'])),
        ]),
  ]
}

/** The texts of a package by their paths in it; every entry is a file that anybody may read, with nobody's name and date. */
async function filesOf(bytes: Buffer): Promise<Map<string, string>> {
  const files = new Map<string, string>()
  const reader = tar.extract()
  reader.on('entry', ({ name, type, mode, uid, mtime }, stream, next) => {
    assert.equal(type, 'file')
    assert.match(name, /^package\/(?!.*(\.\.|\.env))/)
    assert.deepEqual([uid, mtime?.getTime()], [0, Date.parse('1985-10-26T08:15:00Z')], name)
    assert.equal(mode, name === 'package/command/bin/kith.js' ? 0o755 : 0o644, name)
    buffer(stream).then((content) => {
      files.set(name.slice('package/'.length), content.toString('utf8'))
      next()
    }, next)
  })
  reader.end(gunzipSync(bytes))
  await new Promise((resolve, reject) => reader.on('finish', () => resolve(undefined)).on('error', reject))
  return files
}

/** What is in it, by folder, for a reader of a failure. */
function sizes(files: Map<string, string>): string {
  const lines = Object.entries(Object.groupBy([...files], ([path]) => path.split('/').slice(0, -1).join('/') || '.'))
  return lines
    .map(([folder, entries = []]) => [folder, entries.reduce((sum, [, text]) => sum + text.length, 0)] as const)
    .sort(([, one], [, other]) => other - one)
    .map(([folder, size]) => `${String(size).padStart(9)} ${folder}`)
    .join('\n')
}

for (const name of npmNames) {
  const bytes = await packed(name)
  const files = await filesOf(bytes)
  describe(`${name}.tgz`, () => {
    test('contains exactly these files', async () => {
      const expected = new Set(await ownFiles(name))
      const others = [...files.keys()].filter((path) => path.startsWith('node_modules/'))
      const own = [...files.keys()].filter((path) => !path.startsWith('node_modules/'))
      const unknown = own.filter((path) => !expected.has(path))
      const missing = [...expected].filter((path) => !files.has(path))
      assert.deepEqual({ unknown, missing }, { unknown: [], missing: [] })
      const packages = others.map((path) => /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1])
      assert.deepEqual([...new Set(packages)].sort(), bundled[name])
      const notRun = others.filter((path) => !/\.(c|m)?js$|\/(package\.json|LICENSE)$/.test(path))
      assert.deepEqual(notRun, [], 'what others wrote is what runs, and its licence')
    })

    test('is not too large', () => {
      const limit = largest[name]
      assert.ok(bytes.length <= limit, `${bytes.length} bytes, of ${limit}; before compression:\n${sizes(files)}`)
    })

    test('fetches nothing, runs nothing on installation, and imports only its own files', () => {
      const manifest = JSON.parse(files.get('package.json') ?? '')
      assert.deepEqual(manifest.bundleDependencies, Object.keys(manifest.dependencies))
      assert.deepEqual([manifest.scripts, manifest.private], [undefined, undefined])
      for (const [path, text] of files) {
        // What others built has modules within its texts.
        if (!/(^|\/)dist\//.test(path) || path.startsWith('node_modules/')) continue
        for (const [, target = ''] of text.matchAll(/(?:from|import|import\()\s*'(\.[^']*)'/g)) {
          assert.ok(files.has(posix.join(posix.dirname(path), target)), `${path} imports ${target}`)
        }
      }
    })

    test('contains guides whose links lead to its own files and headings', () => {
      const wrong: string[] = []
      let followed = 0
      for (const [path, text] of files) {
        if (!path.endsWith('.md')) continue
        for (const [link, target = ''] of text.replace(/^```[\s\S]*?^```/gm, '').matchAll(/\]\(([^)\s]+)\)/g)) {
          if (/^https?:/.test(target)) continue
          const [to = '', anchor] = target.split('#')
          const found = files.get(to === '' ? path : posix.join(dirname(path), to))
          if (found === undefined || (anchor !== undefined && !anchorsOf(found).has(anchor)))
            wrong.push(`${path}: ${link}`)
          followed++
        }
      }
      assert.deepEqual(wrong, [])
      assert.ok(followed > 200, `${followed} links`)
      assert.match(files.get('README.md') ?? '', /\]\(docs\/agents\.md\)/)
      assert.equal(name === 'kith', /\]\(\.\.\/command\/README\.md\)/.test(files.get('docs/agents.md') ?? ''))
    })
  })
}

test('npm run pack produces what every server produces', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'kith-packages-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  await run('npm', ['run', '--silent', 'pack', '--', folder], { cwd: root })
  const { version } = await sdkManifest()
  const pack = fileURLToPath(new URL('pack.ts', import.meta.url))
  for (const name of packageNames) {
    const env = { TZ: 'Pacific/Auckland', LC_ALL: 'tr_TR.UTF-8', HOME: '/nowhere' }
    const flags = ['--disable-warning=ExperimentalWarning']
    const options = { env, cwd: folder, encoding: 'buffer', maxBuffer: 1e8 } as const
    const { stdout, stderr } = await run(process.execPath, [...flags, pack, name], options)
    assert.equal(stderr.toString(), '')
    assert.ok(stdout.equals(await readFile(join(folder, packageFileName(name, version)))), name)
  }
  // Where it writes unless it is told, which git does not see.
  assert.match(await readFile(join(root, 'server/scripts/pack.ts'), 'utf8'), /\[folder = 'dist'\]/)
  assert.match(await readFile(join(root, '.gitignore'), 'utf8'), /^dist\/$/m)
})
