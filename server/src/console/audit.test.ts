// The audit log at the console: what each filter finds, page by page and as a file.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { atConsole } from '../../test/at-console.ts'
import { hostile, visit } from '../../test/pages.ts'
import { beforehand, story } from '../../test/story.ts'
import { newId } from '../kernel/clock.ts'
import { type Entry, everyEntry } from '../store/audit.ts'

const many = 20_000
const first = new Date('2026-01-01T00:00:00Z')
/** Each five minutes after the one before it. */
const at = (n: number): Date => new Date(first.getTime() + n * 300_000)

const { w } = story()
const olga = beforehand(() => atConsole(w, 'olga@op.example'))
beforehand(
  () => w.sql`
    insert into audit_log (id, actor, action, subject, reason, details, created_at)
    select (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '7' || lpad(to_hex(n % 4096), 3, '0') || '8'
        || lpad(to_hex(n), 15, '0'))::uuid,
      (array['operator:rare@op.example', 'staff:mia', 'operator:busy@op.example'])[
        case when n % 200 = 0 then 1 when n % 3 = 0 then 2 else 3 end],
      (array['moderation.remove', 'agent.suspend', 'credits.grant'])[case when n % 1000 = 0 then 2 else 1 + n % 2 * 2 end],
      'subject-' || n % 20000, 'Because ' || n, json_build_object('n', n), at
    from generate_series(0, ${many - 1}::int) n,
      lateral (select ${first}::timestamptz + n * interval '5 minutes' as at) t`,
)

const told = (text: string): Entry[] =>
  text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))

test('each action has its words, each actor and subject leads to its entries, and a search in vain says what to try', async () => {
  const page = await olga.read('/operator/audit')
  for (const query of ['actor=staff%3Amia', 'subject=subject-1'])
    assert.ok(page.includes(`<a href="/operator/audit?${query}`), query)
  assert.match(page, /<option value="agent.suspend">Agent suspended<\/option>/)
  assert.match(page, /<div>Case decided: removed<br><a/)
  assert.match(await olga.read('/operator/audit?actor=mia'), /No entries found[\s\S]*must match exactly/)
})

test('the file contains every entry of the pages, in the same order', async () => {
  const query = 'actor=operator%3Arare%40op.example&from=2026-01-03&to=2026-03-01'
  const shown: string[] = []
  for (let next: string | undefined = `/operator/audit?${query}`; next; ) {
    const page: string = await olga.read(next)
    shown.push(...[...page.matchAll(/Because (\d+)/g)].map(([, n = '']) => n))
    next = /rel="next" href="([^"]+)"/.exec(page)?.[1]?.replaceAll('&amp;', '&')
  }
  const expected = Array.from({ length: many / 200 }, (_, n) => n * 200)
    .filter((n) => at(n) >= new Date('2026-01-03T00:00:00Z') && at(n) < new Date('2026-03-02T00:00:00Z'))
    .reverse()
  assert.deepEqual(shown.map(Number), expected)
  const lines = await visit(w.url, `/operator/audit.jsonl?${query}`, { headers: olga.headers })
  assert.equal(lines.headers['content-disposition'], 'attachment; filename="audit.jsonl"')
  assert.equal(lines.headers['cache-control'], 'no-store')
  assert.deepEqual(
    told(lines.text).map(({ details }) => details?.['n']),
    expected,
  )
  const csv = await visit(w.url, `/operator/audit.csv?${query}`, { headers: olga.headers })
  const [head, ...rows] = csv.text.split('\r\n')
  assert.equal(head, 'id,created_at,actor,action,subject,reason,details')
  assert.equal(rows.pop(), '')
  assert.deepEqual(
    rows.map((row) => /"Because (\d+)","{""n"" : \d+}"|"Because (\d+)"/.exec(row)?.slice(1).find(Boolean)).map(Number),
    expected,
  )
})

test('the whole log is one file without duplicates', async () => {
  const { text } = await visit(w.url, '/operator/audit.jsonl', { headers: olga.headers })
  const ids = told(text).map(({ id }) => id)
  assert.equal(ids.length, many)
  assert.deepEqual(ids, [...new Set(ids)].sort().reverse())
})

test('a download that stops being read stops being generated', async () => {
  let batches = 0
  for await (const batch of everyEntry(w.sql, {})) {
    batches += batch.length
    if (batches >= 1000) break
  }
  assert.equal(batches, 1000)
})

test("text that starts like a formula is plain text in a spreadsheet; other people's data is always text", async () => {
  const subject = randomUUID()
  const wide = ['＝1+1', '＋1', '－1', '＠SUM(A1)', '﹦1', '﹢1', '﹣1', '﹫A1', '−1', ' =1', '\u00a0=1', '\u200b=1']
  const reasons = [
    ...wide,
    '=1+1',
    '+1',
    '-1',
    '@SUM(A1)',
    '\t=1',
    'plain, "quoted"\nand = more',
    hostile,
    '\u202eevil',
  ]
  const now = w.now()
  for (const reason of reasons) {
    await w.sql`
      insert into audit_log (id, actor, action, subject, reason, details, created_at)
      values (${newId(now)}, '=actor', 'a.b', ${subject}, ${reason}, '{"x": "=2"}', ${now})`
  }
  const { text } = await visit(w.url, `/operator/audit.csv?subject=${subject}`, { headers: olga.headers })
  for (const cell of [
    ...wide.map((each) => `"'${each}"`),
    '"\'=1+1"',
    '"\'+1"',
    '"\'-1"',
    '"\'@SUM(A1)"',
    '"\'\t=1"',
    '"plain, ""quoted""\nand = more"',
    '"\'=actor"',
  ])
    assert.ok(text.includes(cell), cell)
  assert.doesNotMatch(text, /(^|,)"?[=+\-@]/m)
  const page = await olga.read(`/operator/audit?subject=${subject}`)
  assert.ok(page.includes('&lt;script&gt;') && page.includes('<p dir="auto">\u202eevil'))
})

test('an invalid day or text is reported, and finds nothing', async () => {
  for (const query of [
    'from=2026-02-30',
    'to=yesterday',
    'from=-271821-04-19',
    `actor=${'x'.repeat(301)}`,
    'subject=%00',
  ]) {
    const page = await olga.read(`/operator/audit?${query}`)
    assert.match(page, /aria-invalid="true"/, query)
    assert.doesNotMatch(page, /Because/)
    assert.equal((await visit(w.url, `/operator/audit.csv?${query}`, { headers: olga.headers })).status, 404)
  }
  const day = await olga.read('/operator/audit?from=2026-01-02&to=2026-01-02&action=agent.suspend')
  assert.match(day, /No entries found/)
})
