// Markdown as pages show it: read by markdown-it (CommonMark and tables), made into HTML by the templates of the site, which escape
// all that is put into them. HTML in it is text like any other.
import MarkdownIt from 'markdown-it'
import { type Html, type HtmlPart, html } from './html.ts'

interface MarkdownOptions {
  /** The level of the document's `#`. */
  topLevel: 1 | 2 | 3 | 4
  /** Gives headings an `id` made of their text. */
  anchors?: boolean
}

/** Deeper than anybody writes; what is nested deeper is left out, so that no text costs the square of its length. */
const maxNesting = 50

const reader = new MarkdownIt({ html: false, linkify: false, typographer: false, maxNesting })
reader.validateLink = isLinkable

/** `javascript:` and its like are no links, nor is `//host`, which would leave the site unseen. */
function isLinkable(target: string): boolean {
  return /^https?:\/\/[^/]/i.test(target) || /^(#|\/(?!\/|\\|%5c))/i.test(target)
}

/** Renders Markdown; whatever it does not know stays readable text. */
export function markdown(text: string, options: MarkdownOptions): Html {
  return html`${partsOf(reader.parse(text, {}), headingsOf(options))}`
}

/** The marks inside a line: code, bold, emphasis, and links to http(s) addresses or within this site. */
export function inline(text: string): HtmlPart {
  return partsOf(reader.parseInline(text, {}), asText)
}

/** What a heading's anchor is called. */
export const slug = (text: string): string =>
  text
    .toLowerCase()
    .replace(/['’]/g, '')
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '')

type Token = ReturnType<typeof reader.parse>[number]
/** Where a heading begins, with its text as it was written, or ends. */
type HeadingEdge = (token: Token, source: string) => HtmlPart

/**
 * The tokens are flat, with an opening and a closing one around each element, and so are the parts: put into each other they would be
 * copied once a level.
 */
const partsOf = (tokens: readonly Token[], heading: HeadingEdge): HtmlPart[] =>
  tokens.map((token, at) => {
    if (token.type === 'inline') return partsOf(token.children ?? [], heading)
    if (token.type.startsWith('heading_')) return heading(token, tokens[at + 1]?.content ?? '')
    // A head without words heads nothing.
    if (token.type === 'th_open' && tokens[at + 1]?.content === '') return html`<td>`
    if (token.type === 'th_close' && tokens[at - 1]?.content === '') return html`</td>`
    return (pieces[token.type] ?? asText)(token)
  })

const asText = ({ content }: Token): HtmlPart => content

const code = ({ content }: Token): HtmlPart => html`<pre tabindex="0"><code>${content.replace(/\n$/, '')}</code></pre>`

const pieces: Readonly<Record<string, (token: Token) => HtmlPart>> = {
  // Of a list without empty lines they are hidden.
  paragraph_open: ({ hidden }) => !hidden && html`<p>`,
  paragraph_close: ({ hidden }) => !hidden && html`</p>`,
  blockquote_open: () => html`<blockquote>`,
  blockquote_close: () => html`</blockquote>`,
  bullet_list_open: () => html`<ul>`,
  bullet_list_close: () => html`</ul>`,
  ordered_list_open: (token) =>
    token.attrGet('start') === null ? html`<ol>` : html`<ol start="${token.attrGet('start')}">`,
  ordered_list_close: () => html`</ol>`,
  list_item_open: () => html`<li>`,
  list_item_close: () => html`</li>`,
  table_open: () => html`<div class="scroll" tabindex="0"><table>`,
  table_close: () => html`</table></div>`,
  thead_open: () => html`<thead>`,
  thead_close: () => html`</thead>`,
  tbody_open: () => html`<tbody>`,
  tbody_close: () => html`</tbody>`,
  tr_open: () => html`<tr>`,
  tr_close: () => html`</tr>`,
  th_open: () => html`<th scope="col">`,
  th_close: () => html`</th>`,
  td_open: () => html`<td>`,
  td_close: () => html`</td>`,
  em_open: () => html`<em>`,
  em_close: () => html`</em>`,
  strong_open: () => html`<strong>`,
  strong_close: () => html`</strong>`,
  s_open: () => html`<s>`,
  s_close: () => html`</s>`,
  link_open: (token) => html`<a href="${token.attrGet('href')}" rel="noreferrer">`,
  link_close: () => html`</a>`,
  // A page shows no pictures but its own: a description replaces this one.
  image: (token) => token.content || token.attrGet('src'),
  fence: code,
  code_block: code,
  code_inline: ({ content }) => html`<code>${content}</code>`,
  softbreak: () => ' ',
  hardbreak: () => html`<br>`,
  hr: () => html`<hr>`,
}

/** Of two headings alike the second has a number, as where Markdown is shown elsewhere. */
function headingsOf({ topLevel, anchors }: MarkdownOptions): HeadingEdge {
  const anchorOf = newAnchors()
  return ({ tag, nesting }, source) => {
    const edges = headings[Math.min(6, Number(tag.slice(1)) + topLevel - 1) - 1] as (typeof headings)[number]
    if (nesting < 0) return edges.close
    const anchor = anchors && anchorOf(source)
    return edges.open(anchor && html` id="${anchor}"`)
  }
}

const headings = [
  { open: (id: HtmlPart) => html`<h1${id}>`, close: html`</h1>` },
  { open: (id: HtmlPart) => html`<h2${id}>`, close: html`</h2>` },
  { open: (id: HtmlPart) => html`<h3${id}>`, close: html`</h3>` },
  { open: (id: HtmlPart) => html`<h4${id}>`, close: html`</h4>` },
  { open: (id: HtmlPart) => html`<h5${id}>`, close: html`</h5>` },
  { open: (id: HtmlPart) => html`<h6${id}>`, close: html`</h6>` },
] as const

/** Names for the headings of one text, in their order. */
export function newAnchors(): (source: string) => string | undefined {
  // The frame of every page has one of its own.
  const taken = new Set(['main'])
  const times = new Map<string, number>()
  return (source) => {
    const words = slug(source)
    if (words === '') return undefined
    const name = /^\d/.test(words) ? `section-${words}` : words
    let again = times.get(name) ?? 0
    let anchor = again === 0 ? name : `${name}-${again}`
    while (taken.has(anchor)) {
      again += 1
      anchor = `${name}-${again}`
    }
    times.set(name, again + 1)
    taken.add(anchor)
    return anchor
  }
}
