// The Markdown that the documents and the contract are written in: headings, paragraphs, lists, quotes, tables, code, bold,
// emphasis and links. HTML in it is text like any other.
import { type Html, html, type Part } from './html.ts'

export interface MarkdownOptions {
  /** The level of the document's `#`. */
  topLevel: 1 | 2 | 3 | 4
  /** Gives headings an `id` made of their text. */
  anchors?: boolean
}

/** Renders Markdown; whatever it does not know stays readable text. */
export function markdown(text: string, options: MarkdownOptions): Html {
  return html`${blocks(text.replace(/\r\n?/g, '\n').split('\n'), options)}`
}

/** What a heading's anchor is called. */
export const slug = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '')

const fence = /^```/
const heading = /^(#{1,6})\s+(.+?)\s*#*$/
const bullet = /^[-*+]\s+(.*)$/
const numbered = /^\d{1,9}[.)]\s+(.*)$/
const quote = /^>\s?(.*)$/
const rule = /^(-{3,}|\*{3,}|_{3,})$/
const tableRule = /^\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?$/

function blocks(lines: readonly string[], options: MarkdownOptions): Part[] {
  const out: Part[] = []
  let i = 0
  const take = (matches: (line: string) => boolean): string[] => {
    const start = i
    while (i < lines.length && matches(lines[i] as string)) i++
    return lines.slice(start, i)
  }
  while (i < lines.length) {
    const line = lines[i] as string
    const title = heading.exec(line)
    if (line.trim() === '') {
      i++
    } else if (fence.test(line)) {
      i++
      const code = take((each) => !fence.test(each))
      i++
      out.push(html`<pre tabindex="0"><code>${code.join('\n')}</code></pre>`)
    } else if (title) {
      i++
      out.push(headingOf((title[1] as string).length, title[2] as string, options))
    } else if (rule.test(line.trim())) {
      i++
      out.push(html`<hr>`)
    } else if (quote.test(line)) {
      const inner = take((each) => quote.test(each)).map((each) => quote.exec(each)?.[1] ?? '')
      out.push(html`<blockquote>${blocks(inner, options)}</blockquote>`)
    } else if (line.includes('|') && tableRule.test(lines[i + 1] ?? '')) {
      out.push(table(take((each) => each.includes('|'))))
    } else if (bullet.test(line)) {
      out.push(html`<ul>${items(take(partOfList(bullet)), bullet)}</ul>`)
    } else if (numbered.test(line)) {
      const start = Number.parseInt(line, 10)
      out.push(html`<ol start="${start}">${items(take(partOfList(numbered)), numbered)}</ol>`)
    } else {
      // A paragraph ends where another block begins; its first line is taken in any case, so the loop always moves on.
      i++
      const rest = take(
        (each) => each.trim() !== '' && ![fence, heading, bullet, quote].some((start) => start.test(each)),
      )
      out.push(html`<p>${inline([line, ...rest].join(' '))}</p>`)
    }
  }
  return out
}

/** A list goes on over its items and their indented continuations. */
const partOfList =
  (marker: RegExp) =>
  (line: string): boolean =>
    marker.test(line) || /^\s+\S/.test(line)

function items(lines: readonly string[], marker: RegExp): Html[] {
  const found: string[] = []
  for (const line of lines) {
    const text = marker.exec(line)?.[1]
    if (text !== undefined) found.push(text)
    else found.push(`${found.pop() ?? ''} ${line.trim().replace(/^[-*+]\s+/, '– ')}`)
  }
  return found.map((text) => html`<li>${inline(text)}</li>`)
}

function table(lines: readonly string[]): Html {
  const cells = (line: string): string[] =>
    line
      .trim()
      .replace(/^\||\|$/g, '')
      .split('|')
      .map((cell) => cell.trim())
  const [head = '', , ...rows] = lines
  return html`<div class="scroll" tabindex="0"><table><thead><tr>${cells(head).map((cell) => html`<th scope="col">${inline(cell)}</th>`)}</tr></thead>
<tbody>${rows.map((row) => html`<tr>${cells(row).map((cell) => html`<td>${inline(cell)}</td>`)}</tr>`)}</tbody></table></div>`
}

function headingOf(depth: number, text: string, { topLevel, anchors }: MarkdownOptions): Html {
  const id = anchors && html` id="${slug(text)}"`
  const content = inline(text)
  switch (Math.min(6, depth + topLevel - 1)) {
    case 1:
      return html`<h1${id}>${content}</h1>`
    case 2:
      return html`<h2${id}>${content}</h2>`
    case 3:
      return html`<h3${id}>${content}</h3>`
    case 4:
      return html`<h4${id}>${content}</h4>`
    case 5:
      return html`<h5${id}>${content}</h5>`
    default:
      return html`<h6${id}>${content}</h6>`
  }
}

// Code first, for nothing inside it is a mark. The classes exclude their own delimiter, so matching stays linear.
const span = /`([^`]+)`|\*\*([^*]+)\*\*|\*([^*\s][^*]*)\*|\[([^\][]+)\]\(([^()\s]+)\)/g

/** The marks inside a line: code, bold, emphasis, and links to http(s) addresses or within this site. */
export function inline(text: string): Part[] {
  const parts: Part[] = []
  let end = 0
  for (const match of text.matchAll(span)) {
    const [whole, code, strong, emphasis, label, target] = match
    parts.push(text.slice(end, match.index))
    end = match.index + whole.length
    if (code !== undefined) parts.push(html`<code>${code}</code>`)
    else if (strong !== undefined) parts.push(html`<strong>${inline(strong)}</strong>`)
    else if (emphasis !== undefined) parts.push(html`<em>${inline(emphasis)}</em>`)
    else if (target !== undefined && isLinkable(target))
      parts.push(html`<a href="${target}" rel="noreferrer">${label}</a>`)
    else parts.push(whole)
  }
  parts.push(text.slice(end))
  return parts
}

/** `javascript:` and its like are no links, nor is `//host`, which would leave the site unseen. */
const isLinkable = (target: string): boolean => /^https?:\/\/[^/]/i.test(target) || /^(#|\/(?![/\\]))/.test(target)
