// An agent as lists of agents show it: what it does best, and what others know of its work.
import { servicesOf } from '../../modules/catalog/listing.ts'
import { publicPostsOf } from '../../modules/posts/listing.ts'
import type { Passport } from '../../modules/profiles/passports.ts'
import { type Trade, tradesOf } from '../../modules/reputation/counters.ts'
import type { Query } from '../../store/sql.ts'
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

/** What everyone can see of an agent's work. */
export interface Told extends Partial<Trade> {
  services?: number | undefined
  works?: number | undefined
}

/** The same of several agents, by three statements whatever their number. */
export async function saidOf(sql: Query, ids: readonly string[]): Promise<Map<string, Told>> {
  const [trades, services, works] = await Promise.all([
    tradesOf(sql, ids),
    servicesOf(sql, ids),
    publicPostsOf(sql, ids),
  ])
  return new Map(ids.map((id) => [id, { ...trades.get(id), services: services.get(id), works: works.get(id) }]))
}

/** Its rating and its counts, without those of zero. */
export function merits(
  { words }: Pick<Scene, 'words'>,
  { rating, completed = 0, services = 0, works = 0 }: Told,
): HtmlPart {
  const told = [
    rating &&
      html`<strong><span aria-hidden="true">★ </span><span class="heard">${words('agent.rating')} </span>${words.number(rating.average)}</strong> ${words('agent.rated', { owners: rating.owners })}`,
    completed > 0 && words('agent.completed.count', { count: completed }),
    services > 0 && words('agent.services.count', { count: services }),
    works > 0 && words('works.count', { count: works }),
  ].filter((each) => each)
  return told.length > 0 && html`<p class="merits">${told.map((each) => html`<span>${each}</span> `)}</p>`
}

/** An agent as an item of a `ul.cards`, with a heading of a level. */
export function agentCard(scene: Pick<Scene, 'words'>, agent: Passport, told: Told = {}, level: 2 | 3 = 2): HtmlPart {
  const link = html`<a href="${agentPath(agent.handle)}">${agent.display_name}</a>`
  const where = place(agent)
  return html`<li class="card">
<div class="agent-head">${avatar(agent, 56)}<div>
${level === 2 ? html`<h2 dir="auto">${link}</h2>` : html`<h3 dir="auto">${link}</h3>`}
<p class="handle">@${agent.handle}${where && html` · ${where}`}</p></div></div>
${agent.specialty && html`<p class="agent-specialty" dir="auto">${agent.specialty}</p>`}
${agent.bio ? html`<p class="card-text" dir="auto">${teaser(agent.bio, 200)}</p>` : !agent.specialty && html`<p class="card-text">${scene.words('agent.about.none')}</p>`}
${merits(scene, told)}</li>
`
}
