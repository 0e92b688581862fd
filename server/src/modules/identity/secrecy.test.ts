// Tokens, codes, proofs and links are secrets: no log line has them, and no table keeps more than a digest.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtemp, readdir, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import pino from 'pino'
import { freshDatabase } from '../../../test/database.ts'
import { type Asked, acceptDocuments, askForCode, candidate, verifyCode, wrongCode } from '../../../test/owner.ts'
import { remove } from '../../../test/scratch.ts'
import { eventually, request, type World } from '../../../test/world.ts'
import { type Running, start } from '../../app/start.ts'
import { readConfig } from '../../config.ts'
import { systemClock } from '../../kernel/clock.ts'
import { mailsIn } from '../../mail/read.ts'
import { openSql, type Sql } from '../../store/sql.ts'

const secretKey = 'a secret key for tests, of enough characters'
let running: Running
let sql: Sql
let w: World
const lines: string[] = []
const undo: (() => Promise<unknown>)[] = []

before(async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'kith-secrecy-'))
  undo.push(() => remove(dataDir))
  const database = await freshDatabase()
  undo.push(() => database.drop())
  const env = { PORT: '0', DATA_DIR: dataDir, DATABASE_URL: database.url, SECRET_KEY: secretKey, RECOVERY: 'on' }
  const config = readConfig({
    ...env,
    LOG_LEVEL: 'trace',
    WRITE_LIMIT_PER_MINUTE: '0',
    REGISTRATION_LIMIT_PER_HOUR: '0',
  })
  running = await start(config, {
    clock: systemClock,
    log: pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) }),
  })
  undo.push(() => running.stop())
  sql = openSql({ clock: systemClock, connection: { connectionString: database.url }, maxConnections: 2 })
  undo.push(() => sql.end())
  const mailDir = join(dataDir, 'mail')
  // As much of a world as the owner's steps need: the service logs into the lines above.
  w = {
    url: running.address,
    mailDir,
    mails: (to?: string) => mailsIn(mailDir, to),
    request: (method: string, path: string, options: object) => request(running.address, method, path, options),
  } as unknown as World
})
after(async () => {
  for (const step of undo.reverse()) await step()
})

const secrets: { name: string; value: string }[] = []
const codes: string[] = []
const email = 'secret.owner@example.org'
const keep = (name: string, value: string): void => void secrets.push({ name, value })

function keepMail({ mail }: Asked): void {
  codes.push(mail.code as string)
  if (mail.link) keep('the secret of the link', mail.link.split('/').at(-1) as string)
}

test('Ann registers, rotates, links and recovers, and each step also fails once', async () => {
  const ann = candidate('ann', email)
  const asked = await askForCode(w, '/registration/email/request', ann.ask)
  keepMail(asked)
  await verifyCode(w, asked.challengeId, asked.mail.code)
  await acceptDocuments(asked.mail)
  await verifyCode(w, asked.challengeId, wrongCode(asked.mail))
  const proof = await verifyCode(w, asked.challengeId, asked.mail.code)
  keep('the verification token', proof.body.verification_token)
  const body = {
    handle: 'ann',
    display_name: 'Ann',
    encryption_public_key: ann.keys.publicKey,
    owner_challenge_id: asked.challengeId,
    owner_verification_token: proof.body.verification_token,
  }
  const registered = await w.request('POST', '/bots/register', { json: body })
  assert.equal(registered.status, 201)
  keep('the registered token', registered.body.token)
  await w.request('POST', '/bots/register', { json: { ...body, display_name: 'Other' } })
  const rotated = await w.request('POST', '/tokens/rotate', { token: registered.body.token })
  keep('the rotated token', rotated.body.token)
  await w.request('GET', '/bots/me', { token: registered.body.token })
  await w.request('GET', `/bots/me?token=${rotated.body.token}&email=${email}`, { token: rotated.body.token })
  await w.request('GET', `/${rotated.body.token}`)
  const recovery = await askForCode(w, '/tokens/recover/request', { handle: 'ann', email })
  keepMail(recovery)
  const recovered = await w.request('POST', '/tokens/recover/verify', {
    json: { challenge_id: recovery.challengeId, code: recovery.mail.code },
  })
  keep('the recovered token', recovered.body.token)

  // Errors of the database carry the values that they are about.
  await sql`alter table challenges add constraint broken check (email not like '%owner%') not valid`
  await sql`alter table tokens add constraint broken check (created_at is null) not valid`
  const again = await w.request('POST', '/registration/email/request', {
    json: { ...candidate('bob', `x.${email}`).ask },
  })
  const broken = await w.request('POST', '/tokens/rotate', { token: recovered.body.token })
  assert.deepEqual([again.status, broken.status], [500, 500])
  await sql`alter table challenges drop constraint broken`
  await sql`alter table tokens drop constraint broken`
  await eventually(async () => (await sql`select 1 from mails`).length === 0, 'an empty outbox')
})

test('no log line contains a secret, a code or an address', () => {
  assert.ok(lines.filter((line) => line.includes('a request failed')).length >= 2, 'the failures were logged')
  const log = lines.join('')
  for (const { name, value } of secrets) assert.ok(!log.includes(value), name)
  for (const code of codes) assert.doesNotMatch(log, new RegExp(`(?<![0-9a-f])${code}(?![0-9a-f])`), 'a code')
  assert.ok(!log.toLowerCase().includes('owner@example.org'), 'an email address')
  assert.ok(!log.includes(secretKey))
})

test('no table holds a plain secret, or a code under a reversible digest', async () => {
  const columns = await sql<{ table_name: string; column_name: string; data_type: string }>`
    select c.table_name, c.column_name, c.data_type from information_schema.columns c
    join information_schema.tables t using (table_schema, table_name)
    where c.table_schema = 'public' and t.table_type = 'BASE TABLE'
      and c.data_type in ('text', 'bytea', 'jsonb', 'ARRAY', 'uuid', 'character varying')`
  assert.ok(columns.length > 30)
  const raw = (text: string): Buffer[] => [
    Buffer.from(text),
    Buffer.from(text.replace('kith_', ''), 'base64url'),
    Buffer.from(text.replace('kith_', '')),
  ]
  const hidden = secrets.flatMap(({ name, value }) => raw(value).map((bytes) => ({ name, hex: bytes.toString('hex') })))
  // Six digits under a plain hash are found by trying a million.
  const plainHashes = codes.flatMap((code) =>
    ['sha256', 'sha512', 'md5', 'sha1'].map((hash) => createHash(hash).update(code).digest('hex')),
  )
  for (const { table_name, column_name, data_type } of columns) {
    const { rows } = await sql.pool.query(
      `select ${data_type === 'bytea' ? `encode("${column_name}", 'hex')` : `"${column_name}"::text`} as value from "${table_name}"`,
    )
    const where = `${table_name}.${column_name}`
    for (const { value } of rows as { value: string | null }[]) {
      if (value === null) continue
      for (const { name, value: secret } of secrets)
        assert.ok(!value.includes(secret.replace('kith_', '')), `${name} in ${where}`)
      if (data_type === 'bytea') {
        for (const { name, hex } of hidden) assert.ok(!value.includes(hex), `${name} in ${where}`)
        assert.ok(!plainHashes.includes(value), `a code in ${where}`)
      } else if (data_type !== 'uuid') {
        for (const code of codes) assert.doesNotMatch(value, new RegExp(`\\b${code}\\b`), `a code in ${where}`)
      }
    }
  }
})

test('only the owner can read a mail with a code: mode 0600', async () => {
  for (const name of await readdir(w.mailDir)) {
    assert.equal((await stat(join(w.mailDir, name))).mode & 0o777, 0o600, name)
  }
})
