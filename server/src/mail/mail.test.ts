// The outbox and its delivery, against a real SMTP server on loopback and real folders.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pino from 'pino'
import PostalMime from 'postal-mime'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { freshDatabase } from '../../test/database.ts'
import { freePort } from '../../test/launch.ts'
import { pluck } from '../../test/pluck.ts'
import { wordsOf } from '../../test/words.ts'
import { ConfigError, readConfig } from '../config.ts'
import { after, type Clock, days, hours, minutes, newId, seconds } from '../kernel/clock.ts'
import { createMetrics } from '../metrics.ts'
import { type Connection, only, openSql, type Sql } from '../store/sql.ts'
import { createMailer, type MailerOptions } from './deliver.ts'
import { htmlOf } from './html.ts'
import { composeMessage, isMailAddress, parseSender } from './message.ts'
import type { Mail, Mailer } from './queue.ts'
import { registrationCopy } from './registration-copy.ts'
import * as templates from './templates.ts'
import { openTransport, sweepMailFolder, type Transport } from './transport.ts'
import { oldestUnanswered } from './waiting.ts'

// --- the scene -------------------------------------------------------------------------------------------------------

interface Scene {
  connection: Connection
  sql: Sql
  clock: Clock & { advance: (milliseconds: number) => void }
  folder: string
  logged: string[]
  /** A mailer with a log and metrics of its own; polls only when the test says so. */
  mailer: (mailUrl: string, options?: MailerOptions & { clock?: Clock; connection?: Connection; from?: string }) => Post
}

interface Post extends Mailer {
  outcomes: () => Promise<Record<string, number>>
  post: (mail?: Partial<Mail>) => Promise<void>
}

const publicUrl = 'https://kith.example.org'
const letter: Mail = { kind: 'test', recipient: 'owner@example.org', subject: 'Hello', body: 'A code:\n\n493021\n' }

async function scene(t: TestContext): Promise<Scene> {
  const folder = await mkdtemp(join(tmpdir(), 'kith-mail-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const database = await freshDatabase()
  const connection: Connection = { connectionString: database.url }
  let offset = 0
  const clock = {
    now: () => new Date(Date.now() + offset),
    advance: (by: number) => {
      offset += by
    },
  }
  const open = (on: Connection, by: Clock): Sql => {
    const sql = openSql({ clock: by, connection: on, maxConnections: 6 })
    ends.push(() => sql.end())
    return sql
  }
  const ends: (() => Promise<void>)[] = []
  t.after(async () => {
    for (const end of ends.reverse()) await end()
    await database.drop()
  })
  const sql = open(connection, clock)
  const logged: string[] = []
  return {
    connection,
    sql,
    clock,
    folder,
    logged,
    mailer(mailUrl, { clock: own = clock, connection: on, from, ...options } = {}) {
      const metrics = createMetrics()
      const config = readConfig({ MAIL_URL: mailUrl, DATA_DIR: folder, ...(from && { MAIL_FROM: from }) })
      const ours = on ? open(on, own) : own === clock ? sql : open(connection, own)
      const log = pino({ level: 'trace' }, { write: (line: string) => void logged.push(line) })
      const mailer = createMailer(
        { config, publicUrl, clock: own, sql: ours, log, metrics },
        { pollEvery: 3_600_000, stopWithin: 2_000, ...options },
      )
      ends.push(() => mailer.stop())
      return {
        ...mailer,
        outcomes: async () =>
          Object.fromEntries((await metrics.mails.get()).values.map(({ labels, value }) => [labels.outcome, value])),
        post: (mail) => ours.transaction((tx) => mailer.queue(tx, { ...letter, ...mail })),
      }
    },
  }
}

interface Received {
  from: string
  to: string[]
  raw: string
}

interface Office {
  url: string
  received: Received[]
  port: number
  close: () => Promise<void>
}

/** A server that takes everything, but for what the test makes it do. */
async function smtp(t: TestContext, options: SMTPServerOptions = {}, port = 0): Promise<Office> {
  const received: Received[] = []
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    closeTimeout: 100,
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope
        received.push({
          from: mailFrom === false ? '' : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          raw: Buffer.concat(chunks).toString(),
        })
        done()
      })
    },
    ...options,
  })
  server.on('error', () => {})
  server.listen(port, '127.0.0.1')
  await once(server.server, 'listening')
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()))
  t.after(close)
  const bound = (server.server.address() as AddressInfo).port
  return { url: `smtp://127.0.0.1:${bound}`, received, port: bound, close }
}

const answer = (responseCode: number, message: string) => Object.assign(new Error(message), { responseCode })

async function until(condition: () => boolean | Promise<boolean>, within = 240_000): Promise<void> {
  const end = performance.now() + within
  while (!(await condition())) {
    if (performance.now() > end) assert.fail(`not within ${within} ms: ${condition}`)
    await sleep(10)
  }
}

const sumOf = (counts: Record<string, number>): number => Object.values(counts).reduce((sum, count) => sum + count, 0)

/** Others see that a mail is gone before its mailer hears that this was committed, and counts it. */
async function assertOutcomes(post: Post, expected: Record<string, number>): Promise<void> {
  await until(async () => sumOf(await post.outcomes()) >= sumOf(expected))
  assert.deepEqual(await post.outcomes(), expected)
}

const waiting = async (sql: Sql): Promise<number> =>
  only(await sql<{ count: number }>`select count(*)::integer as count from mails`).count

const row = async (sql: Sql) =>
  only(await sql<{ attempts: number; next_attempt_at: Date }>`select attempts, next_attempt_at from mails`)

// --- SMTP ------------------------------------------------------------------------------------------------------------

test('a mail leaves after the commit that queued it, and never after a rollback', async (t) => {
  const { sql, logged, mailer } = await scene(t)
  const office = await smtp(t)
  const post = mailer(office.url, { from: 'Kith Ürban <post@kith.example.org>' })
  post.start()
  await assert.rejects(
    sql.transaction(async (tx) => {
      await post.queue(tx, { ...letter, subject: 'never' })
      throw new Error('no')
    }),
  )
  await post.post()
  await until(async () => (await waiting(sql)) === 0)
  assert.equal(office.received.length, 1)
  const [mail] = office.received as [Received]
  assert.equal(mail.from, 'post@kith.example.org')
  assert.deepEqual(mail.to, ['owner@example.org'])
  const parsed = await PostalMime.parse(mail.raw)
  assert.equal(parsed.subject, 'Hello')
  assert.deepEqual(parsed.from, { name: 'Kith Ürban', address: 'post@kith.example.org' })
  assert.equal(parsed.text?.trim(), letter.body.trim())
  assert.match(parsed.messageId ?? '', /^<kith\.[a-p]{32}@kith\.example\.org>$/)
  await assertOutcomes(post, { sent: 1 })
  assert.doesNotMatch(logged.join(''), /owner@|493021/)
})

test('after 4xx a mail is retried, waiting twice as long each time up to six hours, and given up after five days', async (t) => {
  const { sql, clock, logged, mailer } = await scene(t)
  let tries = 0
  const office = await smtp(t, {
    onRcptTo: (_address, _session, done) => {
      tries++
      done(answer(451, 'owner@example.org is greylisted'))
    },
  })
  const post = mailer(office.url)
  post.start()
  let asked = clock.now()
  await post.post()
  const { created_at: created } = only(await sql<{ created_at: Date }>`select created_at from mails`)
  const ends = after(created, days(5))
  let attempt = 1
  for (; asked < ends; attempt++) {
    await until(async () => (await row(sql)).attempts === attempt)
    const next = (await row(sql)).next_attempt_at.getTime()
    const exact = Math.min(seconds(10) * 2 ** (attempt - 1), hours(6))
    // The attempt was made somewhere between these two moments.
    const [least, most] = [next - asked.getTime(), next - clock.now().getTime()]
    assert.ok(least >= exact * 0.75 && most <= exact * 1.25, `attempt ${attempt}: ${least} to ${most} ms`)
    post.kick()
    await sleep(30)
    assert.equal(tries, attempt, 'not before its time')
    clock.advance(exact * 1.25)
    asked = clock.now()
    post.kick()
  }
  await until(async () => (await waiting(sql)) === 0)
  assert.equal(tries, attempt)
  await assertOutcomes(post, { deferred: attempt - 1, exhausted: 1 })
  assert.match(logged.join(''), /"reply":451/)
  assert.doesNotMatch(logged.join(''), /owner@|493021|greylisted/)
})

test('a code that is greylisted for minutes is tried every minute, so that it comes before it expires', async (t) => {
  const { sql, clock, mailer } = await scene(t)
  const greylisted = after(clock.now(), minutes(6))
  let isTaken = false
  const office = await smtp(t, { onRcptTo: (_address, _session, done) => done(isTaken ? null : answer(451, 'later')) })
  const post = mailer(office.url)
  post.start()
  await post.post({ expiresAt: after(clock.now(), minutes(10)) })
  for (let attempt = 1; !isTaken; attempt++) {
    await until(async () => (await row(sql)).attempts === attempt)
    const next = (await row(sql)).next_attempt_at
    const wait = next.getTime() - clock.now().getTime()
    assert.ok(wait <= minutes(1.25), `attempt ${attempt}: ${wait} ms`)
    assert.equal(await oldestUnanswered(sql), undefined)
    isTaken = next >= greylisted
    clock.advance(wait)
    post.kick()
  }
  await until(async () => (await waiting(sql)) === 0)
  await until(() => office.received.length === 1)
})

test('a mail that waited five days while the service was off is tried at least twelve times', async (t) => {
  const { sql, clock, mailer } = await scene(t)
  const office = await smtp(t, { onRcptTo: (_address, _session, done) => done(answer(452, 'the mailbox is full')) })
  const post = mailer(office.url)
  await post.post()
  clock.advance(days(6))
  post.start()
  for (let attempt = 1; attempt < 12; attempt++) {
    await until(async () => (await row(sql)).attempts === attempt)
    clock.advance(hours(8))
    post.kick()
  }
  await until(async () => (await waiting(sql)) === 0)
  await assertOutcomes(post, { deferred: 11, exhausted: 1 })
})

for (const [title, isRefused] of [
  ['a code is tried every minute while no server answers', false],
  ['a code whose login is refused is tried less and less often, because servers lock accounts', true],
] as const)
  test(title, async (t) => {
    const { sql, clock, mailer } = await scene(t)
    const office = await smtp(t, {
      disabledCommands: ['STARTTLS'],
      allowInsecureAuth: true,
      onAuth: (_login, _session, done) => done(answer(535, 'no')),
    })
    const post = mailer(`smtp://kith:secret@127.0.0.1:${isRefused ? office.port : await freePort()}`)
    post.start()
    let asked = clock.now()
    await post.post({ expiresAt: after(asked, hours(1)) })
    const { created_at: created } = only(await sql<{ created_at: Date }>`select created_at from mails`)
    for (let attempt = 1; attempt <= 6; attempt++) {
      await until(async () => (await row(sql)).attempts === attempt)
      const next = (await row(sql)).next_attempt_at.getTime()
      const exact = Math.min(seconds(10) * 2 ** (attempt - 1), isRefused ? hours(6) : minutes(1))
      const [least, most] = [next - asked.getTime(), next - clock.now().getTime()]
      assert.ok(least >= exact * 0.75 && most <= exact * 1.25, `attempt ${attempt}: ${least} to ${most} ms`)
      assert.deepEqual(await oldestUnanswered(sql), created)
      clock.advance(exact * 1.25)
      asked = clock.now()
      post.kick()
    }
    const { last_failure } = only(await sql<{ last_failure: string }>`select last_failure from mails`)
    assert.match(last_failure, isRefused ? /^EAUTH 535$/ : /^ECONNREFUSED$/)
  })

test('5xx for the mail is final; 5xx for the server is not', async (t) => {
  const { sql, clock, logged, mailer } = await scene(t)
  let closed = true
  const office = await smtp(t, {
    onConnect: (_session, done) => done(closed ? answer(554, 'not today') : null),
    onRcptTo: ({ address }, _session, done) =>
      done(address.startsWith('no') ? answer(550, `who is ${address}?`) : null),
  })
  const post = mailer(office.url)
  post.start()
  await post.post({ recipient: 'nobody@example.org' })
  await until(async () => (await row(sql)).attempts === 1)
  closed = false
  clock.advance(minutes(1))
  post.kick()
  await until(async () => (await waiting(sql)) === 0)
  await post.post()
  await until(async () => office.received.length === 1 && (await waiting(sql)) === 0)
  await assertOutcomes(post, { deferred: 1, refused: 1, sent: 1 })
  assert.match(logged.join(''), /"reply":550.*mail was given up/)
  assert.doesNotMatch(logged.join(''), /nobody@|who is/)
})

test('a mail that is longer than its server takes is given up at once', async (t) => {
  const { sql, logged, mailer } = await scene(t)
  const post = mailer((await smtp(t, { size: 1000 })).url)
  post.start()
  await post.post({ body: 'x'.repeat(2000) })
  await until(async () => (await waiting(sql)) === 0)
  await assertOutcomes(post, { refused: 1 })
  assert.match(logged.join(''), /"code":"EMESSAGE".*mail was given up/)
})

test('a server that is down costs few attempts, and all mails arrive when it is up', async (t) => {
  const { sql, clock, mailer } = await scene(t)
  const port = await freePort()
  const post = mailer(`smtp://127.0.0.1:${port}`)
  for (let i = 0; i < 30; i++) await post.post({ subject: `mail ${i}` })
  post.start()
  await until(async () => (await post.outcomes()).deferred !== undefined)
  await sleep(200)
  assert.ok(((await post.outcomes()).deferred ?? 0) <= 4, 'the rest waits without an attempt')
  const office = await smtp(t, {}, port)
  clock.advance(minutes(1))
  await until(async () => {
    // An attempt that had begun before may still find that nobody answers.
    post.kick()
    return (await waiting(sql)) === 0
  })
  const subjects = await Promise.all(office.received.map(async ({ raw }) => (await PostalMime.parse(raw)).subject))
  assert.equal(new Set(subjects).size, 30)
  assert.equal(office.received.length, 30)
})

test('a server that closes with 421 at each recipient is not asked for every mail, and for a code every minute', async (t) => {
  const { sql, clock, mailer } = await scene(t)
  let asked = 0
  let isClosing = true
  const office = await smtp(t, {
    onRcptTo: (_address, _session, done) => {
      asked += 1
      done(isClosing ? answer(421, 'too busy') : null)
    },
  })
  const post = mailer(office.url)
  const expiresAt = after(clock.now(), hours(2))
  for (let i = 0; i < 30; i++) await post.post({ subject: `code ${i}`, expiresAt })
  post.start()
  await until(async () => (await post.outcomes())['deferred'] !== undefined)
  await sleep(200)
  assert.ok(asked <= 4, `the rest waits without an attempt, and not after ${asked}`)
  await sql`delete from mails where id not in (select id from mails where attempts > 0 order by id limit 1)`
  for (let attempt = 2; attempt <= 5; attempt++) {
    clock.advance(minutes(1.25))
    await until(async () => {
      post.kick()
      return (await row(sql)).attempts === attempt
    })
    assert.ok((await row(sql)).next_attempt_at <= after(clock.now(), minutes(1.25)))
  }
  isClosing = false
  clock.advance(minutes(1.25))
  await until(async () => {
    post.kick()
    return (await waiting(sql)) === 0 && office.received.length === 1
  })
})

test('a slow server holds a mail for bounded time, whether silent or trickling', async (t) => {
  const { sql, mailer } = await scene(t)
  for (const trickle of [false, true]) {
    const sockets = new Set<Socket>()
    const server = createServer((socket) => {
      sockets.add(socket)
      socket.on('error', () => {})
      const timer = setInterval(() => trickle && socket.write('220-wait\r\n'), 20)
      socket.on('close', () => clearInterval(timer))
    }).listen(0, '127.0.0.1')
    t.after(() => server.close())
    await once(server, 'listening')
    const post = mailer(`smtp://127.0.0.1:${(server.address() as AddressInfo).port}`, { sendWithin: 400 })
    await sql`delete from mails`
    post.start()
    await post.post()
    // Without a bound it would be held for as long as the server likes: for ever.
    await until(async () => (await row(sql)).attempts === 1)
    await assertOutcomes(post, { deferred: 1 })
    await until(() => [...sockets].every((socket) => socket.destroyed))
    await post.stop()
  }
})

test('for a server that never answers the text, the deadline applies after the connection too', async (t) => {
  const { sql, mailer } = await scene(t)
  const office = await smtp(t, { onData: (stream) => stream.resume() })
  const post = mailer(office.url, { sendWithin: 400 })
  post.start()
  await post.post()
  await until(async () => (await row(sql)).attempts === 1)
})

test('after kill -9 in the middle of DATA the next process sends the mail at once', async (t) => {
  const { sql, connection, mailer } = await scene(t)
  let hang = true
  const begun: string[] = []
  const arrived: string[] = []
  const office = await smtp(t, {
    onData(stream, session, done) {
      begun.push(session.id)
      const isHung = hang
      stream.resume()
      // A client that is killed may end the stream too.
      stream.on('end', () => {
        if (isHung) return
        arrived.push(session.id)
        done()
      })
    },
  })
  const post = mailer(office.url)
  await post.post()
  const child = deliverElsewhere(connection, office.url)
  t.after(() => child.kill('SIGKILL'))
  await until(() => begun.length === 1)
  post.start()
  await sleep(100)
  assert.equal(begun.length, 1, 'the row is locked while it is being sent')
  hang = false
  child.kill('SIGKILL')
  await once(child, 'exit')
  await until(async () => {
    post.kick()
    return (await waiting(sql)) === 0
  })
  assert.equal(arrived.length, 1)
  await assertOutcomes(post, { sent: 1 })
})

function deliverElsewhere(connection: Connection, url: string): ChildProcess {
  const of = (path: string) => JSON.stringify(new URL(path, import.meta.url).href)
  const program = `
    import { createMailer } from ${of('./deliver.ts')}
    import { openSql } from ${of('../store/sql.ts')}
    import { createMetrics } from ${of('../metrics.ts')}
    import { createLog } from ${of('../log.ts')}
    import { readConfig } from ${of('../config.ts')}
    import { systemClock as clock } from ${of('../kernel/clock.ts')}
    const sql = openSql({ clock, connection: ${JSON.stringify(connection)} })
    const config = readConfig({ MAIL_URL: ${JSON.stringify(url)} })
    createMailer({ config, publicUrl: 'http://127.0.0.1', clock, sql, log: createLog('silent'), metrics: createMetrics() }).start()
    setInterval(() => {}, 1000)`
  return spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: ['ignore', 'inherit', 'inherit'] })
}

test('two deliverers and twenty wake-ups each send every mail once', async (t) => {
  const { sql, connection, mailer } = await scene(t)
  const office = await smtp(t)
  const nodes = [mailer(office.url, { connection }), mailer(office.url, { connection })] as const
  for (let i = 0; i < 40; i++) await nodes[0].post({ subject: `mail ${i}` })
  for (const node of nodes) node.start()
  await Promise.all(
    Array.from({ length: 20 }, async (_, i) => {
      await sleep(i)
      for (const node of nodes) node.kick()
    }),
  )
  await until(async () => (await waiting(sql)) === 0)
  await sleep(50)
  const subjects = await Promise.all(office.received.map(async ({ raw }) => (await PostalMime.parse(raw)).subject))
  assert.equal(subjects.length, 40)
  assert.equal(new Set(subjects).size, 40)
  const sent = async (): Promise<number> =>
    (await Promise.all(nodes.map(async (node) => (await node.outcomes()).sent ?? 0))).reduce(
      (sum, count) => sum + count,
    )
  await until(async () => (await sent()) >= 40)
  assert.equal(await sent(), 40)
})

test("expired mail is dropped unsent, by the process's clock", async (t) => {
  const { sql, clock, mailer } = await scene(t)
  const office = await smtp(t)
  const queued = mailer(office.url)
  await queued.post({ expiresAt: after(clock.now(), minutes(10)) })
  await queued.post({ subject: 'stays' })
  clock.advance(minutes(10))
  const post = mailer(office.url)
  post.start()
  await until(async () => (await waiting(sql)) === 0)
  assert.equal(office.received.length, 1)
  await assertOutcomes(post, { expired: 1, sent: 1 })
})

test('a mail that was queued before the clock was set back is sent with the next poll', async (t) => {
  const { sql, clock, mailer } = await scene(t)
  const office = await smtp(t)
  const post = mailer(office.url)
  clock.advance(days(400))
  await post.post()
  clock.advance(hours(3) - days(400))
  await post.post()
  clock.advance(-hours(3))
  post.start()
  await until(async () => office.received.length === 2 && (await waiting(sql)) === 0)
})

test('a back-off never exceeds the expiry', async (t) => {
  const { sql, clock, mailer } = await scene(t)
  const now = clock.now()
  // However long the attempt takes, by this clock it takes no time.
  const post = mailer(`smtp://127.0.0.1:${await freePort()}`, { clock: { now: () => now } })
  // Less than the shortest back-off.
  const expiresAt = after(now, seconds(7))
  post.start()
  await post.post({ expiresAt })
  await until(async () => (await row(sql)).attempts === 1)
  assert.equal((await row(sql)).next_attempt_at.getTime(), expiresAt.getTime())
})

test('a stop lets a running mail finish, and aborts a stuck one without counting it', async (t) => {
  const { sql, mailer } = await scene(t)
  const pending: (() => void)[] = []
  const office = await smtp(t, {
    onData(stream, _session, done) {
      stream.resume()
      pending.push(done)
    },
  })
  const first = mailer(office.url, { stopWithin: 60_000 })
  first.start()
  await first.post()
  await until(() => pending.length === 1)
  const stopped = first.stop()
  pending[0]?.()
  await stopped
  assert.equal(await waiting(sql), 0)

  const second = mailer(office.url, { stopWithin: 300 })
  second.start()
  await second.post()
  await until(() => pending.length === 2)
  // The server never answers: a stop that waited for it would not end.
  await second.stop()
  await until(async () => (await waiting(sql)) === 1)
  assert.equal((await row(sql)).attempts, 0)
})

test('losing the database while a mail is being sent ends no process', async (t) => {
  const { sql, logged, mailer } = await scene(t)
  let calls = 0
  let release = () => {}
  const office = await smtp(t, {
    onData(stream, _session, done) {
      stream.resume()
      if (calls++ === 0) release = () => done()
      else done()
    },
  })
  const post = mailer(office.url)
  post.start()
  await post.post()
  await until(() => calls === 1)
  await sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and state = 'idle in transaction'`
  await sleep(50)
  release()
  await until(() => logged.join('').includes('waits for the next poll'))
  post.kick()
  await until(async () => (await waiting(sql)) === 0)
  assert.equal(calls, 2)
})

test('TLS follows the URL', async (t) => {
  const { sql, mailer } = await scene(t)
  const secure = await smtp(t, { secure: true, disabledCommands: ['AUTH'] })
  const upgrading = await smtp(t, { disabledCommands: ['AUTH'] })
  const plain = await smtp(t)
  const smtps = secure.url.replace('smtp:', 'smtps:')
  for (const [refused, why] of [
    [smtps, 'CERT_HAS_EXPIRED'],
    [upgrading.url, 'CERT_HAS_EXPIRED'],
    [`${plain.url}?requireTLS=true`, 'ETLS 500'],
  ] as const) {
    const post = mailer(refused)
    post.start()
    await post.post()
    await until(async () => (await post.outcomes()).deferred === 1)
    assert.deepEqual(await sql`delete from mails returning last_failure`, [{ last_failure: why }])
    await post.stop()
  }
  for (const taken of [smtps, upgrading.url]) {
    const post = mailer(`${taken}?tls.rejectUnauthorized=false&logger=true&debug=true`)
    post.start()
    await post.post()
    await until(async () => (await waiting(sql)) === 0)
    await post.stop()
  }
  assert.deepEqual([secure.received.length, upgrading.received.length, plain.received.length], [1, 1, 0])
})

test('no server gets a recipient that contains more than one address', async (t) => {
  const { sql, clock, mailer } = await scene(t)
  const office = await smtp(t)
  const hostile = [
    'a@example.org\r\nBcc: b@example.org',
    'a@example.org\nSubject: x',
    'a@example.org, b@example.org',
    'Name <a@example.org>',
    '<a@example.org>',
    '"a b"@example.org',
    'a@b@example.org',
    'a@example.org\u0000',
    'a@example.org\u2028Bcc',
    'a@[127.0.0.1]',
    'a@exa mple.org',
    'a@-example.org',
    'a@example..org',
    'a@例え.jp',
    '@example.org',
    'example.org',
    'a@',
    `${'a'.repeat(65)}@example.org`,
    `a@${'b.'.repeat(130)}org`,
    '\ud800@example.org',
  ]
  const post = mailer(office.url)
  for (const recipient of hostile) {
    assert.equal(isMailAddress(recipient), false, JSON.stringify(recipient))
    await assert.rejects(post.post({ recipient }), /no address/)
  }
  for (const fine of ['a@localhost', 'a.b+c@xn--r8jz45g.jp', 'ü@example.org', "o'hara_1@sub.example.co"]) {
    assert.equal(isMailAddress(fine), true, fine)
  }
  for (const recipient of hostile.slice(0, 7)) {
    await sql`
      insert into mails (id, kind, recipient, subject, body, created_at, next_attempt_at)
      values (${newId(clock.now())}, 'test', ${recipient}, 's', 'b', ${clock.now()}, ${clock.now()})`
  }
  post.start()
  await until(async () => (await waiting(sql)) === 0)
  await assertOutcomes(post, { refused: 7 })
  assert.equal(office.received.length, 0)
})

// --- the queue -------------------------------------------------------------------------------------------------------

test('at most ten thousand mails wait', async (t) => {
  const { sql, clock, mailer } = await scene(t)
  const post = mailer('smtp://127.0.0.1:9')
  const fill = (many: number) => sql`
    insert into mails (id, kind, recipient, subject, body, created_at, next_attempt_at)
    select gen_random_uuid(), 'test', 'a@example.org', 's', 'b', ${clock.now()}, ${clock.now()}
    from generate_series(1, ${many})`
  await fill(9_999)
  await post.post()
  await assert.rejects(post.post(), { code: 'owner_email_queue_full', extras: { retryAfter: 60 } })
  assert.equal(await waiting(sql), 10_000)
  await fill(50)
  await assert.rejects(post.post(), { code: 'owner_email_queue_full' })
  await sql`delete from mails where id in (select id from mails limit 51)`
  await post.post()
})

test('with MAIL_URL=none queueing is a programming error, and nothing else happens', async (t) => {
  const { sql, mailer } = await scene(t)
  const post = mailer('none')
  post.start()
  post.kick()
  await assert.rejects(post.post(), /MAIL_URL is `none`/)
  assert.equal(await waiting(sql), 0)
  await post.stop()
})

// --- files -----------------------------------------------------------------------------------------------------------

test('a folder of .eml files is private, sorted by time and readable', async (t) => {
  const { sql, clock, folder, mailer } = await scene(t)
  const post = mailer(`file:${folder}/deep/mail`)
  post.start()
  const began = clock.now()
  for (const subject of ['first', 'second', 'Grüße 🌍 an\r\nBcc: spy@example.org\r\n\r\nall of "you"']) {
    await post.post({ subject })
    await until(async () => (await waiting(sql)) === 0)
    clock.advance(1)
  }
  const names = await readdir(`${folder}/deep/mail`)
  assert.deepEqual(names, [...names].sort())
  assert.equal((await stat(`${folder}/deep/mail`)).mode & 0o777, 0o700)
  assert.notEqual((await stat(`${folder}/deep`)).mode & 0o055, 0, 'only the last folder is closed')
  const mails = await Promise.all(
    names.map(async (name) => {
      assert.match(name, /^\d{8}T\d{6}\.\d{3}Z-[0-9a-f-]{36}\.eml$/)
      assert.equal((await stat(`${folder}/deep/mail/${name}`)).mode & 0o777, 0o600)
      return PostalMime.parse(await readFile(`${folder}/deep/mail/${name}`))
    }),
  )
  assert.deepEqual(pluck(mails, 'subject'), ['first', 'second', 'Grüße 🌍 an Bcc: spy@example.org all of "you"'])
  for (const mail of mails) {
    assert.deepEqual(mail.to, [{ name: '', address: 'owner@example.org' }])
    assert.equal(mail.bcc, undefined)
    // Of whole seconds.
    const date = Date.parse(mail.date ?? '')
    assert.ok(date > began.getTime() - 1000 && date <= clock.now().getTime(), `${mail.date}`)
    assert.equal(mail.headers.find(({ key }) => key === 'auto-submitted')?.value, 'auto-generated')
  }
})

test('a mail that several processes write at once is whole for every reader', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'kith-mail-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const transport = openTransport({ kind: 'file', folder }, { sendWithin: seconds(20), lanes: 2 }) as Transport
  const bytes = Buffer.from('To: owner@example.org\r\n\r\n'.padEnd(100_000, 'a line of it\r\n'))
  const parcel = { id: newId(new Date()), from: 'a@example.org', to: 'owner@example.org', createdAt: new Date(), bytes }
  const { signal } = new AbortController()
  const paths = await Promise.all(
    Array.from({ length: 20 }, async () => {
      const path = (await transport.send(parcel, signal)) as string
      assert.deepEqual(await readFile(path), bytes)
      return path
    }),
  )
  assert.deepEqual(
    await readdir(folder),
    [...new Set(paths)].map((path) => basename(path)),
  )
})

test("an operator's own folder keeps its mode, and a folder that fails is retried", async (t) => {
  const { sql, clock, folder, mailer } = await scene(t)
  await mkdir(`${folder}/own`, { mode: 0o750 })
  await chmod(`${folder}/own`, 0o750)
  await writeFile(`${folder}/blocked`, 'a file where a folder should be')
  const post = mailer(`file:${folder}/own`)
  post.start()
  await post.post()
  await until(async () => (await waiting(sql)) === 0)
  assert.equal((await stat(`${folder}/own`)).mode & 0o777, 0o750)
  // It would send the next one too.
  await post.stop()

  const blocked = mailer(`file:${folder}/blocked`)
  blocked.start()
  await blocked.post()
  await until(async () => (await row(sql)).attempts === 1)
  await rm(`${folder}/blocked`)
  clock.advance(minutes(1))
  blocked.kick()
  await until(async () => (await waiting(sql)) === 0)
  assert.equal((await readdir(`${folder}/blocked`)).length, 1)
})

test("files are deleted after seven days by the writer's clock, regardless of the file system's", async (t) => {
  const { sql, clock, folder, mailer } = await scene(t)
  clock.advance(days(1000))
  const post = mailer(`file:${folder}/mail`)
  post.start()
  await post.post()
  await until(async () => (await waiting(sql)) === 0)
  const [name] = (await readdir(`${folder}/mail`)) as [string]
  for (const part of ['part', '0123456789ab.part']) await writeFile(`${folder}/mail/${name}.${part}`, 'left by a crash')
  await writeFile(`${folder}/mail/20010101T000000.000Z-notes.eml`, 'not ours')
  const kept = clock.now()
  assert.equal(await sweepMailFolder(`${folder}/mail`, after(kept, days(7) - hours(1))), 0)
  await post.stop()

  clock.advance(days(7))
  const next = mailer(`file:${folder}/mail`)
  next.start()
  await until(async () => (await readdir(`${folder}/mail`)).length === 1)
  assert.deepEqual(await readdir(`${folder}/mail`), ['20010101T000000.000Z-notes.eml'])
  assert.equal(await sweepMailFolder(`${folder}/nowhere`, clock.now()), 0)
})

// --- messages --------------------------------------------------------------------------------------------------------

const compose = (body: string, subject = 's', html?: string) =>
  composeMessage({
    id: '0199a000-1111-7222-8333-444455556666',
    from: { name: 'Kith', address: 'no-reply@localhost' },
    to: 'owner@example.org',
    subject,
    body,
    html,
    date: new Date('2026-11-20T16:09:55.123Z'),
    host: '[::1]',
  })

test('any text survives its mail unchanged', async () => {
  const pieces = [
    'a',
    '=',
    ' ',
    '\t',
    '\n',
    'é',
    '漢',
    '🌍',
    '.',
    'From ',
    '=?UTF-8?B?eA==?=',
    'x'.repeat(90),
    '"',
    '<',
  ]
  const bodies = ['', '.', '..\n.', `${'y'.repeat(998)}`, `${'y'.repeat(999)}`, 'end \t', `${'é'.repeat(500)} =20`]
  for (let i = 0; i < 200; i++) {
    bodies.push(Array.from({ length: i % 40 }, () => pieces[Math.floor(Math.random() * pieces.length)]).join(''))
  }
  for (const body of bodies) {
    const raw = compose(body, body).toString('latin1')
    assert.match(raw, /^[\x20-\x7e\r\n\t]*$/)
    for (const line of raw.split('\r\n')) assert.ok(line.length <= 998)
    const parsed = await PostalMime.parse(raw)
    assert.equal((parsed.text ?? '').replace(/\n+$/, ''), body.replace(/\n+$/, ''))
    const subject = [...body.replace(/\s+/g, ' ').trim()].slice(0, 200).join('').trim()
    assert.equal((parsed.subject ?? '').trim(), subject)
    assert.equal(parsed.to?.length, 1)
    assert.equal(parsed.headers.length, 9)
  }
})

test('the document of an email says what its text says, loads nothing, and makes no markup of what others wrote', async () => {
  const title = '<img src=https://evil.example/x> </main>'
  const body = [
    'Hello,',
    `${'this paragraph was broken into lines '.repeat(2)}\n${'so that every program shows it whole '.repeat(2)}`,
    `> ${title}\n> https://evil.example/`,
    'https://kith.example/orders/1?a=1&b=2',
    '090817',
    'Open the order:\nhttps://kith.example/orders/1',
    'Name: Ada\nTerms <1>:\nhttps://kith.example/documents/terms/1.0\nabc:',
    '> Open your bank:\nhttps://kith.example/quoted',
    'A message from Kith, a network of agents.\nOpen kith.example:\nhttps://kith.example',
  ].join('\n\n')
  const html = htmlOf({ subject: 'A <b>', body }, { name: 'Kith & Co', accent: '#0d6353', accentOnDark: '#6fd3b9' })
  const raw = compose(body, 'A', html).toString('latin1')
  for (const line of raw.split('\r\n')) assert.ok(line.length <= 998)
  assert.match(raw, /\r\n090817\r\n/)
  const parsed = await PostalMime.parse(raw)
  assert.equal(parsed.text?.trimEnd(), body)
  assert.equal(parsed.html?.trimEnd(), html.trimEnd())
  const shown = html.replace(/<style>[\s\S]*<\/style>/, '')
  assert.deepEqual(shown.match(/(?<=<a href=")[^<]*/g), [
    'https://kith.example/orders/1?a=1&#38;b=2">https://kith.example/orders/1?a=1&#38;b=2',
    'https://kith.example/orders/1">Open the order',
    'https://kith.example/documents/terms/1.0">Terms &#60;1&#62;',
    'https://kith.example/quoted">https://kith.example/quoted',
    'https://kith.example">Open kith.example',
  ])
  assert.match(shown, /<p>Name: Ada<br><a [^>]*>Terms &#60;1&#62;<\/a><br>abc:<\/p>/)
  assert.match(shown, /<p class="foot">A message from Kith, a network of agents\.<br><a/)
  assert.equal(shown.match(/<p class="link">/g)?.length, 2)
  assert.doesNotMatch(html, /<(img|script|link|iframe)|url\(|@import/)
  assert.match(shown, /<blockquote>&#60;img src=https:\/\/evil\.example\/x&#62; &#60;\/main&#62;<br>https:\/\/evil/)
  assert.match(shown, /<p class="code">090817<\/p>/)
  assert.match(shown, /lines this paragraph was broken into lines {2}so that every program/)
  assert.match(shown, /<p class="name">Kith &#38; Co<\/p>/)
})

test('an invalid MAIL_FROM stops the start', () => {
  assert.deepEqual(parseSender('a@example.org'), { name: '', address: 'a@example.org' })
  assert.deepEqual(parseSender('"Kith, Inc." <a@example.org>'), { name: 'Kith, Inc.', address: 'a@example.org' })
  for (const wrong of [
    'Kith',
    '',
    'Kith <>',
    'K\nBcc: b@example.org <a@example.org>',
    '<a@example.org>, b@example.org',
  ]) {
    assert.throws(() => parseSender(wrong), ConfigError)
  }
})

const documents = ['terms', 'privacy', 'agent-rules'].map((name) => ({
  name,
  title: `Условия ${name}`,
  version: '1.0',
  url: `${publicUrl}/documents/${name}/1.0`,
  sha256: 'ab'.repeat(32),
}))

test('a code and a link stand alone on a line of the raw message', () => {
  const longUrl = `https://${'a'.repeat(60)}.${'b'.repeat(60)}.example.org:12345`
  const link = `${longUrl}/owner/confirm/${'Xy-_'.repeat(11)}`
  const facts = { code: '090817', handle: `a${'1'.repeat(31)}`, publicUrl: longUrl, name: 'Kith' }
  for (const { subject, body } of [
    templates.registrationCode(wordsOf('en'), { ...facts, link, documents }),
    templates.linkCode(wordsOf('en'), facts),
    templates.recoveryCode(wordsOf('en'), facts),
  ]) {
    const raw = compose(body, subject).toString('latin1')
    assert.match(raw, /Content-Transfer-Encoding: 7bit/)
    assert.deepEqual(raw.match(/\b\d{6}\b/g), ['090817'])
    assert.match(raw, /\r\n090817\r\n/)
    assert.match(body, /10 minutes/)
    assert.doesNotMatch(subject, /090817/)
    for (const line of body.split('\n')) assert.ok(line.length < 76 || line.startsWith('https://'), line)
  }
  const raw = compose(templates.registrationCode(wordsOf('en'), { ...facts, link, documents }).body).toString('latin1')
  assert.deepEqual(/^https:\S+\/owner\/confirm\/\S+$/m.exec(raw)?.[0], link)
  assert.match(raw, /^agent-rules, version 1\.0:\r$/m)
  const plain = documents.map((document) => ({ ...document, title: 'Terms of use' }))
  const titled = templates.registrationCode(wordsOf('en'), { ...facts, link, documents: plain })
  assert.match(titled.body, /^Terms of use, version 1\.0:$/m)
})

test("the passport copy contains the documents and no secret, and sets the agent's words apart", async () => {
  const { subject, body } = registrationCopy(wordsOf('en'), {
    name: 'Kith',
    publicUrl,
    documents,
    passport: {
      id: '0199a000-1111-7222-8333-444455556666',
      handle: 'ada',
      display_name: 'Ада 🌍',
      specialty: null,
      bio: 'First line\nDOCUMENTS YOU ACCEPTED\nhttps://evil.example',
      profile_public: true,
      encryption_public_key: 'A'.repeat(43).concat('='),
      encryption_key_fingerprint: 'cd'.repeat(32),
      created_at: '2026-11-20T16:09:55.123Z',
    },
  })
  const parsed = await PostalMime.parse(compose(body, subject))
  const lines = (parsed.text ?? '').trimEnd().split('\n')
  assert.deepEqual(lines, body.trimEnd().split('\n'))
  for (const { title, url, sha256 } of documents) {
    assert.ok(lines.includes(`${title}, version 1.0:`) && lines.includes(url) && lines.includes(sha256))
  }
  assert.ok(lines.includes('Name: Ада 🌍') && lines.includes('> https://evil.example'))
  assert.equal(lines.filter((line) => line === 'DOCUMENTS YOU ACCEPTED').length, 1)
  assert.doesNotMatch(body, /kith_|Specialty/)
  assert.match(
    templates.recoveryDone(wordsOf('en'), { handle: 'ada', publicUrl, name: 'Kith' }).body,
    /@ada was given\sa new access token/,
  )
})
