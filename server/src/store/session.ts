// What the sessions of the service and those of backups set alike: docs/operating.md#your-own-postgresql-server.

/** What a server, a database or a role may set otherwise, and what changes a statement, its values, or whether it ends. */
export const meaning = {
  timezone: 'UTC',
  datestyle: 'ISO',
  intervalstyle: 'postgres',
  bytea_output: 'hex',
  extra_float_digits: '1',
  standard_conforming_strings: 'on',
  array_nulls: 'on',
  transform_null_equals: 'off',
  gin_fuzzy_search_limit: '0',
  default_transaction_isolation: 'read committed',
  default_transaction_deferrable: 'off',
  lock_timeout: '0',
  idle_session_timeout: '0',
} as const

/** Servers before 17 do not know it. */
const noTransactionTimeout = `select set_config('transaction_timeout', '0', false)
  where current_setting('transaction_timeout', true) <> '0'`

/** A statement for each setting, and none of them sets a limit to a whole transaction. */
export const setAll = (settings: Readonly<Record<string, string>>): string =>
  [...Object.entries(settings).map(([name, value]) => `set ${name} = '${value}'`), noTransactionTimeout].join('; ')
