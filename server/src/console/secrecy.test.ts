// Who sees the console, and what nobody sees there: tokens, codes, messages, whole emails.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { browsing } from '../../test/console.ts'
import { consoleExamples } from '../../test/console-examples.ts'
import { operatorSession } from '../../test/operators.ts'
import { asBrowser, type PageAnswer, visit } from '../../test/pages.ts'
import { beforehand, story } from '../../test/story.ts'
import { befriend } from '../../test/world.ts'
import { pages } from '../app/modules.ts'
import { methodsOf } from '../http/page.ts'

let addresses: string[]
const secrets: string[] = []

const { w } = story({ env: { OWNER_EMAIL_GATE: 'on' } })
beforehand(async () => {
  addresses = []
  for (const { there } of Object.values(consoleExamples(w))) addresses.push(...(await there()))
  addresses = addresses.filter((path) => !path.includes('@') && !path.includes('script'))
  const eve = await w.agentWithEmail('eve', 'eve.owner@secret.example')
  const flo = await w.agentWithEmail('flo', 'flo.owner@secret.example')
  await befriend(eve, flo)
  const { message } = (await eve.send(flo)).body
  await w.sql`update humans set email = 'petra.person@secret.example'`
  secrets.push(eve.token, flo.token, message.ciphertext, message.nonce)
  secrets.push('eve.owner@', 'flo.owner@', 'petra.person@', 'kai@owners', 'lea@owners', 'kaj@owners', 'kim@owners')
  for (const { digest } of await w.sql<{ digest: Buffer }>`select digest from tokens`)
    secrets.push(digest.toString('hex'))
  addresses.push('/operator/agents/eve', '/operator/agents/flo')
})

test("no console page shows a secret, or any email except the reader's own", async () => {
  const olga = browsing(w, { cookie: (await operatorSession(w, 'olga@operators.example')).cookie })
  for (const path of addresses) {
    const { status, text, headers } = await olga.see(path)
    assert.equal(status, 200, path)
    assert.equal(headers['cache-control'], 'no-store', path)
    for (const secret of secrets) assert.ok(!text.includes(secret), `${path} shows ${secret}`)
    const emails = [...text.matchAll(/[\w.]+@[\w-]+(\.[\w-]+)+/g)].map(([found]) => found)
    const isPage = headers['content-type']?.startsWith('text/html')
    assert.deepEqual(
      [...new Set([...emails, ...(isPage ? [] : ['olga@operators.example'])])],
      ['olga@operators.example'],
      path,
    )
  }
})

/** What was typed comes again, with the way to the sign-in and nothing of the console. */
function assertTurnedAway({ status, text, headers }: PageAnswer): void {
  assert.equal(status, 403)
  assert.equal(headers['cache-control'], 'no-store')
  assert.match(text, /Your session has ended/)
  assert.deepEqual(
    [...text.matchAll(/href="(\/operator[^"?]*)/g)].map(([, to]) => to),
    ['/operator/sign-in'],
  )
}

test('a link alone leads only to the passkeys, and any other credential to operator sign-in', async () => {
  const kai = await w.agentWithEmail('gus', 'gus@owners.example')
  const linked = await operatorSession(w, 'lena@operators.example', 'link')
  const ended = await operatorSession(w, 'emil@operators.example')
  await w.sql`delete from operator_sessions where operator_id = ${ended.id}`
  const strangers = [
    {},
    { cookie: ended.cookie },
    { cookie: (await w.human('Hilda')).headers.cookie },
    { cookie: (await w.visitor()).headers.cookie },
    { authorization: `Bearer ${kai.token}` },
  ]
  const ledTo = async (path: string, headers: object, method = 'GET') => {
    const answer = await visit(w.url, path, { method, headers: { ...asBrowser, ...headers } })
    assert.equal(answer.bytes.length, 0, path)
    return [answer.status, answer.headers.location?.split('?')[0]]
  }
  for (const path of addresses) {
    assert.deepEqual(await ledTo(path, { cookie: linked.cookie }), [303, '/operator/passkeys'], path)
    for (const headers of strangers) assert.deepEqual(await ledTo(path, headers), [303, '/operator/sign-in'], path)
  }
  const before = await w.sql`select 1 from audit_log`
  const form = { action: 'suspend', operation_id: '00000000-0000-4000-8000-000000000000', reason: 'x', code: 'spam' }
  for (const headers of strangers) {
    const { cookie } = headers as { cookie?: string }
    const sent = await browsing(w, cookie === undefined ? {} : { cookie }).send('/operator/agents/eve', form)
    assertTurnedAway(sent)
  }
  const byLink = browsing(w, { cookie: linked.cookie })
  const forms = pages.filter((page) => page.path.startsWith('/operator') && methodsOf(page).includes('POST'))
  const open = ['link/{secret}', 'sign-in', 'sign-out', 'passkeys'].map((name) => `/operator/${name}`)
  const guarded = forms.filter(({ path }) => !open.includes(path))
  assert.ok(guarded.length > 10)
  for (const { path } of guarded) {
    const at = path.replace('{handle}', 'eve').replace(/\{\w+\}/g, randomUUID())
    const fields = { ...form, find: 'eve', csrf_token: linked.formToken }
    const sent = await byLink.send(at, fields)
    assert.deepEqual([sent.status, sent.headers.location, sent.text], [303, '/operator/passkeys', ''], at)
    const late = await browsing(w, { cookie: ended.cookie }).send(at, { ...fields, csrf_token: ended.formToken })
    if (late.status !== 303) assertTurnedAway(late)
    else assert.deepEqual([late.headers.location?.split('?')[0], late.text], ['/operator/sign-in', ''], at)
  }
  const olga = await operatorSession(w, 'olga@operators.example')
  for (const [fields, headers] of [
    [{}, {}],
    [{ csrf_token: linked.formToken }, {}],
    [{ csrf_token: olga.formToken }, { origin: 'https://elsewhere.example', 'sec-fetch-site': 'cross-site' }],
  ] as const) {
    const foreign = await browsing(w, { cookie: olga.cookie }).send(
      '/operator/agents/eve',
      { ...form, ...fields },
      headers,
    )
    assert.ok(foreign.status === 403 || foreign.status === 409, String(foreign.status))
  }
  assert.equal((await w.sql`select 1 from audit_log`).length, before.length, 'nothing was done')
})
