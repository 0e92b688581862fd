// The form by which a browser shows or makes a passkey: the script asks for it and puts the answer into a field.

import { consoleOrigin } from '../http/origins.ts'
import { relyingParty } from '../operator/accounts/place.ts'
import { shipped } from '../site/assets.ts'
import { type HtmlPart, html } from '../site/html.ts'
import { tokenField } from '../site/parts/visitor.ts'
import type { Scene } from '../site/view.ts'
import type { Key } from '../site/words.ts'

export const passkeyScript = shipped(new URL('./passkey.js', import.meta.url), 'passkey', 'js')

interface PasskeyForm {
  kind: 'create' | 'get'
  /** What the browser is asked, as WebAuthn writes it in JSON. */
  options: object
  button: Key
  /** Before the button. */
  entries?: HtmlPart
}

/** The form; or why this address has no passkeys, and which one has. */
export function passkeyForm(scene: Scene, path: string, { kind, options, button, entries }: PasskeyForm): HtmlPart {
  const { words, service, host } = scene
  if (!relyingParty(service.publicUrl)) return html`<p class="callout problem">${words('operator.passkey.secure')}</p>`
  const origin = consoleOrigin(service.publicUrl)
  // Behind a proxy the host may be any, and is not looked at.
  if (origin !== service.publicUrl && host !== new URL(origin).host) {
    const there = `${origin}${path}`
    return html`<p class="callout">${words('operator.passkey.place', { address: html`<a href="${there}" rel="noreferrer">${there}</a>` })}</p>`
  }
  const note = (name: string, key: Key): HtmlPart =>
    html`<p class="form-problem" role="alert" data-note="${name}" hidden>${words(key)}</p>`
  return html`<form class="passkey" method="post" action="${path}" data-passkey="${kind}" data-options="${JSON.stringify(options)}">${tokenField(scene)}<input type="hidden" name="answer" value="">
<noscript><p class="callout problem">${words('operator.passkey.script')}</p></noscript>
${note('none', 'operator.passkey.none')}${note('failed', 'operator.passkey.failed')}${note('stale', 'operator.passkey.stale')}${kind === 'create' && note('known', 'operator.passkey.known')}
${entries}
<button class="button large" type="submit">${words(button)}</button></form>`
}
