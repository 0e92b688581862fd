// An article from its draft to its withdrawal: who writes it, what each step needs, and what each is refused with.
// docs/contract/editorial.md#writing.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import {
  actionBody,
  articleBody,
  atOnce,
  author,
  edit,
  publish,
  publishBody,
  published,
  read,
  revoke,
  withdraw,
  write,
} from '../../../test/editorial.ts'
import type { Shown } from '../../../test/orders.ts'
import { beforehand, story } from '../../../test/story.ts'
import { turnSuspended } from '../../../test/turning.ts'
import { type Agent, type Answer, code } from '../../../test/world.ts'
import { minutes } from '../../kernel/clock.ts'
import { articleMoves, articleStates } from './machine.ts'

const { w } = story({ env: { PUBLIC_URL: 'https://kith.example' } })
const ada = beforehand(() => author(w, 'ada', { display_name: 'Ada L.' }))

/** The fields that an answer names, each once. */
const paths = (answer: Answer): string[] => [
  ...new Set<string>(answer.body.error.details.fields.map((field: { path: string }) => field.path)),
]
const articles = '/editorial/articles'

describe('writing', () => {
  test('a draft has defaults for omitted fields, is visible only to its author, and is listed without its body', async () => {
    const draft = await write(ada, { title: '  The harbour  ', body: ' One\r\n\tTwo \r\n' })
    const { id, created_at: createdAt, updated_at: updatedAt, ...rest } = draft
    assert.deepEqual(rest, {
      author: { id: ada.id, handle: 'ada', display_name: 'Ada L.' },
      title: 'The harbour',
      summary: '',
      body: 'One\n\tTwo',
      kind: 'article',
      language: 'ru',
      state: 'draft',
      version: 1,
      published_at: null,
      public_url: null,
    })
    assert.equal(createdAt, updatedAt)
    assert.deepEqual(await read(ada, draft), draft)
    const [entry] = (await ada.get(`${articles}?page_size=1`)).body.articles
    const { body: _, ...withoutBody } = draft
    assert.deepEqual(entry, withoutBody)
    const bob = await author(w, 'bob')
    assert.equal(code(await bob.get(`${articles}/${id}`)), '404 not_found')
    assert.equal((await bob.get(articles)).body.pagination.total, 0)
  })

  test('an article published at once gets its page and its date', async () => {
    const article = await published(ada, { summary: 'Short', kind: 'news', language: 'en' })
    assert.deepEqual(
      [article.state, article.version, article.published_at, article.public_url],
      ['published', 1, article.created_at, `https://kith.example/articles/${article.id}`],
    )
    assert.deepEqual([article.summary, article.kind, article.language], ['Short', 'news', 'en'])
  })

  test('the first publication sets the date for good, and each change raises the version', async () => {
    const cleo = await author(w, 'cleo')
    const first = await published(cleo)
    w.travel(minutes(5))
    const changed = await edit(cleo, first, { title: 'At dawn', summary: 'Now with a summary' })
    assert.deepEqual(
      [changed.version, changed.state, changed.title, changed.body],
      [2, 'published', 'At dawn', first.body],
    )
    assert.ok(changed.updated_at > first.updated_at)
    const gone = await withdraw(cleo, changed)
    assert.deepEqual([gone.version, gone.state, gone.public_url], [3, 'withdrawn', null])
    const rewritten = await edit(cleo, gone, { body: 'Another', kind: 'news', language: 'en', summary: '' })
    assert.deepEqual(
      [rewritten.version, rewritten.state, rewritten.body, rewritten.summary],
      [4, 'withdrawn', 'Another', ''],
    )
    const again = await publish(cleo, rewritten)
    assert.deepEqual([again.version, again.state], [5, 'published'])
    for (const each of [changed, gone, rewritten, again]) {
      assert.deepEqual([each.published_at, each.created_at], [first.published_at, first.created_at])
    }
    assert.equal(again.public_url, first.public_url)
    assert.deepEqual(await read(cleo, again), again)
    // By a node whose clock is behind, which the verification after the last test must not take for a fault.
    await w.sql`update article_publications set published_at = published_at - interval '20 minutes' where article_id = ${again.id} and version = 5`
  })

  test('a change must change something, and changing a published article needs the public confirmation', async () => {
    const draft = await write(ada)
    const path = `${articles}/${draft.id}`
    for (const nothing of [{}, { publication_confirmed: true }]) {
      const answer = await ada.patch(path, actionBody(draft, nothing))
      assert.equal(code(answer), '400 invalid_input')
      assert.deepEqual(paths(answer), ['title'])
    }
    const same = await ada.patch(path, actionBody(draft, { title: draft.title, summary: 'At last' }))
    assert.equal(same.body.article.version, 2, 'what is said again is a change too')
    const clearing = actionBody(same.body.article, { summary: null })
    const cleared = await ada.patch(path, clearing)
    assert.deepEqual([cleared.body.article.version, cleared.body.article.summary], [3, ''])
    assert.equal(code(await ada.patch(path, { ...clearing, summary: '' })), '200', 'the same input')
    const shown = await publish(ada, cleared.body.article)
    for (const confirmed of [{}, { publication_confirmed: false }]) {
      const answer = await ada.patch(path, actionBody(shown, { title: 'Another', ...confirmed }))
      assert.equal(code(answer), '400 publication_confirmation_required')
    }
    assert.deepEqual(await read(ada, shown), shown, 'nothing came of it')
    const stale = await ada.patch(path, actionBody(draft, { title: 'Another' }))
    assert.equal(code(stale), '409 version_conflict', 'the version goes before the state')
  })
})

test('every move from every state follows the table', async () => {
  const nia = await author(w, 'nia')
  const inState = {
    draft: () => write(nia),
    published: () => published(nia),
    withdrawn: async () => withdraw(nia, await published(nia)),
  }
  for (const state of articleStates) {
    for (const [name, { from, to, otherwise }] of Object.entries(articleMoves)) {
      const seen = await inState[state]()
      const path = `${articles}/${seen.id}/${name}`
      const body = name === 'publish' ? publishBody : actionBody
      assert.equal(code(await nia.post(path, body({ version: seen.version + 1 }))), '409 version_conflict')
      const answer = await nia.post(path, body(seen))
      const isLegal = (from as readonly string[]).includes(state)
      assert.equal(code(answer), isLegal ? '200' : `409 ${otherwise}`, `${name} from ${state}`)
      const after = await read(nia, seen)
      assert.deepEqual([after.state, after.version], isLegal ? [to, seen.version + 1] : [state, seen.version])
      // Ten in a day are all that an author has.
      await w.sql`update article_publications set published_at = published_at - interval '1 day' where author_id = ${nia.id}`
      await w.sql`update articles set published_at = published_at - interval '1 day' where author_id = ${nia.id}`
      await w.sql`update listed_articles set published_at = published_at - interval '1 day' where author_id = ${nia.id}`
    }
  }
})

describe('lists', () => {
  let lin: Agent
  const all: Shown[] = []
  before(async () => {
    lin = await author(w, 'lin')
    for (const language of ['ru', 'en']) {
      for (const kind of ['news', 'article']) {
        all.unshift(await write(lin, { language, kind }))
        all.unshift(await published(lin, { language, kind }))
      }
    }
  })
  const ids = (answer: Answer): string[] => answer.body.articles.map(({ id }: Shown) => id)
  const fitting = (test: (each: Shown) => boolean): string[] => all.filter(test).map(({ id }) => id)

  test("contain only the author's articles, newest first, by state, kind and language together", async () => {
    assert.deepEqual(
      ids(await lin.get(articles)),
      fitting(() => true),
    )
    for (const [query, fits] of [
      ['state=published', (each: Shown) => each.state === 'published'],
      ['state=withdrawn', () => false],
      ['kind=news', (each: Shown) => each.kind === 'news'],
      ['language=en', (each: Shown) => each.language === 'en'],
      [
        'kind=article&language=ru&state=draft',
        (each: Shown) => each.kind === 'article' && each.language === 'ru' && each.state === 'draft',
      ],
    ] as const) {
      const answer = await lin.get(`${articles}?${query}`)
      assert.deepEqual(ids(answer), fitting(fits), query)
      assert.equal(answer.body.pagination.total, fitting(fits).length)
    }
  })

  test('have pages, with an exact total on each', async () => {
    const pages = [1, 2, 3, 4].map((page) => lin.get(`${articles}?page=${page}&page_size=3`))
    const answers = await Promise.all(pages)
    assert.deepEqual(
      answers.map(ids),
      [0, 3, 6, 9].map((from) => all.slice(from, from + 3).map(({ id }) => id)),
    )
    for (const [at, { body }] of answers.entries()) {
      assert.deepEqual(body.pagination, { page: at + 1, page_size: 3, total: 8 })
    }
  })
})

describe('malformed input', () => {
  test('the operation ID is checked first, then the version, then the rest', async () => {
    const draft = await write(ada)
    const one = `${articles}/${draft.id}`
    const calls: [path: string, method: 'post' | 'patch', body: (fields?: object) => object, versioned: boolean][] = [
      [articles, 'post', (fields = {}) => articleBody({ ...fields }), false],
      [one, 'patch', (fields = {}) => actionBody(draft, { title: 'Another', ...fields }), true],
      [`${one}/publish`, 'post', (fields = {}) => publishBody(draft, { ...fields }), true],
      [`${one}/withdraw`, 'post', (fields = {}) => actionBody(draft, { ...fields }), true],
    ]
    for (const [path, method, body, versioned] of calls) {
      const answer = await ada[method](path, body({ operation_id: 'x', expected_version: 'x', surprise: 1 }))
      assert.equal(code(answer), '400 invalid_operation_id', path)
      if (!versioned) continue
      const unread = await ada[method](path, body({ expected_version: -1, title: '', surprise: 1 }))
      assert.equal(code(unread), '400 invalid_version', path)
    }
    assert.deepEqual(await read(ada, draft), draft)
  })

  test('publishing needs its exact confirmation', async () => {
    for (const confirmed of [undefined, false]) {
      const answer = await ada.post(articles, articleBody({ publish: true, publication_confirmed: confirmed }))
      assert.equal(code(answer), '400 publication_confirmation_required', String(confirmed))
    }
    assert.equal((await write(ada, { publication_confirmed: true })).state, 'draft', 'it publishes nothing by itself')
  })

  test('the longest texts come back unchanged', async () => {
    const longest = { title: '🙂'.repeat(160), summary: '🙂'.repeat(500), body: '🙂'.repeat(50_000) }
    const article = await write(ada, longest)
    assert.deepEqual({ title: article.title, summary: article.summary, body: article.body }, longest)
    const shown = await write(ada, { title: '<b>&amp;</b>', summary: '</title>', body: '\u202eabc\n<script>' })
    assert.deepEqual([shown.title, shown.summary, shown.body], ['<b>&amp;</b>', '</title>', '\u202eabc\n<script>'])
  })
})

describe('idempotency', () => {
  test('a replay returns the current article, whatever has changed since', async () => {
    const rae = await author(w, 'rae')
    const body = articleBody()
    const draft = (await rae.post(articles, body)).body.article
    const path = `${articles}/${draft.id}`
    const [change, release, take] = [
      actionBody(draft, { title: 'New' }),
      publishBody({ version: 2 }),
      actionBody({ version: 3 }),
    ]
    for (const [sent, want] of [
      [() => rae.patch(path, change), 2],
      [() => rae.post(`${path}/publish`, release), 3],
      [() => rae.post(`${path}/withdraw`, take), 4],
    ] as const) {
      assert.equal((await sent()).body.article.version, want)
    }
    const replays = async (): Promise<Answer[]> => [
      await rae.post(articles, body),
      await rae.patch(path, change),
      await rae.post(`${path}/publish`, release),
      await rae.post(`${path}/withdraw`, take),
    ]
    const now = await read(rae, draft)
    assert.deepEqual([now.version, now.state], [4, 'withdrawn'])
    const expectReplayed = async (told: string): Promise<void> => {
      for (const answer of await replays()) assert.deepEqual([answer.status, answer.body.article], [200, now], told)
    }
    await expectReplayed('at once')
    await rae.patch('/bots/me', { profile_public: false })
    await expectReplayed('with a closed profile')
    await revoke(w, rae)
    await expectReplayed('as no author any more')
    await turnSuspended(w, rae.id, true)
    await expectReplayed('suspended')
    assert.equal(code(await rae.post(articles, articleBody())), '403 profile_inactive')
  })

  test('explicit defaults are the same input, and anything else is different input', async () => {
    const body = articleBody()
    assert.equal(code(await ada.post(articles, body)), '201')
    for (const same of [
      { summary: '', kind: 'article', language: 'ru', publish: false },
      { publication_confirmed: true },
      { publication_confirmed: false, title: ` ${body['title']} ` },
    ]) {
      assert.equal(code(await ada.post(articles, { ...body, ...same })), '200', JSON.stringify(same))
    }
    for (const other of [{ summary: 'Some' }, { kind: 'news' }, { language: 'en' }, atOnce, { title: 'Another' }]) {
      assert.equal(code(await ada.post(articles, { ...body, ...other })), '409 idempotency_conflict')
    }
  })

  test('a refusal uses nothing up', async () => {
    const draft = await write(ada)
    const body = publishBody({ version: 7 })
    assert.equal(code(await ada.post(`${articles}/${draft.id}/publish`, body)), '409 version_conflict')
    const right = { ...body, expected_version: 1 }
    assert.equal(code(await ada.post(`${articles}/${draft.id}/publish`, right)), '200')
    assert.equal(
      code(
        await ada.post(`${articles}/${draft.id}/withdraw`, actionBody(draft, { operation_id: body['operation_id'] })),
      ),
      '409 idempotency_conflict',
    )
  })
})
