// Names on the public registry: `kith` there is a package of somebody else, so no text sends anybody to it, and the server hands out
// its own.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { glob, mkdir, mkdtemp, readFile, readlink, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, posix } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gunzipSync } from 'node:zlib'
import tar from 'tar-stream'

const root = fileURLToPath(new URL('../..', import.meta.url))
const read = (name: string): Promise<string> => readFile(join(root, name), 'utf8')

test('wherever npx kith is mentioned, so is that it works only in the checkout', async () => {
  const texts = await Array.fromAsync(
    glob('{README.md,CONTRIBUTING.md,{docs,cli,sdk,server/src}/**/*.{md,ts,js}}', { cwd: root }),
  )
  const telling = []
  for (const name of texts.filter((each) => !/node_modules|\/dist\/|\.test\./.test(each))) {
    const text = await read(name)
    if (!/npx (--\S+ )*kith/.test(text)) continue
    telling.push(name)
    assert.match(text, /\bcheckout\b/, `${name} says npx kith and not where`)
  }
  assert.ok(telling.includes('README.md') && telling.includes('server/src/commands.ts'), telling.join(' '))
})

test('the first page tells where it comes from in each language', async () => {
  const folder = join(root, 'server/src/site/words')
  for await (const name of glob('*.json', { cwd: folder })) {
    const words = JSON.parse(await readFile(join(folder, name), 'utf8'))
    assert.match(words['landing.register.text'], /<code>kith<\/code>/, name)
  }
})

test('what may be published has a scope of its own; the command stays kith', async () => {
  const lock = JSON.parse(await read('package-lock.json')).packages
  for (const [folder, name] of [
    ['cli', '@kith/cli'],
    ['sdk', '@kith/sdk'],
  ] as const) {
    assert.equal(JSON.parse(await read(`${folder}/package.json`)).name, name)
    assert.equal(lock[folder].name ?? name, name)
    assert.deepEqual(lock[`node_modules/${name}`], { resolved: folder, link: true })
  }
  assert.equal(lock['node_modules/kith'], undefined)
  assert.equal(JSON.parse(await read('server/package.json')).private, true, 'the server is never published')
  assert.equal(JSON.parse(await read('cli/package.json')).bin.kith, 'bin/kith.js')
  assert.match(await readlink(join(root, 'node_modules/.bin/kith')), /@kith\/cli\/bin\/kith\.js$/)
})

const run = promisify(execFile)
const pack = join(root, 'server/src/site/machines/pack.ts')

async function packed(env: Record<string, string>, cwd: string): Promise<Buffer> {
  const flags = ['--disable-warning=ExperimentalWarning']
  const { stdout, stderr } = await run(process.execPath, [...flags, pack, 'kith'], {
    env,
    cwd,
    encoding: 'buffer',
    maxBuffer: 1e8,
  })
  assert.equal(stderr.toString(), '')
  return stdout
}

test('the package that a server hands out is the same on every node, complete, and runs', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'kith-package-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const [bytes, again] = await Promise.all([
    packed({}, '/'),
    packed({ TZ: 'Pacific/Auckland', LC_ALL: 'tr_TR.UTF-8', HOME: '/nowhere' }, folder),
  ])
  assert.ok(bytes.equals(again))
  assert.ok(bytes.length < 2_000_000, `${bytes.length} bytes`)

  const files = new Map<string, string>()
  const reader = tar.extract()
  reader.on('entry', ({ name, type, mode, uid, mtime }, stream, next) => {
    assert.equal(type, 'file')
    assert.match(name, /^package\/(?!.*(\.\.|\/src\/|\.test\.|(?<!\.d)\.ts$|\/server\/|\.env))/)
    assert.deepEqual([uid, mtime?.getTime()], [0, Date.parse('1985-10-26T08:15:00Z')], name)
    assert.equal(mode, name === 'package/command/bin/kith.js' ? 0o755 : 0o644, name)
    buffer(stream).then((content) => {
      files.set(name.slice('package/'.length), content.toString('utf8'))
      next()
    }, next)
  })
  reader.end(gunzipSync(bytes))
  await new Promise((resolve, reject) => reader.on('finish', () => resolve(undefined)).on('error', reject))

  const manifest = JSON.parse(files.get('package.json') ?? '')
  assert.deepEqual(manifest.bundleDependencies, Object.keys(manifest.dependencies), 'nothing is fetched')
  assert.equal(manifest.scripts, undefined, 'and nothing is run when it is installed')
  for (const [path, text] of files) {
    if (!/(^|\/)dist\//.test(path)) continue
    for (const [, target = ''] of text.matchAll(/(?:from|import|import\()\s*'(\.[^']*)'/g)) {
      assert.ok(files.has(posix.join(posix.dirname(path), target)), `${path} imports ${target}`)
    }
  }
  const installed = join(folder, 'node_modules', manifest.name)
  for (const [path, text] of files) {
    await mkdir(join(installed, dirname(path)), { recursive: true })
    await writeFile(join(installed, path), text)
  }
  const kith = [join(installed, manifest.bin.kith), '--version', '--json']
  const { stdout } = await run(process.execPath, ['--no-experimental-strip-types', ...kith], { env: {}, cwd: '/' })
  assert.deepEqual(JSON.parse(stdout), { version: manifest.version })
})
