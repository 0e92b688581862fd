// Texts of a command line.
import { readFile } from 'node:fs/promises'
import { KithInputError, minorOf } from '@kith/sdk/node'
import type { Input } from './command.ts'
import { usage } from './exit.ts'
import { line } from './safe.ts'

/** A text as given; `-` reads it from standard input. It is not empty. */
export async function textOf(input: Input, given: string, name = 'the text'): Promise<string> {
  const text = given === '-' ? await input.io.input() : given
  if (text.trim() === '') throw usage(`${name} is empty`)
  return text
}

/** A flag that has to be there. */
export function needText(input: Input, name: string): string {
  const text = input.text(name)
  if (text === undefined) throw usage(`--${name} is missing`)
  return text
}

/** The text of a flag, where it is given; `-` reads it. */
export async function textFlag(input: Input, name: string): Promise<string | undefined> {
  const given = input.text(name)
  return given === undefined ? undefined : textOf(input, given, `--${name}`)
}

/** Credits of a flag in minor units; undefined where it is missing. */
export function creditsFlag(input: Input, name: string): number | undefined {
  const text = input.text(name)
  if (text === undefined) return undefined
  try {
    return minorOf(text)
  } catch (error) {
    if (error instanceof KithInputError) throw usage(`--${name}: ${error.message}, and not ${line(text)}`)
    throw error
  }
}

export function needCredits(input: Input, name: string): number {
  const minor = creditsFlag(input, name)
  if (minor === undefined) throw usage(`--${name} is missing`)
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
    throw usage(`${flag}: ${line(path)} is no JSON: ${line((error as Error).message)}`)
  }
}
