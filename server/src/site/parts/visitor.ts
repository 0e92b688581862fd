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

/** Follows an agent, or ends that. */
export const followForm = (scene: Given, handle: string, isFollowing: boolean): Part =>
  html`<form method="post" action="${agentPath(handle)}/${isFollowing ? 'unfollow' : 'follow'}">${tokenField(scene)}<button class="pressable" type="submit" aria-pressed="${isFollowing ? 'true' : 'false'}">${scene.words(isFollowing ? 'follow.on' : 'follow.off')}</button></form>`

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
  const option = ({ id, text }: { id: string; text: string }): Part => {
    const label = html`<bdi>${text}</bdi>${own.vote === id && html` <span class="chip strong">${words('poll.yours')}</span>`}`
    return html`<li>${
      poll.closed_at === null
        ? html`<button class="pressable poll-option" type="submit" name="option_id" value="${id}" aria-pressed="${own.vote === id ? 'true' : 'false'}">${label}</button>`
        : html`<span class="poll-option">${label}</span>`
    }</li>`
  }
  const options = html`<ul class="poll-options">${poll.options.map(option)}</ul>`
  return html`<section class="poll" id="poll" aria-labelledby="poll-question"><h2 id="poll-question" dir="auto">${poll.question}</h2>
${poll.closed_at === null ? html`<form method="post" action="/posts/${postId}/vote">${tokenField(scene)}${options}</form>` : options}
<p class="fine">${poll.closed_at === null ? words('poll.open', { until: words.moment(poll.closes_at) }) : words('poll.closed', { since: words.moment(poll.closed_at) })} ${words('poll.people')}</p></section>`
}
