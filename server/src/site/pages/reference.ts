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
import { type FixedPage, htmlType } from '../../http/page.ts'
import type { Service } from '../../service.ts'
import { type Html, html, join, type Part } from '../html.ts'
import { renderPage } from '../layout.ts'
import { inline, markdown, slug } from '../markdown.ts'
import { sceneOf, type View } from '../view.ts'
import { sample } from './sample.ts'

const reasons: Readonly<Record<string, string>> = {
  400: 'Bad request',
  401: 'No valid token',
  403: 'Not allowed',
  404: 'Not found',
  409: 'Conflict',
  416: 'Range not satisfiable',
  429: 'Too much',
  503: 'Not ready',
}
/** What every operation may answer: told once, and named shortly at each. */
const general = new Set(['401', '408', '413', '415', '431', '500', '503'])

interface Listed {
  method: string
  path: string
  operation: Operation
}

/** The page at `/docs`: of the contract, which is in English, in the frame of the reader's language. */
export const reference: FixedPage = {
  path: '/docs',
  summary: 'The API reference, made from the contract',
  caller: 'anyone',
  cache: 'revalidated',
  contentType: htmlType,
  variant: (visit) => sceneOf(visit).words.language,
  bytes: (visit) => Buffer.from(renderPage(sceneOf(visit).frame, referenceView(visit.openapi(), visit.service))),
}

export function referenceView(document: OpenApi, { publicUrl }: Pick<Service, 'publicUrl'>): View {
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
    title: 'API reference',
    description: 'Every operation of this server with its fields, limits and refusals.',
    section: 'docs',
    width: 'wide',
    canonical: '/docs',
    sharing: { kind: 'website' },
    body: html`<div class="docs" lang="en">
<nav class="side" aria-label="Contents" tabindex="0">
<ul><li><a class="side-head" href="#overview">Overview</a><ul>${chapters.map((name) => html`<li><a href="#${slug(name)}">${name}</a></li>`)}</ul></li>
${groups.map(({ label, id, operations: own }) => html`<li><a class="side-head" href="#${id}">${label}</a><ul>${own.map(sideEntry)}</ul></li>`)}
<li><a class="side-head" href="#events">Event channel</a></li>
<li><a class="side-head" href="#schemas">Shapes</a><ul>${schemas.map(([name]) => html`<li><a href="#schema-${name}">${name}</a></li>`)}</ul></li></ul>
</nav>
<div class="docs-body">
<section class="overview prose" id="overview"><p class="eyebrow">Version ${document.info.version}</p><h1>API reference</h1>
<p class="base"><span>Base address</span> <code>${publicUrl}/api/v1</code></p>
${markdown(document.info.description, { topLevel: 1, anchors: true })}
${headersTable(document)}</section>
${groups.map(
  ({ label, id, description, operations: own }) => html`<section class="group" id="${id}" aria-labelledby="${id}-name">
<div class="group-head prose"><h2 id="${id}-name">${label}</h2>${description && html`<p class="lead">${inline(description)}</p>`}</div>
${own.map((each) => operationPart(document, each, publicUrl))}</section>`,
)}
${channelPart(document, publicUrl)}
<section class="group" id="schemas"><div class="group-head prose"><h2>Shapes</h2><p class="lead">What several operations share.</p></div>
${schemas.map(([name, schema]) => html`<article class="shape" id="schema-${name}"><h3>${name}</h3>${schema.description && html`<p>${inline(schema.description)}</p>`}${shape(document, schema)}</article>`)}
</section></div></div>`,
  }
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

function operationPart(document: OpenApi, listed: Listed, publicUrl: string): Html {
  const { method, path, operation } = listed
  const open = operation.security?.some((each) => Object.keys(each).length === 0)
  const body = operation.requestBody
  const bodySchema = (body?.content?.[json] ?? body?.content?.[form])?.schema
  const inPath = (operation.parameters ?? []).filter((each) => each.in === 'path')
  const inQuery = (operation.parameters ?? []).filter((each) => each.in === 'query')
  return html`<article class="op" id="${anchor(listed)}" aria-labelledby="${anchor(listed)}-name">
<header class="op-head"><h3 id="${anchor(listed)}-name"><a href="#${anchor(listed)}">${operation.summary}</a></h3>
<p class="op-line">${badge(method)}<code class="path">${pathPart(path)}</code></p></header>
<div class="op-text">
<p class="who">${open ? html`<span class="pill open">Public</span> Everyone; a token that is sent is checked.` : html`<span class="pill">Agent</span> Agents, by their Bearer token.`}</p>
${operation.description && html`<div class="prose">${markdown(operation.description, { topLevel: 4 })}</div>`}
${inPath.length > 0 && html`<h4>In the path</h4>${parameterList(document, inPath)}`}
${inQuery.length > 0 && html`<h4>In the query</h4>${parameterList(document, inQuery)}`}
${body && html`<h4>Body</h4>${body.description && html`<p class="note">${inline(body.description)}</p>`}${bodySchema && shape(document, bodySchema, 'request')}`}
<h4>Answers</h4>${successPart(document, operation)}
<h4>Refusals</h4>${refusalPart(document, operation)}
</div>
<div class="op-code">${curl(document, listed, publicUrl)}${answerSample(document, operation)}</div>
</article>`
}

const parameterList = (document: OpenApi, parameters: readonly Parameter[]): Html =>
  html`<dl class="fields">${parameters.map(({ name, schema, required }) => field(document, name, schema, required, 'request'))}</dl>`

const responsesOf = (document: OpenApi, operation: Operation): [string, ResponseObject][] =>
  Object.entries(operation.responses).map(([status, response]) => [status, resolve<ResponseObject>(document, response)])

function successPart(document: OpenApi, operation: Operation): Html {
  const successes = responsesOf(document, operation).filter(([status]) => Number(status) < 400)
  // 200 and 201 mostly say the same thing: one shape below both.
  const shapes = new Map<string, { schema: Schema | undefined; statuses: Part[] }>()
  for (const [status, response] of successes) {
    const schema = response.content?.[json]?.schema
    const key = JSON.stringify(schema)
    const known = shapes.get(key) ?? { schema, statuses: [] }
    const types = schema ? [] : Object.keys(response.content ?? {})
    known.statuses.push(
      html`<li><span class="code-status ok">${status}</span> ${response.description}${
        types.length > 0 && html`: bytes of ${list(types)}`
      }</li>`,
    )
    shapes.set(key, known)
  }
  return html`${[...shapes.values()].map(
    ({ schema, statuses }) =>
      html`<ul class="statuses">${statuses}</ul>${schema && html`<details class="answer"><summary>Fields of the answer</summary>${shape(document, schema)}</details>`}`,
  )}`
}

const list = (names: readonly string[]): Part =>
  join(
    names.map((name) => html`<code>${name}</code>`),
    ', ',
  )

function refusalPart(document: OpenApi, operation: Operation): Html {
  const failures = responsesOf(document, operation).filter(([status]) => Number(status) >= 400)
  const isGeneral = ([status, response]: [string, ResponseObject]): boolean =>
    general.has(status) && errorCodesOf(response).length === 1
  const own = failures.filter((each) => !isGeneral(each))
  const rest = failures.filter(isGeneral)
  return html`<section class="scroll" tabindex="0" aria-label="Refusals: ${operation.summary}"><table class="refusals"><thead><tr><th scope="col">Status</th><th scope="col">Codes</th></tr></thead>
<tbody>${own.map(([status, response]) => html`<tr><th scope="row"><span class="code-status bad">${status}</span> <span class="reason">${reasons[status]}</span></th><td>${codes(response)}</td></tr>`)}</tbody></table></section>
<p class="note">As everywhere: ${join(
    rest.map(([status, response]) => html`${status} <code>${errorCodesOf(response)[0]}</code>`),
    ', ',
  )}.</p>`
}

const codes = (response: ResponseObject): Part =>
  join(
    errorCodesOf(response).map((code) => html`<code>${code}</code>`),
    ' ',
  )

/** In an answer only what may be missing is worth a word; in a request, what must be there. */
type Side = 'request' | 'answer'

/** The fields of a shape, with the shapes below it that have no name of their own. */
function shape(document: OpenApi, schema: Schema, side: Side = 'answer'): Html {
  const named = referenceName(schema)
  if (named) return html`<p class="note">${schemaLink(named)}</p>`
  const fields = Object.entries(schema.properties ?? {})
  if (fields.length === 0)
    return html`<div class="note">${schema.type === 'object' ? 'An empty object.' : describeType(schema)} ${limits(schema)}</div>`
  return html`<dl class="fields">${fields.map(([name, each]) => field(document, name, each, schema.required?.includes(name) ?? false, side))}</dl>`
}

function field(document: OpenApi, name: string, schema: Schema, required: boolean, side: Side): Html {
  const inner = innerObject(schema)
  return html`<div class="field"><dt><code class="name">${name}</code> <span class="type">${typePart(schema)}</span>${requiredness(required, side)}</dt>
<dd>${schema.description && html`<p>${inline(schema.description)}</p>`}${limits(schema)}${inner && shape(document, inner, side)}</dd></div>`
}

const requiredness = (required: boolean, side: Side): Part =>
  required
    ? side === 'request' && html` <span class="required">required</span>`
    : html` <span class="optional">optional</span>`

/** The object inside a field that is told where the field is: the field itself, an element, or what null may replace. */
function innerObject(schema: Schema): Schema | undefined {
  if (schema.properties) return schema
  if (typeof schema.items === 'object') return innerObject(schema.items)
  const options = schema.anyOf?.filter((each) => each.type !== 'null')
  return options?.length === 1 ? innerObject(options[0] as Schema) : undefined
}

const referenceName = (schema: Schema): string | undefined => schema.$ref?.split('/').at(-1)

const schemaLink = (name: string): Html => html`<a class="shape-link" href="#schema-${name}">${name}</a>`

function typePart(schema: Schema): Part {
  const named = referenceName(schema)
  if (named) return schemaLink(named)
  if (typeof schema.items === 'object') return html`list of ${typePart(schema.items)}`
  const options = schema.anyOf ?? schema.oneOf ?? schema.allOf
  if (options) return join(options.map(typePart), schema.allOf ? ' and ' : ' or ')
  return describeType(schema)
}

const words: Readonly<Record<string, string>> = { uuid: 'UUID', 'date-time': 'time', uri: 'URL' }

function describeType(schema: Schema): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  const types = Array.isArray(schema.type) ? schema.type : [schema.type ?? (schema.enum ? 'one of' : 'anything')]
  const base = schema.contentEncoding === 'base64' ? 'base64' : words[schema.format ?? '']
  return types.map((type) => (type === 'string' && base ? base : type)).join(' or ')
}

/** The limits of a value in short words. */
function limits(schema: Schema): Part {
  const range = (low: number | undefined, high: number | undefined, unit: string): string | undefined => {
    if (low !== undefined && low === high) return `exactly ${low}${unit}`
    if (low !== undefined && low > 0 && high !== undefined) return `${low} to ${high}${unit}`
    if (high !== undefined) return `up to ${high}${unit}`
    return low !== undefined && low > 0 ? `at least ${low}${unit}` : undefined
  }
  const size = schema.contentEncoding ? undefined : range(schema.minLength, schema.maxLength, ' characters')
  const value =
    schema.minimum !== undefined && schema.maximum !== undefined
      ? `${schema.minimum} to ${schema.maximum}`
      : schema.minimum !== undefined
        ? `at least ${schema.minimum}`
        : schema.maximum !== undefined
          ? `at most ${schema.maximum}`
          : undefined
  const facts: Part[] = [
    size,
    value,
    range(schema.minItems, schema.maxItems, ' entries'),
    schema.uniqueItems && 'distinct',
    schema.pattern !== undefined && schema.format !== 'uuid' && html`pattern <code>${schema.pattern}</code>`,
    schema.default !== undefined && html`default <code>${JSON.stringify(schema.default)}</code>`,
  ].filter((fact) => fact !== undefined && fact !== false)
  const values = schema.enum?.filter((each) => each !== null)
  return html`${
    values &&
    html`<p class="values">${join(
      values.map((each) => html`<code>${String(each)}</code>`),
      ' ',
    )}</p>`
  }${facts.length > 0 && html`<p class="limits">${join(facts, html`<span aria-hidden="true"> · </span>`)}</p>`}`
}

function curl(document: OpenApi, { method, path, operation }: Listed, publicUrl: string): Html {
  const place = path.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const schema = operation.parameters?.find((each) => each.name === name)?.schema
    return schema ? String(sample(document, schema, 'all', name)) : whole
  })
  const schema = operation.requestBody?.content?.[json]?.schema
  const value = schema && operation.requestBody?.required ? sample(document, schema, 'required') : undefined
  const isOpen = operation.security !== undefined
  const lines = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}'${publicUrl}${place}'`,
    ...(isOpen ? [] : ['-H "Authorization: Bearer $KITH_TOKEN"']),
    ...(value === undefined
      ? []
      : ["-H 'Content-Type: application/json'", `-d '${JSON.stringify(value, null, 2).replaceAll("'", "'\\''")}'`]),
    ...formParts(document, operation),
  ]
  return codeBlock('Request', lines.join(' \\\n  '))
}

function formParts(document: OpenApi, operation: Operation): string[] {
  const schema = operation.requestBody?.content?.[form]?.schema
  return Object.entries(schema?.properties ?? {}).map(([name, part]) =>
    name === 'file' ? '-F file=@picture.jpg' : `-F '${name}=${sample(document, part, 'all', name)}'`,
  )
}

function answerSample(document: OpenApi, operation: Operation): Part {
  const [status, response] = responsesOf(document, operation).findLast(([code]) => Number(code) < 400) ?? []
  const schema = response?.content?.[json]?.schema
  return schema && codeBlock(`Answer ${status}`, JSON.stringify(sample(document, schema, 'all'), null, 2))
}

const codeBlock = (title: string, text: string): Html =>
  html`<figure class="code"><figcaption>${title}</figcaption><pre tabindex="0"><code>${text}</code></pre></figure>`

const headersTable = (document: OpenApi): Html =>
  html`<h2 id="headers">Headers of answers</h2><dl class="fields">${Object.entries(document.components.headers).map(
    ([name, { description }]) =>
      html`<div class="field"><dt><code class="name">${name}</code></dt><dd><p>${inline(description)}</p></dd></div>`,
  )}</dl>`

/** What one kind of event tells, to whom, and the fields that it carries. */
function kindCells(kind: string, { tells, to, payload }: KindDescription<Schema>): Html {
  const fields = Object.entries(payload.properties ?? {}).map(
    ([name, schema]) => html`<code>${name}</code> ${typePart(schema)}`,
  )
  return html`<td><code>${kind}</code></td><td>${inline(tells)}.<br><span class="reason">${to}.</span></td><td>${payload.$ref ? typePart(payload) : join(fields, html`<br>`)}</td>`
}

function channelPart(document: OpenApi, publicUrl: string): Html {
  const channel = document['x-websocket']
  const address = publicUrl.replace(/^http/, 'ws') + channel.path
  const event = {
    type: 'event',
    event_id: '0199a3f2-…',
    kind: 'order.changed',
    payload: { order_id: '0199a3f1-…', status: 'funded', version: 2 },
  }
  const known = new Set<string>()
  return html`<section class="group" id="events" aria-labelledby="events-name">
<div class="group-head prose"><h2 id="events-name">Event channel</h2>
<p class="lead">A WebSocket that tells an agent what happened, as it happens.</p>
<p class="base"><span>Address</span> <code>${address}</code></p>
<p>Connect with one header <code>Authorization: Bearer &lt;token&gt;</code>, without a query string, and with one subprotocol: the newest that your client knows. A client that is no browser needs no <code>Origin</code>; one that is sent is checked. A passport has at most ${channel.limits['connections_per_passport']} connections, and exactly one of its receivers should acknowledge.</p>
<p>Every unacknowledged event comes first, the oldest before the others, then each new one. Delivery is <strong>at least once</strong>: an event comes again after a reconnect until it is acknowledged, so drop what you have seen by its <code>event_id</code>. At most ${channel.limits['events_in_flight']} are in flight at a time, and they are kept for ${channel.limits['retention_days']} days. An acknowledgement means that the event is safe with you: not that it was read, nor that work was done.</p>
<p>Events carry no private text, prices or files: read the object again through the API. An event never gives permission to do anything.</p></div>
<div class="op whole"><div class="op-text"><h3>Kinds by subprotocol</h3>
<section class="scroll" tabindex="0" aria-label="Kinds by subprotocol"><table class="kinds"><thead><tr><th scope="col">Subprotocol</th><th scope="col">Adds</th><th scope="col">Tells</th><th scope="col">Payload</th></tr></thead>
${channel.subprotocols.map(({ name, kinds }) => {
  const added = kinds.filter((kind) => !known.has(kind))
  for (const kind of added) known.add(kind)
  return html`<tbody>${added.map((kind, index) => html`<tr>${index === 0 && html`<th scope="rowgroup" rowspan="${added.length}">${name ? html`<code>${name}</code>` : 'none'}</th>`}${kindCells(kind, channel.kinds[kind] as KindDescription<Schema>)}</tr>`)}</tbody>`
})}</table></section>
<p class="note">Each version knows all kinds of those above it. A kind that the connected version does not know waits for a newer connection. An unknown subprotocol, or more than one, is refused with 400 before the upgrade; during start and shutdown the answer is 503 with <code>Retry-After</code>.</p>
</div></div>
<div class="op"><div class="op-text"><h3>Frames</h3><p>JSON text. The frame of a client is at most ${channel.limits['client_frame_bytes']} bytes, an event at most ${channel.limits['event_bytes']}. The service sends a ping every 30 seconds.</p>
<p>An acknowledgement of an event that was not sent on this connection is answered with an error, and the connection goes on.</p>
<h3>Close codes</h3><dl class="fields">${Object.entries(channel.close_codes).map(([code, text]) => html`<div class="field"><dt><code class="name">${code}</code></dt><dd><p>${text}.</p></dd></div>`)}</dl></div>
<div class="op-code">${codeBlock('The service sends', JSON.stringify(event, null, 2))}${codeBlock('The client acknowledges', JSON.stringify({ type: 'ack', event_id: event.event_id }, null, 2))}${codeBlock('The service answers', JSON.stringify({ type: 'acked', event_id: event.event_id }, null, 2))}${codeBlock('Or', JSON.stringify({ type: 'error', error: { code: 'unknown_ack' } }, null, 2))}</div></div>
</section>`
}
