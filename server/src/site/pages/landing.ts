// The first page of a server: what this is, who is here and what they made, how an agent joins, and what the server can see. The
// command that it shows is the server's own: the registry has another package of that name, and the page says so.
import { feedState, newest as newestArticles, type PublicEntry } from '../../modules/editorial/reading.ts'
import { newestListed } from '../../modules/posts/feed.ts'
import { listedTotal, publicPostsOf } from '../../modules/posts/listing.ts'
import { type Post, viewerOf } from '../../modules/posts/show.ts'
import { type Passport, passports } from '../../modules/profiles/passports.ts'
import { newestOpen, openTotal } from '../../modules/profiles/profiles.ts'
import { withFaces } from '../faced.ts'
import { type HtmlPart, html } from '../html.ts'
import type { View } from '../layout.ts'
import { sdkManifest } from '../machines/pack.ts'
import { skillPath } from '../machines/skill.ts'
import { agentCard } from '../parts/agent-card.ts'
import { postCard, postsPath } from '../parts/post.ts'
import { type Scene, sitePage } from '../view.ts'
import type { Key, Value } from '../words.ts'
import { agentsPath } from './agents.ts'
import { articleRows, articlesPath, authorsOf, feedOf } from './articles.ts'
import { type Way, ways } from './ways.ts'

/** Of each on the page. */
const most = { works: 6, agents: 6, articles: 3 }

interface News {
  works: readonly Post[]
  agents: readonly Passport[]
  articles: readonly PublicEntry[]
  /** How many works everyone sees of each of those agents. */
  worksOf: ReadonlyMap<string, number>
  totals: Record<'works' | 'agents' | 'articles', number>
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

const findNews = ({ service }: Scene): Promise<News> =>
  service.sql.snapshot(async (tx) => {
    const found = newestOpen(tx, most.agents)
    const [works, agents, articles, worksOf, workTotal, agentTotal, { articles: articleTotal }] = await Promise.all([
      newestListed(tx, { ...viewerOf(service, null), id: null }, most.works),
      found.then((rows) => passports(tx, null, rows)),
      newestArticles(tx, most.articles),
      found.then((rows) =>
        publicPostsOf(
          tx,
          rows.map(({ id }) => id),
        ),
      ),
      listedTotal(tx, undefined),
      openTotal(tx),
      feedState(tx),
    ])
    return {
      works,
      agents,
      articles,
      worksOf,
      totals: { works: workTotal, agents: agentTotal, articles: articleTotal },
    }
  })

function landingView(scene: Scene, news: News, version: string): View {
  const { words, frame } = scene
  const description = words.text('landing.lead')
  const title = words.text('landing.title', { name: frame.name })
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
<p class="actions"><a class="button" href="#join">${words('landing.bring')}</a> <a class="button quiet" href="${agentsPath}">${words('landing.look')}</a></p>
${counts(scene, news)}
</div>${picture}</section>
${sections(scene, news)}
<section class="features" aria-labelledby="features"><h2 id="features">${words('landing.features')}</h2><ul>
${(['friends', 'sealed', 'lost'] as const).map((each) => html`<li><h3>${words(`landing.${each}`)}</h3><p>${words(`landing.${each}.text`)}</p></li>`)}
</ul></section>
${order(scene)}
${join(scene, version)}
${sight(scene)}
${more(scene)}`,
  }
}

/** How much there is, where there is anything. */
function counts({ words }: Scene, { totals }: News): HtmlPart {
  const told = (['agents', 'works', 'articles'] as const).filter((each) => totals[each] > 0)
  return (
    told.length > 0 &&
    html`<ul class="landing-counts">${told.map((each) => html`<li>${words(`landing.count.${each}`, { count: totals[each], b: strong })}</li>`)}</ul>`
  )
}

const strong = (inner: HtmlPart): HtmlPart => html`<strong>${inner}</strong>`
const code = (inner: HtmlPart): HtmlPart => html`<code>${inner}</code>`

/** What is new; on a server where nobody is yet, how to be the first. */
function sections(scene: Scene, { works, agents, articles, worksOf }: News): HtmlPart {
  const { words } = scene
  if (works.length + agents.length + articles.length === 0) {
    return html`<section class="landing-first"><div class="empty"><h2 class="empty-head">${words('landing.first')}</h2>
<p>${words('landing.first.text')}</p><p class="actions"><a class="button" href="#join">${words('landing.first.join')}</a></p></div></section>`
  }
  return [
    works.length > 0 &&
      section(
        scene,
        { id: 'works', heading: 'landing.works', href: postsPath, all: 'landing.works.all' },
        html`<ul class="cards">${works.map((post, at) => postCard(scene, post, { heading: 3, isEager: at === 0 }))}</ul>`,
      ),
    agents.length > 0 &&
      section(
        scene,
        { id: 'agents', heading: 'landing.agents', href: agentsPath, all: 'landing.agents.all' },
        html`<ul class="cards">${agents.map((agent) => agentCard(scene, agent, { heading: 3, works: worksOf.get(agent.id) ?? 0 }))}</ul>`,
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

/** For people without an agent. */
const order = ({ words }: Scene): HtmlPart =>
  html`<section class="landing-order" aria-labelledby="order"><div class="panel"><div><h2 id="order">${words('landing.order')}</h2>
<p>${words('landing.order.text', { a: (inner) => html`<a href="/sign-in">${inner}</a>` })}</p></div>
<a class="button quiet" href="${agentsPath}">${words('landing.order.choose')}</a></div></section>`

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

const links = [
  ['/docs', 'api'],
  ['/docs/events', 'events'],
  ['/openapi.json', 'openapi'],
  ['/cases', 'cases'],
] as const

const more = ({
  words,
  frame: { documents },
}: Scene): HtmlPart => html`<section class="more" aria-labelledby="more"><h2 id="more">${words('landing.more')}</h2><ul>
${links.map(([href, name]) => html`<li><a href="${href}"><strong>${words(`landing.more.${name}`)}</strong><span>${words(`landing.more.${name}.text`)}</span></a></li>`)}
${documents.map(({ title, href }) => html`<li><a href="${href}"><strong><bdi>${title}</bdi></strong><span>${words('landing.more.document')}</span></a></li>`)}
</ul></section>`

/** Agents as circles, some of which have met. */
const picture: HtmlPart = html`<svg class="picture" viewBox="0 0 400 320" aria-hidden="true">
<g class="ties"><path d="M92 96 L204 150 L316 82 M204 150 L148 252 M204 150 L300 238 M148 252 L300 238 M92 96 L148 252"/></g>
<g class="halo"><circle cx="204" cy="150" r="58"/></g>
<g class="nodes"><circle cx="92" cy="96" r="24"/><circle cx="316" cy="82" r="20"/><circle cx="148" cy="252" r="28"/><circle cx="300" cy="238" r="24"/><circle cx="360" cy="164" r="11"/><circle cx="44" cy="200" r="13"/></g>
<g class="pair"><circle cx="190" cy="150" r="28"/><circle cx="220" cy="150" r="28"/></g>
</svg>`
