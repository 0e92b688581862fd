// The board as everyone sees it in a browser: what is asked for, by whom, until when and for what; never who bid, and what.
// docs/contract/site.md#tasks.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { trade } from '../../../test/orders.ts'
import { assertPage, hostile, idsOn, soundPage, textOf, visit } from '../../../test/pages.ts'
import { beforehand, story } from '../../../test/story.ts'
import { bid, cancel, publish, seedTasks, select } from '../../../test/tasks.ts'
import { code, type World, worldFor } from '../../../test/world.ts'
import { days, earlier, minutes } from '../../kernel/clock.ts'

const { w } = story()
const ada = beforehand(() => w.agent('ada', { display_name: 'Ada & Co' }))

const page = (path: string, at: World = w) => soundPage(at, path)
const on = async (path: string, at?: World): Promise<string[]> => idsOn('tasks', (await page(path, at)).text)

test('an empty board says so, for every state', async (t) => {
  const empty = await worldFor(t)
  assert.match((await page('/tasks', empty)).text, /No open tasks/)
  assert.match((await page('/tasks?state=expired', empty)).text, /No tasks with this status/)
  assert.match((await page('/tasks?q=harbour', empty)).text, /No results/)
  assert.equal((await page('/tasks?page=2', empty)).status, 404)
})

describe('a task', () => {
  test("shows an AI agent's request, and how another agent bids", async () => {
    const task = await publish(w, ada, {
      title: 'Count the ships',
      description: 'All that pass.\n\nSee https://ships.example/list and\nwrite.',
      budget_minor: 125_050,
      tags: ['Counting', 'by the sea'],
    })
    const { text } = await page('/tasks')
    assert.equal(idsOn('tasks', text)[0], task.id)
    const row = textOf(text.slice(text.indexOf(task.id)))
    for (const words of ['1,250.50 test credits', '0 bids', 'Ada &amp; Co @ada', 'Counting', 'by the sea']) {
      assert.ok(row.includes(words), words)
    }
    const one = await visit(w.url, `/tasks/${task.id}`)
    assertPage(one.text, { publicUrl: w.url, elsewhere: ['https://ships.example/list'] })
    assert.match(one.text, /<h1 dir="auto">/)
    assert.match(one.text, /<title>Count the ships · Task · Kith<\/title>/)
    assert.match(
      one.text,
      /<p dir="auto">See <a href="https:\/\/ships\.example\/list" rel="ugc nofollow noopener">.*<br>write\.<\/p>/,
    )
    assert.match(one.text, new RegExp(`<link rel="canonical" href="${w.service.publicUrl}/tasks/${task.id}">`))
    assert.match(textOf(one.text), /Any AI agent that has joined this server/)
    assert.ok(one.text.includes(`<code>kith bid new ${task.id} `))
    const [, data = ''] = /<script type="application\/ld\+json">(.*?)<\/script>/.exec(one.text) ?? []
    const { '@type': type, headline, author, url } = JSON.parse(data)
    assert.deepEqual([type, headline, author.alternateName], ['DiscussionForumPosting', 'Count the ships', '@ada'])
    assert.equal(url, `${w.service.publicUrl}/tasks/${task.id}`)
    for (const q of ['ships', 'SHIPS PASS', 'counting', 'by the sea']) {
      assert.ok((await on(`/tasks?${new URLSearchParams({ q })}`)).includes(task.id), q)
    }
    assert.ok((await on('/tasks?q=shipping%20whales')).includes(task.id))
    assert.ok(!(await on('/tasks?q=zymurgy')).includes(task.id))
  })

  test('shows how many bid, but not who or what, before and after a selection', async () => {
    const [ben, cora] = [await w.agent('ben_bids'), await w.agent('cora_bids')]
    const task = await publish(w, ada, { title: 'A quiet bell' })
    const chosen = await bid(w, ben, task, { amount_minor: 31_337, text: 'Bronze and nothing else' })
    await bid(w, cora, task, { amount_minor: 27_182, text: 'Tin would do' })
    const secrets = /ben_bids|cora_bids|313\.37|271\.82|31337|27182|Bronze|Tin would/
    const shown = async () => {
      const one = (await page(`/tasks/${task.id}`)).text
      for (const text of [one, (await page('/tasks')).text, (await page('/tasks?state=selected')).text]) {
        assert.doesNotMatch(text, secrets)
      }
      return textOf(one)
    }
    assert.match(await shown(), /Bids 2 /)
    w.travel(days(7) + minutes(5))
    assert.match(await shown(), /Nobody: bids are closed, and the customer is choosing/)
    assert.doesNotMatch((await page(`/tasks/${task.id}`)).text, /kith bid new/)
    w.travel(-days(7) - minutes(5))
    const { order } = await select(ada, task, chosen)
    const after = await shown()
    assert.match(after, /Status Assigned .* it became an order/)
    for (const path of [`/tasks/${task.id}`, '/tasks?state=selected']) {
      assert.ok(!(await page(path)).text.includes(order.id), 'the order is between its sides')
    }
    assert.ok(!(await on('/tasks')).includes(task.id))
    assert.ok((await on('/tasks?state=selected')).includes(task.id))
  })

  test('is listed once, in its current state', async () => {
    const [kept, taken, late] = [await publish(w, ada), await publish(w, ada), await publish(w, ada)]
    await cancel(ada, taken)
    const places = async ({ id }: { id: string }) => {
      const found: string[] = []
      for (const state of ['open', 'selected', 'cancelled', 'expired']) {
        if ((await on(`/tasks?state=${state}`)).includes(id)) found.push(state)
      }
      assert.equal((await page(`/tasks/${id}`)).status, 200)
      return found.join(' ')
    }
    assert.deepEqual([await places(kept), await places(taken)], ['open', 'cancelled'])
    w.travel(days(7))
    assert.deepEqual([await places(late), await places(taken)], ['expired', 'cancelled'])
    w.travel(-days(7))
  })
})

test('tasks are listed twenty per page, with links up to the last; another number is 404', async (t) => {
  const many = await worldFor(t)
  const gus = await many.agent('gus')
  const ids = await seedTasks(
    many.sql,
    Array.from({ length: 45 }, (_, n) => ({
      customer_id: gus.id,
      title: n % 2 ? 'An odd boat' : 'An even boat',
      description: 'For the pond',
      tags: [],
      created_at: earlier(many.now(), minutes(n)),
    })),
  )
  const pages = [await page('/tasks', many), await page('/tasks?page=2', many), await page('/tasks?page=3', many)]
  assert.deepEqual(
    pages.flatMap(({ text }) => idsOn('tasks', text)),
    ids,
  )
  const link = (rel: string, href: string) => `<link rel="${rel}" href="${href}">`
  const [first, second, third] = pages.map(({ text }) => text) as [string, string, string]
  assert.ok(!first.includes('rel="prev"') && first.includes(link('next', '/tasks?page=2')))
  assert.ok(second.includes(link('prev', '/tasks')) && second.includes(link('next', '/tasks?page=3')))
  assert.ok(third.includes(link('prev', '/tasks?page=2')) && !third.includes('rel="next"'))
  assert.ok(second.includes(link('canonical', `${many.service.publicUrl}/tasks?page=2`)))
  assert.match(second, /<title>Tasks, page 2 · Kith<\/title>/)
  assert.match((await visit(w.url, '/tasks?state=expired')).text, /<title>Tasks: Expired · Kith<\/title>/)
  const odd = await page('/tasks?q=odd', many)
  assert.match(odd.text, /22 tasks found/)
  assert.match(odd.text, /<meta name="robots" content="noindex">/)
  assert.ok(odd.text.includes('href="/tasks?q=odd&amp;page=2"'))
  assert.equal((await on('/tasks?q=odd&page=2', many)).length, 2)
  for (const query of [
    'page=0',
    'page=4',
    'page=-1',
    'page=x',
    'page=1001',
    'page=2&page=2',
    'q=odd&page=3',
    'state=',
    'state=Open',
  ]) {
    assert.equal((await page(`/tasks?${query}`, many)).status, 404, query)
  }
})

test('an invalid search is explained beside the field, with the input kept', async () => {
  for (const [typed, problem] of [
    ['x'.repeat(201), /at most 200 characters/],
    [`${hostile}${'y'.repeat(200)}`, /at most 200 characters/],
    ['a\u0000b', /characters cannot be searched for/],
    ['a\u202eb', /characters cannot be searched for/],
  ] as const) {
    const answer = await page(`/tasks?${new URLSearchParams({ q: typed, state: 'expired' })}`)
    assert.equal(answer.status, 400)
    assert.match(answer.text, problem)
    assert.match(answer.text, / aria-invalid="true" aria-describedby="q-problem"/)
    assert.match(answer.text, /<input type="hidden" name="state" value="expired">/)
    assert.ok(answer.text.includes(typed.slice(-20)))
    assert.equal(answer.headers['cache-control'], 'no-store')
    assert.deepEqual(idsOn('tasks', answer.text), [])
  }
  assert.equal((await page(`/tasks?q=${'x'.repeat(200)}`)).status, 200)
  assert.equal((await page(`/tasks?q=${encodeURIComponent('🛶'.repeat(200))}`)).status, 200)
})

test('an order without a task, and its text, are on no page', async () => {
  const [hal, ina] = await w.friends('hal', 'ina')
  const order = await trade(w, hal, ina, 'accepted')
  assert.equal((await page(`/tasks/${order.id}`)).status, 404)
  assert.equal(code(await ina.get(`/tasks/${order.id}`)), '404 not_found')
})
