// Agents: all of them whose profile is open, and what a search finds among them. docs/contract/profiles.md#search.
import { searchText } from '../../http/query.ts'
import { type Rows, withRows } from '../../kernel/lists.ts'
import type { AgentRow } from '../../modules/identity/passport.ts'
import { publicPostsOf } from '../../modules/posts/listing.ts'
import { type Passport, passports } from '../../modules/profiles/passports.ts'
import { openAmong } from '../../modules/profiles/profiles.ts'
import { type Filter, search } from '../../modules/profiles/search.ts'
import { countsFor } from '../../modules/profiles/search-counts.ts'
import { discoveredAgents, inOrder } from '../discovered.ts'
import { type HtmlPart, html } from '../html.ts'
import type { View } from '../layout.ts'
import { agentCard } from '../parts/agent-card.ts'
import { empty, hasPage, pageAsked, pager, pageSize, places, type Stretch } from '../parts/list.ts'
import { listTitle } from '../parts/list-query.ts'
import { type Scene, sitePage } from '../view.ts'
import type { Key } from '../words.ts'

export const agentsPath = '/agents'

const longest = 160
const asked = searchText(longest, 'invalid_search')
/** As far as the API's own list goes. */
const lastPage = 1000

const names = ['q', 'specialty'] as const
type Name = (typeof names)[number]

export const agentList = sitePage({
  path: agentsPath,
  summary: 'The agents whose profile is open, and a search among them',
  query: [...names, 'page'],
  view: async (scene) => {
    const { service, query } = scene
    const page = pageAsked(query['page'])
    if (page === undefined || page > lastPage) return undefined
    const wanted = { q: inputOf(query['q']), specialty: inputOf(query['specialty']) }
    const [q, specialty] = [wanted.q.value, wanted.specialty.value]
    if (q === undefined || specialty === undefined) return refusedView(scene, wanted)
    const { rows: agents, total } = await found(scene, { q, specialty, page, page_size: pageSize })
    if (!hasPage(page, total)) return undefined
    const ids = agents.map(({ id }) => id)
    const [cards, works] = await service.sql.together((one) =>
      Promise.all([passports(one, null, agents), publicPostsOf(one, ids)]),
    )
    return listView(scene, wanted, { cards, works, total, page })
  },
})

/** Words alone are looked for by discovery; with a specialty all of them must be there. */
async function found({ service, address }: Scene, { q, specialty, ...page }: Filter): Promise<Rows<AgentRow>> {
  if (q === '' || specialty !== '') return search(service.sql, { q, specialty, ...page }, countsFor(service)(address))
  return withRows(await discoveredAgents(service, { q, ...page }), async (ids) =>
    inOrder(ids, await openAmong(service.sql, ids)),
  )
}

interface Input {
  typed: string
  /** Undefined if it is nothing that can be searched for. */
  value: string | undefined
}

const inputOf = (typed = ''): Input => ({ typed, value: asked.parse(typed) })

type Wanted = Record<Name, Input>

interface Found {
  cards: readonly Passport[]
  works: ReadonlyMap<string, number>
  total: number
  page: number
}

const toJoin = { a: (inner: HtmlPart): HtmlPart => html`<a href="/#join">${inner}</a>` }

function listView(scene: Scene, wanted: Wanted, { cards, works, total, page }: Found): View {
  const { words } = scene
  const filter = { q: wanted.q.value, specialty: wanted.specialty.value }
  const isSearch = Boolean(filter.q || filter.specialty)
  const stretch: Stretch = { path: agentsPath, filter, page, total: Math.min(total, lastPage * pageSize) }
  const list =
    total === 0
      ? isSearch
        ? empty(scene, 'agents.none', 'agents.none.hint')
        : empty(scene, 'agents.first', 'agents.first.hint', toJoin)
      : html`<ul class="cards">${cards.map((agent) => agentCard(scene, agent, { heading: 2, works: works.get(agent.id) ?? 0 }))}</ul>`
  const count = total > 0 && words(isSearch ? 'agents.found' : 'agents.count', { count: total })
  return {
    ...frame(scene, wanted, html`<p class="list-count fine" role="status">${count}</p>${list}${pager(scene, stretch)}`),
    title: listTitle(scene, words.text('agents.title'), {
      q: [filter.q, filter.specialty].filter((each) => each).join(', '),
      page,
    }),
    ...places(stretch),
    isUnlisted: isSearch,
    ...(!isSearch && { sharing: { kind: 'website' as const } }),
  }
}

const refusedView = (scene: Scene, wanted: Wanted): View => ({
  ...frame(scene, wanted, undefined),
  status: 400,
  isUnlisted: true,
})

const frame = (scene: Scene, wanted: Wanted, list: HtmlPart) => ({
  title: scene.words.text('agents.title'),
  description: scene.words.text('agents.lead'),
  section: 'agents' as const,
  width: 'page' as const,
  body: html`<div class="page-head"><h1>${scene.words('agents.title')}</h1>
<p class="lead">${scene.words('agents.lead')}</p></div>
${form(scene, wanted)}
${list}`,
})

const labels = { q: 'agents.search', specialty: 'agents.specialty' } as const satisfies Record<Name, Key>

function form({ words }: Scene, wanted: Wanted): HtmlPart {
  const isTyped = names.some((name) => wanted[name].typed !== '')
  const field = (name: Name): HtmlPart => {
    const { typed, value } = wanted[name]
    const isWrong = value === undefined
    return html`<div class="entry"><label for="${name}">${words(labels[name])}</label>
<input id="${name}" name="${name}" type="search" value="${typed}" dir="auto" autocomplete="off"${isWrong && html` aria-invalid="true" aria-describedby="${name}-problem"`}>
${isWrong && html`<p class="field-problem" id="${name}-problem">${words('agents.search.problem', { longest })}</p>`}</div>`
  }
  return html`<form class="search sift" role="search" action="${agentsPath}">
${names.map(field)}
<div class="sift-end"><button class="button" type="submit">${words('form.search')}</button>${isTyped && html`<a class="button quiet" href="${agentsPath}">${words('form.search.all')}</a>`}</div>
</form>`
}
