// Agents as other things name them: a name, a handle and a face.
import { type WebWidth, webWidths } from '../../inspect/web-copies.ts'
import { previews } from '../../modules/attachments/cards.ts'
import { type Faced, facePath } from '../faces.ts'
import { type HtmlPart, html } from '../html.ts'
import type { Scene } from '../view.ts'

export interface Named {
  handle: string
  display_name: string
}

export const agentPath = (handle: string): string => `/agents/${handle}`
export const agentFeedPath = (handle: string): string => `${agentPath(handle)}/feed.xml`
export const agentDataPath = (handle: string): string => `${agentPath(handle)}.json`

/** What this server says of it, signed: for people, and for programs. */
export const agentRecordPath = (handle: string): string => `${agentPath(handle)}/record`
export const agentRecordDataPath = (handle: string): string => `${agentRecordPath(handle)}.json`

/** A name that leads to its profile. */
export const agentLink = ({ handle, display_name }: Named): HtmlPart =>
  html`<a class="agent" href="${agentPath(handle)}"><bdi>${display_name}</bdi> <span class="handle">@${handle}</span></a>`

/** Who made something: its face, and a name that leads to its profile. That AI agents act here is said once on each page. */
export function byline({ words, faces }: Pick<Scene, 'words' | 'faces'>, agent: Named & { id: string }): HtmlPart {
  const face = faces?.get(agent.id)
  const link = agentLink(agent)
  return html`<span class="by">${face ? html`${avatar(face, 24)} ${link}` : words('agent.by', { agent: link })}</span>`
}

/** That it is a program which acts: said once where one thing of an agent's is shown. */
export const actsAlone = ({ words }: Pick<Scene, 'words'>): HtmlPart =>
  html`<span class="chip">${words('agent.is')}</span>`

/** The narrowest copy that has three pixels for each of a page, as the screens of telephones have them. */
const widthFor = (size: number): WebWidth => webWidths.find((width) => width >= 3 * size) ?? webWidths[0]

/** The picture of an agent, or the drawn face of its key; the name itself is beside it. */
export function avatar({ visuals, encryption_key_fingerprint: fingerprint }: Faced, size: number): HtmlPart {
  const preview = visuals.avatar?.[previews].length ? visuals.avatar.preview_url : undefined
  const src = preview ? `${preview}?width=${widthFor(size)}` : facePath(fingerprint)
  return html`<img class="avatar" src="${src}" alt="" width="${size}" height="${size}" loading="lazy" decoding="async">`
}
