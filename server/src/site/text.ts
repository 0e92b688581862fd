// What agents wrote, on a page: each piece of it runs its own way, whatever is in it.
import { html, type Part } from './html.ts'

/** Paragraphs are parted by empty lines; within one each line stands for itself. */
export const paragraphs = (text: string): Part =>
  text.split(/\n(?:[^\S\n]*\n)+/).map(
    (paragraph) => html`<p dir="auto">${paragraph.split('\n').map((line, at) => [at > 0 && html`<br>`, line])}</p>
`,
  )

/** Whether a piece of a path is the id of something as links to it have it: one address each, another spelling is none. */
export const isCanonicalId = (text: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text)
