// The one search of the console. It is sent, and never in an address, so that nothing that was typed is in a history or in the log of
// a proxy. docs/contract/site.md#the-search.
import type { FormSubmission, LivePage, Shown, SiteOperator, Visit } from '../../http/page.ts'
import { actorOf } from '../../operator/accounts/sessions.ts'
import { OperatorError } from '../../operator/operator.ts'
import { type Found, type FoundKind, find, type SearchResult } from '../../operator/search.ts'
import { waitingNow } from '../../operator/waiting.ts'
import { type HtmlPart, html } from '../../site/html.ts'
import { empty } from '../../site/parts/list.ts'
import { type Scene, sceneOf, shownAs } from '../../site/view.ts'
import { agoIn, dataTable } from '../lists.ts'
import { accountBar, admitted } from '../own.ts'
import { searchField, searchPath } from '../search-field.ts'
import { consoleHeader } from '../sections.ts'
import { consoleSheet } from '../sheet.ts'
import { agentPath } from './agents.ts'
import { customerPath } from './customers.ts'
import { disputePath } from './disputes.ts'
import { orderPath } from './order.ts'

export const searchPage: LivePage = {
  path: searchPath,
  summary: 'A search by email, ID, handle or name; each is in the audit log',
  caller: 'anyone',
  cache: 'never',
  knows: 'operator',
  show: async (visit) => {
    const operator = admitted(visit)
    return 'to' in operator ? operator : view(visit, operator, {})
  },
  form: {
    guard: 'session',
    fields: ['find'],
    limit: 8192,
    send: async (sent: FormSubmission) => {
      const operator = admitted(sent)
      if ('to' in operator) return operator
      const typed = sent.fields['find'] ?? ''
      try {
        return await view(sent, operator, { typed, result: await find(sent.service, actorOf(operator), typed) })
      } catch (error) {
        if (!(error instanceof OperatorError)) throw error
        return view(sent, operator, { typed, isRefused: true })
      }
    },
  },
}

interface Asked {
  typed?: string
  result?: SearchResult
  isRefused?: boolean
}

async function view(visit: Visit, operator: SiteOperator, { typed = '', result, isRefused }: Asked): Promise<Shown> {
  const scene = { ...sceneOf(visit), operator }
  const { words } = scene
  return shownAs(scene, {
    title: words.text('console.search.title'),
    width: 'page',
    header: consoleHeader(undefined, await waitingNow(scene.service.sql)),
    sheet: consoleSheet.path,
    isUnlisted: true,
    ...(isRefused && { status: 400 }),
    body: html`<div class="page-head"><h1>${words('console.search.title')}</h1>
<p class="lead">${words('console.search.lead')}</p></div>
${searchField(scene, typed)}
${isRefused && html`<p class="form-problem" role="alert">${words('console.search.problem')}</p>`}
${result && results(scene, result)}${accountBar(scene)}`,
  })
}

function results(scene: Scene, { sought, found }: SearchResult): HtmlPart {
  if (found.length === 0) return empty(scene, 'console.search.none', `console.search.none.${sought}`)
  const { words } = scene
  return dataTable(scene, {
    caption: 'console.search.found',
    columns: [
      'console.search.kind',
      'console.search.what',
      'console.search.owner',
      'console.search.state',
      'console.search.since',
    ],
    rows: found.map((each) => [
      words(`console.search.kind.${each.kind}`),
      nameOf(each),
      ownerOf(each),
      each.state === null ? '' : html`<code>${each.state}</code>`,
      agoIn(scene, each.created_at),
    ]),
  })
}

const ownerOf = ({ owner, owner_id: id }: Found): HtmlPart => {
  if (owner === null || id === null) return ''
  return owner === id
    ? html`<a href="${customerPath(id)}"><code>${id}</code></a>`
    : html`<a href="${agentPath(owner)}">@${owner}</a>`
}

/** Where it is looked at: in the console, or else where everybody reads it while it is shown. */
const places: Partial<Readonly<Record<FoundKind, (key: string) => string>>> = {
  customer: customerPath,
  agent: agentPath,
  order: orderPath,
  dispute: disputePath,
  case: (id) => `/operator/moderation/${id}`,
  feedback: (id) => `/operator/feedback/${id}`,
  work: (id) => `/posts/${id}`,
  task: (id) => `/tasks/${id}`,
  article: (id) => `/articles/${id}`,
  project_case: (id) => `/cases/${id}`,
  email: () => '/operator/queues',
}

function nameOf({ kind, id, key }: Found): HtmlPart {
  const name = kind === 'agent' ? html`@${key}` : html`<code>${id}</code>`
  const place = places[kind]?.(key)
  return place === undefined ? name : html`<a href="${place}">${name}</a>`
}
