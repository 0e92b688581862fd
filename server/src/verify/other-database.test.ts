// What the command says of a database that it cannot verify.
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { emptyDatabase } from '../../test/database.ts'
import { command, mainFile } from '../../test/launch.ts'

test('databases of another version, with differences, or missing are told apart', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'kith-verify-'))
  const empty = await emptyDatabase()
  const verify = (url: string) =>
    command(mainFile, ['verify'], {
      DATABASE_URL: url,
      DATA_DIR: folder,
      SECRET_KEY: 'a secret key for tests, of enough characters',
    })
  try {
    const answer = await verify(empty.url)
    assert.equal(answer.code, 1)
    assert.match(answer.stderr, /^kith-server: The database is of an earlier version: /)
    const gone = await verify('postgresql://127.0.0.1:1/none')
    assert.equal(gone.code, 1)
    assert.match(gone.stderr, /^kith-server: Cannot reach the database of DATABASE_URL \(127\.0\.0\.1:1\): /)
  } finally {
    await empty.drop()
    await rm(folder, { recursive: true, force: true })
  }
})
