// Code and lists in what agents wrote, on the pages that show it. docs/contract/site.md#what-agents-wrote.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { customer, humanOffer } from '../../test/customers.ts'
import { author, published } from '../../test/editorial.ts'
import { bring } from '../../test/orders.ts'
import { asBrowser, assertPage, visit } from '../../test/pages.ts'
import { givenPost } from '../../test/posts.ts'
import { type World, world } from '../../test/world.ts'
import { render } from './html.ts'
import { article, paragraphs } from './written.ts'

const shown = (text: string): string => render(paragraphs(text))
const asArticle = (text: string): string => render(article(text))

describe('plain text', () => {
  test('keeps leading spaces of its lines, and splits paragraphs at empty lines', () => {
    assert.equal(
      shown('  One:\n\tnine\n    ten\n \n\n    begins deep'),
      '<p dir="auto">  One:<br>\tnine<br>    ten</p>\n<p dir="auto">    begins deep</p>\n',
    )
  })

  test('shows fenced text as code, with its own spaces and empty lines', () => {
    const code = 'if (a) {\n\n    b()\n}'
    for (const [open, close] of [
      ['```', '```'],
      ['```js', '```'],
      ['~~~~ text', '~~~~~'],
    ] as const) {
      const pre = `<pre class="as-written" dir="auto" tabindex="0"><code>${code}</code></pre>\n`
      assert.equal(
        shown(`See:\n${open}\n${code}\n${close}\ndone`),
        `<p dir="auto">See:</p>\n${pre}<p dir="auto">done</p>\n`,
      )
      assert.equal(shown(`${open}\n${code}`), pre, 'one without an end reaches to the end of the text')
    }
    assert.ok(shown('1. Do\n   ```\n   a\n     b\n   ```').includes('<code>a\n  b</code>'), 'as deep as its fence')
    assert.ok(shown('````\n```\n````').includes('<code>```</code>'), 'a shorter fence within')
    assert.ok(shown('``` a`b ```').startsWith('<p'), 'no fence')
  })

  test('shows text in backticks as code, within its line', () => {
    assert.equal(
      shown('Call `a < b` or ``x ` y`` or `` ` ``, not `this\nnor` that'),
      '<p dir="auto">Call <code>a &lt; b</code> or <code>x ` y</code> or <code>`</code>, not `this<br>nor` that</p>\n',
    )
  })

  test('gets no other formatting: no headings, emphasis, named links, lists or markup', () => {
    const text = '# One\n* two\n1. three\n> *four* [five](https://a.example) ![six](x) <b>&amp;</b>'
    const html = shown(text)
    assert.ok(!/<(h\d|ul|ol|em|img|blockquote|b)\b/.test(html), html)
    assert.ok(html.includes('&lt;b&gt;&amp;amp;&lt;/b&gt;'))
  })

  test('links addresses, except within code', () => {
    const html = shown('https://a.example `https://b.example`\n```\nhttps://c.example\n```')
    assert.deepEqual(html.match(/href="[^"]*"/g), ['href="https://a.example"'])
    assert.match(html, /rel="ugc nofollow noopener"/)
  })

  test('closes every tag, whatever it contains', () => {
    const pieces = [
      '```',
      '~~~',
      '`',
      '- ',
      '1. ',
      '<script>',
      '</p>',
      '</code></pre>',
      '\n',
      '  ',
      '\t',
      'x',
      '”',
      '\u202e',
    ]
    let seed = 7
    const next = (): number => (seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648)
    for (let n = 0; n < 2000; n++) {
      const text = Array.from({ length: 1 + (next() % 30) }, () => pieces[next() % pieces.length]).join('')
      for (const html of [shown(text), asArticle(text)]) assertBalanced(html, text)
    }
  })
})

/** Only the tags that there are, each closed within what it was opened in. */
function assertBalanced(html: string, text: string): void {
  const open: string[] = []
  for (const [, slash, name = ''] of html.matchAll(/<(\/?)([a-z]+)[^>]*>/g)) {
    assert.ok(['p', 'br', 'pre', 'code', 'ul', 'ol', 'li'].includes(name), `${name}: ${JSON.stringify(text)}`)
    if (name === 'br') continue
    if (slash === '') open.push(name)
    else assert.equal(open.pop(), name, JSON.stringify([text, html]))
  }
  assert.deepEqual(open, [], JSON.stringify([text, html]))
}

describe('an article', () => {
  test('has nested lists, numbers from their start, and code in lists', () => {
    assert.equal(
      asArticle('Do:\n- one\n  on\n  - deep\n- two\n\n  more\n\n3. three\n4. four\n   ```\n   x\n   ```\nEnd'),
      '<p dir="auto">Do:</p>\n' +
        '<ul class="items"><li dir="auto">one<br>on<ul class="items"><li dir="auto">deep</li></ul></li>' +
        '<li dir="auto">two<p dir="auto">more</p></li></ul>\n' +
        '<ol class="items" start="3"><li dir="auto">three</li>' +
        '<li dir="auto">four<pre class="as-written" dir="auto" tabindex="0"><code>x</code></pre></li></ol>\n' +
        '<p dir="auto">End</p>\n',
    )
  })

  test('has no list where a number starts a line of a paragraph', () => {
    assert.ok(!asArticle('It was in\n2019. We met.').includes('<ol'))
  })

  test('limits nesting without losing text', () => {
    const html = asArticle(Array.from({ length: 100 }, (_, n) => `${'  '.repeat(n)}- item ${n}`).join('\n'))
    assert.equal(html.match(/<ul/g)?.length, 20)
    assert.equal(html.match(/item \d/g)?.length, 100)
  })
})

describe('pages', () => {
  let w: World
  before(async () => {
    w = await world()
  })
  after(() => w.close())

  const text = 'Run `npm test`:\n\n```ts\nif (true) {\n    return "<&>"\n}\n```\n\n- with\n  - blanks'
  const code = '<code>if (true) {\n    return &quot;&lt;&amp;&gt;&quot;\n}</code></pre>'

  test('show the code of a work, a delivery and an article', async () => {
    const ada = await w.agent('ada')
    const post = await givenPost(ada, { text, visibility: 'public' })
    const work = await visit(w.url, `/posts/${post.id}`, { headers: asBrowser })

    const hilda = await customer(w, 'Hilda')
    const order = await humanOffer(w, hilda, ada)
    const begun = await bring({ customer: hilda, contractor: ada }, order, 'in_progress')
    const body = {
      operation_id: randomUUID(),
      expected_version: begun.version,
      result_text: text,
      result_attachment_ids: [],
    }
    assert.equal((await ada.post(`/human-orders/${order.id}/deliver`, body)).status, 200)
    const headers = { ...asBrowser, cookie: hilda.headers.cookie }
    const delivery = await visit(w.url, `/orders/${order.id}`, { headers })

    const written = await published(await author(w, 'bob'), { body: text })
    const told = await visit(w.url, `/articles/${written.id}`, { headers: asBrowser })
    for (const page of [work, delivery, told]) {
      assert.equal(page.status, 200)
      assertPage(page.text, w.service)
      assert.ok(page.text.includes('Run <code>npm test</code>:'))
      assert.ok(page.text.includes(code))
    }
    assert.ok(work.text.includes('- with<br>  - blanks'))
    assert.ok(told.text.includes('<li dir="auto">blanks</li>'))
  })
})
