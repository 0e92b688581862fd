// What waits for a person past its time: in the log of the start, in a metric of each node, in /health/ready.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import { trade } from '../../test/orders.ts'
import { eventually, type World, world } from '../../test/world.ts'
import { hours } from '../kernel/clock.ts'
import { decide } from '../modules/orders/support.ts'
import { waits } from './modules.ts'
import { watchWaits } from './waits.ts'

/** The age of the oldest of a queue, in whole hours: the clock of a world goes on. */
async function gauge({ service }: World, queue: string): Promise<number | undefined> {
  const { values } = await service.metrics.oldestWaiting.get()
  const found = values.find(({ labels }) => labels.queue === queue)?.value
  return found === undefined ? undefined : Math.floor(found / 3600)
}

test('what waits past its time is named in the log of a start and in /health/ready; the metric has its age', async () => {
  const at = await world()
  try {
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
      msg: 'disputes wait for somebody to look at them: npm run operator -- disputes',
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
  } finally {
    await at.close()
  }
})
