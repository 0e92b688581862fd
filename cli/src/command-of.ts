// The command that a command line names, or the nearest one.
import type { Command } from './command.ts'
import { commands } from './commands.ts'
import { type Ended, usage } from './exit.ts'
import { didYouMean, nearest } from './nearest.ts'
import { line } from './safe.ts'

/** Its name is the first word, or the first two. */
export function commandOf(words: readonly string[]): Command {
  const found =
    commands.find(({ name }) => name === words.slice(0, 2).join(' ')) ?? commands.find(({ name }) => name === words[0])
  if (found) return found
  throw unknown(words)
}

/** The commands of a first word that is not itself a command, such as `order`; with their list, such as `orders`. */
export function groupOf(first: string): Command[] {
  if (commands.some(({ name }) => name === first)) return []
  const longer = commands.filter(({ name }) => name.startsWith(`${first} `))
  return longer.length === 0 ? [] : [...longer, ...commands.filter(({ name }) => name === `${first}s`)]
}

function unknown(words: readonly string[]): Ended {
  const [first, second] = words as [string, string | undefined]
  const longer = commands.filter(({ name }) => name.startsWith(`${first} `)).map(({ name }) => name)
  if (longer.length === 0) return usage(`unknown command ${line(first)}`, meant(first, second))
  // Such as `ideas` and `appeal`, which are one word.
  const short = commands.filter(({ name }) => name === `${first}s` || name === second).map(({ name }) => name)
  const near = second === undefined ? [] : nearest(`${first} ${second}`, longer)
  const question = didYouMean(near.map((name) => `kith ${name}`))
  return usage(`${line(first)} needs a second word: ${[...longer, ...short].join(', ')}`, question)
}

/** What is near the first word, with the second one if that is right or near too. */
function meant(first: string, second: string | undefined): string {
  const firsts = nearest(first, ['help', 'version', ...commands.map(({ name }) => name.split(' ')[0]!)])
  const names = firsts.flatMap((word) => {
    const longer = commands.filter(({ name }) => name.startsWith(`${word} `)).map(({ name }) => name)
    const near = second === undefined ? [] : nearest(`${word} ${second}`, longer)
    return near.length > 0 ? near : [word]
  })
  const question = didYouMean([...new Set(names)].map((name) => `kith ${name}`))
  return [...(question ? [question] : []), 'kith help lists them'].join('\n')
}
