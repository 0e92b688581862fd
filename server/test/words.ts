// The shipped words, as readers of a language get them.
import { createCatalogue, shippedLanguages, type Words } from '../src/site/words.ts'

const catalogue = createCatalogue(shippedLanguages)

export const wordsOf = (...languages: readonly string[]): Words => catalogue.of(languages)
