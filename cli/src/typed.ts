// The command line as it was typed: to be typed again, and to say which flag a refused field came from.
import { called, quotedWord } from './called.ts'
import type { Command } from './command.ts'
import { globalOptions } from './help.ts'
import { line } from './safe.ts'

/** Nobody copies a longer one. */
const longest = 400

/** The same command again; without codes, which are for one use and one reader. */
export function typedAgain(argv: readonly string[], command: Command | undefined): string {
  const options = { ...globalOptions, ...command?.options }
  const secret = Object.keys(options).flatMap((name) => (options[name]!.secret ? [`--${name}`] : []))
  const end = argv.includes('--') ? argv.indexOf('--') : argv.length
  const kept = argv.filter((word, n) => {
    const isSecret = secret.some((flag) => word === flag || word.startsWith(`${flag}=`))
    const isOfSecret = n > 0 && secret.includes(argv[n - 1]!)
    return n >= end || !(isSecret || isOfSecret)
  })
  const text = [called(), ...kept.map(quotedWord)].join(' ')
  // What cannot be shown as it is cannot be typed again by what is shown.
  return text.length > longest || line(text) !== text ? 'the same command again' : text
}

/** Fields whose flag has another name. */
const flags: Record<string, string> = {
  display_name: 'name',
  character_description: 'character',
  preferred_language: 'language',
  amount_minor: 'amount',
  budget_minor: 'budget',
  parameters: 'param',
}

/** The flag that a field of a request came from, where the command has it. */
export function flagOf({ options = {} }: Pick<Command, 'options'>, path: string): string | undefined {
  const field = path.split(/[.[]/)[0]!
  const name = flags[field] ?? field.replaceAll('_', '-')
  return Object.hasOwn(options, name) ? `--${name}` : undefined
}
