// A database server on this machine, reached by its Unix socket: DATABASE_URL without a host.
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { rm, symlink } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import pg from 'pg'
import { ConfigError, readConfig } from '../src/config.ts'
import { unreachable } from '../src/failure.ts'
import { socketFolders } from '../src/kernel/database-url.ts'
import { connectionOf } from '../src/store/locate.ts'
import { startTestServer } from './database.ts'
import { command, dataFolder, launch, mainFile, operatorFile, serve } from './launch.ts'
import { register } from './process.ts'

const secret = 'a secret key for sockets, of enough characters'

test('start, operator commands and backup work with a URL without a host', async () => {
  const server = await startTestServer()
  const { dataDir, remove } = await dataFolder()
  const { searchParams, port, username } = new URL(server.url)
  const folder = searchParams.get('host') as string
  // Where PostgreSQL's own programs look, under a number that nobody else uses.
  const elsewhere = `/tmp/.s.PGSQL.${process.pid}`
  try {
    const admin = new pg.Client({ connectionString: server.url })
    await admin.connect()
    for (const name of ['one', 'two', 'three']) await admin.query(`create database ${name} template ${server.template}`)
    await admin.end()
    await symlink(join(folder, `.s.PGSQL.${port}`), elsewhere)
    for (const DATABASE_URL of [
      // This server takes one user only; who is meant without one is told below.
      `postgresql:///one?host=${folder}&port=${port}&user=${username}`,
      `postgres://${username}@/two?host=${encodeURIComponent(folder)}&port=${port}`,
      `postgresql:///three?port=${process.pid}&user=${username}`,
    ]) {
      const env = { DATABASE_URL, SECRET_KEY: secret, DATA_DIR: dataDir }
      const running = await serve(dataDir, { env })
      await register(running.url, 'ada')
      const suspended = await command(operatorFile, ['agent', 'suspend', 'ada', '--reason', 'a try'], env)
      assert.equal(suspended.code, 0, suspended.stderr)
      const file = join(dataDir, '..', 'backup.kith')
      const taken = await command(mainFile, ['backup', file], env)
      assert.equal(taken.code, 0, taken.stderr)
      await rm(file)
      running.kill('SIGTERM')
      assert.equal(await running.ended, 0, running.output())
    }
    const nowhere = launch(dataDir, { env: { DATABASE_URL: 'postgresql:///x?host=/nowhere', SECRET_KEY: secret } })
    assert.equal(await nowhere.ended, 1)
    assert.match(nowhere.output(), /Cannot reach the database of DATABASE_URL \(\/nowhere\): .*ENOENT/)
  } finally {
    await rm(elsewhere, { force: true })
    await remove()
    await server.stop()
  }
})

test('a URL without a host uses the local socket and user', () => {
  const me = userInfo().username
  const folder = socketFolders.find((each) => existsSync(join(each, '.s.PGSQL.5432'))) ?? socketFolders[0]
  const parts = (url: string) => {
    const { connectionString = '' } = connectionOf(url)
    const { pathname, username, password, searchParams } = new URL(connectionString)
    return [searchParams.get('host'), searchParams.get('user') ?? username, password, pathname]
  }
  assert.deepEqual(parts('postgresql:///kith'), [folder, me, '', '/kith'])
  assert.deepEqual(parts('postgresql://'), [folder, me, '', `/${me}`])
  assert.deepEqual(parts('postgresql://ada:a%40b@/kith?host=/s'), ['/s', 'ada', 'a%40b', '/kith'])
  assert.deepEqual(parts('postgresql://%2Frun%2Fpg/kith'), ['/run/pg', me, '', '/kith'])
  const remote = 'postgresql://ada@db.example:5433/kith?sslmode=disable'
  assert.deepEqual(connectionOf(remote), { connectionString: remote })

  const why = (url: string) => /\((.*)\)/.exec(unreachable(url, new Error('x')).message)?.[1]
  assert.equal(why('postgresql://ada:secret@/kith'), 'local socket')
  assert.equal(why('postgresql:///kith?host=/run/postgresql'), '/run/postgresql')
  assert.equal(why('postgresql://ada:secret@db.example/kith'), 'db.example:5432')

  for (const malformed of ['postgresql:kith', 'mysql:///kith', 'postgresql://a%zz@/kith', 'kith']) {
    assert.throws(() => readConfig({ DATABASE_URL: malformed, SECRET_KEY: secret }), ConfigError, malformed)
  }
})

test('whatever encrypts checks the certificate, unless it is asked not to, and says why it refuses one', () => {
  const tls = (query: string) =>
    new URL(connectionOf(`postgresql://db.example/kith?${query}`).connectionString ?? '').search
  for (const mode of ['prefer', 'require', 'verify-ca', 'verify-full'])
    assert.equal(tls(`sslmode=${mode}&sslrootcert=%2Fca.crt`), '?sslmode=verify-full&sslrootcert=%2Fca.crt', mode)
  assert.equal(tls('sslrootcert=system'), '?sslmode=verify-full')
  assert.equal(tls('sslmode=require&uselibpqcompat=true'), '?sslmode=require&uselibpqcompat=true')
  const socket = connectionOf('postgresql:///kith?host=/s&sslmode=require').connectionString ?? ''
  assert.equal(new URL(socket).searchParams.get('sslmode'), null, 'a socket is not encrypted')
  const unknown = { DATABASE_URL: 'postgresql://db.example/kith?sslmode=on', SECRET_KEY: secret }
  assert.throws(() => readConfig(unknown), /DATABASE_URL: expected an sslmode of disable, allow, prefer, require/)
  for (const [code, said] of [
    ['SELF_SIGNED_CERT_IN_CHAIN', /: its certificate is from an authority .* sslrootcert$/],
    ['ERR_TLS_CERT_ALTNAME_INVALID', /: its certificate is for another name: /],
  ] as const)
    assert.match(unreachable('postgresql://db.example/kith', Object.assign(new Error('x'), { code })).message, said)
})
