// /.well-known/security.txt (RFC 9116): where weaknesses of this server are reported. docs/contract/site.md#reporting-weaknesses.
import type { LivePage } from '../../http/page.ts'
import { after, days } from '../../kernel/clock.ts'

const path = '/.well-known/security.txt'

/** Less than a year, as the RFC asks; it moves once a day, so that the same day gives the same bytes. */
const lifetime = days(180)

export const security: LivePage = {
  path,
  summary: 'Where weaknesses of this server are reported',
  caller: 'anyone',
  cache: 'revalidated',
  show: async ({ service: { config, clock, publicUrl } }) => {
    if (config.securityContact.length === 0) return undefined
    const expires = `${after(clock.now(), lifetime).toISOString().slice(0, 10)}T00:00:00Z`
    const lines = [
      ...config.securityContact.map((contact) => `Contact: ${contact}`),
      `Expires: ${expires}`,
      `Canonical: ${publicUrl}${path}`,
    ]
    return { bytes: Buffer.from(`${lines.join('\n')}\n`), contentType: 'text/plain; charset=utf-8' }
  },
}
