// The one search of the console. docs/contract/site.md#the-search.
import type { FormSubmission, LivePage, Shown, SiteOperator, Visit } from '../../http/page.ts'
import { actorOf } from '../../operator/accounts/sessions.ts'
import { OperatorError } from '../../operator/operator.ts'
import { type Finding, type FoundKind, find, type SearchResult } from '../../operator/search.ts'
import { shownToAll } from '../../operator/shown.ts'
import { waitingNow } from '../../operator/waiting.ts'
import { type HtmlPart, html } from '../../site/html.ts'
import { empty } from '../../site/parts/list.ts'
import { postPath } from '../../site/parts/post.ts'
import { servicePath } from '../../site/parts/service.ts'
import { type Scene, sceneOf, shownAs } from '../../site/view.ts'
import { english, type Key, type Words } from '../../site/words.ts'
import { agoIn, dataTable } from '../lists.ts'
import { accountBar, admitted, turnedAway } from '../own.ts'
import { searchField, searchLimit, searchPath, sentBy } from '../search-field.ts'
import { consoleHeader } from '../sections.ts'
import { consoleSheet } from '../sheet.ts'
import { agentPath } from './agents.ts'
import { customerPath } from './customers.ts'
import { disputePath, orderPath } from './disputes.ts'
import { feedbackPath } from './feedback.ts'
import { moderationCasePath } from './moderation.ts'

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
    fields: ['find', 'operation_id'],
    limit: searchLimit,
    send: async (sent: FormSubmission) => {
      const operator = admitted(sent)
      if ('to' in operator) return turnedAway(sent)
      const typed = sent.fields['find'] ?? ''
      try {
        const result = await find(sent.service, actorOf(operator), typed, sentBy(sent, operator, typed))
        return await view(sent, operator, { typed, result })
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
${result && results(scene, result, await shownAmong(scene, result.found))}${accountBar(scene)}`,
  })
}

function results(scene: Scene, { sought, found }: SearchResult, shown: ReadonlySet<string>): HtmlPart {
  if (found.length === 0) return empty(scene, 'search.none', `console.search.none.${sought}`)
  const { words } = scene
  return dataTable(scene, {
    caption: 'search.results',
    columns: [
      'console.search.kind',
      'console.search.what',
      'console.search.owner',
      'console.state',
      'console.search.since',
    ],
    rows: found.map((each) => [
      words(`console.search.kind.${each.kind}`),
      nameOf(each, shown),
      ownerOf(each),
      stateOf(words, each),
      agoIn(scene, each.created_at),
    ]),
  })
}

/** By the words that the pages of its kind have for it; those of others are of the search alone. */
const states: Partial<Readonly<Record<FoundKind, string>>> = {
  customer: 'console.customers',
  order: 'console.dispute.state',
  dispute: 'console.disputes.state',
  case: 'console.moderation.is',
  feedback: 'console.feedback.is',
  file: 'console.storage.state',
  email: 'console.queues.kind',
  task: 'tasks.state',
  review: 'console.moderation.is',
}

function stateOf(words: Words, { kind, state }: Finding): HtmlPart {
  if (state === null) return ''
  if (state === 'suspended') return words('console.agents.suspended')
  if (state === 'removed') return words('console.moderation.is.removed')
  const said = states[kind]
  const key = said === undefined ? `console.search.is.${state}` : `${said}.${state}`
  return Object.hasOwn(english, key) ? words(key as Key) : html`<code>${state}</code>`
}

const ownerOf = ({ owner, owner_id: id }: Finding): HtmlPart => {
  if (owner === null || id === null) return ''
  return owner === id
    ? html`<a href="${customerPath(id)}"><code>${id}</code></a>`
    : html`<a href="${agentPath(owner)}">@${owner}</a>`
}

/** Where it is looked at in the console. */
const places: Partial<Readonly<Record<FoundKind, (key: string) => string>>> = {
  customer: customerPath,
  agent: agentPath,
  order: orderPath,
  review: orderPath,
  dispute: disputePath,
  case: moderationCasePath,
  feedback: (id) => `${feedbackPath}/${id}`,
  email: () => '/operator/queues',
}

/** Where everybody reads what has no page in the console. */
const publicPlaces: Partial<Readonly<Record<FoundKind, (key: string) => string>>> = {
  work: postPath,
  service: servicePath,
  task: (id) => `/tasks/${id}`,
  bid: (taskId) => `/tasks/${taskId}`,
  article: (id) => `/articles/${id}`,
  project_case: (id) => `/cases/${id}`,
}

const shownAmong = ({ service }: Scene, found: readonly Finding[]): Promise<ReadonlySet<string>> =>
  shownToAll(
    service.sql,
    found.flatMap(({ kind, key }) => (publicPlaces[kind] ? [key] : [])),
  )

/** What was removed is looked at in the case by which it was. */
function placeOf({ kind, key, state, case_id: caseId }: Finding, shown: ReadonlySet<string>): string | undefined {
  // What two sides settled by themselves has no page here but their order's.
  const place = places[state === 'settled' ? 'order' : kind]?.(key)
  if (place !== undefined) return place
  if (caseId !== null) return moderationCasePath(caseId)
  return shown.has(key) ? publicPlaces[kind]?.(key) : undefined
}

function nameOf(found: Finding, shown: ReadonlySet<string>): HtmlPart {
  const name = found.kind === 'agent' ? html`@${found.key}` : html`<code>${found.id}</code>`
  const place = placeOf(found, shown)
  return place === undefined ? name : html`<a href="${place}">${name}</a>`
}
