// Who may call a route, by the strategy that it names: an agent's token, a human's or a visitor's cookie, a browser that
// begins a session. The sign-in of people is not built yet, so sessions are planted and routes are the test's own.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, describe, test } from 'node:test'
import { type Browsing, human } from '../../test/actors.ts'
import { beforehand, story } from '../../test/story.ts'
import { world } from '../../test/world.ts'
import { refuse } from '../kernel/refuse.ts'
import { closed, Type } from '../kernel/schema.ts'
import type { Service } from '../service.ts'
import { cookieName, readCookie, secretDigest, setCookie, visitorCookie, visitorOf } from './cookies.ts'
import { credentialOf, knownCallers } from './credentials.ts'
import { agentRoute, browserRoute, humanRoute, publicRoute, visitorRoute } from './route.ts'
import { serve } from './serve.ts'

const Seen = closed({ kind: Type.String(), id: Type.String() })
const contract = <M extends 'GET' | 'POST'>(method: M, path: string) =>
  ({ method, path, tag: 'probe', summary: 'Who is it', success: { 200: Seen } }) as const
type Someone = { kind: string; id: string } | undefined
const seen = async ({ me }: { me: Someone }) => ({ body: { kind: me?.kind ?? 'nobody', id: me?.id ?? '' } })
const bothMethods = ['GET', 'POST'] as const

const ending = humanRoute({ ...contract('POST', '/probe/ending'), handle: async () => refuse('unauthorized') })

const probes = bothMethods.flatMap((method) => [
  publicRoute({ ...contract(method, '/probe/anyone'), handle: seen }),
  agentRoute({ ...contract(method, '/probe/agent'), gate: 'own', handle: seen }),
  humanRoute({ ...contract(method, '/probe/human'), handle: seen }),
  visitorRoute({ ...contract(method, '/probe/visitor'), handle: seen }),
  browserRoute({ ...contract(method, '/probe/browser'), handle: seen }),
])

let service: Service
let close: () => Promise<void>
let url: string

const { w, ann } = story('ann', { env: { PUBLIC_URL: 'http://kith.example' } })
beforehand(async () => {
  service = w.service
  const server = createServer()
  const http = serve(service, [...probes, ending], server)
  await http.app.ready()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1/probe`
  close = async () => {
    await http.app.close()
    server.close()
  }
})
/** A human's cookie and form token, and a visitor's. */
const hilda = beforehand(() => w.human('Hilda'))
const vera = beforehand(() => w.visitor())
after(() => close())

type Headers = Record<string, string>

async function call(strategy: string, method: 'GET' | 'POST', headers: Headers = {}): Promise<string> {
  const answer = await fetch(`${url}/${strategy}`, { method, headers })
  const body = (await answer.json()) as { kind?: string; error?: { code: string } }
  return `${answer.status} ${body.kind ?? body.error?.code}`
}

const bearer = (): Headers => ({ authorization: `Bearer ${ann.token}` })
const withCookie = ({ headers }: Browsing, more: Headers = {}): Headers => ({ ...headers, ...more })
const own = { origin: 'http://kith.example' }

test('a token authenticates agent routes, and is checked even on public routes', async () => {
  for (const method of bothMethods) {
    assert.equal(await call('agent', method, bearer()), '200 agent')
    assert.equal(await call('agent', method), '401 unauthorized')
    assert.equal(await call('anyone', method), '200 nobody')
    assert.equal(await call('anyone', method, bearer()), '200 agent')
    assert.equal(await call('anyone', method, { authorization: 'Bearer kith_wrong' }), '401 unauthorized')
    // A person's cookie is nothing to them.
    assert.equal(await call('agent', method, withCookie(hilda)), '401 unauthorized')
    assert.equal(await call('anyone', method, withCookie(vera)), '200 nobody')
  }
})

for (const [strategy, credential, other] of [
  ['human', () => hilda, () => vera],
  ['visitor', () => vera, () => hilda],
] as const) {
  describe(`a ${strategy}`, () => {
    test('is known by its cookie; a change also needs the form token', async () => {
      const { cookie } = credential().headers
      assert.equal(await call(strategy, 'GET', { cookie }), `200 ${strategy}`)
      assert.equal(await call(strategy, 'POST', withCookie(credential())), `200 ${strategy}`)
      assert.equal(await call(strategy, 'POST', { cookie }), '403 csrf_failed')
      assert.equal(await call(strategy, 'POST', { cookie, 'x-csrf-token': '' }), '403 csrf_failed')
      assert.equal(
        await call(strategy, 'POST', { cookie, 'x-csrf-token': other().headers['x-csrf-token'] }),
        '403 csrf_failed',
      )
      const altered = credential().headers['x-csrf-token'].replace(/^./, (first) => (first === 'A' ? 'B' : 'A'))
      assert.equal(await call(strategy, 'POST', { cookie, 'x-csrf-token': altered }), '403 csrf_failed')
    })

    test('is checked for its session before its form, and never for a bearer token', async () => {
      const token = credential().headers['x-csrf-token']
      assert.equal(await call(strategy, 'GET'), '401 unauthorized')
      assert.equal(await call(strategy, 'POST', { 'x-csrf-token': token }), '401 unauthorized')
      assert.equal(await call(strategy, 'GET', { cookie: other().headers.cookie }), '401 unauthorized')
      const answer = await fetch(`${url}/${strategy}`)
      assert.equal(answer.headers.get('www-authenticate'), null, 'nothing asks a browser for a token')
      for (const authorization of [`Bearer ${ann.token}`, 'Bearer x', 'Basic x']) {
        assert.equal(await call(strategy, 'GET', { authorization }), '403 forbidden')
        assert.equal(await call(strategy, 'POST', withCookie(credential(), { authorization })), '403 forbidden')
      }
    })

    test('must come from a page of this origin, or send no origin', async () => {
      for (const method of bothMethods) {
        assert.equal(await call(strategy, method, withCookie(credential(), own)), `200 ${strategy}`)
        for (const origin of ['http://evil.example', 'https://kith.example', 'http://kith.example:81', 'null']) {
          assert.equal(await call(strategy, method, withCookie(credential(), { origin })), '403 csrf_failed')
        }
      }
    })

    test('is not identified by an altered cookie, two cookies, or another cookie name', async () => {
      const { cookie } = credential().headers
      const [name, value] = cookie.split('=') as [string, string]
      const bent = value.replace(/^./, (first) => (first === 'A' ? 'B' : 'A'))
      for (const wrong of [`${name}=${bent}`, `${name}=${value}x`, `${name}=`, `${cookie}; ${cookie}`, `x${cookie}`]) {
        assert.equal(await call(strategy, 'GET', { cookie: wrong }), '401 unauthorized', wrong)
      }
      assert.equal(await call(strategy, 'GET', { cookie: `a=b; ${cookie}; c` }), `200 ${strategy}`)
    })
  })
}

test("a human's session ends when it expires, and when it is ended", async () => {
  const gone = await human(w, 'Gone', { endedAt: w.now() })
  assert.equal(await call('human', 'GET', { cookie: gone.headers.cookie }), '401 unauthorized')
  const over = await human(w, 'Over', { expiresAt: w.now() })
  assert.equal(await call('human', 'GET', { cookie: over.headers.cookie }), '401 unauthorized')
  const two = await w.human('Two')
  assert.equal(await call('human', 'POST', withCookie(two)), '200 human')
  await w.sql`update human_sessions set ended_at = ${w.now()} where human_id = ${two.id}`
  assert.equal(await call('human', 'POST', withCookie(two)), '401 unauthorized')
  // The form token of one session is not accepted for another.
  const three = await w.human('Three')
  assert.equal(
    await call('human', 'POST', { cookie: three.headers.cookie, 'x-csrf-token': two.headers['x-csrf-token'] }),
    '403 csrf_failed',
  )
})

test('a human whose session a verb found ended is signed out', async () => {
  const ira = await w.human('Ira')
  const value = ira.headers.cookie.split('=')[1] as string
  const isKnown = () => knownCallers(service).has(credentialOf('human', secretDigest(value) as Buffer))
  assert.equal(await call('human', 'GET', { cookie: ira.headers.cookie }), '200 human')
  assert.equal(isKnown(), true)
  assert.equal(await call('ending', 'POST', withCookie(ira)), '401 unauthorized')
  assert.equal(isKnown(), false)
})

test('a browser begins a session only on a page of this origin', async () => {
  assert.equal(await call('browser', 'POST', own), '200 nobody')
  assert.equal(await call('browser', 'POST'), '403 csrf_failed')
  assert.equal(await call('browser', 'POST', { origin: 'http://evil.example' }), '403 csrf_failed')
  assert.equal(await call('browser', 'POST', { ...own, ...bearer() }), '403 forbidden')
})

test("people's changes have the same limits as agents'", async () => {
  const limited = await world({ env: { WRITE_LIMIT_PER_MINUTE: '2', PUBLIC_URL: 'http://kith.example' } })
  const listening = createServer()
  const http = serve(limited.service, probes, listening)
  try {
    await http.app.ready()
    await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve))
    const at = `http://127.0.0.1:${(listening.address() as AddressInfo).port}/api/v1/probe/visitor`
    const { headers } = await limited.visitor()
    const statuses: number[] = []
    for (let n = 0; n < 3; n++) statuses.push((await fetch(at, { method: 'POST', headers })).status)
    assert.deepEqual(statuses, [200, 200, 429])
  } finally {
    await http.app.close()
    listening.close()
    await limited.close()
  }
})

test('cookies: names with HTTPS, attributes against scripts and other sites, and signatures', () => {
  assert.equal(cookieName('human', 'http://127.0.0.1:8080'), 'kith_session')
  assert.equal(cookieName('human', 'https://kith.example'), '__Host-kith_session')
  assert.equal(cookieName('visitor', 'https://kith.example'), '__Host-kith_visitor')
  assert.equal(
    setCookie('visitor', 'https://kith.example', 'v', 31_536_000),
    '__Host-kith_visitor=v; Path=/; Max-Age=31536000; HttpOnly; SameSite=Lax; Secure',
  )
  assert.equal(
    setCookie('human', 'http://127.0.0.1:8080', 'v', 60),
    'kith_session=v; Path=/; Max-Age=60; HttpOnly; SameSite=Lax',
  )
  assert.equal(readCookie('a=1; b=2', 'b'), '2')
  assert.equal(readCookie('b=1; b=2', 'b'), undefined)
  assert.equal(readCookie(undefined, 'b'), undefined)
  const id = randomUUID()
  const signed = visitorCookie(service.secrets, id)
  assert.equal(visitorOf(service.secrets, signed), id)
  const [name, mac] = signed.split('.') as [string, string]
  for (const wrong of [name, `${name}.`, `.${mac}`, `${name}.${mac}.x`, `${name}=.${mac}`, `${mac}.${name}`, '']) {
    assert.equal(visitorOf(service.secrets, wrong), undefined, wrong)
  }
})
