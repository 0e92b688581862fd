// Who is notified of a new task: agents whose specialty has a word of it, in any language, and nobody else.
// docs/contract/tasks.md#who-is-told.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { allFindable } from '../../../test/findable.ts'
import { beforehand, story } from '../../../test/story.ts'
import { publish } from '../../../test/tasks.ts'
import { type Agent, befriend, connectEvents } from '../../../test/world.ts'
import { fillSpecialtyWords, placeOf, wordsOf } from '../identity/specialty-words.ts'
import { setProfileHidden, setSuspended } from '../profiles/profiles.ts'
import { findConcerned, tellingWords } from './announce.ts'

const { w } = story()
const ada = beforehand(() => w.agent('ada', { specialty: 'Baker of quinces' }))
after(() => allFindable(w.sql))

const told = async (who: Agent): Promise<string[]> =>
  (
    await w.sql<{ id: string }>`
    select payload ->> 'task_id' as id from events where recipient_id = ${who.id} and kind = 'task.available'`
  ).map(({ id }) => id)
const isTold = async (who: Agent, fields: object): Promise<boolean> => {
  const task = await publish(w, ada, { title: 'Xy', ...fields })
  return (await told(who)).includes(task.id)
}

test('words are folded, have at least two characters, and split at punctuation', () => {
  assert.deepEqual(wordsOf('Logo-design, LOGOS & C++ / C#; a ＵＩ!'), ['logo', 'design', 'logos', 'c++', 'c#', 'ui'])
  assert.deepEqual(wordsOf('Переводчик  Ёлки'), ['переводчик', 'ёлки'])
  assert.deepEqual(wordsOf('ΣΊΣΥΦΟΣ σίσυφος'), ['σίσυφοσ'])
  assert.deepEqual(wordsOf('插画 设计师、翻訳'), ['插画', '设计师', '翻訳'])
  assert.deepEqual(wordsOf('हिन्दी علی‌رضا'), ['हिन्दी', 'علی‌رضا'])
  assert.deepEqual(wordsOf(' '), [])
  assert.deepEqual(tellingWords({ title: 'A logo for the bakery', tags: ['Web Design', 'logo'] }), [
    'web',
    'design',
    'logo',
    'bakery',
    'for',
    'the',
  ])
})

test('one exact word of the title or a tag is enough, and a common beginning is not', async () => {
  const bob = await w.agent('bob', { specialty: 'Illustrator, переводчик и 插画 UI' })
  assert.ok(await isTold(bob, { title: 'An ILLUSTRATOR is sought' }))
  assert.ok(await isTold(bob, { tags: ['переводчик'] }))
  assert.ok(await isTold(bob, { tags: ['Ｕｉ kit'] }))
  assert.ok(await isTold(bob, { title: '要 插画 的' }))
  assert.ok(!(await isTold(bob, { title: 'Illustrators', tags: ['u'] })))
  assert.ok(!(await isTold(bob, { description: 'For an illustrator' })), 'the description is not asked')
  assert.equal((await told(bob)).length, 4, 'once each')
  const [event] = await w.sql<{ payload: object; min_version: number }>`
    select payload, min_version from events where recipient_id = ${bob.id} and kind = 'task.available' limit 1`
  assert.deepEqual(
    [Object.keys(event?.payload ?? {}).sort(), event?.min_version],
    [['status', 'task_id', 'version'], 2],
  )
  assert.ok(!(await isTold(ada, { title: 'Quinces for a baker' })), 'never the customer itself')
})

test('the current specialty counts, and all active agents are notified, including closed profiles', async () => {
  const eve = await w.agent('eve', { specialty: 'Luthier' })
  const fits = () => isTold(eve, { tags: ['luthier'] })
  const inTransaction = w.service.sql.transaction
  assert.ok(await fits())
  await eve.patch('/bots/me', { specialty: 'Smith' })
  assert.ok(!(await fits()))
  await eve.patch('/bots/me', { specialty: 'A luthier again' })
  assert.ok(await fits())
  for (const open of [true, false]) {
    await eve.patch('/bots/me', { profile_public: open })
    assert.ok(await fits(), open ? 'open' : 'closed')
    await inTransaction((tx) => setSuspended(tx, eve.id, true))
    assert.ok(!(await fits()), 'suspended')
    await inTransaction((tx) => setProfileHidden(tx, eve.id, true))
    await inTransaction((tx) => setSuspended(tx, eve.id, false))
    await eve.patch('/bots/me', { specialty: open ? 'Still a luthier' : 'A quiet luthier' })
    assert.ok(!(await fits()), 'hidden')
    await inTransaction((tx) => setProfileHidden(tx, eve.id, false))
    assert.ok(await fits())
  }
  await eve.patch('/bots/me', { profile_public: true, specialty: 'Luthier, open again' })
  assert.ok(await fits())
  await eve.patch('/bots/me', { specialty: null })
  assert.ok(!(await fits()))
  const shy = await w.agent('shy', { specialty: 'luthier', profile_public: false })
  assert.ok(await isTold(shy, { tags: ['luthier'] }), 'who never was open')
})

test('a specialty whose letters unfold to many more is stored like any other', async () => {
  // Each of them folds to three to six letters of three bytes.
  const squared = Array.from({ length: 160 }, (_, n) => String.fromCodePoint(0x3300 + ((n * 37) % 88))).join('')
  for (const [handle, specialty] of [
    ['una', squared],
    ['ula', '\ufdfa'.repeat(160)],
    ['uma', '\u{2000b}'.repeat(160)],
  ] as const) {
    await w.agent(handle, { specialty })
  }
})

test('agents blocked with the customer are not notified, whichever side blocked', async () => {
  const [fay, gus] = [await w.agent('fay', { specialty: 'Glazier' }), await w.agent('gus', { specialty: 'Glazier' })]
  await ada.post(`/contacts/${await befriend(ada, fay)}/block`)
  await gus.post(`/contacts/${await befriend(gus, ada)}/block`)
  const hal = await w.agent('hal', { specialty: 'Glazier' })
  await publish(w, ada, { title: 'A glazier' })
  assert.deepEqual([(await told(fay)).length, (await told(gus)).length, (await told(hal)).length], [0, 0, 1])
})

test('a task announcement needs channel version 2', async () => {
  const ivy = await w.agent('ivy', { specialty: 'Cooper' })
  const socket = await connectEvents(w.url, ivy.token, 2)
  const task = await publish(w, ada, { title: 'A cooper' })
  const event = await socket.next('task.available')
  assert.deepEqual(event.payload, { task_id: task.id, status: 'open', version: 1 })
  socket.close()
})

test('tasks and specialties older than the word index are filled in, from where the last batch ended', async () => {
  const count = async () => (await w.sql<{ n: number }>`select count(*)::int as n from specialty_words`)[0]?.n
  const before = await count()
  await w.sql`delete from specialty_words`
  await w.sql`delete from specialty_words_backfill`
  await w.sql`insert into specialty_words_backfill (after_id) values ('00000000-0000-0000-0000-000000000000')`
  await Promise.all(
    [0, 1].map(async () => {
      while (await fillSpecialtyWords(w.service.sql));
    }),
  )
  assert.equal(await count(), before)
  while (await fillSpecialtyWords(w.service.sql));
  assert.deepEqual(await w.sql`select 1 from specialty_words_backfill`, [])
})

test('for a common word a thousand agents are notified, different ones each time', async () => {
  const agents = 20_000
  await w.sql`
    insert into parties (id, kind, created_at) select gen_random_uuid(), 'agent', ${w.now()} from generate_series(1, ${agents}::int)`
  await w.sql`
    insert into agents (id, handle, display_name, specialty, profile_public, encryption_public_key, search_text,
      search_grams, created_at, updated_at)
    select p.id, 'd' || substr(replace(p.id::text, '-', ''), 1, 20), 'd', 'Designer of things', false,
      decode(repeat(replace(p.id::text, '-', ''), 2), 'hex'), '', '{}', ${w.now()}, ${w.now()}
    from parties p left join agents a on a.id = p.id where p.kind = 'agent' and a.id is null`
  await w.sql`insert into wallets (party_id, updated_at) select id, ${w.now()} from agents where display_name = 'd'`
  await w.sql`
    insert into specialty_words (word, place, agent_id)
    select word, ('x' || right(replace(id::text, '-', ''), 8))::bit(32)::bigint >> 1, id
    from agents, unnest('{designer,of,things}'::text[]) as t (word) where display_name = 'd'`
  const [known] = await w.sql<{ agent_id: string; place: number }>`
    select agent_id, place from specialty_words where word = 'designer' limit 1`
  assert.equal(placeOf(known?.agent_id ?? ''), known?.place, 'the same as the service gives')
  const findFor = (id: string) => ({ id, customer_id: ada.id, title: 'A designer of things', tags: ['rare'] })
  const lone = await w.agent('lone', { specialty: 'Rare' })
  const low = '00000000-0000-7000-8000-000000000000'
  const high = '00000000-0000-7000-8000-0000fffffff0'
  const reached = [await findConcerned(w.sql, findFor(low)), await findConcerned(w.sql, findFor(high))] as const
  for (const each of reached) {
    assert.equal(each.length, 1000)
    assert.equal(new Set(each).size, 1000)
    assert.ok(each.includes(lone.id), 'who fits a tag comes first')
  }
  const half = '00000000-0000-7000-8000-000080000000'
  const other = new Set(await findConcerned(w.sql, findFor(half)))
  assert.ok(reached[0].filter((id) => other.has(id)).length < 10, 'others are told of another task')
  const task = await publish(w, ada, { title: 'A designer of things' })
  const [{ events }] = (await w.sql`
    select count(*)::int as events from events where subject_id = ${task.id}`) as [{ events: number }]
  assert.equal(events, 1000)
})
