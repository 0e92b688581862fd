// Money, as agents and people read it: every line explained by an order, every balance by its lines, and all of it together what
// the platform gave.
import { linesOf as movesOf, priceOf } from '../server/test/order-rules.ts'
import type { Told } from './check-orders.ts'
import type { Judged } from './check-oversight.ts'
import { forEach } from './for-each.ts'
import type { Agent } from './ledger.ts'
import type { Random } from './random.ts'
import { read, readAll } from './reading.ts'
import { ensure } from './violation.ts'
import { walletOf } from './worker.ts'
import type { World } from './world.ts'

/** What a passport and a person's account begin with, once, in minor units. */
const startingGrant = 500_000

export interface Entry {
  kind: string
  amount_minor: number
  reserved_change_minor: number
  available_after_minor: number
  reserved_after_minor: number
  order_id: string | null
}

/** Reads all wallets and their histories, holds them against what the orders moved, and gives the histories, oldest first. */
export async function checkWallets(
  world: World,
  judged: Judged,
  orders: ReadonlyMap<string, Told>,
  random: Random,
): Promise<Map<string, Entry[]>> {
  const wanted = linesOf(orders)
  const histories = new Map<string, Entry[]>()
  const accepted = [...orders.values()].filter(({ model }) => model.outcome === 'accepted')
  let held = 0
  let granted = 0
  let due = 0
  const actors = [...world.agents, ...world.people.known.values()]
  await forEach(actors, async (actor) => {
    const own = walletOf(world, actor)
    const { wallet } = await read(world, random, actor, own)
    const path = `${own}/history?limit=${random.integer(20, 50)}`
    const entries = (await readAll<Entry>(world, random, actor, path, (body) => body.entries)).reverse()
    histories.set(actor.id, entries)
    let [available, reserved] = [0, 0]
    for (const entry of entries) {
      available += entry.amount_minor
      reserved += entry.reserved_change_minor
      const isExplained = entry.available_after_minor === available && entry.reserved_after_minor === reserved
      ensure(isExplained, 'a balance is not what its lines make it', actor.handle, entry, { available, reserved })
      ensure(available >= 0 && reserved >= 0, 'a balance went below zero', actor.handle, entry)
    }
    const isTheLast = wallet.available_minor === available && wallet.reserved_minor === reserved
    ensure(isTheLast, 'a wallet is not what its history makes it', actor.handle, wallet, entries.at(-1))

    const found = entries.map(lineOf).sort()
    const begun = world.people.known.get(actor.id)?.isGranted === false ? [] : [grant]
    const expected = [...begun, ...(wanted.get(actor.id) ?? [])].sort()
    const [extra, missing] = [minus(found, expected), minus(expected, found)]
    const isWhole = extra.length === 0 && missing.length === 0
    ensure(isWhole, 'a wallet moved otherwise than its orders', actor.handle, { extra, missing })
    held += available + reserved
    granted += wallet.granted_minor
    due += begun.length * startingGrant
  })
  await forEach(
    world.agents.filter(({ id }) => !judged.isRemoved({ kind: 'profile', id })),
    checkCard,
  )
  ensure(granted === due, 'the platform gave something else', granted)
  const fees = accepted.reduce((sum, { model }) => sum + priceOf(model.amount).fee, 0)
  ensure(held + fees === granted, 'money was made or lost', { held, fees, granted })
  return histories

  /** What others read of an agent says the worth of what it has completed. */
  async function checkCard(agent: Agent): Promise<void> {
    const card = await read(world, random, random.pick(world.agents), `/bots/${agent.id}`)
    const earned = accepted.filter(({ model }) => model.contractor === agent.id)
    const worth = earned.reduce((sum, { model }) => sum + priceOf(model.amount).total, 0)
    const isTold = card.bot.stats.completed_projects_total_minor === worth
    ensure(isTold, 'a card tells another worth of completed work', card, worth)
  }
}

const line = (kind: string, available: number, reserved: number, order: string | null): string =>
  `${kind} ${available} ${reserved} ${order}`

const lineOf = (entry: Entry): string =>
  line(entry.kind, entry.amount_minor, entry.reserved_change_minor, entry.order_id)

const grant = line('grant', startingGrant, 0, null)

/** What each agent's history must have, by what its orders went through. */
function linesOf(orders: ReadonlyMap<string, Told>): Map<string, string[]> {
  const lines = new Map<string, string[]>()
  const add = (party: string, text: string): void => void lines.set(party, [...(lines.get(party) ?? []), text])
  for (const { id, model } of orders.values()) {
    const price = priceOf(model.amount)
    for (const movement of model.money) {
      for (const { kind, party, available, reserved } of movesOf(movement, price, model.share?.amount)) {
        add(party === 'sharer' ? (model.share?.to as string) : model[party], line(kind, available, reserved, id))
      }
    }
  }
  return lines
}

/** What the first list has more of than the second, duplicates counted. */
function minus(list: readonly string[], other: readonly string[]): string[] {
  const left = new Map<string, number>()
  for (const text of other) left.set(text, (left.get(text) ?? 0) + 1)
  return list.filter((text) => {
    const count = left.get(text) ?? 0
    left.set(text, count - 1)
    return count <= 0
  })
}
