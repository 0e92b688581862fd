// The ledger, verified when somebody asks for it: by this node, one at a time, in the background. docs/operating.md#the-books.
import { checkReason, OperatorError } from '../../operator/operator.ts'
import { processOf } from '../../operator/process.ts'
import { type PerService, perService } from '../../service.ts'
import { type HtmlPart, html } from '../../site/html.ts'
import type { Words } from '../../site/words.ts'
import { record } from '../../store/audit.ts'
import { createVerifier, type Verifier, type Verifying } from '../../verify/on-demand.ts'
import { countOf, isWhole, wholeChecks } from '../../verify/verify.ts'
import { agoIn, dataTable, spanIn } from '../lists.ts'
import { type ConsoleScene, consolePage } from '../page.ts'
import { actionForm, outcomeNote } from '../parts.ts'

const path = '/operator/ledger'

export const verifierOf: PerService<Verifier> = perService((service) =>
  createVerifier(service, () => processOf(service).walks),
)

export const ledgerPage = consolePage({
  path,
  summary: 'Verification of the ledger',
  section: 'ledger',
  view(scene) {
    const { service, words } = scene
    const last = verifierOf(service).current()
    return {
      title: words.text('console.nav.ledger'),
      width: 'page',
      body: html`<div class="page-head"><h1>${words('console.nav.ledger')}</h1>
<p class="lead">${words('console.ledger.lead')}</p></div>
${outcomeNote(scene, last?.outcome === 'running' ? [] : ['verify'])}
${last ? verified(scene, last) : html`<p>${words('console.ledger.never')}</p>`}
${last?.outcome === 'running' ? html`<p><a class="button quiet" href="${path}">${words('console.ledger.again')}</a></p>` : html`<section class="part" aria-labelledby="verify"><h2 id="verify">${words('console.ledger.verify')}</h2><p class="fine">${words('console.ledger.cost')}</p>${actionForm(scene, { action: 'verify', button: 'console.ledger.button' })}</section>`}`,
    }
  },
  actions: {
    verify: {
      fields: [],
      async run(tx, { service, actor, reason }) {
        const verifier = verifierOf(service)
        const why = checkReason(reason)
        if (!verifier.claim()) throw new OperatorError('A verification is running already')
        await record(tx, { actor, action: 'ledger.verify', subject: service.nodeId, reason: why })
        tx.afterCommit(() => verifier.begin())
      },
    },
  },
})

function verified(scene: ConsoleScene, last: Verifying): HtmlPart {
  const { words } = scene
  const { outcome, findings, money, startedAt, endedAt } = last
  const count = countOf(findings)
  const isFound = count > 0 || (money !== undefined && !isWhole(money))
  return html`<section class="part" aria-labelledby="outcome"><h2 id="outcome">${words('console.ledger.outcome')}</h2>
<p class="callout${(isFound || outcome === 'late' || outcome === 'failed') && ' problem'}">${
    isFound ? words('console.ledger.differs', { count }) : words(`console.ledger.is.${outcome}`)
  }</p>
<dl class="facts"><dt>${words('console.ledger.began')}</dt><dd>${agoIn(scene, startedAt)}</dd>
${endedAt && html`<dt>${words('console.queues.sweeps.took')}</dt><dd>${spanIn(scene, endedAt.getTime() - startedAt.getTime())}</dd>`}
${
  money &&
  html`<dt>${words('console.ledger.available')}</dt><dd class="amount">${words.credits(money.available)}</dd>
<dt>${words('console.ledger.reserved')}</dt><dd class="amount">${words.credits(money.reserved)}</dd>
<dt>${words('console.ledger.fees')}</dt><dd class="amount">${words.credits(money.fees)}</dd>
<dt>${words('console.ledger.granted')}</dt><dd class="amount">${words.credits(money.granted)}</dd>
<dt>${words('console.ledger.sum')}</dt><dd>${words(isWhole(money) ? 'console.ledger.sum.whole' : 'console.ledger.sum.not')}</dd>`
}</dl>
${differences(scene, last)}
${dataTable(scene, {
  caption: 'console.ledger.seen',
  columns: ['console.ledger.what', 'console.ledger.count'],
  rows: Object.entries(findings.seen).map(([over, seen]) => [inEnglish(words, over), words.number(seen)]),
})}</section>`
}

/** What the command prints too: it has no other language. */
const inEnglish = ({ language }: Words, text: string): HtmlPart =>
  language === 'en' ? text : html`<span lang="en">${text}</span>`

/** So many are shown; the command names them all. */
const mostShown = 50

function differences(scene: ConsoleScene, { findings: { examples } }: Verifying): HtmlPart {
  if (examples.length === 0) return undefined
  const { walks } = processOf(scene.service)
  const checks: Readonly<Record<string, string>> = Object.assign({}, wholeChecks, ...walks.map((walk) => walk.checks))
  return html`${dataTable(scene, {
    caption: 'console.ledger.differences',
    columns: ['console.ledger.check', 'console.agent.id', 'docs.meaning'],
    rows: examples
      .slice(0, mostShown)
      .map(({ check, id }) => [
        html`<code>${check}</code>`,
        html`<code>${id ?? ''}</code>`,
        inEnglish(scene.words, checks[check] ?? ''),
      ]),
  })}<p class="fine">${scene.words('console.ledger.command', { code: (text) => html`<code>${text}</code>` })}</p>`
}
