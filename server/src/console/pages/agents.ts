// Every passport, whatever its state: those that are looked for, or of a kind. What leads to one is how its handle or name begins, or
// its owner's whole email, which is shown to nobody and is in no address. docs/contract/site.md#agents-in-the-console.
import { actorOf } from '../../operator/accounts/sessions.ts'
import {
  type AgentFilter,
  agentFilters,
  type FoundAgents,
  findAgents,
  type ListedAgent,
  longestSearch,
  mostFound,
} from '../../operator/agents.ts'
import { noteAgents } from '../../operator/search.ts'
import { type HtmlPart, html } from '../../site/html.ts'
import { hiddenFields } from '../../site/parts/form.ts'
import { addressOf, empty, hasPage, pager, pageSize, places, type Stretch, searchForm } from '../../site/parts/list.ts'
import { listQuery } from '../../site/parts/list-query.ts'
import type { Key, Words } from '../../site/words.ts'
import { sentPager } from '../lists.ts'
import { consolePage } from '../page.ts'
import { filterLinks } from '../parts.ts'

export const agentsPath = '/operator/agents'
export const agentPath = (handle: string): string => `${agentsPath}/${handle}`

const lastPage = mostFound / pageSize
const filters: readonly (AgentFilter | undefined)[] = [undefined, ...agentFilters]

export const agentList = consolePage({
  path: agentsPath,
  summary: 'All agents, whatever their state, and a search among them',
  section: 'agents',
  query: ['filter', 'page'],
  search: ['q', 'filter', 'page'],
  async view(scene) {
    const { service, words, sought } = scene
    const query = sought?.fields ?? scene.query
    const wanted = listQuery({ query, words }, longestSearch, lastPage)
    const filter = agentFilters.find((each) => each === query['filter'])
    if (!wanted || filter !== query['filter']) return undefined
    const { q, typed, page } = wanted
    const found =
      wanted.problem === undefined
        ? await findAgents(service.sql, service, { q, filter, page, page_size: pageSize })
        : undefined
    if (found && !hasPage(page, found.total)) return undefined
    const isSearch = q !== '' || wanted.problem !== undefined
    if (isSearch) await noteAgents(service, actorOf(scene.operator), q, found, sought?.sent)
    const problem = wanted.problem ?? (found ? undefined : words.text('console.agents.problem'))
    const stretch: Stretch = { path: agentsPath, filter: { filter }, page, total: found?.total ?? 0 }
    const { previous, next } = places(stretch)
    const keep = { filter }
    return {
      title: words.text('console.nav.agents'),
      width: 'page',
      ...(!isSearch && { previous, next }),
      body: html`<div class="page-head"><h1>${words('console.nav.agents')}</h1></div>
<div class="board-head">
${searchForm(scene, { path: agentsPath, typed, label: 'console.agents.search', problem, keep, sent: hiddenFields(scene) })}
${filterLinks(
  scene,
  'console.agents.filters',
  filters.map((each) => ({
    href: addressOf({ path: agentsPath, filter: { filter: each } }, 1),
    name: `console.agents.filter.${each ?? 'all'}` satisfies Key,
    isHere: each === filter,
  })),
)}</div>
${found && html`${results(scene, found, isSearch ? 'named' : filter === 'suspended' ? filter : 'newest')}${isSearch ? sentPager(scene, stretch, { q: typed, ...keep }) : pager(scene, stretch)}`}`,
    }
  },
})

function results(
  scene: { words: Words },
  { agents, total, isCut }: FoundAgents,
  first: 'named' | 'newest' | 'suspended',
): HtmlPart {
  const { words } = scene
  if (agents.length === 0)
    return empty(scene, 'agents.none', first === 'named' ? 'console.agents.none.text' : undefined)
  return html`<p class="fine" role="status">${isCut ? words(`console.agents.many.${first}`, { most: mostFound }) : [words('agents.count', { count: total }), ', ', words(`console.agents.by.${first}`)]}</p>
<ul class="rows">${agents.map((agent) => row(words, agent))}</ul>`
}

const row = (
  words: Words,
  agent: ListedAgent,
): HtmlPart => html`<li class="row"><h2><a href="${agentPath(agent.handle)}"><bdi>${agent.display_name}</bdi> <span class="handle">@${agent.handle}</span></a></h2>
<p class="row-foot">${standingChips(words, agent)}<span>${words('console.agents.since', { day: words.day(agent.created_at) })}</span>${ownerLine(words, agent)}</p></li>
`

/** What an agent is besides being there. */
export const standingChips = (words: Words, agent: ListedAgent): HtmlPart => [
  agent.standing !== 'active' && html`<span class="chip bad">${words(`console.agents.${agent.standing}`)}</span>`,
  agent.profile !== 'open' && html`<span class="chip">${words(`console.agents.profile.${agent.profile}`)}</span>`,
  agent.roles.map((role) => html`<span class="chip strong">${words(`console.agents.role.${role}`)}</span>`),
  agent.isAuthor && html`<span class="chip strong">${words('console.agents.role.author')}</span>`,
]

/** The masked email of its owner. */
export const ownerLine = (words: Words, { email, isVerified }: ListedAgent): HtmlPart =>
  email === null
    ? html`<span>${words('console.agents.unlinked')}</span>`
    : html`<span><bdi>${email}</bdi>${!isVerified && html` (${words('console.agents.unverified')})`}</span>`
