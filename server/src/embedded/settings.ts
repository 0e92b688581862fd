/** For a small service on two cores: little memory when idle, every commit on disk before the response. */
const DEFAULTS: Record<string, string> = {
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  max_connections: '100',
  shared_buffers: '96MB',
  effective_cache_size: '512MB',
  maintenance_work_mem: '32MB',
  random_page_cost: '1.1',
  // Nobody replicates from a server that only a local socket reaches; backups are logical unless it archives.
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_replication_slots: '0',
  max_logical_replication_workers: '0',
  min_wal_size: '64MB',
  max_wal_size: '512MB',
  // Fewer processes: two cores gain nothing from parallel plans, and a hot cache nothing from I/O workers.
  io_method: 'sync',
  max_worker_processes: '2',
  max_parallel_workers: '0',
  max_parallel_workers_per_gather: '0',
  autovacuum_max_workers: '2',
  autovacuum_worker_slots: '2',
  huge_pages: 'off',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  cluster_name: 'kith',
}

/** Below the data folder: an empty file for each segment that the service has taken over, which lets PostgreSQL recycle it. */
export const takenFolder = 'kith-taken'

/** Below the data folder of a recovery: the segments that PostgreSQL asks for. */
export const supplyFolder = 'kith-supply'

/** Seconds after which a segment that is not full is archived too: what a lost machine loses at most. */
const archiveTimeout = 60

/**
 * The log of changes is kept whole, and each segment until the service has taken it over (`wal/archiver.ts`). PostgreSQL only
 * looks for its mark: the programs and secrets of the archive stay with the service. A command beside the service takes
 * nothing over; what it writes waits for the service.
 */
export const archivingSettings = ({ byService }: { byService: boolean }): Record<string, string> => {
  const taken = `test -f ${takenFolder}/%f`
  return {
    wal_level: 'replica',
    archive_mode: 'on',
    archive_timeout: String(archiveTimeout),
    // A stop waits for this command: mostly it succeeds at once or a moment later.
    archive_command: byService ? `${taken} || { sleep 0.2; ${taken}; } || { sleep 0.5; ${taken}; }` : '',
  }
}

/**
 * Replays archived changes up to a moment, or all of them, and then opens the database on a timeline of its own. PostgreSQL
 * asks for a segment by a file, and waits until that is gone.
 */
export const recoverySettings = (until: Date | undefined): Record<string, string> => {
  const asked = `${supplyFolder}/%f.wanted`
  const wait = `: >${asked}; while test -f ${asked}; do sleep 0.05; done`
  return {
    ...archivingSettings({ byService: false }),
    hot_standby: 'off',
    restore_command: `test -f ${supplyFolder}/%f || { ${wait}; }; test -f ${supplyFolder}/%f && mv ${supplyFolder}/%f %p`,
    recovery_target_timeline: 'current',
    recovery_target_action: 'promote',
    // Names of zones are not known yet when PostgreSQL reads it.
    ...(until && { recovery_target_time: until.toISOString().replace('Z', '+00') }),
  }
}

/** While a backup is loaded into a database that is there: nobody else is served, and indexes are built with every core. */
export const loadingSettings: Record<string, string> = {
  max_worker_processes: '4',
  max_parallel_workers: '2',
  max_parallel_maintenance_workers: '2',
  max_wal_size: '4GB',
  autovacuum: 'off',
}

/** While a new database is filled, which a power cut may destroy: it is synced when it is kept. */
export const provisionalSettings: Record<string, string> = {
  fsync: 'off',
  full_page_writes: 'off',
  synchronous_commit: 'off',
  // A table of up to a quarter of it is read from the disk once for all its indexes.
  shared_buffers: '256MB',
  max_wal_size: '4GB',
  autovacuum: 'off',
}

/** What the launcher relies on, and what keeps secrets out of the log: callers may not change these. */
const FIXED: Record<string, string> = {
  listen_addresses: '',
  unix_socket_permissions: '0700',
  restart_after_crash: 'on',
  logging_collector: 'off',
  log_destination: 'stderr',
  log_line_prefix: '%b|%e|',
  lc_messages: 'C',
  log_min_messages: 'warning',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  log_statement: 'none',
  log_duration: 'off',
  log_min_duration_statement: '-1',
  log_min_duration_sample: '-1',
  log_transaction_sample_rate: '0',
  log_parameter_max_length: '0',
  log_parameter_max_length_on_error: '0',
  log_connections: '',
  log_disconnections: 'off',
  log_checkpoints: 'off',
  log_lock_waits: 'off',
  log_temp_files: '-1',
  log_autovacuum_min_duration: '-1',
  debug_print_parse: 'off',
  debug_print_rewritten: 'off',
  debug_print_plan: 'off',
}

/** The settings as arguments of postgres, which neither a file nor ALTER SYSTEM can override. */
export function settingArguments(socketFolder: string, port: number, custom: Record<string, string> = {}): string[] {
  const quoted = `"${socketFolder.replaceAll('"', '""')}"` // the setting is a list, in which a comma separates
  const settings = { ...DEFAULTS, ...custom, ...FIXED, unix_socket_directories: quoted, port: String(port) }
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}
