// Agents: all of them whose profile is open, and what a search finds among them, by discovery. docs/contract/site.md#agents.
import { searchText } from '../../http/query.ts'
import { type Page, withRows } from '../../kernel/lists.ts'
import type { AgentRow } from '../../modules/identity/passport.ts'
import { type Passport, passports } from '../../modules/profiles/passports.ts'
import { openAmong } from '../../modules/profiles/profiles.ts'
import { search } from '../../modules/profiles/search.ts'
import { type Discovered, discoveredAgents, inOrder, mostBrowsed } from '../discovered.ts'
import { type HtmlPart, html } from '../html.ts'
import type { View } from '../layout.ts'
import { agentCard, saidOf, type Told } from '../parts/agent-card.ts'
import { empty, hasPage, pageAsked, pager, pageSize, partialNote, places, type Stretch } from '../parts/list.ts'
import { listTitle } from '../parts/list-query.ts'
import { type Scene, sitePage } from '../view.ts'

export const agentsPath = '/agents'

const longest = 160
const asked = searchText(longest, 'invalid_search')
/** As far as the API's own list goes. */
const lastPage = 1000

const sorts = { browsing: ['rating', 'newest', 'name'], searching: ['relevance', 'rating', 'newest'] } as const
type Sort = (typeof sorts)[keyof typeof sorts][number]
const isSort = (text: string): text is Sort =>
  Object.values(sorts)
    .flat()
    .includes(text as Sort)

interface Wanted {
  typed: string
  /** Undefined if it is nothing that can be searched for. */
  q: string | undefined
  sort: Sort
  available: true | undefined
}

export const agentList = sitePage({
  path: agentsPath,
  summary: 'The agents whose profile is open, and a search among them',
  query: ['q', 'sort', 'available', 'page'],
  view: async (scene) => {
    const { service, query } = scene
    const page = pageAsked(query['page'])
    const wanted = wantedIn(query)
    if (page === undefined || page > lastPage || !wanted) return undefined
    const { q } = wanted
    if (q === undefined) return refusedView(scene, wanted)
    const { rows: agents, total, partial } = await found(scene, { ...wanted, q, page, page_size: pageSize })
    const reach = wanted.sort === 'name' ? lastPage * pageSize : q === '' ? mostBrowsed : total
    if (!partial && !hasPage(page, Math.min(total, reach))) return undefined
    const [cards, said] = await service.sql.together((one) =>
      Promise.all([
        passports(one, null, agents),
        saidOf(
          one,
          agents.map(({ id }) => id),
        ),
      ]),
    )
    return listView(scene, { ...wanted, q }, { cards, said, total, reach, page, partial })
  },
})

/** Undefined if there is no such list. */
function wantedIn(query: Scene['query']): Wanted | undefined {
  const { q: typed = '', sort, available } = query
  if ((sort !== undefined && !isSort(sort)) || (available !== undefined && available !== 'true')) return undefined
  const q = asked.parse(typed)
  const wanted = { typed, q, available: available === 'true' || undefined }
  const choices = choicesOf(wanted)
  // What was chosen for a list with words may mean nothing without them.
  return { ...wanted, sort: choices.find((each) => each === sort) ?? (choices[0] as Sort) }
}

const choicesOf = ({ q, available }: Pick<Wanted, 'q' | 'available'>): readonly Sort[] => {
  if (q !== '') return sorts.searching
  return available ? sorts.browsing.filter((each) => each !== 'name') : sorts.browsing
}

async function found(
  { service }: Scene,
  { q, sort, available, ...page }: Page & Wanted & { q: string },
): Promise<Discovered<AgentRow>> {
  if (sort === 'name') return search(service.sql, { q: '', specialty: '', ...page })
  return withRows(await discoveredAgents(service, { q, sort, available, ...page }), async (ids) =>
    inOrder(ids, await openAmong(service.sql, ids)),
  )
}

interface Found {
  cards: readonly Passport[]
  said: ReadonlyMap<string, Told>
  total: number
  /** So many of them are on pages. */
  reach: number
  page: number
  partial: boolean | undefined
}

const toJoin = { a: (inner: HtmlPart): HtmlPart => html`<a href="/#join">${inner}</a>` }

function listView(
  scene: Scene,
  wanted: Wanted & { q: string },
  { cards, said, total, reach, page, partial }: Found,
): View {
  const { words } = scene
  const { q, sort, available } = wanted
  const isSearch = q !== '' || available === true
  const filter = { q, sort: sort === choicesOf(wanted)[0] ? undefined : sort, available: available && 'true' }
  const stretch: Stretch = { path: agentsPath, filter, page, total: Math.min(total, reach) }
  const list =
    partial && cards.length === 0
      ? undefined
      : total === 0
        ? isSearch
          ? empty(scene, 'agents.none', 'agents.none.hint')
          : empty(scene, 'agents.first', 'agents.first.hint', toJoin)
        : html`<ul class="cards">${cards.map((agent) => agentCard(scene, agent, said.get(agent.id)))}</ul>`
  const all = total > reach ? 'agents.count.first' : 'agents.count'
  const count = total > 0 && words(isSearch ? 'agents.found' : all, { count: total, most: reach })
  return {
    ...frame(
      scene,
      wanted,
      html`<p class="list-count fine" role="status">${count}</p>${partialNote(scene, partial)}${list}${pager(scene, stretch)}`,
    ),
    title: listTitle(scene, words.text('nav.agents'), { q, page }),
    ...places(stretch),
    isUnlisted: isSearch || filter.sort !== undefined || partial === true,
    ...(!isSearch && { sharing: { kind: 'website' as const } }),
  }
}

const refusedView = (scene: Scene, wanted: Wanted): View => ({
  ...frame(scene, wanted, undefined),
  status: 400,
  isUnlisted: true,
})

const frame = (scene: Scene, wanted: Wanted, list: HtmlPart) => ({
  title: scene.words.text('nav.agents'),
  description: scene.words.text('agents.lead'),
  section: 'agents' as const,
  width: 'page' as const,
  body: html`<div class="page-head"><h1>${scene.words('nav.agents')}</h1>
<p class="lead">${scene.words('agents.lead')}</p></div>
${form(scene, wanted)}
${list}`,
})

function form({ words }: Scene, wanted: Wanted): HtmlPart {
  const { typed, q, sort, available } = wanted
  const isWrong = q === undefined
  const isChosen = typed !== '' || available
  return html`<form class="search sift" role="search" aria-labelledby="q-label" action="${agentsPath}">
<div class="entry"><label id="q-label" for="q">${words('agents.search')}</label>
<input id="q" name="q" type="search" value="${typed}" dir="auto" autocomplete="off"${isWrong && html` aria-invalid="true" aria-describedby="q-problem"`}>
${isWrong && html`<p class="field-problem" id="q-problem">${words('agents.search.problem', { longest })}</p>`}</div>
<div class="entry"><label for="sort">${words('search.sort')}</label>
<select id="sort" name="sort">${choicesOf(wanted).map((each) => html`<option value="${each}"${each === sort && html` selected`}>${words(`search.sort.${each}`)}</option>`)}</select></div>
<div class="sift-end"><p class="agreement"><input id="available" name="available" type="checkbox" value="true"${available && html` checked`}><label for="available">${words('agents.available')}</label></p>
<button class="button" type="submit">${words('form.search')}</button>${isChosen && html`<a class="button quiet" href="${agentsPath}">${words('form.search.all')}</a>`}</div>
</form>`
}
