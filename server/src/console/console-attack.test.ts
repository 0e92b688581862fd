// The console from hand-made forms and addresses, in other languages, and while its database breaks.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { atConsole, audited } from '../../test/at-console.ts'
import { type PageAnswer, sendForm, visit } from '../../test/pages.ts'
import { pluck } from '../../test/pluck.ts'
import { beforehand, story } from '../../test/story.ts'
import { eventually } from '../../test/world.ts'
import { pages } from '../app/modules.ts'
import { isFormTarget, methodsOf, type PageRoute } from '../http/page.ts'
import { verifierOf } from './pages/ledger.ts'

const { w } = story()
beforehand(() => w.agent('kai'))
const olga = beforehand(() => atConsole(w, 'olga@op.example'))
const otto = beforehand(() => atConsole(w, 'otto@op.example'))

const kai = '/operator/agents/kai'
const entries = async (): Promise<number> => (await w.sql`select 1 from audit_log`).length

test('a form sent to an unknown address gets the same response as for a missing resource', async () => {
  const before = await entries()
  const of = { '{handle}': ['grant', 'suspend', 'assign', 'make-author'], '{order_id}': ['refund', 'resume'] }
  const others = {
    '{case_id}': ['decide'],
    '{feedback_id}': ['answer'],
    '{customer_id}': ['suspend', 'restore', 'end-session', 'end-sessions'],
  }
  const given = { credits: '1', code: 'spam', role: 'support', version: '1', expected_version: '1' }
  const decision = { decision: 'remove', reason_code: 'spam', status: 'planned', response: 'x' }
  for (const [name, actions] of Object.entries({ ...of, ...others })) {
    const isMeant = (page: PageRoute): boolean =>
      page.path.startsWith('/operator/') && page.path.endsWith(name) && methodsOf(page).includes('POST')
    const page = pages.find(isMeant) ?? assert.fail(name)
    for (const id of ['%00', 'kai%00', '%FF', '%0d%0a', '..%2fkai', 'KAI', randomUUID().toUpperCase(), randomUUID()]) {
      for (const action of actions) {
        const { status } = await olga.send(page.path.replace(name, id), { ...given, ...decision, action })
        assert.equal(status, 404, `${page.path} ${id} ${action}`)
      }
    }
  }
  assert.equal(await entries(), before)
})

test('only known values in an address affect a page', async () => {
  for (const page of pages.filter(({ path }) => /^\/operator[^{]*$/.test(path) && !/sign|\.(csv|jsonl)$/.test(path))) {
    if (isFormTarget(page)) continue
    for (const word of ['constructor', '__proto__', 'toString']) await olga.read(`${page.path}?done=${word}`)
  }
})

test("an operation ID follows the API's rules: any case, versions 1-8 only", async () => {
  const operation_id = randomUUID()
  const grant = { action: 'grant', credits: '3', reason: `Once ${operation_id}` }
  await olga.act(kai, { ...grant, operation_id })
  await olga.act(kai, { ...grant, operation_id: operation_id.toUpperCase() })
  const once = (await audited(w, 'kai')).filter((entry) => (entry as string[])[2] === grant.reason)
  assert.equal(once.length, 1)
  const before = await entries()
  for (const id of ['', 'x', '00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff'])
    assert.equal((await olga.send(kai, { ...grant, operation_id: id })).status, 400, id)
  assert.equal(await entries(), before)
})

test("an action that is no longer possible is reported in the page's language", async () => {
  const mail_id = randomUUID()
  const sent = await sendForm(w.url, '/operator/queues', {
    body: String(
      new URLSearchParams({
        csrf_token: olga.formToken,
        operation_id: randomUUID(),
        action: 'drop',
        mail_id,
        reason: 'Никто не ждёт',
      }),
    ),
    headers: { cookie: olga.cookie, origin: new URL(w.service.publicUrl).origin, 'accept-language': 'ru' },
  })
  assert.equal(sent.status, 409)
  assert.match(sent.text, /Тем временем что-то изменилось/)
  assert.doesNotMatch(sent.text, /There is no/)
})

test('when twenty requests verify the ledger at once, the log has one entry for each accepted request', async () => {
  const before = await entries()
  const form = { action: 'verify', reason: 'At once' }
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, each) => (each % 2 ? olga : otto).send('/operator/ledger', form)),
  )
  const done = answers.filter(({ status }) => status === 303)
  assert.ok(answers.every((answer) => answer.status === 409 || done.includes(answer)))
  assert.equal((await entries()) - before, done.length)
  await eventually(async () => verifierOf(w.service).current()?.outcome === 'through', 'it comes to its end')
})

test('during lost connections each finished action is in the audit log once, and others can be resent', async () => {
  const forms = Array.from({ length: 24 }, (_, each) => ({
    action: 'grant',
    credits: '2',
    operation_id: randomUUID(),
    reason: `Broken ${each}`,
  }))
  const send = (): Promise<PageAnswer[]> =>
    Promise.all(forms.map((form, each) => (each % 2 ? olga : otto).send(kai, form)))
  const sending = send()
  for (let each = 0; each < 5; each++)
    await w.sql`
      select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`
  const done = (await sending).flatMap(({ status }, each) => (status === 303 ? [forms[each]?.reason as string] : []))
  const broken = async (): Promise<string[]> =>
    (await w.sql<{ reason: string }>`select reason from audit_log where reason like 'Broken %' order by reason`).map(
      ({ reason }) => reason,
    )
  const found = await broken()
  assert.deepEqual(
    done.filter((reason) => !found.includes(reason)),
    [],
    'what was told as done is there',
  )
  await eventually(async () => (await visit(w.url, kai, { headers: olga.headers })).status === 200, 'it is back')
  assert.deepEqual(
    pluck(await send(), 'status'),
    forms.map(() => 303),
  )
  assert.deepEqual(await broken(), forms.map(({ reason }) => reason).sort())
  const [granted] = await w.sql<{ n: number }>`
    select count(*)::int as n from audit_log where action = 'credits.grant' and subject = 'kai'`
  assert.equal(granted?.n, forms.length + 1)
})
