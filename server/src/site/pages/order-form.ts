// The form of an order: who does the work and what holds for every order, what is typed, the files, and the price before anything
// is agreed to. docs/contract/site.md#ordering.
import { randomUUID } from 'node:crypto'
import { ownCard } from '../../modules/attachments/cards.ts'
import { list as listFiles } from '../../modules/attachments/files.ts'
import type { AgentRow } from '../../modules/identity/passport.ts'
import { publicCard } from '../../modules/profiles/cards.ts'
import { findOpenByHandle } from '../../modules/profiles/profiles.ts'
import { findWallet, type Wallet } from '../../modules/wallet/wallet.ts'
import type { Query } from '../../store/sql.ts'
import { mayHaveFocus } from '../focus.ts'
import { type HtmlPart, html } from '../html.ts'
import type { View } from '../layout.ts'
import { agentLink, avatar } from '../parts/agent.ts'
import { customerBar, walletPath } from '../parts/customer.ts'
import { type Attempt, entry, hiddenFields, problemNote, statusOf } from '../parts/form.ts'
import { newOrderPath, price } from '../parts/order.ts'
import { type FileCard, fileBoxes } from '../parts/order-files.ts'
import { filesField, mostFiles, priceTyped } from '../parts/order-offer.ts'
import type { CustomerScene } from '../view.ts'

export const filesPath = `${newOrderPath}/files`

/** Whose handle it is, where orders of people are taken. */
export const agentOf = async (sql: Query, handle: string | undefined): Promise<AgentRow | undefined> =>
  handle !== undefined && /^[a-z][a-z0-9_]{2,31}$/.test(handle) ? findOpenByHandle(sql, handle) : undefined

export interface Offering {
  /** Whom the work is ordered from. */
  handle: string | undefined
  attempt: Attempt
  /** The ids of those that are ticked. */
  files: readonly string[]
  /** Whether what was typed has a price to be agreed to. */
  isPriced?: boolean
  /** What there is to say of the file that has just come. */
  added?: HtmlPart
}

/** So many of the newest uploads that nothing holds are offered: several times what an order takes. */
const mostOffered = 50

/** The form as it was typed; undefined if nobody takes orders by that handle. */
export async function offerView(scene: CustomerScene, offering: Offering): Promise<View | undefined> {
  const { service, customer } = scene
  const found = await service.sql.snapshot(async (tx) => {
    const agent = await agentOf(tx, offering.handle)
    if (!agent) return undefined
    const asked = { scope: 'unbound', status: 'all', page: 1, page_size: mostOffered } as const
    const [card, wallet, { rows: files }] = await Promise.all([
      publicCard(tx, service, agent),
      findWallet(tx, customer.human.id),
      listFiles(tx, customer.human, asked),
    ])
    const cards = files.map((each) => ownCard(each, 'human'))
    return { card, wallet, cards: cards.filter(({ status }) => status === 'ready' || status === 'pending') }
  })
  return found && view(scene, found, offering)
}

interface Found {
  card: Awaited<ReturnType<typeof publicCard>>
  wallet: Wallet
  cards: readonly FileCard[]
}

function view(scene: CustomerScene, found: Found, { attempt, files, isPriced = false, added }: Offering): View {
  const { words } = scene
  const { card, wallet, cards } = found
  const name = html`<bdi>${card.display_name}</bdi>`
  return {
    title: words.text('offer.title.of', { name: card.display_name }),
    section: 'mine',
    width: 'page',
    isUnlisted: true,
    ...statusOf(attempt),
    body: html`${customerBar(scene, 'orders', 'below')}<div class="beside">
<div class="offer"><div class="page-head"><h1>${words('offer.head', { name })}</h1>
<p class="lead">${words('offer.lead')}</p></div>
<form method="post" action="${newOrderPath}">${hiddenFields(scene, attempt)}<input type="hidden" name="upload_id" value="${randomUUID()}"><input type="hidden" name="contractor" value="${card.handle}">
${defaultButton(scene)}
${problemNote(attempt)}
${entry(attempt, { name: 'title', label: words('offer.title'), hint: words('offer.title.hint'), isRequired: true, autocomplete: 'off' })}
${entry(attempt, { name: 'description', label: words('offer.description'), hint: words('offer.description.hint'), rows: 8, isRequired: true })}
${entry(attempt, { name: 'deadline', label: words('offer.deadline'), hint: words('offer.deadline.hint'), type: 'datetime-local', isRequired: true })}
${entry(attempt, { name: 'amount', label: words('offer.amount'), hint: words('offer.amount.hint', { available: words.credits(wallet.available_minor) }), isRequired: true, inputMode: 'decimal', autocomplete: 'off' })}
${fileBoxes(scene, { cards, files, attempt, added, filesPath, most: mostFiles, field: filesField })}
${isPriced && priceSection(scene, attempt, wallet, name)}
<p class="actions"><button class="button${isPriced && ' quiet'}" type="submit">${words(isPriced ? 'offer.check.again' : 'offer.check')}</button></p></form></div>
<aside>${worker(scene, card)}${rules(scene, name)}</aside></div>`,
  }
}

/** What the Enter key presses in an entry: the first button of the form, and nothing that is seen. */
const defaultButton = ({ words }: CustomerScene): HtmlPart =>
  html`<button type="submit" hidden>${words('offer.check')}</button>`

/** What is agreed to, before it is; nothing if no price can be told. */
function priceSection(scene: CustomerScene, { values }: Attempt, wallet: Wallet, agent: HtmlPart): HtmlPart {
  const { words } = scene
  const found = priceTyped(values)
  if (!found) return undefined
  const left = wallet.available_minor - found.total_minor
  const total = words.credits(found.total_minor)
  return html`<section class="panel price" id="price" aria-labelledby="price-head"${mayHaveFocus('answer')}><h2 id="price-head">${words('offer.price')}</h2>
<dl class="facts">${price(scene, found)}<dt>${words('offer.price.wallet')}</dt><dd><span class="amount">${words.credits(wallet.available_minor)}</span></dd>
<dt>${words('offer.price.left')}</dt><dd><span class="amount">${words.credits(left)}</span></dd></dl>
${left < 0 ? html`<p class="callout problem">${words('offer.price.short', { agent })}</p>` : html`<p class="fine">${words('offer.price.later', { agent })}</p>`}
<p class="actions"><button class="button" type="submit" name="confirmed_total_minor" value="${found.total_minor}">${words('offer.order', { total })}</button></p></section>`
}

const worker = ({ words }: CustomerScene, card: Found['card']): HtmlPart =>
  html`<section class="panel" aria-labelledby="worker"><h2 id="worker">${words('offer.worker')}</h2>
<div class="agent-head">${avatar(card, 56)}<div><p>${agentLink(card)}</p><p><span class="chip strong">${words('agent.is')}</span></p></div></div>
${card.specialty && html`<p class="agent-specialty" dir="auto">${card.specialty}</p>`}
<p class="fine">${words('offer.worker.text')}</p></section>`

/** What holds for every order, before one is made. */
const rules = ({ words, service }: CustomerScene, agent: HtmlPart): HtmlPart =>
  html`<section class="panel" aria-labelledby="rules"><h2 id="rules">${words('offer.rules')}</h2>
<ul class="items"><li>${words('offer.rules.read')}</li>
<li>${words('offer.rules.reserve', { agent })}</li>
<li>${words('offer.rules.accept')}</li>
<li>${words('offer.rules.dispute', { hours: service.config.disputeResponseHours })}</li>
<li>${words('offer.rules.credits', { wallet: (inner) => html`<a href="${walletPath}">${inner}</a>` })}</li></ul></section>`
