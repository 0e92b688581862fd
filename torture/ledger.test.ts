// What the ledger believes of a write whose answer was lost, when its sender can no longer read what it changed.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Client, Reply } from './client.ts'
import { type Actor, type Asked, isDoubtful, openLedger, versionKey } from './ledger.ts'
import { randomOf } from './random.ts'

const [ada, bob] = ['ada', 'bob'].map((handle) => ({ id: handle, handle }) as unknown as Actor) as [Actor, Actor]
const random = randomOf(1, 'ledger')

const consent = (contractor?: Actor): Asked => ({
  kind: 'project case move',
  by: bob,
  action: 'consent',
  on: [{ thing: 'project_case', id: 'case', version: 2 }],
  path: '/project-cases/case/consent',
  body: {},
  ...(contractor && { contractor }),
})

const gone = { status: 404, body: { error: { code: 'not_found' } } } as Reply
const done = { status: 200, body: { project_case: { id: 'case', version: 3 } } } as Reply

/** A ledger whose service answers so, one after the other. */
function ledgerOf(...replies: (Reply | undefined)[]) {
  const client = { call: async () => replies.shift() } as unknown as Client
  return openLedger(client, ['http://127.0.0.1'])
}

test('a lost consent to a case that is removed since is doubtful until its contractor is asked, and stands then', async () => {
  const ledger = ledgerOf(undefined, gone, gone)
  const write = ledger.begin(consent(ada))
  await ledger.attempt(write, random)
  await ledger.attempt(write, random, { quiet: true })
  assert.deepEqual([write.state, isDoubtful(write)], ['refused', true])
  ledger.found(write)
  assert.deepEqual([write.state, isDoubtful(write), ledger.acknowledged], ['acknowledged', false, 1])
  assert.equal(ledger.byVersion.get(versionKey('case', 3)), write)
  await ledger.attempt(write, random, { quiet: true })
  assert.equal(write.state, 'acknowledged', 'it is still removed')
})

test('a consent that was refused and never lost is no more than refused', async () => {
  const ledger = ledgerOf(gone)
  const write = ledger.begin(consent(ada))
  await ledger.attempt(write, random)
  assert.deepEqual([write.state, isDoubtful(write)], ['refused', false])
})

test('an acknowledged move of whoever still reads the case is never refused when it is sent again', async () => {
  const ledger = ledgerOf(done, gone)
  const write = ledger.begin(consent())
  await ledger.attempt(write, random)
  await assert.rejects(ledger.attempt(write, random), /refused when it was sent again/)
})
