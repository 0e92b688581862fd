// The form of an order: who does the work and what holds for every order, what is typed, the files, and the price before anything
// is agreed to. docs/contract/site.md#ordering.
import { randomUUID } from 'node:crypto'
import { newestListedOf } from '../../modules/catalog/services.ts'
import type { Service } from '../../modules/catalog/show.ts'
import type { AgentRow } from '../../modules/identity/passport.ts'
import { isHandle } from '../../modules/identity/shapes.ts'
import { type Paid, paidTo, paidToAll } from '../../modules/orders/paid.ts'
import { publicCard } from '../../modules/profiles/cards.ts'
import { findOpenByHandle } from '../../modules/profiles/profiles.ts'
import type { Query } from '../../store/sql.ts'
import { type HtmlPart, html, join } from '../html.ts'
import type { View } from '../layout.ts'
import { customerBar } from '../parts/customer.ts'
import { type Attempt, entry, hiddenFields, problemNote, statusOf } from '../parts/form.ts'
import { newOrderPath, orderFrom } from '../parts/order.ts'
import { fileBoxes } from '../parts/order-files.ts'
import { filesField, mostFiles, priceTyped } from '../parts/order-offer.ts'
import {
  type Belongings,
  belongingsOf,
  defaultButton,
  pricePanel,
  rules,
  suspendedNote,
  worker,
} from '../parts/order-terms.ts'
import { servicePath } from '../parts/service.ts'
import type { CustomerScene } from '../view.ts'

/** Examples of its prices. */
const mostServices = 3

export const filesPath = `${newOrderPath}/files`

/** Whose handle it is, where orders of people are taken. */
export const agentOf = async (sql: Query, handle: string | undefined): Promise<AgentRow | undefined> =>
  handle !== undefined && isHandle(handle) ? findOpenByHandle(sql, handle) : undefined

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

/** The form as it was typed; undefined if nobody takes orders by that handle. */
export async function offerView(scene: CustomerScene, offering: Offering): Promise<View | undefined> {
  const { service, customer } = scene
  const found = await service.sql.snapshot(async (tx) => {
    const agent = await agentOf(tx, offering.handle)
    if (!agent) return undefined
    const [card, own, services, paid] = await Promise.all([
      publicCard(tx, service, agent),
      belongingsOf(tx, customer.human),
      newestListedOf(tx, agent.id, mostServices),
      paidTo(tx, agent.id),
    ])
    return { card, ...own, services, paid, paidToAll: paid ? undefined : await paidToAll(tx) }
  })
  return found && view(scene, found, offering)
}

interface Found extends Belongings {
  card: Awaited<ReturnType<typeof publicCard>>
  /** What has a price of this agent's own. */
  services: readonly Service[]
  /** To this agent; where too little is known of that, on the whole server. */
  paid: Paid | undefined
  paidToAll: Paid | undefined
}

function view(scene: CustomerScene, found: Found, { attempt, files, isPriced = false, added }: Offering): View {
  const { words } = scene
  const { card, wallet, cards } = found
  const name = html`<bdi>${card.display_name}</bdi>`
  return {
    title: words.text('offer.head', { name: card.display_name }),
    section: 'mine',
    width: 'page',
    here: orderFrom(card.handle),
    isUnlisted: true,
    ...statusOf(attempt),
    body: html`${customerBar(scene, 'orders', 'below')}<div class="beside">
<div class="offer"><div class="page-head"><h1>${words('offer.head', { name })}</h1>
<p class="lead">${words('offer.lead')}</p></div>
${suspendedNote(scene, found)}
<form method="post" action="${newOrderPath}">${hiddenFields(scene, attempt)}<input type="hidden" name="upload_id" value="${randomUUID()}"><input type="hidden" name="contractor" value="${card.handle}">
${defaultButton(scene)}
${problemNote(attempt)}
${entry(attempt, { name: 'title', label: words('offer.title'), hint: words('offer.title.hint'), isRequired: true, autocomplete: 'off' })}
${entry(attempt, { name: 'description', label: words('offer.description'), hint: words('offer.description.hint'), rows: 8, isRequired: true })}
${entry(attempt, { name: 'deadline', label: words('offer.deadline'), hint: words('offer.deadline.hint'), type: 'datetime-local', isRequired: true })}
${entry(attempt, { name: 'amount', label: words('offer.amount'), hint: amountHint(scene, found, name), isRequired: true, inputMode: 'decimal', autocomplete: 'off' })}
${fileBoxes(scene, { cards, files, attempt, added, filesPath, most: mostFiles, field: filesField })}
${isPriced && priceSection(scene, attempt, wallet, name)}
<p class="actions"><button class="button${isPriced && ' quiet'}" type="submit">${words(isPriced ? 'offer.check.again' : 'offer.check')}</button></p></form></div>
<aside>${worker(scene, card)}${rules(scene, name)}</aside></div>`,
  }
}

/** What the reward is, with what others paid and what the agent itself asks for. */
function amountHint(scene: CustomerScene, found: Found, agent: HtmlPart): HtmlPart {
  const { words } = scene
  const { wallet, services } = found
  const others = othersPaid(scene, found, agent)
  return html`${words('offer.amount.hint', { available: words.credits(wallet.available_minor) })}${others && html`<br>${others}`}${
    services.length > 0 &&
    html`<br>${words('offer.amount.services', {
      services: join(
        services.map(
          ({ id, title, total_minor: total }) =>
            html`<a href="${servicePath(id)}"><bdi>${title}</bdi></a> (${words.credits(total)})`,
        ),
        ', ',
      ),
    })}`
  }`
}

/** Nothing while too little was completed to say it without telling what somebody paid. */
function othersPaid({ words }: CustomerScene, { paid, paidToAll: all }: Found, agent: HtmlPart): HtmlPart {
  const found = paid ?? all
  if (!found) return undefined
  const [low, high] = [words.credits(found.low), words.credits(found.high)]
  const [own, everyones] =
    found.low === found.high
      ? (['offer.amount.paid.same', 'offer.amount.paid.all.same'] as const)
      : (['offer.amount.paid', 'offer.amount.paid.all'] as const)
  return words(paid ? own : everyones, { agent, count: found.count, low, high })
}

/** What is agreed to, before it is; nothing if no price can be told. */
function priceSection(scene: CustomerScene, { values }: Attempt, wallet: Found['wallet'], agent: HtmlPart): HtmlPart {
  const found = priceTyped(values)
  return found && pricePanel(scene, { price: found, wallet, agent })
}
