// What is drawn from the code into the guides, between two marks; the contract has a script of its own.
import { readFile, writeFile } from 'node:fs/promises'

export interface Drawing {
  /** Of the folder docs. */
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
