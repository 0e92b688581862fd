// An operator and the agents: who is found by what, what their cards say, and each action with its reason, once, in the audit log.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { type Browsing, browsing } from '../../test/console.ts'
import { operatorSession } from '../../test/operators.ts'
import { money } from '../../test/orders.ts'
import { hostile } from '../../test/pages.ts'
import { beforehand, story } from '../../test/story.ts'
import { befriend, code, someoneWaits } from '../../test/world.ts'
import { days } from '../kernel/clock.ts'
import { removeOperator } from '../operator/accounts/accounts.ts'
import { entries } from '../store/audit.ts'

const signedIn = async (email: string): Promise<Browsing> =>
  browsing(w, { cookie: (await operatorSession(w, email)).cookie })

const { w } = story({ env: { OWNER_EMAIL_GATE: 'on' } })
let olga: Browsing
beforehand(async () => {
  olga = await signedIn('olga@operators.example')
})
const ada = beforehand(() => w.agentWithEmail('ada', 'ada@owners.example', { display_name: 'Ada Lovelace' }))
const bob = beforehand(() => w.agentWithEmail('bob', 'bob@owners.example', { display_name: 'Zed' }))
beforehand(async () => {
  await w.sql`update agents set owner_email = 'ada@owners.example' where handle = 'bob'`
  await w.sql`update owners set passports = case email when 'ada@owners.example' then 2 else 0 end`
  await befriend(ada, bob)
})

/** Sends an action of an agent's page as its form would; the operation is a new one unless it is named. */
async function act(
  who: Browsing,
  handle: string,
  action: string,
  fields: Record<string, string> = {},
  operation: string = randomUUID(),
) {
  const path = `/operator/agents/${handle}`
  await who.see(path)
  return who.send(path, { action, operation_id: operation, reason: 'So that it is so', ...fields })
}

const audited = async () => {
  const [entry] = (await entries(w.sql, { limit: 1 })).entries
  const { actor, action, subject, reason, details } = entry ?? {}
  return { actor, action, subject, reason, details }
}

const howMany = async (): Promise<number> => (await entries(w.sql, { limit: 1000 })).entries.length

const handlesIn = (text: string): string[] =>
  [...text.matchAll(/<h2><a href="\/operator\/agents\/([a-z0-9_]+)">/g)].map(([, handle]) => handle as string)

test('agents are found by the start of a handle or a name, by the full email, and by status', async () => {
  const path = '/operator/agents'
  const seen = async (query: string) => handlesIn((await olga.see(`${path}?${query}`)).text)
  const found = async (query: string) =>
    handlesIn((await olga.send(path, Object.fromEntries(new URLSearchParams(query)))).text)
  assert.deepEqual(await seen(''), ['bob', 'ada'], 'the newest first')
  assert.deepEqual(await seen('q=ada'), ['bob', 'ada'], 'what is typed is never in an address')
  assert.deepEqual(await found('q=a'), ['ada'])
  assert.deepEqual(await found('q=%40ada'), ['ada'])
  assert.deepEqual(await found('q=ADA+LOVE'), ['ada'])
  assert.deepEqual(await found('q=love'), [], 'not in the middle')
  assert.deepEqual(await found('q=ze'), ['bob'])
  assert.deepEqual(await found('q=%25'), [])
  assert.deepEqual(await found('q=_'), [])
  assert.deepEqual(await found('q=Ada%40Owners.example'), ['ada', 'bob'])
  assert.deepEqual(await found('q=ada%40owners'), [], 'not by a piece of an email')
  for (const filter of ['suspended', 'restricted', 'staff', 'authors']) {
    assert.deepEqual(await seen(`filter=${filter}`), [], filter)
    assert.deepEqual(await found(`q=a&filter=${filter}`), [], filter)
  }
  const hint = 'The search matches the start of a handle'
  assert.ok((await olga.send(path, { q: 'nobody' })).text.includes(hint))
  assert.ok(!(await olga.see(`${path}?filter=suspended`)).text.includes(hint), 'nobody searched')
  const wrong = await olga.send(path, { q: 'a@b@c..d' })
  assert.match(wrong.text, /aria-invalid="true" aria-describedby="q-problem"/)
  for (const query of ['filter=x', 'page=0', 'page=2', 'page=51']) {
    assert.equal((await olga.see(`${path}?${query}`)).status, 404, query)
    await olga.see(path)
    assert.equal(
      (await olga.send(path, { q: 'a', ...Object.fromEntries(new URLSearchParams(query)) })).status,
      404,
      query,
    )
  }
})

test('nobody is suspended for a reason code that no operator chose', async () => {
  const { text } = await olga.see('/operator/agents/ada')
  assert.match(text, /<select id="suspend-code" name="code" required><option value="">Choose<\/option>/)
  const refused = await act(olga, 'ada', 'suspend', { code: '' })
  assert.equal(refused.status, 400)
  assert.match(refused.text, /id="suspend-code-problem">Choose a reason code\./)
})

test('a suspension and its end each happen once, with a reason, for the first operator', async () => {
  const before = await howMany()
  const once = randomUUID()
  const fields = { code: 'spam', reason: '  It sends spam\r\nto everyone ' }
  const done = await act(olga, 'ada', 'suspend', fields, once)
  assert.deepEqual([done.status, done.headers.location], [303, '/operator/agents/ada?done=suspend'])
  assert.equal(code(await ada.get('/bots')), '403 profile_inactive')
  const [{ suspension_case_id: caseId } = { suspension_case_id: '' }] = await w.sql<{ suspension_case_id: string }>`
    select suspension_case_id from agents where handle = 'ada'`
  assert.deepEqual(await audited(), {
    actor: 'operator:olga@operators.example',
    action: 'agent.suspend',
    subject: 'ada',
    reason: 'It sends spam\nto everyone',
    details: { case_id: caseId, reason_code: 'spam' },
  })
  const page = await olga.see('/operator/agents/ada?done=suspend')
  assert.match(page.text, /role="status"/)
  for (const other of ['x', 'toString']) {
    assert.doesNotMatch((await olga.see(`/operator/agents/ada?done=${other}`)).text, /role="status"/, other)
  }
  assert.match(page.text, /It sends spam<br>to everyone/)
  assert.match(page.text, /<dt>Profile<\/dt><dd>Hidden while suspended</)
  assert.match(page.text, new RegExp(`/operator/moderation/${caseId}`))
  assert.deepEqual(handlesIn((await olga.see('/operator/agents?filter=suspended')).text), ['ada'])

  const again = await act(olga, 'ada', 'suspend', fields, once)
  assert.equal(again.status, 303, 'a double click is done once')
  const other = await act(olga, 'ada', 'suspend', { ...fields, code: 'fraud' }, once)
  assert.equal(other.status, 409, 'one id, other words')
  const oscar = await signedIn('oscar@operators.example')
  const late = await act(oscar, 'ada', 'suspend', fields)
  assert.equal(late.status, 409, 'another operator was first')
  assert.match(
    late.text,
    /<p class="form-problem" role="alert"[^>]*>Something changed in the meantime[^<]* Last recorded here: “Agent suspended”, operator:olga@/,
  )
  assert.match(late.text, /<h2 id="typed">What you typed<\/h2>[\s\S]*<p dir="auto">\s*It sends spam<br>to everyone/)
  assert.match(late.text, /value="restore"/)
  assert.equal(await howMany(), before + 1)

  const back = await act(oscar, 'ada', 'restore')
  assert.equal(back.status, 303)
  assert.equal((await ada.get('/bots')).status, 200)
  assert.deepEqual(await audited(), {
    actor: 'operator:oscar@operators.example',
    action: 'agent.restore',
    subject: 'ada',
    reason: 'So that it is so',
    details: { case_id: caseId, reason_code: 'ok' },
  })
  assert.equal(await howMany(), before + 2)
})

test('twenty operators suspending one agent at once suspend it once', async () => {
  const before = await howMany()
  const all = await Promise.all(Array.from({ length: 20 }, (_, at) => signedIn(`o${at}@operators.example`)))
  const sent = await Promise.all(all.map((each) => act(each, 'bob', 'suspend', { code: 'other' })))
  assert.deepEqual(
    sent.map(({ status }) => status).sort((a, b) => a - b),
    [303, ...Array(19).fill(409)],
  )
  const once = randomUUID()
  const twice = await Promise.all(Array.from({ length: 20 }, () => act(olga, 'bob', 'restore', {}, once)))
  assert.deepEqual(new Set(twice.map(({ status }) => status)), new Set([303]))
  assert.equal(await howMany(), before + 2)
})

test('a form error appears beside its field, the input is kept, and nothing is done', async () => {
  const before = await howMany()
  const wrong = [
    ['suspend', { code: 'spam', reason: '' }, 'suspend-reason-problem'],
    ['suspend', { code: 'spam', reason: ' \n ' }, 'suspend-reason-problem'],
    ['suspend', { code: 'spam', reason: 'x'.repeat(2001) }, 'suspend-reason-problem'],
    ['suspend', { code: 'spam', reason: 'a\u0000b' }, 'suspend-reason-problem'],
    ['suspend', { code: 'ok' }, 'suspend-code-problem'],
    ['grant', { credits: '0' }, 'grant-credits-problem'],
    ['grant', { credits: '1.234' }, 'grant-credits-problem'],
    ['grant', { credits: '-1' }, 'grant-credits-problem'],
    ['grant', { credits: '90000000000000.01' }, 'grant-credits-problem'],
  ] as const
  for (const [action, fields, problem] of wrong) {
    const refused = await act(olga, 'ada', action, { ...fields })
    assert.equal(refused.status, 400, JSON.stringify(fields))
    if (problem !== undefined) assert.match(refused.text, new RegExp(`id="${problem}"`), JSON.stringify(fields))
    assert.match(refused.text, /<details class="panel act-panel" open>/)
  }
  const typed = await act(olga, 'ada', 'grant', { credits: hostile, reason: hostile })
  assert.ok(!typed.text.includes(hostile))
  assert.match(typed.text, /&lt;script&gt;/)
  const russian = await olga.send(
    '/operator/agents/ada',
    { action: 'suspend', operation_id: randomUUID(), reason: '' },
    { 'accept-language': 'ru' },
  )
  assert.match(russian.text, /Укажите причину|причин/i)
  assert.match(russian.text, /<p>Стартов[^<]*<\/p>/)
  assert.ok(!russian.text.includes('Starting grant'))
  for (const action of ['', 'constructor', 'delete']) {
    assert.equal((await act(olga, 'ada', action)).status, 400, action)
  }
  assert.equal((await act(olga, 'ada', 'assign', { role: 'operator' })).status, 400)
  await olga.see('/operator/agents')
  const nobody = await olga.send('/operator/agents/nobody', {
    action: 'restore',
    operation_id: randomUUID(),
    reason: 'It is',
  })
  assert.equal(nobody.status, 404)
  assert.equal(await howMany(), before)
})

test('credits, roles and authors are changed, and the agents get events', async () => {
  const [had] = await money(ada)
  assert.equal((await act(olga, 'ada', 'grant', { credits: '12,5', reason: 'For the trouble' })).status, 303)
  assert.deepEqual(await money(ada), [had + 1250, 0])
  assert.deepEqual(await audited(), {
    actor: 'operator:olga@operators.example',
    action: 'credits.grant',
    subject: 'ada',
    reason: 'For the trouble',
    details: { amount_minor: 1250 },
  })
  assert.match((await olga.see('/operator/agents/ada')).text, /12\.50\u00a0test credits[\s\S]*For the trouble/)

  for (const role of ['support', 'moderator']) {
    assert.equal((await act(olga, 'ada', 'assign', { role, form: `assign-${role}` })).status, 303)
    assert.deepEqual((await audited()).details, { role })
    const again = await act(olga, 'ada', 'assign', { role, form: `assign-${role}` })
    assert.equal(again.status, 409)
    assert.match(again.text, /class="form-problem"/)
  }
  const staffed = await olga.see('/operator/staff')
  assert.match(staffed.text, /@ada<\/a><\/h2>\s*<p class="row-foot"><span class="chip strong">Support/)
  assert.deepEqual((await ada.get('/staff/me')).body.staff, { roles: ['support', 'moderator'], version: 2 })
  assert.deepEqual(handlesIn((await olga.see('/operator/agents?filter=staff')).text), ['ada'])
  assert.deepEqual(handlesIn((await olga.send('/operator/agents', { filter: 'staff', q: 'bob' })).text), [])
  assert.equal((await act(olga, 'ada', 'revoke', { role: 'support', form: 'revoke-support' })).status, 303)
  assert.equal((await audited()).action, 'staff.revoke')

  assert.equal((await act(olga, 'ada', 'make-author')).status, 303)
  assert.match((await olga.see('/operator/authors')).text, /Ada Lovelace/)
  assert.deepEqual(handlesIn((await olga.see('/operator/agents?filter=authors')).text), ['ada'])
  assert.equal((await audited()).action, 'editorial.assign')
  assert.equal((await act(olga, 'ada', 'end-author')).status, 303)
  assert.equal((await act(olga, 'ada', 'end-author')).status, 409)
  assert.doesNotMatch((await olga.see('/operator/authors')).text, /Ada Lovelace/)
})

test("a card names the passport and its masked owner, and none of the owner's other data", async () => {
  const sent = await bob.send(ada)
  assert.equal(sent.status, 201)
  const { text } = await olga.see('/operator/agents/ada')
  assert.match(text, /<bdi>a…@owners\.example<\/bdi>/)
  assert.match(text, /<a href="\/operator\/agents\/bob">@bob<\/a>/, 'the other passport of the owner')
  assert.match(text, new RegExp(ada.bot.encryption_key_fingerprint))
  for (const secret of ['ada@owners.example', ada.token, bob.token, sent.body.message.ciphertext]) {
    assert.ok(!text.includes(secret))
  }
  await olga.see('/operator/agents')
  assert.match((await olga.send('/operator/agents', { q: 'ada' })).text, /a…@owners\.example/)
})

test('an agent without a verified email is restricted after the grace period', async () => {
  await w.sql`update agents set email_verified_at = null where handle = 'bob'`
  const restricted = async () => handlesIn((await olga.see('/operator/agents?filter=restricted')).text)
  assert.deepEqual(await restricted(), [])
  w.travel(days(15))
  olga = await signedIn('olga@operators.example')
  assert.deepEqual(await restricted(), ['bob'])
  assert.match((await olga.see('/operator/agents/bob')).text, /Restricted: email not verified/)
  await w.sql`update agents set email_verified_at = ${w.now()} where handle = 'bob'`
})

test('an operator removed while an action waits can no longer act', async () => {
  const eve = await signedIn('eve@operators.example')
  const cleo = await w.agentWithEmail('cleo', 'cleo@owners.example')
  await eve.see('/operator/agents/cleo')
  let asked: Promise<{ status: number; text: string }> | undefined
  await w.service.sql.transaction(async (tx) => {
    // The removal has begun, and what the action asks for waits for its end.
    await removeOperator(tx, { actor: 'operator:root', email: 'eve@operators.example', reason: 'She left' })
    const sent = eve.send('/operator/agents/cleo', {
      action: 'suspend',
      code: 'other',
      operation_id: randomUUID(),
      reason: 'Revenge',
    })
    asked = sent
    await someoneWaits(w, 'one who waits')
  })
  const answer = await asked
  assert.equal(answer?.status, 403)
  assert.match(answer.text, /Your session has ended[\s\S]*value="Revenge"/)
  assert.equal(code(await cleo.get('/bots')), '200')
  const [last] = (await entries(w.sql, { limit: 1 })).entries
  assert.equal(last?.action, 'operator.remove')
})

test('the pages of a search are sent too: what was typed is in no address, however many it finds', async () => {
  for (let at = 10; at <= 30; at++) await w.agentWithEmail(`crowd_${at}`, `crowd_${at}@owners.example`)
  await olga.see('/operator/agents')
  const first = await olga.send('/operator/agents', { q: 'crowd_' })
  assert.equal(handlesIn(first.text).length, 20)
  const [pager = ''] = /<form class="pager"[\s\S]*?<\/form>/.exec(first.text) ?? []
  assert.match(pager, /<button [^>]*name="page" value="2">Next</)
  assert.match(pager, /<input type="hidden" name="q" value="crowd_">/)
  assert.doesNotMatch(first.text, /(href|action)="[^"]*crowd_["?&]/)
  const second = await olga.send('/operator/agents', { q: 'crowd_', page: '2' })
  assert.deepEqual(handlesIn(second.text), ['crowd_30'])
  assert.match(second.text, /<button [^>]*name="page" value="1">Previous</)
  assert.equal((await olga.send('/operator/agents', { q: 'crowd_', page: '3' })).status, 404)
})
