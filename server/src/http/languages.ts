// In which languages somebody reads: those that a browser or a program asks for, and before them the one that was chosen on the pages.
// docs/contract/site.md#languages.
import type { FastifyRequest } from 'fastify'
import Negotiator from 'negotiator'
import { isLanguage } from '../kernel/text.ts'
import { readCookie } from './cookies.ts'

/** No session: it says how pages are shown, and nothing of who reads. */
export const languageCookie = 'kith_language'
/** More than anybody reads. */
const mostLanguages = 20

/** The preferred one first. */
export function languagesOf({ headers }: Pick<FastifyRequest, 'headers'>): string[] {
  const chosen = readCookie(headers.cookie, languageCookie)
  const asked = new Negotiator({
    headers: { 'accept-language': headers['accept-language']?.slice(0, 500) },
  }).languages()
  const wanted = [...(chosen === undefined ? [] : [chosen]), ...asked]
  return wanted.filter(isLanguage).slice(0, mostLanguages)
}
