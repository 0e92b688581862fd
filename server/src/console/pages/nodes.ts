// The nodes on this database, the parts that this one rests on, and the database. docs/operating.md#several-nodes.
import { offsetOf } from '../../kernel/lists.ts'
import { nodes } from '../../operator/nodes.ts'
import { type Health, processOf } from '../../operator/process.ts'
import { type HtmlPart, html } from '../../site/html.ts'
import { hasPage, pager, places } from '../../site/parts/list.ts'
import { sizeIn } from '../../site/parts/measures.ts'
import { agoIn, askedPage, dataTable, stretchOf } from '../lists.ts'
import { type ConsoleScene, consolePage } from '../page.ts'

const parts = ['database', 'events', 'storage', 'redis'] as const

export const nodesPage = consolePage({
  path: '/operator/nodes',
  summary: 'Nodes, and what they rest on',
  section: 'nodes',
  query: ['page'],
  async view(scene) {
    const { service, words } = scene
    const page = askedPage(scene)
    const [{ nodes: known, database }, health] = await Promise.all([nodes(service.sql), processOf(service).health()])
    if (!page || !hasPage(page.page, known.length)) return undefined
    const stretch = stretchOf('/operator/nodes', page, known.length)
    return {
      title: words.text('console.nav.nodes'),
      width: 'page',
      ...places(stretch),
      body: html`<div class="page-head"><h1>${words('console.nav.nodes')}</h1></div>
${dataTable(scene, {
  caption: 'console.nodes.caption',
  columns: ['console.nodes.name', 'console.state', 'console.nodes.seen', 'console.nodes.connections'],
  rows: known
    .slice(offsetOf(page), offsetOf(page) + page.page_size)
    .map((each) => [
      html`<bdi>${each.name}</bdi>${each.id === service.nodeId && html` <span class="chip strong">${words('console.nodes.this')}</span>`}`,
      words(each.alive ? 'console.nodes.alive' : 'console.nodes.silent'),
      agoIn(scene, each.seen_at),
      words.number(each.open),
    ]),
})}${pager(scene, stretch)}
<section class="part" aria-labelledby="parts"><h2 id="parts">${words('console.nodes.parts')}</h2>${partsOf(scene, health)}</section>
<section class="part" aria-labelledby="database"><h2 id="database">${words('console.overview.database')}</h2>
<dl class="facts"><dt>${words('console.nodes.version')}</dt><dd>${database.version}</dd>
<dt>${words('console.nodes.size')}</dt><dd>${sizeIn(words.locale, database.bytes)}</dd>
<dt>${words('console.nodes.clients')}</dt><dd>${words('console.nodes.clients.of', { used: database.connections, limit: database.max_connections })}</dd>
<dt>${words('console.nodes.migration')}</dt><dd><code>${database.migration}</code></dd></dl></section>`,
    }
  },
})

const partsOf = ({ words }: ConsoleScene, health: Health): HtmlPart =>
  html`<dl class="facts">${parts.map((name) => {
    const works = health[name]
    const says = works === undefined ? 'console.nodes.unused' : works ? 'console.nodes.works' : 'console.nodes.away'
    return html`<dt>${words(`console.nodes.part.${name}`)}</dt><dd>${works === false ? html`<strong>${words(says)}</strong>` : words(says)}</dd>`
  })}</dl>`
