// One operation of the contract, as a page of the reference tells it.
import {
  errorCodesOf,
  form,
  json,
  type Listed,
  type OpenApi,
  type Parameter,
  type ResolvedOperation,
  type ResponseObject,
  type Schema,
} from '../../http/openapi-document.ts'
import { example } from '../../http/openapi-examples.ts'
import { type Html, type HtmlPart, html } from '../html.ts'
import { inline, markdown } from '../markdown.ts'
import type { Words } from '../words.ts'
import {
  anchor,
  answerKey,
  apiPath,
  type Book,
  badge,
  codeBlock,
  codePath,
  list,
  operationPath,
  pathPart,
} from './reference-book.ts'
import { actionOf, adviceOf } from './reference-errors.ts'
import { field, shape } from './reference-shapes.ts'

/** What every operation may answer: told once, and named shortly at each. */
const general = new Set(['401', '408', '413', '415', '431', '500', '503'])

type Who = 'agent' | 'public' | 'customer' | 'visitor' | 'browser'

/** Whom an operation is for; those of agents are as the whole contract says. */
function callerOf({ security }: ResolvedOperation): Who {
  if (security === undefined) return 'agent'
  const schemes = security.flatMap((each) => Object.keys(each))
  if (schemes.includes('human_session')) return 'customer'
  if (schemes.includes('visitor_session')) return 'visitor'
  return schemes.includes('bearer') ? 'public' : 'browser'
}

/** One operation: who may call it, what it takes and answers, and what to do when it refuses. */
export function operationPart(book: Book, listed: Listed): Html {
  const { words, english } = book
  const { method, path, operation } = listed
  const who = callerOf(operation)
  const body = operation.requestBody
  const bodySchema = (body?.content?.[json] ?? body?.content?.[form])?.schema
  const inPath = operation.parameters.filter((each) => each.in === 'path')
  const inQuery = operation.parameters.filter((each) => each.in === 'query')
  return html`<article class="op" id="${anchor(listed)}" aria-labelledby="${anchor(listed)}-name">
<header class="op-head"><h3 id="${anchor(listed)}-name"${english}><a href="#${anchor(listed)}">${operation.summary}</a></h3>
<p class="op-line">${badge(method)}<code class="path">${pathPart(path)}</code></p></header>
<div class="op-text">
<p class="who"><span class="chip${(who === 'public' || who === 'browser') && ' strong'}">${words(`docs.${who}`)}</span> ${words(`docs.${who}.text`)} ${limitsOf(words, operation)}</p>
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
  html`<dl class="fields">${parameters.map(({ name, schema, description, required }) =>
    field(book, name, { ...schema, ...(description !== undefined && { description }) }, required, 'request'),
  )}</dl>`

/** Which limit it counts towards, and what it is to an agent that is restricted. */
const limitsOf = (words: Words, operation: ResolvedOperation): HtmlPart => {
  const gate = operation['x-gate']
  return html`${words(`docs.counted.${operation['x-counted']}`)}${gate !== undefined && html` ${words(`docs.gate.${gate}`)}`}`
}

function successPart(book: Book, operation: ResolvedOperation): Html {
  const { words, english } = book
  const successes = Object.entries(operation.responses).filter(([status]) => Number(status) < 400)
  // 200 and 201 mostly say the same thing: one shape below both.
  const shapes = new Map<string, { schema: Schema | undefined; statuses: HtmlPart[] }>()
  for (const [status, response] of successes) {
    const schema = response.content?.[json]?.schema
    const key = JSON.stringify(schema)
    const known = shapes.get(key) ?? { schema, statuses: [] }
    const types = schema ? [] : Object.keys(response.content ?? {})
    known.statuses.push(
      html`<li><span class="code-status ok">${status}</span> <span${english}>${response.description}</span>${
        types.length > 0 &&
        html`: ${words('docs.bytes', { types: list(types.map((type) => html`<code>${type}</code>`)) })}`
      }</li>`,
    )
    shapes.set(key, known)
  }
  return html`${[...shapes.values()].map(
    ({ schema, statuses }) =>
      html`<ul class="statuses">${statuses}</ul>${schema && html`<details class="answer"><summary>${words('docs.answer.fields')}</summary>${shape(book, schema)}</details>`}`,
  )}`
}

/** Codes of a status that ask for the same are told together. */
function refusalPart(book: Book, { method, path, operation }: Listed): Html {
  const { words } = book
  const failures = Object.entries(operation.responses).filter(([status]) => Number(status) >= 400)
  const isGeneral = ([status, response]: [string, ResponseObject]): boolean =>
    general.has(status) && errorCodesOf(response).length === 1
  const own = failures.filter((each) => !isGeneral(each))
  const rest = failures.filter(isGeneral)
  const rows = own.flatMap(([status, response]) => {
    const byAction = new Map<string, string[]>()
    for (const code of errorCodesOf(response)) {
      const action = actionOf(code)
      byAction.set(action, [...(byAction.get(action) ?? []), code])
    }
    return [...byAction].map(([action, codes]) => ({ status, action, codes }))
  })
  return html`<section class="scroll" tabindex="0" aria-label="${words.text('docs.refusals.of', { operation: `${method} ${path}` })}"><table class="refusals"><thead><tr><th scope="col">${words('docs.codes')}</th><th scope="col">${words('docs.todo')}</th></tr></thead>
<tbody>${rows.map(({ status, action, codes }) => html`<tr><th scope="row"><span class="code-status bad">${status}</span> ${list(codes.map(codeLink), ' ')}</th><td>${adviceOf(words, action)}</td></tr>`)}</tbody></table></section>
<p class="note">${words('docs.refusals.general', { refusals: list(rest.map(([status, response]) => html`${status} ${codeLink(errorCodesOf(response)[0] as string)}`)) })}</p>`
}

const codeLink = (code: string): Html => html`<a href="${codePath(code)}"><code>${code}</code></a>`

function curl({ document, words, publicUrl }: Book, { method, path, operation }: Listed): Html {
  const place = path.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const schema = operation.parameters.find((each) => each.name === name)?.schema
    return schema ? String(example(document, schema, 'all', { name })) : whole
  })
  const value = operation.requestBody?.content?.[json]?.example
  const lines = [
    `curl ${method === 'GET' ? '' : method === 'HEAD' ? '--head ' : `-X ${method} `}'${publicUrl}${place}'`,
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
  return ['-b cookies.txt', ...(method === 'GET' || method === 'HEAD' ? [] : ['-H "X-CSRF-Token: $KITH_CSRF"'])]
}

function formParts(document: OpenApi, operation: ResolvedOperation): string[] {
  const schema = operation.requestBody?.content?.[form]?.schema
  return Object.entries(schema?.properties ?? {}).map(([name, part]) =>
    name === 'file' ? '-F file=@picture.jpg' : `-F '${name}=${example(document, part, 'all', { name })}'`,
  )
}

/** A response that another operation shares is shown only there, because it is long. */
function answerSample(book: Book, listed: Listed): HtmlPart {
  const { document, words, firstWith } = book
  const key = answerKey(document, listed.operation)
  if (key === undefined) return undefined
  const [status = '', name = ''] = key.split(' ')
  const other = firstWith.get(key)
  if (other && other !== listed) {
    const link = (inner: HtmlPart): HtmlPart => html`<a href="${operationPath(book, other)}">${inner}</a>`
    return html`<p class="note">${words('docs.answer.same', { status, link, operation: `${other.method} ${other.path.replace(apiPath, '')}` })}</p>`
  }
  return codeBlock(words('docs.answer', { status }), JSON.stringify(document.components.examples[name]?.value, null, 2))
}
