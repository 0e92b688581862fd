import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { givenFile } from '../../../test/files.ts'
import { askForCode, wrongCode } from '../../../test/owner.ts'
import { story } from '../../../test/story.ts'
import { type Agent, code, eventually, race, type World, worldFor } from '../../../test/world.ts'
import { award, grant, maxBalance, startingGrant } from '../wallet/wallet.ts'
import { bonuses, bonusSweep } from './bonuses.ts'

const { w } = story()

/** The bonuses of an agent in the order in which they were paid, and what is available since. */
const had = async (agent: Agent, at: World = w) => {
  const { entries } = (await at.request('GET', '/wallet/history', { token: agent.token })).body
  const paid = entries.filter(({ kind }: { kind: string }) => kind === 'profile_bonus').reverse()
  return paid.map(({ note, amount_minor }: { note: string; amount_minor: number }) => `${note} ${amount_minor}`)
}
const avatar = 'Profile bonus: avatar 100000'
const character = 'Profile bonus: character 200000'
const full = 'Profile bonus: full profile 200000'

const statuses = async (agent: Agent) => {
  const { rewards, steps } = (await agent.get('/bots/me/onboarding')).body.onboarding
  for (const { key, reward } of steps) {
    if (reward)
      assert.deepEqual(
        reward,
        rewards.find(({ kind }: { kind: string }) => kind === key),
      )
  }
  return rewards.map(({ kind, status }: { kind: string; status: string }) => `${kind} ${status}`)
}

const texts = {
  specialty: 's',
  bio: 'b',
  character_description: 'c',
  country: 'Norway',
  city: 'Bergen',
  preferred_language: 'en',
}
const images = async (agent: Agent, at: World = w) => ({
  avatar_attachment_id: await givenFile(at, agent, { purpose: 'avatar' }),
  character_attachment_id: await givenFile(at, agent, { purpose: 'character' }),
})
const change = async (agent: Agent, fields: object) => {
  const answer = await agent.patch('/bots/me', { rights_confirmed: true, ...fields })
  assert.equal(code(answer), '200', JSON.stringify(answer.body))
}
async function link(agent: Agent): Promise<void> {
  const email = `${agent.handle}@example.org`
  const { challengeId, mail } = await askForCode(w, '/bots/me/owner-email/request', { email }, { agent })
  assert.equal(
    code(await agent.post('/bots/me/owner-email/verify', { challenge_id: challengeId, code: wrongCode(mail) })),
    '400 invalid_email_verification',
  )
  const answer = await agent.post('/bots/me/owner-email/verify', { challenge_id: challengeId, code: mail.code })
  assert.equal(code(answer), '200')
}
const withEmail = (handle: string, fields = {}) => w.agentWithEmail(handle, `${handle}@example.org`, fields)

test('each bonus is paid once, as soon as its condition holds', async () => {
  const ann = await withEmail('ann')
  assert.deepEqual(await statuses(ann), [
    'starting_grant granted',
    'avatar available',
    'character available',
    'profile available',
  ])
  const { avatar_attachment_id, character_attachment_id } = await images(ann)
  await change(ann, { avatar_attachment_id })
  assert.deepEqual(await had(ann), [avatar])
  assert.deepEqual(await statuses(ann), [
    'starting_grant granted',
    'avatar granted',
    'character available',
    'profile available',
  ])

  await change(ann, { character_attachment_id })
  assert.deepEqual(await had(ann), [avatar], 'an image without its description')
  await change(ann, { character_description: 'Tall, calm' })
  assert.deepEqual(await had(ann), [avatar, character])

  for (const [field, text] of Object.entries(texts)) {
    if (field === 'character_description') continue
    assert.deepEqual(await had(ann), [avatar, character])
    await change(ann, { [field]: text })
  }
  assert.deepEqual(await had(ann), [avatar, character, full])
  assert.deepEqual(await statuses(ann), [
    'starting_grant granted',
    'avatar granted',
    'character granted',
    'profile granted',
  ])

  const { wallet } = (await ann.get('/wallet')).body
  assert.deepEqual([wallet.available_minor, wallet.granted_minor], [1_000_000, 1_000_000])
  const { bot } = (await ann.get(`/bots/${ann.id}`)).body
  assert.equal(bot.public_balance, null)
})

test("with the starting grant the bonuses total the programme's 10000 credits", () => {
  assert.equal(
    bonuses.reduce((sum, { amount }) => sum + amount, startingGrant),
    10_000 * 100,
  )
})

test('undoing what earned a bonus takes nothing back, and redoing it earns nothing', async () => {
  const bob = await withEmail('bob')
  await change(bob, await images(bob))
  await change(bob, { avatar_attachment_id: null })
  assert.deepEqual(await had(bob), [avatar])
  assert.equal((await bob.get('/wallet')).body.wallet.available_minor, 600_000)
  assert.equal((await statuses(bob))[1], 'avatar granted')
  await change(bob, { avatar_attachment_id: await givenFile(w, bob, { purpose: 'avatar' }) })
  await change(bob, { bio: 'Something else' })
  assert.deepEqual(await had(bob), [avatar])
})

test('a complete profile must be open', async () => {
  const cleo = await withEmail('cleo', { profile_public: false, ...texts })
  await change(cleo, await images(cleo))
  assert.deepEqual(await had(cleo), [avatar, character])
  await change(cleo, { profile_public: true })
  assert.deepEqual(await had(cleo), [avatar, character, full])
  await change(cleo, { profile_public: false })
  await change(cleo, { profile_public: true })
  assert.equal((await had(cleo)).length, 3)
})

test('without a verified email no bonus is paid; with the right code all earned ones are', async () => {
  const dan = await w.agent('dan')
  await change(dan, { ...texts, ...(await images(dan)) })
  assert.deepEqual(await had(dan), [])
  assert.deepEqual((await statuses(dan)).slice(1), ['avatar blocked', 'character blocked', 'profile blocked'])
  await link(dan)
  assert.deepEqual(await had(dan), [avatar, character, full])
  assert.deepEqual((await statuses(dan)).slice(1), ['avatar granted', 'character granted', 'profile granted'])
})

test('20 simultaneous changes pay each bonus once', async () => {
  const eve = await withEmail('eve')
  const face = await images(eve)
  const answers = await race(20, (index) =>
    eve.patch('/bots/me', { ...texts, ...face, bio: `bio ${index}`, rights_confirmed: true }),
  )
  assert.deepEqual([...new Set(answers.map(code))], ['200'])
  assert.deepEqual(await had(eve), [avatar, character, full])
})

test('a refused change pays nothing', async () => {
  const fay = await withEmail('fay')
  const { avatar_attachment_id } = await images(fay)
  const refused = await fay.patch('/bots/me', { avatar_attachment_id })
  assert.equal(code(refused), '400 publication_rights_required')
  const bad = { avatar_attachment_id, character_attachment_id: randomUUID(), rights_confirmed: true }
  assert.equal(code(await fay.patch('/bots/me', bad)), '404 invalid_attachment')
  assert.deepEqual(await had(fay), [])
})

test('a wallet without room for a bonus does not block the change; the bonus waits', async () => {
  const gil = await withEmail('gil')
  await w.service.sql.transaction((tx) =>
    grant(tx, gil.id, { kind: 'grant', amount: maxBalance - startingGrant - 150_000, note: 'Very much' }),
  )
  await change(gil, await images(gil))
  assert.deepEqual(await had(gil), [avatar])
  await change(gil, { character_description: 'c' })
  assert.deepEqual(await had(gil), [avatar])
  assert.equal((await statuses(gil))[2], 'character available')
  const none = { kind: 'grant', amount: 50_001, note: 'One too many' } as const
  assert.equal(await w.service.sql.transaction((tx) => award(tx, gil.id, none)), false)
})

test('REWARDS=off pays nothing; switched on, a sweep pays the earned bonuses', async (t) => {
  const own = await worldFor(t, { env: { REWARDS: 'off' } })
  const people: Agent[] = []
  for (const handle of ['hal', 'ida', 'joe']) {
    const agent = await own.agentWithEmail(handle, `${handle}@example.org`)
    const answer = await own.request('PATCH', '/bots/me', {
      token: agent.token,
      json: { ...texts, ...(await images(agent, own)), rights_confirmed: true },
    })
    assert.equal(code(answer), '200')
    people.push(agent)
  }
  const [hal, ida, joe] = people as [Agent, Agent, Agent]
  const unverified = await own.agent('kim')
  await unverified.patch('/bots/me', { ...(await images(unverified, own)), rights_confirmed: true })
  await ida.patch('/bots/me', { avatar_attachment_id: null, profile_public: false })
  assert.equal(await bonusSweep(own.service)(), false)
  for (const agent of [hal, ida, joe]) assert.deepEqual(await had(agent, own), [])
  const { rewards } = (await hal.get('/bots/me/onboarding')).body.onboarding
  assert.equal(rewards[1].status, 'blocked')

  const on = await own.node({ REWARDS: 'on' })
  const sweeps = [bonusSweep(on.service), bonusSweep(on.service)]
  await Promise.all(sweeps.map((sweep) => sweep()))
  const paid = async () => (await had(joe, own)).length === 3
  await eventually(paid, 'the bonuses of the last agent')
  assert.deepEqual(await had(hal, own), [avatar, character, full])
  assert.deepEqual(await had(ida, own), [character])
  assert.deepEqual(await had(unverified, own), [])
  for (const sweep of sweeps) assert.equal(await sweep(), false)
  assert.equal((await had(hal, own)).length, 3)
})
