// The generated types are those of the committed contract, and those of the package are those of its source.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { extendedBy, readContract } from '../scripts/contract.ts'
import { generate } from '../scripts/generate.ts'
import { typesFolder, writeTypes } from '../scripts/types.ts'

test('src/generated is made from openapi.json (npm run openapi)', () => {
  for (const [name, text] of Object.entries(generate(readContract())))
    assert.equal(
      readFileSync(new URL(`../src/generated/${name}`, import.meta.url), 'utf8'),
      text,
      `${name} is out of date`,
    )
})

test('a shape extends the largest one that it has all of, and none that it only resembles', () => {
  const shape = (fields: string, optional = '') => ({
    properties: Object.fromEntries([...fields].map((name) => [name, { type: 'string' }])),
    required: [...fields].filter((name) => name !== optional),
  })
  const schemas = { A: shape('abcdefgh'), B: shape('abcdefghi'), C: shape('abcdefghij'), D: shape('abcdefghk', 'a') }
  const bases = Object.keys(schemas).map((name) => extendedBy(name, schemas)?.base)
  assert.deepEqual(bases, [undefined, 'A', 'B', undefined])
  assert.deepEqual(extendedBy('C', schemas)?.more, { j: { type: 'string' } })
})

test('generated is made from src (npm run openapi)', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'kith-types-'))
  t.after(() => rm(folder, { recursive: true }))
  await writeTypes(folder)
  const listed = async (of: string) => (await readdir(of, { recursive: true })).sort()
  assert.deepEqual(await listed(typesFolder), await listed(folder))
  for (const name of (await listed(folder)).filter((each) => each.endsWith('.ts')))
    assert.equal(await readFile(join(typesFolder, name), 'utf8'), await readFile(join(folder, name), 'utf8'), name)
})
