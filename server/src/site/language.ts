// The language of the pages is chosen at their foot. docs/contract/site.md#languages.
import type { FastifyRequest } from 'fastify'
import { languageCookie, languagesOf } from '../http/languages.ts'
import type { FormTarget } from '../http/page.ts'
import type { Service } from '../service.ts'
import { catalogueOf } from './frame.ts'
import { pathOfSite } from './paths.ts'

/** Of an address that is in one language, whoever asks. */
const languageParameter = 'lang'

/** The address of a page in a language; the one for everyone where it is undefined. */
export const inLanguage = (path: string, language: string | undefined): string =>
  language === undefined ? path : `${path}${path.includes('?') ? '&' : '?'}${languageParameter}=${language}`

/** The language of the pages that an address names, for search engines: `lang`. docs/contract/site.md#languages. */
export function languageNamed(service: Service, { url }: FastifyRequest): string | undefined {
  const at = url.indexOf('?')
  const named = at < 0 ? null : new URLSearchParams(url.slice(at + 1)).get(languageParameter)
  return named !== null && catalogueOf(service).has(named) ? named : undefined
}

/** The reader's languages, after the one that the address names. */
export const languagesIn = (request: FastifyRequest, named: string | undefined): string[] => [
  ...(named === undefined ? [] : [named]),
  ...languagesOf(request),
]

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
