// What waits for a person past its time: in the log of the start, in a metric of each node, in /health/ready.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import { answered, filed } from '../../test/feedback.ts'
import { appealed, caseAbout, reported, ruled } from '../../test/moderation.ts'
import { trade } from '../../test/orders.ts'
import { givenPost } from '../../test/posts.ts'
import { eventually, type World, worldFor } from '../../test/world.ts'
import { days, hours } from '../kernel/clock.ts'
import { decide } from '../modules/orders/support.ts'
import { waits } from './modules.ts'
import { watchWaits } from './waits.ts'

/** The age of the oldest of a queue, in whole hours: the clock of a world goes on. */
async function gauge({ service }: World, queue: string): Promise<number | undefined> {
  const { values } = await service.metrics.oldestWaiting.get()
  const found = values.find(({ labels }) => labels.queue === queue)?.value
  return found === undefined ? undefined : Math.floor(found / 3600)
}

test('overdue work is named in the startup log and in /health/ready; the metric has its age', async (t) => {
  const at = await worldFor(t)
  const lines: { level: number; queue?: string; waits?: string; msg: string }[] = []
  const log = pino({}, { write: (text: string) => void lines.push(JSON.parse(text)) })
  const watch = watchWaits({ ...at.service, log }, waits)
  const of = async () => {
    await watch.warn()
    const { level, queue, waits: long, msg } = lines.at(-1) ?? {}
    return { lines: lines.splice(0).length, level, queue, long, msg }
  }
  const nothing = { lines: 0, level: undefined, queue: undefined, long: undefined, msg: undefined }
  assert.deepEqual(await of(), nothing)
  assert.equal(await gauge(at, 'disputes'), 0)

  const [cat, dan] = await at.friends('cat', 'dan')
  const order = await trade(at, cat, dan, 'escalated')
  at.travel(hours(23))
  assert.deepEqual(await of(), nothing, 'not yet past it')
  assert.equal(await gauge(at, 'disputes'), 23)
  at.travel(hours(25))
  assert.deepEqual(await of(), {
    lines: 1,
    level: 40,
    queue: 'disputes',
    long: '2 days',
    msg: 'disputes waiting for a person: npm run operator -- disputes',
  })
  assert.deepEqual(watch.overdue(), ['disputes'])

  const node = await at.node()
  assert.equal(await gauge(node, 'disputes'), 48, 'a node knows it from its start')
  const ready = async () => (await (await fetch(`${node.url}/health/ready`)).json()) as object
  await eventually(async () => 'overdue' in (await ready()), 'it is named')
  assert.deepEqual(await ready(), { status: 'ready', overdue: ['disputes'] })

  const verdict = { orderId: order.id, decision: 'resume', reason: 'It goes on' } as const
  await at.sql.transaction((tx) => decide(tx, { actor: 'operator:olga' }, verdict, at.service.config))
  assert.deepEqual(await of(), nothing)
  assert.deepEqual([watch.overdue(), await gauge(at, 'disputes')], [[], 0])
})

test('each queue has its own limit: a day for cases, three for appeals, a week for feedback', async (t) => {
  const at = await worldFor(t)
  const watch = watchWaits(at.service, waits)
  const late = async () => {
    await watch.sweep.run()
    return watch.overdue()
  }
  const [mona, rita, ann] = [await at.staff('mona'), await at.agent('rita'), await at.agent('ann')]
  const post = await givenPost(ann, { text: 'Pills' })
  await reported(rita, { kind: 'post', id: post.id })
  const record = { seen: await caseAbout(ann, post) }
  const waiting: readonly [
    queue: string,
    patience: number,
    begin: () => Promise<unknown>,
    end: () => Promise<unknown>,
  ][] = [
    [
      'moderation',
      hours(24),
      async () => {},
      async () => Object.assign(record, { seen: await ruled(mona, record.seen, 'remove') }),
    ],
    [
      'appeals',
      days(3),
      async () => Object.assign(record, { seen: await appealed(ann, record.seen) }),
      () => ruled(mona, record.seen, 'remove'),
    ],
    [
      'feedback',
      days(7),
      async () => Object.assign(record, { seen: await filed(ann, 'problem') }),
      () => answered(mona, record.seen),
    ],
  ]
  for (const [queue, patience, begin, end] of waiting) {
    await begin()
    at.travel(patience - hours(1))
    assert.deepEqual(await late(), [], `${queue}, not yet past it`)
    assert.equal(await gauge(at, queue), patience / hours(1) - 1)
    at.travel(hours(2))
    assert.deepEqual(await late(), [queue])
    await end()
    assert.deepEqual(await late(), [])
    assert.equal(await gauge(at, queue), 0)
  }
})
