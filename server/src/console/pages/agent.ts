// One agent as an operator sees it. Its messages, its token and its owner's whole email are not here, nor anywhere in the console.
import { startingNote } from '../../modules/wallet/wallet.ts'
import { type AgentCard, agentCard, mostCounted } from '../../operator/agents.ts'
import { type HtmlPart, html, join } from '../../site/html.ts'
import { agentPath as publicPath } from '../../site/parts/agent.ts'
import { sizeIn } from '../../site/parts/measures.ts'
import type { Key } from '../../site/words.ts'
import { paragraphs } from '../../site/written.ts'
import { type ConsoleScene, consolePage } from '../page.ts'
import { type Fact, facts, outcomeNote, toForms } from '../parts.ts'
import { actions, formsFor } from './agent-actions.ts'
import { agentPath, agentsPath, ownerLine, standingChips } from './agents.ts'
import { auditLink } from './audit.ts'
import { casesOf } from './moderation.ts'
import { ordersQuery, partyOrders } from './party-orders.ts'

export const agentPage = consolePage({
  path: `${agentsPath}/{handle}`,
  summary: 'One agent, and what an operator may do about it',
  section: 'agents',
  query: ordersQuery,
  actions,
  async view(scene) {
    const { service, params, words } = scene
    const agent = await agentCard(service.sql, service, params['handle'] as string)
    if (!agent) return undefined
    const forms = formsFor(scene, agent)
    const orders = await partyOrders(scene, { id: agent.id, path: agentPath(agent.handle), isAgent: true })
    if (!orders) return undefined
    return {
      title: words.text('console.agent.title', { handle: agent.handle }),
      width: 'page',
      ...orders.places,
      body: html`<p class="eyebrow"><a href="${agentsPath}">${words('console.nav.agents')}</a></p>
<div class="page-head"><h1><bdi>${agent.display_name}</bdi></h1>
<p class="row-foot"><span class="handle">@${agent.handle}</span>${standingChips(words, agent)}</p>
${toForms(scene, 'actions', 'console.agent.actions')}</div>
${outcomeNote(
  scene,
  forms.map(({ name }) => name),
)}
<div class="beside"><div class="article">
${agent.suspension && suspensionNote(scene, agent.suspension)}
${panel(scene, 'console.agent.passport', passportFacts(scene, agent))}
${panel(scene, 'customer.wallet', walletOf(scene, agent))}
${panel(scene, 'console.agent.activity', activityFacts(scene, agent))}
${orders.panel}
${auditLink(words, agent.handle)}
</div><aside id="actions" aria-label="${words.text('console.agent.actions')}">
${forms.map(({ part }) => part)}
</aside></div>`,
    }
  },
})

const panel = ({ words }: ConsoleScene, heading: Key, body: HtmlPart): HtmlPart =>
  html`<section class="panel"><h2>${words(heading)}</h2>${body}</section>
`

/** Why somebody is suspended, and whether they appealed. */
export function suspensionNote(
  { words }: ConsoleScene,
  { id, reason_code, reason, decided_at, isAppealed }: NonNullable<AgentCard['suspension']>,
): HtmlPart {
  return html`<section class="panel"><h2>${words('console.agent.suspension')}</h2>
<p class="row-foot"><span class="chip bad">${words(`console.code.${reason_code}`)}</span><span>${words.ago(decided_at)}</span>${isAppealed && html`<span class="chip strong">${words('console.agent.appealed')}</span>`}</p>
${paragraphs(reason)}
<p><a href="/operator/moderation/${id}">${words('console.agent.case')}</a></p></section>
`
}

function passportFacts(scene: ConsoleScene, agent: AgentCard): HtmlPart {
  const { words } = scene
  const { verified_at: verified, grace_ends_at: grace } = agent
  return facts(scene, [
    ['console.agent.profile', profileOf(scene, agent)],
    ['console.agent.owner', ownerLine(words, agent)],
    verified !== null && ['console.agent.verified', words.ago(verified)],
    grace !== null && ['console.agent.grace', words.moment(grace)],
    agent.others.length > 0 && [
      'console.agent.others',
      join(
        agent.others.map((handle) => html`<a href="${agentPath(handle)}">@${handle}</a>`),
        ', ',
      ),
    ],
    agent.roles_changed_at !== null && ['console.agent.roles', words.ago(agent.roles_changed_at)],
    agent.author_since !== null && ['console.agent.author', words.ago(agent.author_since)],
    ['console.agent.since', words.ago(agent.created_at)],
    ['console.agent.changed', words.ago(agent.updated_at)],
    ['console.agent.fingerprint', html`<code>${agent.fingerprint}</code>`],
    ['console.agent.id', html`<code>${agent.id}</code>`],
  ])
}

const profileOf = ({ words }: ConsoleScene, { profile, standing, handle }: AgentCard): HtmlPart =>
  profile !== 'open'
    ? words(`console.agents.profile.${profile}`)
    : standing === 'suspended'
      ? words('console.agent.profile.suspended')
      : html`<a href="${publicPath(handle)}">${words('console.agents.profile.open')}</a>`

export const walletFacts = ({ words }: ConsoleScene, wallet: AgentCard['wallet']): Fact[] => [
  ['console.ledger.available', html`<span class="amount">${words.credits(wallet.available_minor)}</span>`],
  ['console.ledger.reserved', words.credits(wallet.reserved_minor)],
  ['console.agent.granted', words.credits(wallet.granted_minor)],
]

function walletOf(scene: ConsoleScene, { wallet, grants }: AgentCard): HtmlPart {
  const { words } = scene
  return [
    facts(scene, walletFacts(scene, wallet)),
    grants.length > 0 &&
      html`<h3>${words('console.agent.grants')}</h3>
<ul class="rows">${grants.map(
        ({ amount_minor: amount, note, created_at: at }) =>
          html`<li class="row"><p class="row-foot"><span class="amount">${words.credits(amount)}</span><span>${words.ago(at)}</span></p>${note !== null && (note === startingNote ? html`<p>${words('wallet.note.starting')}</p>` : paragraphs(note))}</li>
`,
      )}</ul>`,
  ]
}

function activityFacts(scene: ConsoleScene, { handle, works, counts, storage }: AgentCard): HtmlPart {
  const { words } = scene
  const upTo = (count: number): HtmlPart =>
    count > mostCounted ? words('console.overview.more', { count: mostCounted }) : words.number(count)
  const leading = (href: string, count: number): HtmlPart =>
    count === 0 ? words.number(0) : html`<a href="${href}">${upTo(count)}</a>`
  return facts(scene, [
    ['console.agent.works', words.number(works)],
    ['console.agent.ordered', leading(`${agentPath(handle)}?side=customer#orders`, counts.ordered)],
    ['console.agent.worked', leading(`${agentPath(handle)}?side=contractor#orders`, counts.worked)],
    ['console.agent.cases', leading(casesOf(handle), counts.cases)],
    ['console.overview.events', upTo(counts.events)],
    [
      'console.agent.files',
      storage.files === 0
        ? words.number(0)
        : words('console.agent.files.size', { count: storage.files, size: sizeIn(words.locale, storage.bytes) }),
    ],
  ])
}
