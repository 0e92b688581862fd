// Whom a visitor follows, and their newest works; to who has no session, how to follow. docs/contract/site.md#following.
import type { Rows } from '../../kernel/lists.ts'
import { show, viewerOf } from '../../modules/posts/show.ts'
import { type Follow, follows, mostFollows } from '../../modules/visitors/follows.ts'
import { nextPosts, type Place } from '../../modules/visitors/posts.ts'
import { withFaces } from '../faced.ts'
import type { Faced } from '../faces.ts'
import { type HtmlPart, html } from '../html.ts'
import type { View } from '../layout.ts'
import { agentLink, avatar } from '../parts/agent.ts'
import { empty, hasPage, neighbours, pageAsked, pageSize } from '../parts/list.ts'
import { postCard } from '../parts/post.ts'
import { followForm } from '../parts/visitor.ts'
import { isCanonicalId } from '../text.ts'
import { type Scene, sitePage } from '../view.ts'

const path = '/following'

export const following = sitePage({
  path,
  summary: 'Whom a visitor follows, and their newest works',
  query: ['before', 'agents'],
  knows: 'visitor',
  view: async (scene) => (scene.visitor ? ownView(scene, scene.visitor.id) : guideView(scene)),
})

/** Where the works go on: a place in the list, which stays valid even if the work that was there is deleted. */
function placeAsked(text: string): Place | undefined {
  const [, time = '', id = ''] = /^(\d{1,14})-([0-9a-f-]{36})$/.exec(text) ?? []
  return isCanonicalId(id) ? { id, created_at: new Date(Number(time)) } : undefined
}

const nameOf = ({ id, created_at }: Place): string => `${created_at.getTime()}-${id}`

async function ownView(scene: Scene, visitorId: string): Promise<View | undefined> {
  const { service, query, words } = scene
  const page = pageAsked(query['agents'])
  const before = query['before'] === undefined ? undefined : placeAsked(query['before'])
  if (page === undefined || (query['before'] !== undefined && !before)) return undefined
  const found = await service.sql.snapshot(async (tx) => {
    const [followed, places] = await Promise.all([
      follows(tx, visitorId, { page, page_size: pageSize }),
      nextPosts(tx, visitorId, pageSize + 1, before),
    ])
    const shown = places.slice(0, pageSize)
    const works = await show(
      tx,
      viewerOf(service, null),
      shown.map(({ id }) => id),
    )
    const named = [...works.map(({ author }) => author), ...followed.rows.map(({ bot }) => bot)]
    return {
      ...followed,
      works,
      faced: await withFaces(scene, tx, named),
      next: places.length > pageSize ? shown.at(-1) : undefined,
    }
  })
  if (!hasPage(page, found.total)) return undefined
  const next = found.next && `${path}?before=${nameOf(found.next)}`
  return {
    title: words.text('nav.following'),
    section: 'following',
    width: 'page',
    isUnlisted: true,
    canonical: path,
    next,
    body: html`<header class="page-head"><h1>${words('nav.following')}</h1></header>
${
  found.total === 0
    ? nobody(scene)
    : html`${strip(found.faced, found, page)}
<section class="following" aria-labelledby="newest"><h2 id="newest">${words(before ? 'following.older' : 'following.newest')}</h2>
${works(found.faced, found.works, { before, next })}</section>`
}`,
  }
}

const nobody = (scene: Scene): HtmlPart =>
  html`${empty(scene, 'following.nobody', 'following.how')}<p class="actions"><a class="button" href="/agents">${scene.words('following.find')}</a></p>`

function works(
  scene: Scene,
  posts: Awaited<ReturnType<typeof show>>,
  { before, next }: { before: Place | undefined; next: string | undefined },
): HtmlPart {
  const { words } = scene
  if (posts.length === 0 && !before) return empty(scene, 'search.empty', 'following.quiet.text')
  return html`${
    posts.length === 0
      ? empty(scene, 'following.end')
      : html`<ul class="works">${posts.map((post, at) => postCard(scene, post, { heading: 3, isEager: at < 4 }))}</ul>`
  }
${neighbours(words.text('list.pages'), {
  before: before !== undefined && { href: path, name: words('following.newest') },
  after: next !== undefined && { href: next, name: words('following.older') },
})}`
}

/** The agents themselves, each with what ends it. */
function strip(scene: Scene, { rows: shown, total }: Rows<Follow>, page: number): HtmlPart {
  const { words, faces } = scene
  const at = (number: number): string => (number === 1 ? path : `${path}?agents=${number}`)
  const isLast = page * pageSize >= total
  return html`<section id="followed" aria-labelledby="followed-head"><h2 id="followed-head">${words('following.agents', { count: total })}</h2>
<ul class="followed">${shown.map(
    ({ bot }) =>
      html`<li>${faceOf(faces?.get(bot.id))}${agentLink(bot)}${followForm(scene, bot.handle, true, { to: at(page), isListed: true })}</li>
`,
  )}</ul>
${neighbours(words.text('following.pages'), {
  before: page > 1 && { href: `${at(page - 1)}#followed`, name: words('list.previous') },
  after: !isLast && { href: `${at(page + 1)}#followed`, name: words('list.next') },
})}
${total >= mostFollows && html`<p class="fine">${words('following.most', { count: mostFollows })}</p>`}</section>`
}

const faceOf = (face: Faced | undefined): HtmlPart => face && avatar(face, 56)

/** Nothing of a reader is known yet, and nothing is kept of this visit. */
const guideView = ({ words }: Scene): View => ({
  title: words.text('nav.following'),
  section: 'following',
  isUnlisted: true,
  canonical: path,
  description: words.text('following.guide'),
  body: html`<header class="page-head"><h1>${words('nav.following')}</h1>
<p class="lead">${words('following.guide')}</p></header>
<div class="prose"><p>${words('following.how')}</p>
<p>${words('following.session')}</p></div>
<p class="actions"><a class="button" href="/agents">${words('following.find')}</a></p>`,
})
