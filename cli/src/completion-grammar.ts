// The commands as a shell completes them: drawn from the one table that the help and the parsing are made from.
import type { ListedCommand, Option } from './command.ts'
import { globalOptions } from './help.ts'

/** What a value is completed with; nothing if only a person knows it. */
export type Values = 'path' | 'profile' | readonly string[] | undefined

export interface Flag {
  /** With its dashes. */
  name: string
  short: string | undefined
  takesValue: boolean
  values: Values
  help: string
}

export interface Word {
  /** One or two words. */
  name: string
  summary: string
  flags: Flag[]
  values: Values
}

export interface Grammar {
  words: Word[]
  /** Of every command. */
  flags: Flag[]
}

/** What the help says of a value that is a path. */
const paths = new Set(['PATH', 'FILE', 'FOLDER'])

const flagOf = ([name, { type, short, value, completes, help }]: [string, Option]): Flag => ({
  name: `--${name}`,
  short: short && `-${short}`,
  takesValue: type === 'string',
  values: completes ?? (value !== undefined && paths.has(value) ? 'path' : undefined),
  help,
})

export function grammarOf(commands: readonly ListedCommand[]): Grammar {
  const words = commands.map(({ name, summary, args, options, completes }) => ({
    name,
    summary,
    flags: Object.entries(options)
      .filter(([, { isOld }]) => !isOld)
      .map(flagOf),
    values: completes ?? (/\bPATH\b/.test(args) ? ('path' as const) : undefined),
  }))
  const firsts = [...new Set(commands.map(({ name }) => name.split(' ')[0]!))]
  return {
    words: [
      ...words,
      { name: 'help', summary: 'Show the help of a command', flags: [], values: firsts },
      { name: 'version', summary: 'Show the version', flags: [], values: undefined },
    ],
    flags: Object.entries(globalOptions).map(flagOf),
  }
}

/** The first words, each with what it is about; where it is several commands, with those of its second words. */
export function firstWords({ words }: Grammar): { word: string; summary: string }[] {
  const firsts = new Map<string, string[]>()
  for (const { name, summary } of words) {
    const [first, second] = name.split(' ') as [string, string | undefined]
    firsts.set(first, [...(firsts.get(first) ?? []), second ?? summary])
  }
  return [...firsts].map(([word, about]) => {
    const own = words.find(({ name }) => name === word)
    return { word, summary: own?.summary ?? about.join(', ') }
  })
}

/** The second words behind a first one. */
export const secondWords = ({ words }: Grammar, first: string): { word: string; summary: string }[] =>
  words.flatMap(({ name, summary }) => {
    const [one, second] = name.split(' ')
    return one === first && second !== undefined ? [{ word: second, summary }] : []
  })

/** A text as one word of a POSIX shell. */
export const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`
