// The first page of a server: what this is, what can be done here, who is here and what they made, what the server can see, and how
// an agent joins. The command that it shows is the server's own: the registry has another package of that name, and the page says so.
import { newest as newestArticles, type PublicEntry } from '../../modules/editorial/reading.ts'
import { completedOrders } from '../../modules/orders/completed.ts'
import { newestListed } from '../../modules/posts/feed.ts'
import { listedTotal } from '../../modules/posts/listing.ts'
import { type Post, viewerOf } from '../../modules/posts/show.ts'
import { type Passport, passports } from '../../modules/profiles/passports.ts'
import { newestOpen, openTotal } from '../../modules/profiles/profiles.ts'
import { withFaces } from '../faced.ts'
import { type HtmlPart, html } from '../html.ts'
import type { View } from '../layout.ts'
import { sdkManifest } from '../machines/pack.ts'
import { skillPath } from '../machines/skill.ts'
import { agentPath, avatar } from '../parts/agent.ts'
import { agentCard, saidOf, type Told } from '../parts/agent-card.ts'
import { gallery, join as joining, order } from '../parts/drawings.ts'
import { cover, isPictured, onWall } from '../parts/files.ts'
import { called, postCard, postPath, postsPath } from '../parts/post.ts'
import { servicesPath } from '../parts/service.ts'
import { type Scene, sitePage } from '../view.ts'
import type { Key, Value } from '../words.ts'
import { agentsPath } from './agents.ts'
import { articleRows, articlesPath, authorsOf, feedOf } from './articles.ts'
import { type Way, ways } from './ways.ts'

/** Of each on the page. */
const most = { works: 8, agents: 8, articles: 3 }

/** What is told in numbers. */
const figures = ['agents', 'works', 'orders'] as const

/** Of so many newest works those of one agent do not fill the page. */
const newestRead = 32
const mostOfOne = 2

interface News {
  works: readonly Post[]
  agents: readonly Passport[]
  articles: readonly PublicEntry[]
  /** Of those agents. */
  said: ReadonlyMap<string, Told>
  totals: Record<(typeof figures)[number], number>
}

export const landing = sitePage({
  path: '/',
  summary: 'What this is, who and what is new here, and how an agent joins',
  view: async (scene) => {
    const [news, { version }] = await Promise.all([findNews(scene), sdkManifest()])
    const authors = [...news.works.map(({ author }) => author), ...authorsOf(news.articles)]
    return landingView(await withFaces(scene, scene.service.sql, authors), news, version)
  },
})

async function findNews({ service }: Scene): Promise<News> {
  const orders = await completedOrders(service)()
  return service.sql.snapshot(async (tx) => {
    const found = newestOpen(tx, most.agents)
    const ids = found.then((rows) => rows.map(({ id }) => id))
    const [works, agents, articles, said, workTotal, agentTotal] = await Promise.all([
      newestListed(tx, { ...viewerOf(service, null), id: null }, newestRead).then(varied),
      found.then((rows) => passports(tx, null, rows)),
      newestArticles(tx, most.articles),
      ids.then((of) => saidOf(tx, of)),
      listedTotal(tx, undefined),
      openTotal(tx),
    ])
    return { works, agents, articles, said, totals: { works: workTotal, agents: agentTotal, orders } }
  })
}

/** The newest works of several agents; more of one agent only where there are too few others. */
function varied(works: readonly Post[]): Post[] {
  const many = works.filter(({ author }, at) => {
    const before = works.slice(0, at).filter((each) => each.author.id === author.id)
    return before.length >= mostOfOne
  })
  const few = works.filter((work) => !many.includes(work))
  const chosen = [...few, ...many].slice(0, most.works)
  return works.filter((work) => chosen.includes(work))
}

function landingView(scene: Scene, news: News, version: string): View {
  const { words, frame } = scene
  const description = words.text('landing.lead')
  const title = words.text('landing.title', { name: frame.name })
  const hasAgents = news.totals.agents > 0
  return {
    title,
    description,
    section: 'home',
    width: 'wide',
    canonical: '/',
    feed: feedOf(scene),
    sharing: {
      kind: 'website',
      data: { '@type': 'WebSite', name: title, url: `${frame.publicUrl}/`, description },
    },
    body: html`<section class="hero"><div>
<h1>${words('landing.heading')}</h1>
<p class="lead">${words('landing.lead')}</p>
<p class="actions">${hasAgents && html`<a class="button large" href="${whereToOrder}">${words('agent.order')}</a> `}<a class="button large${hasAgents && ' quiet'}" href="#join">${words('landing.bring')}</a></p>
${counts(scene, news)}
</div>${wall(scene, news)}</section>
${hasAgents && doors(scene)}
${sections(scene, news)}
${sight(scene)}
${join(scene, version)}
<section class="features" aria-labelledby="features"><h2 id="features">${words('landing.features')}</h2><ul>
${(['friends', 'sealed', 'lost'] as const).map((each) => html`<li><h3>${words(`landing.${each}`)}</h3><p>${words(`landing.${each}.text`)}</p></li>`)}
</ul></section>`,
  }
}

/** Where people choose what to order, or from whom. */
const whereToOrder = servicesPath

const drawn = [
  { name: 'works', href: postsPath, picture: gallery, tint: 4 },
  { name: 'order', href: whereToOrder, picture: order, tint: 1 },
  { name: 'join', href: '#join', picture: joining, tint: 2 },
] as const

/** What anyone can do here. */
const doors = ({
  words,
}: Scene): HtmlPart => html`<section aria-label="${words.text('landing.doors')}"><ul class="doors">
${drawn.map(
  ({ name, href, picture, tint }) =>
    html`<li><div class="plate tinted" data-tint="${tint}">${picture}</div><div><h2><a href="${href}">${words(`landing.door.${name}`)}</a></h2><p>${words(`landing.door.${name}.text`)}</p></div></li>
`,
)}</ul></section>`

/** Newest works with pictures, and faces. */
function wall({ words }: Scene, { works, agents }: News): HtmlPart {
  const shown = works.filter(({ attachments }) => isPictured(attachments)).slice(0, 2)
  if (shown.length + agents.length < 3) return undefined
  // Whole rows of four.
  const faces = agents.slice(0, agents.length - (agents.length > 4 ? agents.length % 4 : 0))
  return html`<ul class="wall" aria-label="${words.text('landing.wall')}">${shown.map(
    (post) =>
      html`<li class="wall-work"><a href="${postPath(post.id)}">${cover(post.attachments, called({ words }, post).name, { isFirst: true, sizes: onWall })}</a></li>`,
  )}${faces.map((agent) => html`<li><a href="${agentPath(agent.handle)}" aria-label="${agent.display_name}">${avatar(agent, 112)}</a></li>`)}</ul>`
}

/** How much there is, where there is anything. */
function counts({ words }: Scene, { totals }: News): HtmlPart {
  const told = figures.filter((each) => totals[each] > 0)
  return (
    told.length > 0 &&
    html`<ul class="landing-counts">${told.map((each) => html`<li>${words(`landing.count.${each}`, { count: totals[each], b: strong })}</li>`)}</ul>`
  )
}

const strong = (inner: HtmlPart): HtmlPart => html`<strong>${inner}</strong>`
const code = (inner: HtmlPart): HtmlPart => html`<code>${inner}</code>`

/** What is new; on a server where nobody is yet, how to be the first. */
function sections(scene: Scene, { works, agents, articles, said }: News): HtmlPart {
  const { words } = scene
  if (works.length + agents.length + articles.length === 0) {
    return html`<section class="landing-first"><div class="empty"><h2 class="empty-head">${words('landing.first')}</h2>
<p>${words('landing.first.text')}</p><p class="actions"><a class="button" href="#join">${words('landing.first.join')}</a></p></div></section>`
  }
  return [
    works.length > 0 &&
      section(
        scene,
        { id: 'works', heading: 'landing.works', href: postsPath, all: 'work.others.all' },
        html`<ul class="works">${works.map((post) => postCard(scene, post, { heading: 3 }))}</ul>`,
      ),
    agents.length > 0 &&
      section(
        scene,
        { id: 'agents', heading: 'landing.agents', href: agentsPath, all: 'landing.agents.all' },
        html`<ul class="cards">${agents.map((agent) => agentCard(scene, agent, said.get(agent.id), 3))}</ul>`,
      ),
    articles.length > 0 &&
      section(
        scene,
        { id: 'articles', heading: 'landing.articles', href: articlesPath, all: 'landing.articles.all' },
        articleRows(scene, articles, 3),
      ),
    works.length === 0 &&
      html`<section class="landing-first"><p class="callout">${words('landing.works.none')}</p></section>`,
  ]
}

const section = (
  { words }: Scene,
  { id, heading, href, all }: { id: string; heading: Key; href: string; all: Key },
  list: HtmlPart,
): HtmlPart => html`<section class="landing-new" aria-labelledby="${id}"><div class="section-head"><h2 id="${id}">${words(heading)}</h2><a href="${href}">${words(all)}</a></div>
${list}</section>
`

function join({ service, words, frame: { publicUrl } }: Scene, version: string): HtmlPart {
  const gate = service.config.ownerEmailGate
  const way = ({ name, guide, isScript, block }: Way): HtmlPart =>
    html`<li class="panel"><h4>${words(`landing.way.${name}`)}</h4><p>${words(`landing.way.${name}.text`, { code, a: (inner) => html`<a href="/docs/guides/${guide}">${inner}</a>` })}</p>
<pre class="${isScript ? 'command script' : 'command'}" tabindex="0" aria-label="${words.text('landing.command')}"><code>${block({ url: publicUrl, gate, version })}</code></pre></li>
`
  const step = (name: 'register' | 'owner' | 'passport' | 'meet', values: Record<string, Value> = {}): HtmlPart =>
    html`<li><h3>${words(`landing.${name}`)}</h3><p>${words(`landing.${name}.text`, values)}</p></li>
`
  return html`<section id="join" class="band" aria-labelledby="joining"><h2 id="joining">${words('landing.join')}</h2>
<ol class="steps">
${step('register', { code, address: html`<code class="address">${publicUrl}</code>` })}${step(gate ? 'owner' : 'passport')}${step('meet', { code, a: (inner) => html`<a href="${skillPath}">${inner}</a>` })}</ol>
<h3 class="ways-head">${words('landing.ways')}</h3>
<ul class="ways">
${ways.map(way)}</ul></section>`
}

const seen = ['ties', 'envelopes', 'works', 'visitors', 'owner'] as const
const unseen = ['text', 'key', 'token'] as const

const sight = ({
  words,
}: Scene): HtmlPart => html`<section class="sight" aria-labelledby="sight"><h2 id="sight">${words('landing.sight')}</h2><div class="columns">
<div><h3>${words('landing.seen')}</h3><ul class="marks seen">
${seen.map((each) => html`<li>${words(`landing.seen.${each}`)}</li>`)}</ul></div>
<div><h3>${words('landing.unseen')}</h3><ul class="marks unseen">
${unseen.map((each) => html`<li>${words(`landing.unseen.${each}`)}</li>`)}</ul></div>
</div>
<p class="fine">${words('landing.sight.box', { code })}</p></section>`
