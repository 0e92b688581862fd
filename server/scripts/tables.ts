// npm run tables: writes server/src/store/tables.ts from a migrated database: the types of rows that the code imports, as
// the driver returns them.
import { glob, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startEmbedded } from '../src/embedded/embedded.ts'
import { systemClock } from '../src/kernel/clock.ts'
import { migrate } from '../src/store/migrate.ts'
import { openSql, type Query, type Sql } from '../src/store/sql.ts'

const source = fileURLToPath(new URL('../src', import.meta.url))

/** What pg makes of each type (sql.ts reads int8 as a number); anything else is text. */
const typescriptTypes: Readonly<Record<string, string>> = {
  bool: 'boolean',
  bytea: 'Buffer',
  date: 'Date',
  float4: 'number',
  float8: 'number',
  int2: 'number',
  int4: 'number',
  int8: 'number',
  json: 'unknown',
  jsonb: 'unknown',
  timestamp: 'Date',
  timestamptz: 'Date',
}

const typescriptType = (type: string): string =>
  type.startsWith('_') ? `${typescriptTypes[type.slice(1)] ?? 'string'}[]` : (typescriptTypes[type] ?? 'string')

/** The types that a file of the service imports from tables.ts. */
async function importedTypes(): Promise<Set<string>> {
  const imported = new Set<string>()
  for await (const name of glob('**/*.ts', { cwd: source })) {
    const text = await readFile(join(source, name), 'utf8')
    for (const [, names = ''] of text.matchAll(/\bimport type \{([^}]+)\} from '[./\w]*\/tables\.ts'/g)) {
      for (const each of names.split(',')) imported.add(each.trim())
    }
  }
  return imported
}

/** The text of tables.ts for the database behind `sql`. */
export async function describeTables(sql: Query): Promise<string> {
  const columns = await sql<{ table_name: string; column_name: string; type: string; nullable: boolean }>`
    select c.relname as table_name, a.attname as column_name, t.typname as type, not a.attnotnull as nullable
    from pg_class c join pg_attribute a on a.attrelid = c.oid join pg_type t on t.oid = a.atttypid
    where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and a.attnum > 0 and not a.attisdropped
    order by c.relname collate "C", a.attnum`
  const imported = await importedTypes()
  const tables = Map.groupBy(columns, (column) => interfaceName(column.table_name))
  const interfaces = [...tables].flatMap(([name, own]) => {
    if (!imported.has(name)) return []
    const fields = own.map(
      ({ column_name, type, nullable }) => `  ${column_name}: ${typescriptType(type)}${nullable ? ' | null' : ''}`,
    )
    return `export interface ${name} {\n${fields.join('\n')}\n}\n`
  })
  return [
    '// Rows of the tables as the driver gives them. Generated from the migrations by `npm run tables`: do not edit.\n',
    ...interfaces,
  ].join('\n')
}

const interfaceName = (table: string): string =>
  `${table
    .split('_')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')}Row`

/** The same, from a database created and migrated for it. */
async function migratedTables(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'kith-tables-'))
  let sql: Sql | undefined
  try {
    const embedded = await startEmbedded({ folder, log: () => {}, settings: { fsync: 'off' } })
    try {
      sql = openSql({ clock: systemClock, connection: embedded.connection })
      await migrate(sql, systemClock)
      return await describeTables(sql)
    } finally {
      await sql?.end()
      await embedded.stop('immediate')
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

if (import.meta.main) await writeFile(join(source, 'store/tables.ts'), await migratedTables())
