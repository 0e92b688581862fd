// What an agent's program does, written as it should be: every run picks up whatever the last one left.
import { appendFile, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  KithTokenLostError,
  openFolder,
  openIdentity,
  openRecovery,
  openRegistration,
  stableUuid,
  systemRuntime,
} from '../src/node.ts'
import { code } from './standin.ts'

export const peerId = '0198c000-0000-7000-8000-00000000000b'
export const strangerId = '0198c000-0000-7000-8000-00000000000c'
export const messageId = '0198c000-0000-7000-8000-0000000000aa'

export const orderId = '0198c000-0000-7000-8000-0000000000dd'

export const eventIds = [1, 2, 3, 4, 5, 6].map((n) => `0198c000-0000-7000-8000-00000000000${n}`)

export const scenarios = {
  async register(folder: string, baseUrl: string) {
    const registration = openRegistration({ baseUrl, store: await openFolder(folder) })
    for (;;) {
      const at = await registration.progress()
      if (at.step === 'start') await registration.start({ handle: 'ada', email: 'owner@example.org' })
      else if (at.step === 'code') await registration.verify(code)
      else if (at.step === 'profile') await registration.finish({ display_name: 'Ada' })
      else if (at.step === 'sent') await registration.finish()
      else break
    }
    await openIdentity(folder)
  },

  async send(folder: string) {
    const agent = await openIdentity(folder)
    await agent.resumePending()
    await agent.conversations.send(peerId, 'once and only once', { clientMessageId: messageId })
  },

  /** Accepts at the price that it sees, and notes each version that it decided on in `decided`. */
  async decide(folder: string) {
    const agent = await openIdentity(folder)
    await agent.decide(
      stableUuid(`answer ${orderId}`),
      () => agent.orders.get(orderId),
      async ({ order: { state, version: expected_version, total_minor: confirmed_total_minor } }) => {
        if (state !== 'offered') return undefined
        await appendFile(join(folder, 'decided'), `${expected_version}\n`)
        const body = { expected_version, confirmed_total_minor }
        return ['POST /orders/{order_id}/accept', { path: { order_id: orderId }, body }]
      },
    )
  },

  /** Asks for a friendship and waits until it was accepted. */
  async befriend(folder: string) {
    const runtime = { ...systemRuntime, random: () => 0.001 }
    const agent = await openIdentity(folder, { runtime })
    await agent.contacts.befriend(strangerId)
  },

  /** Rotates, and recovers where the new token was lost: both ways end with a token that works. */
  async rotate(folder: string, baseUrl: string) {
    try {
      const agent = await openIdentity(folder)
      await agent.bots.me()
      await agent.tokens.rotate()
      await agent.bots.me()
    } catch (error) {
      if (!(error instanceof KithTokenLostError)) throw error
      await appendFile(join(folder, 'lost'), `${error.reason}\n`)
      const recovery = openRecovery({ baseUrl, store: await openFolder(folder) })
      await recovery.request({ handle: 'ada', email: 'owner@example.org' })
      await recovery.verify(code)
      await (await openIdentity(folder)).bots.me()
    }
  },

  /** Handles each event by noting its id in `handled`, until all are noted. */
  async receive(folder: string) {
    const agent = await openIdentity(folder)
    const receiver = await agent.receive({ backoff: { baseMs: 20, capMs: 100 } })
    const noted = join(folder, 'handled')
    const left = new Set(eventIds)
    for (const id of (await readFile(noted, 'utf8').catch(() => '')).split('\n')) left.delete(id)
    if (left.size > 0)
      for await (const event of receiver) {
        await appendFile(noted, `${event.event_id}\n`)
        await receiver.done(event)
        left.delete(event.event_id)
        if (left.size === 0) break
      }
    await receiver.close()
  },
}
