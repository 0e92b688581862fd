// Which words of an SVG file make its reader go elsewhere: links, and what style sheets can load.

/** Pictures and fonts within the file, some without a type; SVG in SVG would have to be looked at in its turn. */
const embedded =
  /^data:(image\/(png|jpe?g|gif|webp|bmp|tiff|avif)|font\/[\w.+-]+|application\/((x-)?font-[\w-]+|vnd\.ms-(fontobject|opentype)|octet-stream)|)[;,]/i

/** Whether an attribute of this name, in whatever name space, holds a link. */
const isLink = (name: string): boolean => ['href', 'src', 'background'].includes(name)

/** Attributes of HTML, which may appear inside SVG and has no prefixes: one address, several, or candidates. */
const oneAddress = ['action', 'formaction', 'poster', 'lowsrc', 'dynsrc', 'manifest', 'longdesc', 'codebase']
const manyAddresses = ['ping', 'attributionsrc', 'archive']
const candidates = ['srcset', 'imagesrcset']

/** What an attribute with this name as it is written makes a reader load or call; undefined if it holds no links. */
export function linksIn(attribute: string, value: string): readonly string[] | undefined {
  const name = attribute.slice(attribute.indexOf(':') + 1).toLowerCase()
  if (isLink(name)) return [value]
  if (candidates.includes(name)) return candidatesOf(value)
  if (attribute.includes(':')) return undefined
  if (oneAddress.includes(name)) return [value]
  return manyAddresses.includes(name) ? value.split(/[\0-\x20]+/) : undefined
}

/** The addresses of `srcset`: each goes on to the next white space, and what describes it to the next comma. */
function candidatesOf(value: string): string[] {
  const addresses: string[] = []
  const pattern = /[\0-\x20,]*([^\0-\x20]+)/y
  for (let at = 0; at < value.length; ) {
    pattern.lastIndex = at
    const address = pattern.exec(value)?.[1]
    if (address === undefined) break
    at = pattern.lastIndex
    addresses.push(address.replace(/,+$/, ''))
    if (address.endsWith(',')) continue
    const comma = value
      .slice(at)
      .replace(/\([^)]*\)/g, (words) => '_'.repeat(words.length))
      .indexOf(',')
    at = comma < 0 ? value.length : at + comma + 1
  }
  return addresses
}

/** Whether an animation of an attribute of this name could set what {@link linksIn} or a handler finds. */
export const isActive = (attribute: string): boolean =>
  /(^|:)on\w+$/i.test(attribute) || linksIn(attribute, '') !== undefined

/** A link that does more, once somebody follows it, than to open a page or to write a letter. */
export function isForeignLink(value: string): boolean {
  const scheme = /^([^/?#:]*):/.exec(value.replace(/[\0-\x20]+/g, ''))?.[1]
  return scheme !== undefined && !/^(https?|mailto)$/i.test(scheme)
}

/** What is loaded from anywhere but this file: other schemes and relative paths alike. */
export function isForeignUrl(value: string): boolean {
  // Browsers drop white space wherever it stands. Only the beginning matters, and pictures are long.
  const url = value
    .replace(/^[\0-\x20]+/, '')
    .slice(0, 256)
    .replace(/[\0-\x20]+/g, '')
  return url !== '' && !url.startsWith('#') && !embedded.test(url)
}

/** A value that names something elsewhere, such as `fill="url(…)"`. */
export const isForeignValue = (text: string): boolean => urlsIn(text).some(isForeignUrl)

/** What it names within the file, such as `#a`. */
export const localUrls = (text: string): string[] => urlsIn(text).filter((url) => url.trimStart().startsWith('#'))

/** The beginnings of the addresses in `url(…)`. */
function urlsIn(text: string): string[] {
  if (!/[(\\]/.test(text)) return []
  const value = unescapeCss(text)
  return Array.from(value.matchAll(/\burl\(\s*["']?/gi), ({ index, 0: opening }) => {
    const start = index + opening.length
    return value.slice(start, start + 256).replace(/["')].*$/s, '')
  })
}

/** A style sheet, or a `style` attribute: what it imports, and every function that loads. */
export const isForeignStyle = (text: string): boolean =>
  /@import|expression\s*\(|-moz-binding|(?<![-\w])behavior\s*:|\b(?:image-set|image|cross-fade|src)\(/i.test(
    unescapeCss(text),
  ) || isForeignValue(text)

const unescapeCss = (text: string): string =>
  text.replace(/\\(?:([0-9a-f]{1,6})\s?|(.))/gis, (_, hex: string | undefined, other: string | undefined) => {
    if (hex === undefined) return other ?? ''
    const code = Number.parseInt(hex, 16)
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd'
  })
