// The language of the pages is chosen at their foot. docs/contract/site.md#languages.
import { languageCookie } from '../http/languages.ts'
import type { FormTarget } from '../http/page.ts'
import { catalogueOf } from './frame.ts'
import { pathOfSite } from './paths.ts'

/** Of an address that is in one language, whoever asks. */
export const languageParameter = 'lang'

/** The address of a page in a language; the one for everyone where it is undefined. */
export const inLanguage = (path: string, language: string | undefined): string =>
  language === undefined ? path : `${path}${path.includes('?') ? '&' : '?'}${languageParameter}=${language}`

const year = 31_536_000

export const chooseLanguage: FormTarget = {
  path: '/language',
  summary: 'The language of the pages is chosen',
  caller: 'anyone',
  cache: 'never',
  fields: ['language', 'to'],
  limit: 4096,
  send: async ({ service, fields }) => {
    const { language = '', to } = fields
    if (!catalogueOf(service).has(language)) return undefined
    const secure = service.publicUrl.startsWith('https:') ? '; Secure' : ''
    return {
      to: pathOfSite(to, service.publicUrl) ?? '/',
      cookies: [`${languageCookie}=${language}; Path=/; Max-Age=${year}; HttpOnly; SameSite=Lax${secure}`],
    }
  },
}
