// Migrations that landed are never edited, new ones let older nodes go on, and what the first version left is carried on by
// the newest; server/upgrades has what later ones left.
import assert from 'node:assert/strict'
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { faultsOf, landedMigrations } from '../../scripts/land-migrations.ts'
import { hurtsOlderNodes } from '../../scripts/older-nodes.ts'
import { emptyDatabase } from '../../test/database.ts'
import { command, dataFolder, mainFile, serve } from '../../test/launch.ts'
import { call, history } from '../../test/process.ts'
import { type Agent, agentOf, connectEvents, keyPair, type World } from '../../test/world.ts'
import { startEmbedded } from '../embedded/embedded.ts'
import { after, days, newId, systemClock } from '../kernel/clock.ts'
import { generatedSecretKey } from '../secrets.ts'
import { migrate, shippedMigrations } from './migrate.ts'
import { openSql, type Sql } from './sql.ts'

/** What the first version that landed had. */
const first = 7

test('each landed migration is unchanged, and new ones come after them', async () => {
  assert.deepEqual(faultsOf(await landedMigrations(), await shippedMigrations()), [])
})

test('an edited, removed or inserted migration is reported', () => {
  const landed = ['1', '2', '3'].map((name) => ({ name, digest: `of ${name}` }))
  const shipped = [
    landed[0]!,
    { name: '1b', digest: 'new' },
    { name: '2', digest: 'edited' },
    { name: '4', digest: '' },
  ]
  assert.deepEqual(faultsOf(landed, shipped), [
    '2 has landed and was edited: write a new migration',
    '3 has landed and is gone',
    '1b is new and comes before 3, which has landed',
  ])
})

test('a database of another encoding than UTF-8 is refused before anything is made in it', async () => {
  const { url, drop } = await emptyDatabase(
    "encoding 'SQL_ASCII' locale_provider libc lc_collate 'C' lc_ctype 'C' template template0",
  )
  const sql = openSql({ clock: systemClock, connection: { connectionString: url } })
  await assert.rejects(migrate(sql, systemClock), {
    message:
      "The database has the encoding SQL_ASCII, and Kith needs UTF8: create it with encoding 'UTF8' template template0",
  })
  assert.deepEqual(await sql`select to_regclass('migrations') as made`, [{ made: null }])
  await sql.end()
  await drop()
})

test('a database that cannot be one of Kith is refused, with what to do, before anything is made in it', async () => {
  const { url, drop } = await emptyDatabase()
  const sql = openSql({ clock: systemClock, connection: { connectionString: url } })
  const name = new URL(url).pathname.slice(1)
  const role = `${name}_role`
  const refused = async (message: string) => {
    const service = openSql({ clock: systemClock, connection: { connectionString: url } })
    await assert.rejects(migrate(service, systemClock), { name: 'Error', message })
    await service.end()
  }
  const refusedWith = async (setting: string, message: string) => {
    await sql.pool.query(`alter database ${name} set ${setting}`)
    await refused(message)
    await sql.pool.query(`alter database ${name} reset all`)
  }
  await sql.pool.query(`create role ${role}`)
  await refusedWith(
    `role = ${role}`,
    `The role ${role} may create nothing in the schema public: make it the owner of the database`,
  )
  await refusedWith(
    'search_path = nowhere',
    `The search_path of the role ${new URL(url).username} names no schema of the database: create it, or reset it`,
  )
  await sql.pool.query('create table migrations (id int, migration text); create view orders as select 1')
  const own = 'and Kith needs one of its own: create one, and name it in DATABASE_URL'
  await refused(`The database is not empty (migrations, orders), ${own}`)
  await sql.pool.query('create table users (id serial)')
  await refused(`The database is not empty (migrations, orders, users and more), ${own}`)
  await sql.pool.query('drop table migrations, users; drop view orders; create extension pg_trgm')
  await sql.pool.query('create schema others; create table others.migrations (id int)')
  assert.ok((await migrate(sql, systemClock)).length > 0, 'extensions and other schemas are in nobody’s way')
  await sql.pool.query(`drop role ${role}`)
  await sql.end()
  await drop()
})

/** The last one from before the rule that nodes of the version before go on. */
const lastBeforeRule = '0085_web_copies.sql'

test('older nodes go on beside a new migration, or it says why not', async () => {
  const ruled = (await shippedMigrations()).filter(({ name }) => name > lastBeforeRule)
  const found = ruled.flatMap(({ name, sql }) => hurtsOlderNodes(sql).map((line) => `${name} ${line}`))
  assert.deepEqual(found, [], 'docs/adding-an-endpoint.md#migrations says what to do')

  const hurting = [
    'drop table votes',
    'alter table orders drop column title',
    'alter table orders add note text, drop column title',
    'alter table orders rename column title to name',
    'alter table orders rename to deals',
    'alter table orders alter column title type varchar',
    'alter table orders alter note drop default',
    'alter table orders alter note set not null',
    'alter table orders add column note text not null',
    "alter table orders add column note text check (note <> '') not null",
    'alter table orders add constraint short check (length(title) < 9)',
    'create unique index titles on orders (title)',
    'drop index orders_of_customer',
    'create trigger t after insert on orders execute function f()',
    'create or replace function f() returns int language sql as $$ select 1; $$',
    'lock table orders',
    '-- Older nodes: lists get slow.\ndrop index titles;\ndrop table votes',
  ]
  for (const sql of hurting) assert.equal(hurtsOlderNodes(sql).length, 1, sql)
  const harmless = [
    'create table votes (id uuid primary key, note text not null)',
    'create table votes (id uuid); create unique index votes_id on votes (id); alter table votes alter id set not null',
    'alter table orders add column note text, add size int not null default 0, add long boolean generated always as (length(title) > 9) stored',
    'create index titles on orders (title) where title is not null',
    "insert into counters (name) values ('drop table votes; it''s gone')",
    '-- drop table votes;\nupdate orders set note = title',
    '-- Older nodes: none has read them since 0078.\ndrop table votes',
    'alter table orders set (fillfactor = 80)',
  ]
  for (const sql of harmless) assert.deepEqual(hurtsOlderNodes(sql), [], sql)
})

test('a data folder of the first landed version starts with the newest, and keeps all data', async () => {
  const { dataDir, remove } = await dataFolder()
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 })
    await generatedSecretKey(dataDir)
    const embedded = await startEmbedded({ folder: join(dataDir, 'postgres'), log: () => {} })
    const sql = openSql({ clock: systemClock, connection: embedded.connection, maxConnections: 1 })
    const earlier = (await landedMigrations()).slice(0, first)
    const shipped = (await shippedMigrations()).slice(0, first)
    assert.deepEqual(
      earlier,
      shipped.map(({ name, digest }) => ({ name, digest })),
      'its bytes are those of today',
    )
    await migrate(sql, systemClock, shipped)
    const story = await tellOf(sql)
    await sql.end()
    await embedded.stop()

    const running = await serve(dataDir)
    assert.match(running.output(), /the database was migrated/)
    const { ada, bob, message } = story
    for (const agent of [ada, bob]) {
      const me = await call(running.url, 'GET', '/bots/me', { token: agent.token })
      assert.deepEqual([me?.status, me?.body.bot.handle, me?.body.bot.bio], [200, agent.handle, `I am ${agent.handle}`])
      const wallet = await call(running.url, 'GET', '/wallet', { token: agent.token })
      assert.equal(wallet?.body.wallet.available_minor, 500_000)
    }
    assert.deepEqual(await history(running.url, bob, ada), [message])
    const socket = await connectEvents(running.url, bob.token)
    assert.deepEqual((await socket.next('message.created')).payload.id, message.id)
    await socket.close()
    const answer = await call(running.url, 'POST', '/messages', { token: bob.token, json: bob.envelope(ada) })
    assert.equal(answer?.status, 201, 'they are friends still')
    const verified = await command(mainFile, ['verify'], { DATA_DIR: dataDir })
    assert.equal(verified.code, 0, verified.stdout)
    running.kill('SIGTERM')
    assert.equal(await running.ended, 0, running.output())
  } finally {
    await remove()
  }
})

/** Two friends, a message that is not delivered yet, and starting grants, as that version wrote them. */
async function tellOf(sql: Sql): Promise<{ ada: Agent; bob: Agent; message: object & { id: string } }> {
  const now = systemClock.now()
  const agents = []
  for (const handle of ['ada', 'bob']) agents.push(await agent(handle))
  const [ada, bob] = agents as [Agent, Agent]
  const contactId = newId(now)
  await sql`
    insert into contacts (id, requester_id, recipient_id, status, created_at, updated_at)
    values (${contactId}, ${ada.id}, ${bob.id}, 'accepted', ${now}, ${now})`
  const [nonce, ciphertext] = [randomBytes(24), randomBytes(80)]
  const message = { id: newId(now), client_message_id: randomUUID() }
  await sql`
    insert into messages (id, contact_id, sender_id, recipient_id, client_message_id, digest, nonce, ciphertext, created_at)
    values (${message.id}, ${contactId}, ${ada.id}, ${bob.id}, ${message.client_message_id}, ${randomBytes(32)}, ${nonce},
      ${ciphertext}, ${now})`
  await sql`
    insert into events (recipient_id, min_version, id, kind, subject_id, payload, created_at)
    values (${bob.id}, 1, ${newId(now)}, 'message.created', ${message.id}, null, ${now})`
  await sql`insert into counters (name, shard, value) values ('open_agents', 0, 2)`
  const told = {
    ...message,
    sender_id: ada.id,
    recipient_id: bob.id,
    nonce: nonce.toString('base64'),
    ciphertext: ciphertext.toString('base64'),
    encryption_version: 'box-v1',
    sender_public_key: ada.publicKey,
    recipient_public_key: bob.publicKey,
    created_at: now.toISOString(),
  }
  return { ada, bob, message: told }

  function agent(handle: string): Promise<Agent> {
    return sql.transaction(async (tx) => {
      const [id, transactionId, keys] = [tx.newId(), newId(tx.now), keyPair()]
      const token = `kith_${randomBytes(32).toString('base64url')}`
      await tx`insert into parties (id, kind, created_at) values (${id}, 'agent', ${tx.now})`
      await tx`
        insert into agents (id, handle, display_name, bio, encryption_public_key, search_text, search_grams, created_at,
          updated_at)
        values (${id}, ${handle}, ${handle}, ${`I am ${handle}`}, ${Buffer.from(keys.publicKey, 'base64')}, ${handle},
          ${[handle]}, ${tx.now}, ${tx.now})`
      await tx`
        insert into tokens (digest, agent_id, created_at, expires_at)
        values (${createHash('sha256').update(token).digest()}, ${id}, ${tx.now}, ${after(tx.now, days(30))})`
      await tx`
        insert into wallets (party_id, available_minor, granted_minor, last_sequence, updated_at)
        values (${id}, 500000, 500000, 1, ${tx.now})`
      await tx`
        insert into ledger_transactions (id, kind, note, created_at)
        values (${transactionId}, 'grant', 'Starting grant', ${tx.now})`
      await tx`
        insert into ledger_entries (id, transaction_id, account, party_id, amount_minor, sequence, balance_after_minor)
        values (${tx.newId()}, ${transactionId}, 'available', ${id}, 500000, 1, 500000),
          (${tx.newId()}, ${transactionId}, 'grants', null, -500000, null, null)`
      return agentOf({} as World, keys, { bot: { id, handle }, token })
    })
  }
}
