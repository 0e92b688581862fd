// The language of the pages is chosen at their foot. docs/contract/site.md#languages.
import { languageCookie } from '../http/languages.ts'
import type { FormTarget } from '../http/page.ts'
import { catalogueOf } from './frame.ts'
import { pathOfSite } from './paths.ts'

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
