// What a form takes and what not, as one table: the client's check and the service's judge are held to it.
import type { Form, FormField } from '../src/forms.ts'

const file = '0198c000-0000-7000-8000-00000000f11e'

const field = (type: FormField['type'], more: Partial<FormField> = {}): FormField => ({
  key: 'it',
  type,
  label: 'It',
  required: false,
  ...more,
})
const of = (type: FormField['type'], more: Partial<FormField> = {}): Form => ({
  version: 1,
  fields: [field(type, more)],
})
const colours = ['red', 'blue', 'a, b']

interface FormCase {
  name: string
  form: Form
  parameters: Record<string, unknown>
  files?: string[]
  /** What is wrong, by path; nothing if it is taken. */
  problems: Record<string, string>
}

type Row = [form: Form, value: unknown, problem?: string]

const long = (n: number) => 'x'.repeat(n)
const required = { required: true }

/** Of a form with one field. */
const rows: Record<string, Row[]> = {
  short_text: [
    [of('short_text'), 'a line'],
    [of('short_text'), ''],
    [of('short_text'), long(500)],
    [of('short_text'), '💧'.repeat(500)],
    [of('short_text'), ` ${long(500)} `],
    [of('short_text'), long(501), 'must have at most 500 characters'],
    [of('short_text', { min_length: 2, max_length: 3 }), 'ab'],
    [of('short_text', { min_length: 2, max_length: 3 }), 'abc'],
    [of('short_text', { min_length: 2, max_length: 3 }), 'a ', 'must have at least 2 characters'],
    [of('short_text', { min_length: 2, max_length: 3 }), 'abcd', 'must have at most 3 characters'],
    [of('short_text', { min_length: 2 }), '', 'must have at least 2 characters'],
    [of('short_text', required), '', 'must have at least 1 characters'],
    [of('short_text', required), ' ', 'must have at least 1 characters'],
    [of('short_text', required), '\u2060', 'needs a visible character'],
    [of('short_text'), '\ta line\r\n'],
    [of('short_text'), 'a\nb', 'contains control characters'],
    [of('short_text'), 'a\n\u0007', 'contains control characters'],
    [of('short_text'), 'a\ud800\n', 'contains control characters'],
    [of('short_text'), 'a\u0000', 'contains control characters'],
    [of('short_text'), 'a\u001b[2J', 'contains control characters'],
    [of('short_text'), 'a\u009b', 'contains control characters'],
    [of('short_text'), 'a\ud800', 'contains a lone surrogate'],
    [of('short_text'), 'a\u2028b', 'contains a line or paragraph separator'],
    [of('short_text'), 'a\u202eb', 'contains a bidirectional embedding, override or isolate'],
    [of('short_text'), null, 'must be a string'],
    [of('short_text'), 1, 'must be a string'],
    [of('short_text'), ['a'], 'must be a string'],
  ],
  long_text: [
    [of('long_text'), 'one\r\ntwo\n\tthree'],
    [of('long_text'), long(8000)],
    [of('long_text'), 'ab\r\n'.repeat(2666)],
    [of('long_text'), long(8001), 'must have at most 8000 characters'],
    [of('long_text'), 'a\rb', 'contains control characters'],
    [of('long_text'), 'a\u2028\u202eb'],
    [of('long_text'), 'a\udc00', 'contains a lone surrogate'],
    [of('long_text', required), '\n', 'must have at least 1 characters'],
    [of('long_text'), false, 'must be a string'],
  ],
  integer: [
    [of('integer'), 0],
    [of('integer', required), 0],
    [of('integer'), -0],
    [of('integer'), 1e3],
    [of('integer'), 1e12],
    [of('integer'), -1e12],
    [of('integer'), 1e12 + 1, 'must be from -1000000000000 to 1000000000000'],
    [of('integer', { min: 1, max: 5 }), 1],
    [of('integer', { min: 1, max: 5 }), 5],
    [of('integer', { min: 1, max: 5 }), 0, 'must be from 1 to 5'],
    [of('integer', { min: 1, max: 5 }), 6, 'must be from 1 to 5'],
    [of('integer'), 1.5, 'must be an integer'],
    [of('integer'), true, 'must be an integer'],
    [of('integer'), '1', 'must be an integer'],
    [of('integer'), null, 'must be an integer'],
  ],
  boolean: [
    [of('boolean', required), false],
    [of('boolean'), true],
    [of('boolean'), 0, 'must be true or false'],
    [of('boolean'), 'true', 'must be true or false'],
    [of('boolean'), null, 'must be true or false'],
  ],
  choice: [
    [of('choice', { options: colours }), 'red'],
    [of('choice', { options: colours }), ' a, b '],
    [of('choice', { options: colours }), 'green', 'must be one of the options'],
    [of('choice', { options: colours }), 'Red', 'must be one of the options'],
    [of('choice', { options: colours }), '', 'must be one of the options'],
    [of('choice', { options: colours }), ['red'], 'must be one of the options'],
    [of('choice', { options: colours }), null, 'must be one of the options'],
    [of('choice', { options: colours }), 'red\n'],
    [of('choice', { options: colours }), 'red\u0000', 'must be one of the options'],
  ],
  multi_choice: [
    [of('multi_choice', { options: colours }), []],
    [of('multi_choice', { options: colours }), colours],
    [of('multi_choice', { options: colours, ...required }), ['red']],
    [of('multi_choice', { options: colours, ...required }), [], 'must have at least 1'],
    [of('multi_choice', { options: colours, min_items: 2, max_items: 2 }), ['red', 'blue']],
    [of('multi_choice', { options: colours, min_items: 2, max_items: 2 }), ['red'], 'must have at least 2'],
    [of('multi_choice', { options: colours, min_items: 1, max_items: 2 }), colours, 'must have at most 2'],
    [of('multi_choice', { options: colours }), ['red', 'red'], 'must name each option once'],
    [of('multi_choice', { options: colours }), ['red', ' red'], 'must name each option once'],
    [of('multi_choice', { options: colours }), ['green'], 'must be a list of options'],
    [of('multi_choice', { options: colours }), [1], 'must be a list of options'],
    [of('multi_choice', { options: colours }), 'red', 'must be a list of options'],
    [of('multi_choice', { options: colours }), null, 'must be a list of options'],
  ],
  attachment: [
    [of('attachment', { media_types: ['application/pdf'] }), file],
    [of('attachment', { media_types: ['application/pdf'] }), file.toUpperCase()],
    [
      of('attachment', { media_types: ['application/pdf'] }),
      '0198c000-0000-7000-8000-00000000beef',
      'must be among input_attachment_ids',
    ],
    [of('attachment', { media_types: ['application/pdf'] }), 'plan.pdf', 'must be the ID of a file'],
    [of('attachment', { media_types: ['application/pdf'] }), [file], 'must be the ID of a file'],
    [of('attachment', { media_types: ['application/pdf'] }), null, 'must be the ID of a file'],
  ],
}

const whole: Form = {
  version: 1,
  fields: [
    field('short_text', { key: 'name', required: true }),
    field('integer', { key: 'lines' }),
    field('boolean', { key: 'rhymed', required: true }),
  ],
}

export const formCases: FormCase[] = [
  ...Object.entries(rows).flatMap(([type, of]) =>
    of.map(([form, value, problem], n) => ({
      name: `${type} ${n}: ${JSON.stringify(value)?.slice(0, 40)}`,
      form,
      parameters: { it: value },
      files: [file],
      problems: problem === undefined ? {} : { 'parameters.it': problem },
    })),
  ),
  { name: 'an empty form takes nothing', form: { version: 1, fields: [] }, parameters: {}, problems: {} },
  {
    name: 'an empty form refuses anything',
    form: { version: 1, fields: [] },
    parameters: { it: 1 },
    problems: { 'parameters.it': 'unknown field' },
  },
  { name: 'optional fields are left out', form: whole, parameters: { name: 'x', rhymed: false }, problems: {} },
  {
    name: 'all problems are told at once',
    form: whole,
    parameters: { lines: 1.5, other: null, toString: 1 },
    problems: {
      'parameters.other': 'unknown field',
      'parameters.toString': 'unknown field',
      'parameters.name': 'required',
      'parameters.lines': 'must be an integer',
      'parameters.rhymed': 'required',
    },
  },
  {
    name: 'what an object has by itself is no field that was given',
    form: of('short_text', { key: 'constructor', required: true }),
    parameters: {},
    problems: { 'parameters.constructor': 'required' },
  },
]
