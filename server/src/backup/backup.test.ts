import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { type AddressInfo, connect, createServer } from 'node:net'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { gunzipSync, gzipSync } from 'node:zlib'
import { verifyRecord } from '@kith/sdk'
import { emptyDatabase } from '../../test/database.ts'
import { cleanEnv, command, dataFolder, mainFile, type Service, serve } from '../../test/launch.ts'
import { becomesReady, befriendAt, call, history, postgresOf, register } from '../../test/process.ts'
import { type Agent, assertInvariants, connectEvents, eventually, keyPair } from '../../test/world.ts'
import { readConfig } from '../config.ts'
import { findRunning } from '../embedded/embedded.ts'
import { after as afterwards, days, earlier, firstIdOf, systemClock } from '../kernel/clock.ts'
import { createLog } from '../log.ts'
import { forgetMessages } from '../modules/messages/retention.ts'
import { type Connection, openSql } from '../store/sql.ts'
import { createArchive } from './archive.ts'
import { restore } from './restore.ts'

const cleanUp: (() => Promise<unknown>)[] = []
after(async () => {
  for (const step of cleanUp.reverse()) await step()
})

async function folder(migrated = false): Promise<string> {
  const { dataDir, remove } = await dataFolder({ migrated })
  cleanUp.push(remove)
  return dataDir
}

async function withSql<T>(connection: Connection, work: (sql: ReturnType<typeof openSql>) => Promise<T>): Promise<T> {
  const sql = openSql({ clock: systemClock, connection, maxConnections: 2 })
  try {
    return await work(sql)
  } finally {
    await sql.end()
  }
}

/** A way to a database on which what PostgreSQL says after the last row of a copy comes late, as it may on any network. */
async function slowAfterCopies(url: string): Promise<string> {
  const { hostname, port, searchParams } = new URL(url)
  const socket = searchParams.get('host')
  const copyDone = Buffer.from([0x63, 0, 0, 0, 4, 0x43])
  const way = createServer((client) => {
    const server = socket ? connect(`${socket}/.s.PGSQL.${port}`) : connect(Number(port), hostname)
    client.setNoDelay().pipe(server)
    client.on('error', () => server.destroy())
    const answer = async (): Promise<void> => {
      for await (const bytes of server as AsyncIterable<Buffer>) {
        let sent = 0
        for (let at = bytes.indexOf(copyDone); at >= 0; at = bytes.indexOf(copyDone, sent)) {
          client.write(bytes.subarray(sent, at + 5))
          sent = at + 5
          await sleep(20)
        }
        client.write(bytes.subarray(sent))
      }
      client.end()
    }
    answer().catch(() => client.destroy())
  })
  way.listen(0, '127.0.0.1')
  await once(way, 'listening')
  cleanUp.push(async () => void way.close())
  const through = new URL(url)
  through.searchParams.delete('host')
  through.host = `127.0.0.1:${(way.address() as AddressInfo).port}`
  return through.href
}

async function stop(running: Service): Promise<void> {
  running.kill('SIGTERM')
  assert.equal(await running.ended, 0, running.output())
}

interface Story {
  ada: Agent
  bob: Agent
  /** The key of its records. */
  signedWith: string
  /** Acknowledged before the backup began: it must hold them. */
  messages: string[]
  /** Those of them whose events nobody has acknowledged. */
  waiting: Set<string>
  /** What ada sent more than 90 days ago: nothing but its keys is left. */
  past: object
  proof: object
  proven: { token: string; token_expires_at: string }
  files: Map<string, Buffer>
}

/** What a service has before it is backed up: agents, friends, messages, events, a proven registration, files. */
async function tell(running: Service): Promise<Story> {
  const { url, dataDir } = running
  const [ada, bob] = [await register(url, 'ada'), await register(url, 'bob')]
  await befriendAt(url, ada, bob)
  const messages: string[] = []
  for (let at = 0; at < 30; at++) {
    const sent = await call(url, 'POST', '/messages', { token: ada.token, json: ada.envelope(bob) })
    assert.equal(sent?.status, 201)
    messages.push(sent.body.message.id)
  }
  const past = ada.envelope(bob)
  assert.equal((await call(url, 'POST', '/messages', { token: ada.token, json: past }))?.status, 201)
  await withSql((await findRunning(join(dataDir, 'postgres'))) as Connection, async (sql) => {
    const now = systemClock.now()
    const then = earlier(now, days(100))
    await sql`update agents set created_at = ${then} where id in (${ada.id}, ${bob.id})`
    await sql`
      with old as (
        update messages set id = ${firstIdOf(then)}, created_at = ${then}
        where client_message_id = ${past['client_message_id']} returning sender_id
      )
      delete from events where kind = 'message.created' and recipient_id = ${bob.id} and subject_id = (
        select id from messages where client_message_id = ${past['client_message_id']})`
    for (const moment of [now, afterwards(now, days(1))]) while (await forgetMessages(sql, moment));
    assert.deepEqual(await sql`select 1 from messages where client_message_id = ${past['client_message_id']}`, [])
  })
  // More than a part holds, an empty one, and one deep below.
  const files = new Map([
    ['large', randomBytes(9 * 1024 * 1024)],
    ['empty', Buffer.alloc(0)],
    ['ab/cd/deep', randomBytes(1000)],
  ])
  await mkdir(join(dataDir, 'files/ab/cd'), { recursive: true })
  for (const [name, bytes] of files) await writeFile(join(dataDir, 'files', name), bytes)
  await mkdir(join(dataDir, 'files/.incoming'), { recursive: true })
  await writeFile(join(dataDir, 'files/.incoming/unfinished'), 'x')
  const signedWith = keyOf((await read(url, '/agents/ada/record.json')).proof)
  const carol = await registerByEmail(running)
  return { ada, bob, signedWith, messages, waiting: new Set(messages), past, files, ...carol }
}

async function registerByEmail({ url, dataDir }: Service): Promise<Pick<Story, 'proof' | 'proven'>> {
  const { publicKey } = keyPair()
  const ask = { handle: 'carol', email: 'carol@example.org', encryption_public_key: publicKey }
  const asked = await call(url, 'POST', '/registration/email/request', { json: ask })
  assert.equal(asked?.status, 202, JSON.stringify(asked?.body))
  const mail = await eventually(async () => {
    const [name] = (await readdir(join(dataDir, 'mail')).catch(() => [])).filter((file) => file.endsWith('.eml'))
    return name && readFile(join(dataDir, 'mail', name), 'utf8')
  }, 'the mail with the code')
  const link = /https?:\/\/\S+\/owner\/confirm\/\S+/.exec(mail)?.[0] as string
  const page = await fetch(link, { method: 'POST', headers: { 'content-type': 'application/x-www-form-urlencoded' } })
  assert.equal(page.status, 200)
  const code = /^\s*(\d{6})\s*$/m.exec(mail)?.[1]
  const json = { challenge_id: asked.body.challenge_id, code }
  const verified = await call(url, 'POST', '/registration/email/verify', { json })
  assert.equal(verified?.status, 200)
  const proof = {
    handle: 'carol',
    display_name: 'Carol',
    encryption_public_key: publicKey,
    owner_challenge_id: asked.body.challenge_id,
    owner_verification_token: verified.body.verification_token,
  }
  const registered = await call(url, 'POST', '/bots/register', { json: proof })
  assert.equal(registered?.status, 201, JSON.stringify(registered?.body))
  return { proof, proven: registered.body }
}

// biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of a body by reading it
const read = async (url: string, path: string): Promise<any> => (await fetch(`${url}${path}`)).json()
/** The signing key of a proof, whatever address the service has. */
const keyOf = (proof: { verificationMethod: string }): string => proof.verificationMethod.split('#')[1] as string

/** A restored service goes on where the backed-up one was. */
async function assertGoesOn(running: Service, story: Story, connection: Connection): Promise<void> {
  const { url, dataDir } = running
  const { ada, bob } = story
  await becomesReady(url)
  for (const agent of [ada, bob]) {
    const me = await call(url, 'GET', '/bots/me', { token: agent.token })
    assert.equal(me?.body.bot?.id, agent.id, 'a token issued before')
    const wallet = await call(url, 'GET', '/wallet', { token: agent.token })
    if (wallet?.status === 200) assert.equal(wallet.body.wallet.available_minor, 500_000)
  }
  const found = new Set((await history(url, bob, ada)).map(({ id }) => id as string))
  for (const id of story.messages) assert.ok(found.has(id), 'a message of before')
  const socket = await connectEvents(url, bob.token)
  const missing = new Set(story.waiting)
  const seen = new Set<object>()
  await eventually(() => {
    for (const frame of socket.frames) {
      if (frame.type !== 'event' || seen.has(frame)) continue
      seen.add(frame)
      missing.delete(frame.payload?.id)
      socket.ack(frame.event_id as string)
    }
    return missing.size === 0 || undefined
  }, 'the events that nobody had acknowledged')
  await socket.close()
  const replay = await call(url, 'POST', '/bots/register', { json: story.proof })
  assert.equal(replay?.status, 201, JSON.stringify(replay?.body))
  assert.equal(replay.body.token, story.proven.token, 'the replay of a registration answers the same token')
  assert.equal(replay.body.token_expires_at, story.proven.token_expires_at)
  const { issuer, proof } = await read(url, '/agents/ada/record.json')
  const document = await read(url, '/.well-known/did.json')
  assert.equal(keyOf(proof), story.signedWith, 'it signs with the key of before')
  const record = JSON.stringify(await read(url, '/agents/ada/record.json'))
  assert.deepEqual([document.id, verifyRecord(record, document).verdict], [issuer, 'valid'])
  const used = await call(url, 'POST', '/messages', { token: ada.token, json: story.past })
  assert.deepEqual([used?.status, used?.body.error.code], [409, 'message_expired'], 'what was used stays so')
  const sent = await call(url, 'POST', '/messages', { token: ada.token, json: ada.envelope(bob) })
  assert.equal(sent?.status, 201, 'and it goes on')
  story.messages.push(sent.body.message.id)
  story.waiting = new Set([sent.body.message.id])
  for (const [name, bytes] of story.files) {
    const file = join(dataDir, 'files', name)
    assert.ok(bytes.equals(await readFile(file)), name)
    assert.equal((await stat(file)).mode & 0o777, 0o600)
  }
  assert.ok(!existsSync(join(dataDir, 'files/.incoming/unfinished')))
  await withSql(connection, async (sql) => {
    await assertInvariants(sql)
    await assert.rejects(() => sql`update ledger_entries set amount_minor = 1`, /append-only/, 'triggers are on again')
    const [row] = await sql<{ deferred: number }>`
      select count(*)::int as deferred from pg_constraint where contype = 'f' and condeferrable`
    assert.equal(row?.deferred, 0, 'foreign keys are as they were')
  })
}

/** A busy machine takes long enough for progress to be shown. */
const withoutProgress = (stderr: string): string => stderr.replace(/^.*: \d+ %\n/gm, '')

const secret = 'a secret key of a server, with enough characters'

test('a backup made during writes restores elsewhere, to a server database and back', async () => {
  const source = await folder(true)
  const gate = { OWNER_EMAIL_GATE: 'on' }
  const running = await serve(source)
  const story = await tell(running)

  // Writes go on while the backup is taken.
  let writing = true
  const { ada, bob } = story
  const writers = [0, 1, 2].map(async () => {
    while (writing) {
      const sent = await call(running.url, 'POST', '/messages', { token: bob.token, json: bob.envelope(ada) })
      assert.equal(sent?.status, 201)
    }
  })
  await sleep(200)
  const file = join(await folder(), '..', 'one.kith')
  const taken = await command(mainFile, ['backup', file], { DATA_DIR: source })
  writing = false
  await Promise.all(writers)
  assert.equal(taken.code, 0, taken.stderr)
  assert.match(taken.stdout, /^Backed up \d+ rows of \d+ tables and 3 files \(9\.\d MiB\) to /)
  assert.equal((await stat(file)).mode & 0o777, 0o600)
  await becomesReady(running.url)

  // Not onto the running service, and nothing of it changes.
  const onto = await command(mainFile, ['restore', file], { DATA_DIR: source })
  assert.equal(onto.code, 1)
  assert.match(withoutProgress(onto.stderr), /^kith-server: .*(is not empty|is in use by another process).*\n$/)
  await stop(running)

  // While no service runs, the backup starts the database itself and stops it.
  const second = join(file, '..', 'two.kith')
  assert.equal((await command(mainFile, ['backup', second], { DATA_DIR: source })).code, 0)
  assert.deepEqual(await postgresOf(source), [])
  assert.deepEqual(
    (await readdir(join(file, '..'))).filter((name) => name.includes('part')),
    [],
  )

  const elsewhere = await folder()
  const restored = await command(mainFile, ['restore', file], { DATA_DIR: elsewhere })
  assert.equal(restored.code, 0, restored.stderr)
  assert.deepEqual(await postgresOf(elsewhere), [])
  assert.equal(
    await readFile(join(elsewhere, 'secret-key'), 'utf8'),
    await readFile(join(source, 'secret-key'), 'utf8'),
  )
  const copy = await serve(elsewhere, { env: gate })
  await assertGoesOn(copy, story, (await findRunning(join(elsewhere, 'postgres'))) as Connection)
  const again = await command(mainFile, ['restore', file], { DATA_DIR: elsewhere })
  assert.match(withoutProgress(again.stderr), /^kith-server: .*(is not empty|is in use by).*\n$/)
  const third = join(file, '..', 'three.kith')
  assert.equal((await command(mainFile, ['backup', third], { DATA_DIR: elsewhere })).code, 0)
  await stop(copy)

  // To a server's database: the key of the backup must be the one of the settings.
  const database = await emptyDatabase()
  cleanUp.push(database.drop)
  const nodeDir = await folder()
  const wrongKey = { DATA_DIR: nodeDir, DATABASE_URL: database.url, SECRET_KEY: secret }
  const refused = await command(mainFile, ['restore', third], wrongKey)
  assert.equal(refused.code, 1)
  assert.match(withoutProgress(refused.stderr), /^kith-server: SECRET_KEY is not the one in the backup/)
  assert.ok(!existsSync(nodeDir))
  const key = (await readFile(join(source, 'secret-key'), 'utf8')).trim()
  const server = { ...gate, DATABASE_URL: database.url, SECRET_KEY: key }
  const moved = await command(mainFile, ['restore', third], { ...server, DATA_DIR: nodeDir })
  assert.equal(moved.code, 0, moved.stderr)
  assert.ok(!existsSync(join(nodeDir, 'secret-key')), 'the key stays with the settings')
  const node = await serve(nodeDir, { env: server })
  await assertGoesOn(node, story, { connectionString: database.url })
  const fourth = join(file, '..', 'four.kith')
  const slow = { DATABASE_URL: await slowAfterCopies(database.url) }
  const taken4 = await command(mainFile, ['backup', fourth], { ...server, ...slow, DATA_DIR: nodeDir })
  assert.equal(taken4.code, 0, taken4.stderr)
  const occupied = await command(mainFile, ['restore', fourth], { ...server, DATA_DIR: await folder() })
  assert.match(withoutProgress(occupied.stderr), /^kith-server: The database is not empty/)
  await stop(node)

  const home = await folder()
  const back = await command(mainFile, ['restore', fourth], { DATA_DIR: home })
  assert.equal(back.code, 0, back.stderr)
  const last = await serve(home, { env: gate })
  await assertGoesOn(last, story, (await findRunning(join(home, 'postgres'))) as Connection)
  await stop(last)
  await refusals(fourth, key)
})

/** Whatever is wrong with the file, it is refused with one line and leaves nothing behind. */
async function refusals(good: string, key: string): Promise<void> {
  const bytes = await readFile(good)
  const unpacked = gunzipSync(bytes)
  const at = (share: number): number => Math.floor(bytes.length * share)
  const flipped = (share: number): Buffer => {
    const copy = Buffer.from(bytes)
    copy[at(share)] = (copy[at(share)] as number) ^ 0x10
    return copy
  }
  // As whole as gzip and tar can tell, with other rows.
  const forged = Buffer.from(unpacked)
  // Her handle, and not what may be like it in an ID or a key.
  const where = forged.indexOf('\tada\t')
  assert.ok(where > 0)
  forged.write('eve', where + 1)
  const cases: [string, Buffer, RegExp][] = [
    ['cut in the middle', bytes.subarray(0, at(0.5)), /damaged or incomplete/],
    ['cut at the end', bytes.subarray(0, bytes.length - 9), /damaged or incomplete/],
    [
      'without its manifest',
      gzipSync(unpacked.subarray(0, unpacked.lastIndexOf('manifest.json'))),
      /damaged or incomplete/,
    ],
    ['a bit flipped', flipped(0.4), /damaged or incomplete/],
    ['a bit flipped near the end', flipped(0.9), /damaged or incomplete/],
    ['other rows', gzipSync(forged), /damaged or incomplete/],
    ['a foreign file', Buffer.from('PK not a backup'), /is not a backup of this service/],
    ['a foreign archive', gzipSync(randomBytes(2048)), /is not a backup of this service/],
    ['an empty file', Buffer.alloc(0), /is not a backup of this service/],
    [
      'a later format',
      gzipSync(Buffer.from(unpacked.toString('latin1').replace('{"format":1,', '{"format":9,'), 'latin1')),
      /format 9/,
    ],
  ]
  const database = await emptyDatabase()
  cleanUp.push(database.drop)
  const dataDir = await folder()
  const file = join(dataDir, '..', 'bad.kith')
  const settings = cleanEnv({ DATA_DIR: dataDir, DATABASE_URL: database.url, SECRET_KEY: key })
  const options = { clock: systemClock, log: createLog('silent') }
  for (const [at, [what, content, reason]] of cases.entries()) {
    await writeFile(file, content)
    await assert.rejects(restore(readConfig(settings), file, options), reason, what)
    // The first is checked while the embedded database is made, which goes again.
    if (at === 0) {
      const { code, stderr } = await command(mainFile, ['restore', file], { DATA_DIR: dataDir })
      assert.equal(code, 1, what)
      assert.match(stderr, reason, what)
      assert.equal(withoutProgress(stderr).split('\n').length, 2, `one line: ${stderr}`)
    }
    assert.ok(!existsSync(dataDir), `${what} leaves nothing behind`)
  }
  await withSql({ connectionString: database.url }, async (sql) =>
    assert.deepEqual(await sql`select relname from pg_class where relnamespace = 'public'::regnamespace`, []),
  )
  const missing = await command(mainFile, ['restore', join(dataDir, 'none')], { DATA_DIR: dataDir })
  assert.match(missing.stderr, /cannot be read: it does not exist/)

  // A folder with the key, or with the files, of another installation stays as it is.
  await mkdir(join(dataDir, 'files'), { recursive: true })
  await writeFile(join(dataDir, 'files', 'theirs'), 'x')
  const full = await command(mainFile, ['restore', good], { DATA_DIR: dataDir })
  assert.match(full.stderr, /files is not empty/)
  assert.deepEqual(await readdir(dataDir), ['files'])
  const keyed = await folder()
  await mkdir(keyed, { recursive: true })
  await writeFile(join(keyed, 'secret-key'), 'the key of another installation, long enough\n')
  const other = await command(mainFile, ['restore', good], { DATA_DIR: keyed })
  assert.match(other.stderr, /has the secret-key of another installation/)
  assert.deepEqual(await readdir(keyed), ['secret-key'])
}

test('a backup of nothing, or without a destination, is refused', async () => {
  const dataDir = await folder()
  const none = await command(mainFile, ['backup', join(dataDir, '..', 'x')], { DATA_DIR: dataDir })
  assert.equal(none.code, 1)
  assert.match(withoutProgress(none.stderr), /^kith-server: There is no installation in /)
  assert.ok(!existsSync(dataDir))
})

test('a backup into a missing folder fails with one line', async () => {
  const file = join(await folder(), 'missing', 'kith.tar.gz')
  await assert.rejects(createArchive(file), {
    message: `${file} cannot be written: its folder does not exist (ENOENT)`,
  })
})

test('a backup overwrites neither existing files nor files that appear meanwhile', async () => {
  const place = await folder()
  await mkdir(place, { recursive: true })
  const file = join(place, 'kept')
  await writeFile(file, 'mine')
  const { code, stderr } = await command(mainFile, ['backup', file], { DATA_DIR: place })
  assert.deepEqual([code, stderr], [1, `kith-server: ${file} already exists: a backup never overwrites a file\n`])
  const late = join(place, 'late')
  const archive = await createArchive(late)
  await symlink(file, late)
  await assert.rejects(archive.commit(), { message: `${late} already exists: a backup never overwrites a file` })
  await archive.discard()
  assert.deepEqual([await readFile(file, 'utf8'), (await readdir(place)).sort()], ['mine', ['kept', 'late']])
})
