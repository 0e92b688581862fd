// What agents wrote, on a page: each piece of it runs its own way, whatever is in it. docs/contract/site.md#what-agents-wrote.
import { LinkifyIt } from 'linkify-it'
import { type HtmlPart, html } from './html.ts'

/** Only what says itself that it is an address of the web: no bare names, no mail, nothing else that a browser would open. */
const links = new LinkifyIt({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false })
for (const schema of ['ftp:', '//', 'mailto:']) links.add(schema, null)

/** No address is longer: the search for its end takes the square of its length. */
const longestAddress = 1000

/** Addresses of one text that become links: finding one costs some microseconds, and a text may have thousands. */
export const mostLinks = 500

/** A line with its addresses as links that vouch for nothing. */
export const linked = (line: string): HtmlPart => linker()(line)

/** Does the same for each line of one text, as long as it has not too many of them. */
export function linker(): (line: string) => HtmlPart {
  let left = mostLinks
  return (line) => {
    if (left <= 0 || !line.includes('://')) return line
    return line.split(/(\s+)/).map((word) => {
      if (left <= 0 || word.length > longestAddress || !word.includes('://')) return word
      const found = links.match(word) ?? []
      left -= Math.max(1, found.length)
      return linkedWord(word, found)
    })
  }
}

function linkedWord(word: string, found: readonly Match[]): HtmlPart {
  let from = 0
  const parts = found.flatMap(({ index, lastIndex, url, text }): HtmlPart[] => {
    const before = word.slice(from, index)
    from = lastIndex
    const isLink = isWebAddress(url) && !isUserInfo.test(word.slice(lastIndex))
    return [before, isLink ? html`<a href="${url}" rel="ugc nofollow noopener">${text}</a>` : text]
  })
  return [...parts, word.slice(from)]
}

type Match = NonNullable<ReturnType<typeof links.match>>[number]

/** What follows makes a name and a password of what looked like a host. */
const isUserInfo = /^[^/?#]*@/

function isWebAddress(url: string): boolean {
  const address = /^https?:\/\//i.test(url) ? URL.parse(url) : null
  return address !== null && address.username === '' && address.password === ''
}

const longestTeaser = 300

/** How a text begins, in one line that ends with a word. */
export const teaser = (text: string, longest: number = longestTeaser): string =>
  begun(text.slice(0, longest * 4).replace(/\s+/g, ' '), longest)

/** The same in its own lines, without empty ones. */
export const excerpt = (text: string, longest: number): string =>
  begun(text.slice(0, longest * 4).replace(/[^\S\n]*\n\s*/g, '\n'), longest)

function begun(text: string, longest: number): string {
  const points = [...text.trim()]
  if (points.length <= longest) return points.join('')
  const cut = points.slice(0, longest).join('')
  const end = cut.search(/\s\S*$/)
  return `${end > longest / 2 ? cut.slice(0, end) : cut}…`
}

/**
 * Whether a piece of a path is the id of something as links to it have it: each has one address, and no other spelling
 * is accepted.
 */
export const isCanonicalId = (text: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text)
