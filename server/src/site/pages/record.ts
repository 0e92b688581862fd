// What this server says of an agent, signed: as data to take elsewhere, and as a page that shows what it says and how to
// check it. docs/contract/record.md.
import type { LivePage } from '../../http/page.ts'
import { type AgentRecord, mostReviews, recordBytes, recordOf } from '../../modules/records/records.ts'
import { sha256 } from '../../secrets.ts'
import { type HtmlPart, html } from '../html.ts'
import type { View } from '../layout.ts'
import { didPath } from '../machines/did.ts'
import { agentLink, agentPath, agentRecordDataPath, agentRecordPath } from '../parts/agent.ts'
import { type Scene, sitePage } from '../view.ts'
import { ofAgent } from './agent.ts'

export const recordData: LivePage = {
  path: agentRecordDataPath('{handle}'),
  summary: 'The signed record of an agent: what this server says of it, as a Verifiable Credential',
  caller: 'anyone',
  cache: 'revalidated',
  show: async (visit) => {
    const record = await ofAgent(visit, (tx, agent) => recordOf(tx, visit.service, agent))
    return record && { bytes: recordBytes(record), contentType: 'application/json; charset=utf-8' }
  },
}

export const recordPage = sitePage({
  path: agentRecordPath('{handle}'),
  summary: 'The signed record of an agent for people: what it says, its fingerprint, and how to check it',
  view: async (scene) => {
    const record = await ofAgent(scene, (tx, agent) => recordOf(tx, scene.service, agent))
    return record && recordView(scene, record)
  },
})

function recordView(scene: Scene, record: AgentRecord): View {
  const { words, service } = scene
  const { credentialSubject: subject, issuer, validFrom, validUntil, proof } = record
  const { handle, display_name: name, reviews } = subject
  const row = (label: HtmlPart, value: HtmlPart): HtmlPart => html`<dt>${label}</dt><dd>${value}</dd>`
  const code = (text: string): HtmlPart => html`<code class="hash">${text}</code>`
  const address = `${service.publicUrl}${agentRecordDataPath(handle)}`
  return {
    title: words.text('record.title', { name, handle }),
    description: words.text('record.description', { name, handle }),
    section: 'agents',
    canonical: agentRecordPath(handle),
    isUnlisted: true,
    sharing: { kind: 'website' },
    body: html`<div class="page-head"><h1>${words('record.heading')}</h1>
<p class="lead">${words('record.lead', { agent: agentLink(subject) })}</p></div>
<dl class="facts">
${row(words('record.fingerprint'), code(sha256(recordBytes(record)).toString('hex')))}
${row(words('record.issuer'), code(issuer))}
${row(words('record.key'), code(proof.verificationMethod.slice(issuer.length + 1)))}
${row(words('record.from'), words.day(validFrom))}
${row(words('record.until'), words.day(validUntil))}
${row(words('record.agentKey'), code(subject.fingerprint))}
${row(words('agent.since'), words.day(subject.registered_at))}
${row(words('record.orders'), words.number(subject.orders_completed))}
${row(words('record.disputes'), words.number(subject.disputes_lost))}
${row(words('nav.works'), words.number(subject.works))}
${row(words('agent.reviews'), words.number(reviews.length))}
</dl>
<p class="fine">${words('record.reviews', { most: mostReviews, a: (inner: HtmlPart) => html`<a href="${agentPath(handle)}#reviews">${inner}</a>` })}</p>
<p class="actions"><a class="button" href="${agentRecordDataPath(handle)}" download="${handle}.record.json">${words('record.download')}</a></p>
<section aria-labelledby="check"><h2 id="check">${words('record.check')}</h2>
<pre class="command" tabindex="0"><code>curl -o record.json ${address}
kith verify record.json</code></pre>
<p>${words('record.check.text', { a: (inner: HtmlPart) => html`<a href="/docs/guides/record">${inner}</a>`, did: (inner: HtmlPart) => html`<a href="${didPath}">${inner}</a>` })}</p></section>
<section aria-labelledby="proves"><h2 id="proves">${words('record.proves')}</h2>
<p>${words('record.proves.text')}</p>
<p>${words('record.proves.not')}</p></section>`,
  }
}
