// The nodes on this database and the database itself, as the operator sees them. docs/operating.md#several-nodes.
import { nodes as known, type NodeState } from '../realtime/leases.ts'
import { only, type Sql } from '../store/sql.ts'

export interface Nodes {
  nodes: NodeState[]
  database: Database
}

interface Database {
  version: string
  bytes: number
  /** Open connections of everybody, and how many there may be. */
  connections: number
  max_connections: number
  /** The newest one that was run. */
  migration: string
}

/** In one state of the database. */
export const nodes = (sql: Sql): Promise<Nodes> =>
  sql.snapshot(async (tx) => ({
    nodes: await known(tx, tx.now),
    database: only(
      await tx<Database>`
        select current_setting('server_version') as version, pg_database_size(current_database()) as bytes,
          (select count(*)::int from pg_stat_activity where datname = current_database()) as connections,
          current_setting('max_connections')::int as max_connections,
          (select name from migrations order by name desc limit 1) as migration`,
    ),
  }))
