// Texts of a command line.
import type { Input } from './command.ts'
import { usage } from './exit.ts'

/** A text as given; `-` reads it from standard input. It is not empty. */
export async function textOf(input: Input, given: string, name = 'the text'): Promise<string> {
  const text = given === '-' ? await input.io.input() : given
  if (text.trim() === '') throw usage(`${name} is empty`)
  return text
}
