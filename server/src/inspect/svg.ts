// SVG as a working source: well-formed, and sufficient to itself. Whoever opens it later must not fetch anything, run
// anything, or expand anything: files with scripts, entities or references to elsewhere are rejected.
import { decodeXml } from './detect.ts'
import { type Finding, readAt, ready, rejected, type Work } from './look.ts'
import { countExpansion, type Expansion, note, nothingWritten, type Written } from './svg-expansion.ts'
import { isActive, isForeignLink, isForeignStyle, isForeignUrl, isForeignValue, linksIn } from './svg-references.ts'

const chunkBytes = 1024 * 1024
/** About as long may one comment or attribute be; embedded pictures are the long ones. */
const maxToken = 32 * 1024 * 1024
const maxDepth = 1000
const maxStyle = 4 * 1024 * 1024

const foreignElements = /^(script|handler|listener|iframe|frame|embed|object|applet|link|meta|base|form|audio|video)$/i

export function lookAtSvg(work: Work): Finding {
  try {
    scan(openText(work))
    return ready()
  } catch (error) {
    if (error instanceof Verdict) return rejected(error.reason)
    throw error
  }
}

class Verdict extends Error {
  readonly reason: 'broken' | 'external_reference' | 'limits'
  constructor(reason: 'broken' | 'external_reference' | 'limits') {
    super(reason)
    this.reason = reason
  }
}

const broken = (): never => {
  throw new Verdict('broken')
}
const foreign = (): never => {
  throw new Verdict('external_reference')
}

interface Text {
  /** What is next and not yet taken; at least `length` characters of it unless the file ends before. */
  peek(length: number): string
  take(length: number): void
  /** Takes everything up to and with a mark, and answers what was before it. */
  until(mark: string): string
  /** Takes everything before a mark, or before the end, and answers it. */
  before(mark: string): string
  /** The same without keeping it. */
  skipTo(mark: string): void
}

/** The text of the file through a window, which grows with what has to be seen at once. */
function openText({ original, originalBytes }: Work): Text {
  const decoder = decoderOf(readAt(original, 0, 1024))
  let position = 0
  let text = ''
  let at = 0
  const more = (): boolean => {
    if (position >= originalBytes) return false
    const kept = text.slice(at)
    if (kept.length > maxToken) throw new Verdict('limits')
    // Reading as much as is kept keeps the copying in proportion.
    const bytes = readAt(original, position, Math.max(chunkBytes, kept.length))
    position += bytes.length
    if (bytes.length === 0) position = originalBytes
    text = kept + decode(decoder, bytes, position < originalBytes)
    at = 0
    return true
  }
  const find = (mark: string): number => {
    let from = at
    for (;;) {
      const found = text.indexOf(mark, from)
      if (found >= 0) return found
      const seen = Math.max(0, text.length - at - mark.length)
      if (!more()) return -1
      from = seen
    }
  }
  return {
    peek(length) {
      while (text.length - at < length && more());
      return text.slice(at, at + length)
    },
    take(length) {
      at += length
    },
    until(mark) {
      const found = find(mark)
      if (found < 0) return broken()
      const before = text.slice(at, found)
      at = found + mark.length
      return before
    },
    before(mark) {
      const found = find(mark)
      const before = text.slice(at, found < 0 ? text.length : found)
      at += before.length
      return before
    },
    skipTo(mark) {
      for (;;) {
        const found = text.indexOf(mark, at)
        at = found < 0 ? text.length : found
        if (found >= 0 || !more()) return
      }
    },
  }
}

function decode(decoder: TextDecoder, bytes: Buffer, stream: boolean): string {
  let text: string
  try {
    text = decoder.decode(bytes, { stream })
  } catch {
    return broken()
  }
  // Neither XML nor any reader of it knows these.
  return /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/.test(text) ? broken() : text
}

/** By the mark, else by the declaration; encodings that could hide a tag from us are not accepted. */
function decoderOf(head: Buffer): TextDecoder {
  const [first, second] = head
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le', { fatal: true })
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be', { fatal: true })
  const declared = /^(?:\ufeff)?<\?xml[^>]*?\sencoding\s*=\s*["']([\w.-]+)["']/.exec(decodeXml(head) ?? '')?.[1]
  const encoding = (declared ?? 'utf-8').toLowerCase()
  if (/^(utf-?8|us-ascii|ascii)$/.test(encoding)) return new TextDecoder('utf-8', { fatal: true })
  if (singleByte.test(encoding)) return new TextDecoder(encoding)
  return broken()
}

/** In these each byte of ASCII means what it means there, so all see the same tags. */
const singleByte = /^(windows-125[0-8]|cp125[0-8]|iso-8859-([1-9]|1[0-1]|1[3-5])|latin[1-6]|koi8-[ru])$/

function scan(text: Text): void {
  const open: string[] = []
  const expansion = countExpansion()
  let style: string | undefined
  let roots = 0
  for (;;) {
    // Text within the root is skipped, a style is read, and text outside the root is not allowed.
    if (open.length > 0 && style === undefined) text.skipTo('<')
    else {
      const words = text.before('<')
      if (style !== undefined) style += words
      else if (/\S/.test(words)) broken()
    }
    const next = text.peek(9)
    if (next === '') break
    if (next.startsWith('<!--')) {
      text.take(4)
      text.until('-->')
    } else if (next === '<![CDATA[') {
      if (open.length === 0) broken()
      text.take(9)
      const words = text.until(']]>')
      if (style !== undefined) style += words.replaceAll('&', '&amp;')
    } else if (next.startsWith('<?')) {
      text.take(2)
      if (/^xml-stylesheet\b/i.test(text.until('?>'))) foreign()
    } else if (next === '<!DOCTYPE') {
      if (roots > 0) broken()
      text.take(9)
      checkDoctype(text)
    } else if (next.startsWith('</')) {
      text.take(2)
      if (text.until('>').trimEnd() !== open.pop()) broken()
      if (style !== undefined) takeStyle(unescapeXml(style), expansion)
      style = undefined
      expansion.close()
    } else {
      text.take(1)
      const { name, isEmpty, written } = takeTag(text)
      if (style !== undefined) broken()
      if (open.length === 0 && (++roots > 1 || !/^([^:]+:)?svg$/.test(name))) broken()
      expansion.open(localName(name), written)
      if (isEmpty) {
        expansion.close()
        continue
      }
      if (open.push(name) > maxDepth) throw new Verdict('limits')
      if (localName(name) === 'style') style = ''
    }
    if (style !== undefined && style.length > maxStyle) throw new Verdict('limits')
  }
  if (open.length > 0 || roots !== 1) broken()
  if (!expansion.isBounded()) throw new Verdict('limits')
}

function takeStyle(style: string, expansion: Expansion): void {
  if (isForeignStyle(style)) foreign()
  expansion.sheet(style)
}

const localName = (name: string): string => name.slice(name.indexOf(':') + 1).toLowerCase()

/** Without declarations of entities, but those of name spaces, and of no document type but the consortium's own. */
function checkDoctype(text: Text): void {
  let inside = false
  for (;;) {
    const next = text.peek(1)
    if (next === '') broken()
    text.take(1)
    if (next === '"' || next === "'") {
      const quoted = text.until(next)
      // Within, these are defaults of attributes: of the name spaces that editors declare, and of nothing else.
      if (!(inside ? ownAddress : ownDoctype).test(quoted)) foreign()
    } else if (next === '[') inside = true
    else if (next === ']') inside = false
    else if (next === '>' && !inside) return
    else if (next === '%') foreign()
    else if (next === '<' && inside) {
      if (text.peek(7) === '!ENTITY') text.take((ownEntity.exec(text.peek(256)) ?? foreign())[0].length)
      if (text.peek(3) === '!--') text.until('-->')
    }
  }
}

const ownAddress = /^http:\/\/www\.w3\.org\/[\w./-]*$/
const ownDoctype = /^(-\/\/W3C\/\/DTD SVG [\w .-]*\/\/EN|https?:\/\/www\.w3\.org\/[\w./-]*\.dtd)$/

/** As Illustrator declares its name spaces: one short address, in which nothing else can be named. */
const ownEntity = /^!ENTITY\s+ns_\w{1,32}\s+(?:"http:\/\/[\w./-]{1,100}"|'http:\/\/[\w./-]{1,100}')\s*>/

const nameStart = /^[A-Za-z_:\u0080-\uffff][\w:.\-\u0080-\uffff]*/

/** A tag after its `<`, every attribute looked at. */
function takeTag(text: Text): { name: string; isEmpty: boolean; written: Written } {
  const name = takeName(text)
  const written = nothingWritten()
  const element = localName(name)
  if (foreignElements.test(element)) foreign()
  for (;;) {
    const isApart = skipSpace(text)
    const next = text.peek(2)
    if (next.startsWith('>')) {
      text.take(1)
      return { name, isEmpty: false, written }
    }
    if (next === '/>') {
      text.take(2)
      return { name, isEmpty: true, written }
    }
    if (!isApart) broken()
    const attribute = takeName(text)
    skipSpace(text)
    if (text.peek(1) !== '=') broken()
    text.take(1)
    skipSpace(text)
    const quote = text.peek(1)
    if (quote !== '"' && quote !== "'") broken()
    text.take(1)
    const raw = text.until(quote)
    checkAttribute(element, attribute, raw)
    if (isCounted(raw, attribute)) note(written, element, localName(attribute), unescapeXml(raw))
  }
}

function checkAttribute(element: string, attribute: string, raw: string): void {
  if (raw.includes('<')) broken()
  const name = localName(attribute)
  if (/^on[a-z]/.test(name)) foreign()
  // An animation can set what it names.
  const animates = /^(animate|set)/.test(element)
  if (animates && name === 'attributename' && isActive(unescapeXml(raw).trim())) foreign()
  if (isName(attribute)) return
  if (attribute === 'xml:base') foreign()
  const links = linksIn(attribute, raw) && linksIn(attribute, unescapeXml(raw))
  if (links) {
    const isForeign = element === 'a' && name === 'href' ? isForeignLink : isForeignUrl
    if (links.some(isForeign)) foreign()
  } else if (/[(\\&]/.test(raw)) {
    const isForeign = name === 'style' ? isForeignStyle : isForeignValue
    if (isForeign(unescapeXml(raw))) foreign()
  }
}

/** Whether an attribute may matter to what the file expands to: most name nothing, and embedded pictures are long. */
const isCounted = (raw: string, attribute: string): boolean =>
  /^(xml:)?id$|^class$|^d$|^points$/.test(attribute) || (/[#\\%]/.test(raw) && !isName(attribute))

/** Addresses that are names: nobody goes there. */
const isName = (attribute: string): boolean =>
  attribute === 'xmlns' || attribute.startsWith('xmlns:') || attribute === 'requiredExtensions'

function takeName(text: Text): string {
  const name = nameStart.exec(text.peek(256))?.[0] ?? ''
  if (name === '' || name.length === 256) broken()
  text.take(name.length)
  return name
}

function skipSpace(text: Text): boolean {
  let skipped = false
  for (;;) {
    const piece = text.peek(256)
    const length = /^\s*/.exec(piece)?.[0].length ?? 0
    if (length === 0) return skipped
    text.take(length)
    skipped = true
  }
}

const named: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }

/** References in attributes and words; one of a name that XML itself does not know would need a declaration. */
function unescapeXml(raw: string): string {
  if (!raw.includes('&')) return raw
  return raw.replace(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(\w{1,8}));|&/gi, (_, hex, decimal, name) => {
    const code = hex ? Number.parseInt(hex, 16) : decimal ? Number(decimal) : undefined
    if (code !== undefined) return code <= 0x10ffff ? String.fromCodePoint(code) : broken()
    return named[name ?? ''] ?? broken()
  })
}
