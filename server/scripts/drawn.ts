// Pictures and tables of state machines, drawn from their tables into the documents between two marks.
import { readFile, writeFile } from 'node:fs/promises'

/** A way from states to a state, by the name of what moves it. */
export type Way = readonly [action: string, from: readonly string[], to: string]

/** A Mermaid picture; ways that change nothing are no arrows. `first` is what begins it, and where that leads. */
export function picture(first: readonly [action: string, to: string], ways: readonly Way[]): string {
  const arrows = ways
    .filter(([, from, to]) => !from.includes(to))
    .flatMap(([action, from, to]) => from.map((state) => [`${state} --> ${to}`, action] as const))
  const merged = Map.groupBy(arrows, ([arrow]) => arrow)
  return [
    '```mermaid',
    'stateDiagram-v2',
    `  [*] --> ${first[1]}: ${first[0]}`,
    ...[...merged].map(([arrow, all]) => `  ${arrow}: ${all.map(([, action]) => action).join(', ')}`),
    '```',
  ].join('\n')
}

export const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')

export interface Drawing {
  /** Of the repository's docs. */
  file: string
  /** What the marks name as the source. */
  source: string
  text(): string
}

/** A document as it is, and with its drawn part replaced. */
export async function drawn({ file, source, text }: Drawing): Promise<{ was: string; is: string }> {
  const [begin, end] = [`<!-- drawn from ${source}: begin -->`, `<!-- drawn from ${source}: end -->`]
  const was = await readFile(pathOf(file), 'utf8')
  const [head, rest] = was.split(begin) as [string, string]
  const tail = rest.split(end)[1] as string
  return { was, is: `${head}${begin}\n\n${text()}\n\n${end}${tail}` }
}

export async function draw(drawing: Drawing): Promise<void> {
  await writeFile(pathOf(drawing.file), (await drawn(drawing)).is)
}

const pathOf = (file: string) => new URL(`../../docs/${file}`, import.meta.url)
