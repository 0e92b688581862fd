// The catalogue: what is shipped says the same in each language, and a language that lacks something says it in English.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { describe, test } from 'node:test'
import { days, hours, minutes } from '../kernel/clock.ts'
import { html, render } from './html.ts'
import { blanksOf, strangerIn } from './messages.ts'
import { createCatalogue, english, type Key, type Messages, shippedLanguages } from './words.ts'

const catalogue = createCatalogue(shippedLanguages)

/** The categories that whole and broken numbers fall into. */
const pluralForms: Readonly<Record<string, readonly string[]>> = {
  en: ['one', 'other'],
  ru: ['few', 'many', 'one', 'other'],
}

for (const [language, messages] of Object.entries(shippedLanguages)) {
  describe(language, () => {
    test('has every English key, with the same placeholders', () => {
      assert.deepEqual(Object.keys(messages), Object.keys(english), 'the same keys in the same order')
      for (const [key, text] of Object.entries(messages) as [Key, string][]) {
        const [own, known] = [blanksOf(text, language), blanksOf(english[key], 'en')]
        assert.deepEqual([...own.tags].sort(), [...known.tags].sort(), key)
        assert.deepEqual([...own.arguments.keys()].sort(), [...known.arguments.keys()].sort(), key)
        assert.equal(strangerIn(text, language, english[key]), undefined, key)
      }
    })

    test('has a form for every number it counts', () => {
      for (const [key, text] of Object.entries(messages)) {
        for (const forms of blanksOf(text, language).plurals) {
          assert.deepEqual(forms.filter((form) => !form.startsWith('=')).sort(), pluralForms[language], key)
        }
      }
    })

    test('is sorted, with topics separated by empty lines', async () => {
      const text = await readFile(new URL(`./words/${language}.json`, import.meta.url), 'utf8')
      const topics = text.trim().slice(1, -1).trim().split('\n\n')
      const seen = topics.map((topic) => {
        const keys = [...topic.matchAll(/^\s*"([^"]+)":/gm)].map(([, key = '']) => key)
        const [name = ''] = (keys[0] as string).split('.')
        assert.ok(
          keys.every((key) => key.split('.')[0] === name),
          topic,
        )
        assert.deepEqual(keys, [...keys].sort(), name)
        return name
      })
      assert.deepEqual(seen, [...new Set(seen)].sort())
      assert.equal(new Set(Object.keys(messages)).size, [...text.matchAll(/^ {2}"/gm)].length, 'a key is there twice')
    })
  })
}

test('missing translations are shown in English', () => {
  const german: Messages = { 'nav.agents': 'Agenten' }
  const own = createCatalogue({ ...shippedLanguages, en: { ...english, 'nav.works': 'Pieces' }, de: german })
  const words = own.of(['de'])
  assert.deepEqual([words.language, words.text('nav.agents'), words.text('nav.works')], ['de', 'Agenten', 'Pieces'])
  assert.equal(own.of(['ru']).text('nav.works'), shippedLanguages['ru']?.['nav.works'])
})

test('values are escaped, and tags come only from the page', () => {
  const own = createCatalogue({ en: { ...english, 'list.page': '<b>{page}</b> of {pages} &amp; ' } })
  const part = own.of([])('list.page', { page: '<i>', pages: html`<u>2</u>`, b: (inner) => html`<b>${inner}</b>` })
  assert.equal(render(part), '<b>&lt;i&gt;</b> of <u>2</u> &amp;amp; ')
})

test('a language has the direction of its script', () => {
  const directions = {
    ar: 'rtl',
    he: 'rtl',
    fa: 'rtl',
    ur: 'rtl',
    dv: 'rtl',
    'az-Arab': 'rtl',
    'pa-PK': 'rtl',
  } as const
  const codes = [...Object.keys(directions), 'de', 'az', 'ja', 'zh-Hant', 'pa', 'ku']
  const own = createCatalogue({ en: english, ...Object.fromEntries(codes.map((code) => [code, {}])) })
  for (const code of codes) {
    assert.equal(own.of([code]).direction, directions[code as keyof typeof directions] ?? 'ltr', code)
  }
})

test('numbers, credits and dates follow the language', () => {
  const [en, ru] = [catalogue.of(['en']), catalogue.of(['ru'])]
  assert.equal(en.number(1234567.5), '1,234,567.5')
  assert.equal(ru.number(1234567.5).replace(/\s/g, ' '), '1 234 567,5')
  assert.equal(en.credits(125_050), '1,250.50\u00a0test credits')
  assert.match(ru.credits(125_050), /^1\s250,50\u00a0тестового кредита$/)
  const at = '2026-03-01T23:59:59.000Z'
  assert.equal(render(en.day(at)), `<time datetime="${at}" title="Mar 1, 2026, 11:59 PM UTC">March 1, 2026</time>`)
  assert.match(render(ru.day(at)), /1 марта 2026\u00a0г\./)
  assert.match(render(en.moment(at)), /11:59\sPM UTC<\/time>$/)
})

test('times are shown relative, with the exact time in the title', () => {
  const now = Date.parse('2026-03-01T12:00:00.000Z')
  const own = createCatalogue(shippedLanguages, { now: () => new Date(now) })
  const ago = (milliseconds: number, language = 'en'): string =>
    render(own.of([language]).ago(new Date(now - milliseconds))).replace(/<.*?>/g, '')
  for (const [passed, told, russian] of [
    [-days(1), 'just now', 'только что'],
    [minutes(10) - 1, 'just now', 'только что'],
    [minutes(10), '10 minutes ago', '10 минут назад'],
    [hours(1) - 1, '50 minutes ago', '50 минут назад'],
    [hours(1), '1 hour ago', '1 час назад'],
    [days(1) - 1, '23 hours ago', '23 часа назад'],
    [days(1), '1 day ago', '1 день назад'],
    [days(30) - 1, '29 days ago', '29 дней назад'],
    [days(30), 'January 30, 2026', '30 января 2026 г.'],
  ] as const) {
    assert.deepEqual([ago(passed), ago(passed, 'ru').replace(/\s/g, ' ')], [told, russian])
  }
  assert.equal(
    render(own.of(['en-GB']).ago(new Date(now - hours(3)))),
    '<time datetime="2026-03-01T09:00:00.000Z" title="1 Mar 2026, 09:00 UTC">3 hours ago</time>',
  )
})

test('an amount takes its own plural form', () => {
  const [en, ru] = [catalogue.of(['en']), catalogue.of(['ru'])]
  for (const [minor, told, russian] of [
    [100, '1.00\u00a0test credit', '1,00\u00a0тестовый кредит'],
    [200, '2.00\u00a0test credits', '2,00\u00a0тестовых кредита'],
    [500, '5.00\u00a0test credits', '5,00\u00a0тестовых кредитов'],
    [2150, '21.50\u00a0test credits', '21,50\u00a0тестового кредита'],
    [0, '0.00\u00a0test credits', '0,00\u00a0тестовых кредитов'],
  ] as const) {
    assert.deepEqual([en.credits(minor), ru.credits(minor)], [told, russian])
  }
})

test('the console calls a status as the site does', () => {
  // A report is neuter in Russian and an idea feminine: what both begin with is the same.
  const beginning = (text: string): string => text.slice(0, -1)
  for (const messages of Object.values(shippedLanguages)) {
    for (const status of ['received', 'planned', 'in_progress', 'resolved', 'declined'] as const) {
      const [here, there] = [messages[`console.feedback.is.${status}`], messages[`ideas.status.${status}`]]
      assert.equal(beginning(here ?? ''), beginning(there ?? ''), status)
    }
    for (const state of ['in_progress', 'delivered', 'disputed', 'closed', 'cancelled', 'rejected'] as const)
      assert.equal(messages[`console.dispute.state.${state}`], messages[`orders.state.${state}`], state)
  }
})

test('a Russian amount is in the nominative, so nothing before it needs another case', () => {
  const amount = '\\{(total|amount|price|low|high|fee|available|reserved|budget)\\}'
  const governed = new RegExp(`(?<!\\p{L})(от|до|из|без|для|возврат|возврата|сумму|суммы) ${amount}`, 'iu')
  const messages = Object.entries(shippedLanguages['ru'] as Messages) as [Key, string][]
  assert.deepEqual(
    messages.filter(([, text]) => governed.test(text)),
    [],
  )
  assert.match('от {total}', governed)
})

test('numbers and dates follow the first region named with the language, if it is known', () => {
  const at = '2026-11-19T17:05:00.000Z'
  const dayOf = (...wanted: string[]): string => {
    const words = catalogue.of(wanted)
    return `${words.locale}: ${render(words.day(at)).replace(/<.*?>/g, '')}`
  }
  for (const [wanted, told] of [
    [['en'], 'en: November 19, 2026'],
    [['en-US', 'en-GB'], 'en-US: November 19, 2026'],
    [['en-gb', 'en-US'], 'en-GB: 19 November 2026'],
    [['en', 'ru-RU', 'en-GB'], 'en-GB: 19 November 2026'],
    [['en-Latn-GB-oxendict-u-ca-buddhist-nu-thai'], 'en-GB: 19 November 2026'],
    [['en-XX', 'en-GB'], 'en: November 19, 2026'],
    [['en-a', 'en-1', 'en'], 'en: November 19, 2026'],
    [['xx-GB'], 'en: November 19, 2026'],
    [['en-Cyrl-GB'], 'en: November 19, 2026'],
    [['ru-UA', 'en-GB'], 'ru-UA: 19 ноября 2026 г.'],
  ] as const) {
    assert.equal(dayOf(...wanted).replace(/\s/g, ' '), told, wanted.join())
  }
  const indian = catalogue.of(['en-IN'])
  assert.equal(indian.language, 'en')
  assert.equal(indian.number(1234567), '12,34,567')
  assert.equal(indian.credits(123_456_750), '12,34,567.50\u00a0test credits')
  assert.equal(indian.text('works.count', { count: 1234567 }), '12,34,567 works')
  const own = createCatalogue({ en: english, 'pt-BR': {}, 'zh-Hant': {} })
  assert.equal(own.of(['pt-BR', 'pt-PT']).locale, 'pt-BR')
  assert.equal(own.of(['zh-Hant', 'zh-CN', 'zh-HK']).locale, 'zh-Hant-HK')
})

test('readers from all regions together use little memory', () => {
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
  const regions = letters.flatMap((one) => letters.map((other) => `${one}${other}`))
  const ask = (region: string) => catalogue.of([`en-${region}`])
  const seen = new Set(regions.map(ask))
  assert.ok(seen.size < 200, `${seen.size}`)
  assert.equal(ask('ZW'), ask('ZW'), 'those of one region get the same')
  const british = ask('GB')
  for (const region of regions) ask(region)
  assert.notEqual(ask('GB'), british)
})

test('a message uses only the values it is given', () => {
  const asked: [string, string, string | undefined][] = [
    ['{n, plural, one {# Werk} other {# Werke}}', '{n, number} works', undefined],
    ['Werke', '{n, number} works', undefined],
    ['{n} von {x}', '{n} works', 'there is no {x}'],
    ['{a, select, b {{c}} other {}}', '{a}', 'there is no {c}'],
    ['{n, plural, other {{x}}}', '{n, number}', 'there is no {x}'],
    ['<a>{n}</a>', '{n}', 'there is no <a>'],
    ['{n, number}', '{n}', '{n} is no number'],
    ['{n, date}', '{n}', '{n} is no number'],
    ['<a><b>x</b></a>', '<a>x</a>', 'there is no <b>'],
  ]
  for (const [text, known, stranger] of asked) assert.equal(strangerIn(text, 'de', known), stranger, text)
})
