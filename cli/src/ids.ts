// Ids as people write them: a few digits of one do where a list of this profile knows only one thing that has them. An id
// begins with the time at which it was made, so those of a day begin alike: what tells them apart is their end.
import type { FolderClient } from '@kith/sdk/identity'
import type { Input } from './command.ts'
import { notFound, usage } from './exit.ts'
import { uuid } from './lookup.ts'
import { again, openProfile } from './profile.ts'
import { line } from './safe.ts'

/** What ids of one kind name, and where this profile knows them from. */
export interface Kind {
  /** Its word, with `a` or `an`. */
  name: string
  /** The command that lists them. */
  list: string
  /** The newest first, of one list after the other. */
  known(client: FolderClient): AsyncIterable<Known>[]
}

export interface Known {
  id: string
  /** What a person knows it by; others' words are quoted. */
  title: string
}

const fewest = 6
/** Of each list; so many digits tell even the things of a longer list apart. */
const mostSearched = 1000
const enough = 8
const mostNamed = 10

/** An id for people: its end at a terminal, and the whole of it for whoever reads a pipe. */
export const short = (id: string): string => line(process.stdout.isTTY === true ? id.slice(-enough) : id)

/** The ID of a thing, which may be shortened to a few digits. Only short ones are looked up in lists. */
export async function idOf(input: Input, kind: Kind, text: string): Promise<string> {
  const plain = text.trim().toLowerCase()
  if (uuid.test(plain)) return plain
  const digits = plain.replaceAll('-', '')
  if (!/^[0-9a-f]{6,32}$/.test(digits))
    throw usage(`${line(text)} is not the ID of ${kind.name}`, `the last ${fewest} characters of an ID are enough`)
  return only(input, kind, digits, await candidates(await openProfile(input), kind, digits))
}

interface Found {
  matches: Map<string, string>
  /** There is more in a list than was looked at. */
  isCut: boolean
}

/** What the lists know by these digits. */
async function candidates(client: FolderClient, kind: Kind, digits: string): Promise<Found> {
  const found: Found = { matches: new Map(), isCut: false }
  for (const list of kind.known(client)) {
    let seen = 0
    for await (const { id, title } of list) {
      const plain = id.replaceAll('-', '')
      if (plain.startsWith(digits) || plain.endsWith(digits)) found.matches.set(id, title)
      if (++seen < mostSearched) continue
      found.isCut = true
      break
    }
  }
  return found
}

function only(input: Input, { name, list }: Kind, digits: string, { matches, isCut }: Found): string {
  const [first, ...others] = matches
  if (!first) throw notFound(`no ID of ${name} begins or ends with ${digits}`, `to list them: ${again(input, list)}`)
  if (others.length > 0) {
    const rows = [...matches].slice(0, mostNamed).map(([id, title]) => `${line(id)}  ${title}`)
    const more = matches.size > mostNamed ? [`and ${matches.size - mostNamed} more`] : []
    throw usage(`${digits} matches several IDs: give more characters from the end`, [...rows, ...more].join('\n  '))
  }
  if (isCut && digits.length < enough)
    throw usage(
      `there are too many to find one by ${digits.length} characters: give at least ${enough}, or the whole ID`,
    )
  return first[0]
}
