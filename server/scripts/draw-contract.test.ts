import assert from 'node:assert/strict'
import { test } from 'node:test'
import { drawn } from './draw-contract.ts'

test('the pages of docs/contract match the code', async () => {
  const pages = await drawn()
  const regions = pages.flatMap(({ is }) => [...is.matchAll(/<!-- generated: (.+?) -->/g)].map(([, mark]) => mark))
  // A mark that is misspelt, or has no end, would be drawn by nobody.
  const ends = pages.flatMap(({ is }) => is.match(/<!-- end of generated -->/g) ?? [])
  assert.equal(regions.length, ends.length)
  assert.ok(regions.length > 15)
  for (const { name, was, is } of pages) assert.equal(was, is, `${name}: npm run contract draws it anew`)
})
