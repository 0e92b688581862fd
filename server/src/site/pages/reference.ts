// The readable API reference, rendered from the OpenAPI document: it can say nothing that the contract does not.
import type { KindDescription } from '../../events/describe.ts'
import {
  errorCodesOf,
  form,
  json,
  type OpenApi,
  type Operation,
  type Parameter,
  type ResponseObject,
  resolve,
  type Schema,
} from '../../http/openapi-document.ts'
import { example } from '../../http/openapi-examples.ts'
import { type FixedPage, htmlType } from '../../http/page.ts'
import type { Service } from '../../service.ts'
import { type Html, html, join, type Part } from '../html.ts'
import { renderPage } from '../layout.ts'
import { inline, markdown, slug } from '../markdown.ts'
import { sceneOf, type View } from '../view.ts'
import type { Key, Words } from '../words.ts'
import { type Book, field, type Listed, shape, typePart } from './reference-shapes.ts'

const reasons = {
  400: 'docs.reason.400',
  401: 'docs.reason.401',
  403: 'docs.reason.403',
  404: 'docs.reason.404',
  409: 'docs.reason.409',
  416: 'docs.reason.416',
  429: 'docs.reason.429',
  503: 'docs.reason.503',
} as const satisfies Readonly<Record<number, Key>>
/** What every operation may answer: told once, and named shortly at each. */
const general = new Set(['401', '408', '413', '415', '431', '500', '503'])

/** The page at `/docs`: the contract in its own words, the rest in the reader's. */
export const reference: FixedPage = {
  path: '/docs',
  summary: 'The API reference, made from the contract',
  caller: 'anyone',
  cache: 'revalidated',
  contentType: htmlType,
  variant: (visit) => sceneOf(visit).words.language,
  bytes(visit) {
    // What is kept for all readers of a language is of no region.
    const { frame, words } = sceneOf({ ...visit, languages: [sceneOf(visit).words.language] })
    return Buffer.from(renderPage(frame, referenceView(words, visit.openapi(), visit.service)))
  },
}

export function referenceView(words: Words, document: OpenApi, { publicUrl }: Pick<Service, 'publicUrl'>): View {
  const english = words.language !== 'en' && html` lang="en"`
  const book: Book = { document, words, publicUrl, english, samples: new Map() }
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): Listed => ({ method: method.toUpperCase(), path, operation })),
  )
  const groups = document.tags.map((tag) => ({
    ...tag,
    label: tag.name.charAt(0).toUpperCase() + tag.name.slice(1),
    id: `tag-${slug(tag.name)}`,
    operations: operations.filter(({ operation }) => operation.tags.includes(tag.name)),
  }))
  const schemas = Object.entries(document.components.schemas)
  const chapters = [...document.info.description.matchAll(/^## (.+)$/gm)].map((match) => match[1] as string)
  return {
    title: words.text('docs.title'),
    description: words.text('docs.description'),
    section: 'docs',
    width: 'wide',
    canonical: '/docs',
    sharing: { kind: 'website' },
    body: html`<div class="docs">
<nav class="side" aria-label="${words.text('docs.contents')}" tabindex="0">
<ul><li><a class="side-head" href="#overview">${words('docs.overview')}</a><ul>${chapters.map((name) => html`<li${english}><a href="#${slug(name)}">${name}</a></li>`)}</ul></li>
${groups.map(({ label, id, operations: own }) => html`<li><a class="side-head" href="#${id}"${english}>${label}</a><ul>${own.map(sideEntry)}</ul></li>`)}
<li><a class="side-head" href="#events">${words('docs.events')}</a></li>
<li><a class="side-head" href="#schemas">${words('docs.shapes')}</a><ul>${schemas.map(([name]) => html`<li><a href="#schema-${name}">${name}</a></li>`)}</ul></li></ul>
</nav>
<div class="docs-body">
<section class="overview prose" id="overview"><p class="eyebrow">${words('docs.version', { version: document.info.version })}</p><h1>${words('docs.title')}</h1>
<p class="base"><span>${words('docs.base')}</span> <code>${publicUrl}/api/v1</code></p>
<div class="prose"${english}>
${markdown(document.info.description, { topLevel: 1, anchors: true })}</div>
${headersTable(book)}</section>
${groups.map(
  ({ label, id, description, operations: own }) => html`<section class="group" id="${id}" aria-labelledby="${id}-name">
<div class="group-head prose"><h2 id="${id}-name"${english}>${label}</h2>${description && html`<p class="lead"${english}>${inline(description)}</p>`}</div>
${own.map((each) => operationPart(book, each))}</section>`,
)}
${channelPart(book)}
<section class="group" id="schemas"><div class="group-head prose"><h2>${words('docs.shapes')}</h2><p class="lead">${words('docs.shapes.lead')}</p></div>
${schemas.map(([name, schema]) => html`<article class="shape" id="schema-${name}"><h3>${name}</h3>${schema.description && html`<p${english}>${inline(schema.description)}</p>`}${shape(book, schema)}</article>`)}
</section></div></div>`,
  }
}

type Who = 'agent' | 'public' | 'customer' | 'visitor' | 'browser'

/** Whom an operation is for; those of agents are as the whole contract says. */
function callerOf({ security }: Operation): Who {
  if (security === undefined) return 'agent'
  const schemes = security.flatMap((each) => Object.keys(each))
  if (schemes.includes('human_session')) return 'customer'
  if (schemes.includes('visitor_session')) return 'visitor'
  return schemes.includes('bearer') ? 'public' : 'browser'
}

const apiPath = /^\/api\/v1\//

const anchor = ({ operation }: Listed): string => `op-${operation.operationId}`

const badge = (method: string): Html => html`<span class="method ${method.toLowerCase()}">${method}</span>`

/** A path that may break after its slashes, with its parameters set off. */
const pathPart = (path: string): Part =>
  path
    .split(/(?<=\/)/)
    .map(
      (piece) =>
        html`<wbr>${piece.split(/(\{\w+\})/).map((each) => (each.startsWith('{') ? html`<var>${each}</var>` : each))}`,
    )

const sideEntry = (listed: Listed): Html =>
  html`<li><a href="#${anchor(listed)}">${badge(listed.method)}<span>${pathPart(listed.path.replace(apiPath, ''))}</span></a></li>`

function operationPart(book: Book, listed: Listed): Html {
  const { words, english } = book
  const { method, path, operation } = listed
  const who = callerOf(operation)
  const body = operation.requestBody
  const bodySchema = (body?.content?.[json] ?? body?.content?.[form])?.schema
  const inPath = (operation.parameters ?? []).filter((each) => each.in === 'path')
  const inQuery = (operation.parameters ?? []).filter((each) => each.in === 'query')
  return html`<article class="op" id="${anchor(listed)}" aria-labelledby="${anchor(listed)}-name">
<header class="op-head"><h3 id="${anchor(listed)}-name"${english}><a href="#${anchor(listed)}">${operation.summary}</a></h3>
<p class="op-line">${badge(method)}<code class="path">${pathPart(path)}</code></p></header>
<div class="op-text">
<p class="who"><span class="pill${(who === 'public' || who === 'browser') && ' open'}">${words(`docs.${who}`)}</span> ${words(`docs.${who}.text`)}</p>
${operation.description && html`<div class="prose"${english}>${markdown(operation.description, { topLevel: 4 })}</div>`}
${inPath.length > 0 && html`<h4>${words('docs.path')}</h4>${parameterList(book, inPath)}`}
${inQuery.length > 0 && html`<h4>${words('docs.query')}</h4>${parameterList(book, inQuery)}`}
${body && html`<h4>${words('docs.body')}</h4>${body.description && html`<p class="note"${english}>${inline(body.description)}</p>`}${bodySchema && shape(book, bodySchema, 'request')}`}
<h4>${words('docs.answers')}</h4>${successPart(book, operation)}
<h4>${words('docs.refusals')}</h4>${refusalPart(book, listed)}
</div>
<div class="op-code">${curl(book, listed)}${answerSample(book, listed)}</div>
</article>`
}

const parameterList = (book: Book, parameters: readonly Parameter[]): Html =>
  html`<dl class="fields">${parameters.map(({ name, schema, required }) => field(book, name, schema, required, 'request'))}</dl>`

const responsesOf = ({ document }: Pick<Book, 'document'>, operation: Operation): [string, ResponseObject][] =>
  Object.entries(operation.responses).map(([status, response]) => [status, resolve<ResponseObject>(document, response)])

function successPart(book: Book, operation: Operation): Html {
  const { words, english } = book
  const successes = responsesOf(book, operation).filter(([status]) => Number(status) < 400)
  // 200 and 201 mostly say the same thing: one shape below both.
  const shapes = new Map<string, { schema: Schema | undefined; statuses: Part[] }>()
  for (const [status, response] of successes) {
    const schema = response.content?.[json]?.schema
    const key = JSON.stringify(schema)
    const known = shapes.get(key) ?? { schema, statuses: [] }
    const types = schema ? [] : Object.keys(response.content ?? {})
    known.statuses.push(
      html`<li><span class="code-status ok">${status}</span> <span${english}>${response.description}</span>${
        types.length > 0 && html`: ${words('docs.bytes', { types: list(types) })}`
      }</li>`,
    )
    shapes.set(key, known)
  }
  return html`${[...shapes.values()].map(
    ({ schema, statuses }) =>
      html`<ul class="statuses">${statuses}</ul>${schema && html`<details class="answer"><summary>${words('docs.answer.fields')}</summary>${shape(book, schema)}</details>`}`,
  )}`
}

const list = (names: readonly string[]): Part =>
  join(
    names.map((name) => html`<code>${name}</code>`),
    ', ',
  )

function refusalPart(book: Book, { method, path, operation }: Listed): Html {
  const { words } = book
  const failures = responsesOf(book, operation).filter(([status]) => Number(status) >= 400)
  const isGeneral = ([status, response]: [string, ResponseObject]): boolean =>
    general.has(status) && errorCodesOf(response).length === 1
  const own = failures.filter((each) => !isGeneral(each))
  const rest = failures.filter(isGeneral)
  return html`<section class="scroll" tabindex="0" aria-label="${words.text('docs.refusals.of', { operation: `${method} ${path}` })}"><table class="refusals"><thead><tr><th scope="col">${words('docs.status')}</th><th scope="col">${words('docs.codes')}</th></tr></thead>
<tbody>${own.map(([status, response]) => html`<tr><th scope="row"><span class="code-status bad">${status}</span> <span class="reason">${reasonOf(words, status)}</span></th><td>${codes(response)}</td></tr>`)}</tbody></table></section>
<p class="note">${words('docs.refusals.general', {
    refusals: join(
      rest.map(([status, response]) => html`${status} <code>${errorCodesOf(response)[0]}</code>`),
      ', ',
    ),
  })}</p>`
}

const reasonOf = (words: Words, status: string): Part =>
  status in reasons && words(reasons[Number(status) as keyof typeof reasons])

const codes = (response: ResponseObject): Part =>
  join(
    errorCodesOf(response).map((code) => html`<code>${code}</code>`),
    ' ',
  )

function curl({ document, words, publicUrl }: Book, { method, path, operation }: Listed): Html {
  const place = path.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const schema = operation.parameters?.find((each) => each.name === name)?.schema
    return schema ? String(example(document, schema, 'all', { name })) : whole
  })
  const schema = operation.requestBody?.content?.[json]?.schema
  const value = schema && operation.requestBody?.required ? example(document, schema, []) : undefined
  const lines = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}'${publicUrl}${place}'`,
    ...credentials(callerOf(operation), method, publicUrl),
    ...(value === undefined
      ? []
      : ["-H 'Content-Type: application/json'", `-d '${JSON.stringify(value, null, 2).replaceAll("'", "'\\''")}'`]),
    ...formParts(document, operation),
  ]
  return codeBlock(words('docs.request'), lines.join(' \\\n  '))
}

function credentials(who: Who, method: string, publicUrl: string): string[] {
  if (who === 'public') return []
  if (who === 'browser') return [`-H 'Origin: ${publicUrl}'`]
  if (who === 'agent') return ['-H "Authorization: Bearer $KITH_TOKEN"']
  return ['-b cookies.txt', ...(method === 'GET' ? [] : ['-H "X-CSRF-Token: $KITH_CSRF"'])]
}

function formParts(document: OpenApi, operation: Operation): string[] {
  const schema = operation.requestBody?.content?.[form]?.schema
  return Object.entries(schema?.properties ?? {}).map(([name, part]) =>
    name === 'file' ? '-F file=@picture.jpg' : `-F '${name}=${example(document, part, 'all', { name })}'`,
  )
}

/** An answer that another operation has too stands there alone: it is long. */
function answerSample({ document, words, samples }: Book, listed: Listed): Part {
  const { operation } = listed
  const [status = '', response] = responsesOf({ document }, operation).findLast(([code]) => Number(code) < 400) ?? []
  const schema = response?.content?.[json]?.schema
  if (!schema) return undefined
  const key = JSON.stringify(schema)
  const other = samples.get(key)
  if (other) {
    const link = (inner: Part): Part => html`<a href="#${anchor(other)}">${inner}</a>`
    return html`<p class="note">${words('docs.answer.same', { status, link, operation: `${other.method} ${other.path.replace(apiPath, '')}` })}</p>`
  }
  samples.set(key, listed)
  return codeBlock(words('docs.answer', { status }), JSON.stringify(example(document, schema, 'all'), null, 2))
}

const codeBlock = (title: Part, text: string): Html =>
  html`<figure class="code"><figcaption>${title}</figcaption><pre tabindex="0"><code>${text}</code></pre></figure>`

const headersTable = ({ document, words, english }: Book): Html =>
  html`<h2 id="headers">${words('docs.headers')}</h2><dl class="fields">${Object.entries(
    document.components.headers,
  ).map(
    ([name, { description }]) =>
      html`<div class="field"><dt><code class="name">${name}</code></dt><dd><p${english}>${inline(description)}</p></dd></div>`,
  )}</dl>`

/** What one kind of event tells, to whom, and the fields that it carries. */
function kindCells({ words, english }: Book, kind: string, { tells, to, payload }: KindDescription<Schema>): Html {
  const fields = Object.entries(payload.properties ?? {}).map(
    ([name, schema]) => html`<code>${name}</code> ${typePart(words, schema)}`,
  )
  return html`<td><code>${kind}</code></td><td${english}>${inline(tells)}.<br><span class="reason">${to}.</span></td><td>${payload.$ref ? typePart(words, payload) : join(fields, html`<br>`)}</td>`
}

function channelPart(book: Book): Html {
  const { document, words, publicUrl, english } = book
  const channel = document['x-websocket']
  const address = publicUrl.replace(/^http/, 'ws') + channel.path
  const event = {
    type: 'event',
    event_id: '0199a3f2-…',
    kind: 'order.changed',
    payload: { order_id: '0199a3f1-…', status: 'funded', version: 2 },
  }
  const code = (inner: Part): Part => html`<code>${inner}</code>`
  const strong = (inner: Part): Part => html`<strong>${inner}</strong>`
  const limit = (name: string): number => channel.limits[name] as number
  const known = new Set<string>()
  return html`<section class="group" id="events" aria-labelledby="events-name">
<div class="group-head prose"><h2 id="events-name">${words('docs.events')}</h2>
<p class="lead">${words('docs.events.lead')}</p>
<p class="base"><span>${words('docs.events.address')}</span> <code>${address}</code></p>
<p>${words('docs.events.connect', { code, token: '<token>', connections: limit('connections_per_passport') })}</p>
<p>${words('docs.events.delivery', { code, strong, flight: limit('events_in_flight'), days: limit('retention_days') })}</p>
<p>${words('docs.events.content')}</p></div>
<div class="op whole"><div class="op-text"><h3>${words('docs.events.kinds')}</h3>
<section class="scroll" tabindex="0" aria-label="${words.text('docs.events.kinds')}"><table class="kinds"><thead><tr><th scope="col">${words('docs.events.subprotocol')}</th><th scope="col">${words('docs.events.adds')}</th><th scope="col">${words('docs.events.tells')}</th><th scope="col">${words('docs.events.payload')}</th></tr></thead>
${channel.subprotocols.map(({ name, kinds }) => {
  const added = kinds.filter((kind) => !known.has(kind))
  for (const kind of added) known.add(kind)
  return html`<tbody>${added.map((kind, index) => html`<tr>${index === 0 && html`<th scope="rowgroup" rowspan="${added.length}">${name ? html`<code>${name}</code>` : words('docs.events.none')}</th>`}${kindCells(book, kind, channel.kinds[kind] as KindDescription<Schema>)}</tr>`)}</tbody>`
})}</table></section>
<p class="note">${words('docs.events.versions', { code })}</p>
</div></div>
<div class="op"><div class="op-text"><h3>${words('docs.events.frames')}</h3><p>${words('docs.events.frames.text', { client: limit('client_frame_bytes'), event: limit('event_bytes') })}</p>
<p>${words('docs.events.unknown')}</p>
<h3>${words('docs.events.close')}</h3><dl class="fields">${Object.entries(channel.close_codes).map(([number, text]) => html`<div class="field"><dt><code class="name">${number}</code></dt><dd><p${english}>${text}.</p></dd></div>`)}</dl></div>
<div class="op-code">${codeBlock(words('docs.events.event'), JSON.stringify(event, null, 2))}${codeBlock(words('docs.events.ack'), JSON.stringify({ type: 'ack', event_id: event.event_id }, null, 2))}${codeBlock(words('docs.events.acked'), JSON.stringify({ type: 'acked', event_id: event.event_id }, null, 2))}${codeBlock(words('docs.events.error'), JSON.stringify({ type: 'error', error: { code: 'unknown_ack' } }, null, 2))}</div></div>
</section>`
}
