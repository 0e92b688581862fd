// The readable API reference, rendered from the OpenAPI document: it can say nothing that the contract does not. A page a topic;
// docs/contract/site.md#the-reference.
import { eventSchemaPath } from '../../events/describe.ts'
import type { Listed, OpenApi } from '../../http/openapi-document.ts'
import { type FixedPage, htmlType, type Visit } from '../../http/page.ts'
import type { Service } from '../../service.ts'
import { guideGroups, guides } from '../guides.ts'
import { type Html, type HtmlPart, html } from '../html.ts'
import type { View } from '../layout.ts'
import { renderPage } from '../layout.ts'
import { inline, markdown, slug } from '../markdown.ts'
import { empty, searchForm } from '../parts/list.ts'
import { type ListQuery, listQuery, listTitle } from '../parts/list-query.ts'
import { teaser } from '../text.ts'
import { type Scene, sceneOf, shownAs } from '../view.ts'
import type { Words } from '../words.ts'
import {
  anchor,
  apiPath,
  type Book,
  badge,
  codeBlock,
  contentsOf,
  docsPath,
  errorsTopic,
  eventsTopic,
  operationPath,
  pathPart,
  shapePath,
  type Topic,
  topicPath,
} from './reference-book.ts'
import { channelPart } from './reference-channel.ts'
import { errorsPart } from './reference-errors.ts'
import { operationPart } from './reference-operations.ts'
import { mostFound, type ReferenceHit, type Results, searchReference } from './reference-search.ts'
import { shape } from './reference-shapes.ts'

const longestSearch = 200

type KeptPage = Pick<FixedPage, 'path' | 'summary' | 'queried'> & {
  view: (scene: Scene) => View | undefined
}

/** A page of the reference: made once for all readers of a language. */
export const kept = ({ view, ...page }: KeptPage): FixedPage => ({
  ...page,
  caller: 'anyone',
  cache: 'revalidated',
  contentType: htmlType,
  variant: (visit) => sceneOf(visit).words.language,
  bytes(visit) {
    // What is kept for all readers of a language is of no region.
    const scene = sceneOf({ ...visit, languages: [sceneOf(visit).words.language] })
    const shown = view(scene)
    return shown && Buffer.from(renderPage(scene.frame, shown))
  },
})

/** The page at `/docs`: what there is, first steps, and a search. */
export const reference = kept({
  path: docsPath,
  summary: 'The API reference, made from the contract: its topics, and a search in all of them',
  view: (scene) => indexView(scene, { q: '', typed: '', page: 1 }),
  queried: {
    query: ['q'],
    async show(visit) {
      const scene = sceneOf(visit)
      const wanted = listQuery(scene, longestSearch)
      if (!wanted || (wanted.q === '' && wanted.problem === undefined)) return undefined
      return shownAs(scene, indexView(scene, wanted, await searchReference(scene.openapi(), scene.words, wanted.q)))
    },
  },
})

/** The page of a topic: the contract in its own words, the rest in the reader’s. */
export const referenceTopic = kept({
  path: topicPath('{topic}'),
  summary: 'A topic of the API reference: its operations with their fields, limits, examples and refusals',
  view: (scene) => topicView(scene, scene.params['topic'] as string),
})

/** The addresses of the reference, for whoever lists all pages. */
export const referencePaths = ({ openapi }: Pick<Visit, 'openapi'>): string[] => [
  docsPath,
  ...[...contentsOf(openapi()).topics.map(({ id }) => id), eventsTopic, errorsTopic].map(topicPath),
  ...guides().keys(),
]

/** What a view of the reference is made from. */
export interface Making {
  words: Words
  openapi: () => OpenApi
  service: Pick<Service, 'publicUrl'>
}

export function bookOf({ words, service, openapi }: Making): Book {
  const english = words.language !== 'en' && html` lang="en"`
  return { ...contentsOf(openapi()), words, publicUrl: service.publicUrl, english }
}

export function indexView(making: Making, wanted: ListQuery, found?: Results): View {
  const { words } = making
  const { q, typed, problem } = wanted
  const book = bookOf(making)
  const isSearch = q !== '' || problem !== undefined
  return {
    title: listTitle(making, words.text('docs.title'), { q }),
    description: words.text('docs.description'),
    section: 'docs',
    width: 'wide',
    canonical: q === '' ? docsPath : `${docsPath}?${new URLSearchParams({ q })}`,
    ...(problem !== undefined && { status: 400 }),
    isUnlisted: isSearch,
    sharing: { kind: 'website' },
    body: html`<div class="docs">
${side(book)}
<div class="docs-body"><div class="overview"><p class="eyebrow">${words('docs.version', { version: book.document.info.version })}</p><h1>${words('docs.title')}</h1>
${searchForm(making, { path: docsPath, typed, label: 'docs.search', problem })}</div>
${isSearch ? q !== '' && found && results(book, found) : overview(book)}</div></div>`,
  }
}

function overview(book: Book): Html {
  const { document, words, publicUrl, english, topics } = book
  const to = (href: string) => (inner: HtmlPart) => html`<a href="${href}">${inner}</a>`
  return html`<section class="overview prose" id="overview">
<p class="base"><span>${words('docs.base')}</span> <code>${publicUrl}/api/v1</code></p>
<h2 id="first-steps">${words('docs.first')}</h2>
<ol><li>${words('docs.first.register', { link: to(topicPath('identity')) })}</li><li>${words('docs.first.befriend', { link: to(topicPath('contacts')) })}</li><li>${words('docs.first.talk', { link: to(topicPath('messages')) })}</li><li>${words('docs.first.listen', { link: to(topicPath(eventsTopic)) })}</li></ol>
${codeBlock(words('docs.request'), `curl '${publicUrl}/api/v1/registration/requirements'`)}
<p>${words('docs.machines', { openapi: to('/openapi.json'), events: to(eventSchemaPath) })}</p>
<h2 id="topics">${words('docs.topics')}</h2></section>
${topics.map((topic) => topicEntry(book, topic))}
${guidesPart(book)}
<section class="prose" id="schemas"><h2>${words('docs.shapes')}</h2><p class="lead">${words('docs.shapes.lead')}</p><ul>${Object.keys(document.components.schemas).map((name) => html`<li id="schema-${name}"><a href="${shapePath(book, name)}">${name}</a></li>`)}</ul></section>
<section class="overview prose"><div${english}>
${markdown(document.info.description, { topLevel: 1, anchors: true })}</div>
${headersTable(book)}</section>`
}

/** A topic with its operations. Each has the name here that it has on its page: links from when all was one page lead on. */
const topicEntry = (book: Book, { id, label, description, operations }: Topic): Html =>
  html`<section class="prose" id="tag-${slug(id)}"><h3${book.english}><a href="${topicPath(id)}">${label}</a></h3>
<p${book.english}>${inline(description)}</p>
<ul>${operations.map((listed) => html`<li id="${anchor(listed)}"${book.english}><a href="${operationPath(book, listed)}"><code>${listed.method} ${pathPart(listed.path.replace(apiPath, ''))}</code></a> ${listed.operation.summary}</li>`)}</ul></section>
`

const guidesPart = ({ words, english }: Book): Html =>
  html`<section class="prose" id="guides"><h2>${words('docs.guides')}</h2>${guideGroups.map(
    (group) =>
      html`<h3>${words(`docs.guides.${group}`)}</h3><ul>${[...guides().values()]
        .filter((each) => each.group === group)
        .map(({ path, title }) => html`<li${english}><a href="${path}">${title}</a></li>`)}</ul>`,
  )}</section>`

function results({ words, english }: Book, { found, total }: Results): Html {
  if (found.length === 0) return html`${empty({ words }, 'search.none', 'search.none.text')}`
  return html`<p class="fine">${total > mostFound ? words('docs.found.many', { total, most: mostFound }) : words('docs.found', { total })}</p>
<ul class="rows">
${found.map((each) => resultRow(words, english, each))}</ul>`
}

function resultRow(words: Words, english: HtmlPart, hit: ReferenceHit): Html {
  const { kind, href, name, text, within, isTranslated } = hit
  const language = !isTranslated && english
  const isNamed = kind === 'topic' || kind === 'guide'
  return html`<li class="row"><h2${isNamed && language}><a href="${href}">${isNamed ? name : html`<code>${name}</code>`}</a></h2>
<p${language}>${kind === 'guide' ? teaser(text) : inline(teaser(text))}</p>
<p class="row-foot"><span class="chip">${words(`docs.kind.${kind}`)}</span> ${within && (kind === 'guide' ? html`<span${language}>${within}</span>` : html`<code>${within}</code>`)}</p></li>
`
}

export function topicView(making: Making, id: string): View | undefined {
  const book = bookOf(making)
  const { words } = book
  const topic = book.topics.find((each) => each.id === id)
  const name =
    topic?.label ??
    (id === eventsTopic ? words.text('docs.events') : id === errorsTopic ? words.text('docs.errors') : undefined)
  if (name === undefined) return undefined
  const body = topic ? topicPart(book, topic) : id === eventsTopic ? channelPart(book) : errorsTopicPart(book)
  return {
    title: words.text('docs.title.topic', { name }),
    description: topic && words.language === 'en' ? topic.description : words.text('docs.description'),
    section: 'docs',
    width: 'wide',
    canonical: topicPath(id),
    sharing: { kind: 'website' },
    body: html`<div class="docs">
${side(book, id)}
<div class="docs-body">${body}${shapesPart(book, id)}</div></div>`,
  }
}

function topicPart(book: Book, { id, label, description, operations }: Topic): Html {
  const { words, english } = book
  return html`<section class="group" id="tag-${slug(id)}" aria-labelledby="tag-name">
<div class="group-head prose"><p class="eyebrow"><a href="${docsPath}">${words('docs.title')}</a></p><h1 id="tag-name"${english}>${label}</h1><p class="lead"${english}>${inline(description)}</p></div>
${operations.length > 0 && html`<div class="group-head prose"><h2>${words('docs.operations')}</h2></div>`}
${operations.map((each) => operationPart(book, each))}</section>`
}

const errorsTopicPart = (book: Book): Html =>
  html`<section class="group" id="errors" aria-labelledby="errors-name">
<div class="group-head prose"><p class="eyebrow"><a href="${docsPath}">${book.words('docs.title')}</a></p><h1 id="errors-name">${book.words('docs.errors')}</h1><p class="lead">${book.words('docs.errors.lead')}</p></div>
${errorsPart(book)}</section>`

function shapesPart(book: Book, topic: string): HtmlPart {
  const { words, english } = book
  const shapes = book.shapesOf(topic)
  if (shapes.length === 0) return undefined
  return html`<section class="group" id="schemas"><div class="group-head prose"><h2>${words('docs.shapes')}</h2><p class="lead">${words('docs.shapes.lead')}</p></div>
${shapes.map(([name, schema]) => html`<article class="shape" id="schema-${name}"><h3>${name}</h3>${schema.description && html`<p${english}>${inline(schema.description)}</p>`}${shape(book, schema)}</article>`)}
</section>`
}

/** Every topic; of the one that is shown what it has. `here` is a topic’s name, or the address of another page. */
export function side(book: Book, here?: string): Html {
  const { words, english, topics } = book
  const head = (id: string, name: string, lang: HtmlPart): Html =>
    html`<a class="side-head" href="${topicPath(id)}"${lang}${id === here && html` aria-current="page"`}>${name}</a>`
  return html`<nav class="side" aria-label="${words.text('docs.contents')}" tabindex="0">
<ul><li><a class="side-head" href="${docsPath}"${here === undefined && html` aria-current="page"`}>${words('docs.overview')}</a></li>
${topics.map(({ id, label, operations }) => html`<li>${head(id, label, english)}${id === here && html`<ul>${operations.map(sideEntry)}</ul>`}</li>`)}
<li><a class="side-head" href="${docsPath}#guides">${words('docs.guides')}</a></li>
<li>${head(eventsTopic, words.text('docs.events'), undefined)}</li><li>${head(errorsTopic, words.text('docs.errors'), undefined)}</li></ul>
</nav>`
}

const sideEntry = (listed: Listed): Html =>
  html`<li><a href="#${anchor(listed)}">${badge(listed.method)}<span>${pathPart(listed.path.replace(apiPath, ''))}</span></a></li>`

const headersTable = ({ document, words, english }: Book): Html =>
  html`<h2 id="headers">${words('docs.headers')}</h2><dl class="fields">${Object.entries(
    document.components.headers,
  ).map(
    ([name, { description }]) =>
      html`<div class="field"><dt><code class="name">${name}</code></dt><dd><p${english}>${inline(description)}</p></dd></div>`,
  )}</dl>`
