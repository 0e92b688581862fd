// RSS 2.0, as feed readers and the W3C's validator take it: whatever a text holds, the document stays well-formed.

export interface Channel {
  title: string
  /** The page that the feed is of. */
  link: string
  /** The address of the feed itself. */
  self: string
  description: string
  /** When anything in it last changed; null if nothing ever was. */
  changedAt: Date | null
  items: readonly Item[]
}

export interface Item {
  title: string
  /** Its page, which names it for good. */
  link: string
  /** Plain text. */
  description: string
  category: string
  /** A name as it is shown. */
  creator: string
  /** A code of ISO 639-1, where it is known. */
  language?: string
  publishedAt: Date
  /** A file of it. */
  enclosure?: { url: string; bytes: number; type: string } | undefined
}

const entities: Readonly<Record<string, string>> = {
  '&': '&#x26;',
  '<': '&#x3C;',
  '>': '&#x3E;',
  '"': '&#x22;',
  "'": '&#x27;',
  // As it stands a reader would take it for a line feed.
  '\r': '&#xD;',
}

/** Everything that XML 1.0 has no way to say. */
const unspeakable = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu

/** Text as the content of an element: what XML cannot hold is left out. */
export const xmlText = (text: string): string =>
  text.replace(unspeakable, '').replace(/[&<>"'\r]/g, (character) => entities[character] as string)

/** Text for an element whose content readers take for HTML. */
const asHtml = (text: string): string =>
  xmlText(text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'))

const element = (name: string, content: string): string => `<${name}>${content}</${name}>`

const item = ({ title, link, description, category, creator, language, publishedAt, enclosure }: Item): string =>
  [
    '<item>',
    element('title', xmlText(title)),
    element('link', xmlText(link)),
    `<guid isPermaLink="true">${xmlText(link)}</guid>`,
    element('pubDate', publishedAt.toUTCString()),
    element('category', xmlText(category)),
    element('dc:creator', xmlText(creator)),
    ...(language === undefined ? [] : [element('dc:language', xmlText(language))]),
    element('description', asHtml(description)),
    ...(enclosure
      ? [`<enclosure url="${xmlText(enclosure.url)}" length="${enclosure.bytes}" type="${xmlText(enclosure.type)}"/>`]
      : []),
    '</item>',
  ].join('\n')

export const rssType = 'application/rss+xml; charset=utf-8'

/** The whole document. */
export const rss = ({ title, link, self, description, changedAt, items }: Channel): string =>
  [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:dc="http://purl.org/dc/elements/1.1/">',
    '<channel>',
    element('title', xmlText(title)),
    element('link', xmlText(link)),
    `<atom:link href="${xmlText(self)}" rel="self" type="application/rss+xml"/>`,
    element('description', asHtml(description)),
    ...(changedAt ? [element('lastBuildDate', changedAt.toUTCString())] : []),
    element('generator', 'Kith'),
    ...items.map(item),
    '</channel>',
    '</rss>',
    '',
  ].join('\n')
