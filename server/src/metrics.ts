// Prometheus metrics, on a port of their own when METRICS_PORT is set.
import { Counter, Gauge, Histogram, Registry } from 'prom-client'

export type Metrics = ReturnType<typeof createMetrics>

export function createMetrics() {
  const registry = new Registry()
  const registers = [registry]
  return {
    registry,
    requests: new Counter({
      name: 'kith_http_requests_total',
      help: 'Answers by route and status',
      labelNames: ['method', 'route', 'status'],
      registers,
    }),
    requestSeconds: new Histogram({
      name: 'kith_http_request_seconds',
      help: 'Time to answer, by route',
      labelNames: ['method', 'route'],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
      registers,
    }),
    refusals: new Counter({
      name: 'kith_refusals_total',
      help: 'Refusals by error code',
      labelNames: ['code'],
      registers,
    }),
    turns: new Gauge({
      name: 'kith_requests_in_turn',
      help: 'Requests that are worked on, and that wait for a turn of their caller',
      labelNames: ['state'],
      registers,
    }),
    turnsRefused: new Counter({
      name: 'kith_turns_refused_total',
      help: 'Requests that got no turn: too many of one caller, too many of all, too long a wait, or nobody left to answer',
      labelNames: ['why'],
      registers,
    }),
    poolRefused: new Counter({
      name: 'kith_database_refused_total',
      help: 'Requests refused at once because too many wait for a connection of the pool',
      registers,
    }),
    sockets: new Gauge({ name: 'kith_event_sockets', help: 'Open event connections of this node', registers }),
    eventsSent: new Counter({
      name: 'kith_events_sent_total',
      help: 'Events written to sockets, repeats included',
      labelNames: ['kind'],
      registers,
    }),
    eventsAcknowledged: new Counter({
      name: 'kith_events_acknowledged_total',
      help: 'Events acknowledged by their recipients',
      registers,
    }),
    eventsUnacknowledged: new Gauge({
      name: 'kith_events_unacknowledged',
      help: 'Events of all agents that wait for their acknowledgement, counted up to 100,000',
      registers,
    }),
    oldestUndelivered: new Gauge({
      name: 'kith_oldest_undelivered_event_seconds',
      help: 'Age of the oldest event that its recipient has not acknowledged; 0 where none waits',
      registers,
    }),
    peers: new Gauge({ name: 'kith_peers', help: 'Other nodes that are alive, as this one knows', registers }),
    socketsClosed: new Counter({
      name: 'kith_event_sockets_closed_total',
      help: 'Closed event connections by close code',
      labelNames: ['code'],
      registers,
    }),
    sendBatch: new Histogram({
      name: 'kith_message_batch_size',
      help: 'Messages written by one statement',
      buckets: [1, 2, 4, 8, 16, 32, 64, 128],
      registers,
    }),
    mails: new Counter({
      name: 'kith_mails_total',
      help: 'Emails by kind and outcome',
      labelNames: ['kind', 'outcome'],
      registers,
    }),
    mailQueue: new Gauge({ name: 'kith_mail_queue', help: 'Emails waiting to be sent', registers }),
    oldestMail: new Gauge({
      name: 'kith_oldest_mail_seconds',
      help: 'Age of the oldest email that waits to be sent; 0 where none waits',
      registers,
    }),
    diskFree: new Gauge({
      name: 'kith_disk_free_bytes',
      help: 'Room on the disk of DATA_DIR (data), and of the folder of files where there is one (files)',
      labelNames: ['of'],
      registers,
    }),
    replicaReads: new Counter({
      name: 'kith_replica_reads_total',
      help: 'Reads for DATABASE_REPLICA_URL, by what answered them: the replica, or the primary where that was late or failed',
      labelNames: ['by'],
      registers,
    }),
    replicationLag: new Gauge({
      name: 'kith_database_replication_lag_seconds',
      help: 'How far each replica of the database is behind, where the role may see it (pg_monitor)',
      labelNames: ['replica'],
      registers,
    }),
    ledgerDifferences: new Gauge({
      name: 'kith_ledger_differences',
      help: 'What the last verification found to differ from the entries of the ledger',
      registers,
    }),
    disputesOverdue: new Gauge({
      name: 'kith_disputes_overdue',
      help: 'Disputes that have waited for support for more than a day',
      registers,
    }),
    oldestWaiting: new Gauge({
      name: 'kith_oldest_waiting_seconds',
      help: 'How long the oldest has waited for a person, by queue; 0 where nothing waits',
      labelNames: ['queue'],
      registers,
    }),
    inspectionsWaiting: new Gauge({
      name: 'kith_inspections_waiting',
      help: 'Uploads of this node that wait for their inspection',
      registers,
    }),
    inspectors: new Gauge({
      name: 'kith_inspectors',
      help: 'Processes that look into one image after another, at work or waiting',
      registers,
    }),
    inspectorsStarted: new Counter({
      name: 'kith_inspectors_started_total',
      help: 'Starts of processes that look into one image after another',
      registers,
    }),
    inspectorsReused: new Counter({
      name: 'kith_inspectors_reused_total',
      help: 'Images that were handed to a process that had others of their sender before',
      registers,
    }),
    inspectorsEnded: new Counter({
      name: 'kith_inspectors_ended_total',
      help: 'Ends of processes that look into one image after another: enough files, time or memory spent, something wrong, nothing to do, their place taken, the service stopped',
      labelNames: ['reason'],
      registers,
    }),
    storageSeconds: new Histogram({
      name: 'kith_storage_seconds',
      help: 'Duration of operations on stored files',
      labelNames: ['operation'],
      buckets: [0.001, 0.01, 0.1, 1, 10, 60],
      registers,
    }),
    storageFailures: new Counter({
      name: 'kith_storage_failures_total',
      help: 'Operations on stored files that failed',
      labelNames: ['operation'],
      registers,
    }),
    unclaimedObjects: new Counter({
      name: 'kith_storage_unclaimed_total',
      help: 'Stored files of no record that were removed',
      registers,
    }),
    visitors: new Counter({
      name: 'kith_visitors_total',
      help: 'Sessions of visitors of the site: begun, refused to an address that began too many, forgotten',
      labelNames: ['outcome'],
      registers,
    }),
    customers: new Counter({
      name: 'kith_customers_total',
      help: 'Customers: signed in for the first time, again, refused for the code, with documents not confirmed; closed',
      labelNames: ['outcome'],
      registers,
    }),
    operatorSignIns: new Counter({
      name: 'kith_operator_sign_ins_total',
      help: 'Sign-ins to the console, by link or passkey: done, refused, refused after too many',
      labelNames: ['by', 'outcome'],
      registers,
    }),
    sweepSeconds: new Histogram({
      name: 'kith_sweep_seconds',
      help: 'Duration of the periodic sweeps',
      labelNames: ['sweep'],
      buckets: [0.001, 0.01, 0.1, 1, 10],
      registers,
    }),
    sweepFailures: new Counter({
      name: 'kith_sweep_failures_total',
      help: 'Sweeps that failed and will be tried again',
      labelNames: ['sweep'],
      registers,
    }),
    sweepRowFailures: new Counter({
      name: 'kith_sweep_row_failures_total',
      help: 'Rows that a sweep could not work on and put behind the others',
      labelNames: ['sweep'],
      registers,
    }),
    sweepSucceeded: new Gauge({
      name: 'kith_sweep_last_success_timestamp_seconds',
      help: 'When each sweep last came to its end without a failure; before that, when the process started it',
      labelNames: ['sweep'],
      registers,
    }),
    sweepInterval: new Gauge({
      name: 'kith_sweep_interval_seconds',
      help: 'How often each sweep runs',
      labelNames: ['sweep'],
      registers,
    }),
    inspectionSeconds: new Histogram({
      name: 'kith_inspection_seconds',
      help: 'Duration of the inspections of uploaded files',
      labelNames: ['format', 'outcome'],
      buckets: [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 60, 240],
      registers,
    }),
    sharePictures: new Counter({
      name: 'kith_share_pictures_total',
      help: 'Share pictures that were drawn, refused because too many were wanted, or failed',
      labelNames: ['outcome'],
      registers,
    }),
    sharePictureSeconds: new Histogram({
      name: 'kith_share_picture_seconds',
      help: 'Time to draw a share picture, once it has its turn',
      buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
      registers,
    }),
    databaseRestarts: new Counter({
      name: 'kith_database_restarts_total',
      help: 'Times that the embedded PostgreSQL had to be started again',
      registers,
    }),
    archiveDelay: new Gauge({
      name: 'kith_archive_delay_seconds',
      help: 'Age of the oldest part of the log of changes that is not in the archive; 0 where none waits',
      registers,
    }),
    archiveWaiting: new Gauge({
      name: 'kith_archive_waiting_bytes',
      help: 'What waits on the disk of DATA_DIR for the archive',
      registers,
    }),
    archiveBase: new Gauge({
      name: 'kith_archive_base_timestamp_seconds',
      help: 'When the newest base copy in the archive was complete',
      registers,
    }),
    archiveFailures: new Counter({
      name: 'kith_archive_failures_total',
      help: 'Tries to take over changes, to send them and to copy the database that failed',
      labelNames: ['of'],
      registers,
    }),
    databaseConnections: new Gauge({
      name: 'kith_database_connections',
      help: 'Connections of each pool that are used and idle, and requests that wait for one',
      labelNames: ['pool', 'state'],
      registers,
    }),
    databasePoolSize: new Gauge({
      name: 'kith_database_pool_size',
      help: 'Connections that each pool may open',
      labelNames: ['pool'],
      registers,
    }),
    redisConnected: new Gauge({
      name: 'kith_redis_connected',
      help: 'Whether Redis is there for what it is used for: 1 or 0; nothing without REDIS_URL',
      labelNames: ['use'],
      registers,
    }),
    redisFailures: new Counter({
      name: 'kith_redis_failures_total',
      help: 'What Redis was asked for and did not do in time, so that it was done without',
      labelNames: ['use'],
      registers,
    }),
  }
}
