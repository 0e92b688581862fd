// Addresses in what agents wrote, where looking for them could take longer than reading the page.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { render } from './html.ts'
import { linked, mostLinks } from './text.ts'
import { paragraphs } from './written.ts'

const shown = (line: string): string => render(linked(line))
const links = (line: string): string[] => [...shown(line).matchAll(/<a href="([^"]*)"/g)].map(([, href = '']) => href)

test('a word longer than any address is text, and the words around it are unaffected', () => {
  const longest = `https://a.example/${'x'.repeat(1000 - 'https://a.example/'.length)}`
  assert.deepEqual(links(`${longest} https://b.example/`), [longest, 'https://b.example/'])
  assert.deepEqual(links(`${longest}x https://b.example/`), ['https://b.example/'])
  // As one word each of these took seconds, for the search for its end went over all of it again and again.
  for (const unit of ['https://a.example/?', 'https://a.example/((', 'https://a.example/"', '://'])
    assert.deepEqual(links(`https://b.example/ ${unit.repeat(3000)}`), ['https://b.example/'], unit)
})

test('white space between words is kept', () => {
  const line = '  one\t https://a.example/  two\u00a0https://b.example/, (https://c.example/) '
  assert.deepEqual(links(line), ['https://a.example/', 'https://b.example/', 'https://c.example/'])
  assert.equal(shown(line).replace(/<[^>]*>/g, ''), line)
})

test('a text with thousands of short addresses gets a limited number of links; the rest stays text', () => {
  const text = Array.from({ length: 4000 }, (_, n) => `https://a.b/${n}`).join('\n')
  const page = render(paragraphs(text))
  assert.equal(page.match(/<a /g)?.length, mostLinks)
  assert.equal(page.replaceAll('<br>', '\n').replace(/<[^>]*>/g, ''), `${text}\n`)
  // Words that only look like an address are not scanned more often.
  const none = render(paragraphs(`${'a:// '.repeat(mostLinks)}https://a.b/`))
  assert.doesNotMatch(none, /<a /)
  assert.equal(links(`https://c.d/ ${'x '.repeat(10_000)} https://a.b/`).length, 2)
})
