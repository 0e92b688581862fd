// The client's check of a form is the service's: one table holds both. And a form is filled in field by field.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { canonicalParameters, type Form as JudgedForm, judge } from '../../server/src/modules/catalog/form.ts'
import { pluck } from '../../server/test/pluck.ts'
import {
  checkForm,
  type FieldValue,
  type Form,
  fillForm,
  formProblems,
  KithFormError,
  type Question,
  readField,
} from '../src/index.ts'
import { formCases } from './form-cases.ts'

const byPath = (problems: readonly { path: string; problem: string }[]) =>
  Object.fromEntries(problems.map(({ path, problem }) => [path, problem]))

test('the client and the service judge every form case alike', () => {
  for (const { name, form, parameters, files = [], problems } of formCases) {
    const judged = judge(form as JudgedForm, canonicalParameters(parameters, files), files).problems
    const told = judged.map(({ path, problem }) => ({ path: `parameters.${path}`, problem }))
    assert.deepEqual(byPath(told), problems, `the service, of ${name}`)
    assert.deepEqual(byPath(formProblems(form, parameters, files)), problems, `the client, of ${name}`)
  }
})

test('only an object is accepted as parameters, and a refusal lists every error', () => {
  const form: Form = { version: 1, fields: [{ key: 'lines', type: 'integer', label: 'Lines', required: true }] }
  for (const wrong of [null, [], 'x', 1])
    assert.deepEqual(formProblems(form, wrong), [{ path: 'parameters', problem: 'must be an object' }])
  assert.throws(
    () => checkForm(form, { other: 1 }),
    (error) => {
      assert.ok(error instanceof KithFormError)
      assert.deepEqual(pluck(error.fields, 'path'), ['parameters.other', 'parameters.lines'])
      assert.match(error.message, /parameters\.other unknown field; parameters\.lines required/)
      return true
    },
  )
})

const poem: Form = {
  version: 1,
  fields: [
    { key: 'title', type: 'short_text', label: 'Title', required: true, max_length: 5 },
    { key: 'lines', type: 'integer', label: 'Lines', min: 0 },
    { key: 'rhymed', type: 'boolean', label: 'Rhymed?', required: true },
    { key: 'moods', type: 'multi_choice', label: 'Moods', options: ['sad', 'glad'] },
  ],
}

test('a form is filled in field by field, and an invalid value is asked for again', async () => {
  const asked: string[] = []
  const answers: Record<string, (FieldValue | undefined)[]> = {
    title: [undefined, 'too long', 'Sea'],
    lines: [0],
    rhymed: [false],
    moods: [undefined],
  }
  const ask = ({ field, problem }: Question) => {
    asked.push(problem === undefined ? field.key : `${field.key}: ${problem}`)
    return answers[field.key]!.shift()
  }
  assert.deepEqual(await fillForm(poem, ask), { title: 'Sea', lines: 0, rhymed: false })
  assert.deepEqual(asked, [
    'title',
    'title: required',
    'title: must have at most 5 characters',
    'lines',
    'rhymed',
    'moods',
  ])
})

test('given values are not asked for, and are checked before any question', async () => {
  const asked: string[] = []
  const ask = async ({ field }: Question) => {
    asked.push(field.key)
    return true
  }
  const given = { title: 'Sea', lines: 3, moods: ['sad'] }
  assert.deepEqual(await fillForm(poem, ask, given), { title: 'Sea', lines: 3, rhymed: true, moods: ['sad'] })
  assert.deepEqual(asked, ['rhymed'])
  await assert.rejects(fillForm(poem, ask, { title: 'too long', nope: 1 }), {
    name: 'KithFormError',
    fields: [
      { path: 'parameters.nope', problem: 'unknown field' },
      { path: 'parameters.title', problem: 'must have at most 5 characters' },
    ],
  })
  assert.deepEqual(asked, ['rhymed'], 'nothing more was asked')
})

test("typed words become the field's values", () => {
  const [title, lines, rhymed, moods] = poem.fields as [
    Form['fields'][number],
    Form['fields'][number],
    Form['fields'][number],
    Form['fields'][number],
  ]
  assert.equal(readField(title, ['12']), '12')
  assert.deepEqual([readField(lines, ['-12']), readField(lines, ['+0'])], [-12, 0])
  for (const [word, value] of [
    ['y', true],
    ['YES', true],
    ['true', true],
    ['n', false],
    ['no', false],
    ['false', false],
  ] as const)
    assert.equal(readField(rhymed, [word]), value)
  assert.deepEqual(readField(moods, ['sad', 'glad']), ['sad', 'glad'])
  for (const [field, words] of [
    [lines, ['1.0']],
    [lines, ['1e3']],
    [lines, ['']],
    [lines, ['1', '2']],
    [rhymed, ['maybe']],
    [title, ['a', 'b']],
  ] as const)
    assert.throws(() => readField(field, words), { name: 'KithInputError' })
})
