// The search field in the header of each page, and the description by which browsers offer the search themselves.
// docs/contract/site.md#search.
import type { FixedPage } from '../../http/page.ts'
import { brandOf } from '../brand/brand.ts'
import { type HtmlPart, html } from '../html.ts'
import { xmlText } from '../rss.ts'
import type { Words } from '../words.ts'

export const searchPath = '/search'
const descriptionPath = '/opensearch.xml'
const descriptionType = 'application/opensearchdescription+xml'

export const searchField = (words: Words): HtmlPart =>
  html`<form class="find" role="search" action="${searchPath}" aria-label="${words.text('frame.search')}"><label class="heard" for="find">${words('frame.search')}</label><input id="find" name="q" type="search" dir="auto" autocomplete="off" placeholder="${words.text('form.search')}"><button type="submit" aria-label="${words.text('form.search')}"><svg viewBox="0 0 20 20" width="20" height="20" fill="none" stroke="currentColor" stroke-width="1.75" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><path d="m13 13 4 4M14.5 8.75a5.75 5.75 0 1 1-11.5 0 5.75 5.75 0 0 1 11.5 0Z"/></svg></button></form>`

export const searchDescribed = (name: string): HtmlPart =>
  html`<link rel="search" type="${descriptionType}" title="${name}" href="${descriptionPath}">`

export const openSearch: FixedPage = {
  path: descriptionPath,
  summary: 'How browsers search this server, OpenSearch 1.1',
  caller: 'anyone',
  cache: 'revalidated',
  contentType: `${descriptionType}; charset=utf-8`,
  bytes: ({ service }) => {
    const { name } = brandOf(service)
    return Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>
<OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/">
<ShortName>${xmlText(name.slice(0, 16))}</ShortName>
<Description>${xmlText(name)}</Description>
<InputEncoding>UTF-8</InputEncoding>
<Url type="text/html" template="${xmlText(service.publicUrl)}${searchPath}?q={searchTerms}"/>
</OpenSearchDescription>
`)
  },
}
