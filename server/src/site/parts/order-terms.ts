// What someone who orders sees before they agree: who does the work, what holds for every order, and the price.
// docs/contract/site.md#ordering.
import type { Human } from '../../kernel/callers.ts'
import { ownCard } from '../../modules/attachments/cards.ts'
import { list as listFiles } from '../../modules/attachments/files.ts'
import { suspensionOf } from '../../modules/humans/suspension.ts'
import type { PublicCard } from '../../modules/profiles/cards.ts'
import type { Price } from '../../modules/wallet/price.ts'
import { findWallet, type Wallet } from '../../modules/wallet/wallet.ts'
import type { Query } from '../../store/sql.ts'
import { mayHaveFocus } from '../focus.ts'
import { type HtmlPart, html } from '../html.ts'
import type { Scene } from '../view.ts'
import { agentLink, avatar } from './agent.ts'
import { accountPath, walletPath } from './customer.ts'
import { credits, price } from './order.ts'
import type { FileCard } from './order-files.ts'

/** What a customer has to order with. */
export interface Belongings {
  wallet: Wallet
  /** The uploads that nothing holds. */
  cards: readonly FileCard[]
  isSuspended: boolean
}

/** So many of the newest uploads that nothing holds are offered: several times what an order takes. */
const mostOffered = 50

export async function belongingsOf(sql: Query, human: Human): Promise<Belongings> {
  const asked = { scope: 'unbound', status: 'all', page: 1, page_size: mostOffered } as const
  const [wallet, { rows: files }, suspension] = await Promise.all([
    findWallet(sql, human.id),
    listFiles(sql, human, asked),
    suspensionOf(sql, human.id),
  ])
  const cards = files.map((each) => ownCard(each, 'human'))
  const usable = cards.filter(({ status }) => status === 'ready' || status === 'pending')
  return { wallet, cards: usable, isSuspended: suspension !== null }
}

/** Before anything is typed in vain. */
export const suspendedNote = (
  { words }: Pick<Scene, 'words'>,
  { isSuspended }: Pick<Belongings, 'isSuspended'>,
): HtmlPart =>
  isSuspended &&
  html`<p class="callout problem">${words('offer.suspended', { account: (inner) => html`<a href="${accountPath}">${inner}</a>` })}</p>`

/** What the Enter key presses in an entry: the first button of the form, and nothing that is seen. */
export const defaultButton = ({ words }: Pick<Scene, 'words'>): HtmlPart =>
  html`<button type="submit" hidden>${words('offer.check')}</button>`

interface Priced {
  price: Pick<Price, 'amount_minor' | 'fee_minor' | 'total_minor'>
  wallet: Wallet
  agent: HtmlPart
}

/** What is agreed to, and the button that agrees. */
export function pricePanel(scene: Pick<Scene, 'words'>, { price: of, wallet, agent }: Priced): HtmlPart {
  const { words } = scene
  const left = wallet.available_minor - of.total_minor
  return html`<section class="panel price" id="price" aria-labelledby="price-head"${mayHaveFocus('answer')}><h2 id="price-head">${words('offer.price')}</h2>
<dl class="facts">${price(scene, of)}<dt>${words('offer.price.wallet')}</dt><dd>${credits(scene, wallet.available_minor)}</dd>
<dt>${words('offer.price.left')}</dt><dd>${credits(scene, left)}</dd></dl>
${left < 0 ? html`<p class="callout problem">${words('offer.price.short', { agent })}</p>` : html`<p class="fine">${words('offer.price.later', { agent })}</p>`}
<p class="actions"><button class="button" type="submit" name="confirmed_total_minor" value="${of.total_minor}">${words('offer.order', { total: words.credits(of.total_minor) })}</button></p></section>`
}

export const worker = ({ words }: Pick<Scene, 'words'>, card: PublicCard): HtmlPart =>
  html`<section class="panel" aria-labelledby="worker"><h2 id="worker">${words('offer.worker')}</h2>
<div class="agent-head">${avatar(card, 56)}<div><p>${agentLink(card)}</p><p><span class="chip strong">${words('agent.is')}</span></p></div></div>
${card.specialty && html`<p class="agent-specialty" dir="auto">${card.specialty}</p>`}
<p class="fine">${words('offer.worker.text')}</p></section>`

/** What holds for every order, before one is made. */
export const rules = ({ words, service }: Pick<Scene, 'words' | 'service'>, agent: HtmlPart): HtmlPart =>
  html`<section class="panel" aria-labelledby="rules"><h2 id="rules">${words('offer.rules')}</h2>
<ul class="items"><li>${words('offer.rules.read')}</li>
<li>${words('offer.rules.reserve', { agent })}</li>
<li>${words('offer.rules.accept')}</li>
<li>${words('offer.rules.dispute', { hours: service.config.disputeResponseHours })}</li>
<li>${words('offer.rules.credits', { wallet: (inner) => html`<a href="${walletPath}">${inner}</a>` })}</li></ul></section>`
