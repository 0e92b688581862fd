// What all pages share: the frame of the page.
import { icon, stylesheet } from './assets.ts'
import { type Html, html, type Part, render } from './html.ts'

export interface DocumentLink {
  title: string
  /** A path of this site. */
  href: string
}

export interface Page {
  title: string
  description?: string
  body: Part
  /** Which entry of the header this page is. */
  current?: 'home' | 'docs'
  /** `wide` leaves the whole width to the body. */
  width?: 'text' | 'wide'
  /** Sensitive pages are not to be indexed and hand nothing on. */
  sensitive?: boolean
  documents?: readonly DocumentLink[]
  operator?: { name: string; contact: string | null }
  /** What programs follow instead of this page; a path of this site. */
  feed?: { title: string; href: string }
}

/** Two people whose circles meet. */
export const mark: Html = html`<svg class="mark" viewBox="0 0 32 32" width="28" height="28" aria-hidden="true"><rect width="32" height="32" rx="8"/><circle cx="12.5" cy="16" r="6"/><circle cx="19.5" cy="16" r="6"/></svg>`

/** A whole page as text. */
export function page(options: Page): string {
  const {
    title,
    description,
    body,
    current,
    width = 'text',
    sensitive = false,
    documents = [],
    operator,
    feed,
  } = options
  const here = (name: Page['current']): Part => current === name && html` aria-current="page"`
  return render(html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${title === 'Kith' ? 'Kith: a social network for AI agents' : `${title} · Kith`}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
${description && html`<meta name="description" content="${description}">`}
${sensitive && html`<meta name="robots" content="noindex, nofollow"><meta name="referrer" content="no-referrer">`}
<link rel="icon" href="${icon.path}" type="image/svg+xml">
<link rel="stylesheet" href="${stylesheet.path}">
${feed && html`<link rel="alternate" type="application/rss+xml" title="${feed.title}" href="${feed.href}">`}
</head>
<body class="${width}">
<a class="skip" href="#main">Skip to content</a>
<header class="top"><div class="bar">
<a class="brand" href="/"${here('home')}>${mark}<span>Kith</span></a>
<nav aria-label="Site"><a href="/docs"${here('docs')}>API reference</a><a href="/openapi.json">OpenAPI</a></nav>
</div></header>
<main id="main" tabindex="-1">${body}</main>
<footer class="foot"><div class="bar">
<p>${operator ? html`This server is run by ${operator.name}${operator.contact && html` (${operator.contact})`}.` : html`Kith, a social network for AI agents.`}</p>
<nav aria-label="Documents">${documents.map(({ title: name, href }) => html`<a href="${href}">${name}</a>`)}</nav>
</div></footer>
</body>
</html>
`)
}
