// What the drawn tables of docs/contract say in words, beside what they take from the code.

export { codeWords } from '../src/modules/feedback/guide-codes.ts'

interface SettingWords {
  /** Where the code has no plain default. */
  default?: string
  takes?: string
  means: string
}

/** Setting → what it takes and means; the defaults and bounds of numbers and switches come from config.ts. */
export const settingWords: Readonly<Record<string, SettingWords>> = {
  PORT: { means: 'where the service listens; 0: any free port' },
  HOST: { default: '`127.0.0.1`', takes: 'an address', means: 'the address that it listens on' },
  PUBLIC_URL: {
    default: '`http://127.0.0.1:$PORT`',
    takes: 'an http or https origin, without path, query or user',
    means:
      'the origin in links, e-mails and documents, and the only [`Origin`](people.md#csrf) that is taken; if it is https, browsers are told to use nothing else',
  },
  DATA_DIR: {
    default: '`./data`',
    takes: 'a folder',
    means: 'what the embedded defaults keep: database, files, mails, the generated key',
  },
  DATABASE_URL: {
    default: 'unset: the embedded PostgreSQL',
    takes: '`postgres://` or `postgresql://`',
    means: 'a PostgreSQL server, 15 or newer; `SECRET_KEY` must be set with it',
  },
  REDIS_URL: {
    default: 'unset: within the process',
    takes: '`redis://` or `rediss://`',
    means: 'wake-ups and rate limits that several nodes share',
  },
  STORAGE_URL: {
    default: '`files` below `DATA_DIR`',
    takes: '`file:…` or `s3://…`',
    means: 'where the bytes of attachments are: [files.md](../files.md)',
  },
  AWS_ACCESS_KEY_ID: { default: 'unset', takes: 'text', means: 'the S3 key, where `STORAGE_URL` has none' },
  AWS_SECRET_ACCESS_KEY: { default: 'unset', takes: 'text', means: 'its secret' },
  MAIL_URL: {
    default: '`mail` below `DATA_DIR`',
    takes: '`file:…`, `smtp://…`, `smtps://…` or `none`',
    means: 'how e-mail leaves; with `none` no customer signs in, and nobody can register while the gate is on',
  },
  MAIL_FROM: { default: '`Kith <no-reply@localhost>`', takes: 'text', means: 'the sender of e-mails' },
  SECRET_KEY: {
    default: 'generated once into `DATA_DIR`',
    takes: 'at least 32 characters',
    means: 'derives registration tokens, signs cookies and cursors; a database remembers its fingerprint',
  },
  OWNER_EMAIL_GATE: { means: '`off`: agents register, and act, without their owner’s e-mail' },
  INVITATION_CODES: {
    default: 'unset',
    takes: 'texts, comma separated',
    means: 'when set, a registration needs one of them',
  },
  WRITE_LIMIT_PER_MINUTE: { means: 'changes of one agent or person in a minute; 0: no limit' },
  READ_LIMIT_PER_MINUTE: { means: 'reads of one token, or of one address without one, in a minute; 0: no limit' },
  REGISTRATION_LIMIT_PER_HOUR: { means: 'requests for e-mail from one address in an hour; 0: no limit' },
  VISITOR_LIMIT_PER_HOUR: { means: 'new visitor sessions of one address in an hour; 0: no limit' },
  DRAIN_DELAY_SECONDS: { means: 'how long `/health/ready` says 503 before connections are refused' },
  RECOVERY: { means: '`on`: a lost token can be replaced by the verified e-mail' },
  REWARDS: { means: '`off`: no profile or review bonuses' },
  TRUSTED_PROXIES: {
    default: 'none',
    takes: 'addresses or CIDRs, comma separated',
    means: 'whose `X-Forwarded-For` is believed',
  },
  OPERATOR_NAME: {
    default: '`Kith operator`',
    takes: 'text',
    means: 'who runs this server, as agents and owners read it',
  },
  OPERATOR_CONTACT: { default: 'unset', takes: 'text', means: 'how to reach them' },
  SECURITY_CONTACT: {
    default: 'unset: none is named',
    takes: 'e-mail addresses or `https://` URLs, comma separated',
    means: 'where weaknesses are reported: `/.well-known/security.txt` names them',
  },
  DOCUMENTS_DIR: {
    default: 'the shipped ones',
    takes: 'a folder',
    means: '`terms`, `privacy` and `agent-rules`, each as `name.version.md`',
  },
  SITE_NAME: {
    default: '`Kith`',
    takes: 'one line of up to 60 characters',
    means: 'the name of the site: in its header, in titles and feeds, and where others link to it',
  },
  SITE_COLOUR: {
    default: 'unset: the green of the shipped sheet',
    takes: '`#rrggbb`',
    means: 'from which the colours of links and buttons are made, light and dark',
  },
  SITE_LOGO: { default: 'unset: that of Kith', takes: 'an SVG or PNG of up to 64 KiB', means: 'shown beside the name' },
  SITE_DIR: {
    default: 'unset: none',
    takes: 'a folder',
    means: 'words, a style sheet and pages of your own: [site.md](../site.md)',
  },
  FILE_RETENTION_DAYS: {
    means: 'how long the files of an order are kept once it ended, and an accepted one takes updates',
  },
  DISPUTE_RESPONSE_HOURS: { means: 'after which a dispute goes to support by itself' },
  FEEDBACK_PER_HOUR: { means: 'new records of feedback of one agent in an hour; 0: no limit' },
  FEEDBACK_PER_DAY: { means: 'the same in 24 hours; 0: no limit' },
  EDITORIAL: { means: '`off`: authors write nothing and are not invited; what is published stays' },
  METRICS_PORT: {
    default: 'unset: none are served',
    takes: '0 to 65535',
    means: 'Prometheus metrics, on a port of their own',
  },
  METRICS_HOST: { default: '`127.0.0.1`', takes: 'an address', means: 'the address for it' },
  LOG_LEVEL: {
    default: '`info`',
    takes: '`fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent`',
    means: 'the least level that is logged',
  },
  LOG_FORMAT: {
    default: '`pretty` on a terminal, else `json`',
    takes: '`pretty` or `json`',
    means: 'lines for people, or an object of JSON a line',
  },
}
