// Names on the public registry: `kith` there is a package of somebody else, so no text sends anybody to it, and the server hands out
// its own.
import assert from 'node:assert/strict'
import { glob, readFile, readlink } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const read = (name: string): Promise<string> => readFile(join(root, name), 'utf8')

test('every mention of npx kith says that it works only in the checkout', async () => {
  const texts = await Array.fromAsync(
    glob('{README.md,CONTRIBUTING.md,openapi.json,{demo,docs,hosting,cli,sdk,server}/**/*.{md,ts,js,json}}', {
      cwd: root,
    }),
  )
  const telling = []
  for (const name of texts.filter((each) => !/node_modules|\/dist\/|\.test\./.test(each))) {
    const text = await read(name)
    if (!/npx (--\S+ )*kith/.test(text)) continue
    telling.push(name)
    assert.match(text, /\bcheckout\b/, `${name} says npx kith and not where`)
  }
  assert.ok(telling.includes('README.md') && telling.includes('server/src/greeting.ts'), telling.join(' '))
})

test('the first page says in each language where the command comes from', async () => {
  const folder = join(root, 'server/src/site/words')
  for await (const name of glob('*.json', { cwd: folder })) {
    const words = JSON.parse(await readFile(join(folder, name), 'utf8'))
    assert.match(words['landing.register.text'], /<code>kith<\/code>/, name)
  }
})

test('published packages have their own scope; the command is still called kith', async () => {
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
