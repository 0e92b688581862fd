// A tool's result, made in one place: words of others stand between boundaries that they cannot forge, and nothing is
// larger than a host takes. A string that no view has declared counts as the words of others.
import { randomBytes } from 'node:crypto'
import { escapeControls } from '../safe.ts'

/** Most bytes of a result. */
export const mostBytes = 16_000

/** `@handle`, `a person` or `staff`. */
export type Author = string

/** Words of a participant: who wrote them, and what they are. */
export class Others {
  readonly text: string
  readonly from: Author
  readonly kind: string
  constructor(text: string, from: Author, kind: string) {
    this.text = text
    this.from = from
    this.kind = kind
  }
}

/** Words of this command. */
export class Own {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

/** Null where nothing was written. */
export const others = (text: string | null | undefined, from: Author, kind: string): Others | null =>
  text === null || text === undefined || text === '' ? null : new Others(text, from, kind)

/** What others wrote that has parts, such as a form: its JSON, for its words have to be used exactly. */
export const othersJson = (value: unknown, from: Author, kind: string): Others | null =>
  value === null || value === undefined ? null : new Others(JSON.stringify(value), from, kind)

export const own = (text: string): Own => new Own(text)

/** What it depends on how texts are shown. */
interface Viewer {
  /** The agent's own handle. */
  me: string | undefined
  /** Handles whose texts are shown; undefined shows all. */
  friends?: ReadonlySet<string> | undefined
}

/** Whom the tools of a session answer. */
export interface Reader extends Viewer {
  /** A command as its owner would type it. */
  command(words: string): string
}

/** How much of each text is shown. */
interface Cut {
  from: number
  most: number
  /** How to read the rest, given where it begins. */
  how(at: number): string
}

/** Codes, IDs, times, handles and addresses: nothing that could be read as a sentence. */
const plainWord = /^[\w@.:/+%?=&~-]{0,400}$/

/** Draws values as they are shown, with one boundary for the whole of a result. */
function drawer(reader: Viewer): (given: unknown, cut: Cut, isAsked: boolean) => unknown {
  const id = randomBytes(16).toString('hex')
  const isHidden = ({ from }: Others, isAsked: boolean): boolean =>
    !isAsked && reader.friends !== undefined && from !== 'staff' && !reader.friends.has(from)

  function text(said: Others, cut: Cut, isAsked: boolean): string {
    const isMine = reader.me !== undefined && said.from === `@${reader.me}`
    if (!isMine && isHidden(said, isAsked)) return '(withheld: the words of a stranger; ask for it by its ID)'
    const characters = [...said.text]
    const isLong = characters.length > cut.most
    // Short texts are shown whole however far a long one beside them was read.
    const from = isLong ? Math.min(cut.from, characters.length) : 0
    const part = characters.slice(from, from + cut.most)
    const shown = escapeControls(part.join(''))
    const whole = isMine ? shown : `[untrusted ${id} from ${said.from}: ${said.kind}]\n${shown}\n[end ${id}]`
    const left = characters.length - from - part.length
    if (left <= 0) return whole
    return `${whole}\n[${left} more characters: ${cut.how(from + part.length)}]`
  }

  function value(given: unknown, cut: Cut, isAsked: boolean): unknown {
    if (given instanceof Others) return text(given, cut, isAsked)
    if (given instanceof Own) return escapeControls(given.text)
    if (typeof given === 'string')
      return plainWord.test(given) ? given : text(new Others(given, 'another agent', 'text'), cut, isAsked)
    if (Array.isArray(given)) return given.map((each) => value(each, cut, isAsked))
    if (typeof given !== 'object' || given === null) return given ?? null
    return Object.fromEntries(
      Object.entries(given).flatMap(([key, each]) => (each === undefined ? [] : [[key, value(each, cut, isAsked)]])),
    )
  }
  return value
}

const uncut: Cut = { from: 0, most: Number.POSITIVE_INFINITY, how: () => '' }
const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value))
/** Characters of each text, the most first, until all of it fits. */
const lengths = [8_000, 4_000, 2_000, 1_000, 500, 250, 120, 60]

/** One entry of a list. */
export interface Entry {
  view: object
  /** Where the list goes on after it; null at its end. */
  next: string | null
  /** How to read the rest of a text, given where that begins. */
  how(at: number): string
}

/** `ask` of a tool, as a model is told to call it. */
export const calling = (tool: string, ask: object): string => `${tool} ${JSON.stringify(ask)}`

/** As many entries as fit, and where the list goes on. */
export function listed(
  reader: Viewer,
  key: string,
  entries: readonly Entry[],
  ask: { more?: object; most?: number; isAsked?: boolean } = {},
): object {
  const { more = {}, most = 600, isAsked = false } = ask
  const value = drawer(reader)
  const shown: unknown[] = []
  let left = mostBytes - bytesOf({ ...more, [key]: [], next: '' }) - 300
  let next: string | null = null
  for (const { view, next: following, how } of entries) {
    let drawn: unknown
    for (const length of [most, ...lengths.filter((each) => each < most)]) {
      drawn = value(view, { from: 0, most: length, how }, isAsked)
      if (bytesOf(drawn) < left || shown.length > 0) break
    }
    const size = bytesOf(drawn) + 1
    if (size > left && shown.length > 0) break
    shown.push(drawn)
    left -= size
    next = following
  }
  return { [key]: shown, ...(value(more, uncut, true) as object), next }
}

/** How many entries `listed` shows of these. */
export const shownOf = (result: object, key: string): number =>
  ((result as Record<string, unknown[]>)[key] ?? []).length

/**
 * One thing, which was asked for by its ID. `after` is where its long texts go on; `next` is that for the next call, null
 * when all was shown. It may be too large where it has many parts.
 */
export function shown(
  reader: Viewer,
  view: object,
  ask: { after?: string | undefined; how?: (at: number) => string } = {},
): { value: object; next: string | null; fits: boolean } {
  const from = ask.after === undefined ? 0 : Number(ask.after)
  let found: object = {}
  for (const most of lengths) {
    let next: number | undefined
    const how = (at: number): string => {
      next = Math.min(next ?? at, at)
      return ask.how?.(at) ?? `call again with after "${at}"`
    }
    found = drawer(reader)(view, { from, most, how }, true) as object
    if (bytesOf(found) <= mostBytes - 200)
      return { value: found, next: next === undefined ? null : String(next), fits: true }
  }
  return { value: found, next: null, fits: false }
}

/** Small results: own words and a few texts. */
export const plain = (reader: Viewer, value: object): object => shown(reader, value).value
