// What a program is killed in the middle of, in whichever language it is written: where it begins, and what has to be true
// once a second run has ended what the first began.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { generateKeyPair, keyPairOf } from '../src/box.ts'
import { openFolder } from '../src/node.ts'
import { eventIds, messageId, peerId } from './scenarios.ts'
import type { Standin } from './standin.ts'
import { attachSocket } from './standin-socket.ts'

type Act = (service: Standin, folder: string) => Promise<void>

export interface Story {
  prepare: Act
  judge: Act
  /** Looks at what the killed run left. */
  witness?: (folder: string) => Promise<void>
}

/** An identity that is registered already, with one friend. */
export async function registered(service: Standin, folder: string): Promise<void> {
  const keys = generateKeyPair()
  const token = 'kith_0000000000000000000000000000000000000000000'
  const bot = service.addBot({ handle: 'ada', encryption_public_key: keys.publicKey }, token)
  const friend = generateKeyPair()
  service.contacts.push({
    id: '0198c000-0000-7000-8000-0000000000cc',
    status: 'accepted',
    peer: { id: peerId, handle: 'bob', display_name: 'Bob', encryption_public_key: friend.publicKey },
  })
  const store = await openFolder(folder)
  await store.write('key', keys.secretKey)
  const token_expires_at = new Date(Date.now() + 20 * 86_400_000).toISOString()
  await store.write('token', JSON.stringify({ token, token_expires_at }))
  await store.write('passport.json', JSON.stringify({ base_url: service.url, bot }))
}

const tokenIn = async (folder: string): Promise<string> =>
  JSON.parse(await readFile(join(folder, 'token'), 'utf8')).token

export const linesOf = async (path: string): Promise<string[]> =>
  (await readFile(path, 'utf8').catch(() => '')).split('\n').slice(0, -1)

export const registering: Story = {
  async prepare() {},
  async judge(service, folder) {
    assert.equal(service.bots.size, 1)
    const [bot] = service.bots.values()
    assert.equal(service.tokens.get(await tokenIn(folder)), bot!.id)
    const key = (await readFile(join(folder, 'key'), 'utf8')).trim()
    assert.equal(keyPairOf(key).publicKey, bot!.encryption_public_key)
    assert.equal(JSON.parse(await readFile(join(folder, 'passport.json'), 'utf8')).bot.id, bot!.id)
  },
}

export const sending: Story = {
  prepare: registered,
  async judge(service, folder) {
    assert.deepEqual([...service.messages.keys()], [messageId])
    const sent = service.log.filter((line) => line.startsWith('POST /messages'))
    assert.equal(new Set(sent).size, 1, 'every sending had the same bytes')
    assert.deepEqual(await (await openFolder(folder)).list('journal'), [])
  },
}

/** `lost` is called where the token was lost, which the program has to report. */
export const rotating = (lost = () => {}): Story => ({
  prepare: registered,
  async judge(service, folder) {
    assert.ok(service.tokens.has(await tokenIn(folder)))
    const store = await openFolder(folder)
    assert.equal(await store.read('rotation.json'), undefined)
    const reason = await store.read('lost')
    if (reason) lost()
    assert.ok(reason === undefined || reason === 'rotation\n', `the loss was named ${reason}`)
  },
})

export function receiving(): Story {
  let socket: ReturnType<typeof attachSocket>
  let finished: string[] = []
  let before: string[] = []
  return {
    async prepare(service, folder) {
      await registered(service, folder)
      socket = attachSocket(service.server)
      const payload = { order_id: peerId, status: 'funded', version: 1 }
      socket.events = eventIds.map((event_id) => ({ event_id, kind: 'order.changed', payload }))
      const { remember } = service
      service.remember = () => {
        const back = remember()
        const { events, acks } = socket
        const then = structuredClone({ events, acks })
        return () => {
          back()
          Object.assign(socket, structuredClone(then))
        }
      }
    },
    async judge(_, folder) {
      const handled = await linesOf(join(folder, 'handled'))
      assert.deepEqual(new Set(handled), new Set(eventIds))
      const again = handled.slice(before.length)
      assert.deepEqual(
        again.filter((id) => finished.includes(id)),
        [],
      )
    },
    async witness(folder) {
      before = await linesOf(join(folder, 'handled'))
      const inbox = (await linesOf(join(folder, 'inbox', 'events.ndjson'))).map((line) => JSON.parse(line))
      const stored = inbox.flatMap((line) => (line.event ? [line.event.event_id] : []))
      finished = inbox.flatMap((line) => line.done ?? [])
      assert.deepEqual(
        socket.acks.filter((id) => !stored.includes(id)),
        [],
        'acknowledged, so stored',
      )
    },
  }
}
