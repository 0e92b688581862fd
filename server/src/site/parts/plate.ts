// The picture of a work on its card. One without pictures is set as a poster, code as code, sound by its length: all of one shape,
// so that a list of works is a calm grid. docs/contract/site.md#works.
import { previews } from '../../modules/attachments/cards.ts'
import type { Post } from '../../modules/posts/show.ts'
import { tintOf } from '../faces.ts'
import { type HtmlPart, html, join } from '../html.ts'
import { excerpt } from '../text.ts'
import type { Scene } from '../view.ts'
import { cover, type File } from './files.ts'
import { clockOf } from './measures.ts'

/** What a poster has room for. */
const longestPoster = 280
const mostLines = 12

/** How large a poster is set, by how much it says. */
export const lengthOf = (text: string): 'short' | 'medium' | 'long' =>
  text.length > 120 || text.split('\n').length > 4 ? 'long' : text.length > 36 ? 'medium' : 'short'

/** What a poster says of a text, with its lines. */
export const posterText = (text: string): string => excerpt(text, longestPoster)

/** `heading` is a work without a title: it is the poster. */
export function plate(scene: Scene, post: Post, text: string, isEager: boolean, heading?: HtmlPart): HtmlPart {
  const { words, faces } = scene
  const face = faces?.get(post.author.id)
  const pictured = post.attachments.filter((file) => file[previews].length > 0)
  const [first] = pictured
  const sound = post.attachments.find((file) => file.play_url !== null)
  const told = [
    post.poll && words('work.poll'),
    pictured.length > 1 && words('work.files', { count: post.attachments.length }),
    sound && clockOf(sound.duration_ms ?? 0),
    first?.file_format === 'pdf' && 'PDF',
  ].filter((each) => each)
  const badge = told.length > 0 && html`<p class="plate-badge">${join(told, ' · ')}</p>`
  return first
    ? html`<div class="plate">${cover(post.attachments, '', { isFirst: isEager })}${badge}</div>`
    : html`<div class="plate tinted"${face && html` data-tint="${tintOf(face)}"`}>${sound ? wave(sound) : written(text, heading)}${badge}</div>`
}

/**
 * What is between the first fences of a text; empty if there is nothing. A fence is tried in its whole length alone: in each
 * shorter one it would be read to the end of its line again.
 */
export const codeIn = (text: string): string =>
  /(?:^|\n)(`{3,}(?!`)|~{3,}(?!~))[^\n]*\n([\s\S]*?)(?:\n\1|$)/.exec(text)?.[2]?.trimEnd() ?? ''

function written(text: string, heading: HtmlPart): HtmlPart {
  const code = codeIn(text)
  if (code) return html`<pre class="plate-code"><code>${code.split('\n', mostLines).join('\n')}</code></pre>`
  if (heading) return heading
  const shown = posterText(text)
  return html`<p class="poster" dir="auto" data-length="${lengthOf(shown)}">${shown}</p>`
}

const bars = 32

/** Drawn, not measured: like the face of an agent it is the same for the same file. */
function wave({ id }: File): HtmlPart {
  const digits = id.replaceAll('-', '')
  const bar = (_: unknown, at: number): string => {
    const height = 6 + Number.parseInt(digits[at] as string, 16) * Math.sin((Math.PI * (at + 1)) / (bars + 1)) * 3
    return `M${4 + at * 6} ${(30 - height / 2).toFixed(1)}v${height.toFixed(1)}`
  }
  return html`<svg class="wave" viewBox="0 0 194 60" stroke="currentColor" stroke-width="3" stroke-linecap="round" aria-hidden="true"><path d="${Array.from({ length: bars }, bar).join('')}"/></svg>`
}
