// How a task ends: by a choice, by its customer, by itself; what happens to its bids and files, and who gets events.
// docs/contract/tasks.md#states.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { storedFile } from '../../../test/files.ts'
import { allFindable } from '../../../test/findable.ts'
import { inTime, type Shown } from '../../../test/orders.ts'
import { pluck } from '../../../test/pluck.ts'
import { story } from '../../../test/story.ts'
import {
  actionBody,
  assertTasks,
  bid,
  bidBody,
  cancel,
  publish,
  read,
  select,
  selectBody,
  taskBody,
} from '../../../test/tasks.ts'
import { turnSuspended } from '../../../test/turning.ts'
import { read as readFile } from '../../../test/upload.ts'
import { type Agent, befriend, code, eventually, race } from '../../../test/world.ts'
import { days, hours, minutes } from '../../kernel/clock.ts'
import { setProfileHidden } from '../profiles/profiles.ts'
import { bidMoves, bidStates, taskMoves, taskStates } from './machine.ts'
import { expireTasks } from './tasks.ts'

const { w, bob, cara } = story('bob', 'cara')
after(() => allFindable(w.sql))

/** What an agent was told, of a task and the bids on it. */
const told = async (who: Agent, task: Shown): Promise<string[]> =>
  (
    await w.sql<{ kind: string; payload: Shown; min_version: number }>`
      select kind, payload, min_version from events where recipient_id = ${who.id}
        and kind in ('task.available', 'task.changed', 'bid.received', 'bid.changed') and payload ->> 'task_id' = ${task.id}
      order by id`
  ).map(({ kind, payload, min_version }) => {
    assert.equal(min_version, 2)
    return `${kind} ${payload.status} ${payload.version}`
  })

const swept = async (): Promise<void> => {
  while (await expireTasks(w.service.sql, w.now()));
}

const listed = async (state: string): Promise<string[]> => {
  const { body } = await w.request('GET', `/tasks?state=${state}&page_size=50`)
  assert.equal(body.pagination.total, body.tasks.length)
  return body.tasks.map(({ id }: Shown) => id)
}

test('the transition tables name every state; each is reachable, and only final states have no exit', () => {
  for (const [states, moves] of [
    [taskStates, Object.values(taskMoves)],
    [bidStates, Object.values(bidMoves)],
  ] as const) {
    const reached = new Set(['open', ...moves.map(({ to }) => to)])
    assert.deepEqual([...reached].sort(), [...states].sort())
    assert.ok(moves.every(({ from }) => from.length === 1 && from[0] === 'open'))
  }
})

test('after bids close none is added or changed, and the customer has another day to choose', async () => {
  const ada = await w.agent('ada')
  const task = await publish(w, ada, { bids_close_at: inTime(w, hours(1)), deadline: inTime(w, days(60)) })
  const [one, two] = [await bid(w, bob, task, { deadline: inTime(w, days(60)) }), await bid(w, cara, task)]
  w.travel(hours(1))
  assert.equal(code(await (await w.agent('late')).post(`/tasks/${task.id}/bids`, bidBody(w))), '409 invalid_state')
  assert.equal(code(await bob.patch(`/bids/${one.id}`, actionBody(one, { text: 'Cheaper' }))), '409 invalid_state')
  assert.equal(code(await cara.post(`/bids/${two.id}/withdraw`, actionBody(two))), '200', 'it may always be withdrawn')
  w.travel(hours(23))
  assert.equal((await read(w, task)).body.task.state, 'open')
  await select(ada, task, one)
})

for (const [why, fields, over] of [
  ['a day after its bids closed', { deadline: days(60), bids_close_at: hours(1) }, hours(25)],
  ['with its deadline', { deadline: hours(5), bids_close_at: days(2) }, hours(5)],
] as const) {
  test(`a task ends ${why}: it shows at once, a sweep records it, and its bids are rejected`, async () => {
    const dee = await w.agent(`dee_${over}`)
    const task = await publish(w, dee, {
      deadline: inTime(w, fields.deadline),
      bids_close_at: inTime(w, fields.bids_close_at),
      input_attachment_ids: [await storedFile(w, dee, { file_format: 'mp3', purpose: 'order' })],
    })
    const made = await bid(w, bob, task, { deadline: inTime(w, days(90)) })
    const [held] = await w.sql<{ attachment_id: string }>`
      select attachment_id from attachment_bindings b join tasks t on t.order_id = b.subject_id where t.id = ${task.id}`
    w.travel(over - hours(1))
    assert.equal((await read(w, task)).body.task.state, 'open')
    assert.ok((await listed('open')).includes(task.id))
    w.travel(hours(1))
    const shownOver = async () => {
      assert.equal((await read(w, task)).body.task.state, 'expired')
      assert.ok(!(await listed('open')).includes(task.id))
      assert.ok((await listed('expired')).includes(task.id))
      assert.equal((await dee.get('/tasks/mine?state=expired')).body.pagination.total, 1)
      assert.equal((await dee.get('/tasks/mine?state=open')).body.pagination.total, 0)
      assert.equal((await bob.get('/bids/mine?state=rejected')).body.bids[0].id, made.id)
      assert.ok(!(await bob.get('/bids/mine?state=open')).body.bids.some(({ id }: Shown) => id === made.id))
      const [bidNow] = (await dee.get(`/tasks/${task.id}/bids`)).body.bids
      assert.equal(bidNow.state, 'rejected')
      const [{ version }] = (await w.sql`select version from tasks where id = ${task.id}`) as [{ version: number }]
      for (const attempt of [
        dee.post(`/tasks/${task.id}/select`, selectBody({ ...task, version }, bidNow)),
        dee.post(`/tasks/${task.id}/cancel`, actionBody({ version })),
        cara.post(`/tasks/${task.id}/bids`, bidBody(w)),
        bob.patch(`/bids/${made.id}`, actionBody(bidNow, { text: 'Later' })),
        bob.post(`/bids/${made.id}/withdraw`, actionBody(bidNow)),
      ]) {
        assert.equal(code(await attempt), '409 invalid_state')
      }
    }
    await shownOver()
    await Promise.all([swept(), swept()])
    await shownOver()
    assert.deepEqual(await told(bob, task), ['task.changed expired 2', 'bid.changed rejected 2'])
    assert.deepEqual(await told(dee, task), ['bid.received open 1'])
    const [file] = await w.sql<{ purge_after: Date }>`
      select purge_after from attachments where id = ${held?.attachment_id}`
    assert.ok((file?.purge_after.getTime() ?? Infinity) <= w.now().getTime() + hours(24), 'its files go')
    await assertTasks(w.sql)
  })
}

test('without a bid to select, a task ends when bids close, or at once when the last is withdrawn after that', async () => {
  const eli = await w.agent('eli')
  const times = { bids_close_at: inTime(w, hours(1)), deadline: inTime(w, days(60)) }
  const [none, left, chosen] = [
    await publish(w, eli, times),
    await publish(w, eli, times),
    await publish(w, eli, times),
  ]
  const passing = await bid(w, bob, left)
  const last = await bid(w, bob, chosen)
  assert.equal(code(await bob.post(`/bids/${passing.id}/withdraw`, actionBody(passing))), '200')
  const states = async () => {
    await assertTasks(w.sql)
    const open = await listed('open')
    return Promise.all(
      [none, left, chosen].map(async (task) => {
        const { state } = (await read(w, task)).body.task
        assert.equal(open.includes(task.id), state === 'open')
        return state
      }),
    )
  }
  w.travel(minutes(30))
  assert.deepEqual(await states(), ['open', 'open', 'open'])
  w.travel(minutes(30))
  assert.deepEqual(await states(), ['expired', 'expired', 'open'])
  assert.equal(code(await bob.post(`/bids/${last.id}/withdraw`, actionBody(last))), '200')
  assert.deepEqual(await states(), ['expired', 'expired', 'expired'])
  await swept()
  assert.deepEqual(await states(), ['expired', 'expired', 'expired'])
})

test('a sweep interrupted in a task leaves it whole, and the next sweep ends it: everything once', async () => {
  const zoe = await w.agent('zoe')
  const tasks: Shown[] = []
  for (let n = 0; n < 4; n++) {
    const task = await publish(w, zoe, { deadline: inTime(w, hours(1) + n) })
    await bid(w, bob, task)
    await bid(w, cara, task)
    tasks.push(task)
  }
  const stuck = tasks[2]
  let first: Promise<unknown> | undefined
  await w.sql.transaction(async (tx) => {
    await tx`select 1 from bids where task_id = ${stuck.id} for update`
    w.travel(hours(2))
    first = expireTasks(w.service.sql, w.now()).catch((error: unknown) => error)
    const { pid } = await eventually(async () => {
      const [found] = await w.sql<{ pid: number }>`
        select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
          and query like '%update bids set state = ''rejected''%'`
      return found
    }, 'the sweep waits for the bids of the third')
    await w.sql`select pg_terminate_backend(${pid})`
  })
  await first
  await swept()
  for (const task of tasks) {
    assert.equal((await read(w, task)).body.task.state, 'expired')
    for (const who of [bob, cara]) {
      assert.deepEqual(await told(who, task), ['task.changed expired 2', 'bid.changed rejected 2'])
    }
  }
  assert.equal((await zoe.get('/tasks/mine?state=expired')).body.pagination.total, 4)
  await assertTasks(w.sql)
})

test("a task's files are visible only to the customer until a bid is selected, and then to the order's sides", async () => {
  const eve = await w.agent('eve')
  const ids = [
    await storedFile(w, eve, { file_format: 'mp3', purpose: 'order' }),
    await storedFile(w, eve, { file_format: 'mp3', purpose: 'order' }),
  ].reverse()
  const task = await publish(w, eve, { input_attachment_ids: ids })
  assert.ok(!JSON.stringify(task).includes(ids[0] as string))
  const made = await bid(w, bob, task)
  await bid(w, cara, task)
  const readers = async () =>
    Promise.all(
      [eve, bob, cara].map(async (agent) => (await readFile(w, `/attachments/${ids[0]}/download`, { agent })).status),
    )
  assert.deepEqual(await readers(), [200, 404, 404])
  const discarded = await w.request('DELETE', `/attachments/${ids[0]}`, { token: eve.token })
  assert.equal(code(discarded), '409 attachment_bound')
  assert.equal(
    code(await eve.post('/tasks', taskBody(w, { input_attachment_ids: ids }))),
    '409 attachment_already_bound',
  )
  assert.equal(code(await bob.post('/tasks', taskBody(w, { input_attachment_ids: ids }))), '404 invalid_attachment')
  // Longer than a file lives that nothing holds.
  w.travel(days(2))
  const { order } = await select(eve, task, made)
  assert.deepEqual(pluck(order.input_attachments, 'id'), ids)
  assert.deepEqual(await readers(), [200, 200, 404])

  const again = [await storedFile(w, eve, { file_format: 'mp3', purpose: 'order' })]
  const second = await publish(w, eve, { input_attachment_ids: again })
  await cancel(eve, second)
  const [file] = await w.sql<{ purge_after: Date | null; active: boolean }>`
    select f.purge_after, b.active from attachments f join attachment_bindings b on b.attachment_id = f.id
    where f.id = ${again[0]}`
  assert.deepEqual([file?.active, file?.purge_after !== null], [false, true])
})

test('the customer gets events about bids, a bidder about its own, and all bidders about the task’s end', async () => {
  const flo = await w.agent('flo')
  const task = await publish(w, flo)
  const [one, two, three] = [
    await bid(w, bob, task),
    await bid(w, cara, task),
    await bid(w, await w.agent('gus'), task),
  ]
  const changed = (await bob.patch(`/bids/${one.id}`, actionBody(one, { text: 'More' }))).body.bid
  await cara.post(`/bids/${two.id}/withdraw`, actionBody(two))
  assert.deepEqual(await told(flo, task), [
    'bid.received open 1',
    'bid.received open 1',
    'bid.received open 1',
    'bid.received open 2',
    'bid.received withdrawn 2',
  ])
  await select(flo, task, changed)
  assert.deepEqual((await told(bob, task)).sort(), [
    'bid.changed open 2',
    'bid.changed selected 3',
    'task.changed selected 2',
  ])
  assert.deepEqual(await told(cara, task), ['bid.changed withdrawn 2'], 'who left is told no more')
  const [gus] =
    (await w.sql`select recipient_id as id from events where subject_id = ${three.id} and kind = 'bid.changed'`) as [
      Agent,
    ]
  assert.deepEqual(await told(gus, task), ['task.changed selected 2', 'bid.changed rejected 2'])
  assert.equal((await told(flo, task)).length, 5, 'the customer did it')
})

test('a block between both refuses bids, changes and selection, but not withdrawing or cancelling', async () => {
  const [hal, ida] = [await w.agent('hal'), await w.agent('ida')]
  const [task, other] = [await publish(w, hal), await publish(w, hal)]
  const made = await bid(w, ida, task)
  await hal.post(`/contacts/${await befriend(hal, ida)}/block`)
  assert.equal(code(await ida.post(`/tasks/${other.id}/bids`, bidBody(w))), '403 contact_blocked')
  assert.equal(code(await ida.patch(`/bids/${made.id}`, actionBody(made, { text: 'Please' }))), '403 contact_blocked')
  assert.equal(code(await hal.post(`/tasks/${task.id}/select`, selectBody(task, made))), '403 contact_blocked')
  assert.equal((await read(w, task, ida)).status, 200)
  assert.equal(code(await ida.post(`/bids/${made.id}/withdraw`, actionBody(made))), '200')
})

test("a suspended agent's bid cannot be selected; a closed profile's can, under its earlier name", async () => {
  const [jim, kay] = [await w.agent('jim'), await w.agent('kay', { display_name: 'Kay' })]
  const task = await publish(w, jim)
  const made = await bid(w, kay, task)
  const suspend = (suspended: boolean) => turnSuspended(w, kay.id, suspended)
  await suspend(true)
  assert.equal(code(await jim.post(`/tasks/${task.id}/select`, selectBody(task, made))), '409 invalid_state')
  await suspend(false)
  await kay.patch('/bots/me', { profile_public: false })
  await kay.patch('/bots/me', { display_name: 'Nobody’s business' })
  assert.equal((await jim.get(`/tasks/${task.id}/bids`)).body.bids[0].bidder.display_name, 'Kay')
  await select(jim, task, made)
})

test('suspended customers and bidders cannot cancel or withdraw; the task and its bids end in time', async () => {
  const [mia, noa] = [await w.agent('mia'), await w.agent('noa')]
  const task = await publish(w, mia, { deadline: inTime(w, hours(1)) })
  const made = await bid(w, noa, task)
  for (const { id } of [mia, noa]) await turnSuspended(w, id, true)
  assert.equal(code(await mia.post(`/tasks/${task.id}/cancel`, actionBody(task))), '403 profile_inactive')
  assert.equal(code(await noa.post(`/bids/${made.id}/withdraw`, actionBody(made))), '403 profile_inactive')
  w.travel(hours(1))
  await swept()
  assert.equal((await mia.get(`/tasks/${task.id}`)).body.task.state, 'expired')
  assert.equal((await noa.get('/bids/mine')).body.bids[0].state, 'rejected')
  const room = await w.sql`select 1 from party_counts where party_id = ${mia.id} and name = 'open_tasks' and value > 0`
  assert.deepEqual(room, [], 'and its place is free')
  for (const { id } of [mia, noa]) await turnSuspended(w, id, false)
  await publish(w, mia)
})

test('a task needs an open profile, and only its customer sees it while the profile is closed or suspended', async () => {
  const lou = await w.agent('lou')
  const task = await publish(w, lou, { title: 'Zugunruhe', tags: ['geese'] })
  const made = await bid(w, bob, task)
  const doors = async () =>
    Promise.all(
      [
        `/tasks/${task.id}`,
        `/tasks/${task.id}?`,
        '/tasks?q=zugunruhe',
        '/tasks?tag=geese',
        '/tasks',
        `/tasks/${task.id}/bids`,
      ].map(async (path) => {
        const { status, body } = await bob.get(path)
        return [status, body.pagination?.total, JSON.stringify(body).includes(task.id)]
      }),
    )
  const shown = await doors()
  const close = (open: boolean) => lou.patch('/bots/me', { profile_public: open })
  const suspend = (suspended: boolean) => turnSuspended(w, lou.id, suspended)
  for (const [hide, restore] of [
    [() => close(false), () => close(true)],
    [() => suspend(true), () => suspend(false)],
  ] as const) {
    await hide()
    await assertTasks(w.sql)
    const hidden = await doors()
    assert.deepEqual(
      hidden.map(([status]) => status),
      [404, 404, 200, 200, 200, 404],
    )
    assert.ok(hidden.every(([, , isThere]) => !isThere))
    assert.equal(hidden[4]?.[1], (shown[4]?.[1] as number) - 1, 'in no total')
    assert.equal((await lou.get(`/tasks/${task.id}`)).body.task.id, task.id)
    assert.equal((await lou.get('/tasks/mine')).body.pagination.total, 1)
    assert.equal(code(await cara.post(`/tasks/${task.id}/bids`, bidBody(w))), '404 not_found')
    assert.equal(code(await bob.patch(`/bids/${made.id}`, actionBody(made, { text: 'x' }))), '404 not_found')
    assert.ok(
      (await bob.get('/bids/mine')).body.bids.some(({ id }: Shown) => id === made.id),
      'a bid stays its bidder’s',
    )
    await restore()
    assert.deepEqual(await doors(), shown)
  }
  await close(false)
  assert.equal(code(await lou.post('/tasks', taskBody(w))), '403 public_profile_required')
  const cancelled = await cancel(lou, task)
  assert.equal(cancelled.state, 'cancelled')
  await close(true)
  await w.service.sql.transaction((tx) => setProfileHidden(tx, lou.id, true))
  assert.equal(code(await lou.post('/tasks', taskBody(w))), '403 public_profile_required', 'nor a removed one')
  await w.service.sql.transaction((tx) => setProfileHidden(tx, lou.id, false))
  assert.ok((await listed('cancelled')).includes(task.id), 'as it has become meanwhile')
})

test('a customer may have a hundred open tasks, also in parallel, and publish two hundred a day', async () => {
  const max = await w.agent('max')
  const tasks: Shown[] = []
  for (let n = 0; n < 90; n++) tasks.push(await publish(w, max))
  const answers = await race(20, () => max.post('/tasks', taskBody(w)))
  const codes = answers.map(code)
  assert.equal(codes.filter((each) => each === '201').length, 10)
  assert.ok(codes.filter((each) => each !== '201').every((each) => each === '429 request_limit'))
  assert.match(answers.find(({ status }) => status === 429)?.headers.get('retry-after') ?? '', /^\d+$/)
  for (const task of tasks.slice(0, 5)) await cancel(max, task)
  for (let n = 0; n < 5; n++) await publish(w, max)
  assert.equal(code(await max.post('/tasks', taskBody(w))), '429 request_limit')
  await w.sql`
    insert into tasks (id, customer_id, title, description, tags, deadline, bids_close_at, expires_at, state, order_id,
      has_files, search_text, search_grams, created_at, updated_at)
    select gen_random_uuid(), customer_id, title, description, tags, deadline, bids_close_at, expires_at, 'cancelled',
      gen_random_uuid(), false, search_text, search_grams, created_at, updated_at
    from tasks where customer_id = ${max.id} limit 95`
  await w.sql`
    insert into listed_tasks select id, customer_id, state, expires_at from tasks where customer_id = ${max.id} on conflict do nothing`
  await w.sql`insert into counters (name, shard, value) values ('listed_task_cancelled', 99, 95)`
  await cancel(max, tasks[5])
  assert.equal(code(await max.post('/tasks', taskBody(w))), '429 request_limit', 'two hundred')
  w.travel(days(1))
  await swept()
  assert.equal(code(await max.post('/tasks', taskBody(w))), '201')
})

test('a task may have a thousand bids', async () => {
  const ned = await w.agent('ned')
  const task = await publish(w, ned)
  const [one] = [await bid(w, bob, task)]
  await w.sql`
    insert into parties (id, kind, created_at) select gen_random_uuid(), 'agent', ${w.now()} from generate_series(1, 999)`
  await w.sql`
    insert into agents (id, handle, display_name, profile_public, encryption_public_key, search_text, search_grams,
      created_at, updated_at)
    select p.id, 'n' || substr(replace(p.id::text, '-', ''), 1, 20), 'n', false, decode(repeat(replace(p.id::text, '-', ''), 2), 'hex'),
      '', '{}', ${w.now()}, ${w.now()}
    from parties p left join agents a on a.id = p.id where p.kind = 'agent' and a.id is null`
  await w.sql`
    insert into bids (id, task_id, bidder_id, amount_minor, fee_bps, fee_minor, total_minor, deadline, text, state,
      created_at, updated_at)
    select gen_random_uuid(), ${task.id}, a.id, 1000, 1000, 100, 1100, ${w.now()}, 'x', 'open', ${w.now()}, ${w.now()}
    from agents a where a.display_name = 'n'`
  await w.sql`update tasks set bids_count = 1000 where id = ${task.id}`
  await w.sql`insert into wallets (party_id, updated_at) select id, ${w.now()} from agents where display_name = 'n'`
  assert.equal(code(await cara.post(`/tasks/${task.id}/bids`, bidBody(w))), '429 request_limit')
  await bob.post(`/bids/${one.id}/withdraw`, actionBody(one))
  await bid(w, cara, task)
  const { body } = await ned.get(`/tasks/${task.id}/bids?page=20&page_size=50`)
  assert.deepEqual([body.bids.length, body.pagination.total], [50, 1001])
  assert.equal((await cancel(ned, task)).state, 'cancelled')
  const [{ events }] = (await w.sql`
    select count(*)::int as events from events where payload ->> 'task_id' = ${task.id} and kind = 'task.changed'`) as [
    { events: number },
  ]
  assert.equal(events, 1000)
})

test('a bid is changed at most 99 times, and may be withdrawn after that', async () => {
  const oda = await w.agent('oda')
  const made = await bid(w, bob, await publish(w, oda))
  await w.sql`update bids set version = 99 where id = ${made.id}`
  const change = (version: number) => bob.patch(`/bids/${made.id}`, actionBody({ version }, { text: 'Cheaper' }))
  assert.equal(code(await change(99)), '200')
  assert.equal(code(await change(100)), '409 invalid_state')
  assert.equal(code(await bob.post(`/bids/${made.id}/withdraw`, actionBody({ version: 100 }))), '200')
})

test('a card for a malformed or unknown ID is 404', async () => {
  for (const id of ['x', 'mine2', randomUUID()]) {
    assert.equal(code(await w.request('GET', `/tasks/${id}`)), '404 not_found')
    assert.equal(code(await bob.post(`/bids/${id}/withdraw`, actionBody({ version: 1 }))), '404 not_found')
  }
})
