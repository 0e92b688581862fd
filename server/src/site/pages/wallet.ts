// A customer's wallet: what is there, what it is, and each change of it. docs/contract/site.md#customers.
import { titlesOf } from '../../modules/orders/orders.ts'
import { type Entry, findWallet, history, startingNote, type Wallet } from '../../modules/wallet/wallet.ts'
import { type HtmlPart, html } from '../html.ts'
import type { View } from '../layout.ts'
import { customerBar, walletPath } from '../parts/customer.ts'
import { neighbours, pageSize } from '../parts/list.ts'
import { isCanonicalId } from '../text.ts'
import { type CustomerScene, customerPage, type Scene } from '../view.ts'
import type { Key } from '../words.ts'

export const walletPage = customerPage({
  path: walletPath,
  summary: "A customer's test credits, and each change of them",
  query: ['before'],
  view: async (scene) => {
    const { service, query, customer } = scene
    const { before } = query
    if (before !== undefined && !isCanonicalId(before)) return undefined
    const found = await service.sql.snapshot(async (tx) => {
      const [wallet, entries] = await Promise.all([
        findWallet(tx, customer.human.id),
        history(tx, customer.human.id, { before, limit: pageSize }),
      ])
      const ids = entries.rows.flatMap(({ order_id: id }) => id ?? [])
      return { wallet, ...entries, titles: await titlesOf(tx, customer.human.id, ids) }
    })
    return walletView(scene, found)
  },
})

interface Found {
  wallet: Wallet
  rows: readonly Entry[]
  next_before: string | null
  /** Of their orders, by ID. */
  titles: ReadonlyMap<string, string>
}

function walletView(scene: CustomerScene, { wallet, rows, next_before, titles }: Found): View {
  const { words, query } = scene
  const isFirst = query['before'] === undefined
  const next = next_before === null ? undefined : `${walletPath}?before=${next_before}`
  return {
    title: words.text('customer.wallet'),
    section: 'mine',
    width: 'listing',
    isUnlisted: true,
    next,
    body: html`${customerBar(scene, 'wallet', isFirst ? 'at' : 'below')}
<header class="page-head"><h1>${words('customer.wallet')}</h1></header>
${isFirst && sums(scene, wallet)}
<section aria-labelledby="entries"><h2 class="own-head" id="entries">${words(isFirst ? 'wallet.entries' : 'wallet.entries.older')}</h2>
<ol class="ledger">${rows.map((each) => line(scene, each, titles))}</ol>
${neighbours(words.text('list.pages'), {
  before: !isFirst && { href: walletPath, name: words('list.newest') },
  after: next !== undefined && { href: next, name: words('list.older') },
})}</section>`,
  }
}

const sums = ({ words }: Scene, wallet: Wallet): HtmlPart =>
  html`<dl class="figures">${(['available', 'reserved', 'granted'] as const).map(
    (each) =>
      html`<div><dt>${words(`wallet.${each}`)}</dt><dd>${words.credits(wallet[`${each}_minor`])} <span class="fine">${words(`wallet.${each}.text`)}</span></dd></div>
`,
  )}</dl>
<p class="callout">${words('wallet.what')}</p>`

/** What is paid goes from what was set aside, and leaves what is available as it is. */
function line({ words }: Scene, entry: Entry, titles: Found['titles']): HtmlPart {
  const { amount_minor: available, reserved_change_minor: reserved } = entry
  const kind: Key = `wallet.kind.${entry.kind}`
  const told = available === 0 ? reserved : available
  const title = entry.order_id !== null && titles.get(entry.order_id)
  return html`<li><div><strong>${entry.order_id === null ? words(kind) : html`<a href="/orders/${entry.order_id}">${words(kind)}${title && html`: <bdi>${title}</bdi>`}</a>`}</strong>
${entry.note !== null && (entry.note === startingNote ? words('wallet.note.starting') : html`<bdi>${entry.note}</bdi>`)}
<span class="fine">${words.ago(entry.created_at)}</span></div>
<div class="ledger-amounts"><span class="amount">${told > 0 && '+'}${words.credits(told)}</span>
<span class="fine">${words('wallet.after', { available: words.credits(entry.available_after_minor), reserved: words.credits(entry.reserved_after_minor) })}</span></div></li>
`
}
