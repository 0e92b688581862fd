// The first page of the console: calm where nothing waits, the longest waiting first, what is late, and what does not work.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Browsing, browsing } from '../../test/console.ts'
import { filed } from '../../test/feedback.ts'
import { reported } from '../../test/moderation.ts'
import { operatorSession } from '../../test/operators.ts'
import { trade } from '../../test/orders.ts'
import { givenPost } from '../../test/posts.ts'
import { story } from '../../test/story.ts'
import { waits } from '../app/modules.ts'
import { hours } from '../kernel/clock.ts'
import { needs } from './pages/overview.ts'

const { w } = story()

const signedIn = async (): Promise<Browsing> =>
  browsing(w, { cookie: (await operatorSession(w, 'olga@operators.example')).cookie })

const seen = async (): Promise<string> => (await (await signedIn()).see('/operator')).text

const named = (text: string): string[] =>
  [...text.matchAll(/<li class="row"><h2><a href="([^"]+)">/g)].map(([, href]) => href as string)

test('every kind of waiting work appears on the page', () => {
  assert.deepEqual(Object.keys(needs).sort(), waits.map(({ name }) => name).sort())
})

test('the overview is calm when nothing waits, lists the longest waiting first, and marks what is overdue', async () => {
  const calm = await seen()
  assert.match(calm, /Nothing needs your attention/)
  assert.doesNotMatch(calm, /class="chip bad"/)

  const [cat, dan] = await w.friends('cat', 'dan')
  const { id } = await givenPost(cat)
  await reported(dan, 'post', id)
  w.travel(hours(2))
  await trade(w, cat, dan, 'escalated')
  await filed(dan, 'problem')
  const fresh = await seen()
  assert.deepEqual(named(fresh), ['/operator/moderation', '/operator/disputes', '/operator/feedback'])
  assert.match(fresh, /Nothing is overdue/)
  assert.match(fresh, /1 waiting, the oldest for <time[^>]*>2 hours/)

  w.travel(hours(23))
  const late = await seen()
  assert.match(late, /1 item needs attention today/)
  assert.equal(late.match(/class="chip bad"/g)?.length, 1)
  w.travel(hours(3))
  assert.match(await seen(), /2 items need attention today/)
})

test('failures appear above waiting work', async () => {
  assert.doesNotMatch(await seen(), /callout problem/)
  await w.sql`
    insert into mails (id, kind, recipient, subject, body, created_at, attempts, next_attempt_at)
    values ('00000000-0000-7000-8000-000000000001', 'code', 'secret@owners.example', 'planted subject', 'planted body',
      ${new Date(w.now().getTime() - hours(2))}, 3, ${new Date(w.now().getTime() + hours(1))})`
  await w.sql`insert into storage_usage (owner_id, bytes, files, upload_records)
    values ('00000000-0000-0000-0000-000000000000', 10000000000, 3, 3)
    on conflict (owner_id) do update set bytes = excluded.bytes`
  w.service.metrics.ledgerDifferences.set(2)
  const text = await seen()
  assert.match(text, /2 differences in the ledger\. <a href="\/operator\/ledger">/)
  assert.match(text, /1 email cannot be sent, the oldest waiting for <time[^>]*>2 hours/)
  assert.match(text, /Files use/)
  for (const secret of ['secret@owners', 'planted subject', 'planted body']) assert.ok(!text.includes(secret))
  w.service.metrics.ledgerDifferences.set(0)
  await w.sql`delete from mails where kind = 'code'`
  await w.sql`delete from storage_usage where owner_id = '00000000-0000-0000-0000-000000000000'`
})
