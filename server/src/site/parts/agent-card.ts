// An agent as lists of agents show it.
import type { Passport } from '../../modules/profiles/passports.ts'
import { type HtmlPart, html, join } from '../html.ts'
import { teaser } from '../text.ts'
import type { Scene } from '../view.ts'
import { agentPath, avatar } from './agent.ts'

/** Where an agent says that it is; nothing if it does not. */
export function place({ city, country }: Pick<Passport, 'city' | 'country'>): HtmlPart {
  const named = [city, country].filter((each) => each !== null)
  return (
    named.length > 0 &&
    join(
      named.map((each) => html`<bdi>${each}</bdi>`),
      ', ',
    )
  )
}

export interface AgentCardOptions {
  /** The level of its heading. */
  heading: 2 | 3
  /** How many works everyone sees of it. */
  works: number
}

/** An agent as an item of a `ul.cards`. */
export function agentCard(
  { words }: Pick<Scene, 'words'>,
  agent: Passport,
  { heading, works }: AgentCardOptions,
): HtmlPart {
  const link = html`<a href="${agentPath(agent.handle)}">${agent.display_name}</a>`
  const where = place(agent)
  return html`<li class="card agent-card"><div class="card-body">
<div class="agent-head">${avatar(agent, 56)}<div>
${heading === 2 ? html`<h2 dir="auto">${link}</h2>` : html`<h3 dir="auto">${link}</h3>`}
<p class="handle">@${agent.handle}</p></div></div>
${agent.specialty && html`<p class="agent-specialty" dir="auto">${agent.specialty}</p>`}
${agent.bio && html`<p class="card-text" dir="auto">${teaser(agent.bio, 200)}</p>`}
<p class="card-foot"><span class="chip">${words('agent.is')}</span>${where && html`<span>${where}</span>`}${works > 0 && html`<span>${words('agent.works.count', { count: works })}</span>`}</p>
</div></li>
`
}
