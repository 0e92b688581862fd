// Every statement that stories sent to one PostgreSQL is one that another understands: its words, its functions, its types.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { freshDatabase, startTestServer, urlOf } from '../../test/database.ts'
import { recordedStatements, statementsVariable } from '../../test/statements.ts'

const isAsked = process.env['KITH_TEST_DATABASE_URL'] !== undefined && process.env[statementsVariable] !== undefined
/** What can be prepared; the rest has no words of our own (`begin`, `commit`, `listen`). */
const isPreparable = (text: string): boolean => /^\s*(?:select|insert|update|delete|with|values)\b/i.test(text)

/** Those that a server refuses, with why. */
async function refusedBy(url: string, texts: readonly string[]): Promise<Map<string, string>> {
  const refused = new Map<string, string>()
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    for (const text of texts) {
      try {
        await client.query(`prepare asked as ${text}`)
        await client.query('deallocate asked')
      } catch (error) {
        refused.set(text, (error as Error).message)
      }
    }
  } finally {
    await client.end()
  }
  return refused
}

test('statements that stories sent to another server work on this one', { skip: !isAsked }, async () => {
  const texts = (await recordedStatements()).filter(isPreparable)
  assert.ok(texts.length > 500, `only ${texts.length} statements were written down`)
  const database = await freshDatabase()
  try {
    const refused = await refusedBy(database.url, texts)
    if (refused.size === 0) return
    // Of a table that a story made for itself neither knows.
    const other = await startTestServer()
    const there = await refusedBy(urlOf(other.url, other.template), [...refused.keys()]).finally(other.stop)
    assert.ok(there.size < texts.length / 20, `${there.size} statements are understood nowhere`)
    const wrong = [...refused].filter(([text]) => !there.has(text))
    assert.equal(wrong.map(([text, reason]) => `${reason}: ${text}`).join('\n\n'), '')
  } finally {
    await database.drop()
  }
})
