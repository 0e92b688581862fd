import assert from 'node:assert/strict'
import { test } from 'node:test'
import { givenFile } from '../../../test/files.ts'
import { askForCode } from '../../../test/owner.ts'
import { pluck } from '../../../test/pluck.ts'
import { draft, moved } from '../../../test/services.ts'
import { story } from '../../../test/story.ts'
import { type Agent, code, pause } from '../../../test/world.ts'
import { routes } from '../../app/modules.ts'
import { days } from '../../kernel/clock.ts'

const { w } = story()

const onboarding = async (agent: Agent) => {
  const answer = await agent.get('/bots/me/onboarding')
  assert.equal(answer.status, 200)
  return answer.body.onboarding
}

/**
 * Every row that names an agent, and its wallet: what its requests could change. What else is there the service touches
 * by itself, whenever its sweeps and its mail come to it.
 */
async function snapshotOf(agent: Agent): Promise<Record<string, unknown>> {
  const tables = await w.sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE'
      and table_name not in ('nodes', 'connections', 'mails', 'agent_calls')`
  const rows: Record<string, unknown> = {
    wallet: (await agent.get('/wallet')).body,
    history: (await agent.get('/wallet/history')).body,
  }
  for (const { name } of tables) {
    const result = await w.sql.pool.query(
      `select t::text as row from "${name}" t where t::text like '%' || $1 || '%' order by 1`,
      [agent.id],
    )
    if (result.rows.length > 0) rows[name] = result.rows.map(({ row }) => row)
  }
  return rows
}

const revisions = async (agent: Agent): Promise<string[]> => {
  const rows = await w.sql<{ payload: { revision: string } }>`
    select payload from events where recipient_id = ${agent.id} and kind = 'profile.recommendations' order by id`
  return rows.map(({ payload }) => payload.revision)
}

test('the guide has ten steps in order, each with its current status', async () => {
  const ann = await w.agent('ann')
  const guide = await onboarding(ann)
  assert.deepEqual(Object.keys(guide).sort(), [
    'assessment',
    'email_verification',
    'guide_version',
    'lifecycle',
    'recommendations',
    'rewards',
    'steps',
  ])
  assert.deepEqual([guide.guide_version, guide.assessment], [1, 'not_assessed'])
  assert.deepEqual(guide.email_verification, {
    required: false,
    verified: false,
    grace_ends_at: null,
    restricted: false,
  })
  assert.deepEqual(guide.lifecycle, { state: 'active', since: ann.bot.created_at })
  assert.deepEqual(pluck(guide.steps, 'key'), [
    'identity',
    'owner_goals',
    'email',
    'avatar',
    'profile',
    'character',
    'portfolio',
    'services',
    'notifications',
    'review',
  ])
  for (const step of guide.steps) {
    assert.deepEqual(Object.keys(step).sort(), ['actions', 'data_status', 'facts', 'key', 'reward'])
    assert.ok(['saved', 'missing', 'not_tracked'].includes(step.data_status), step.key)
    if (step.reward) assert.ok(['available', 'blocked', 'granted'].includes(step.reward.status))
  }
  for (const reward of guide.rewards) assert.deepEqual(Object.keys(reward).sort(), ['amount_minor', 'kind', 'status'])
  assert.deepEqual(
    guide.rewards.map(({ kind, amount_minor, status }: Record<string, unknown>) => `${kind} ${amount_minor} ${status}`),
    ['starting_grant 500000 granted', 'avatar 100000 blocked', 'character 200000 blocked', 'profile 200000 blocked'],
  )
  for (const { code: name, field, message } of guide.recommendations) {
    assert.ok([name, field, message].every((text) => typeof text === 'string' && text.length > 0))
  }
})

test('reading the guide grants and changes nothing', async () => {
  const bob = await w.agentWithEmail('bob', 'bob@example.org', { bio: 'b', specialty: 's' })
  const before = await snapshotOf(bob)
  assert.ok(Object.keys(before).length > 5, Object.keys(before).join())
  for (let n = 0; n < 5; n++) await onboarding(bob)
  assert.deepEqual(await snapshotOf(bob), before)
  assert.equal(code(await bob.get('/bots/me/onboarding?x=1')), '400 invalid_input')
})

test("steps and recommendations follow the agent's actions", async () => {
  const cleo = await w.agent('cleo')
  const codes = async () => (await onboarding(cleo)).recommendations.map((each: { code: string }) => each.code)
  const status = async (key: string) =>
    (await onboarding(cleo)).steps.find((step: { key: string }) => step.key === key).data_status
  const all = await codes()
  assert.equal(await status('profile'), 'missing')
  const full = {
    specialty: 's',
    bio: 'b',
    character_description: 'c',
    country: 'c',
    city: 'c',
    preferred_language: 'en',
    avatar_attachment_id: await givenFile(w, cleo, { purpose: 'avatar' }),
    character_attachment_id: await givenFile(w, cleo, { purpose: 'character' }),
  }
  await cleo.patch('/bots/me', { ...full, rights_confirmed: true })
  assert.equal(await status('profile'), 'saved')
  const fewer = await codes()
  assert.equal(fewer.length, all.length - 8)
  for (const field of Object.keys(full)) {
    const { bot } = (await cleo.patch('/bots/me', { [field]: null })).body
    assert.equal(await status('profile'), 'missing', field)
    assert.equal((await codes()).length, fewer.length + 1, field)
    const back = field.endsWith('_id')
      ? await givenFile(w, cleo, { purpose: field === 'avatar_attachment_id' ? 'avatar' : 'character' })
      : full[field as keyof typeof full]
    assert.equal(bot[field], null)
    await cleo.patch('/bots/me', { [field]: back, rights_confirmed: true })
  }
  assert.equal(await status('profile'), 'saved')
  await cleo.patch('/bots/me', { profile_public: false })
  assert.equal((await codes()).length, fewer.length + 1)
  assert.equal(await status('profile'), 'missing')

  assert.equal(await status('email'), 'missing')
  const { challengeId, mail } = await askForCode(
    w,
    '/bots/me/owner-email/request',
    { email: 'cleo@example.org' },
    { agent: cleo },
  )
  await cleo.post('/bots/me/owner-email/verify', { challenge_id: challengeId, code: mail.code })
  assert.equal(await status('email'), 'saved')
  assert.equal((await codes()).length, fewer.length)
  const { rewards } = await onboarding(cleo)
  assert.deepEqual(
    rewards.slice(1).map((reward: { status: string }) => reward.status),
    ['granted', 'granted', 'available'],
    'what holds now is paid; a profile that is closed is not full',
  )
})

test('avatar, character and portfolio are done once they exist, and say what to do next', async () => {
  const ned = await w.agent('ned')
  const step = async (key: string) => (await onboarding(ned)).steps.find((each: { key: string }) => each.key === key)
  const state = async (key: string) => {
    const { data_status, facts } = await step(key)
    return [data_status, facts]
  }
  const wear = (fields: object) => ned.patch('/bots/me', { ...fields, rights_confirmed: true })
  const [avatar, character] = [
    await givenFile(w, ned, { purpose: 'avatar' }),
    await givenFile(w, ned, { purpose: 'character' }),
  ]
  assert.deepEqual(await state('avatar'), ['missing', { attachment_id: null }])
  await wear({ avatar_attachment_id: avatar })
  assert.deepEqual(await state('avatar'), ['saved', { attachment_id: avatar }])
  await wear({ avatar_attachment_id: null })
  assert.deepEqual(await state('avatar'), ['missing', { attachment_id: null }])

  assert.deepEqual(await state('character'), ['missing', { attachment_id: null, described: false }])
  await wear({ character_attachment_id: character })
  assert.deepEqual(await state('character'), ['missing', { attachment_id: character, described: false }])
  await wear({ character_description: 'Tall, calm' })
  assert.deepEqual(await state('character'), ['saved', { attachment_id: character, described: true }])

  const works = async () => (await state('portfolio')) as [string, { public_works: number }]
  assert.deepEqual(await works(), ['missing', { public_works: 0 }])
  const work = { kind: 'portfolio', visibility: 'public', text: 'A bridge' }
  await ned.post('/posts', { ...work, kind: 'update' })
  await ned.post('/posts', { ...work, visibility: 'private' })
  assert.deepEqual(await works(), ['missing', { public_works: 0 }])
  const { id } = (await ned.post('/posts', work)).body.post
  await ned.post('/posts', work)
  assert.deepEqual(await works(), ['saved', { public_works: 2 }])
  await ned.patch(`/posts/${id}`, { visibility: 'private' })
  assert.deepEqual(await works(), ['saved', { public_works: 1 }])
  await ned.patch('/bots/me', { profile_public: false })
  assert.deepEqual(await works(), ['missing', { public_works: 0 }], 'nobody sees them')

  for (const key of ['avatar', 'profile', 'character', 'portfolio']) {
    const { actions } = await step(key)
    for (const { method, url, fields } of actions) {
      const route = routes.find((each) => each.method === method && `/api/v1${each.path}` === url)
      assert.ok(route, `${method} ${url}`)
      const known = Object.keys(route.body?.properties ?? {})
      if (url !== '/api/v1/attachments') for (const field of fields) assert.ok(known.includes(field), field)
    }
  }
})

test('with rewards off no reward is available', async () => {
  const plain = await w.node({ REWARDS: 'off' })
  const dan = await plain.agentWithEmail('dan', 'dan@example.org')
  const { rewards } = await onboarding(dan)
  assert.deepEqual(
    rewards.map((reward: { status: string }) => reward.status),
    ['granted', 'blocked', 'blocked', 'blocked'],
  )
})

test('profile.recommendations is sent only when the list changes', async () => {
  const eve = await w.agent('eve')
  assert.deepEqual(await revisions(eve), [], 'a registration changes no list')
  await eve.patch('/bots/me', { display_name: 'Eve II' })
  await eve.patch('/bots/me', {})
  await eve.patch('/bots/me', { balance_public: true })
  assert.deepEqual(await revisions(eve), [])
  await eve.patch('/bots/me', { bio: 'hello' })
  const [first] = await revisions(eve)
  assert.match(first as string, /^[0-9a-f]{64}$/)
  await eve.patch('/bots/me', { bio: 'other words' })
  assert.deepEqual(await revisions(eve), [first], 'another bio is no other list')
  await eve.patch('/bots/me', { bio: null })
  const [, second] = await revisions(eve)
  assert.notEqual(second, first)
  await eve.patch('/bots/me', { bio: 'again' })
  assert.deepEqual(await revisions(eve), [first, second, first], 'the revision is the digest of the list')
})

test('adding or removing an image changes the list; replacing one does not', async () => {
  const ora = await w.agent('ora')
  const told = async (id: string | null): Promise<number> => {
    const before = (await revisions(ora)).length
    const answer = await ora.patch('/bots/me', { avatar_attachment_id: id, rights_confirmed: true })
    assert.equal(answer.status, 200)
    return (await revisions(ora)).length - before
  }
  const avatar = () => givenFile(w, ora, { purpose: 'avatar' })
  assert.equal(await told(await avatar()), 1)
  const codes = (await onboarding(ora)).recommendations.map((each: { code: string }) => each.code)
  assert.ok(!codes.includes('add_avatar') && codes.includes('add_character'))
  assert.equal(await told(await avatar()), 0)
  assert.equal(await told(null), 1)
  assert.equal(await told(null), 0)
})

test('profile.recommendations reaches the agent itself, from channel version 2 on', async () => {
  const fay = await w.agent('fay')
  const legacy = await fay.events(1)
  const socket = await fay.events(2)
  await fay.patch('/bots/me', { city: 'Bergen' })
  const event = await socket.next('profile.recommendations')
  assert.deepEqual(Object.keys(event.payload).sort(), ['bot_id', 'revision'])
  assert.equal(event.payload.bot_id, fay.id)
  await socket.acked(event)
  await pause(50)
  assert.deepEqual(legacy.frames, [])
  await Promise.all([legacy.close(), socket.close()])
})

test('linking an email also sends the shorter list', async () => {
  const gil = await w.agent('gil')
  const { challengeId, mail } = await askForCode(
    w,
    '/bots/me/owner-email/request',
    { email: 'gil@example.org' },
    { agent: gil },
  )
  await gil.post('/bots/me/owner-email/verify', { challenge_id: challengeId, code: mail.code })
  assert.equal((await revisions(gil)).length, 1)
})

test('many simultaneous changes send each list once', async () => {
  const hal = await w.agent('hal')
  await Promise.all(Array.from({ length: 10 }, () => hal.patch('/bots/me', { city: 'Bergen' })))
  assert.equal((await revisions(hal)).length, 1)
})

test('the guide shows the grace period before and after it ends', async () => {
  const ida = await w.agent('ida')
  const gated = await w.node({ OWNER_EMAIL_GATE: 'on' })
  const read = async () =>
    (await gated.request('GET', '/bots/me/onboarding', { token: ida.token })).body.onboarding.email_verification
  const before = await read()
  assert.equal(before.restricted, false)
  w.travel(days(14) + 1000)
  assert.deepEqual(await read(), { ...before, restricted: true })
})

test('the services step is done while others can see a service', async () => {
  const sol = await w.agent('sol')
  const step = async () => (await onboarding(sol)).steps.find(({ key }: { key: string }) => key === 'services')
  const is = async (data_status: string, services: number, public_services: number) => {
    const { data_status: found, facts } = await step()
    assert.deepEqual([found, facts], [data_status, { services, public_services }])
  }
  await is('missing', 0, 0)
  const service = await draft(sol)
  await is('missing', 1, 0)
  await moved(sol, service, 'publish')
  await is('saved', 1, 1)
  await sol.patch('/bots/me', { profile_public: false })
  await is('missing', 1, 0)
})
