// What the checker makes of cases whose ids were given by nodes with different clocks.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkCases } from './check-oversight.ts'
import { type Agent, type Subject, versionKey, type Write } from './ledger.ts'
import { randomOf } from './random.ts'
import type { World } from './world.ts'

test('a work has the word of the case that it waited for, also if a later report has a lower id', async () => {
  const [ada, bob, mia] = ['ada', 'bob', 'mia'].map((id) => ({ id, handle: id }) as Agent) as [Agent, Agent, Agent]
  const subject: Subject = { kind: 'service', id: 'a lamp' }
  const body = { reason_code: 'ok', reason: 'A lamp it is' }
  const write = (asked: Partial<Write>): Write => ({ state: 'acknowledged', by: bob, ...asked }) as Write
  const approval = write({
    kind: 'verdict',
    by: mia,
    action: 'approve',
    on: [{ thing: 'case', id: 'case 2', version: 1 }],
    body,
    attempts: [{ sent: 1, answered: 2, answer: '200' }],
  })
  const writes = [
    ...[ada, bob].map((by) => write({ kind: 'consent', by, work: subject.id })),
    approval,
    write({ kind: 'complaint', subject, body: { text: 'It is dark' } }),
  ]
  const shown = { subject, owner: ada, appeal: null, reason_code: null, reason: null, decided_at: null }
  const cases = [
    { ...shown, id: 'case 1', status: 'pending', version: 1, reports: [{ text: 'It is dark' }], reports_count: 1 },
    {
      ...shown,
      ...body,
      id: 'case 2',
      status: 'approved',
      version: 2,
      decided_at: 'now',
      reports: [],
      reports_count: 0,
    },
  ]
  const world = {
    agents: [ada, bob],
    people: { known: new Map() },
    moderator: mia,
    ledger: { writes, byVersion: new Map([[versionKey('case 2', 2), approval]]) },
    async read(actor: Agent, path: string) {
      const status = /status=(\w+)/.exec(path)?.[1]
      const found = cases.filter((each) => (actor === mia ? each.status === status : each.owner === actor))
      return { status: 200, body: { cases: found, pagination: { total: found.length } } }
    },
  } as unknown as World
  assert.deepEqual((await checkCases(world, randomOf(1, 'cases'))).wordsOn(subject), ['approved'])
})
