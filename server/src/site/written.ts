// Texts of several lines as their authors wrote them: paragraphs whose lines keep their indentation, code as code, and in articles
// lists. Each line is looked at once, so no text costs more than its length. docs/contract/site.md#what-agents-wrote.
import { type HtmlPart, html } from './html.ts'
import { linker } from './text.ts'

/** Paragraphs are parted by empty lines. */
export const paragraphs = (text: string): HtmlPart => written(text, false)

/** The same with lists. */
export const article = (text: string): HtmlPart => written(text, true)

interface List {
  kind: 'ul' | 'ol'
  /** Where its marks stand, and where the text behind them begins. */
  indent: number
  content: number
}

/** Items that are nested deeper stay on this level. */
const deepest = 20

function written(text: string, hasLists: boolean): HtmlPart {
  const lines = text.split('\n')
  const parts: HtmlPart[] = []
  const lists: List[] = []
  const linked = linker()
  const marked = (line: string): HtmlPart => withCode(line, linked)
  /** What the next line of text goes on with. */
  let open: 'paragraph' | 'item' | undefined

  /** Blanks within an item would be shown. */
  const endBlock = (part: HtmlPart): void => {
    parts.push(part, lists.length === 0 && '\n')
  }
  const end = (): void => {
    if (open === 'paragraph') endBlock(html`</p>`)
    open = undefined
  }
  const endList = (): void => {
    endBlock(lists.pop()?.kind === 'ol' ? html`</li></ol>` : html`</li></ul>`)
  }
  /** A line at this column is not in a list whose marks are at that column or further right. */
  const endLists = (indent: number): void => {
    while (indent <= (lists.at(-1)?.indent ?? -1)) endList()
  }
  const beginItem = ({ kind, number, indent, content, text }: Item): void => {
    endLists(indent + 1)
    const last = lists.at(-1)
    const isDeeper = !last || (indent >= last.content && lists.length < deepest)
    if (!isDeeper && last.kind === kind) parts.push(html`</li>`)
    else {
      if (!isDeeper) endList()
      lists.push({ kind, indent, content })
      parts.push(
        kind === 'ul'
          ? html`<ul class="items">`
          : number === '1'
            ? html`<ol class="items">`
            : html`<ol class="items" start="${number}">`,
      )
    }
    parts.push(html`<li dir="auto">`, marked(text))
    open = 'item'
  }

  for (let at = 0; at < lines.length; at++) {
    const line = hasLists ? untabbed(lines[at] as string) : (lines[at] as string)
    const fence = fenceIn(line)
    const item = hasLists && !fence ? itemIn(line) : undefined
    if (fence) {
      end()
      endLists(fence.indent)
      const from = at + 1
      do at++
      while (at < lines.length && !isEnd(lines[at] as string, fence))
      const code = lines.slice(from, at).map((each) => dedented(each, fence.indent))
      endBlock(html`<pre class="as-written" dir="auto" tabindex="0"><code>${code.join('\n')}</code></pre>`)
    } else if (line.trim() === '') end()
    else if (item && (open !== 'paragraph' || item.interrupts)) {
      end()
      beginItem(item)
    } else {
      if (open) parts.push(html`<br>`)
      else {
        endLists(indentOf(line))
        parts.push(html`<p dir="auto">`)
        open = 'paragraph'
      }
      parts.push(marked(dedented(line, lists.at(-1)?.content ?? 0)))
    }
  }
  end()
  while (lists.length > 0) endList()
  return parts
}

interface Fence {
  indent: number
  mark: string
}

/** A line that begins code, as CommonMark has it, but at any column. */
function fenceIn(line: string): Fence | undefined {
  const [, blanks = '', mark] = /^(\s*)(`{3,}(?=[^`]*$)|~{3,})/.exec(line) ?? []
  return mark === undefined ? undefined : { indent: blanks.length, mark }
}

/** At least as many of the same marks, and nothing else. */
const isEnd = (line: string, { mark }: Fence): boolean => {
  const marks = line.trim()
  return marks.length >= mark.length && marks === (mark[0] as string).repeat(marks.length)
}

interface Item {
  kind: List['kind']
  number: string
  indent: number
  content: number
  text: string
  /** Whether it begins a list in the midst of a paragraph: a number that ends a sentence and begins a line does not. */
  interrupts: boolean
}

function itemIn(line: string): Item | undefined {
  const [all, blanks = '', mark = ''] = /^( *)([-*+]|\d{1,9}[.)]) +(?=\S)/.exec(line) ?? []
  if (all === undefined) return undefined
  const number = /^\d+/.exec(mark)?.[0]
  return {
    kind: number === undefined ? 'ul' : 'ol',
    number: String(Number(number ?? 1)),
    indent: blanks.length,
    content: all.length,
    text: line.slice(all.length),
    interrupts: number === undefined || Number(number) === 1,
  }
}

const untabbed = (line: string): string => line.replace(/^[ \t]+/, (blanks) => blanks.replaceAll('\t', '    '))
const indentOf = (line: string): number => line.length - line.trimStart().length
const dedented = (line: string, most: number): string => line.slice(Math.min(most, indentOf(line)))

/** A line with its addresses as links, and what stands between backticks as code. */
function withCode(line: string, linked: (text: string) => HtmlPart): HtmlPart {
  if (!line.includes('`')) return linked(line)
  const runs = [...line.matchAll(/`+/g)]
  const ends = endsOf(runs)
  const parts: HtmlPart[] = []
  let from = 0
  for (let at = 0; at < runs.length; at++) {
    const [begin, end] = [runs[at] as RegExpExecArray, runs[ends[at] ?? -1]]
    if (!end) continue
    const code = line.slice(begin.index + begin[0].length, end.index)
    parts.push(linked(line.slice(from, begin.index)), html`<code>${unpadded(code)}</code>`)
    from = end.index + end[0].length
    at = ends[at] as number
  }
  return [...parts, linked(line.slice(from))]
}

/** A blank on each side parts backticks that belong to the code from those around it. */
const unpadded = (code: string): string =>
  code.startsWith(' ') && code.endsWith(' ') && code.trim() !== '' ? code.slice(1, -1) : code

/** Of each run of backticks the next one that is as long: where its code ends. */
function endsOf(runs: readonly RegExpExecArray[]): (number | undefined)[] {
  const next = new Map<number, number>()
  return runs
    .map((_, n) => {
      const at = runs.length - 1 - n
      const { length } = (runs[at] as RegExpExecArray)[0]
      const found = next.get(length)
      next.set(length, at)
      return found
    })
    .reverse()
}
