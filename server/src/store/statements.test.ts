// Every statement that stories sent to one PostgreSQL is one that another understands: its words, its functions, its types.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { freshDatabase } from '../../test/database.ts'
import { recordedStatements, statementsVariable } from '../../test/statements.ts'

const isAsked = process.env['KITH_TEST_DATABASE_URL'] !== undefined && process.env[statementsVariable] !== undefined
/** What can be prepared; the rest has no words of our own (`begin`, `commit`, `listen`). */
const isPreparable = (text: string): boolean => /^\s*(?:select|insert|update|delete|with|values)\b/i.test(text)

test('what stories sent to another server is understood by this one', { skip: !isAsked }, async () => {
  const texts = (await recordedStatements()).filter(isPreparable)
  assert.ok(texts.length > 500, `only ${texts.length} statements were written down`)
  const database = await freshDatabase()
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  try {
    const refused: string[] = []
    for (const text of texts) {
      try {
        await client.query(`prepare asked as ${text}`)
        await client.query('deallocate asked')
      } catch (error) {
        refused.push(`${(error as Error).message}: ${text}`)
      }
    }
    assert.equal(refused.join('\n\n'), '')
  } finally {
    await client.end()
    await database.drop()
  }
})
