// The first page of the console: calm where nothing waits, the longest waiting first, what is late, and what does not work.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Browsing, browsing } from '../../test/console.ts'
import { filed } from '../../test/feedback.ts'
import { caseAbout, reported } from '../../test/moderation.ts'
import { operatorSession } from '../../test/operators.ts'
import { trade } from '../../test/orders.ts'
import { givenPost } from '../../test/posts.ts'
import { story } from '../../test/story.ts'
import { waits } from '../app/modules.ts'
import { days, hours } from '../kernel/clock.ts'
import { createMetrics } from '../metrics.ts'
import { countKeeper, figuresOf, keepFigures } from '../operator/figures.ts'
import { waitingNow } from '../operator/waiting.ts'
import type { Sql } from '../store/sql.ts'
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
  await reported(dan, { kind: 'post', id })
  w.travel(hours(2))
  await trade(w, cat, dan, 'escalated')
  await filed(dan, 'problem')
  const fresh = await seen()
  assert.deepEqual(named(fresh), ['/operator/moderation', '/operator/disputes', '/operator/feedback'])
  assert.match(fresh, /Nothing is overdue/)
  assert.match(fresh, /1 waiting, the oldest for <time[^>]*>2 hours/)

  w.travel(hours(23))
  const late = await seen()
  assert.match(late, /1 entry below needs attention today/)
  assert.equal(late.match(/class="chip bad"/g)?.length, 1)
  w.travel(hours(3))
  assert.match(await seen(), /2 entries below need attention today/)
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

test('the month is drawn from figures that every node adds to, and a killed transaction counts nothing', async () => {
  // At noon, so that no day ends meanwhile.
  w.travel(days(1) + hours(12) - (w.now().getTime() % days(1)))
  await w.friends('ivy', 'jim')
  w.travel(days(3))
  const { service } = w
  const [eve, flo] = await w.friends('eve', 'flo')
  const before = (await figuresOf(w.sql, w.now())).at(-1)?.figures
  const counted = [createMetrics(), createMetrics()]
  counted[0]?.messagesSent.inc(3)
  counted[1]?.messagesSent.inc(4)
  counted[1]?.refusals.inc({ code: 'not_found' })
  const failing = { ...service, sql: { transaction: () => Promise.reject(new Error('gone')) } as unknown as Sql }
  await assert.rejects(countKeeper(failing)())
  await trade(w, eve, flo, 'accepted')
  const counters = counted.map((metrics) => countKeeper({ ...service, metrics }))
  const run = () => keepFigures(service.sql)
  const nodes = counters.map((count) => () => Promise.all([count(), run()]))
  // Each tells what it has counted since it started; what it has told is told once.
  await Promise.all(nodes.map((run) => run()))
  const first = (await figuresOf(w.sql, w.now())).at(-1)?.figures
  for (let each = 0; each < 30; each++) await Promise.all(nodes.map((run) => run()))
  const found = await figuresOf(w.sql, w.now())
  assert.deepEqual(found.at(-1)?.figures.messages, 7, 'nothing is told twice')
  assert.equal(found.length, 30)
  const { agents, orders, credits = 0, refused = 0 } = first ?? {}
  assert.equal(before?.orders, 0)
  assert.deepEqual([agents, orders], [2, 1])
  assert.ok(credits > 0 && refused >= 1, JSON.stringify(first))
  // Days that nobody counted are filled in, one by one.
  const [{ registered } = { registered: 0 }] = await w.sql<{
    registered: number
  }>`select count(*)::int as registered from agents`
  assert.equal(
    found.reduce((sum, { figures }) => sum + figures.agents, 0),
    registered,
  )
  // A server that stopped within a day had counted it before it was over.
  const later = (n: number): Date => new Date(w.now().getTime() - days(n))
  const agents4 = () => figuresOf(w.sql, w.now()).then((all) => all.slice(-5, -1).map((each) => each.figures.agents))
  const whole = await agents4()
  assert.deepEqual(whole, [0, 2, 0, 0])
  for (const n of [1, 2, 3]) {
    await w.sql`delete from daily_figures where day > ${later(n + 1)} and day <= ${later(1)}`
    await w.sql`update daily_figures set value = 0 where name = 'agents' and day > ${later(n + 2)} and day <= ${later(n + 1)}`
    for (let each = 0; each < n; each++) await run()
    assert.deepEqual(await agents4(), whole, `${n}`)
  }
  const page = await seen()
  assert.equal(page.match(/<svg viewBox="0 0 300 48" role="img" aria-label="[^"]+"/g)?.length, 6)
  assert.match(page, /<caption>New orders<\/caption>[\s\S]*?<tbody><tr><th scope="row">[^<]+<\/th><td>1<\/td>/)
})

test('the menu says how much waits, and a report is decided in three presses', async () => {
  const [gus, hal] = await w.friends('gus', 'hal')
  const post = await givenPost(gus, { title: 'Pills' })
  await reported(hal, { kind: 'post', id: post.id }, { text: 'It sells pills' })
  const browser = await signedIn()
  const first = (await browser.see('/operator')).text
  const waiting = await waitingNow(w.sql)
  assert.ok(waiting.moderation > 0)
  const [, list = ''] =
    new RegExp(`<a href="([^"]+)">Moderation <span class="waits">${waiting.moderation}</span>`).exec(first) ?? []
  // One press, on the menu.
  const cases = (await browser.see(list)).text
  const found = await caseAbout(gus, post)
  assert.ok(cases.includes(`href="/operator/moderation/${found.id}"`))
  // Two, on the case.
  const page = (await browser.see(`/operator/moderation/${found.id}`)).text
  const form =
    /<form class="act-form"[^>]*>(?:(?!<\/form>)[\s\S])*value="approve"[\s\S]*?<\/form>/.exec(page)?.[0] ?? ''
  assert.doesNotMatch(form, /<(textarea|select)/, 'there is nothing to type or choose')
  const fields = Object.fromEntries(
    [...form.matchAll(/name="([^"]+)" value="([^"]*)"/g)].map(([, name, value]) => [name as string, value as string]),
  )
  // Three, on its button.
  assert.equal((await browser.send(`/operator/moderation/${found.id}`, fields)).status, 303)
  assert.equal((await caseAbout(gus, post)).status, 'approved')
  await w.sql`
    insert into feedback (id, author_id, category, title, body, status, created_at, updated_at)
    select gen_random_uuid(), ${gus.id}, 'problem', 'x', 'x', 'received', ${w.now()}, ${w.now()}
    from generate_series(1, 120)`
  assert.match((await browser.see('/operator')).text, /Feedback <span class="waits">99\+<\/span>/)
  await w.sql`delete from feedback where title = 'x'`
})
