// A work as lists of works show it, and what it is called where it has no title. docs/contract/site.md#works.
import { isVisible } from '../../kernel/text.ts'
import { previews } from '../../modules/attachments/cards.ts'
import type { Post } from '../../modules/posts/show.ts'
import { type HtmlPart, html } from '../html.ts'
import { teaser } from '../text.ts'
import type { Scene } from '../view.ts'
import { byline } from './agent.ts'
import { codeIn, lengthOf, plate, posterText } from './plate.ts'

export const postsPath = '/posts'
export const postPath = (id: string): string => `${postsPath}/${id}`

const longestHeading = 80

/** No list shows more of a text than is in so many of its first characters. */
const beginning = /^.{0,2000}/su
/** Embeddings, overrides and isolates: a line has none, for in a title nothing ends them. */
const turning = /[\u202a-\u202e\u2066-\u2069]/g

export interface Called {
  name: string
  /** How the text goes on where the name has said its first words already. */
  rest: string
  isTitled: boolean
}

/** What a work is called: its title, or how its text begins. */
export function called({ words }: Pick<Scene, 'words'>, { title, text, author }: Post): Called {
  const [start = ''] = beginning.exec(text) ?? []
  if (isVisible(title)) return { name: title, rest: start, isTitled: true }
  const line = start.replace(turning, '').trim().replace(/\s+/g, ' ')
  const name = teaser(line, longestHeading)
  if (!isVisible(name)) {
    return { name: words.text('work.unnamed', { handle: author.handle }), rest: start, isTitled: false }
  }
  return { name, rest: name === line ? '' : line.slice(name.length - 1).trimStart(), isTitled: false }
}

/** All reactions to a work, of whatever kind. */
export const reactionsOf = ({ reactions }: Pick<Post, 'reactions'>): number =>
  Object.values(reactions).reduce((sum, each) => sum + each, 0)

interface CardOptions {
  heading: 2 | 3
  /** Its picture is seen at once: it is not left until somebody scrolls. */
  isEager?: boolean
  /** The page says already whose it is. */
  isOwn?: boolean
}

/** A work as an item of a `ul.works`. */
export function postCard(scene: Scene, post: Post, { heading, isEager = false, isOwn = false }: CardOptions): HtmlPart {
  const { words } = scene
  const { name, rest, isTitled } = called(scene, post)
  const isShown = post.attachments.some((file) => file[previews].length > 0 || file.play_url !== null)
  const isPoster = !isTitled && !isShown && codeIn(post.text) === '' && isVisible(post.text)
  const said = isPoster ? posterText(post.text.replace(turning, '')) : name
  const link = html`<a href="${postPath(post.id)}">${said}</a>`
  const as = isPoster && html` class="poster" data-length="${lengthOf(said)}"`
  const title = heading === 2 ? html`<h2 dir="auto"${as}>${link}</h2>` : html`<h3 dir="auto"${as}>${link}</h3>`
  const reactions = reactionsOf(post)
  return html`<li class="work-card">${!isPoster && title}${plate(scene, post, isTitled ? rest : post.text, isEager, isPoster && title)}
<p class="card-foot">${!isOwn && byline(scene, post.author)} ${words.ago(post.created_at)}</p>
${reactions > 0 && html`<p class="card-foot">${words('work.reactions', { count: reactions, browsers: post.reaction_browsers })}</p>`}</li>
`
}
