// For the bench: moves and deletes all that is due, without the pauses of a sweep. Gets the connection as JSON.
import { systemClock } from '../../kernel/clock.ts'
import { openSql } from '../../store/sql.ts'
import { forgetMessages } from './retention.ts'

const sql = openSql({ clock: systemClock, connection: JSON.parse(process.argv[2] as string), maxConnections: 1 })
while (await forgetMessages(sql, systemClock.now()));
await sql.end()
