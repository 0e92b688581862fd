// Those who hold others up: senders that drip, and videos that take minutes. Whoever sends at once is through at once.
// docs/contract/attachments.md
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { jpeg, pdf, png } from '../../../test/corpus.ts'
import { video } from '../../../test/corpus-media.ts'
import { story } from '../../../test/story.ts'
import {
  assertFilesAddUp,
  begin,
  filePart,
  form,
  incomingOf,
  inspected,
  type Sending,
  upload,
  usualFields,
  withTimes,
} from '../../../test/upload.ts'
import { type Agent, eventually } from '../../../test/world.ts'
import type { InspectionTask } from '../../inspect/inspectors.ts'
import { type PaceTimes, usualPace } from './pace.ts'

const photo = await jpeg({ width: 900, height: 900, noise: true })
const { w, ada } = story('ada')
after(() => assertFilesAddUp(w))

const withPace = (pace: Partial<PaceTimes>, story: () => Promise<void>): Promise<void> =>
  withTimes(w, { pace: { ...usualPace, ...pace } }, story)

/** Uploads that send a byte now and then, until they are told to stop. */
function drip(agents: readonly Agent[], each: number): { sendings: Sending[]; stop: () => void } {
  const whole = form([...usualFields(), filePart(photo)])
  const sendings = agents.flatMap((agent) =>
    Array.from({ length: each }, () => begin(w, agent, { 'content-length': whole.length })),
  )
  let at = 300
  for (const { request } of sendings) request.write(whole.subarray(0, at))
  const drop = setInterval(() => {
    at++
    for (const { request } of sendings) request.write(whole.subarray(at - 1, at))
  }, 100)
  return {
    sendings,
    stop() {
      clearInterval(drop)
      for (const { request } of sendings) request.destroy()
    },
  }
}

const some = (count: number, name: string): Promise<Agent[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => w.agent(`${name}_${index}`)))

/** Neither ends for being slow. */
const never = { over: 600_000, least: 1 }

test('four agents that send as slowly as allowed leave turns for a fast one', async () => {
  await withPace({ alone: never, crowded: never }, async () => {
    const { stop } = drip(await some(4, 'dripping'), 8)
    try {
      await eventually(async () => (await incomingOf(w.service)).length >= 24, 'all that they get')
      assert.equal((await upload(w, ada, photo)).status, 201)
    } finally {
      stop()
    }
  })
})

test('a very slow sender is refused long before the upload’s time limit', async () => {
  await withPace({ alone: { over: 2000, least: 8 * 1024 }, crowded: never, every: 100 }, async () => {
    const { sendings, stop } = drip(await some(2, 'told'), 2)
    try {
      for (const { answer } of sendings) {
        const heard = await answer
        assert.deepEqual([heard?.status, heard?.body.error.code], [408, 'request_timeout'])
      }
    } finally {
      stop()
    }
    await eventually(async () => (await incomingOf(w.service)).length === 0, 'nothing of it left')
    const whole = form([...usualFields(), filePart(photo)])
    const { request, answer } = begin(w, ada, { 'content-length': whole.length })
    // Slow, but not that slow: it takes longer than the time over which it is measured.
    for (let at = 0; at < whole.length; at += 40_000) {
      request.write(whole.subarray(at, at + 40_000))
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
    request.end()
    assert.equal((await answer)?.status, 201)
  })
})

test('a stalled sender loses its turn only when another one waits', async () => {
  const crowded = { over: 400, least: 64 * 1024 }
  await withPace({ alone: never, crowded, every: 100 }, async () => {
    const { sendings, stop } = drip(await some(32, 'stalling'), 1)
    try {
      let ended = 0
      for (const { answer } of sendings) {
        answer.then((heard) => {
          if (heard?.status === 408) ended++
        })
      }
      await eventually(async () => (await incomingOf(w.service)).length === 32, 'all turns taken')
      assert.equal(ended, 0, 'one that drips itself is no reason')
      assert.equal((await upload(w, ada, photo)).status, 201)
      await eventually(() => ended > 0, 'one that gave way')
    } finally {
      stop()
    }
  })
})

test('pictures never wait behind videos, on any node and from any sender', async () => {
  const [bea, cleo] = [await w.agent('bea'), await w.agent('cleo')]
  const other = await w.node()
  const clip = await video({ seconds: 1 })
  // Each video takes as long as the story does.
  const { promise: end, resolve: letEnd } = Promise.withResolvers<void>()
  let videos = 0
  let mostVideos = 0
  for (const { service } of [w, other]) {
    const { inspect } = service.inspector
    const slowly = async (task: InspectionTask, signal: AbortSignal) => {
      if (task.format !== 'mp4') return inspect(task, signal)
      mostVideos = Math.max(mostVideos, ++videos)
      await end
      return inspect(task, signal).finally(() => videos--)
    }
    Object.assign(service.inspector, { inspect: slowly })
  }
  const sent = [upload(w, bea, clip), upload(w, bea, clip), upload(other, cleo, clip), upload(w, cleo, clip)]
  await eventually(() => videos === 1, 'a video that is being inspected')
  const small = await png()
  for (const [at, agent] of [
    [w, ada],
    [other, ada],
    [w, bea],
    [other, cleo],
  ] as const) {
    const purposes = ['portfolio', 'order'] as const
    for (const purpose of purposes) {
      const { status, body } = await upload(at, agent, small, { purpose })
      assert.equal(status, 201, JSON.stringify(body))
      // On a busy machine the answer may come before it; the videos run on until all of these are done.
      await eventually(async () => {
        const card = await at.request('GET', `/attachments/${body.attachment.id}`, { token: agent.token })
        return card.body.attachment.status === 'ready'
      }, 'a picture that is ready')
    }
  }
  assert.deepEqual([videos, mostVideos], [1, 1], 'they still run, one at a time')
  letEnd()
  for (const [at, answer] of (await Promise.all(sent)).entries())
    assert.deepEqual([answer.status, (await inspected(w, at < 2 ? bea : cleo, answer)).status], [201, 'ready'])
  assert.equal(mostVideos, 1)
})

test("six heavy documents of one agent do not delay another agent's picture", async () => {
  const [ann, bob] = [await w.agent('ann'), await w.agent('bob')]
  const other = await w.node()
  const begun: string[] = []
  const ends: (() => void)[] = []
  for (const { service } of [w, other]) {
    const { inspect } = service.inspector
    const slowly = async (task: InspectionTask, signal: AbortSignal) => {
      begun.push(task.format)
      if (task.format === 'pdf') await new Promise<void>((resolve) => ends.push(resolve))
      return inspect(task, signal)
    }
    Object.assign(service.inspector, { inspect: slowly })
  }
  const sent = Array.from({ length: 6 }, () => upload(w, ann, pdf({ pages: 1 })))
  await eventually(() => begun.length === 2, 'both slots, which nobody else wants')
  sent.push(upload(other, bob, await png()))
  const waits = async (): Promise<boolean> =>
    (await w.sql`select 1 from inspections where node_id = ${bob.id}`).length > 0
  await eventually(waits, 'a picture that waits')
  ends.shift()?.()
  await eventually(() => begun.length > 2, 'whoever is next')
  assert.deepEqual(begun.slice(0, 3), ['pdf', 'pdf', 'png'])
  const drain = setInterval(() => ends.shift()?.(), 20)
  try {
    for (const [at, answer] of (await Promise.all(sent)).entries())
      assert.deepEqual([answer.status, (await inspected(w, at < 6 ? ann : bob, answer)).status], [201, 'ready'])
  } finally {
    clearInterval(drain)
  }
})
