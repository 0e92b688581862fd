// Texts of a command line.
import { isUtf8 } from 'node:buffer'
import { readFile } from 'node:fs/promises'
import { credits, KithInputError, minorOf } from '@kith/sdk/identity'
import { type Input, type Option, takes } from './command.ts'
import { usage } from './exit.ts'
import { line } from './safe.ts'

/** A text as given; `-` reads it from standard input. It is not empty. */
export async function textOf(input: Input, given: string, name = 'the text'): Promise<string> {
  return notEmpty(given === '-' ? await input.io.input() : given, name)
}

function notEmpty(text: string, name: string): string {
  if (text.trim() === '') throw usage(`${name} is empty`)
  return text
}

/** A flag that has to be there. */
export function needText(input: Input, name: string): string {
  const text = input.text(name)
  if (text === undefined) throw lacking(input, name)
  return text
}

/** What a flag is that has no text: left out, or given without one. */
const lacking = (input: Input, name: string) => usage(`--${name} is ${input.given(name) ? 'empty' : 'missing'}`)

/** The text of a flag, where it is given; `-` reads it. */
export async function textFlag(input: Input, name: string): Promise<string | undefined> {
  const given = input.text(name)
  return given === undefined ? undefined : textOf(input, given, `--${name}`)
}

/** A long text of a flag, or of the file that its twin `--NAME-file` names; undefined if neither is given. */
async function longFlag(input: Input, name: string): Promise<string | undefined> {
  const [given, path] = [input.text(name), input.text(`${name}-file`)]
  if (path === undefined) return given === undefined ? undefined : textOf(input, given, `--${name}`)
  if (given !== undefined) throw usage(`--${name} and --${name}-file cannot be used together`)
  const bytes = await readFile(path).catch(() => {
    throw usage(`--${name}-file: ${line(path)} cannot be read`)
  })
  if (!isUtf8(bytes)) throw usage(`--${name}-file: ${line(path)} is not UTF-8 text`)
  return notEmpty(bytes.toString('utf8'), line(path))
}

/** The same where it has to be there. */
export async function needLong(input: Input, name: string): Promise<string> {
  const text = await longFlag(input, name)
  if (text === undefined) throw lacking(input, name)
  return text
}

/** The text of a thing: `--text` or `--text-file`, and as either was called before. */
export const textOptions = (help: string, ...before: string[]): Record<string, Option> => ({
  ...longOptions('text', help),
  ...Object.fromEntries(
    before.flatMap((name) =>
      Object.entries(longOptions(name, help)).map(([each, option]): [string, Option] => [
        each,
        { ...option, isOld: true },
      ]),
    ),
  ),
})

/** What {@link textOptions} say, or a text among the arguments; undefined if there is none. */
export async function mainText(
  input: Input,
  before: readonly string[] = [],
  written?: string,
): Promise<string | undefined> {
  const names = ['text', ...before].filter((name) => input.given(name) || input.given(`${name}-file`))
  if (names.length + (written === undefined ? 0 : 1) > 1)
    throw usage(
      `the text is given twice: ${[...(written === undefined ? [] : ['as an argument']), ...names.map((name) => `by --${name}`)].join(' and ')}`,
    )
  return written === undefined ? longFlag(input, names[0] ?? 'text') : textOf(input, written)
}

/** The same where there has to be one. */
export async function needMainText(input: Input, before?: readonly string[], written?: string): Promise<string> {
  const text = await mainText(input, before, written)
  if (text === undefined) throw lacking(input, 'text')
  return text
}

/** A long text as a flag or from a file. */
export const longOptions = (name: string, help: string): Record<string, Option> => ({
  [name]: takes('TEXT', `${help}; - reads standard input`),
  [`${name}-file`]: takes('PATH', 'the same, read from a file'),
})

/** One of a few words, where it is given. */
export function oneOf<T extends string>(text: string | undefined, among: readonly T[], flag: string): T | undefined {
  const found = among.find((each) => each === text)
  if (text !== undefined && found === undefined) throw usage(`${flag} must be one of ${among.join(', ')}`)
  return found
}

/** The same where it has to be there. */
export function needOne<T extends string>(text: string | undefined, among: readonly T[], flag: string): T {
  const found = oneOf(text, among, flag)
  if (found === undefined) throw usage(`${flag} is missing: ${among.join(', ')}`)
  return found
}

/** One of two words of a flag, where it is given. */
export function either<A extends string, B extends string>(
  input: Input,
  name: string,
  [one, other]: readonly [A, B],
): A | B | undefined {
  const text = input.text(name)
  if (text === undefined || text === one || text === other) return text as A | B | undefined
  throw usage(`--${name} must be ${one} or ${other}`)
}

/** Credits of a flag in minor units; undefined if it is missing. A price is more than nothing. */
export function creditsFlag(input: Input, name: string, least = 1): number | undefined {
  const text = input.text(name)
  if (text === undefined) return undefined
  try {
    const minor = minorOf(text)
    if (minor < least) throw new KithInputError(`it must be at least ${credits(least)}`)
    return minor
  } catch (error) {
    if (error instanceof KithInputError) throw usage(`--${name}: ${error.message}, not ${line(text)}`)
    throw error
  }
}

export function needCredits(input: Input, name: string): number {
  const minor = creditsFlag(input, name)
  if (minor === undefined) throw lacking(input, name)
  return minor
}

/** JSON of a file, or of standard input for `-`. */
export async function jsonOf(input: Input, path: string, flag: string): Promise<unknown> {
  const text =
    path === '-'
      ? await input.io.input()
      : await readFile(path, 'utf8').catch(() => {
          throw usage(`${flag}: ${line(path)} cannot be read`)
        })
  try {
    return JSON.parse(text)
  } catch (error) {
    throw usage(`${flag}: ${line(path)} is not JSON: ${line((error as Error).message)}`)
  }
}

/** Only those of these fields that have a value. */
export const present = <T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never
