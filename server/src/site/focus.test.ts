// Which element of a page takes the focus by itself.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mayHaveFocus, withFocus } from './focus.ts'
import { html, render } from './html.ts'
import { entry, problemNote } from './parts/form.ts'

const form = (attempt: Parameters<typeof entry>[0], answer: unknown = undefined): string =>
  withFocus(
    render(
      html`${problemNote(attempt)}${entry(attempt, { name: 'first', label: 'First', isFirst: true })}${entry(attempt, { name: 'second', label: 'Second', rows: 3 })}${entry(attempt, { name: 'third', label: 'Third' })}${answer === undefined ? undefined : html`<section id="answer"${mayHaveFocus('answer')}></section>`}`,
    ),
  )

/** The start tags that have it. */
const focused = (page: string): string[] => [...page.matchAll(/<[^<>]* autofocus[^<>]*>/g)].map(([tag]) => tag)

const values = { first: 'x data-focus="problem" y', second: 'a autofocus b', third: '<input aria-invalid="true">' }

test('without a submission the first field has focus', () => {
  const [tag = '', ...more] = focused(form({ values: {}, problems: {} }))
  assert.match(tag, /id="first"/)
  assert.deepEqual(more, [])
})

test('the first invalid field on the page has focus, in any order of checks', () => {
  const problems = { third: 'Too long', second: 'Empty' }
  const page = form({ values, problems, problem: 'Please fix the marked fields' })
  const [tag = '', ...more] = focused(page)
  assert.match(tag, /<textarea [^<>]*autofocus aria-invalid="true"/)
  assert.deepEqual(more, [])
  assert.ok(page.includes('a autofocus b') && page.includes('x data-focus=&quot;problem&quot; y'), 'texts stay')
})

test('an error of the whole form, or the result of a valid one, has focus', () => {
  assert.deepEqual(focused(form({ values, problems: {}, problem: 'Too early' }, 'answer')), [
    '<p class="form-problem" role="alert" tabindex="-1" autofocus>',
  ])
  assert.deepEqual(focused(form({ values, problems: {} }, 'answer')), ['<section id="answer" tabindex="-1" autofocus>'])
})
