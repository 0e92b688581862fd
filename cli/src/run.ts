// From the words of a command line to its exit code.
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { asCalled } from './called.ts'
import type { Input, ListedCommand } from './command.ts'
import { commandOf, groupOf } from './command-of.ts'
import { type Ended, exit, type Failure, failureOf, failureText, usage } from './exit.ts'
import { firstSteps, globalOptions, helpOf, helpOfGroup, joined, overview, usageOf } from './help.ts'
import { createIo, type Io } from './io.ts'
import { didYouMean, nearest } from './nearest.ts'
import { again } from './profile.ts'
import { folded, line } from './safe.ts'
import { flagOf, typedAgain } from './typed.ts'
import { usualProfile } from './usual.ts'

export async function run(argv: readonly string[]): Promise<number> {
  // Before anything is parsed, so that a mistake in the parsing is told in the wanted form as well.
  const io = createIo(flagsOf(argv).includes('--json'))
  const begun: Begun = {}
  try {
    return await dispatch(argv, io, begun)
  } catch (error) {
    return await fail(error, io, argv, begun)
  } finally {
    io.status('')
  }
}

/** What is known of a run that ends early. */
interface Begun {
  command?: ListedCommand
  /** The command that goes on. */
  goOn?: string
}

const flagsOf = (argv: readonly string[]) => (argv.includes('--') ? argv.slice(0, argv.indexOf('--')) : argv)

async function fail(error: unknown, io: Io, argv: readonly string[], { command, goOn }: Begun): Promise<number> {
  const found = failureOf(error)
  if (found.exit_code === exit.closed) return exit.closed
  const isBroken = found.exit_code === exit.interrupted
  const hint = isBroken ? `to continue: ${goOn ?? typedAgain(argv, command)}` : found.hint && asCalled(found.hint)
  const failure: Failure = {
    ...found,
    message: found.code === 'usage' ? asCalled(found.message) : found.message,
    hint,
  }
  const note = () => io.note(failureText(failure, line, (path) => command && flagOf(command, path)))
  if (io.json) await io.line({ error: failure }).catch(note)
  else note()
  if (failure.exit_code === exit.fault && process.env['KITH_DEBUG']) console.error(error)
  return failure.exit_code
}

async function dispatch(argv: readonly string[], io: Io, begun: Begun): Promise<number> {
  const { words, rest } = commandWords(argv)
  if (words[0] === undefined) {
    if (rest.includes('--version')) return showVersion(io)
    if (rest.includes('--help') || rest.includes('-h')) return help([], io)
    const strange = rest.find((word) => !isGlobal(word))
    if (strange !== undefined) throw unknownOption(strange, [...Object.keys(globalOptions), 'version'])
    return showHelp(firstSteps(), io)
  }
  if (words[0] === 'help') return help(words.slice(1), io)
  if (words.length === 1 && (rest.includes('--help') || rest.includes('-h'))) return help(words, io)
  if (words[0] === 'version') return showVersion(io)
  const command = await commandOf(words)
  begun.command = command
  const args = withoutName(argv, command.name.split(' '))
  return runCommand(command, args, io, begun)
}

async function runCommand(command: ListedCommand, args: readonly string[], io: Io, begun: Begun): Promise<number> {
  const options = { ...globalOptions, ...command.options }
  const { values, positionals } = parsed(command, args)
  if (values['help']) return showHelp(helpOf(command), io)
  const [fewest, most] = command.counts
  if (positionals.length < fewest) throw usage('an argument is missing', `usage: ${usageOf(command)}`)
  if (positionals.length > most) {
    const what = `too many arguments: what is ${line(positionals[most]!)} for? Put text of several words in quotes`
    throw usage(what, `usage: ${usageOf(command)}; for its options: kith help ${command.name}`)
  }
  const text = (name: string) => {
    const env = options[name]?.env
    const value = values[name] ?? (env === undefined ? undefined : process.env[env])
    return typeof value === 'string' && value !== '' ? value : undefined
  }
  const input: Input = {
    args: positionals,
    io,
    profile: text('profile') ?? usualProfile(),
    goOn(words) {
      begun.goOn = again(input, words)
    },
    text,
    texts: (name) => [values[name] ?? []].flat().filter((value) => typeof value === 'string'),
    is: (name) => values[name] === true,
    given: (name) => values[name] !== undefined,
    number(name, fallback, { min, max, whole }) {
      const value = text(name)
      if (value === undefined) return fallback
      const number = Number(value)
      if (!/^\d+(\.\d+)?$/.test(value) || number < min || number > max || (whole && !Number.isInteger(number)))
        throw usage(`--${name} must be ${whole ? 'a whole number' : 'a number'} from ${min} to ${max}`)
      return number
    },
    commands: allCommands,
  }
  return (await command.run(input)) ?? exit.done
}

/** The options and arguments of a command line; a usage error if it has others. */
export function parsed(command: ListedCommand, args: readonly string[]) {
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
    const { code, message } = error as Error & { code?: string }
    const word = code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION' && /^Unknown option '(.+?)'/.exec(message)?.[1]
    if (word) throw unknownOption(word, Object.keys(known), `usage: ${usageOf(command)}`)
    throw usage(message, `usage: ${usageOf(command)}`)
  }
}

function unknownOption(word: string, known: readonly string[], more?: string): Ended {
  const name = word.replace(/^-+/, '').replace(/=.*$/s, '')
  const meant = didYouMean(nearest(name, known).map((each) => `--${each}`))
  // After it everything is taken as it is.
  const asText = 'put -- before a text that begins with a dash'
  return usage(`unknown option ${line(word)}`, [meant ?? asText, ...(more ? [more] : [])].join('\n'))
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

/** The arguments without the first occurrence of each word of the name. */
export function withoutName(argv: readonly string[], name: readonly string[]): string[] {
  const left = [...name]
  return argv.filter((word, n) => {
    const isName = word === left[0] && argv[n - 1] !== '--profile' && argv[n - 1] !== '-p'
    if (isName) left.shift()
    return !isName
  })
}

async function help(words: readonly string[], io: Io): Promise<number> {
  if (words[0] === undefined) return showHelp(overview(await allCommands()), io)
  const group = words.length === 1 ? await groupOf(words[0]) : []
  return showHelp(group.length > 0 ? helpOfGroup(group) : helpOf(await commandOf(words)), io)
}

const allCommands = async () => (await import('./commands.ts')).commands

async function showHelp(text: string, io: Io): Promise<number> {
  await io.show({ help: text }, () => (io.watched ? folded(joined(text), io.columns) : text))
  return exit.done
}

async function showVersion(io: Io): Promise<number> {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
  await io.show({ version: String(version) }, () => String(version))
  return exit.done
}
