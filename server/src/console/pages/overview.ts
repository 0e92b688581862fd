// The first page of the console: whether anything needs a person today, what waits longest, and the service in numbers.
import { earlier } from '../../kernel/clock.ts'
import { figuresOf } from '../../operator/figures.ts'
import {
  type Fault,
  mostCounted,
  mostOrders,
  type Need,
  type Numbers,
  type Overview,
  overview,
} from '../../operator/overview.ts'
import { processOf } from '../../operator/process.ts'
import { type HtmlPart, html, join } from '../../site/html.ts'
import { empty } from '../../site/parts/list.ts'
import { sizeIn } from '../../site/parts/measures.ts'
import type { Key } from '../../site/words.ts'
import { ageIn } from '../lists.ts'
import { type ConsoleScene, consolePage } from '../page.ts'
import { trends } from '../trends.ts'
import { agentsPath } from './agents.ts'
import { disputesPath } from './disputes.ts'

/** What the operator calls each kind of {@link Wait}, and where it is dealt with. */
export const needs: Readonly<Record<string, { name: Key; href: string }>> = {
  disputes: { name: 'console.nav.disputes', href: disputesPath },
  moderation: { name: 'console.overview.need.moderation', href: '/operator/moderation' },
  appeals: { name: 'console.overview.need.appeals', href: '/operator/moderation?appealed=yes' },
  feedback: { name: 'console.overview.need.feedback', href: '/operator/feedback' },
}

export const overviewPage = consolePage({
  path: '/operator',
  summary: 'Whether anything needs a person, and the service in numbers',
  section: 'overview',
  async view(scene) {
    const { words } = scene
    const { service } = scene
    const [found, month] = await Promise.all([
      overview(service, processOf(service).waits),
      figuresOf(service.sql, service.clock.now()),
    ])
    return {
      title: words.text('console.nav.overview'),
      width: 'page',
      body: html`<div class="page-head"><h1>${words('console.nav.overview')}</h1>
<p class="lead">${verdict(scene, found)}</p></div>
${found.faults.map((fault) => faultNote(scene, fault))}
${
  found.needs.length === 0
    ? empty(scene, 'console.overview.calm', 'console.overview.calm.text')
    : html`<ol class="rows">${found.needs.map((need) => needRow(scene, need, found.unseen))}</ol>`
}
<div class="section-head"><h2>${words('console.overview.numbers')}</h2></div>
${figures(scene, found.numbers)}
<div class="section-head"><h2>${words('console.trend.title')}</h2></div>
${trends(words, month)}`,
    }
  },
})

function verdict({ words }: ConsoleScene, { needs, faults }: Overview): HtmlPart {
  const late = needs.filter(({ isLate }) => isLate).length + faults.length
  if (late > 0) return words('console.overview.late', { count: late })
  return words(needs.length === 0 ? 'console.overview.nothing' : 'console.overview.fresh')
}

function faultNote(scene: ConsoleScene, fault: Fault): HtmlPart {
  const { words } = scene
  const link = (href: string) => ({ a: (inner: HtmlPart): HtmlPart => html`<a href="${href}">${inner}</a>` })
  const say = (): HtmlPart => {
    switch (fault.name) {
      case 'ledger':
        return words('console.overview.fault.ledger', { count: fault.count, ...link('/operator/ledger') })
      case 'mails':
        return words('console.overview.fault.mails', {
          count: fault.count,
          age: ageIn(scene, fault.oldest),
          ...link('/operator/queues'),
        })
      case 'storage':
        return words('console.overview.fault.storage', {
          used: sizeIn(words.locale, fault.used),
          limit: sizeIn(words.locale, fault.limit),
          ...link('/operator/storage'),
        })
    }
  }
  return html`<p class="callout problem">${say()}</p>`
}

function needRow(scene: ConsoleScene, { name, oldest, count, isLate }: Need, unseen: Overview['unseen']): HtmlPart {
  const { words } = scene
  const known = needs[name]
  const heading = known ? html`<a href="${known.href}">${words(known.name)}</a>` : name
  return html`<li class="row"><h2>${heading}</h2>
<p class="row-foot">${isLate && html`<span class="chip bad">${words('console.late')}</span>`}<span>${words('console.overview.waiting', { count, age: ageIn(scene, oldest) })}</span>${name === 'moderation' && among(words, unseen)}</p></li>
`
}

/** What of the cases has a page of its own. */
function among(words: ConsoleScene['words'], { texts, ready }: Overview['unseen']): HtmlPart {
  const link = (href: string, text: HtmlPart): HtmlPart => html`<a href="${href}">${text}</a>`
  const parts = [
    texts > 0 && link('/operator/reviews', words('console.overview.texts', { count: texts })),
    ready > 0 && link('/operator/ready', words('console.overview.ready', { count: ready })),
  ].filter((each) => each !== false)
  return parts.length > 0 && html`<span>${words('console.overview.among')} ${join(parts, ', ')}</span>`
}

function figures(scene: ConsoleScene, numbers: Numbers): HtmlPart {
  const { words, service } = scene
  const upTo = (count: number, most = mostCounted): HtmlPart =>
    count > most ? words('console.overview.more', { count: most }) : words.number(count)
  const { storage, database } = numbers
  const started = earlier(service.clock.now(), process.uptime() * 1000)
  const figure = (name: Key, value: HtmlPart, note?: HtmlPart): HtmlPart =>
    html`<div><dt>${words(name)}</dt><dd>${value}${note && html` <span class="fine">${note}</span>`}</dd></div>
`
  return html`<dl class="figures">
${figure('console.nav.agents', upTo(numbers.agents), numbers.suspended > 0 && html`<a href="${agentsPath}?filter=suspended">${words('console.overview.suspended', { count: numbers.suspended })}</a>`)}${figure('console.nav.customers', upTo(numbers.customers))}${figure('console.overview.orders', words.number(numbers.orders), numbers.orders >= mostOrders && words('console.overview.newest', { count: mostOrders }))}${figure('console.overview.events', upTo(numbers.events))}${figure('console.overview.mails', upTo(numbers.mails))}${figure('console.agent.files', storage.used === 0 ? words.number(0) : sizeIn(words.locale, storage.used), words('console.overview.storage.of', { limit: sizeIn(words.locale, storage.limit), files: storage.files }))}${figure('console.overview.nodes', words.number(numbers.nodes), words('console.overview.node', { age: ageIn(scene, started) }))}${figure('console.overview.database', `PostgreSQL ${database.version}`, words('console.overview.up', { age: ageIn(scene, database.since) }))}</dl>`
}
