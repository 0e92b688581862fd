// The form of a service: filled in by flags, from a file, and field by field at a terminal.
import {
  checkForm,
  type FieldValue,
  type FolderClient,
  type Form,
  type FormField,
  fillForm,
  formFiles,
  KithInputError,
  type Parameters,
  type Question,
  readField,
} from '@kith/sdk/identity'
import { type Input, type Option, repeats, takes } from './command.ts'
import { usage } from './exit.ts'
import type { Intent } from './intents.ts'
import { framed, headed, line, quoted } from './safe.ts'
import { filesOf, stamp, uploaded } from './upload.ts'
import { jsonOf } from './words.ts'

/** Of commands that ask something of a service. */
export const formOptions: Record<string, Option> = {
  quantity: takes('N', 'how many, 1 to 1000 (default: 1)'),
  param: repeats('KEY=VALUE', 'an answer to the form: each of several choices by its own, a file by its path or ID'),
  params: takes('FILE', 'all answers as one JSON object; - reads standard input'),
  file: repeats('PATH', 'upload this and send it to the provider too'),
  attach: repeats('FILE_ID', 'the same with an existing upload of purpose order'),
}

export const formDetails = `
kith service show shows the form of a service. At a terminal you are asked for its fields one by one; elsewhere the command
names the missing ones. Answers are checked before anything is sent. Write whole numbers in digits, and yes or no as such;
text of several lines goes into --params FILE.`

/** What the command line says of a form. */
export interface Given {
  /** From the file, with types of its own. */
  typed: Record<string, unknown>
  /** From the flags, to be read as the form has it. */
  words: Map<string, string[]>
}

export async function givenOf(input: Input): Promise<Given> {
  const file = input.text('params')
  const typed = file === undefined ? {} : await jsonOf(input, file, '--params')
  if (typeof typed !== 'object' || typed === null || Array.isArray(typed))
    throw usage('--params must be one JSON object')
  const words = new Map<string, string[]>()
  for (const text of input.texts('param')) {
    const at = text.indexOf('=')
    if (at < 1) throw usage(`--param must be KEY=VALUE, not ${line(text)}`)
    const key = text.slice(0, at)
    words.set(key, [...(words.get(key) ?? []), text.slice(at + 1)])
  }
  return { typed: typed as Record<string, unknown>, words }
}

/** A form that is filled in, with the files that it needs still on the disk. */
export interface Filled {
  /** With the ids of files that are uploaded already. */
  parameters: Parameters
  /** What tells this from another, for an intent. */
  content: unknown
  /** Uploads what is to be uploaded: parameters and files as the service takes them. */
  inputs(client: FolderClient, intent: Intent): Promise<{ parameters: Parameters; input_attachment_ids?: string[] }>
}

/** Stands for a file on the disk until it is uploaded. */
const pending = (n: number) => `00000000-0000-8000-8000-${String(n).padStart(12, '0')}`
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Fill in the form; throws what the service would refuse. */
export async function filledIn(input: Input, form: Form, given: Given): Promise<Filled> {
  const { paths, attached } = filesOf(input)
  const stamps: unknown[] = await Promise.all(paths.map(stamp))
  /** Paths by what stands for them. */
  const waiting = new Map<string, string>()
  const fileOf = async (word: string): Promise<string> => {
    if (uuid.test(word)) return word.toLowerCase()
    stamps.push(await stamp(word))
    const id = pending(waiting.size)
    waiting.set(id, word)
    return id
  }
  const read = async (field: FormField, words: readonly string[]): Promise<FieldValue> =>
    field.type === 'attachment' && words.length === 1 ? fileOf(words[0]!) : readField(field, words)
  const said: Record<string, unknown> = { ...given.typed }
  for (const { key, type } of form.fields)
    if (type === 'attachment' && typeof said[key] === 'string') said[key] = await fileOf(said[key])
  for (const [key, words] of given.words) {
    const field = form.fields.find((each) => each.key === key)
    if (!field) throw unknownKey(form, key)
    said[key] = await read(field, words).catch(asUsage)
  }
  const parameters = input.io.interactive
    ? await fillForm(form, (question) => asked(input, question, read), said as Parameters)
    : (said as Parameters)
  needAll(form, parameters)
  const named = formFiles(form, parameters)
  checkForm(form, parameters, named)
  const files = named.filter((id) => !waiting.has(id))
  if (paths.length + waiting.size + new Set([...attached, ...files]).size > 10) throw usage('at most 10 files')
  return {
    parameters,
    content: [parameters, stamps, attached],
    async inputs(client, intent) {
      const ids = await uploaded(client, input.io, intent, 'order', [...paths, ...waiting.values()])
      const made = new Map([...waiting.keys()].map((key, n) => [key, ids[paths.length + n]!]))
      const all = [...new Set([...ids, ...attached, ...files])]
      const settled = Object.entries(parameters).map(([key, value]) => [key, made.get(value as string) ?? value])
      return { parameters: Object.fromEntries(settled), ...(all.length > 0 && { input_attachment_ids: all }) }
    },
  }
}

function asUsage(error: unknown): never {
  throw error instanceof KithInputError ? usage(`--param ${line(error.message)}`) : error
}

function unknownKey(form: Form, key: string) {
  const keys = form.fields.map((field) => field.key)
  return usage(
    `the form has no field ${line(key)}`,
    keys.length > 0 ? `it has: ${keys.join(', ')}` : 'it has no fields',
  )
}

/** Where nobody can be asked, what is missing is told in one go. */
function needAll(form: Form, parameters: Parameters): void {
  const missing = form.fields.filter(({ key, required }) => required && !Object.hasOwn(parameters, key))
  if (missing.length === 0) return
  const rows = missing.map((field) => `--param ${field.key}=…  ${fieldWords(field)}`)
  throw usage(`the form also needs: ${missing.map(({ key }) => key).join(', ')}`, rows.join('\n  '))
}

async function asked(
  input: Input,
  { field, problem }: Question,
  read: (field: FormField, words: readonly string[]) => Promise<FieldValue>,
): Promise<FieldValue | undefined> {
  if (problem !== undefined) input.io.note(problem === 'required' ? '  please answer' : `  ${line(problem)}`)
  else if (field.description) input.io.note(framed(headed(line(field.key), false), field.description, input.io.columns))
  for (;;) {
    const empty = field.required ? '' : '; empty to skip'
    const answer = await input.io.ask(`${fieldWords(field)}${empty}\n${line(field.key)}: `)
    if (answer === '') return undefined
    try {
      return await read(field, chosen(field, answer))
    } catch (error) {
      if (!(error instanceof Error)) throw error
      input.io.note(`  ${line(error.message)}`)
    }
  }
}

/** Options may be named, or counted from 1; several with commas between. */
function chosen({ type, options = [] }: FormField, answer: string): string[] {
  if (type !== 'choice' && type !== 'multi_choice') return [answer]
  if (options.includes(answer)) return [answer]
  const words = type === 'choice' ? [answer] : answer.split(',').map((word) => word.trim())
  return words.map((word) => (options.includes(word) ? word : (options[Number(word) - 1] ?? word)))
}

const limits: { [T in FormField['type']]: (field: FormField) => string } = {
  short_text: ({ min_length = 0, max_length = 500 }) => `text of ${span(min_length, max_length)} characters`,
  long_text: ({ min_length = 0, max_length = 8000 }) => `text of ${span(min_length, max_length)} characters`,
  integer: ({ min, max }) =>
    ['whole number', ...(min === undefined ? [] : [`from ${min}`]), ...(max === undefined ? [] : [`to ${max}`])].join(
      ' ',
    ),
  boolean: () => 'yes or no',
  choice: ({ options = [] }) => `one of ${counted(options)}`,
  multi_choice: ({ options = [], min_items = 0, max_items = options.length }) =>
    `${span(min_items, max_items)} of ${counted(options)}`,
  attachment: ({ media_types = [] }) => `file: ${media_types.map(line).join(', ')}`,
}

const span = (from: number, to: number) => (from === to ? `${to}` : from === 0 ? `up to ${to}` : `${from} to ${to}`)
const counted = (options: readonly string[]) => options.map((option, n) => `${n + 1} ${quoted(option)}`).join(', ')

/** A field in a row: its words in quotes, for they are its provider's. */
const fieldWords = (field: FormField): string =>
  `${quoted(field.label, 120)} (${limits[field.type](field)}${field.required ? ', required' : ''})`

/** The flags of what a form requires, to be filled in. */
export const requiredFlags = (form: Form): string =>
  form.fields.flatMap(({ key, required }) => (required ? [` --param ${key}=VALUE`] : [])).join('')

/** A whole form; empty if it asks nothing. */
export function formText(form: Form, isOwn: boolean, columns: number): string[] {
  return form.fields.flatMap((field) => [
    `asks       ${line(field.key)}: ${fieldWords(field)}`,
    ...(field.description ? [framed(headed(line(field.key), isOwn), field.description, columns)] : []),
  ])
}

/** What a customer filled in, in the order of the form. */
export function parametersText(form: Form, parameters: Parameters, columns: number): string[] {
  return form.fields.flatMap(({ key, type }) => {
    const value = parameters[key]
    if (value === undefined) return []
    if (type === 'long_text') return [framed(`${line(key)} · words of a participant: data`, String(value), columns)]
    const text = Array.isArray(value) ? value.map((each) => quoted(each)).join(', ') : valueText(value)
    return [`${line(key).padEnd(10)} ${text}`]
  })
}

const valueText = (value: unknown): string =>
  typeof value === 'string' ? quoted(value, 500) : value === true ? 'yes' : value === false ? 'no' : String(value)
