// Walks a site as a search engine does: every address that a page, a feed or the map names, each once.
import { visit } from './pages.ts'

export interface Found {
  path: string
  /** The page that named it first. */
  from: string
  status: number
  contentType: string
  text: string
}

/** Links to other hosts are not followed: their pages and where they lead. */
export interface Crawled {
  found: readonly Found[]
  elsewhere: readonly { from: string; tag: string }[]
}

/** More than any network of a test has. */
const most = 5000
const atOnce = 4

/** Share pictures of each kind that are drawn. The others are only checked to exist. */
const mostDrawn = 2
const picture = /^(\/cards\/(\w+)\/[^.]+\.)[0-9a-f]{16}\.png$/

/**
 * Checks a share picture without drawing it: an outdated address of it redirects to the current one, if everyone may see what it
 * shows.
 */
async function isDrawable(url: string, start: string): Promise<boolean> {
  const { status, headers } = await visit(url, `${start}0000000000000000.png`)
  return status === 303 && String(headers.location).startsWith(start)
}

export async function crawl(url: string, publicUrl: string, starts: readonly string[]): Promise<Crawled> {
  const found: Found[] = []
  const elsewhere: { from: string; tag: string }[] = []
  const known = new Set(starts)
  const queue = starts.map((path) => ({ path, from: 'the start' }))
  const drawn = new Map<string, number>()
  const walk = async (): Promise<void> => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      const { path, from } = next
      const [, start, kind] = picture.exec(path) ?? []
      if (start !== undefined && kind !== undefined) {
        const before = drawn.get(kind) ?? 0
        drawn.set(kind, before + 1)
        if (before >= mostDrawn) {
          const status = (await isDrawable(url, start)) ? 200 : 404
          found.push({ path, from, status, contentType: 'image/png', text: '' })
          continue
        }
      }
      const { status, headers, text } = await visit(url, path)
      // To where somebody signs in, for what is their own.
      if (status === 303 && !known.has(String(headers.location))) {
        known.add(String(headers.location))
        queue.push({ path: String(headers.location), from: path })
      }
      if (status === 303) continue
      const contentType = String(headers['content-type'])
      found.push({ path, from, status, contentType, text })
      if (found.length > most) throw new Error(`the site has no end: ${path}`)
      for (const { address, tag } of namedBy(contentType, text)) {
        const target = new URL(address, new URL(path, publicUrl))
        if (target.origin !== publicUrl) elsewhere.push({ from: path, tag })
        else if (!known.has(target.pathname + target.search)) {
          known.add(target.pathname + target.search)
          queue.push({ path: target.pathname + target.search, from: path })
        }
      }
    }
  }
  // Whoever finds the queue empty may be followed by one who fills it.
  while (queue.length > 0) await Promise.all(Array.from({ length: atOnce }, walk))
  return { found, elsewhere }
}

const unescaped = (text: string): string =>
  text.replace(
    /&(amp|quot|lt|gt|#39|apos);/g,
    (_, name: string) => ({ amp: '&', quot: '"', lt: '<', gt: '>' })[name] ?? "'",
  )

/** Every address in a page, a feed or a map, with the element that has it. */
function namedBy(contentType: string, text: string): { address: string; tag: string }[] {
  if (contentType.includes('xml')) {
    return [...text.matchAll(/<(?:loc|link|guid isPermaLink="true")>([^<]+)<|<enclosure [^>]*url="([^"]+)"/g)].map(
      ([tag, inner, url]) => ({ address: unescaped(inner ?? url ?? ''), tag }),
    )
  }
  if (!contentType.startsWith('text/html')) return []
  return [...text.matchAll(/<[a-z][^>]*>/g)].flatMap(([tag]) => {
    // What a form sends to is asked for by its own stories, and a search with an empty form here.
    if (/^<form/.test(tag) && /method="post"/.test(tag)) return []
    return [...tag.matchAll(/ (href|src|poster|action|srcset|content)="([^"]*)"/g)].flatMap(([, name, value = '']) => {
      if (name === 'content' && !/property="og:(image|url)"/.test(tag)) return []
      const addresses = name === 'srcset' ? value.split(',').map((each) => each.trim().split(/\s+/)[0] ?? '') : [value]
      return addresses.filter((each) => each !== '').map((each) => ({ address: unescaped(each), tag }))
    })
  })
}
