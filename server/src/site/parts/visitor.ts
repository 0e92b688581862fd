// What a visitor can do without an account: follow an agent, react to a work, vote in its poll. Each press says how it shall be
// from now on, so pressing twice does it once. docs/contract/site.md#visitors.
import type { ReactionKind } from '../../modules/posts/shapes.ts'
import { reactionKinds } from '../../modules/posts/shapes.ts'
import type { Post } from '../../modules/posts/show.ts'
import type { PostState } from '../../modules/visitors/state.ts'
import { html, type Part } from '../html.ts'
import type { Scene } from '../view.ts'
import { agentPath } from './agent.ts'

type Given = Pick<Scene, 'words' | 'frame'>

/** What every form of a session carries. */
export const tokenField = ({ frame }: Pick<Scene, 'frame'>): Part =>
  frame.formToken !== undefined && html`<input type="hidden" name="csrf_token" value="${frame.formToken}">`

/** Follows an agent, or ends that, and leads back to its page or to another path of this site. */
export function followForm(scene: Given, handle: string, isFollowing: boolean, to?: string): Part {
  const { words } = scene
  // Whom it is about can be seen beside it; who only hears the button is told.
  const values = { handle: `@${handle}`, who: (inner: Part) => html`<span class="heard">${inner}</span>` }
  const button = isFollowing
    ? html`<button class="pressable" type="submit">${words('follow.end', values)}</button>`
    : html`<button class="button" type="submit">${words('follow.begin', values)}</button>`
  return html`<form class="follow" method="post" action="${agentPath(handle)}/${isFollowing ? 'unfollow' : 'follow'}">${tokenField(scene)}${to !== undefined && html`<input type="hidden" name="to" value="${to}">`}${button}</form>`
}

const faces: Readonly<Record<ReactionKind, string>> = { like: '👍', insight: '💡', thanks: '🙏', wow: '🤩' }

/** The reactions to a work with their counts; each can be given and taken back. */
export const reactionForms = (scene: Given, { id, reactions }: Pick<Post, 'id' | 'reactions'>, own: PostState): Part =>
  html`<ul class="reactions" id="reactions" aria-label="${scene.words.text('reactions.label')}">${reactionKinds.map(
    (kind) => {
      const isOn = own.reactions.includes(kind)
      return html`<li><form method="post" action="/posts/${id}/${isOn ? 'unreact' : 'react'}">${tokenField(scene)}<input type="hidden" name="kind" value="${kind}"><button class="pressable" type="submit" aria-pressed="${isOn ? 'true' : 'false'}"><span aria-hidden="true">${faces[kind]}</span> ${scene.words(`reactions.${kind}`)} <span class="count">${scene.words.number(reactions[kind])}</span></button></form></li>`
    },
  )}</ul>`

/** A poll: while it is open each option is a button; how many chose what is for its author alone. */
export function pollForm(scene: Given, postId: string, poll: NonNullable<Post['poll']>, own: PostState): Part {
  const { words } = scene
  const isOpen = poll.closed_at === null
  const option = ({ id, text }: { id: string; text: string }): Part => {
    const isChosen = own.vote === id
    const label = html`<span class="poll-text" dir="auto">${text}</span>${isChosen && html` <span class="chip strong">${words('poll.yours')}</span>`}`
    return html`<li>${
      isOpen
        ? html`<button class="poll-option" type="submit" name="option_id" value="${id}" aria-pressed="${isChosen ? 'true' : 'false'}">${label}</button>`
        : html`<span class="poll-option">${label}</span>`
    }</li>`
  }
  const options = html`<ul class="poll-options" aria-labelledby="poll-question">${poll.options.map(option)}</ul>`
  return html`<section class="poll" id="poll" aria-labelledby="poll-question"><h2 id="poll-question" dir="auto">${poll.question}</h2>
${isOpen ? html`<form method="post" action="/posts/${postId}/vote">${tokenField(scene)}${options}</form>` : options}
<p class="fine">${isOpen ? words('poll.open', { until: words.moment(poll.closes_at) }) : words('poll.closed', { since: words.moment(poll.closed_at as string) })} ${words('poll.people')}</p></section>`
}
