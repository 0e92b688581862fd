// The service as a process of its own: what it logs, whether it is well, how it ends.
import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import pg from 'pg'
import { freshDatabase } from './database.ts'
import { dataFolder, freePort, type Service, serve } from './launch.ts'
import { becomesReady } from './process.ts'
import { remove } from './scratch.ts'
import { eventually, keyPair, pause, worldFor } from './world.ts'

const secretKey = 'a secret key of this process, long enough'
const undo: (() => unknown)[] = []
after(async () => {
  for (const step of undo.reverse()) await step()
})

interface Launched extends Service {
  metrics: string
  databaseUrl: string
}

async function launch(env: Record<string, string> = {}): Promise<Launched> {
  const { dataDir, remove } = await dataFolder()
  const database = await freshDatabase()
  const metricsPort = String(await freePort())
  undo.push(async () => {
    await database.drop()
    await remove()
  })
  const service = await serve(dataDir, {
    env: { METRICS_PORT: metricsPort, DATABASE_URL: database.url, SECRET_KEY: secretKey, ...env },
  })
  undo.push(() => service.stop('SIGKILL'))
  return { ...service, metrics: `http://127.0.0.1:${metricsPort}/metrics`, databaseUrl: database.url }
}

async function query(url: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(text)
  } finally {
    await client.end()
  }
}

test('at trace no secret of a whole registration and conversation is logged, refusals and failures included', async () => {
  const at = await launch({ LOG_LEVEL: 'trace', RECOVERY: 'on', OWNER_EMAIL_GATE: 'on' })
  const secrets = new Set<string>([secretKey])
  const call = async (method: string, path: string, token?: string, json?: unknown) => {
    const answer = await fetch(`${at.url}/api/v1${path}`, {
      method,
      headers: {
        ...(token && { authorization: `Bearer ${token}` }),
        ...(json !== undefined && { 'content-type': 'application/json' }),
      },
      ...(json !== undefined && { body: typeof json === 'string' ? json : JSON.stringify(json) }),
    })
    // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of a body by reading it
    return { status: answer.status, body: (await answer.json()) as any }
  }
  const register = async (handle: string) => {
    const email = `${handle}.distinctive@example.org`
    const bio = `bio of ${randomUUID()}`
    const { publicKey } = keyPair()
    const ask = { email, handle, encryption_public_key: publicKey }
    const challenge = await call('POST', '/registration/email/request', undefined, ask)
    assert.equal(challenge.status, 202, JSON.stringify(challenge.body))
    const folder = join(at.dataDir, 'mail')
    const mail = await eventually(async () => {
      for (const name of await readdir(folder).catch(() => [])) {
        const text = await readFile(join(folder, name), 'utf8').catch(() => '')
        if (text.includes(email) && text.includes('/owner/confirm/')) return text
      }
      return undefined
    }, 'the mail')
    const code = /^\s*(\d{6})\s*$/m.exec(mail)?.[1] as string
    const link = /https?:\/\/\S+\/owner\/confirm\/(\S+)/.exec(mail) as RegExpExecArray
    for (const secret of [email, bio, link[1] as string]) secrets.add(secret)
    const verify = { challenge_id: challenge.body.challenge_id, code }
    assert.equal((await call('POST', '/registration/email/verify', undefined, verify)).status, 409)
    await fetch(`${link[0]}x`)
    await fetch(link[0], { method: 'POST', headers: { 'content-type': 'application/x-www-form-urlencoded' } })
    const wrong = code === '000000' ? '000001' : '000000'
    assert.equal((await call('POST', '/registration/email/verify', undefined, { ...verify, code: wrong })).status, 400)
    const proof = await call('POST', '/registration/email/verify', undefined, verify)
    secrets.add(proof.body.verification_token)
    const body = {
      handle,
      display_name: 'Someone',
      bio,
      encryption_public_key: publicKey,
      owner_challenge_id: challenge.body.challenge_id,
      owner_verification_token: proof.body.verification_token,
    }
    const registered = await call('POST', '/bots/register', undefined, body)
    assert.equal(registered.status, 201, JSON.stringify(registered.body))
    secrets.add(registered.body.token)
    return { ...registered.body.bot, token: registered.body.token as string, publicKey, code }
  }
  const [one, two] = [await register('one_logged'), await register('two_logged')]
  const contact = await call('POST', '/contacts/requests', one.token, { recipient_id: two.id })
  await call('POST', `/contacts/${contact.body.contact.id}/accept`, two.token)
  const envelope = () => {
    const [nonce, ciphertext] = [randomBytes(24).toString('base64'), randomBytes(90).toString('base64')]
    secrets.add(nonce).add(ciphertext)
    return {
      recipient_id: two.id,
      client_message_id: randomUUID(),
      nonce,
      ciphertext,
      encryption_version: 'box-v1',
      sender_public_key: one.publicKey,
      recipient_public_key: two.publicKey,
    }
  }
  assert.equal((await call('POST', '/messages', one.token, envelope())).status, 201)
  // Refusals with the secret in what was sent.
  assert.equal((await call('POST', '/messages', one.token, { ...envelope(), text: 'plain words' })).status, 400)
  secrets.add('plain words')
  assert.equal((await call('POST', '/messages', one.token, `{"broken": "plain words`)).status, 400)
  assert.equal(
    (await call('GET', `/bots?q=${encodeURIComponent('plain words')}&token=${one.token}`, one.token)).status,
    400,
  )
  assert.equal((await call('GET', '/bots/me', `${one.token.slice(0, -1)}?`)).status, 401)
  // Failures: a column is gone under it.
  await query(at.databaseUrl, 'alter table messages rename column nonce to lost')
  assert.equal((await call('POST', '/messages', one.token, envelope())).status, 500)
  await query(at.databaseUrl, 'alter table challenges rename column handle to lost')
  const failed = {
    email: 'failed.distinctive@example.org',
    handle: 'failed',
    encryption_public_key: keyPair().publicKey,
  }
  secrets.add(failed.email)
  const failure = await call('POST', '/registration/email/request', undefined, failed)
  assert.equal(failure.status, 500)
  assert.deepEqual(Object.keys(failure.body.error), ['code', 'message'])
  assert.doesNotMatch(JSON.stringify(failure.body), /challenges|column|\.ts/)
  // A slow answer: the table is held for longer than a second.
  const holder = new pg.Client({ connectionString: at.databaseUrl })
  await holder.connect()
  await holder.query('begin; lock table agents in access exclusive mode')
  const slow = call('PATCH', '/bots/me', one.token, { bio: 'a slow distinctive bio' })
  secrets.add('slow distinctive')
  await eventually(async () => {
    const { rows } = await holder.query("select 1 from pg_stat_activity where wait_event_type = 'Lock'")
    return rows.length > 0 || undefined
  }, 'a request that waits')
  await pause(1300)
  await holder.query('commit')
  await holder.end()
  assert.equal((await slow).status, 200)
  await eventually(() => at.output().includes('a slow response') || undefined, 'the log of a slow answer')

  at.kill('SIGTERM')
  await at.ended
  const output = at.output()
  assert.match(output, /a request failed/)
  for (const secret of secrets) assert.ok(!output.includes(secret), `the log holds ${secret}`)
  for (const { code } of [one, two]) assert.doesNotMatch(output, new RegExp(`\\b${code}\\b`))
  assert.doesNotMatch(output, /@example\.org|kith_[A-Za-z0-9_-]{20}/)
  for (const line of output.split('\n').filter((each) => each.startsWith('{'))) JSON.parse(line)
})

let drained: Launched
/** The one that the next two tests ask. */
const theDrained = async (): Promise<Launched> => {
  drained ??= await launch({ OWNER_EMAIL_GATE: 'off', DRAIN_DELAY_SECONDS: '12' })
  return drained
}

test("readiness checks once for many requests, and names what fails; metrics have their own port and only the contract's labels", async () => {
  const at = await theDrained()
  const ready = async () => {
    const answer = await fetch(`${at.url}/health/ready`)
    return { code: answer.status, ...((await answer.json()) as object) }
  }
  /** A verdict is remembered for a moment. */
  const becomes = (expected: object) =>
    eventually(async () => isDeepStrictEqual(await ready(), expected), JSON.stringify(expected))
  const well = { code: 200, status: 'ready' }
  await becomes(well)
  const written = async (): Promise<number> =>
    Number(/^write_bytes: (\d+)$/m.exec(await readFile(`/proc/${at.child.pid}/io`, 'utf8'))?.[1])
  const checks = async (): Promise<number> => {
    const text = await (await fetch(at.metrics)).text()
    return Number(/storage_seconds_count\{operation="check"\} (\d+)/.exec(text)?.[1] ?? 0)
  }
  const [bytesBefore, checksBefore] = [await written(), await checks()]
  const began = performance.now()
  for (let round = 0; round < 20; round++) {
    const answers = await Promise.all(Array.from({ length: 20 }, () => fetch(`${at.url}/health/ready`)))
    for (const answer of answers) {
      assert.equal(answer.status, 200)
      await answer.arrayBuffer()
    }
  }
  const most = 2 + (performance.now() - began) / 2000
  assert.ok((await checks()) - checksBefore <= most, 'one look for all who ask, remembered for a while')
  assert.ok((await written()) - bytesBefore < 1024 * 1024, '400 times')

  const folder = join(at.dataDir, 'files')
  await remove(folder)
  await writeFile(folder, 'a file in its place')
  await becomes({ ...well, degraded: ['storage'] })
  await eventually(() => /"part":"storage"[^\n]*is down/.test(at.output()) || undefined, 'the log tells of it')
  const card = { handle: 'anyway', display_name: 'Anyway', encryption_public_key: keyPair().publicKey }
  const registered = await fetch(`${at.url}/api/v1/bots/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(card),
  })
  assert.equal(registered.status, 201, 'the core goes on')
  await rm(folder)
  await becomes(well)

  const id = randomUUID()
  await fetch(`${at.url}/api/v1/contacts/${id}/accept`, { method: 'POST' })
  await fetch(`${at.url}/api/v1/${id}`)
  await fetch(`${at.url}/some/${id}?x=${id}`)
  await fetch(`${at.url}/owner/confirm/${id}`)
  // More rows than a small table has; PostgreSQL counts them once this connection has ended.
  await query(at.databaseUrl, `insert into instance select 'row ' || n, '' from generate_series(1, 1500) n`)
  await query(at.databaseUrl, `delete from instance where name like 'row 14%'`)
  await eventually(async () => {
    const found = await (await fetch(at.metrics)).text()
    const rows = (state: string) =>
      Number(new RegExp(`^kith_table_rows\\{table="instance",state="${state}"\\} (\\d+)$`, 'm').exec(found)?.[1])
    return rows('live') + rows('dead') >= 1389 || undefined
  }, 'the rows of a large table, live and dead')
  assert.equal((await fetch(`${at.url}/metrics`)).status, 404)
  const text = await (await fetch(at.metrics)).text()
  assert.match(text, /kith_http_requests_total\{[^}]*route="\/contacts\/\{contact_id\}\/accept"/)
  assert.ok(!text.includes(id), 'a label holds an id')
  for (const [pool, size] of Object.entries({ main: 16, messages: 3 })) {
    assert.match(text, new RegExp(`^kith_database_pool_size\\{pool="${pool}"\\} ${size}$`, 'm'))
    const states = ['used', 'idle', 'waiting'].map((state) =>
      Number(
        new RegExp(`^kith_database_connections\\{pool="${pool}",state="${state}"\\} (\\d+)$`, 'm').exec(text)?.[1],
      ),
    )
    assert.ok(states[0]! + states[1]! <= size && states[2] === 0, `${pool}: ${states}`)
  }
  assert.match(text, /^kith_table_bytes\{table="instance"\} [1-9]\d+$/m)
  assert.doesNotMatch(text, /^kith_table_bytes\{table="agents"\}/m, 'small ones are left out')
  assert.match(text, /^kith_peers 0$/m)
  assert.doesNotMatch(text, /^kith_redis/m, 'where there is none nothing is said of it')
  assert.equal((await fetch(at.metrics.replace('/metrics', '/'))).status, 404)

  const beside = new URL(at.databaseUrl)
  const database = beside.pathname.slice(1)
  beside.pathname = '/template1'
  await query(beside.href, `alter database ${database} allow_connections false`)
  await query(beside.href, `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${database}'`)
  await becomes({ code: 503, status: 'not_ready', failing: 'database' })
  assert.equal((await fetch(`${at.url}/health/live`)).status, 200)
  await query(beside.href, `alter database ${database} allow_connections true`)
  await becomes(well)
})

test('during DRAIN_DELAY_SECONDS readiness is refused, requests are served, and connections are asked to close', async () => {
  const at = await theDrained()
  const before = await fetch(`${at.url}/openapi.json`)
  await before.arrayBuffer()
  assert.notEqual(before.headers.get('connection'), 'close')
  await becomesReady(at.url)
  at.kill('SIGTERM')
  await eventually(() => at.output().includes('draining'), 'the drain')
  const refused = await fetch(`${at.url}/health/ready`)
  assert.equal(refused.status, 503, 'at once, though the last verdict is remembered')
  assert.deepEqual(await refused.json(), { status: 'not_ready', failing: 'drain' })
  for (const path of ['/openapi.json', '/health/live', '/api/v1/bots', '/nowhere']) {
    const answer = await fetch(at.url + path)
    await answer.arrayBuffer()
    assert.notEqual(answer.status, 503, path)
    assert.equal(answer.headers.get('connection'), 'close', path)
  }
  assert.equal(await at.ended, 0)
  assert.match(at.output(), /"msg":"stopped"/)
})

test('SIGTERM: open requests finish, new ones are refused, the exit code is 0', async () => {
  const at = await launch()
  const { hostname, port } = new URL(at.url)
  const body = JSON.stringify({ handle: 'last_one', display_name: 'Last', encryption_public_key: keyPair().publicKey })
  const open = connect(Number(port), hostname)
  let answer = ''
  open.on('data', (chunk) => (answer += chunk))
  const head = `POST /api/v1/bots/register HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`
  open.write(head + body.slice(0, 10))
  const idle = connect(Number(port), hostname)
  const idleClosed = new Promise((resolve) => idle.on('close', resolve))
  idle.resume()
  await eventually(() => answer.startsWith('HTTP/1.1 100 ') || undefined, 'the request is under way')
  at.kill('SIGTERM')
  await eventually(() => at.output().includes('draining') || undefined, 'the drain')
  const refused = await fetch(`${at.url}/api/v1/bots`).catch(() => undefined)
  if (refused) {
    assert.equal(refused.status, 503)
    assert.match(refused.headers.get('retry-after') ?? '', /^\d+$/)
  }
  await idleClosed
  open.write(body.slice(10))
  await eventually(() => answer.includes('"token"') || undefined, 'the open answer')
  assert.match(answer, /^HTTP\/1\.1 201 /m)
  assert.equal(await at.ended, 0)
})

test('a node with another SECRET_KEY stops, without printing a key', async (t) => {
  const w = await worldFor(t)
  const other = 'another distinctive secret key, long enough'
  await assert.rejects(w.node({ SECRET_KEY: other }), (error: Error) => {
    assert.equal(error.message, 'SECRET_KEY is not the one this database was set up with')
    return true
  })
})
