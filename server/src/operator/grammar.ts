// How a command of the operator is written, read from its usage; and who wrote it.
import { userInfo } from 'node:os'

/** The words of a usage as a pattern, and the names of its options. */
export function grammarOf(usage: string) {
  const words = (usage.split(/ (?:\[|--)/)[0] ?? '').split(' ')
  const pattern = words.map((word) => (/^[A-Z_]+$/.test(word) ? '([^\\0]+)' : word.includes('|') ? `(${word})` : word))
  const found = [...usage.matchAll(/(\[?)--(\w+)/g)].map(([, bracket, name]) => ({ name: name as string, bracket }))
  const fixed = (word = '') => (/^[A-Z_]*$/.test(word) ? [undefined] : word.split('|'))
  return {
    /** The words that it may begin with, the first and what is fixed of the second. */
    beginnings: fixed(words[1]).map((second): [string, string | undefined] => [words[0] as string, second]),
    pattern: new RegExp(`^${pattern.join('\\0')}$`),
    possible: found.map(({ name }) => name),
    needed: found.filter(({ bracket }) => bracket === '').map(({ name }) => name),
  }
}

/** As whom the command runs. */
export function userName(): string {
  try {
    return userInfo().username
  } catch {
    return String(process.getuid?.() ?? 'unknown')
  }
}
