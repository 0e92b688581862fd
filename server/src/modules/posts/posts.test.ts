// A post's life: written, read, changed, deleted; what is refused, and what a replay answers.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { givenFile } from '../../../test/files.ts'
import { givenPost } from '../../../test/posts.ts'
import { beforehand, story } from '../../../test/story.ts'
import { type Agent, code, race } from '../../../test/world.ts'
import { minutes } from '../../kernel/clock.ts'

const { w, bob } = story('bob')
const ada = beforehand(() => w.agent('ada', { display_name: 'Ada' }))

const remove = (agent: Agent, id: string) => w.request('DELETE', `/posts/${id}`, { token: agent.token })
const idsOf = (cards: { id: string }[]): string[] => cards.map(({ id }) => id)

test('a post with only a text is a private update with empty fields', async () => {
  const answer = await ada.post('/posts', { text: '  Good morning\r\n\tto all  ' })
  assert.equal(answer.status, 201)
  const { id, created_at, updated_at, ...post } = answer.body.post
  assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7/)
  assert.match(created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  assert.equal(updated_at, created_at)
  assert.deepEqual(post, {
    author: { id: ada.id, handle: 'ada', display_name: 'Ada' },
    title: '',
    text: 'Good morning\n\tto all',
    kind: 'update',
    visibility: 'private',
    project: {},
    public_url: null,
    attachments: [],
    poll: null,
    reactions: { like: 0, insight: 0, thanks: 0, wow: 0 },
    reaction_browsers: 0,
  })
  assert.deepEqual((await ada.get(`/posts/${id}`)).body.post, answer.body.post)
})

test('a public work shows its project, its files in order and where it is shown', async () => {
  const [one, two] = [await givenFile(w, ada), await givenFile(w, ada, { file_format: 'psd' })]
  const post = await givenPost(ada, {
    title: ' A bridge ',
    kind: 'portfolio',
    attachment_ids: [two.toUpperCase(), one],
    rights_confirmed: true,
    project: { tools: ' Chisel ', role: '', task: ' Cross the river ' },
  })
  assert.equal(post.title, 'A bridge')
  assert.deepEqual(post.project, { task: 'Cross the river', tools: ['Chisel'] })
  assert.equal(post.public_url, `${w.service.publicUrl}/posts/${post.id}`)
  assert.deepEqual(idsOf(post.attachments), [two, one])
  const seen = (await bob.get(`/posts/${post.id.toUpperCase()}`)).body.post
  assert.deepEqual(
    [post, seen].map(({ attachments }) => attachments[1].size),
    [1000, 500],
    'the author gets the original, others the processed image',
  )
  assert.deepEqual({ ...seen, attachments: [] }, { ...post, attachments: [] })
})

test('of several invalid fields the first sets the error code', async () => {
  const post = await givenPost(ada)
  for (const [expected, fields] of [
    ['unknown_fields', { id: randomUUID(), title: 5 }],
    ['invalid_text', { text: 5, title: 5, kind: 5, project: 5 }],
    ['invalid_title', { title: 5, kind: 5, visibility: 5 }],
    ['invalid_kind', { kind: 5, visibility: 5, project: 5 }],
    ['invalid_visibility', { visibility: 5, project: 5 }],
  ] as const) {
    assert.equal(code(await ada.post('/posts', { text: 'Fine', ...fields })), `400 ${expected}`)
    assert.equal(code(await ada.patch(`/posts/${post.id}`, fields)), `400 ${expected}`)
  }
  assert.equal(code(await ada.patch(`/posts/${post.id}`, { operation_id: randomUUID() })), '400 unknown_fields')
  assert.deepEqual((await ada.get(`/posts/${post.id}`)).body.post, post)
})

test('the longest values are accepted', async () => {
  const long = (count: number) => '𝒳'.repeat(count)
  const files: string[] = []
  for (let n = 0; n < 10; n++) files.push(await givenFile(w, ada))
  const post = await givenPost(ada, {
    text: ` ${long(8000)} `,
    title: long(160),
    attachment_ids: files,
    visibility: 'private',
    project: { task: long(500), result: long(500), role: long(500), tools: Array(20).fill(long(80)) },
  })
  assert.deepEqual(idsOf(post.attachments), files)
  assert.equal([...post.text].length, 8000)
  assert.equal(post.project.tools.length, 20)
})

test('a change replaces the fields it names; null and empty clear them, others stay', async () => {
  const file = await givenFile(w, ada)
  const project = { task: 'A task', tools: ['saw', '', ' axe '] }
  const post = await givenPost(ada, { title: 'Old', visibility: 'private', attachment_ids: [file], project })
  assert.deepEqual(post.project, { task: 'A task', tools: ['saw', 'axe'] })
  const patch = async (fields: object) => {
    w.travel(minutes(1))
    const answer = await ada.patch(`/posts/${post.id}`, fields)
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
    return answer.body.post
  }
  for (const nothing of [{}, { title: ' Old ' }, { rights_confirmed: true }, { project }, { attachment_ids: [file] }]) {
    assert.deepEqual(await patch(nothing), post, 'what changes nothing leaves the time of the last change')
  }
  const changed = await patch({ text: 'New', kind: 'portfolio', project: { result: 'Done' } })
  assert.ok(changed.updated_at > post.updated_at)
  assert.deepEqual(
    { ...changed, updated_at: post.updated_at },
    { ...post, text: 'New', kind: 'portfolio', project: { result: 'Done' } },
  )
  const cleared = await patch({ title: null, project: null, attachment_ids: null })
  assert.deepEqual([cleared.title, cleared.project, cleared.attachments], ['', {}, []])
  assert.equal(code(await ada.patch(`/posts/${post.id}`, { attachment_ids: [file] })), '409 attachment_already_bound')
})

test('a file becomes public only after its rights are confirmed, once', async () => {
  const [one, two] = [await givenFile(w, ada), await givenFile(w, ada)]
  const ask = { text: 'With a file', visibility: 'public', attachment_ids: [one] }
  assert.equal(code(await ada.post('/posts', ask)), '400 rights_required')
  const post = await givenPost(ada, { ...ask, visibility: 'private' })
  const patch = (fields: object) => ada.patch(`/posts/${post.id}`, fields)
  assert.equal(code(await patch({ visibility: 'public' })), '400 rights_required')
  assert.equal((await ada.get(`/posts/${post.id}`)).body.post.visibility, 'private')
  assert.equal(code(await patch({ visibility: 'public', rights_confirmed: true })), '200')
  assert.equal(code(await patch({ text: 'Another' })), '200', 'it has been confirmed')
  assert.equal(code(await patch({ visibility: 'private' })), '200')
  assert.equal(code(await patch({ visibility: 'public' })), '200', 'and stays so')
  assert.equal(code(await patch({ attachment_ids: [one, two] })), '400 rights_required')
  const both = await patch({ attachment_ids: [two, one], rights_confirmed: true })
  assert.deepEqual(idsOf(both.body.post.attachments), [two, one])
})

test('only your own ready files of the purpose can be used, each in one post', async () => {
  const bound = await givenFile(w, ada)
  await givenPost(ada, { attachment_ids: [bound], rights_confirmed: true })
  const refused: [string, string][] = [
    ['404 invalid_attachment', randomUUID()],
    ['404 invalid_attachment', await givenFile(w, bob)],
    ['404 invalid_attachment', await givenFile(w, ada, { purpose: 'order' })],
    ['404 invalid_attachment', await givenFile(w, ada, { status: 'pending' })],
    ['404 invalid_attachment', await givenFile(w, ada, { status: 'rejected' })],
    ['404 invalid_attachment', await givenFile(w, ada, { status: 'purged' })],
    ['409 attachment_already_bound', bound],
  ]
  const post = await givenPost(ada)
  const operation_id = randomUUID()
  for (const [expected, id] of refused) {
    const files = { attachment_ids: [id], rights_confirmed: true }
    assert.equal(code(await ada.post('/posts', { operation_id, text: 'x', visibility: 'public', ...files })), expected)
    assert.equal(code(await ada.patch(`/posts/${post.id}`, { text: 'y', ...files })), expected)
  }
  assert.deepEqual((await ada.get(`/posts/${post.id}`)).body.post, post)
  assert.equal(code(await ada.post('/posts', { operation_id, text: 'x' })), '201', 'a refusal does not use the id up')
})

test('two posts compete for one file: one gets it', async () => {
  const files = [await givenFile(w, ada), await givenFile(w, ada)]
  const answers = await race(8, (n) =>
    ada.post('/posts', { text: `Post ${n}`, attachment_ids: n % 2 ? files : files.toReversed() }),
  )
  assert.deepEqual(answers.map(code).sort(), ['201', ...Array(7).fill('409 attachment_already_bound')])
})

test('a deleted post disappears for everyone and releases its files', async () => {
  const file = await givenFile(w, ada)
  const post = await givenPost(ada, { attachment_ids: [file], rights_confirmed: true, text: 'To be forgotten' })
  const before = await w.service.sql<{ total: number }>`select count(*)::int as total from listed_posts`
  const answer = await remove(ada, post.id)
  assert.deepEqual([answer.status, answer.body], [200, { deleted: true }])
  for (const each of [
    await ada.get(`/posts/${post.id}`),
    await bob.get(`/posts/${post.id}`),
    await ada.patch(`/posts/${post.id}`, { text: 'Back' }),
    await remove(ada, post.id),
    await remove(bob, post.id),
    await ada.get(`/posts/${post.id}/poll`),
  ]) {
    assert.equal(code(each), '404 not_found')
  }
  const left = await w.sql<{ total: number }>`select count(*)::int as total from listed_posts`
  assert.equal(left[0]?.total, (before[0]?.total ?? 0) - 1)
  const [kept] = await w.sql`select to_jsonb(p)::text as row from posts p where id = ${post.id}`
  assert.doesNotMatch(JSON.stringify(kept), /forgotten/)
  const [released] = await w.sql<{ hours: number }>`
    select extract(epoch from purge_after - updated_at)::int / 3600 as hours from attachments where id = ${file}`
  assert.equal(released?.hours, 24)
  assert.equal(code(await ada.post('/posts', { text: 'x', attachment_ids: [file] })), '409 attachment_already_bound')
})

test('others cannot change or delete a post, or learn that a private one exists', async () => {
  const open = await givenPost(ada)
  const hidden = await givenPost(ada, { visibility: 'private' })
  for (const [id, expected] of [
    [open.id, '403 forbidden'],
    [hidden.id, '404 not_found'],
    [randomUUID(), '404 not_found'],
  ] as const) {
    assert.equal(code(await bob.patch(`/posts/${id}`, { text: 'Mine now' })), expected)
    assert.equal(code(await bob.patch(`/posts/${id}`, {})), expected)
    assert.equal(code(await remove(bob, id)), expected)
  }
  assert.equal(code(await bob.get(`/posts/${hidden.id}`)), '404 not_found')
  assert.equal(code(await bob.get('/posts/1')), '404 not_found')
  assert.deepEqual((await ada.get(`/posts/${open.id}`)).body.post, open)
})

test('twenty identical requests at once create one post', async () => {
  const file = await givenFile(w, ada)
  const operation_id = randomUUID()
  const ask = { operation_id, text: 'Once', visibility: 'public', attachment_ids: [file], rights_confirmed: true }
  const answers = await race(20, () => ada.post('/posts', ask))
  assert.deepEqual(answers.map(code).sort(), [...Array(19).fill('200'), '201'])
  for (const { body } of answers) assert.deepEqual(body, answers[0]?.body)
})

test('simultaneous requests with one ID and different content: one is written, the other conflicts', async () => {
  const operation_id = randomUUID()
  const answers = await race(20, (n) => ada.post('/posts', { operation_id, text: n % 2 ? 'One' : 'Other' }))
  assert.deepEqual(answers.map(code).sort(), [
    ...Array(9).fill('200'),
    '201',
    ...Array(10).fill('409 idempotency_conflict'),
  ])
  const texts = answers.flatMap(({ body }) => body.post?.text ?? [])
  assert.equal(new Set(texts).size, 1)
})

test('a replay is recognised with or without explicit defaults, and returns the current post', async () => {
  const operation_id = randomUUID()
  const post = await givenPost(ada, { operation_id, visibility: 'private', project: { tools: 'saw' } })
  const spelledOut = {
    project: { tools: [' saw '], task: '' },
    attachment_ids: [],
    rights_confirmed: false,
    visibility: 'private',
    kind: 'update',
    title: ' ',
    text: ' Some text\r\n',
    operation_id: operation_id.toUpperCase(),
  }
  await ada.patch(`/posts/${post.id}`, { text: 'Changed since' })
  const replay = await ada.post('/posts', spelledOut)
  assert.equal(replay.status, 200)
  assert.equal(replay.body.post.text, 'Changed since')
  for (const other of [{ text: 'Other' }, { kind: 'portfolio' }, { rights_confirmed: true }, { project: {} }]) {
    assert.equal(code(await ada.post('/posts', { ...spelledOut, ...other })), '409 idempotency_conflict')
  }
  assert.equal((await bob.post('/posts', spelledOut)).status, 201, 'another agent has ids of its own')
  await remove(ada, post.id)
  assert.equal(code(await ada.post('/posts', spelledOut)), '409 post_deleted')
  assert.equal(code(await ada.post('/posts', { ...spelledOut, text: 'Other' })), '409 idempotency_conflict')
})

test('a replay during a deletion returns the whole post or none', async () => {
  for (let round = 0; round < 5; round++) {
    const ask = { operation_id: randomUUID(), text: 'Here or gone', visibility: 'public' }
    const post = await givenPost(ada, ask)
    const closes_at = new Date(w.now().getTime() + minutes(10)).toISOString()
    const poll = { operation_id: randomUUID(), question: 'Here?', options: ['Yes', 'No'], closes_at }
    assert.equal(code(await ada.post(`/posts/${post.id}/poll`, poll)), '201')
    const replay = (n: number) => (n % 2 ? ada.post('/posts', ask) : ada.post(`/posts/${post.id}/poll`, poll))
    const answers = await race(20, (n) => (n === 10 ? remove(ada, post.id) : replay(n)))
    for (const answer of answers) {
      assert.ok(['200', '409 post_deleted'].includes(code(answer)), code(answer))
      if (answer.body.post) assert.equal(answer.body.post.text, 'Here or gone')
    }
  }
})

test('without an operation ID the same post is created twice', async () => {
  const ask = { text: 'Twice' }
  const [one, two] = [await ada.post('/posts', ask), await ada.post('/posts', ask)]
  assert.deepEqual([one.status, two.status], [201, 201])
  assert.notEqual(one.body.post.id, two.body.post.id)
})
