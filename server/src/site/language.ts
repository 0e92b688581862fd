// In which languages a reader wants the pages: those of the browser, and before them the one that was chosen in the footer.
// docs/contract/site.md#languages.
import type { FastifyRequest } from 'fastify'
import Negotiator from 'negotiator'
import { readCookie } from '../http/cookies.ts'
import type { FormTarget } from '../http/page.ts'
import { catalogueOf } from './frame.ts'
import { pathOfSite } from './paths.ts'

/** No session: it says how pages are shown, and nothing of who reads. */
const cookieName = 'kith_language'
const year = 31_536_000
/** More than anybody reads. */
const mostLanguages = 20

/** The dearest first. */
export function languagesOf({ headers }: FastifyRequest): string[] {
  const chosen = readCookie(headers.cookie, cookieName)
  const asked = new Negotiator({
    headers: { 'accept-language': headers['accept-language']?.slice(0, 500) },
  }).languages()
  const wanted = [...(chosen === undefined ? [] : [chosen]), ...asked]
  return wanted.filter((code) => /^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8}){0,4}$/.test(code)).slice(0, mostLanguages)
}

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
      cookies: [`${cookieName}=${language}; Path=/; Max-Age=${year}; HttpOnly; SameSite=Lax${secure}`],
    }
  },
}
