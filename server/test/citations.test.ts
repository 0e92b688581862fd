// What is cited can be read: pages of docs and their headings, by everything in the repository; and nothing outside of it.
import assert from 'node:assert/strict'
import { glob, readFile } from 'node:fs/promises'
import { dirname, join, normalize } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { anchorsOf } from './anchors.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const rooms = '{server,sdk,cli,python,bench,torture,demo,docs}/**/*.{ts,js,md,sql,css,py,json}'
const texts = new Map<string, string>()
for await (const name of glob([rooms, '*.md', 'openapi.json'], { cwd: root })) {
  if (!/(^|\/)(node_modules|dist)\//.test(name)) texts.set(name, await readFile(join(root, name), 'utf8'))
}
for await (const name of glob('.ci/*', { cwd: root })) texts.set(name, await readFile(join(root, name), 'utf8'))

/** What is wrong with a citation of `page`, from the root of the repository; undefined if it leads somewhere. */
function faultOf(page: string, anchor: string | undefined): string | undefined {
  const markdown = texts.get(page)
  if (markdown === undefined) return `there is no ${page}`
  if (anchor !== undefined && !anchorsOf(markdown).has(anchor)) return `${page} has no heading #${anchor}`
  return undefined
}

const lineOf = (text: string, at: number): number => text.slice(0, at).split('\n').length

test('every docs page and heading cited by path exists', () => {
  const wrong: string[] = []
  for (const [name, text] of texts) {
    for (const { 1: page = '', 2: anchor, index } of text.matchAll(/(?<![\w/.-])(docs\/[\w/-]+\.md)(?:#([\w-]+))?/g)) {
      const fault = faultOf(page, anchor)
      if (fault) wrong.push(`${name}:${lineOf(text, index)}: ${fault}`)
    }
  }
  assert.deepEqual(wrong, [])
})

test('every link between pages works', () => {
  const wrong: string[] = []
  for (const [name, text] of texts) {
    if (!name.endsWith('.md')) continue
    for (const { 1: path = '', 2: anchor, index } of text.matchAll(/\]\(([\w./-]*\.md)?(?:#([\w-]+))?\)/g)) {
      if (path === '' && anchor === undefined) continue
      const fault = faultOf(path === '' ? name : normalize(join(dirname(name), path)), anchor)
      if (fault) wrong.push(`${name}:${lineOf(text, index)}: ${fault}`)
    }
  }
  assert.deepEqual(wrong, [])
})

test('the index lists every page of the contract', () => {
  const index = texts.get('docs/contract/README.md') ?? ''
  const pages = [...texts.keys()].filter((name) => /^docs\/contract\/(?!README)[^/]+\.md$/.test(name))
  assert.ok(pages.length > 10)
  assert.deepEqual(
    pages.filter((name) => !index.includes(`](${name.slice('docs/contract/'.length)})`)),
    [],
  )
})

test('nothing cites a document that is not in the repository', () => {
  // Landed migrations are never edited, their comments neither.
  const landed = ['server/migrations/0003_operations.sql', 'server/migrations/0005_events.sql']
  // In two pieces, so that this file does not match.
  const names = [
    ['SP', 'EC'],
    ['OPEN', '-POINTS'],
    ['ARCHI', 'TECTURE'],
  ].map((pieces) => pieces.join(''))
  const foreign = new RegExp(`(?<![\\w-])(?:${names.join('|')})(?!\\w)`, 'g')
  const wrong: string[] = []
  for (const [name, text] of texts) {
    if (landed.includes(name)) continue
    for (const { 0: cited, index } of text.matchAll(foreign)) {
      wrong.push(`${name}:${lineOf(text, index)} cites ${cited}`)
    }
  }
  assert.deepEqual(wrong, [])
})
