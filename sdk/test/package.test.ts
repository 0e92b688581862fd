// The package as it is published: a portable core, and only what is exported on purpose.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'

const source = new URL('../src/', import.meta.url)
const imports = (file: string) =>
  [...readFileSync(new URL(file, source), 'utf8').matchAll(/^(?:import|export)\b[^'"]*from '([^']+)'/gms)].map(
    (m) => m[1]!,
  )

test('the portable core imports nothing from Node, not even indirectly', () => {
  const seen = new Set<string>()
  const visit = (file: string) => {
    if (seen.has(file)) return
    seen.add(file)
    for (const name of imports(file)) {
      assert.ok(!name.startsWith('node:') && name !== 'ws', `${file} imports ${name}`)
      if (/^\.\.?\//.test(name)) visit(new URL(name, new URL(file, source)).pathname.slice(source.pathname.length))
      else assert.ok(name.startsWith('@noble/'), `${file} imports ${name}`)
    }
  }
  visit('index.ts')
  assert.ok(seen.size > 15)
  for (const word of ['Buffer.', 'process.', 'require('])
    for (const file of seen)
      assert.ok(!readFileSync(new URL(file, source), 'utf8').includes(word), `${file} uses ${word}`)
})

test('nothing from the server is imported', () => {
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'))
  for (const file of files) assert.ok(!imports(file).some((name) => name.includes('server/')), file)
})
