// Whatever is hidden in any of the ways there are is on no page, in no feed and in no answer, and looks like what never was;
// shown again it is whole.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { customer } from '../../test/customers.ts'
import { asBrowser, type PageAnswer, sendForm, visit } from '../../test/pages.ts'
import { givenPost } from '../../test/posts.ts'
import { type Settled, settled } from '../../test/settled.ts'
import { story } from '../../test/story.ts'
import { turnHidden } from '../../test/turning.ts'
import { begun } from '../../test/visitors.ts'

const { w } = story()

const marked = (name: string) => (field: string) => `${name} ${field.replaceAll('_', '')}`.slice(0, 40)

/** A share picture by a digest that it does not have. */
const picture = (kind: string, id: string): string => `/cards/${kind}/${id}.0000000000000000.png`
const pictured = [
  ['work', 'post'],
  ['task', 'task'],
  ['service', 'service'],
  ['idea', 'idea'],
  ['article', 'article'],
  ['case', 'case'],
] as const

const seen = ({ status, headers, text }: PageAnswer): unknown => {
  const { date: _, 'x-request-id': __, ...rest } = headers
  return { status, headers: rest, text }
}

const readers = (cookie: string): Record<string, string>[] => [asBrowser, { ...asBrowser, cookie }, { accept: '*/*' }]

/** Data is the same for everyone; a page may not be. */
const isData = (path: string): boolean => /\.(json|xml)$|^\/api\//.test(path)

/** Which of these marks a page contains, for any of these readers. */
async function marksOn(
  path: string,
  marks: readonly string[],
  as: readonly Record<string, string>[],
): Promise<Set<string>> {
  const found = new Set<string>()
  for (const headers of as) {
    const { text, headers: sent } = await visit(w.url, path, { headers })
    const all = `${text}${JSON.stringify(sent)}`
    for (const mark of marks) if (all.includes(mark)) found.add(mark)
  }
  return found
}

/** The addresses at which a mark may be. Searches leave its end out, because what is typed appears on the page. */
const addressesOf = (mark: string, there: Settled): readonly string[] => [
  ...Object.values(there.pages),
  ...['/agents', '/posts', '/services', '/tasks', '/ideas', '/search'].map((path) => `${path}?q=${mark.slice(0, -1)}`),
  ...['all', 'agents', 'services', 'tasks', 'works'].map((kind) => `/search?kind=${kind}`),
  ...['agents', 'services', 'tasks', 'works'].map((kind) => `/api/v1/discovery?kind=${kind}&q=${mark}`),
  '/posts.xml',
  '/tasks?state=open',
  '/services?sort=price',
  '/posts?kind=update',
  '/following',
  '/sitemap.xml',
  '/nothing-here',
  `/agents/${there.bob.handle}`,
  `/agents/${there.bob.handle}.json`,
  `/agents/${there.bob.handle}/feed.xml`,
  ...['record', 'record.json'].flatMap((name) =>
    [there.ada, there.bob].map(({ handle }) => `/agents/${handle}/${name}`),
  ),
  followed,
]

const followed = 'visitor/follows'

/** The addresses that contain each of these marks; each is visited once for all of them. */
async function places(marks: readonly string[], there: Settled, cookie: string): Promise<string[][]> {
  const paths = new Set(marks.flatMap((mark) => addressesOf(mark, there)))
  return among([...paths], marks, cookie)
}

/** Those of these addresses that contain each mark. */
async function among(paths: readonly string[], marks: readonly string[], cookie: string): Promise<string[][]> {
  const found = marks.map((): string[] => [])
  // The site map is the same for some seconds.
  w.travel(10_000)
  for (const path of paths) {
    const on = await marksAt(path, marks, cookie)
    for (const [at, mark] of marks.entries()) if (on.has(mark)) found[at]?.push(path)
  }
  return found
}

async function marksAt(path: string, marks: readonly string[], cookie: string): Promise<Set<string>> {
  if (path !== followed) return marksOn(path, marks, isData(path) ? [{ accept: '*/*' }] : readers(cookie))
  const { body } = await w.request('GET', `/${followed}`, { headers: { cookie } })
  return new Set(marks.filter((mark) => JSON.stringify(body).includes(mark)))
}

test('a closed, suspended or removed profile appears nowhere, as if it had never existed', async () => {
  const [ann, name] = [await begun(w), 'zerzura']
  const there = await settled(w, marked(name), name)
  const { ada, ids } = there
  const follow = await w.request('PUT', `/visitor/follows/${ada.id}`, { headers: ann })
  assert.equal(follow.status, 200)
  for (const kind of ['like', 'wow'])
    assert.equal((await w.request('PUT', `/visitor/posts/${ids.post}/reactions/${kind}`, { headers: ann })).status, 200)
  const cookie = ann['cookie'] as string
  const hilda = await customer(w, 'Hilda')
  const buyer = { ...asBrowser, cookie: hilda.headers.cookie }
  const [open = []] = await places([name], there, cookie)
  assert.ok(open.length > 20 && open.includes(followed) && open.includes('/following'), open.join())
  const shown = seen(await visit(w.url, `/posts/${ids.post}`))
  const ways: [string, () => Promise<unknown>, () => Promise<unknown>][] = [
    [
      'closed',
      () => ada.patch('/bots/me', { profile_public: false }),
      () => ada.patch('/bots/me', { profile_public: true }),
    ],
    [
      'suspended',
      () => w.operator('agent', 'suspend', name, '--reason', 'x'),
      () => w.operator('agent', 'restore', name, '--reason', 'x'),
    ],
    ['removed', () => turnHidden(w, 'profile', ada.id, true), () => turnHidden(w, 'profile', ada.id, false)],
  ]
  for (const [way, close, reopen] of ways) {
    await close()
    assert.deepEqual(await places([name], there, cookie), [[]], way)
    // The very same bytes and headers as for what never was.
    const never = randomUUID()
    for (const [path, unknown] of [
      [`/agents/${name}`, '/agents/nobody1'],
      [`/agents/${name}.json`, '/agents/nobody1.json'],
      [`/agents/${name}/feed.xml`, '/agents/nobody1/feed.xml'],
      [`/agents/${name}/record.json`, '/agents/nobody1/record.json'],
      [`/agents/${name}/record`, '/agents/nobody1/record'],
      [`/posts/${ids.post}`, `/posts/${never}`],
      [`/tasks/${ids.task}`, `/tasks/${never}`],
      [`/services/${ids.service}`, `/services/${never}`],
      [`/services?agent=${name}`, '/services?agent=nobody1'],
      [`/ideas/${ids.idea}`, `/ideas/${never}`],
      [`/articles/${ids.article}`, `/articles/${never}`],
      [`/cases/${ids.case}`, `/cases/${never}`],
      [`/agents/${name}?page=2`, '/agents/nobody1?page=2'],
      [picture('agent', name), picture('agent', 'nobody1')],
      ...pictured.map(([kind, of]) => [picture(kind, ids[of]), picture(kind, never)] as const),
    ] as const) {
      for (const headers of [asBrowser, { ...asBrowser, cookie }, { accept: 'application/json' }]) {
        const ask = async (path: string) => {
          const answer = seen(await visit(w.url, path, { headers })) as { status: number; text: string }
          return { ...answer, text: answer.text.replace(/[0-9a-f-]{36}/g, '') }
        }
        const answer = await ask(path)
        assert.equal(answer.status, 404, `${way} ${path}`)
        assert.deepEqual(answer, await ask(unknown), `${way} ${path}`)
      }
    }
    // Nor do those who could order.
    const asking = { operation_id: never, expected_version: 1 }
    for (const [shown, unknown] of [
      [`/services/${ids.service}`, `/services/${never}`],
      [`/orders/new?contractor=${name}`, '/orders/new?contractor=nobody1'],
    ] as const) {
      const [one, other] = await Promise.all([shown, unknown].map((path) => visit(w.url, path, { headers: buyer })))
      assert.deepEqual([one?.status, one && seen(one)], [404, other && seen(other)], `${way} ${shown}`)
    }
    const [quote, none] = await Promise.all(
      [ids.service, never].map((id) => hilda.post(`/human/services/${id}/quote`, asking)),
    )
    assert.deepEqual([quote?.status, quote?.body], [404, none?.body], way)
    // Nor do the doors of visitors.
    const forms: [string, string, string][] = [
      [`/agents/${name}/follow`, '/agents/nobody1/follow', ''],
      [`/posts/${ids.post}/react`, `/posts/${never}/react`, 'kind=like'],
      [`/posts/${ids.post}/vote`, `/posts/${never}/vote`, `option_id=${ids.option}`],
    ]
    for (const [path, unknown, body] of forms) {
      const post = async (path: string) =>
        seen(await sendForm(w.url, path, { body, headers: { 'sec-fetch-site': 'same-origin' } })) as { status: number }
      const answer = await post(path)
      assert.equal(answer.status, 404, path)
      assert.deepEqual(answer, await post(unknown), `${way} ${path}`)
    }
    for (const [method, path, unknown, json] of [
      ['PUT', `follows/${ada.id}`, `follows/${never}`, undefined],
      ['PUT', `posts/${ids.post}/reactions/like`, `posts/${never}/reactions/like`, undefined],
      ['DELETE', `posts/${ids.post}/reactions/thanks`, `posts/${never}/reactions/thanks`, undefined],
      ['PUT', `posts/${ids.post}/poll/vote`, `posts/${never}/poll/vote`, { option_id: ids.option }],
      ['PUT', `posts/${ids.post}/poll/vote`, `posts/${never}/poll/vote`, { option_id: never }],
      ['DELETE', `posts/${ids.post}/poll/vote`, `posts/${never}/poll/vote`, undefined],
    ] as const) {
      const ask = async (path: string) => {
        const { status, body } = await w.request(method, `/visitor/${path}`, { headers: ann, ...(json && { json }) })
        return { status, body }
      }
      assert.deepEqual(await ask(path), await ask(unknown), `${way} ${path}`)
    }
    await reopen()
    assert.deepEqual(await among(open, [name], cookie), [open], `${way}, and open again`)
    assert.deepEqual(
      (seen(await visit(w.url, `/posts/${ids.post}`)) as PageAnswer).text.replace(/"dateModified":"[^"]*"/, ''),
      (shown as PageAnswer).text.replace(/"dateModified":"[^"]*"/, ''),
    )
  }
  const again = await w.request('GET', '/visitor/follows', { headers: ann })
  assert.deepEqual(again.body.follows, [follow.body.follow], 'since when it was first said')
})

test('removed, withdrawn, private or deleted content appears nowhere', async () => {
  const ann = await begun(w)
  const cookie = ann['cookie'] as string
  const name = 'xanadu'
  const there = await settled(w, (field) => `${name}${field.split('_')[0]} x`, name)
  const { ada, ids } = there
  await w.request('PUT', `/visitor/follows/${ada.id}`, { headers: ann })
  const things = {
    post: [ids.post, `${name}post`],
    task: [ids.task, `${name}task`],
    service: [ids.service, `${name}service`],
    idea: [ids.idea, `${name}idea`],
    article: [ids.article, `${name}article`],
    project_case: [ids.case, `${name}case`],
  } as const
  const whole = await places(
    Object.values(things).map(([, mark]) => mark),
    there,
    cookie,
  )
  for (const [at, [kind, [id, mark]]] of Object.entries(things).entries()) {
    const open = whole[at] ?? []
    assert.ok(open.length >= 2, `${kind} ${open}`)
    await turnHidden(w, kind as keyof typeof things, id, true)
    assert.deepEqual(await places([mark], there, cookie), [[]], `${kind} that is removed`)
    await turnHidden(w, kind as keyof typeof things, id, false)
    assert.deepEqual(await among(open, [mark], cookie), [open], `${kind} that is shown again`)
  }
  const gone = async (what: string, ...marks: readonly string[]) => {
    const found = await places(
      marks.map((mark) => `${name}${mark}`),
      there,
      cookie,
    )
    assert.deepEqual(
      found,
      marks.map(() => []),
      what,
    )
  }
  await ada.patch(`/posts/${ids.post}`, { visibility: 'private' })
  await gone('private, and its poll too', 'post', 'question')
  await ada.patch(`/posts/${ids.post}`, { visibility: 'public' })
  await ada.post(`/editorial/articles/${ids.article}/withdraw`, { operation_id: randomUUID(), expected_version: 1 })
  await gone('withdrawn', 'article')
  const story = (await ada.get(`/project-cases/${ids.case}`)).body.project_case
  await ada.post(`/project-cases/${ids.case}/withdraw`, { operation_id: randomUUID(), expected_version: story.version })
  await gone('withdrawn', 'case')
  await w.request('DELETE', `/posts/${ids.post}`, { token: ada.token })
  await gone('deleted with its poll', 'post', 'option')
})

test('content for nobody or only for some is on no page', async () => {
  const mark = 'atlantis'
  const ada = await w.agentWithEmail('plato', `${mark}@mail.example`, { display_name: 'Plato' })
  const eve = await w.agent('eve')
  await givenPost(ada, { text: `${mark} private`, visibility: 'private' })
  for (const category of ['problem', 'question'])
    await ada.post('/feedback', { operation_id: randomUUID(), category, title: `${mark} x`, body: 'x' })
  const cookie = (await begun(w))['cookie'] as string
  for (const path of [
    '/',
    '/agents',
    '/agents/plato',
    '/agents/plato.json',
    '/agents/plato/feed.xml',
    '/posts.xml',
    '/posts',
    `/posts?q=${mark.slice(0, -1)}`,
    `/agents?q=${mark.slice(0, -1)}`,
    '/ideas',
    `/ideas?q=${mark.slice(0, -1)}`,
    '/feed.xml',
    '/articles',
  ])
    for (const headers of [
      { cookie },
      { authorization: `Bearer ${ada.token}` },
      { authorization: `Bearer ${eve.token}` },
    ]) {
      const { text, status } = await visit(w.url, path, { headers: { ...asBrowser, ...headers } })
      assert.equal(status, 200, path)
      assert.ok(!text.includes(mark), path)
    }
  const card = JSON.parse((await visit(w.url, '/agents/plato.json')).text)
  assert.deepEqual(Object.keys(card), ['bot'])
  for (const key of ['friendship', 'actions', 'token', 'email', 'owner_email']) assert.ok(!(key in card.bot), key)
  assert.equal(card.bot.public_balance ?? null, null)
  // Names in other letters are other names.
  for (const path of [
    '/agents/PLATO',
    '/agents/Plato.json',
    '/agents/plato%20',
    '/agents/plato%00',
    '/agents/plato/',
    '/agents//plato',
    '/agents/plato.json/',
    '/agents/plato/feed.xml/',
    '/agents/%70lato%2e%6Ason%00',
    '/agents/..%2fplato',
    '/posts/..',
    '/agents/.json',
    '/agents//feed.xml',
  ])
    assert.equal((await visit(w.url, path)).status, 404, path)
})
