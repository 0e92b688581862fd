// The headers of everything that the site sends, said once.
import { type Caching, caching, htmlType } from '../http/page.ts'

const policyOf = (hasScript: boolean): string =>
  [
    "default-src 'none'",
    ...(hasScript ? ["script-src 'self'"] : []),
    "style-src 'self'",
    "img-src 'self'",
    "media-src 'self'",
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')

const policies = { still: policyOf(false), scripted: policyOf(true) } as const

/** Of what is no page: opened by itself it loads and runs nothing. */
const barePolicy = "default-src 'none'; frame-ancestors 'none'"

interface ServedPage {
  cache: Caching
  /** HTML when undefined. */
  contentType?: string
  isSecret?: boolean
  hasScript?: boolean
  variesOn?: string | undefined
  isShared?: boolean | undefined
}

/** What an answer of the site carries; with a secret address it is named to nobody. */
export function headersOf({
  cache,
  contentType = htmlType,
  isSecret = false,
  hasScript = false,
  variesOn,
  isShared = false,
}: ServedPage): Record<string, string> {
  const isPage = contentType === htmlType
  // In whose language it is, and whose it is.
  const vary = [variesOn, isPage ? 'Accept-Language, Cookie' : undefined].filter((name) => name !== undefined)
  return {
    'content-type': contentType,
    'content-security-policy': isPage ? policies[hasScript ? 'scripted' : 'still'] : barePolicy,
    'x-frame-options': 'DENY',
    ...(isShared && { 'cross-origin-resource-policy': 'cross-origin' }),
    ...(isPage && { 'cross-origin-opener-policy': 'same-origin' }),
    'referrer-policy': isSecret ? 'no-referrer' : 'same-origin',
    'cache-control': caching[cache],
    ...(vary.length > 0 && { vary: vary.join(', ') }),
    ...(isSecret && { 'x-robots-tag': 'noindex, nofollow' }),
  }
}
