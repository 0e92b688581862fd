// A message that the database chooses as the victim of a deadlock is still sent.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { story } from '../../../test/story.ts'
import { befriend, eventually } from '../../../test/world.ts'
import { authenticate, tokenDigest } from '../../http/authenticate.ts'
import type { Envelope } from './inserting.ts'
import { senderOf } from './send.ts'

const { w } = story()

test('two envelopes in one statement do not deadlock with a transaction that locks their contacts in reverse', async () => {
  const [ann, bob, first] = await w.friends('ann', 'bob')
  const cid = await w.agent('cid')
  const second = await befriend(ann, cid)
  const sender = await authenticate(w.sql, tokenDigest(ann.token), w.now())
  const waiting = () => w.sql`
    select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  const sends = await w.service.sql.transaction(async (tx) => {
    await tx`select 1 from contacts where id = ${second} for update`
    // Handed over in one turn of the event loop, they go together.
    const both = Promise.all(
      [bob, cid].map((to) => senderOf(w.service)(sender, ann.envelope(to) as unknown as Envelope)),
    )
    await eventually(async () => (await waiting()).length > 0 || undefined, 'the statement waits for the second')
    await tx`select 1 from contacts where id = ${first} for update`
    return { both }
  })
  const sent = await sends.both
  assert.deepEqual(
    sent.map(({ created }) => created),
    [true, true],
  )
})
