// What a message asks to be filled with. A message in another language, or of an operator, must ask for nothing else than the
// English one: what is not given to it would fail the page.
import { IntlMessageFormat } from 'intl-messageformat'

type Element = ReturnType<IntlMessageFormat['getAst']>[number]

/** As intl-messageformat numbers the kinds of its elements. */
const kinds = ['literal', 'argument', 'number', 'date', 'time', 'select', 'plural', 'pound', 'tag'] as const

export interface Blanks {
  /** By name, how each is used: `argument`, `number`, `plural`, `select` and so on, sorted. */
  readonly arguments: ReadonlyMap<string, readonly string[]>
  readonly tags: ReadonlySet<string>
  /** The forms of each plural, in the order of the message. */
  readonly plurals: readonly (readonly string[])[]
}

export function blanksOf(text: string, language: string): Blanks {
  const found = new Map<string, Set<string>>()
  const tags = new Set<string>()
  const plurals: string[][] = []
  const walk = (elements: readonly Element[]): void => {
    for (const element of elements) {
      const kind = kinds[element.type] as (typeof kinds)[number]
      if (kind === 'tag') tags.add(String((element as { value: string }).value))
      else if (kind !== 'literal' && kind !== 'pound') {
        const { value } = element as { value: string }
        found.set(value, (found.get(value) ?? new Set()).add(kind))
      }
      if (kind === 'plural') plurals.push(Object.keys((element as { options: object }).options))
      if ('children' in element) walk(element.children)
      if ('options' in element) for (const option of Object.values(element.options)) walk(option.value)
    }
  }
  walk(new IntlMessageFormat(text, language).getAst())
  return { arguments: new Map([...found].map(([name, used]) => [name, [...used].sort()])), tags, plurals }
}

/** What a message asks for that the English one does not; undefined if it can take its place. */
export function strangerIn(text: string, language: string, english: string): string | undefined {
  const [own, known] = [blanksOf(text, language), blanksOf(english, 'en')]
  for (const [name, used] of own.arguments) {
    const given = known.arguments.get(name)
    if (!given) return `there is no {${name}}`
    // A count is a number there, never a text or a piece of a page.
    const isCounted = used.some((kind) => kind !== 'argument' && kind !== 'select')
    if (isCounted && !given.some((kind) => kind !== 'argument' && kind !== 'select')) return `{${name}} is no number`
  }
  for (const tag of own.tags) if (!known.tags.has(tag)) return `there is no <${tag}>`
  return undefined
}
