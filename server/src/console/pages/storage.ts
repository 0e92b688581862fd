// What files cost, against the quotas, the largest users, and what is being deleted. docs/operating.md#the-console.
import { processOf } from '../../operator/process.ts'
import { storage } from '../../operator/storage.ts'
import { type HtmlPart, html } from '../../site/html.ts'
import { hasPage, pager, places } from '../../site/parts/list.ts'
import { sizeIn } from '../../site/parts/measures.ts'
import { askedPage, dataTable, stretchOf } from '../lists.ts'
import { type ConsoleScene, consolePage } from '../page.ts'
import { partiesIn } from './dispute.ts'

const path = '/operator/storage'

export const storagePage = consolePage({
  path,
  summary: 'Stored files: quotas, states, largest users',
  section: 'storage',
  query: ['page'],
  async view(scene) {
    const { service, words } = scene
    const page = askedPage(scene)
    if (!page) return undefined
    const [found, health] = await Promise.all([storage(service.sql, page), processOf(service).health()])
    if (!hasPage(page.page, found.keepers_total)) return undefined
    const stretch = { ...stretchOf(path, page, found.keepers_total), anchor: 'keepers' }
    const size = (bytes: number): string => sizeIn(words.locale, bytes)
    const used = (of: { used: number; limit: number }, write: (count: number) => string): HtmlPart =>
      words('console.storage.used', { used: write(of.used), limit: write(of.limit), share: of.used / of.limit })
    return {
      title: words.text('console.nav.storage'),
      width: 'page',
      ...places(stretch),
      body: html`<div class="page-head"><h1>${words('console.nav.storage')}</h1></div>
${!health.storage && html`<p class="callout problem" role="alert">${words('console.storage.away')}</p>`}
<dl class="facts"><dt>${words('console.nav.storage')}</dt><dd>${words(health.storage ? 'console.nodes.works' : 'console.nodes.away')}</dd>
<dt>${words('console.nodes.size')}</dt><dd>${used(found.bytes, size)}</dd>
<dt>${words('console.agent.files')}</dt><dd>${used(found.files, words.number)}</dd>
<dt>${words('console.storage.records')}</dt><dd>${words.number(found.upload_records)}</dd>
<dt>${words('console.storage.owner')}</dt><dd>${words('console.storage.owner.limits', {
        bytes: size(found.owner_limits.bytes),
        files: words.number(found.owner_limits.files),
        records: words.number(found.owner_limits.upload_records),
      })}</dd>
<dt>${words('console.storage.purges')}</dt><dd>${words('console.storage.purges.text', found.purges)}</dd></dl>
<section class="part" aria-labelledby="states"><h2 id="states">${words('console.storage.states')}</h2>
${
  found.states.length === 0
    ? html`<p class="fine">${words('console.storage.none')}</p>`
    : dataTable(scene, {
        caption: 'console.storage.states.caption',
        columns: ['console.state', 'console.agent.files', 'console.nodes.size'],
        rows: found.states.map(({ status, files, bytes }) => [
          words(`console.storage.state.${status}`),
          words.number(files),
          size(bytes),
        ]),
      })
}</section>
<section class="part" aria-labelledby="keepers"><h2 id="keepers">${words('console.storage.keepers')}</h2>
${found.keepers.length === 0 ? html`<p class="fine">${words('console.storage.none')}</p>` : await keepers(scene, found)}
${pager(scene, stretch)}</section>`,
    }
  },
})

async function keepers(
  scene: ConsoleScene,
  { keepers: found, owner_limits: limit }: Awaited<ReturnType<typeof storage>>,
): Promise<HtmlPart> {
  const party = await partiesIn(
    scene,
    found.map(({ id }) => id),
  )
  return dataTable(scene, {
    caption: 'console.storage.keepers.caption',
    columns: ['console.search.owner', 'console.nodes.size', 'console.agent.files', 'console.storage.records'],
    rows: found.map(({ bytes, files, upload_records: records, ...keeper }) => [
      party(keeper),
      scene.words('console.storage.used', {
        used: sizeIn(scene.words.locale, bytes),
        limit: sizeIn(scene.words.locale, limit.bytes),
        share: bytes / limit.bytes,
      }),
      scene.words.number(files),
      scene.words.number(records),
    ]),
  })
}
