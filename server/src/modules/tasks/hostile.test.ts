// What is sent to the board to break it, read what is not theirs, or be done twice; and that nothing comes of it.
// docs/contract/tasks.md.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { givenFile, storedFile } from '../../../test/files.ts'
import { sweepAll } from '../../../test/heard.ts'
import { inTime, type Shown, step } from '../../../test/orders.ts'
import { story } from '../../../test/story.ts'
import { bid, cancel, publish, select, taskBody } from '../../../test/tasks.ts'
import { read as readBytes } from '../../../test/upload.ts'
import { type Agent, code, eventually } from '../../../test/world.ts'
import { days, hours, minutes } from '../../kernel/clock.ts'

const { w, ada, bob, cid, eve } = story('ada', 'bob', 'cid', 'eve', { env: { FILE_RETENTION_DAYS: '2' } })

test('texts come back unchanged and are found', async () => {
  const title = `<script>alert(1)</script> %00 ' OR 1=1 -- {{x}} שלום 🜁`
  const description = '</p><img src=x onerror=alert(1)>\n\n[link](javascript:1)\t\u202etxt\u2028end'
  const tags = ["a'b", '%', '_', '<b>']
  const task = await publish(w, ada, { title, description, tags })
  assert.deepEqual([task.title, task.description, task.tags], [title, description, tags])
  const find = async (query: Record<string, string>): Promise<string[]> =>
    (await w.request('GET', `/tasks?${new URLSearchParams(query)}`)).body.tasks.map(({ id }: Shown) => id)
  for (const q of ['%00', "' OR", '<SCRIPT>', '🜁', 'שלום']) assert.deepEqual(await find({ q }), [task.id], q)
  for (const tag of tags) assert.deepEqual(await find({ tag }), [task.id], tag)
})

test('a task sent again is the same in any form, at any moment', async () => {
  const body = taskBody(w, { title: 'Once', deadline: '2099-01-01T00:00:00.000Z' })
  const first = await ada.post('/tasks', body)
  // What a task gets by default depends on the moment, and the same request does not.
  w.travel(minutes(3))
  for (const again of [
    { ...body, tags: [], budget_minor: null, input_attachment_ids: [], title: ' Once ' },
    { ...body, deadline: '2099-01-01T02:00:00+02:00' },
  ]) {
    const answer = await ada.post('/tasks', again)
    assert.deepEqual([code(answer), answer.body], ['200', first.body], JSON.stringify(again))
  }
  assert.equal(code(await ada.post('/tasks', { ...body, deadline: inTime(w, days(9)) })), '409 idempotency_conflict')
  assert.equal(code(await ada.post('/tasks', { ...body, tags: ['x'] })), '409 idempotency_conflict')
  const cancelled = await cancel(ada, first.body.task)
  assert.deepEqual((await ada.post('/tasks', body)).body, { task: cancelled }, 'a replay shows what there is now')
})

test('the board does not reveal who was selected, or for what', async () => {
  const secret = 'quokka'
  const pia = await w.agent('pia')
  const task = await publish(w, ada, { title: 'A poster' })
  const made = await bid(w, pia, task, { text: `${secret} offer`, amount_minor: 123_457 })
  await bid(w, cid, task, { text: `${secret} other` })
  await select(ada, task, made)
  for (const who of [undefined, eve]) {
    for (const path of [`/tasks/${task.id}`, '/tasks?state=selected', '/tasks', `/tasks?q=${secret}`]) {
      const told = JSON.stringify((await w.request('GET', path, { token: who?.token })).body)
      for (const word of [secret, '123457', made.id, pia.id]) {
        assert.ok(!told.includes(word), `${path} tells ${who?.handle ?? 'anybody'} of ${word}`)
      }
    }
  }
  const lost = JSON.stringify((await cid.get(`/tasks/${task.id}/bids`)).body)
  assert.ok(!lost.includes('offer') && !lost.includes(pia.id), 'a bidder reads nothing of the others')
})

test('invalid files are refused, and a refusal creates nothing', async () => {
  const own = (await ada.get('/tasks/mine')).body.pagination.total
  const fine = await givenFile(w, ada, { purpose: 'order' })
  for (const id of [
    randomUUID(),
    await givenFile(w, bob, { purpose: 'order' }),
    await givenFile(w, ada, { purpose: 'portfolio' }),
    await givenFile(w, ada, { purpose: 'order', status: 'rejected' }),
    await givenFile(w, ada, { purpose: 'order', status: 'pending' }),
  ]) {
    const answer = await ada.post('/tasks', taskBody(w, { input_attachment_ids: [fine, id] }))
    assert.equal(code(answer), '404 invalid_attachment')
  }
  assert.equal((await ada.get(`/attachments/${fine}`)).body.attachment.binding, null)
  assert.equal((await ada.get('/tasks/mine')).body.pagination.total, own)
})

test("no endpoint gives strangers a task's bytes, which are deleted with the task's or its order’s time", async () => {
  const [kept, dropped, left] = (await Promise.all([0, 1, 2].map(() => storedFile(w, ada, { purpose: 'order' })))) as [
    string,
    string,
    string,
  ]
  const task = await publish(w, ada, { input_attachment_ids: [kept] })
  const made = await bid(w, bob, task)
  const doors = (agent?: Agent) =>
    Promise.all(
      ['', '/download', '/preview', '/stream'].map(async (door) => {
        const { status } = await readBytes(w, `/attachments/${kept}${door}`, agent ? { agent } : {})
        return status
      }),
    )
  for (const who of [undefined, eve, bob]) assert.deepEqual(await doors(who), [404, 404, 404, 404])
  const { order } = await select(ada, task, made)
  assert.deepEqual(
    [await doors(bob), await doors(eve), await doors()],
    [[200, 200, 200, 404], ...Array(2).fill(Array(4).fill(404))],
  )
  await step(ada, await step(bob, order, 'deliver'), 'complete')
  await cancel(ada, await publish(w, ada, { input_attachment_ids: [dropped] }))
  await publish(w, ada, { input_attachment_ids: [left], deadline: inTime(w, hours(1)) })
  // Until the task is over, and then until its files are.
  for (const time of [hours(2), days(2)]) {
    w.travel(time)
    await sweepAll(w)
  }
  await eventually(async () => {
    await sweepAll(w)
    const cards = await Promise.all([kept, dropped, left].map((id) => ada.get(`/attachments/${id}`)))
    return cards.every(({ body }) => body.attachment.status === 'purged')
  }, 'the end of all three')
})
