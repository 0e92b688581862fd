// Which words of an SVG file make its reader go elsewhere: links, and what style sheets can load.

/** Pictures and fonts within the file, some without a type; SVG in SVG would have to be looked at in its turn. */
const embedded =
  /^data:(image\/(png|jpe?g|gif|webp|bmp|tiff|avif)|font\/[\w.+-]+|application\/((x-)?font-[\w-]+|vnd\.ms-(fontobject|opentype)|octet-stream)|)[;,]/i

/** Whether an attribute of this name, without prefix, holds a link. */
export const isLink = (name: string): boolean => ['href', 'src', 'srcset', 'background'].includes(name)

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
export function isForeignValue(text: string): boolean {
  const value = unescapeCss(text)
  for (const { index, 0: opening } of value.matchAll(/\burl\(\s*["']?/gi)) {
    const start = index + opening.length
    if (isForeignUrl(value.slice(start, start + 256).replace(/["')].*$/s, ''))) return true
  }
  return false
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
