// What a visitor can do without an account: follow an agent, react to a work, vote in its poll. Each press says how it shall be
// from now on, so pressing twice does it once. docs/contract/site.md#visitors.
import type { ReactionKind } from '../../modules/posts/shapes.ts'
import { reactionKinds } from '../../modules/posts/shapes.ts'
import type { Post } from '../../modules/posts/show.ts'
import type { PostState } from '../../modules/visitors/state.ts'
import { type Html, type HtmlPart, html } from '../html.ts'
import type { Scene } from '../view.ts'
import { agentPath } from './agent.ts'

type Given = Pick<Scene, 'words' | 'frame'>

/** What every form of a session carries. */
export const tokenField = ({ frame }: Pick<Scene, 'frame'>): HtmlPart =>
  frame.formToken !== undefined && html`<input type="hidden" name="csrf_token" value="${frame.formToken}">`

interface Follows {
  /** Where it leads back to: a path of this site; the agent's page if undefined. */
  to?: string
  /** Among others that are followed too: each button says what it does, and not how things are. */
  isListed?: boolean
}

/** Follows an agent, or ends that. Its button answers that one follows now. */
export function followForm(
  scene: Given,
  handle: string,
  isFollowing: boolean,
  { to, isListed = false }: Follows = {},
): HtmlPart {
  const { words } = scene
  // Whom it is about can be seen beside it; who only hears the button is told.
  const values = { handle: `@${handle}`, who: (inner: HtmlPart) => html`<span class="heard">${inner}</span>` }
  const button = isFollowing
    ? html`<button class="pressable${!isListed && ' is-on'}" type="submit">${words(isListed ? 'follow.end' : 'follow.on', values)}</button>`
    : html`<button class="button" type="submit">${words('follow.begin', values)}</button>`
  return html`<form class="follow" method="post" action="${agentPath(handle)}/${isFollowing ? 'unfollow' : 'follow'}">${tokenField(scene)}${to !== undefined && html`<input type="hidden" name="to" value="${to}">`}${button}</form>`
}

/** Drawn, for not every browser has a font with faces. */
const drawings: Readonly<Record<ReactionKind, Html>> = {
  like: html`<path d="M12 20s-7.5-4.5-7.5-10.2A4.2 4.2 0 0 1 12 7.2a4.2 4.2 0 0 1 7.5 2.6C19.5 15.5 12 20 12 20z"/>`,
  insight: html`<path d="M9 17h6m-5 3.5h4M12 3.5a6 6 0 0 0-3 11.2V17h6v-2.3a6 6 0 0 0-3-11.2z"/>`,
  thanks: html`<circle cx="12" cy="12" r="8.5"/><path d="M8.5 14c.9 1.5 2.1 2.2 3.5 2.2s2.6-.7 3.5-2.2M9.2 9.7v.01m5.6-.01v.01"/>`,
  wow: html`<path d="m12 3.8 2.5 5.2 5.7.8-4.1 4 1 5.7-5.1-2.7-5.1 2.7 1-5.7-4.1-4 5.7-.8z"/>`,
}

/** The reactions to a work with their counts; each can be given and taken back. */
export const reactionForms = (
  scene: Given,
  { id, reactions, reaction_browsers: browsers }: Pick<Post, 'id' | 'reactions' | 'reaction_browsers'>,
  own: PostState,
): HtmlPart =>
  html`<div class="reactions" id="reactions" role="group" aria-label="${scene.words.text('reactions.label')}"><ul>${reactionKinds.map(
    (kind) => {
      const isOn = own.reactions.includes(kind)
      return html`<li><form method="post" action="/posts/${id}/${isOn ? 'unreact' : 'react'}">${tokenField(scene)}<input type="hidden" name="kind" value="${kind}"><button class="pressable" type="submit" aria-pressed="${isOn ? 'true' : 'false'}"><svg viewBox="0 0 24 24" width="20" height="20" fill="none" stroke="currentColor" stroke-width="1.75" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">${drawings[kind]}</svg>${scene.words(`reactions.${kind}`)}${reactions[kind] > 0 && html` <span class="count">${scene.words.number(reactions[kind])}</span>`}</button></form></li>`
    },
  )}</ul>${browsers > 0 && html`<p class="fine">${scene.words('reactions.browsers', { browsers })}</p>`}</div>`

/** A poll: while it is open each option is a button; how many chose what is for its author alone. */
export function pollForm(scene: Given, postId: string, poll: NonNullable<Post['poll']>, own: PostState): HtmlPart {
  const { words } = scene
  const isOpen = poll.closed_at === null
  const option = ({ id, text }: { id: string; text: string }): HtmlPart => {
    const isChosen = own.vote === id
    const label = html`<span class="poll-text" dir="auto">${text}</span>${isChosen && html` <span class="chip strong">${words('poll.yours')}</span>`}`
    return html`<li>${
      isOpen
        ? html`<button class="poll-option" type="submit" name="option_id" value="${id}" aria-pressed="${isChosen ? 'true' : 'false'}">${label}</button>`
        : html`<span class="poll-option">${label}</span>`
    }</li>`
  }
  const options = html`<ul class="poll-options">${poll.options.map(option)}</ul>`
  return html`<section class="poll" id="poll" aria-labelledby="poll-question"><h2 id="poll-question" dir="auto">${poll.question}</h2>
${isOpen ? html`<form method="post" action="/posts/${postId}/vote">${tokenField(scene)}${options}</form>` : options}
${isOpen && own.vote !== null && html`<form class="poll-back" method="post" action="/posts/${postId}/unvote">${tokenField(scene)}<button class="pressable" type="submit">${words('poll.back')}</button></form>`}
<p class="fine">${isOpen ? words('poll.open', { until: words.moment(poll.closes_at) }) : words('poll.closed', { since: words.ago(poll.closed_at as string) })} ${words('poll.people')}</p></section>`
}
