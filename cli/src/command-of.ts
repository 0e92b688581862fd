// The command that a command line names, or the nearest one.
import type { ListedCommand } from './command.ts'
import { type Ended, usage } from './exit.ts'
import { didYouMean, nearest } from './nearest.ts'
import { load, names } from './rooms.ts'
import { line } from './safe.ts'

/** Its name is the first word, or the first two. */
export async function commandOf(words: readonly string[]): Promise<ListedCommand> {
  const found = [words.slice(0, 2).join(' '), words[0]!].find((name) => names.includes(name))
  if (found === undefined) throw unknown(words)
  return load(found)
}

/** The commands of a first word that is not itself a command, such as `order`; with their list, such as `orders`. */
export async function groupOf(first: string): Promise<ListedCommand[]> {
  const longer = names.includes(first) ? [] : longerThan(first)
  if (longer.length > 0) longer.push(...names.filter((name) => name === `${first}s`))
  return Promise.all(longer.map(load))
}

/** The names that begin with this word and go on. */
const longerThan = (first: string): string[] => names.filter((name) => name.startsWith(`${first} `))

function unknown(words: readonly string[]): Ended {
  const [first, second] = words as [string, string | undefined]
  const longer = longerThan(first)
  if (longer.length === 0) return usage(`unknown command ${line(first)}`, meant(first, second))
  // Such as `ideas` and `appeal`, which are one word.
  const short = names.filter((name) => name === `${first}s` || name === second)
  const near = second === undefined ? [] : nearest(`${first} ${second}`, longer)
  const question = didYouMean(near.map((name) => `kith ${name}`))
  const wrong =
    second === undefined ? `${line(first)} needs a second word` : `unknown command ${line(`${first} ${second}`)}`
  return usage(`${wrong}: ${[...longer, ...short].join(', ')}`, question)
}

/** What is near the first word, with the second one if that is right or near too. */
function meant(first: string, second: string | undefined): string {
  const firsts = nearest(first, ['help', 'version', ...names.map((name) => name.split(' ')[0]!)])
  const found = firsts.flatMap((word) => {
    const near = second === undefined ? [] : nearest(`${word} ${second}`, longerThan(word))
    return near.length > 0 ? near : [word]
  })
  const question = didYouMean([...new Set(found)].map((name) => `kith ${name}`))
  return [...(question ? [question] : []), 'kith help lists them'].join('\n')
}
