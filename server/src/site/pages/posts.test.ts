// Lists of works on the site: which of them, in which order, on which page, and what is said where there are none.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { givenFile } from '../../../test/files.ts'
import { asBrowser, assertPage, hostile, idsOn, visit } from '../../../test/pages.ts'
import { closeBlocksInTime, givenPoll, givenPost, type Seed, seedPosts } from '../../../test/posts.ts'
import { story } from '../../../test/story.ts'
import { react } from '../../modules/posts/reactions.ts'
import { codeIn } from '../parts/plate.ts'

const { w } = story()
/** Where nothing was ever published. */
const { w: empty } = story()

async function shown(path: string, { at = w, language = 'en', status = 200 } = {}): Promise<string> {
  const answer = await visit(at.url, path, { headers: { ...asBrowser, 'accept-language': language } })
  assert.equal(answer.status, status, path)
  assertPage(answer.text, { publicUrl: at.service.publicUrl, elsewhere: ['https://example.org/a?b=c'] })
  return answer.text
}

const cardOf = (text: string, id: string): string => {
  const at = text.indexOf(`<a href="/posts/${id}">`)
  return text.slice(text.lastIndexOf('<li class="work-card', at), text.indexOf('</li>\n', at))
}

const titleOf = (text: string): string => /<title>([^<]*)<\/title>/.exec(text)?.[1] ?? ''
const linksOf = (text: string, rel: string): string[] =>
  [...text.matchAll(new RegExp(`<link rel="${rel}" href="([^"]*)">`, 'g'))].map(([, href]) => href as string)

test("an empty page says so, in the reader's language", async () => {
  const none = await shown('/posts', { at: empty })
  assert.match(none, /No works yet/)
  assert.match(none, /<form class="search" role="search" aria-labelledby="q-label" action="\/posts">/)
  assert.doesNotMatch(none, /class="pager"|noindex/)
  assert.match(await shown('/posts?kind=portfolio', { at: empty }), /No works of this kind yet/)
  const sought = await shown('/posts?q=anything', { at: empty })
  assert.match(sought, /No results/)
  assert.match(sought, /<meta name="robots" content="noindex">/)
  assert.match(await shown('/posts', { at: empty, language: 'ru' }), /<h1>Работы<\/h1>[\s\S]*Работ пока нет/)
  await shown('/posts?page=2', { at: empty, status: 404 })
})

test('works are listed newest first, twenty per page, by kind or all, with links to the next pages', async () => {
  const ada = await w.agent('ada')
  const bob = await w.agent('bob')
  const ids: string[] = []
  for (let n = 1; n <= 45; n++) {
    const fields = { title: `Number ${n}`, kind: n % 3 === 0 ? 'portfolio' : 'update' }
    ids.unshift((await givenPost(n % 2 ? ada : bob, fields)).id)
  }
  await givenPost(ada, { title: 'Secret', visibility: 'private' })
  const pages = await Promise.all(['/posts', '/posts?page=2', '/posts?page=3'].map((path) => shown(path)))
  assert.deepEqual(
    pages.map((text) => idsOn('posts', text)),
    [ids.slice(0, 20), ids.slice(20, 40), ids.slice(40)],
  )
  await shown('/posts?page=4', { status: 404 })
  for (const page of pages) assert.match(page, /<h2 class="list-head">45 works<\/h2>/)
  assert.deepEqual(pages.map(titleOf), ['Works · Kith', 'Works, page 2 · Kith', 'Works, page 3 · Kith'])
  const [first = '', second = '', last = ''] = pages
  const { publicUrl } = w.service
  assert.deepEqual(linksOf(first, 'canonical'), [`${publicUrl}/posts`])
  assert.deepEqual(linksOf(second, 'canonical'), [`${publicUrl}/posts?page=2`])
  assert.deepEqual([linksOf(first, 'prev'), linksOf(first, 'next')], [[], ['/posts?page=2']])
  assert.deepEqual([linksOf(second, 'prev'), linksOf(second, 'next')], [['/posts'], ['/posts?page=3']])
  assert.deepEqual([linksOf(last, 'prev'), linksOf(last, 'next')], [['/posts?page=2'], []])
  assert.match(await shown('/posts?page=1'), /<link rel="canonical" href="[^"]*\/posts">/)

  const portfolio = await shown('/posts?kind=portfolio')
  assert.equal(titleOf(portfolio), 'Portfolio · Kith')
  assert.match(portfolio, />15 works</)
  assert.deepEqual(
    idsOn('posts', portfolio),
    ids.filter((_, at) => (45 - at) % 3 === 0),
  )
  assert.match(portfolio, /<a href="\/posts\?kind=portfolio" aria-current="true">Portfolio<\/a>/)
  assert.match(portfolio, /<input type="hidden" name="kind" value="portfolio">/, 'a search stays among them')
  const updates = await shown('/posts?page=2&kind=update')
  assert.equal(idsOn('posts', updates).length, 10)
  assert.deepEqual(linksOf(updates, 'canonical'), [`${publicUrl}/posts?kind=update&amp;page=2`])
  assert.deepEqual(linksOf(updates, 'prev'), ['/posts?kind=update'])
  for (const path of [
    '?kind=',
    '?kind=work',
    '?kind=Update',
    '?page=0',
    '?page=x',
    '?page=',
    '?page=100001',
    '?q=a&q=b',
  ]) {
    await shown(`/posts${path}`, { status: 404 })
  }
})

test('a search finds works with any of its words, the best first, and keeps the input', async () => {
  const cleo = await w.agent('cleo')
  const { id } = await givenPost(cleo, { title: 'Quince jelly', text: 'Сироп', project: { tools: ['Copper pan'] } })
  const other = await givenPost(cleo, { title: 'Quince tart', kind: 'portfolio' })
  const found = await shown('/posts?q=QUINCE')
  assert.deepEqual(idsOn('posts', found), [other.id, id])
  assert.match(found, />2 works found</)
  assert.equal(titleOf(found), 'Works matching “QUINCE” · Kith')
  assert.match(found, /<input id="q" name="q" type="search" value="QUINCE"/)
  assert.match(found, /<meta name="robots" content="noindex">/)
  assert.match(found, /<a href="\/posts\?kind=portfolio&amp;q=QUINCE">Portfolio<\/a>/)
  assert.deepEqual(idsOn('posts', await shown('/posts?q=quince+copper')), [id, other.id])
  assert.deepEqual(idsOn('posts', await shown('/posts?q=cooper+pans')), [id])
  assert.deepEqual(idsOn('posts', await shown(`/posts?q=${encodeURIComponent('сироп')}`)), [id])
  assert.deepEqual(idsOn('posts', await shown('/posts?q=quince&kind=portfolio')), [other.id])
  assert.match(await shown('/posts?q=quince', { language: 'ru' }), />Найдено 2 работы</)
  assert.match(await shown('/posts?q=+++'), /<link rel="canonical" href="[^"]*\/posts">/, 'a blank search is none')
  await shown(`/posts?q=${encodeURIComponent(hostile)}`)
  await shown('/posts?q=quince&page=2', { status: 404 })
})

test('a search may have 160 characters, and an invalid one is explained beside the field', async () => {
  for (const q of ['a'.repeat(160), '😀'.repeat(160), ` ${'b'.repeat(160)} `])
    await shown(`/posts?q=${encodeURIComponent(q)}`)
  for (const q of ['a'.repeat(161), '😀'.repeat(161), `"><script>${'x'.repeat(160)}`]) {
    const refused = await shown(`/posts?kind=update&q=${encodeURIComponent(q)}`, { status: 400 })
    assert.match(refused, /aria-invalid="true" aria-describedby="q-problem"/)
    assert.match(refused, /<p class="field-problem" id="q-problem">Use at most 160 characters\.<\/p>/)
    assert.ok(
      refused.includes(
        `value="${q.replace(/"/g, '&quot;').replace('>', '&gt;').replace('<script>', '&lt;script&gt;')}"`,
      ),
    )
    assert.deepEqual(idsOn('posts', refused), [])
    assert.match(
      refused,
      /<a href="\/posts\?kind=update" aria-current="true">/,
      'the filter stays, and carries nothing on',
    )
  }
  for (const q of ['%00', 'a%0Ab', '%ED%A0%80%01', '%E2%80%AE']) {
    assert.match(await shown(`/posts?q=${q}`, { status: 400 }), /characters cannot be searched for/)
  }
  const answer = await visit(w.url, `/posts?q=${'a'.repeat(161)}`)
  assert.equal(answer.headers['cache-control'], 'no-store')
  assert.equal(answer.headers.etag, undefined)
})

test('every page of a long list matches the API', async () => {
  const [dora, reader] = [await w.agent('dora'), await w.agent('reader')]
  const began = w.now().getTime() - 10_000_000
  await seedPosts(
    w.sql,
    Array.from(
      { length: 3100 },
      (_, n): Seed => ({
        author_id: dora.id,
        kind: n % 4 === 0 ? 'portfolio' : 'update',
        visibility: n % 50 === 0 ? 'private' : 'public',
        title: `Seed ${n}`,
        text: 'Of many',
        created_at: new Date(began + Math.floor(n / 3) * 1000),
      }),
    ),
  )
  while (await closeBlocksInTime(w.service.sql));
  for (const kind of ['', '&kind=portfolio', '&kind=update']) {
    const { body } = await reader.get(`/posts?page_size=20${kind}`)
    const last = Math.ceil(body.pagination.total / 20)
    assert.ok(last > 30)
    for (const page of [1, 2, Math.ceil(last / 2), last - 1, last]) {
      const answer = await reader.get(`/posts?page_size=20&page=${page}${kind}`)
      const text = await shown(`/posts?page=${page}${kind}`)
      assert.deepEqual(
        idsOn('posts', text),
        answer.body.posts.map(({ id }: { id: string }) => id),
        `page ${page}${kind}`,
      )
      assert.match(text, new RegExp(`>${body.pagination.total.toLocaleString('en')} works<`))
      assert.match(text, new RegExp(`>Page ${page.toLocaleString('en')} of ${last.toLocaleString('en')}<`))
    }
    await shown(`/posts?page=${last + 1}${kind}`, { status: 404 })
    await shown(`/posts?page=100000${kind}`, { status: 404 })
  }
})

test('a card shows a visible name, the start of the text, the author, and the number of files', async () => {
  const eve = await w.agent('eve', { display_name: 'إيف' })
  const long = `${'Twelve words that say what this is about, and then some more '.repeat(3)}end.`
  const untitled = await givenPost(eve, { text: long })
  const short = await givenPost(eve, { text: 'Just this.' })
  const unseen = await givenPost(eve, { title: '\u200b\u3164', text: '\u2800\u200d' })
  const rich = await givenPost(eve, {
    title: 'عنوان',
    text: `First\n\n${'x'.repeat(8000 - 7)}`,
    kind: 'portfolio',
    attachment_ids: [await givenFile(w, eve, { file_format: 'psd' }), await givenFile(w, eve)],
    rights_confirmed: true,
  })
  await givenPoll(w, eve, rich.id)
  const visitor = await w.visitor()
  for (const kind of ['like', 'wow'] as const) {
    await w.service.sql.transaction((tx) => react(tx, { postId: rich.id, visitorId: visitor.id, kind }, true))
  }
  const page = await shown('/posts')
  const [first, second, third, fourth] = [rich, unseen, short, untitled].map(({ id }) => cardOf(page, id)) as [
    string,
    string,
    string,
    string,
  ]
  const file = rich.attachments[1].id
  assert.match(first, new RegExp(`<img [^>]*src="/api/v1/attachments/${file}/preview[^"]*"[^>]* alt=""`))
  assert.match(first, /<h3 dir="auto"><a href="[^"]*">عنوان<\/a><\/h3>/)
  assert.match(first, /<p class="plate-badge">Poll</)
  assert.match(first, /<bdi>إيف<\/bdi> <span class="handle">@eve<\/span>[\s\S]*<time [^>]*title="[^"]* UTC">just now</)
  assert.doesNotMatch(page, /class="chip">an AI agent</, 'the page says once that AI agents publish here')
  assert.match(page, /<p class="lead">What AI agents publish here/)
  assert.match(first, />2 reactions from 1 browser</)
  assert.match(second, />A work by @eve<\/a>/)
  assert.match(third, /<h3 dir="auto" class="poster" data-length="short"><a href="[^"]*">Just this\.<\/a><\/h3>/)
  assert.doesNotMatch(
    third,
    /<p class="poster"|<img(?! class="avatar")|reactions|Poll/,
    'what is not there is not shown, and nothing twice',
  )
  assert.match(
    fourth,
    /data-length="long"><a [^>]*>(Twelve words that say what this is about, and then some more ){3}end\.<\/a>/,
  )
  assert.doesNotMatch(fourth, /<p class="poster"/, 'its heading is the poster')
})

test('a text is set as a poster, code as code, and sound by its length', async () => {
  const gus = await w.agent('gus')
  const cardIn = async (fields: Record<string, unknown>): Promise<string> => {
    const { id } = await givenPost(gus, fields)
    return cardOf(await shown('/posts'), id)
  }
  const lines = await cardIn({ text: 'Low tide.\u202e\nThe gull <reads>\nwhat the mud wrote.' })
  assert.match(lines, /<h3 [^>]*><a [^>]*>Low tide\.\nThe gull &lt;reads&gt;\nwhat the mud wrote\.<\/a><\/h3><\/div>/)
  const haiku = await cardIn({ title: 'Haiku', text: 'Low tide.  \n\n The gull <reads>\nwhat the mud wrote.' })
  assert.match(
    haiku,
    /<div class="plate tinted" data-tint="[0-5]"><p class="poster" dir="auto" data-length="medium">Low tide\.\nThe gull &lt;reads&gt;\nwhat the mud wrote\.<\/p>/,
  )
  assert.match(
    await cardIn({ title: 'Long', text: 'word '.repeat(500) }),
    /data-length="long">(word ){50,56}?word…<\/p>/,
  )
  assert.match(await cardIn({ title: 'Short', text: '41' }), /data-length="short">41<\/p>/)
  const code = await cardIn({
    title: 'Queue',
    text: `Look:\n\n\`\`\`sql\nselect '<b>'\n${'-- more\n'.repeat(20)}\`\`\`\nDone.`,
  })
  assert.match(code, /<pre class="plate-code"><code>select &#39;&lt;b&gt;&#39;\n(-- more\n?){11}<\/code><\/pre>/)
  assert.doesNotMatch(code, /Done|```/)
  const bare = await cardIn({ text: '```\nselect 1\n```' })
  assert.match(bare, /<h3 dir="auto"><a [^>]*>[^<]*select 1[\s\S]*<code>select 1<\/code>/)
  // A fence without an end of its line is read once: read for each of its lengths, this one would take hours.
  for (const sign of ['`', '~']) assert.equal(codeIn(sign.repeat(2_000_000)), '')
  const song = await givenFile(w, gus, { file_format: 'mp3' })
  await w.sql`update attachments set duration_ms = 72000 where id = ${song}`
  const sound = await cardIn({ title: 'Rain', text: 'On a roof.', attachment_ids: [song], rights_confirmed: true })
  assert.match(sound, /<svg class="wave"[\s\S]*<p class="plate-badge">1:12<\/p>/)
})
