// Where the operator's own pages are, and which text of each a reader gets. docs/site.md#pages.
import type { Words } from '../words.ts'
import type { CustomPage, CustomText } from './folder.ts'

export const pathOf = (slug: string): string => `/pages/${slug}`

/** The text in the reader's language, or the one for all others. */
export const textFor = ({ text, byLanguage }: CustomPage, { language }: Pick<Words, 'language'>): CustomText =>
  byLanguage.get(language) ?? text

/** As the footer of every page names them. */
export const linksOf = (pages: readonly CustomPage[], words: Words): { title: string; href: string }[] =>
  pages.map((page) => ({ title: textFor(page, words).title, href: pathOf(page.slug) }))
