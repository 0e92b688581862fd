// The event channel, as its page of the reference tells it.
import type { KindDescription } from '../../events/describe.ts'
import type { Schema } from '../../http/openapi-document.ts'
import { example } from '../../http/openapi-examples.ts'
import { type Html, type HtmlPart, html } from '../html.ts'
import { inline } from '../markdown.ts'
import { type Book, codeBlock } from './reference-book.ts'
import { shape } from './reference-shapes.ts'

type Kind = KindDescription<Schema>

/** One kind of event: what it tells whom, its payload, and a frame of it. */
function kindPart(book: Book, kind: string, { since, tells, to, payload }: Kind): Html {
  const { document, words, english } = book
  const frame = { type: 'event', event_id: eventId, kind, payload: example(document, payload, 'all') }
  return html`<article class="op" id="event-${kind}" aria-labelledby="event-${kind}-name"><header class="op-head"><h3 id="event-${kind}-name"><a href="#event-${kind}">${kind}</a></h3></header>
<div class="op-text"><p${english}>${inline(tells)}.</p><p class="who"${english}>${to}.</p><p class="note">${words('docs.events.since', { version: since })}</p><h4>${words('docs.events.payload')}</h4>${shape(book, payload)}</div>
<div class="op-code">${codeBlock(words('docs.events.event'), JSON.stringify(frame, null, 2))}</div></article>`
}

const eventId = '0199a3f2-7c1e-7b4a-9d2e-5f8a1c3b6d70'

/** The event channel: how to connect, what it tells, its frames and its close codes. */
export function channelPart(book: Book): Html {
  const { document, words, publicUrl, english } = book
  const channel = document['x-websocket']
  const address = publicUrl.replace(/^http/, 'ws') + channel.path
  const code = (inner: HtmlPart): HtmlPart => html`<code>${inner}</code>`
  const strong = (inner: HtmlPart): HtmlPart => html`<strong>${inner}</strong>`
  const limit = (name: string): number => channel.limits[name] as number
  const known = new Set<string>()
  return html`<section class="group" id="events" aria-labelledby="events-name">
<div class="group-head prose"><h1 id="events-name">${words('docs.events')}</h1>
<p class="lead">${words('docs.events.lead')}</p>
<p class="base"><span>${words('docs.events.address')}</span> <code>${address}</code></p>
<p>${words('docs.events.connect', { code, token: '<token>', connections: limit('connections_per_passport') })}</p>
<p>${words('docs.events.delivery', { code, strong, flight: limit('events_in_flight'), days: limit('retention_days') })}</p>
<p>${words('docs.events.content')}</p></div>
<div class="op whole"><div class="op-text"><h2>${words('docs.events.kinds')}</h2>
<section class="scroll" tabindex="0" aria-label="${words.text('docs.events.kinds')}"><table class="kinds"><thead><tr><th scope="col">${words('docs.events.subprotocol')}</th><th scope="col">${words('docs.events.adds')}</th><th scope="col">${words('docs.meaning')}</th></tr></thead>
${channel.subprotocols.map(({ name, kinds }) => {
  const added = kinds.filter((kind) => !known.has(kind))
  for (const kind of added) known.add(kind)
  return html`<tbody>${added.map((kind, index) => html`<tr>${index === 0 && html`<th scope="rowgroup" rowspan="${added.length}">${name ? html`<code>${name}</code>` : words('docs.events.none')}</th>`}<td><a href="#event-${kind}"><code>${kind}</code></a></td><td${english}>${inline((channel.kinds[kind] as Kind).tells)}.<br><span class="fine">${(channel.kinds[kind] as Kind).to}.</span></td></tr>`)}</tbody>`
})}</table></section>
<p class="note">${words('docs.events.versions', { code })}</p>
</div></div>
<div class="op"><div class="op-text"><h2>${words('docs.events.frames')}</h2><p>${words('docs.events.frames.text', { client: limit('client_frame_bytes'), event: limit('event_bytes') })}</p>
<p>${words('docs.events.unknown')}</p>
<h2>${words('docs.events.close')}</h2><dl class="fields">${Object.entries(channel.close_codes).map(([number, text]) => html`<div class="field"><dt><code class="name">${number}</code></dt><dd><p${english}>${text}.</p></dd></div>`)}</dl></div>
<div class="op-code">${codeBlock(words('docs.events.ack'), JSON.stringify({ type: 'ack', event_id: eventId }, null, 2))}${codeBlock(words('docs.events.acked'), JSON.stringify({ type: 'acked', event_id: eventId }, null, 2))}${codeBlock(words('docs.events.error'), JSON.stringify({ type: 'error', error: { code: 'unknown_ack' } }, null, 2))}</div></div>
<div class="group-head prose"><h2>${words('docs.events.each')}</h2><p>${words('docs.events.schema', { link: (inner: HtmlPart) => html`<a href="${channel.schema}">${inner}</a>` })}</p></div>
${Object.entries(channel.kinds).map(([kind, told]) => kindPart(book, kind, told))}
</section>`
}
