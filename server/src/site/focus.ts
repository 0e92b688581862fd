// Where a page begins for someone who has just sent a form: the browser scrolls to what is wrong, or to the answer, and puts the
// focus there. It needs no script. docs/contract/site.md#forms.
import { type Html, raw } from './html.ts'

type Reason = 'problem' | 'answer' | 'first'

/** Marks an element that may take the focus: what is wrong with a form, what it was answered with, or its first entry. */
export const mayHaveFocus = (reason: Reason): Html => raw(markOf(reason))

/** Nothing that anybody wrote looks like it: quotes in texts are escaped. */
const markOf = (reason: Reason): string => ` data-focus="${reason}"`

const wrongEntry = /<(?:input|textarea|select) [^<>]*?(?= aria-invalid="true")/

/** A page as text in which one element has the focus: the first wrong entry, else what is marked first for the best reason. */
export function withFocus(page: string): string {
  const entry = wrongEntry.exec(page)
  if (entry) return unmarked(insert(page, entry.index + entry[0].length, ' autofocus'))
  for (const reason of ['problem', 'answer', 'first'] as const) {
    const at = page.indexOf(markOf(reason))
    if (at >= 0) return unmarked(insert(page, at, reason === 'first' ? ' autofocus' : ' tabindex="-1" autofocus'))
  }
  return page
}

const insert = (page: string, at: number, attributes: string): string => page.slice(0, at) + attributes + page.slice(at)

const unmarked = (page: string): string => page.replace(/ data-focus="\w+"/g, '')
