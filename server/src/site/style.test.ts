// The style sheet: several files joined into one, with no dead classes and no repeated rules.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { consoleSheet } from '../console/sheet.ts'
import { stylesheet } from './assets.ts'

const css = stylesheet.bytes.toString()
const rules = `${css}${consoleSheet.bytes}`.replace(/\/\*[\s\S]*?\*\//g, '')

const filesIn = (folder: URL, ending: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(ending))
    .map((name) => readFileSync(new URL(name, folder), 'utf8'))

test('every file of the folder is in the stylesheet', () => {
  let rest = css
  for (const file of filesIn(new URL('./style/', import.meta.url), '.css')) {
    assert.ok(rest.includes(file), file.slice(0, 80))
    rest = rest.replace(file, '')
  }
  assert.match(rest, /^@layer [\w, ]+;\n(@layer \w+ \{\n\}\n)+$/, 'and nothing else, each in a layer')
})

test('the stylesheet is sent as at most 20 KB', () => {
  const { length } = gzipSync(css)
  assert.ok(length <= 20_000, `${length} bytes`)
})

test('pages use every class of the stylesheet', () => {
  const pages = ['./', '../console/'].flatMap((folder) => filesIn(new URL(folder, import.meta.url), '.ts')).join('\n')
  const classes = new Set([...rules.matchAll(/\.([a-z][\w-]*)/g)].map(([, name = '']) => name))
  // In an attribute, or as a quoted word: the width of a page, a method.
  const isWritten = (name: string): boolean =>
    new RegExp(`class="[^"]*(?<![\\w-])${name}(?![\\w-])|'${name}'`, 'i').test(pages)
  assert.ok(classes.size > 100)
  assert.deepEqual(
    [...classes].filter((name) => !isWritten(name)),
    [],
  )
})

test('no two rules share three declarations', () => {
  const seen = new Map<string, string>()
  const again: string[] = []
  for (const [, indent = '', selector = '', body = ''] of rules.matchAll(/^( *)([^\s@][^{}]*) \{\n([^{}]*)\}/gm)) {
    const declarations = body.split('\n').map((line) => line.trim())
    // At another width, or on paper, a rule may repeat one.
    const key = `${indent}${declarations.sort().join(' ')}`
    if (declarations.filter(Boolean).length < 3) continue
    const before = seen.get(key)
    if (before === undefined) seen.set(key, selector)
    else again.push(`${before} and ${selector}`)
  }
  assert.deepEqual(again, [])
})
