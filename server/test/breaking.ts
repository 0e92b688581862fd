// Connections to the database that break again and again.
import type { TestContext } from 'node:test'
import pg from 'pg'
import type { World } from './world.ts'

/**
 * Breaks the database connections of a name again and again, until it is told to stop or the test ends. The pauses, in
 * milliseconds, grow: where a connection takes longer than the first of them, one can still be made and used at last.
 */
export async function breaking(
  t: TestContext,
  w: World,
  name: string,
  firstPause: number,
): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: w.databaseUrl, application_name: 'breaking' })
  await client.connect()
  const own = `select pg_backend_pid() as pid`
  const spared = [
    (await w.sql<{ pid: number }>`select pg_backend_pid() as pid`)[0]?.pid,
    (await client.query(own)).rows[0].pid,
  ]
  let going = true
  const loop = (async () => {
    for (let pause = firstPause; going; pause *= 1.02) {
      await client.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and application_name = $1 and pid <> all ($2)`,
        [name, spared],
      )
      await new Promise((resolve) => setTimeout(resolve, pause))
    }
  })()
  const mend = async () => {
    if (!going) return
    going = false
    await loop
    await client.end()
  }
  t.after(mend)
  return mend
}
