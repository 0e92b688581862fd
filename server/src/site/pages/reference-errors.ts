// What each error code means and asks for: the words of the guide, in the language of the page.
import { type Code, nameOf, refusals } from '../../kernel/refuse.ts'
import { codeActions, codeWords } from '../../modules/feedback/guide-codes.ts'
import { codeWordsRu } from '../../modules/feedback/guide-codes-ru.ts'
import { type Action, words as guideWords } from '../../modules/feedback/guide-words.ts'
import { type Html, type HtmlPart, html } from '../html.ts'
import { inline } from '../markdown.ts'
import type { Words } from '../words.ts'
import type { Book } from './reference-book.ts'

export interface Told {
  name: string
  status: number
  meaning: string
  action: Action
}

/** Every code by the name that an answer has; two of one name are told together. */
export function codesIn({ language }: Pick<Words, 'language'>): readonly Told[] {
  const means = language === 'ru' ? codeWordsRu : codeWords
  return (Object.keys(refusals) as Code[]).map((code) => ({
    name: nameOf(code),
    status: refusals[code],
    meaning: means[code],
    action: codeActions[code],
  }))
}

const actions = new Map<string, Action>(
  (Object.keys(refusals) as Code[]).reverse().map((code) => [nameOf(code), codeActions[code]]),
)

export const actionOf = (code: string): Action => actions.get(code) ?? 'stop'

export const adviceOf = ({ language }: Pick<Words, 'language'>, action: string): HtmlPart =>
  inline(guideWords[language === 'ru' ? 'ru' : 'en'].actions[action as Action])

export function errorsPart(book: Book): Html {
  const { words } = book
  const seen = new Set<string>()
  const id = (name: string): HtmlPart => !seen.has(name) && seen.add(name) && html` id="${name}"`
  return html`<section class="scroll" tabindex="0" aria-label="${words.text('docs.errors')}"><table class="kinds"><thead><tr><th scope="col">${words('docs.codes')}</th><th scope="col">${words('docs.meaning')}</th><th scope="col">${words('docs.todo')}</th></tr></thead>
<tbody>${codesIn(words).map(({ name, status, meaning, action }) => html`<tr${id(name)}><th scope="row"><span class="code-status bad">${status}</span> <code>${name}</code></th><td>${inline(meaning)}</td><td>${adviceOf(words, action)}</td></tr>`)}</tbody></table></section>`
}
