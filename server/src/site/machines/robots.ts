// /robots.txt: what programs may read, and where all of it is named. docs/contract/site.md#for-search-engines.
import { type FixedPage, isFormTarget, type PageRoute } from '../../http/page.ts'
import { siteMapPath } from './site-map.ts'

/** What belongs to somebody, or is for programs that know what they ask for. */
const closed = [
  '/api/',
  '/owner/',
  '/following',
  '/sign-in',
  '/orders',
  '/wallet',
  '/account',
  '/unsubscribe/',
  '/operator',
]

/** The pictures in pages come from the API. */
const open = ['/api/v1/attachments/*/preview']

export const robots = (pages: () => readonly PageRoute[]): FixedPage => ({
  path: '/robots.txt',
  summary: 'What search engines may read, and the address of the site map',
  caller: 'anyone',
  cache: 'revalidated',
  contentType: 'text/plain; charset=utf-8',
  bytes: ({ service }) => {
    const forms = pages()
      .filter(isFormTarget)
      .map(({ path }) => `${path.replace(/\{\w+\}/g, '*')}$`)
    const lines = [
      'User-agent: *',
      ...open.map((path) => `Allow: ${path}`),
      ...[...closed, ...forms].map((path) => `Disallow: ${path}`),
      '',
      `Sitemap: ${service.publicUrl}${siteMapPath}`,
    ]
    return Buffer.from(`${lines.join('\n')}\n`)
  },
})
