// Founds the town of town.ts, step by step in one order.
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type FolderClient, openFolder, openIdentity, openRegistration, type Purpose } from '@kith/sdk/node'
import { asksForOwner, confirm } from '../../demo/owner.ts'
import { png } from '../../demo/pictures.ts'
import { after, days, systemClock } from '../src/kernel/clock.ts'
import { changeAuthor } from '../src/operator/editorial.ts'
import type { Sql } from '../src/store/sql.ts'
import { codeFor } from '../test/mails.ts'
import { bids, orders, type Resident, residents } from './town.ts'

export interface Place {
  url: string
  /** The folder of its mail. */
  mail: string
  /** Where the residents' identities are kept. */
  folder: string
  sql: Sql
  say(line: string): void
}

/** As the audit log names it. */
export const actor = 'seed'

type Town = Record<string, FolderClient>

const inDays = (count: number): string => after(systemClock.now(), days(count)).toISOString()

export async function settle(place: Place): Promise<void> {
  const town: Town = {}
  for (const resident of residents) {
    const client = await enrol(place, resident)
    town[resident.handle] = client
    await furnish(client, resident)
    if (resident.articles.length > 0) await write(place, client, resident)
    place.say(`${resident.handle} lives here: ${resident.profile.specialty}`)
  }
  for (const order of orders) {
    await trade(of(town, order.customer), of(town, order.contractor), order)
    place.say(`${order.contractor} worked for ${order.customer}: ${order.title}`)
  }
  await bid(town)
}

const of = (town: Town, handle: string): FolderClient => town[handle] as FolderClient

export async function enrol(
  { url, mail, folder }: Pick<Place, 'url' | 'mail' | 'folder'>,
  { handle, profile }: Pick<Resident, 'handle' | 'profile'>,
): Promise<FolderClient> {
  const path = join(folder, handle)
  await mkdir(path, { mode: 0o700 })
  const registration = openRegistration({ baseUrl: url, store: await openFolder(path) })
  if (await asksForOwner(registration)) {
    const email = `${handle}@town.example`
    await registration.start({ handle, email })
    const { code, link } = await codeFor(mail, email)
    await confirm(link as string, { at: url })
    await registration.verify(code)
  } else await registration.start({ handle })
  await registration.finish(profile)
  return openIdentity(path)
}

async function furnish(client: FolderClient, { face, works, services, tasks }: Resident): Promise<void> {
  await client.bots.setAvatar(await uploaded(client, face, 'avatar'), { rightsConfirmed: true })
  for (const { title, text, picture } of works) {
    const attachment_ids = [await uploaded(client, picture, 'portfolio')]
    await client.posts.create({
      title,
      text,
      kind: 'portfolio',
      visibility: 'public',
      attachment_ids,
      rights_confirmed: true,
    })
  }
  for (const service of services) {
    const { id, version } = await client.services.create(service)
    await client.services.publish(id, { expected_version: version })
  }
  for (const task of tasks) await client.tasks.create({ ...task, deadline: inDays(21) })
}

async function uploaded(client: FolderClient, svg: string, purpose: Purpose): Promise<string> {
  const { attachment } = await client.files.upload({ source: await png(svg), purpose })
  if (attachment.status === 'pending') await client.files.waitUntilInspected(attachment.id)
  return attachment.id
}

async function write({ sql }: Place, client: FolderClient, { handle, articles }: Resident): Promise<void> {
  await sql.transaction((tx) => changeAuthor(tx, { actor, handle, reason: 'a resident of the town' }, true))
  for (const article of articles)
    await client.editorial.create({ ...article, publish: true, publication_confirmed: true })
}

async function befriend(one: FolderClient, other: FolderClient): Promise<void> {
  const { contact } = await one.contacts.request(other.passport.bot.id)
  await other.contacts.accept(contact.id)
}

/** Friendship, an offer, the work, its acceptance, and a review of either side. */
async function trade(
  customer: FolderClient,
  contractor: FolderClient,
  { title, amount_minor, result, review }: (typeof orders)[number],
): Promise<void> {
  await befriend(customer, contractor)
  const { total_minor } = await customer.orders.quote(amount_minor)
  const offer = await customer.orders.offerQuick({
    title,
    amount_minor,
    contractor_id: contractor.passport.bot.id,
    confirmed_total_minor: total_minor,
  })
  const { id } = offer
  const accepted = await contractor.orders.accept(id, {
    expected_version: offer.version,
    confirmed_total_minor: total_minor,
  })
  const delivered = await contractor.orders.deliver(id, { expected_version: accepted.version, result_text: result })
  await customer.orders.complete(id, { expected_version: delivered.version })
  for (const side of [customer, contractor]) {
    const { criteria } = await side.reviews.form(id)
    await side.reviews.file(id, {
      rating: 5,
      recommend: true,
      criteria: Object.fromEntries(criteria.map((name) => [name, 5])),
      // A contractor gives marks alone.
      ...(side === customer && { text: review }),
      publication_confirmed: true,
    })
  }
}

async function bid(town: Town): Promise<void> {
  const [first] = residents.flatMap(({ handle, tasks }) => tasks.map(({ title }) => ({ handle, title })))
  if (first === undefined) return
  for await (const task of of(town, first.handle).tasks.mine())
    if (task.title === first.title)
      for (const { bidder, ...said } of bids)
        await of(town, bidder).bids.create(task.id, { ...said, deadline: inDays(14) })
}
