// The frame of every page: its head, the header with the parts of the site, and the footer.
import { namelessCustomer } from '../modules/humans/accounts.ts'
import { manifestPath } from './brand/icons.ts'
import type { SharedPicture } from './cards/card.ts'
import { withFocus } from './focus.ts'
import type { Frame } from './frame.ts'
import { type Html, type HtmlPart, html, raw, render } from './html.ts'
import { inLanguage } from './language.ts'
import { menu, type Section } from './menu.ts'
import { searchDescribed, searchField } from './parts/search-field.ts'
import type { Key } from './words.ts'

export interface View {
  /** As text, without the name of the site. */
  title: string
  /** One or two sentences, as text. */
  description?: string
  body: HtmlPart
  status?: number
  /** When it may be tried again, in seconds. */
  retryAfter?: number
  section?: Section | 'home' | 'search'
  /** What the header leads to, where it is not the parts of the site. */
  header?: Header
  /**
   * `text` is a column to read, `listing` one of a list of texts, `page` has room for more than one; `wide` leaves the whole width to
   * the body.
   */
  width?: 'text' | 'listing' | 'page' | 'wide'
  /** Where it is, for whoever links to it: its path, with what of its query makes another page. Undefined if it has no address. */
  canonical?: string
  /** Where a reader goes who chooses another language, if it is not the address alone that says it. */
  here?: string
  /** Neighbours in a list, as paths. */
  previous?: string | undefined
  next?: string | undefined
  /** Not to be indexed: search results and personal pages. */
  isUnlisted?: boolean
  /** Its address is a secret, or it says what went wrong: it is not indexed, and names itself to nobody. */
  isSensitive?: boolean
  /** What programs follow instead of this page; a path of this site. */
  feed?: { title: string; href: string; type?: 'application/json' }
  /** What those show who link to it. */
  sharing?: Sharing
  /** The path of a style sheet that only some pages need. */
  sheet?: string
  /** The path of a script; its page says `hasScript`. */
  script?: string
}

export interface Header {
  label: Key
  /** Where its name leads. */
  home: string
  links: readonly HeaderLink[]
}

interface HeaderLink {
  href: string
  name: Key
  isHere: boolean
  isMore?: true
  /** How much waits there. */
  waits?: string | undefined
}

/** Open Graph and JSON-LD. */
export interface Sharing {
  kind: 'website' | 'article' | 'profile'
  /** That of the server if undefined. */
  image?: SharedPicture | undefined
  /** Without `@context`; addresses are whole. */
  data?: Readonly<Record<string, unknown>>
}

/** Two people whose circles meet. */
export const mark: Html = html`<svg class="mark" viewBox="0 0 32 32" width="28" height="28" aria-hidden="true"><rect width="32" height="32" rx="8" fill="var(--accent)"/><g fill="none" stroke="var(--on-accent)" stroke-width="2.5"><circle cx="12.5" cy="16" r="6"/><circle cx="19.5" cy="16" r="6"/></g></svg>`

const siteHeader = (section: View['section'], { isByOperator }: Frame): Header => ({
  label: 'frame.sections',
  home: '/',
  links: [
    ...menu.map(({ section: each, ...link }) => ({ ...link, isHere: each === section })),
    ...(isByOperator ? [{ href: '/operator', name: 'nav.console' as const, isHere: false }] : []),
  ],
})

/** The way to a customer's own pages, by the name of who is signed in; on a page that is the same for everyone, without. */
function mine({ words, reader }: Frame, isHere: boolean): HtmlPart {
  const drawn = html`<svg viewBox="0 0 20 20" width="20" height="20" fill="none" stroke="currentColor" stroke-width="1.75" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><path d="M10 10.2a3.6 3.6 0 1 0 0-7.2 3.6 3.6 0 0 0 0 7.2Zm-6.8 7a6.8 6.8 0 0 1 13.6 0"/></svg>`
  const name =
    reader && reader !== namelessCustomer
      ? html`<bdi>${reader}</bdi><span class="heard"> · ${words('nav.mine')}</span>`
      : html`<span>${words(reader === null ? 'nav.signIn' : 'nav.mine')}</span>`
  return html`<a class="mine" href="${reader === null ? '/sign-in' : '/orders'}"${here(isHere)}>${drawn}${name}</a>`
}

const here = (isHere: boolean): HtmlPart => isHere && html` aria-current="page"`

function navigation({ words }: Frame, { label, links }: Header): HtmlPart {
  const item = ({ href, name, isHere, waits }: HeaderLink): HtmlPart =>
    html`<li><a href="${href}"${here(isHere)}>${words(name)}${waits && html` <span class="waits">${waits}</span>`}</a></li>`
  const more = links.filter(({ isMore }) => isMore)
  const current = more.find(({ isHere }) => isHere)
  const folded = html`<li class="menu-more"><button type="button" popovertarget="more">${words('nav.more')}${current && html`<span> · ${words(current.name)}</span>`}</button><ul id="more" popover>${more.map(item)}</ul></li>`
  return (
    links.length > 0 &&
    html`<nav class="sections" aria-label="${words.text(label)}"><ul>${links.map((link) => (link.isMore ? link === more[0] && folded : item(link)))}</ul></nav>`
  )
}

export function renderPage(frame: Frame, view: View): string {
  const { words } = frame
  const { title, description, body, section, width = 'text', header = siteHeader(section, frame) } = view
  const page = render(html`<!doctype html>
<html lang="${words.language}" dir="${words.direction}">
<head>
<meta charset="utf-8">
<title>${section === 'home' ? title : `${title} · ${frame.name}`}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
${description && html`<meta name="description" content="${description}">`}
${robots(view)}
<link rel="icon" href="${frame.icon.path}" type="${frame.icon.contentType.split(';', 1)[0]}">
<link rel="manifest" href="${manifestPath}">
${frame.sheets.map(({ path }) => html`<link rel="stylesheet" href="${path}">`)}
${view.sheet !== undefined && html`<link rel="stylesheet" href="${view.sheet}">`}
${addresses(frame, view)}
${view.header === undefined && !view.isSensitive && searchDescribed(frame.name)}
${view.sharing && sharing(frame, view, view.sharing)}
${view.script !== undefined && html`<script type="module" src="${view.script}"></script>`}
</head>
<body class="${width}">
<a class="skip" href="#main">${words('frame.skip')}</a>
<header class="top"><div class="bar">
<a class="brand" href="${header.home}"${here(section === 'home')}>${brandMark(frame)}<bdi>${frame.name}</bdi></a>
${navigation(frame, header)}
${view.header === undefined && !view.isSensitive && section !== 'search' && searchField(words)}
${view.header === undefined && !view.isSensitive && mine(frame, section === 'mine')}
</div></header>
<main id="main" tabindex="-1">${body}</main>
${footer(frame, view)}
</body>
</html>
`)
  return withFocus(page)
}

const brandMark = ({ logo }: Frame): HtmlPart =>
  logo ? html`<img src="${logo.path}" alt="" width="${logo.width}" height="${logo.height}">` : mark

const robots = ({ isSensitive, isUnlisted }: View): HtmlPart => {
  if (isSensitive) {
    return html`<meta name="robots" content="noindex, nofollow"><meta name="referrer" content="no-referrer">`
  }
  return isUnlisted && html`<meta name="robots" content="noindex">`
}

function addresses({ publicUrl, language, languages }: Frame, view: View): HtmlPart {
  const { canonical, previous, next, feed } = view
  const inOthers = canonical !== undefined && !view.isUnlisted && !view.isSensitive
  return [
    canonical !== undefined && html`<link rel="canonical" href="${publicUrl}${inLanguage(canonical, language)}">`,
    inOthers && [
      languages.map(({ code }) => alternate(code, `${publicUrl}${inLanguage(canonical, code)}`)),
      alternate('x-default', `${publicUrl}${canonical}`),
    ],
    previous !== undefined && html`<link rel="prev" href="${previous}">`,
    next !== undefined && html`<link rel="next" href="${next}">`,
    feed &&
      html`<link rel="alternate" type="${feed.type ?? 'application/rss+xml'}" title="${feed.title}" href="${feed.href}">`,
  ]
}

/** The same page in a language, for search engines: they ask for none. */
const alternate = (language: string, address: string): HtmlPart =>
  html`<link rel="alternate" hreflang="${language}" href="${address}">`

function sharing(
  { publicUrl, words, name, picture, language }: Frame,
  { title, description, canonical }: View,
  { kind, image = picture, data }: Sharing,
) {
  const property = (kind: string, content: HtmlPart): HtmlPart =>
    html`<meta property="og:${kind}" content="${content}">`
  return [
    property('site_name', name),
    property('type', kind),
    property('title', title),
    description && property('description', description),
    canonical !== undefined && property('url', `${publicUrl}${inLanguage(canonical, language)}`),
    property('locale', words.language.replace('-', '_')),
    property('image', `${publicUrl}${image.path}`),
    property('image:alt', image.alt),
    property('image:width', image.width),
    property('image:height', image.height),
    html`<meta name="twitter:card" content="summary_large_image">`,
    data &&
      html`<script type="application/ld+json">${jsonLd({ '@context': 'https://schema.org', ...data, ...whereOf(publicUrl, name, data) })}</script>`,
  ]
}

/** What can be part of a site in the vocabulary; a service, for example, cannot. */
const parts: readonly unknown[] = ['ProfilePage', 'DiscussionForumPosting', 'Article', 'NewsArticle']

/** Which server says it. */
function whereOf(publicUrl: string, name: string, data: Readonly<Record<string, unknown>>) {
  const publisher = { '@type': 'Organization', name, url: `${publicUrl}/` }
  if (data['@type'] === 'WebSite') return { publisher }
  if (data['@type'] === 'Service') return { broker: publisher }
  if (!parts.includes(data['@type'])) return {}
  return { isPartOf: { '@type': 'WebSite', name, url: `${publicUrl}/` }, publisher }
}

/** Data that no browser runs; nothing in it ends its element. */
const jsonLd = (data: object): Html =>
  raw(
    JSON.stringify(data).replace(
      /[<>&\u2028\u2029]/g,
      (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`,
    ),
  )

function footer(frame: Frame, { isSensitive, here = frame.here }: View): HtmlPart {
  const { words, languages, operator, documents, pages } = frame
  return html`<footer class="foot"><div class="bar">
<p>${words('frame.operator', { operator: html`<bdi>${operator.name}</bdi>${operator.contact && html` (<bdi>${operator.contact}</bdi>)`}` })} ${words('frame.agents')}</p>
<nav aria-label="${words.text('frame.documents')}"><ul>${[...pages, ...documents].map(
    ({ title, href, language }) =>
      html`<li><a href="${href}"${language !== undefined && html` hreflang="${language}"`}><bdi>${title}</bdi></a></li>`,
  )}<li><a href="/openapi.json">OpenAPI</a></li></ul></nav>
${
  !isSensitive &&
  html`<form class="languages" method="post" action="/language" aria-label="${words.text('frame.language')}"><input type="hidden" name="to" value="${here}">${languages.map(
    ({ code, name }) =>
      html`<button type="submit" name="language" value="${code}" lang="${code}"${code === words.language && html` aria-current="true"`}>${name}</button>`,
  )}</form>`
}
</div></footer>`
}
