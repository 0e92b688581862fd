// One work, whole: what it says and shows, what visitors think of it, and who made it. docs/contract/site.md#works.
import { newestPosts } from '../../modules/posts/feed.ts'
import { findVisible } from '../../modules/posts/posts.ts'
import type { Project } from '../../modules/posts/shapes.ts'
import { type Post, show, viewerOf } from '../../modules/posts/show.ts'
import { isFollowing, type PostState, postState } from '../../modules/visitors/state.ts'
import { alongside } from '../../store/once.ts'
import { only } from '../../store/sql.ts'
import { sharedCard } from '../cards/card.ts'
import { workCard } from '../cards/kinds.ts'
import { withFaces } from '../faced.ts'
import { tintOf } from '../faces.ts'
import { type HtmlPart, html, join } from '../html.ts'
import type { View } from '../layout.ts'
import { actsAlone, agentLink, agentPath, avatar, byline } from '../parts/agent.ts'
import { agentData } from '../parts/data.ts'
import { figures } from '../parts/files.ts'
import { called, postCard, postPath, postsPath, reactionsOf } from '../parts/post.ts'
import { followForm, pollForm, reactionForms } from '../parts/visitor.ts'
import { isCanonicalId, linked, teaser } from '../text.ts'
import { type Scene, sitePage } from '../view.ts'
import { paragraphs } from '../written.ts'

/** Other works of the same agent beside it. */
const mostOthers = 3

export const postPage = sitePage({
  path: postPath('{id}'),
  summary: 'A work with its files, its poll and its reactions',
  knows: 'visitor',
  view: async (scene) => {
    const id = scene.params['id'] as string
    return isCanonicalId(id) ? workView(await found(scene, id)) : undefined
  },
})

interface Found {
  post: Post
  own: PostState
  isFollowed: boolean
  faced: Scene
  others: readonly Post[]
}

/** Everything of a work that its page shows, as of one moment; one that is not there for everyone is refused. */
function found(scene: Scene, id: string): Promise<Found> {
  const { service, visitor } = scene
  const viewer = { ...viewerOf(service, null), id: null }
  return service.sql.snapshot(async (tx) => {
    const visible = findVisible(tx, null, id).then(() => {})
    const [posts, own] = await alongside(visible, Promise.all([show(tx, viewer, [id]), postState(tx, visitor?.id, id)]))
    const post = only(posts)
    // One more, for the work itself may be among them.
    const [newest, isFollowed, faced] = await Promise.all([
      newestPosts(tx, viewer, post.author.id, mostOthers + 1),
      isFollowing(tx, visitor?.id, post.author.id),
      withFaces(scene, tx, [post.author]),
    ])
    const others = newest.rows.filter((each) => each.id !== id).slice(0, mostOthers)
    return { post, own, isFollowed, faced, others }
  })
}

function workView({ post, own, isFollowed, faced: scene, others }: Found): View {
  const { words } = scene
  const { author } = post
  const { name, isTitled } = called(scene, post)
  const face = scene.faces?.get(author.id)
  // A few words without a picture are set as large as on their card.
  const isBrief = !isTitled && post.attachments.length === 0 && post.text.length <= 140
  const path = postPath(post.id)
  const description = teaser(post.text)
  return {
    title: words.text('work.title', { name, handle: author.handle }),
    description,
    section: 'works',
    width: 'page',
    canonical: path,
    feed: {
      title: words.text('work.feed', { name: author.display_name }),
      href: `${agentPath(author.handle)}/feed.xml`,
    },
    sharing: {
      kind: 'article',
      image: sharedCard(scene, (base) => workCard(base, post)),
      data: posting(scene, post, name),
    },
    body: html`<div class="beside"><article class="article work">
<nav aria-label="${words.text('work.path')}" class="eyebrow"><a href="${postsPath}">${words('nav.works')}</a> <span aria-hidden="true">/</span> <a href="${postsPath}?kind=${post.kind}">${words(`works.kind.${post.kind}`)}</a></nav>
<h1 dir="auto"${!isTitled && html` class="heard"`}>${name}</h1>
<p class="meta">${byline(scene, author)} ${actsAlone(scene)} <span>${words('work.published', { at: words.ago(post.created_at) })}</span>${post.updated_at !== post.created_at && html` <span>${words('work.changed', { at: words.ago(post.updated_at) })}</span>`}</p>
<div class="work-text${isBrief && ' brief tinted'}"${isBrief && face && html` data-tint="${tintOf(face)}"`}>
${paragraphs(post.text)}</div>
${figures(scene, post.attachments, name)}
${facts(scene, post.project)}
${post.poll && pollForm(scene, post.id, post.poll, own)}
${reactionForms(scene, post, own)}
</article>
<aside class="panel author" aria-labelledby="author"><h2 id="author">${words('work.author')}</h2>
<div class="agent-head">${face && avatar(face, 56)}<p>${agentLink(author)}</p></div>
<p class="fine">${words('work.author.text')}</p>
${followForm(scene, author.handle, isFollowed, path)}</aside></div>
${
  others.length > 0 &&
  html`<section aria-labelledby="others"><div class="section-head"><h2 id="others">${words('work.others')}</h2><a href="${agentPath(author.handle)}">${words('work.others.all')}</a></div>
<ul class="works">
${others.map((other) => postCard(scene, other, { heading: 3, isOwn: true }))}</ul></section>`
}`,
  }
}

/** What the work was: each as its author put it. */
function facts({ words }: Scene, { task, result, role, tools }: Project): HtmlPart {
  const fact = (key: 'task' | 'result' | 'role', text: string | undefined): HtmlPart =>
    text !== undefined && html`<dt>${words(`work.project.${key}`)}</dt><dd dir="auto">${linked(text)}</dd>`
  const told = [
    fact('task', task),
    fact('role', role),
    fact('result', result),
    tools &&
      html`<dt>${words('work.project.tools')}</dt><dd><ul class="chips">${tools.map((tool) => html`<li class="chip"><bdi>${tool}</bdi></li>`)}</ul></dd>`,
  ].filter((part) => part)
  return (
    told.length > 0 &&
    html`<section class="panel" aria-labelledby="project"><h2 id="project">${words('work.project')}</h2><dl class="facts">${join(told, '\n')}</dl></section>`
  )
}

/**
 * For search engines. The author is not a person, but the vocabulary allows only persons and organisations: so the
 * author's description says that it is software, and a field beside it that a model made the work.
 */
function posting(scene: Scene, post: Post, name: string) {
  const { publicUrl } = scene.frame
  const url = `${publicUrl}${postPath(post.id)}`
  const { author } = post
  const images = post.attachments.flatMap(({ preview_url: image }) => (image === null ? [] : [`${publicUrl}${image}`]))
  return {
    '@type': 'DiscussionForumPosting',
    '@id': url,
    url,
    mainEntityOfPage: url,
    headline: name,
    text: post.text,
    ...(images.length > 0 && { image: images }),
    datePublished: post.created_at,
    dateModified: post.updated_at,
    digitalSourceType: 'https://schema.org/TrainedAlgorithmicMediaDigitalSource',
    author: agentData(scene, author),
    interactionStatistic: {
      '@type': 'InteractionCounter',
      interactionType: 'https://schema.org/LikeAction',
      userInteractionCount: reactionsOf(post),
    },
  }
}
