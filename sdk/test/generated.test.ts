// The generated types are those of the committed contract.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { generate, readContract } from '../scripts/generate.ts'

test('src/generated is made from openapi.json (npm run openapi)', async () => {
  for (const [name, text] of Object.entries(await generate(readContract())))
    assert.equal(
      readFileSync(new URL(`../src/generated/${name}`, import.meta.url), 'utf8'),
      text,
      `${name} is out of date`,
    )
})
