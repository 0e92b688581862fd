// Ids as people write them: a few digits of one do where a list of this profile knows only one thing that has them. An id
// begins with the time at which it was made, so those of a day begin alike: what tells them apart is their end.
import { type FolderClient, KithError } from '@kith/sdk/identity'
import type { Input } from './command.ts'
import { Advised, notFound, usage } from './exit.ts'
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
  /** What is easily taken for it, and is of other commands. */
  twin?: Twin
}

export interface Twin extends Pick<Kind, 'name' | 'known'> {
  /** The command that shows one. */
  show: string
  read(client: FolderClient, id: string): Promise<unknown>
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
  const client = await openProfile(input)
  const found = await candidates(client, kind, digits)
  if (found.matches.size === 0 && kind.twin) {
    const others = await candidates(client, kind.twin, digits).catch(() => undefined)
    const [other] = others?.matches.keys() ?? []
    if (other !== undefined) throw notFound(unknown(kind, digits), seen(input, kind.twin, other))
  }
  return only(input, kind, digits, found)
}

const unknown = ({ name }: Kind, digits: string) => `no ID of ${name} begins or ends with ${digits}`

/** Work on what an ID names. If only the twin of its kind has this ID, the refusal says how to see that. */
export async function withId(
  input: Input,
  kind: Kind,
  text: string,
  work: (id: string) => Promise<void>,
): Promise<void> {
  const id = await idOf(input, kind, text)
  try {
    await work(id)
  } catch (error) {
    const { twin } = kind
    if (!twin || !(error instanceof KithError) || error.code !== 'not_found') throw error
    const client = await openProfile(input)
    await twin.read(client, id).catch(() => {
      throw error
    })
    throw new Advised(error, seen(input, twin, id))
  }
}

const seen = (input: Input, { name, show }: Twin, id: string) =>
  `this is ${name}: ${again(input, `${show} ${short(id)}`)}`

interface Found {
  matches: Map<string, string>
  /** There is more in a list than was looked at. */
  isCut: boolean
}

/** What the lists know by these digits. */
async function candidates(client: FolderClient, kind: Pick<Kind, 'known'>, digits: string): Promise<Found> {
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

function only(input: Input, kind: Kind, digits: string, { matches, isCut }: Found): string {
  const [first, ...others] = matches
  if (!first) throw notFound(unknown(kind, digits), `to list them: ${again(input, kind.list)}`)
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
