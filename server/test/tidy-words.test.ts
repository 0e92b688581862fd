// biome-ignore-all lint/suspicious/noTemplateCurlyInString: what is read here is source. All words that pages and
// emails show are in the catalogue: none in the source of a page, and none unused.
import assert from 'node:assert/strict'
import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import english from '../src/site/words/en.json' with { type: 'json' }

const root = fileURLToPath(new URL('../src', import.meta.url))
const sources = new Map<string, string>()
for await (const name of glob('{site,console,mail}/**/*.ts', { cwd: root })) {
  // Samples of the contract are values, in whatever language.
  if (!name.endsWith('.test.ts') && name !== 'site/pages/sample.ts')
    sources.set(name, await readFile(join(root, name), 'utf8'))
}

const code = [...sources.values()].join('\n')

test('every key is used by a page or email', () => {
  const literals = new Set([...code.matchAll(/'([a-z][\w.-]*)'/g)].map(([, text]) => text))
  // Of a key that is put together what stands still.
  const starts = [...code.matchAll(/`([a-z][\w-]*\.[\w.-]*)\$\{[^`]*\}([\w.-]*)`/g)].map(
    ([, start = '', end = '']) => ({ start, end }),
  )
  const unused = Object.keys(english).filter(
    (key) => !literals.has(key) && !starts.some(({ start, end }) => key.startsWith(start) && key.endsWith(end)),
  )
  assert.deepEqual(unused, [])
})

/** The text of each `html` template itself, with a mark for each of its values. */
function templatesOf(source: string): string[] {
  return [...source.matchAll(/\bhtml`/g)].map(({ index }) => {
    let text = ''
    let at = index + 5
    while (at < source.length && source[at] !== '`') {
      if (source[at] === '\\') at += 2
      else if (source.startsWith('${', at)) {
        at = endOfValue(source, at + 2)
        text += '\0'
      } else text += source[at++]
    }
    return text
  })
}

/** Where a value in a template ends, behind its brace. */
function endOfValue(source: string, from: number): number {
  let depth = 1
  let at = from
  while (depth > 0 && at < source.length) {
    const character = source[at] as string
    if (character === '{') depth++
    if (character === '}') depth--
    if (character === "'" || character === '`') at = endOfText(source, at)
    at++
  }
  return at
}

/** Of a string or template, the place of its closing mark. */
function endOfText(source: string, from: number): number {
  const mark = source[from]
  let at = from + 1
  while (at < source.length && source[at] !== mark) {
    if (source[at] === '\\') at += 2
    else if (mark === '`' && source.startsWith('${', at)) at = endOfValue(source, at + 2)
    else at++
  }
  return at
}

/** Names, which are the same in every language. */
const names = /\b(UTC|OpenAPI|SHA-256|RSS|API)\b/g

/** The words that a template says by itself, outside of code. */
function wordsIn(template: string): string[] {
  const shown = template.replace(/<(code|pre|svg)\b[^>]*>[\s\S]*?<\/\1>/g, ' ')
  const labels = [...shown.matchAll(/\b(?:aria-label|title|alt|placeholder)="([^"]*)"/g)].map(([, text = '']) => text)
  // A piece of a tag is no text.
  const texts = shown
    .replace(/<[^>]*>/g, '\n')
    .replace(/(?<!\S)[\w-]+="[^"]*"/g, '')
    .replace(/^ (required|autofocus|selected|checked|disabled|open|multiple)$/, '')
    .split('\n')
  return [...labels, ...texts]
    .map((text) => text.replace(names, '').replace(/&\w+;/g, '').replaceAll('\0', '…').trim())
    .filter((text) => /\p{L}{2}/u.test(text))
}

/** Titles and descriptions that are given as they stand. */
const givenIn = (source: string): string[] =>
  [...source.matchAll(/^\s*(?:title|description|label|alt): (?:'([^']*)'|`([^`]*)`)/gm)]
    .map(([, plain, template]) => plain ?? (template ?? '').replace(/\$\{[^}]*\}/g, ''))
    .filter((text) => /\p{L}{2}/u.test(text) && !(text in english))

test('no page contains text of its own', () => {
  const found = [...sources].flatMap(([name, source]) =>
    [...templatesOf(source).flatMap(wordsIn), ...givenIn(source)].map((text) => ({ name, text })),
  )
  assert.deepEqual(
    found.map(({ name, text }) => `${name}: ${text}`),
    [],
  )
})

test('text is found wherever it appears, and nothing else counts as text', () => {
  const said = (source: string): string[] => templatesOf(source).flatMap(wordsIn)
  assert.deepEqual(said('html`<p>Hello ${name}</p>`'), ['Hello …'])
  assert.deepEqual(said('html`<a href="/x" title="To the start">${a}</a>`'), ['To the start'])
  assert.deepEqual(said('html`<p>${words("a.b", { b: html`<b>bold</b>` })}</p>`'), ['bold'])
  assert.deepEqual(said("html`${x ? '}' : `${y}`}<p>seen</p>`"), ['seen'])
  assert.deepEqual(said('html`<code>npx kith</code> · ${a} UTC &amp; <b class="quiet">×</b>`'), [])
})
