// The headers of everything that the site sends, said once.
import { type Caching, caching, htmlType } from '../http/page.ts'

const policy = [
  "default-src 'none'",
  "style-src 'self'",
  "img-src 'self'",
  "media-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** Of what is no page: opened by itself it loads and runs nothing. */
const barePolicy = "default-src 'none'; frame-ancestors 'none'"

interface Sent {
  cache: Caching
  /** HTML when undefined. */
  contentType?: string
  isSecret?: boolean
}

/** What an answer of the site carries; with a secret address it is named to nobody. */
export function headersOf({ cache, contentType = htmlType, isSecret = false }: Sent): Record<string, string> {
  const isPage = contentType === htmlType
  return {
    'content-type': contentType,
    'content-security-policy': isPage ? policy : barePolicy,
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'cross-origin-resource-policy': 'same-origin',
    ...(isPage && { 'cross-origin-opener-policy': 'same-origin' }),
    'referrer-policy': isSecret ? 'no-referrer' : 'same-origin',
    'cache-control': caching[cache],
    // In whose language it is, and whose it is.
    ...(isPage && { vary: 'Accept-Language, Cookie' }),
    ...(isSecret && { 'x-robots-tag': 'noindex, nofollow' }),
  }
}
