import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type Asked,
  askForCode,
  candidate,
  provenBody,
  refusedFields,
  retryAfter,
  wrongCode,
} from '../../../test/owner.ts'
import { story } from '../../../test/story.ts'
import { type Agent, type Answer, agentOf, code, race, type World, world } from '../../../test/world.ts'
import { days, minutes, seconds } from '../../kernel/clock.ts'

/** The first node has the gate off, as passports were made before there was one; `gated` is where the gate came on. */
const { w } = story()
let gated: World

const link = '/bots/me/owner-email/request'
const at = (world: World, agent: Agent): Agent => agentOf(world, agent, { bot: agent.bot, token: agent.token })
const verification = async (agent: Agent) => (await agent.get('/bots/me/onboarding')).body.onboarding.email_verification
const verify = (agent: Agent, challenge_id: string, codeText: string | undefined): Promise<Answer> =>
  agent.post('/bots/me/owner-email/verify', { challenge_id, code: codeText })

/** Links an email by the whole way; the answer of the last step. */
async function linkTo(world: World, agent: Agent, email: string): Promise<Answer> {
  const { challengeId, mail } = await askForCode(world, link, { email }, { agent })
  return verify(at(world, agent), challengeId, mail.code)
}

test('passports older than the gate have 14 days from its start, later ones from their creation', async () => {
  const old = await w.agent('old')
  assert.deepEqual(await verification(old), {
    required: false,
    verified: false,
    grace_ends_at: null,
    restricted: false,
  })
  w.travel(days(40))
  const started = w.now()
  gated = await w.node({ OWNER_EMAIL_GATE: 'on' })
  const since = gated.service.gateSince?.getTime() as number
  assert.ok(since >= started.getTime())
  const oldToken = await old.post('/tokens/rotate')
  assert.equal(oldToken.status, 401, 'the token of 40 days ago has expired')
  const older = await w.agent('older')
  await w.sql`update agents set created_at = ${new Date(since - days(100))} where id = ${older.id}`
  w.travel(days(3))
  const young = await w.agent('young')
  const [olderState, youngState] = [await verification(at(gated, older)), await verification(at(gated, young))]
  const expected = (from: number) => ({
    required: true,
    verified: false,
    grace_ends_at: new Date(from + days(14)).toISOString(),
    restricted: false,
  })
  assert.deepEqual(olderState, expected(since))
  assert.deepEqual(youngState, expected(Date.parse(young.bot.created_at)))

  const change = (agent: Agent) => at(gated, agent).patch('/bots/me', { bio: 'hello' })
  w.travel(Date.parse(olderState.grace_ends_at) - w.now().getTime() - minutes(1))
  assert.equal(code(await change(older)), '200')
  w.travel(minutes(1))
  assert.equal((await verification(at(gated, older))).restricted, true)
  assert.equal((await verification(at(gated, young))).restricted, false)
  assert.equal(code(await change(older)), '403 owner_email_required')
  assert.equal(code(await older.patch('/bots/me', { bio: 'hello' })), '200', 'with the gate off nobody is restricted')
  assert.equal(code(await change(young)), '200')
  const lifecycle = (await at(gated, older).get('/bots/me/onboarding')).body.onboarding.lifecycle
  assert.deepEqual(lifecycle, { state: 'restricted', since: olderState.grace_ends_at })

  // Linking ends the restriction at once.
  const answer = await linkTo(gated, older, 'older@example.org')
  assert.deepEqual(answer.body, {
    email_verification: { required: true, verified: true, grace_ends_at: null, restricted: false },
  })
  assert.equal(code(await change(older)), '200')
})

test('a second start with the gate on does not move the grace period', async () => {
  w.travel(days(2))
  const again = await w.node({ OWNER_EMAIL_GATE: 'on' })
  assert.deepEqual(again.service.gateSince, gated.service.gateSince)
})

test('linking needs only the code, and the challenge says so', async () => {
  const ann = await w.agent('ann')
  const { answer, challengeId, mail } = await askForCode(
    w,
    link,
    { email: ' Ann@EXAMPLE.org' },
    { agent: ann, mailedTo: 'ann@example.org' },
  )
  assert.equal(answer.body.owner_confirmation_required, false)
  assert.equal(answer.body.retry_after, 60)
  assert.equal(mail.link, undefined)
  const verified = await verify(ann, challengeId, mail.code)
  assert.equal(verified.status, 200)
  assert.equal((await verification(ann)).verified, true)
  const [owner] = await w.sql`select passports from owners where email = 'ann@example.org'`
  assert.equal(owner?.['passports'], 1)
  // Verified for good: neither step can be taken again.
  assert.equal(code(await verify(ann, challengeId, mail.code)), '409 invalid_state')
  assert.equal(code(await ann.post(link, { email: 'other@example.org' })), '409 invalid_state')
})

test('five wrong codes end a challenge, and parallel guesses cannot get around that', async () => {
  const bob = await w.agent('bob')
  const { challengeId, mail } = await askForCode(w, link, { email: 'bob@example.org' }, { agent: bob })
  const answers = await race(20, () => verify(bob, challengeId, wrongCode(mail)))
  assert.deepEqual([...new Set(answers.map(code))], ['400 invalid_email_verification'])
  const [row] = await w.sql`select attempts from challenges where id = ${challengeId}`
  assert.equal(row?.['attempts'], 5)
  assert.equal(code(await verify(bob, challengeId, mail.code)), '400 invalid_email_verification')
  assert.equal((await verification(bob)).verified, false)
})

test('one of 20 simultaneous right codes links', async () => {
  const cleo = await w.agent('cleo')
  const { challengeId, mail } = await askForCode(w, link, { email: 'cleo@example.org' }, { agent: cleo })
  const answers = await race(20, () => verify(cleo, challengeId, mail.code))
  assert.deepEqual(answers.map(code).sort(), ['200', ...Array(19).fill('409 invalid_state')])
  const [owner] = await w.sql`select passports from owners where email = 'cleo@example.org'`
  assert.equal(owner?.['passports'], 1)
})

test('a code works for its agent, for this purpose, for 10 minutes, until the next request', async () => {
  const [dora, eve] = [await w.agent('dora'), await w.agent('eve')]
  const first = await askForCode(w, link, { email: 'dora@example.org' }, { agent: dora })
  assert.equal(code(await verify(eve, first.challengeId, first.mail.code)), '400 invalid_email_verification')
  const elsewhere = await w.request('POST', '/registration/email/verify', {
    json: { challenge_id: first.challengeId, code: first.mail.code },
  })
  assert.equal(code(elsewhere), '400 invalid_email_verification')
  // Another address at once is another email, so no 60 seconds; the former code is cancelled.
  const second = await askForCode(w, link, { email: 'dora.two@example.org' }, { agent: dora })
  assert.equal(code(await verify(dora, first.challengeId, first.mail.code)), '400 invalid_email_verification')
  w.travel(minutes(10))
  assert.equal(code(await verify(dora, second.challengeId, second.mail.code)), '400 invalid_email_verification')
  assert.equal((await linkTo(w, dora, 'dora@example.org')).status, 200)
})

test('linking codes have their own 60-second interval', async () => {
  const finn = await w.agent('finn')
  const register = candidate('finn_two', 'finn@example.org')
  await askForCode(w, '/registration/email/request', register.ask)
  await askForCode(w, link, { email: 'finn@example.org' }, { agent: finn })
  const [row] = await w.sql`select created_at from challenges where email = 'finn@example.org' and purpose = 'link'`
  const until = new Date(Number(row?.['created_at']) + seconds(60))
  const refused = await retryAfter(w, until, () => finn.post(link, { email: 'FINN@example.org' }))
  assert.equal(code(refused), '429 registration_limited')
})

test('an invalid email is invalid input, and an unknown code is no verification', async () => {
  const gus = await w.agent('gus')
  assert.deepEqual(refusedFields(await gus.post(link, { email: 'gus@example.org/x' })), ['email'])
  const unknown = '01890000-0000-7000-8000-000000000000'
  assert.equal(code(await verify(gus, unknown, '123456')), '400 invalid_email_verification')
  assert.equal(code(await w.request('POST', link, { json: { email: 'gus@example.org' } })), '401 unauthorized')
})

test('linked and registered passports count together: a fourth is refused on verification, even in parallel', async () => {
  const email = 'hub@example.org'
  for (const handle of ['hub_one', 'hub_two']) {
    const body = await provenBody(w, candidate(handle, email))
    assert.equal((await w.request('POST', '/bots/register', { json: body })).status, 201)
    w.travel(seconds(61))
  }
  const agents = await Promise.all(['hub_a', 'hub_b', 'hub_c'].map((handle) => w.agent(handle)))
  const asked: Asked[] = []
  for (const agent of agents) {
    asked.push(await askForCode(w, link, { email }, { agent }))
    w.travel(seconds(61))
  }
  const answers = await Promise.all(
    agents.map((agent, n) => verify(agent, asked[n]?.challengeId as string, asked[n]?.mail.code)),
  )
  assert.deepEqual(answers.map(code).sort(), ['200', '409 owner_email_limit', '409 owner_email_limit'])
  const states = await Promise.all(agents.map(verification))
  assert.equal(states.filter(({ verified }) => verified).length, 1)
  const body = await provenBody(w, candidate('hub_late', email))
  assert.equal(code(await w.request('POST', '/bots/register', { json: body })), '409 owner_email_limit')
})

test('without email nothing can be linked', async (t) => {
  const silent = await world({ env: { MAIL_URL: 'none' } })
  t.after(() => silent.close())
  const ian = await silent.agent('ian')
  assert.equal(code(await ian.post(link, { email: 'ian@example.org' })), '503 owner_email_disabled')
})
