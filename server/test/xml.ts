// A small strict parser of XML: elements, attributes and text of a document without a type. What is not well-formed throws.

export interface Node {
  name: string
  attributes: Readonly<Record<string, string>>
  children: readonly Node[]
  /** What stands directly in it. */
  text: string
}

const nameStart = /[A-Za-z_]/
const named = /^[A-Za-z_][\w.-]*(?::[A-Za-z_][\w.-]*)?$/

/** What XML 1.0 allows in a document. */
const speakable = /^[\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]*$/u

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

export function parseXml(document: string): Node {
  if (!document.isWellFormed() || !speakable.test(document)) throw new Error('a character that XML does not have')
  const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n'
  if (!document.startsWith(declaration)) throw new Error('no declaration')
  let at = declaration.length

  const fail = (why: string): never => {
    throw new Error(`${why} at ${at}: ${document.slice(at, at + 60)}`)
  }
  const take = (text: string): void => {
    if (!document.startsWith(text, at)) fail(`no ${text}`)
    at += text.length
  }
  const until = (pattern: RegExp): string => {
    const from = at
    while (at < document.length && !pattern.test(document[at] as string)) at++
    return document.slice(from, at)
  }
  const name = (): string => {
    if (!nameStart.test(document[at] ?? '')) fail('no name')
    const found = until(/[\s=/>]/)
    return named.test(found) ? found : fail(`the name ${found}`)
  }
  const unescaped = (text: string): string =>
    text.replace(/&([^;&]*);?/g, (whole, entity: string) => {
      if (!whole.endsWith(';')) return fail('a bare &')
      const point = /^#x([0-9A-Fa-f]+)$/.exec(entity)?.[1]
      if (point) return String.fromCodePoint(Number.parseInt(point, 16))
      return entities[entity] ?? fail(`the entity ${entity}`)
    })

  function element(scope: ReadonlySet<string>): Node {
    take('<')
    const tag = name()
    const attributes: Record<string, string> = {}
    for (;;) {
      const space = until(/\S/)
      if (document.startsWith('/>', at) || document[at] === '>') break
      if (space === '') fail('no space before an attribute')
      const attribute = name()
      take('="')
      const value = until(/"/)
      if (value.includes('<')) fail('a < in an attribute')
      take('"')
      if (Object.hasOwn(attributes, attribute)) fail(`${attribute} is there twice`)
      attributes[attribute] = unescaped(value)
    }
    const prefixes = Object.keys(attributes).flatMap((each) => (each.startsWith('xmlns:') ? each.slice(6) : []))
    const known = new Set([...scope, ...prefixes])
    const prefix = tag.includes(':') ? (tag.split(':')[0] as string) : undefined
    if (prefix !== undefined && !known.has(prefix)) fail(`the prefix of ${tag} is not declared`)
    if (document.startsWith('/>', at)) {
      take('/>')
      return { name: tag, attributes, children: [], text: '' }
    }
    take('>')
    const children: Node[] = []
    let text = ''
    for (;;) {
      const raw = until(/</)
      if (raw.includes(']]>')) fail('a ]]> in text')
      text += unescaped(raw)
      if (at >= document.length) fail(`${tag} is not closed`)
      if (document.startsWith('</', at)) break
      children.push(element(known))
    }
    take(`</${tag}>`)
    return { name: tag, attributes, children, text }
  }

  const root = element(new Set())
  if (document.slice(at).trim() !== '') fail('something after the document')
  return root
}
