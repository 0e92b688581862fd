// From the words of a command line to its exit code.
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import type { Command, Input } from './command.ts'
import { commands } from './commands.ts'
import { exit, failureOf, failureText, usage } from './exit.ts'
import { globalOptions, helpOf, overview, usageOf } from './help.ts'
import { createIo, type Io } from './io.ts'
import { line } from './safe.ts'

export async function run(argv: readonly string[]): Promise<number> {
  // Before anything is parsed, so that a mistake in the parsing is told in the wanted form as well.
  const flags = argv.includes('--') ? argv.slice(0, argv.indexOf('--')) : argv
  const io = createIo(flags.includes('--json'))
  try {
    return await dispatch(argv, io)
  } catch (error) {
    return fail(error, io)
  }
}

async function fail(error: unknown, io: Io): Promise<number> {
  const failure = failureOf(error)
  if (failure.exit_code === exit.closed) return exit.closed
  if (io.json) await io.line({ error: failure }).catch(() => {})
  else io.note(failureText(failure, line))
  if (failure.exit_code === exit.fault && process.env['KITH_DEBUG']) console.error(error)
  return failure.exit_code
}

async function dispatch(argv: readonly string[], io: Io): Promise<number> {
  const { words, rest } = commandWords(argv)
  if (words[0] === undefined) {
    if (rest.includes('--version')) return showVersion(io)
    if (rest.includes('--help') || rest.includes('-h')) return help([], io)
    // As a mistake where a script left the command out, and as help where a person tries what happens.
    io.note(overview(commands))
    throw usage('a command is missing')
  }
  if (words[0] === 'help') return help(words.slice(1), io)
  if (words[0] === 'version') return showVersion(io)
  const command = named(words)
  const args = withoutName(argv, command.name.split(' '))
  return runCommand(command, args, io)
}

async function runCommand(command: Command, args: readonly string[], io: Io): Promise<number> {
  const options = { ...globalOptions, ...command.options }
  const { values, positionals } = parsed(command, args)
  if (values['help']) return showHelp(helpOf(command), io)
  const [fewest, most] = command.takes
  if (positionals.length < fewest) throw usage('an argument is missing', `usage: ${usageOf(command)}`)
  if (positionals.length > most)
    throw usage('there are too many arguments; put a text of several words in quotes', `usage: ${usageOf(command)}`)
  const text = (name: string) => {
    const env = options[name]?.env
    const value = values[name] ?? (env === undefined ? undefined : process.env[env])
    return typeof value === 'string' && value !== '' ? value : undefined
  }
  const input: Input = {
    args: positionals,
    io,
    profile: text('profile') ?? 'default',
    text,
    texts: (name) => [values[name] ?? []].flat().filter((value) => typeof value === 'string'),
    is: (name) => values[name] === true,
    given: (name) => values[name] !== undefined,
    number(name, fallback, { min, max, whole }) {
      const value = text(name)
      if (value === undefined) return fallback
      const number = Number(value)
      if (!/^\d+(\.\d+)?$/.test(value) || number < min || number > max || (whole && !Number.isInteger(number)))
        throw usage(`--${name} takes ${whole ? 'a whole number' : 'a number'} from ${min} to ${max}`)
      return number
    },
  }
  return (await command.run(input)) ?? exit.done
}

function parsed(command: Command, args: readonly string[]) {
  const known = { ...globalOptions, ...command.options }
  const options = Object.fromEntries(
    Object.entries(known).map(([name, { type, short, multiple }]) => [
      name,
      { type, ...(short !== undefined && { short }), ...(multiple && { multiple }) },
    ]),
  )
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true, strict: true })
  } catch (error) {
    throw usage((error as Error).message, `usage: ${usageOf(command)}`)
  }
}

/** The words before which only options of every command stand, and those options. */
function commandWords(argv: readonly string[]): { words: string[]; rest: string[] } {
  const words: string[] = []
  const rest: string[] = []
  for (let n = 0; n < argv.length; n++) {
    const word = argv[n]!
    if (word === '--') break
    if (!word.startsWith('-') || word === '-') words.push(word)
    else {
      rest.push(word)
      // What follows a command's own option may be its value, and is no word of the command's name.
      if (words.length > 0 && !isGlobal(word)) break
      if (word === '--profile' || word === '-p') n++
    }
  }
  return { words, rest }
}

const isGlobal = (word: string): boolean => /^(--(profile|json|help)(=.*)?|-p.*|-h)$/.test(word)

function named(words: readonly string[]): Command {
  const found =
    commands.find(({ name }) => name === words.slice(0, 2).join(' ')) ?? commands.find(({ name }) => name === words[0])
  if (found) return found
  const longer = commands.filter(({ name }) => name.startsWith(`${words[0]} `)).map(({ name }) => name)
  // Such as `ideas` and `appeal`, which are one word.
  const short = commands.filter(({ name }) => name === `${words[0]}s` || name === words[1]).map(({ name }) => name)
  if (longer.length > 0) throw usage(`${line(words[0]!)} what? There is: ${[...longer, ...short].join(', ')}`)
  throw usage(`there is no command ${line(words[0]!)}`, 'kith help lists them')
}

/** The arguments without the first occurrence of each word of the name. */
function withoutName(argv: readonly string[], name: readonly string[]): string[] {
  const left = [...name]
  return argv.filter((word, n) => {
    const isName = word === left[0] && argv[n - 1] !== '--profile' && argv[n - 1] !== '-p'
    if (isName) left.shift()
    return !isName
  })
}

async function help(words: readonly string[], io: Io): Promise<number> {
  return showHelp(words.length === 0 ? overview(commands) : helpOf(named(words)), io)
}

async function showHelp(text: string, io: Io): Promise<number> {
  await io.show({ help: text }, () => text)
  return exit.done
}

async function showVersion(io: Io): Promise<number> {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
  await io.show({ version: String(version) }, () => String(version))
  return exit.done
}
