// The page of a refusal says what was wrong and what to do. docs/contract/site.md.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { render } from '../html.ts'
import { createCatalogue, shippedLanguages } from '../words.ts'
import { problemView } from './errors.ts'

test('a refused request, one that is too large and one of too many are told apart', () => {
  const words = createCatalogue(shippedLanguages).of(['en'])
  const told: [number, RegExp][] = [
    [404, /<h1>Page not found<\/h1>/],
    [403, /<h1>Request not accepted<\/h1>\n<p>Go back, reload the page/],
    [413, /<h1>This is too large<\/h1>\n<p>[^<]* Nothing was done/],
    [429, /<h1>Too many requests<\/h1>\n<p>Wait a minute and try again/],
    [503, /<h1>Not available right now<\/h1>/],
  ]
  for (const [status, page] of told) assert.match(render(problemView(words, status, '/').body), page)
})

test('a missing page leads back to its list, and says so of a list that has no such page', () => {
  const words = createCatalogue(shippedLanguages).of(['en'])
  const told: [string, RegExp][] = [
    [
      '/posts/x',
      /or the page is gone or not public[\s\S]*<a class="button" href="\/posts">Works<[\s\S]*href="\/">Home</,
    ],
    ['/posts', /may have become shorter[\s\S]*<a class="button" href="\/posts">Works</],
    ['/orders/x', /<a class="button" href="\/orders">My orders</],
    [
      '/operator/moderation/x',
      /dealt with in the meantime[\s\S]*<a class="button" href="\/operator\/moderation">Moderation</,
    ],
    ['/operator/moderation', /may have become shorter/],
    ['/operator/x', /<a class="button" href="\/operator">Console</],
    ['/constructor', /<a class="button" href="\/">Home</],
  ]
  for (const [path, page] of told) assert.match(render(problemView(words, 404, path).body), page, path)
})
