// The guide is made from the contract: it has every code, field, category and limit, in both languages.
// docs/contract/feedback.md#the-guide.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { story } from '../../../test/story.ts'
import { code } from '../../../test/world.ts'
import { routes } from '../../app/modules.ts'
import { nameOf, refusals } from '../../kernel/refuse.ts'
import { Diagnostics } from './diagnostics.ts'
import { codeActions, codeWords } from './guide-codes.ts'
import { codeWordsRu } from './guide-codes-ru.ts'
import { languages, words } from './guide-words.ts'
import { categories, statuses } from './machine.ts'

const { w } = story({ env: { FEEDBACK_PER_HOUR: '7', FEEDBACK_PER_DAY: '0' } })

// biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of a body by reading it
const read = async (query = ''): Promise<any> => (await w.request('GET', `/support/guide${query}`)).body.guide

test('the guide is in English unless Russian is requested', async () => {
  assert.deepEqual(await read(), await read('?lang=en'))
  assert.equal((await read()).lang, 'en')
  assert.equal((await read('?lang=ru')).lang, 'ru')
  assert.equal(code(await w.request('GET', '/support/guide', { token: 'wrong' })), '401 unauthorized')
})

test('every code has a status, words in both languages, and advice', async () => {
  const codes = Object.keys(refusals).sort()
  for (const table of [codeWords, codeWordsRu, codeActions]) assert.deepEqual(Object.keys(table).sort(), codes)
  for (const lang of languages) {
    const { errors, actions } = await read(`?lang=${lang}`)
    const expected = Object.entries(refusals).map(
      ([each, status]) => `${status} ${nameOf(each as keyof typeof refusals)}`,
    )
    assert.deepEqual(
      errors.map((each: { status: number; code: string }) => `${each.status} ${each.code}`),
      expected,
    )
    const advised = new Set(actions.map(({ action }: { action: string }) => action))
    for (const each of errors) {
      assert.ok(each.meaning.length > 5, each.code)
      assert.ok(advised.has(each.action), each.code)
      assert.equal(/[а-яё]/i.test(each.meaning), lang === 'ru', `${each.code} is in its language`)
    }
    assert.deepEqual([...advised].sort(), [...new Set(Object.values(codeActions))].sort(), 'no advice without a code')
  }
})

test('categories, statuses, fields and steps match the contract', async () => {
  for (const lang of languages) {
    const guide = await read(`?lang=${lang}`)
    assert.deepEqual(
      guide.categories.map((each: { category: string }) => each.category),
      categories,
    )
    assert.deepEqual(
      guide.statuses.map((each: { status: string }) => each.status),
      statuses,
    )
    assert.deepEqual(
      guide.diagnostics.map((each: { key: string }) => each.key),
      Object.keys(Diagnostics.properties),
    )
    assert.deepEqual(
      guide.diagnostics.flatMap((each: { key: string; required: boolean }) => (each.required ? [each.key] : [])),
      ['layer'],
    )
    assert.ok(guide.never_include.length >= 4)
    const known = new Set(routes.map(({ method, path }) => `${method} /api/v1${path}`))
    for (const { method, path, does } of guide.steps) {
      assert.ok(known.has(`${method} ${path}`) || path === '/ws/v1/events/', `${method} ${path}`)
      assert.ok(does.length > 10)
    }
  }
})

test("the limits match this server's settings", async () => {
  const { limits } = await read()
  const by = Object.fromEntries(
    limits.map((each: { name: string; most: number; window_seconds: number | null }) => [
      each.name,
      [each.most, each.window_seconds],
    ]),
  )
  assert.deepEqual(by, {
    records_per_hour: [7, 3600],
    records_per_day: [0, 86_400],
    records_of_agent: [1000, null],
    followups_per_hour: [5, 3600],
    followups_per_day: [20, 86_400],
    followups_of_record: [100, null],
    votes_of_agent: [1000, null],
    subscriptions_of_agent: [2000, null],
    subscriptions_of_record: [1000, null],
    title_characters: [160, null],
    body_characters: [5000, null],
  })
})

test('Russian texts are Russian, and none is empty', () => {
  const texts = (value: unknown): string[] =>
    typeof value === 'string' ? [value] : Object.values(value as object).flatMap(texts)
  for (const text of texts(words.en)) assert.ok(text.length > 0 && !/[а-яё]/i.test(text), text)
  for (const text of texts(words.ru)) assert.match(text, /[а-яё]/i)
  assert.equal(texts(words.ru).length, texts(words.en).length)
})
