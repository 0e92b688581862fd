// A reader's languages: those that the browser or program asks for, after the one chosen on the pages.
// docs/contract/site.md#languages.
import type { FastifyRequest } from 'fastify'
import Negotiator from 'negotiator'
import { isLanguage } from '../kernel/text.ts'
import { readCookie } from './cookies.ts'

/** Not a session: it says how pages are shown, and nothing about the reader. */
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
