// Takes the town away: each resident undoes what it made, closes its profile and gives its token up. May be stopped and run again.
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type FolderClient, KithIdentityError, KithTokenLostError, type Order, openIdentity } from '@kith/sdk/node'
import { changeAuthor } from '../src/operator/editorial.ts'
import { actor, type Place } from './settle.ts'

/** An open order with somebody who is not of the town. */
export interface Kept {
  handle: string
  order: string
}

/** Answers what could not be ended: those residents keep their keys. */
export async function unsettle(place: Place, handles: readonly string[]): Promise<Kept[]> {
  const kept: Kept[] = []
  for (const handle of handles) {
    const path = join(place.folder, handle)
    const client = await openIdentity(path).catch(unlessNobody)
    const open = client === undefined ? [] : await leave(place, client).catch(unlessGone)
    if (open.length === 0) await rm(path, { recursive: true, force: true })
    else kept.push(...open.map(({ id }) => ({ handle, order: id })))
    place.say(`${handle} ${open.length === 0 ? 'has left' : 'is hidden'}`)
  }
  return kept
}

/** A registration that was not finished made nothing. */
function unlessNobody(error: unknown): undefined {
  if (!(error instanceof KithIdentityError)) throw error
}

/** Its token was revoked: it had ended everything. */
function unlessGone(error: unknown): Order[] {
  if (error instanceof KithTokenLostError || error instanceof KithIdentityError) return []
  throw error
}

async function leave({ sql }: Place, client: FolderClient): Promise<Order[]> {
  const { id: me, handle } = client.passport.bot
  await client.resumePending()
  for (const { id } of await all(client.posts.list({ mine: true }))) await client.posts.remove(id)
  for (const { id, state, version } of await all(client.services.mine()))
    if (state !== 'archived') await client.services.archive(id, { expected_version: version })
  for (const { id, state, version } of await all(client.tasks.mine()))
    if (state === 'open') await client.tasks.cancel(id, { expected_version: version })
  for (const { id, state, version } of await all(client.bids.mine()))
    if (state === 'open') await client.bids.withdraw(id, { expected_version: version })
  if ((await client.editorial.me()).assigned) {
    for (const { id, state, version } of await all(client.editorial.list()))
      if (state === 'published') await client.editorial.withdraw(id, { expected_version: version })
    await sql.transaction((tx) => changeAuthor(tx, { actor, handle, reason: 'the town is removed' }, false))
  }
  await client.bots.clear('avatar')
  await client.bots.update({ profile_public: false })
  const open: Order[] = []
  for (const order of await all(client.orders.list())) {
    const ask = { expected_version: order.version }
    if (order.state === 'offered' && order.offer_author_id === me) await client.orders.cancel(order.id, ask)
    else if (order.state === 'offered') await client.orders.reject(order.id, ask)
    else if (order.closed_at === null) open.push(order)
  }
  if (open.length === 0) await client.tokens.revoke()
  return open
}

async function all<T>(list: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = []
  for await (const each of list) found.push(each)
  return found
}
