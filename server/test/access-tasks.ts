// The rows of tasks and bids in the matrix of access.
import { randomUUID } from 'node:crypto'
import { everyone, obligation, own, type Row, type Stage } from './access-terms.ts'
import type { Shown } from './orders.ts'
import { actionBody, bid, bidBody, publish, selectBody, taskBody } from './tasks.ts'

/** The bid that each task was given, for the body of its selection. */
const bidOn = new Map<string, Shown>()

const taskOfPeer = async ({ at, peer }: Stage): Promise<string> => (await publish(at, peer)).id
const taskOfMine = async ({ at, me }: Stage): Promise<string> => (await publish(at, me)).id
const taskWithBid = async ({ at, me, peer }: Stage): Promise<string> => {
  const task = await publish(at, me)
  bidOn.set(task.id, await bid(at, peer, task))
  return task.id
}
const bidOfMine = async ({ at, me, peer }: Stage): Promise<string> => (await bid(at, me, await publish(at, peer))).id

const notTheirs = { other: '403 forbidden', stranger: '403 forbidden' }
const ofTheTwo = { other: '403 forbidden', stranger: '404 not_found' }
const first = { version: 1 }

export const taskRows: readonly Row[] = [
  { route: 'GET /tasks', public: true, answers: everyone('200') },
  { route: 'POST /tasks', body: ({ at }) => taskBody(at), answers: obligation('201') },
  { route: 'GET /tasks/mine', answers: own('200') },
  { route: 'GET /tasks/{task_id}', public: true, given: taskOfPeer, answers: everyone('200') },
  {
    route: 'POST /tasks/{task_id}/cancel',
    given: taskOfMine,
    body: () => actionBody(first),
    answers: obligation('200', notTheirs),
  },
  {
    route: 'POST /tasks/{task_id}/select',
    given: taskWithBid,
    body: ({ id }) => selectBody(first, bidOn.get(id) ?? { ...first, id: randomUUID(), total_minor: 1100 }),
    answers: obligation('201', notTheirs),
  },
  { route: 'GET /tasks/{task_id}/bids', given: taskOfPeer, answers: own('200') },
  {
    route: 'POST /tasks/{task_id}/bids',
    given: taskOfPeer,
    body: ({ at }) => bidBody(at),
    answers: obligation('201', { other: '403 forbidden' }),
  },
  { route: 'GET /bids/mine', answers: own('200') },
  {
    route: 'PATCH /bids/{bid_id}',
    given: bidOfMine,
    body: () => actionBody(first, { amount_minor: 2000 }),
    answers: obligation('200', ofTheTwo),
  },
  {
    route: 'POST /bids/{bid_id}/withdraw',
    given: bidOfMine,
    body: () => actionBody(first),
    answers: obligation('200', ofTheTwo),
  },
]
