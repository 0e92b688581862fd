// What the pages of a customer have in common: the way from one to another, and the way out. docs/contract/site.md#customers.
import { type HtmlPart, html } from '../html.ts'
import type { CustomerScene } from '../view.ts'
import type { Key } from '../words.ts'
import { tokenField } from './visitor.ts'

type CustomerPart = 'orders' | 'wallet' | 'account'

export const walletPath = '/wallet'
export const accountPath = '/account'
export const signOutPath = '/sign-out'

const parts: readonly { part: CustomerPart; href: string; name: Key }[] = [
  { part: 'orders', href: '/orders', name: 'customer.orders' },
  { part: 'wallet', href: walletPath, name: 'customer.wallet' },
  { part: 'account', href: accountPath, name: 'customer.account' },
]

/** What stands above every page of a customer; `below` where the page is one of that part, and not its first. */
export function customerBar(scene: CustomerScene, here: CustomerPart, place: 'at' | 'below' = 'at'): HtmlPart {
  const { words } = scene
  const current = place === 'at' ? 'page' : 'true'
  return html`<div class="own-bar"><nav class="filters" aria-label="${words.text('customer.parts')}">${parts.map(
    ({ part, href, name }) =>
      html`<a href="${href}"${part === here && html` aria-current="${current}"`}>${words(name)}</a>`,
  )}</nav>
${signOutForm(scene)}</div>`
}

/** Ends the session of this browser, or of every one. */
export const signOutForm = (scene: CustomerScene, everywhere = false): HtmlPart =>
  html`<form method="post" action="${signOutPath}">${tokenField(scene)}${everywhere && html`<input type="hidden" name="everywhere" value="true">`}<button class="pressable" type="submit">${scene.words(everywhere ? 'customer.out.everywhere' : 'customer.out')}</button></form>`
