import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { ConfigError } from './config.ts'
import { secretsOf } from './secrets.ts'

test('a damaged key is refused, and not replaced by another one', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'kith-secrets-'))
  const path = join(dataDir, 'secret-key')
  try {
    await writeFile(path, 'half a key')
    await assert.rejects(secretsOf({ dataDir, secretKey: undefined }), {
      message: `The secret key ${path} is damaged: it has fewer than 32 characters`,
    })
    assert.equal(await readFile(path, 'utf8'), 'half a key')
  } finally {
    await rm(dataDir, { recursive: true })
  }
})

test('Olga copied the data folder so that the key cannot be read, and the start names it', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'kith-secrets-'))
  try {
    // A folder in its place, because root may read every file.
    await mkdir(join(dataDir, 'secret-key'))
    await assert.rejects(
      secretsOf({ dataDir, secretKey: undefined }),
      (error) =>
        error instanceof ConfigError &&
        error.message.startsWith(`Cannot read the secret key ${join(dataDir, 'secret-key')}: `),
    )
  } finally {
    await rm(dataDir, { recursive: true })
  }
})
