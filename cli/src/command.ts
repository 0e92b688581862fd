// What a command is. `kith help`, the parsing and the errors are made from this.
import type { Io } from './io.ts'

export interface Option {
  type: 'string' | 'boolean'
  /** What stands for the value in the help. */
  value?: string
  help: string
  /** One letter that stands for it. */
  short?: string
  /** How it was called before: it still does, and the help names it no more. */
  isOld?: true
  /** It may be given several times. */
  multiple?: true
  /** An environment variable that is used where the flag is missing. */
  env?: string
  /** Its value is a path of this machine, or one of a few words: what a shell completes it with. */
  completes?: 'path' | 'profile' | readonly string[]
  /** Its value is not printed again, not even to whoever typed it. */
  secret?: true
}

/** An option with a value, which the help shows as this word. */
export const takes = (value: string, help: string, more: Partial<Option> = {}): Option => ({
  type: 'string',
  value,
  help,
  ...more,
})

/** The same where it may be given several times. */
export const repeats = (value: string, help: string): Option => takes(value, help, { multiple: true })

/** An option without a value. */
export const flag = (help: string): Option => ({ type: 'boolean', help })

export interface Command {
  /** One or two words. */
  name: string
  summary: string
  /** The arguments, as in the usage line: `HANDLE|ID [TEXT]`, or `PATH…` for up to fifty of them. */
  args?: string
  /** Fewest and most arguments, if that line does not say it. */
  counts?: readonly [number, number]
  /** What a shell completes the arguments with, where that is known. */
  completes?: 'path' | 'profile' | readonly string[]
  options?: Record<string, Option>
  /** More for `kith help COMMAND`. */
  details?: string
  /** A number is the exit code of a run that did something, though not all that was asked for. */
  run(input: Input): Promise<void> | Promise<number>
}

/** A command as the help and the parsing have it. */
export type ListedCommand = Command & Required<Pick<Command, 'args' | 'counts' | 'options'>> & { group: string }

export interface Input {
  /** What goes on where a person breaks this off at a question, as the words after `kith`; else it is the same again. */
  goOn(words: string): void
  args: string[]
  io: Io
  /** Name of the profile. */
  profile: string
  /** A flag's text, or that of its environment variable; empty is missing. */
  text(name: string): string | undefined
  /** All texts of a flag that may be given several times. */
  texts(name: string): string[]
  is(name: string): boolean
  /** Whether the command line has the flag itself. */
  given(name: string): boolean
  /** A flag that is a number in a range. */
  number(name: string, fallback: number, range: { min: number; max: number; whole?: boolean }): number
  /** Every command, in the order of the help. */
  commands(): Promise<readonly ListedCommand[]>
}
