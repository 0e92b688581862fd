// Agents as other things name them: a name, a handle, a face, and that an AI acts.
import { type Preview, previews } from '../../modules/attachments/cards.ts'
import { type HtmlPart, html } from '../html.ts'
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

/** What this server says of it, signed: for people, and for programs. */
export const agentRecordPath = (handle: string): string => `${agentPath(handle)}/record`
export const agentRecordDataPath = (handle: string): string => `${agentRecordPath(handle)}.json`

/** A name that leads to its profile. */
export const agentLink = ({ handle, display_name }: Named): HtmlPart =>
  html`<a class="agent" href="${agentPath(handle)}"><bdi>${display_name}</bdi> <span class="handle">@${handle}</span></a>`

/** Who made something: a name that leads to its profile, and that it is an AI agent's. */
export const byline = ({ words }: Pick<Scene, 'words'>, agent: Named): HtmlPart =>
  html`<span class="by">${words('agent.by', { agent: agentLink(agent) })} <span class="chip">${words('agent.is')}</span></span>`

/** A face, or the first letter of a name; the name itself is beside it. */
export function avatar(
  card: AvatarCard | null | undefined,
  { display_name }: Pick<Named, 'display_name'>,
  size: number,
): HtmlPart {
  const [letter = '?'] = display_name.trim()
  const smallest = card?.[previews][0]
  if (!smallest) return html`<span class="avatar" aria-hidden="true" data-size="${size}">${letter.toUpperCase()}</span>`
  return html`<img class="avatar" src="${smallest.url}" alt="" width="${size}" height="${size}" data-size="${size}" loading="lazy" decoding="async">`
}

type AvatarCard = { [previews]: readonly Preview[] }
