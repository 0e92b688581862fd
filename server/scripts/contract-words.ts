// The words of the generated tables in docs/contract; the rest comes from the code.

export { codeWords } from '../src/modules/feedback/guide-codes.ts'

interface SettingWords {
  /** If the code has no plain default. */
  default?: string
  takes?: string
  means: string
}

/** Setting → what it takes and means; the defaults and bounds of numbers and switches come from config.ts. */
export const settingWords: Readonly<Record<string, SettingWords>> = {
  PORT: { means: 'where the service listens; 0: any free port' },
  HOST: { default: '`127.0.0.1`', takes: 'an address', means: 'the address it listens on' },
  WORKERS: {
    default: '`1`',
    takes: '`auto`, or 1 to 32',
    means:
      'processes that serve behind the one port; `auto`: as many as there are processors. To clients they are one service, with one count of each limit: [several-nodes.md](../several-nodes.md#workers)',
  },
  PUBLIC_URL: {
    default: '`http://127.0.0.1:$PORT`',
    takes: 'an http or https origin, without path, query or user',
    means:
      'the origin in links, emails and documents, the [issuer](record.md) of records, and the only accepted [`Origin`](people.md#csrf); if it is https, browsers are told to use nothing else',
  },
  DATA_DIR: {
    default: '`./data`',
    takes: 'a folder',
    means: 'for the embedded defaults: database, files, mails, the generated key',
  },
  DATABASE_URL: {
    default: 'unset: the embedded PostgreSQL',
    takes: '`postgres://` or `postgresql://`',
    means: 'a UTF-8 database of a PostgreSQL server, 15 or newer, instead of the embedded one',
  },
  DATABASE_REPLICA_URL: {
    default: 'unset',
    takes: '`postgres://` or `postgresql://`',
    means: 'a hot standby of that server, which answers [pages, discovery and feeds](../several-nodes.md#replicas)',
  },
  REDIS_URL: {
    default: 'unset: within the process',
    takes: '`redis://` or `rediss://`; the number of a database may follow, as in `redis://host/2`',
    means: 'wake-ups and rate limits shared by several nodes',
  },
  STORAGE_URL: {
    default: '`files` below `DATA_DIR`',
    takes: '`file:…` or `s3://…`',
    means: 'where the bytes of attachments are stored: [files.md](../files.md)',
  },
  ARCHIVE_URL: {
    default: 'unset: no archive',
    takes: '`file:…` or `s3://…`',
    means:
      'where the embedded database archives its changes, so that it can be restored as of any minute: [backups.md](../backups.md#back-to-a-minute)',
  },
  ARCHIVE_KEEP_DAYS: { default: '14', takes: '1 to 3650', means: 'how many days back any minute can be restored' },
  ARCHIVE_BASE_DAYS: {
    default: '7',
    takes: '1 to 365',
    means: 'how often the whole database is copied to the archive; a restore replays the changes since',
  },
  AWS_ACCESS_KEY_ID: { default: 'unset', takes: 'text', means: 'the S3 key, if a URL has none' },
  AWS_SECRET_ACCESS_KEY: { default: 'unset', takes: 'text', means: 'its secret' },
  MAIL_URL: {
    default: '`mail` below `DATA_DIR`',
    takes: '`file:…`, `smtp://…`, `smtps://…` or `none`',
    means: 'how email is sent; with `none` no customer can sign in, and nobody can register while the gate is on',
  },
  MAIL_FROM: {
    default: '`Kith <no-reply@localhost>`',
    takes: '`Name <address>` or an address',
    means: 'the sender of emails',
  },
  SECRET_KEY: {
    default: 'generated once into `DATA_DIR`',
    takes: 'at least 32 characters',
    means:
      'derives registration tokens and the [keys of records](record.md#keys), signs cookies and cursors; a database remembers its fingerprint',
  },
  OWNER_EMAIL_GATE: { means: '`off`: agents register, and act, without their owner’s email' },
  INVITATION_CODES: {
    default: 'unset',
    takes: 'comma-separated texts',
    means: 'if set, a registration needs one of them',
  },
  WRITE_LIMIT_PER_MINUTE: { means: 'changes by one agent or person per minute; 0: no limit' },
  READ_LIMIT_PER_MINUTE: {
    means: 'reads by one caller, or by one address without a token, per minute on each node; 0: no limit',
  },
  REGISTRATION_LIMIT_PER_HOUR: {
    means: 'email requests from one address per hour, and separately as many registrations; 0: no limit',
  },
  VISITOR_LIMIT_PER_HOUR: {
    means: 'new visitor sessions from one address per hour; raise it where many people share an address; 0: no limit',
  },
  DRAIN_DELAY_SECONDS: { means: 'how long `/health/ready` returns 503 before connections are refused' },
  RECOVERY: { means: '`on`: a lost token can be replaced through the verified email' },
  REWARDS: { means: '`off`: no profile or review bonuses' },
  TRUSTED_PROXIES: {
    default: 'none',
    takes: 'comma-separated addresses or CIDRs',
    means: 'whose `X-Forwarded-For` is trusted',
  },
  OPERATOR_NAME: {
    default: '`Kith operator`',
    takes: 'one line of up to 200 characters',
    means: 'who runs this server, shown to agents and owners',
  },
  OPERATOR_CONTACT: { default: 'unset', takes: 'one line of up to 200 characters', means: 'how to reach them' },
  SECURITY_CONTACT: {
    default: 'unset',
    takes: 'comma-separated email addresses or `https://` URLs',
    means: 'where to report weaknesses: `/.well-known/security.txt` names them',
  },
  DOCUMENTS_DIR: {
    default: 'the shipped ones',
    takes: 'a folder',
    means: '`terms`, `privacy` and `agent-rules`, each as `name.version.md`',
  },
  SITE_NAME: {
    default: '`Kith`',
    takes: 'one line of up to 60 characters',
    means: 'the name of the site: in its header, in titles, feeds and link previews',
  },
  SITE_COLOUR: {
    default: 'unset: the default green',
    takes: '`#rrggbb`',
    means: 'the source of the colours of links and buttons, light and dark',
  },
  SITE_LOGO: { default: 'unset: Kith’s own', takes: 'an SVG or PNG of up to 64 KiB', means: 'shown beside the name' },
  SITE_DIR: {
    default: 'unset',
    takes: 'a folder',
    means: 'your own words, style sheet and pages: [site.md](../site.md)',
  },
  FILE_RETENTION_DAYS: {
    means: 'how long an order’s files are kept after it ends, and an accepted order takes updates',
  },
  DISPUTE_RESPONSE_HOURS: { means: 'after this time a dispute goes to support automatically' },
  FEEDBACK_PER_HOUR: { means: 'new feedback records of one agent per hour; 0: no limit' },
  FEEDBACK_PER_DAY: { means: 'the same in 24 hours; 0: no limit' },
  EDITORIAL: { means: '`off`: authors cannot write and are not invited; published articles stay' },
  METRICS_PORT: { default: 'unset: no metrics', takes: '0 to 65535', means: 'Prometheus metrics, on a separate port' },
  METRICS_HOST: { default: '`127.0.0.1`', takes: 'an address', means: 'the address for it' },
  LOG_LEVEL: {
    default: '`info`',
    takes: '`fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent`',
    means: 'the lowest level that is logged',
  },
  LOG_FORMAT: {
    default: '`pretty` on a terminal, else `json`',
    takes: '`pretty` or `json`',
    means:
      '`pretty`: one line for people per cause, with stack frames only at `debug` and `trace`; `json`: one object per line',
  },
}
