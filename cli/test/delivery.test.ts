// Which event is handled when, and what is left on the disk at every moment: the rules of `kith listen --exec` without its
// processes and its clock.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { type FolderClient, type KithEvent, KithNetworkError, memoryStore, type Store } from '@kith/sdk/identity'
import { pluck } from '../../server/test/pluck.ts'
import { type Attempt, createDelivery, type Delivery, type Deps } from '../src/receiving/delivery.ts'
import { tryLater } from '../src/receiving/handler.ts'
import { lettersOf } from '../src/receiving/letters.ts'
import { recipients } from '../src/receiving/recipients.ts'
import { messageOf, subjectOf } from '../src/receiving/subject.ts'
import { orderEvent } from './ears.ts'

interface Ran {
  id: string
  attempt: number
}

/** A delivery whose command exits with what `exits` says; it sleeps no time. */
function bench(store: Store, inbox: Set<string>, exits: (ran: Ran) => number, more: Partial<Deps> = {}) {
  const told: Attempt[] = []
  const slept: number[] = []
  const ran: Ran[] = []
  const delivery = createDelivery({
    letters: lettersOf(store),
    parallel: 1,
    tries: 5,
    run: async ({ event_id: id }, attempt) => {
      ran.push({ id, attempt })
      await turn()
      return exits({ id, attempt })
    },
    done: async ({ event_id }) => void inbox.delete(event_id),
    says: async (attempt) => void told.push(attempt),
    sleep: async (ms) => void slept.push(ms),
    now: () => 0,
    ...more,
  })
  return { delivery, told, slept, ran }
}

const [one, two] = [orderEvent(1), orderEvent(2, 2)]
const outcomes = (told: readonly Attempt[]) => told.map(({ attempt, exit, outcome }) => `${attempt} ${exit} ${outcome}`)
const settled = (delivery: Delivery): Promise<unknown> => Promise.race([delivery.idle(), delivery.failed])

test('0 handles, 75 does not count, anything else does until the event is a dead letter', async () => {
  const store = memoryStore()
  const inbox = new Set([one.event_id])
  const exits = [75, 1, 75, 127, 143, 75, 2, 9]
  const first = bench(store, inbox, () => exits.shift()!)
  first.delivery.offer(one)
  await settled(first.delivery)
  assert.deepEqual(outcomes(first.told), [
    ...['1 75 later', '1 1 later', '2 75 later', '2 127 later', '3 143 later', '4 75 later', '4 2 later'],
    '5 9 dead',
  ])
  assert.deepEqual(
    first.slept,
    [1, 2, 4, 8, 16, 32, 64].map((seconds) => seconds * 1000),
  )
  assert.deepEqual([...inbox], [])
  const letters = lettersOf(store)
  const expected = { event: one, attempts: 5, exit: 9, died_at: '1970-01-01T00:00:00.000Z' }
  assert.deepEqual(await letters.read(one.event_id), expected)
  assert.deepEqual(await store.list('cli-tried'), [])

  // Its owner has it tried again: as often, and the runs before it are not forgotten.
  assert.deepEqual((await Promise.all(Array.from({ length: 20 }, () => letters.retry(one.event_id)))).filter(Boolean), [
    true,
  ])
  assert.deepEqual([await letters.dead(), await letters.again()], [[], [one.event_id]])
  const again = bench(store, inbox, () => 1, { tries: 2 })
  again.delivery.offerAgain((await letters.readAgain(one.event_id))!)
  await settled(again.delivery)
  assert.deepEqual(outcomes(again.told), ['6 1 later', '7 1 dead'])
  assert.deepEqual([await letters.dead(), await letters.again()], [[one.event_id], []])
  assert.ok(await letters.retry(one.event_id))
  const last = bench(store, inbox, () => 0)
  last.delivery.offerAgain((await letters.readAgain(one.event_id))!)
  await settled(last.delivery)
  assert.deepEqual(outcomes(last.told), ['8 0 handled'])
  assert.deepEqual([await letters.dead(), await letters.again(), await store.list('cli-tried')], [[], [], []])
  assert.deepEqual([await letters.retry(one.event_id), await letters.drop(one.event_id)], [false, false])
})

test('the wait doubles up to five minutes, and attempts are counted over restarts', async () => {
  const store = memoryStore()
  const inbox = new Set([one.event_id])
  let runs = 0
  const patient = bench(store, inbox, () => (++runs < 12 ? 75 : 1), { tries: 1 })
  patient.delivery.offer(one)
  await settled(patient.delivery)
  assert.deepEqual(patient.slept.slice(-4), [128_000, 256_000, 300_000, 300_000])
  assert.equal(outcomes(patient.told).at(-1), '1 1 dead')

  // Killed while it runs, then told to stop while it runs: the first counts, for the command was started; the second does not.
  let started = () => {}
  const isRunning = () => new Promise<void>((resolve) => (started = resolve))
  const endless = (killed: boolean): Partial<Deps> => ({
    run: async (_, __, signal) => {
      started()
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => !killed && resolve()))
      return 143
    },
  })
  const killed = bench(store, inbox, () => 0, endless(true))
  let running = isRunning()
  killed.delivery.offer(two)
  await running
  const stopped = bench(store, inbox, () => 0, endless(false))
  running = isRunning()
  stopped.delivery.offer(two)
  await running
  await stopped.delivery.stop()
  assert.deepEqual(outcomes(stopped.told), ['2 143 later'])
  const next = bench(store, inbox, () => 1, { tries: 2 })
  next.delivery.offer(two)
  await settled(next.delivery)
  assert.deepEqual(outcomes(next.told), ['2 1 dead'])
})

test('events of one subject stay in order behind one that is tried again, and others pass it', async () => {
  const inbox = new Set<string>()
  const events = Array.from({ length: 60 }, (_, n) => orderEvent(n, n % 7))
  let now = 0
  let most = 0
  const overlaps: string[] = []
  const busy = new Set<string>()
  const subjects = new Map(events.map((event) => [event.event_id, subjectOf(event)]))
  const { delivery, told } = bench(memoryStore(), inbox, () => 0, {
    parallel: 3,
    tries: 3,
    run: async (event, attempt) => {
      const subject = subjectOf(event)
      if (busy.has(subject)) overlaps.push(subject)
      busy.add(subject)
      most = Math.max(most, ++now)
      const n = Number(event.event_id.slice(-4))
      for (let wait = 0; wait < (n * 7) % 5; wait++) await turn()
      busy.delete(subject)
      now--
      // Every third fails once, every eleventh for good.
      return n % 11 === 0 || (n % 3 === 0 && attempt === 1) ? 1 : 0
    },
    sleep: async () => {
      for (let wait = 0; wait < 9; wait++) await turn()
    },
  })
  for (const event of events) delivery.offer(event)
  await settled(delivery)
  assert.deepEqual([most, overlaps], [3, []])
  const ended = told.filter(({ outcome }) => outcome !== 'later').map(({ event_id }) => event_id)
  for (const subject of new Set(subjects.values())) {
    const of = (ids: readonly string[]) => ids.filter((id) => subjects.get(id) === subject)
    assert.deepEqual(of(ended), of(events.map(({ event_id }) => event_id)), subject)
  }

  // One place, and its event waits: the other order passes, the second event of the same one does not.
  const [late, behind] = [orderEvent(1), orderEvent(3)]
  let runs = 0
  const { delivery: alone, told: order } = bench(memoryStore(), inbox, () => (++runs === 1 ? 75 : 0), {
    sleep: async () => {
      while (runs < 2) await turn()
    },
  })
  for (const event of [late, two, behind]) alone.offer(event)
  await settled(alone)
  assert.deepEqual(
    order.map(({ event_id, outcome }) => [event_id, outcome]),
    [
      [late.event_id, 'later'],
      [two.event_id, 'handled'],
      [late.event_id, 'handled'],
      [behind.event_id, 'handled'],
    ],
  )
})

test('a conversation, an order and a task are one subject each', () => {
  const bob = '0198c000-0000-7000-8000-0000000000bb'
  const about = (kind: string, payload: object) => subjectOf({ ...one, kind, payload } as KithEvent)
  const same: [KithEvent['kind'], object][][] = [
    [
      ['contact.accepted', { peer: { id: bob } }],
      ['message.created', { id: 'm', sender_id: bob, recipient_id: 'me' }],
      ['contact.blocked', { peer: { id: bob } }],
    ],
    [
      ['order.changed', { order_id: 'o', status: 'funded' }],
      ['order.lapsing', { order_id: 'o', list: 'orders' }],
      ['review.received', { order_id: 'o', list: 'orders' }],
    ],
    [
      ['task.available', { task_id: 't' }],
      ['bid.received', { task_id: 't', bid_id: 'b1' }],
      ['bid.changed', { task_id: 't', bid_id: 'b2' }],
    ],
    [
      ['wallet.credited', { entry_id: 'e1' }],
      ['wallet.credited', { entry_id: 'e2' }],
    ],
  ]
  const found = same.map((events) => new Set(events.map(([kind, payload]) => about(kind, payload))))
  assert.deepEqual(pluck(found, 'size'), [1, 1, 1, 1])
  assert.equal(new Set(found.flatMap((each) => [...each])).size, 4)
  assert.equal(about('something.new', {}), 'something.new')
})

test('the status of a message belongs to its conversation, which is found among the sent ones', async () => {
  const [bob, eve] = ['0198c000-0000-7000-8000-0000000000bb', '0198c000-0000-7000-8000-0000000000ee']
  const idOf = (n: number) => `0198c000-0000-7000-8000-${String(n).padStart(12, '0')}`
  let pages = 0
  let isGone = false
  const messages = {
    async *list() {
      if (isGone) throw new KithNetworkError('no connection')
      for (let n = 1_500; n > 0; n--) {
        if (n % 100 === 0) pages++
        yield { id: idOf(n), recipient_id: n % 2 === 0 ? bob : eve }
      }
    },
  }
  const find = recipients({ messages } as unknown as FolderClient)
  const event = {
    ...one,
    kind: 'message.status_changed',
    payload: { message_id: idOf(1_498), version: 2 },
  } as KithEvent
  assert.equal(
    subjectOf(event, await find(messageOf(event)!)),
    subjectOf({ ...one, kind: 'message.created', payload: { id: 'm', sender_id: bob } } as KithEvent),
  )
  assert.deepEqual([await find(idOf(1_499)), pages], [eve, 1], 'what was seen is known')
  assert.deepEqual([await find(idOf(1_001)), await find(idOf(400))], [eve, undefined])
  assert.equal(pages, 1 + 5 + 10, 'no further than a thousand')
  assert.deepEqual([await find(idOf(399)), pages], [undefined, 1 + 5 + 10], 'nor again for what is older')
  isGone = true
  assert.deepEqual([await find(idOf(1_499)), await find(idOf(3))], [eve, undefined])
  assert.equal(subjectOf(event), `message_id ${idOf(1_498)}`)
  assert.equal(messageOf(one), undefined)
})

class Killed extends Error {}

/** A store and an inbox whose user dies at the n-th point: before a write, or once it is on the disk. */
function mortal(store: Store, inbox: Set<string>, at: number) {
  let left = at
  const die = async <T>(act: () => Promise<T>): Promise<T> => {
    if (--left === 0) throw new Killed()
    const result = await act()
    if (--left === 0) throw new Killed()
    return result
  }
  const mortalStore: Store = {
    ...store,
    write: (name, text) => die(() => store.write(name, text)),
    remove: (name) => die(() => store.remove(name)),
    // A lock ends with its holder.
    lock: async () => async () => {},
  }
  const done = (event: KithEvent) => die(async () => void inbox.delete(event.event_id))
  return { store: mortalStore, done }
}

test('killed at every write, an event runs again or is done, and never neither', async () => {
  for (const script of [[0], [75, 1, 0], [1, 1], [1, 1, 'retry', 0], [1, 1, 'retry', 1, 75, 1, 'retry', 0]] as const) {
    for (let at = 1, isKilled = true; isKilled; at++) {
      isKilled = false
      const disk = memoryStore()
      const letters = lettersOf(disk)
      const inbox = new Set([one.event_id])
      const steps = [...script]
      const attempts: number[] = []
      let handled = 0
      /** One process; its owner may have a letter tried again before. */
      const live = async ({ store, done }: ReturnType<typeof mortal>) => {
        const { delivery } = bench(store, inbox, () => 0, {
          tries: 2,
          done,
          run: async (_, attempt) => {
            attempts.push(attempt)
            // A kill may have it run once more than the script says.
            const exit = typeof steps[0] === 'number' ? (steps.shift() as number) : Number(handled === 0)
            if (exit === 0) handled++
            if (exit === tryLater) attempts.pop()
            return exit
          },
        })
        const isRetried = async () => (await lettersOf(store).retry(one.event_id)) || (await letters.again()).length > 0
        if (steps[0] === 'retry' && (await isRetried())) steps.shift()
        const kept = await lettersOf(store).begin([...inbox])
        if (inbox.has(one.event_id) && !kept.has(one.event_id)) delivery.offer(one)
        if (kept.has(one.event_id)) inbox.delete(one.event_id)
        for (const id of await letters.again()) delivery.offerAgain((await letters.readAgain(id))!)
        await settled(delivery)
      }
      const first = mortal(disk, inbox, at)
      for (let n = 0; n < 9; n++) {
        await live(isKilled ? mortal(disk, inbox, Number.POSITIVE_INFINITY) : first).catch((error) => {
          assert.ok(error instanceof Killed, String(error))
          isKilled = true
        })
        const places = [...inbox, ...(await letters.dead()), ...(await letters.again())]
        assert.ok(handled > 0 || places.length > 0, `${script} killed at ${at}: lost`)
      }
      const last = [inbox.size, (await letters.dead()).length, (await letters.again()).length]
      assert.deepEqual(last, [0, handled > 0 ? 0 : 1, 0], `${script} killed at ${at}`)
      assert.deepEqual(await disk.list('cli-tried'), [])
      assert.deepEqual(
        attempts,
        [...new Set(attempts)].sort((a, b) => a - b),
        'each counts once more',
      )
    }
  }
})
