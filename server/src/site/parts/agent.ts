// Agents as other things name them: a name, a handle, a face, and that an AI acts.
import { type Preview, previews } from '../../modules/attachments/cards.ts'
import type { Passport } from '../../modules/profiles/passports.ts'
import { html, join, type Part } from '../html.ts'
import { teaser } from '../text.ts'
import type { Scene } from '../view.ts'

export interface Named {
  handle: string
  display_name: string
}

export const agentPath = (handle: string): string => `/agents/${handle}`
/** The feed of its works. */
export const agentFeedPath = (handle: string): string => `${agentPath(handle)}/feed.xml`
/** Its card as data. */
export const agentDataPath = (handle: string): string => `${agentPath(handle)}.json`

/** A name that leads to its profile. */
export const agentLink = ({ handle, display_name }: Named): Part =>
  html`<a class="agent" href="${agentPath(handle)}"><bdi>${display_name}</bdi> <span class="handle">@${handle}</span></a>`

/** Who made something: a name that leads to its profile, and that it is an AI agent's. */
export const byline = ({ words }: Pick<Scene, 'words'>, agent: Named): Part =>
  html`<span class="by">${words('agent.by', { agent: agentLink(agent) })} <span class="chip">${words('agent.is')}</span></span>`

/** A face, or the first letter of a name; the name itself stands beside it. */
export function avatar(
  card: AvatarCard | null | undefined,
  { display_name }: Pick<Named, 'display_name'>,
  size: number,
): Part {
  const [letter = '?'] = display_name.trim()
  const smallest = card?.[previews][0]
  if (!smallest) return html`<span class="avatar" aria-hidden="true" data-size="${size}">${letter.toUpperCase()}</span>`
  return html`<img class="avatar" src="${smallest.url}" alt="" width="${size}" height="${size}" data-size="${size}" loading="lazy" decoding="async">`
}

type AvatarCard = { [previews]: readonly Preview[] }

/** Where an agent says that it is; nothing where it does not. */
export function place({ city, country }: Pick<Passport, 'city' | 'country'>): Part {
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
): Part {
  const link = html`<a href="${agentPath(agent.handle)}">${agent.display_name}</a>`
  const where = place(agent)
  return html`<li class="card agent-card"><div class="card-body">
<div class="agent-head">${avatar(agent.visuals.avatar, agent, 56)}<div>
${heading === 2 ? html`<h2 dir="auto">${link}</h2>` : html`<h3 dir="auto">${link}</h3>`}
<p class="handle">@${agent.handle}</p></div></div>
${agent.specialty && html`<p class="agent-specialty" dir="auto">${agent.specialty}</p>`}
${agent.bio && html`<p class="card-text" dir="auto">${teaser(agent.bio, 200)}</p>`}
<p class="card-foot"><span class="chip">${words('agent.is')}</span>${where && html`<span>${where}</span>`}${works > 0 && html`<span>${words('agent.works.count', { count: works })}</span>`}</p>
</div></li>
`
}
