// The settings of docs/contract/settings.md. The only file that reads the environment.
import { isIP } from 'node:net'
import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseDatabaseUrl, sslModes } from './kernel/database-url.ts'
import { parseS3, type S3 } from './kernel/s3-url.ts'
import { fileFolder, isUrl } from './kernel/urls.ts'
import { isServiceLink, misspelt } from './misspelt.ts'

export type MailTransport = { kind: 'none' } | { kind: 'file'; folder: string } | { kind: 'smtp'; url: string }
export type Storage = { kind: 'file'; folder: string } | ({ kind: 's3' } & S3)

/** Where the embedded database's log of changes and its base copies go, so that it can be brought back as of any minute. */
export interface Archive {
  place: Storage
  /** For how many days back any minute can be restored. */
  keepDays: number
  /** How often the whole database is copied: a restore replays the changes since the copy before its moment. */
  baseDays: number
}

export interface Config {
  host: string
  port: number
  /** Processes that serve, behind one port; 1: the one that was started. */
  workers: number
  /** Origin {base_url}, without a trailing slash; undefined until the port is known (PORT=0). */
  publicUrl: string | undefined
  dataDir: string
  databaseUrl: string | undefined
  databaseReplicaUrl: string | undefined
  redisUrl: string | undefined
  storage: Storage
  archive: Archive | undefined
  mail: MailTransport
  mailFrom: string
  secretKey: string | undefined
  ownerEmailGate: boolean
  invitationCodes: readonly string[]
  writeLimitPerMinute: number
  readLimitPerMinute: number
  registrationLimitPerHour: number
  visitorLimitPerHour: number
  recovery: boolean
  rewards: boolean
  trustedProxies: readonly string[]
  operatorName: string
  operatorContact: string | null
  /** Where weaknesses are reported, as URIs. */
  securityContact: readonly string[]
  documentsDir: string
  /** As the pages name this server. */
  siteName: string
  /** `#rrggbb` in lower case; undefined for the colours of the shipped sheet. */
  siteColour: string | undefined
  siteLogo: string | undefined
  siteDir: string | undefined
  fileRetentionDays: number
  disputeResponseHours: number
  feedbackPerHour: number
  feedbackPerDay: number
  /** Whether authors may write; what is published stays either way. */
  editorial: boolean
  /** How long readiness is refused before requests are. */
  drainDelaySeconds: number
  metricsPort: number | undefined
  metricsHost: string
  logLevel: string
  /** Undefined: for people on a terminal, else for programs. */
  logFormat: LogFormat | undefined
}

export type LogFormat = 'pretty' | 'json'

/** A setting that cannot be used: the start stops and prints this one line. */
export class ConfigError extends Error {}

const known = new Set(
  `PORT HOST WORKERS PUBLIC_URL DATA_DIR DATABASE_URL DATABASE_REPLICA_URL REDIS_URL STORAGE_URL
   ARCHIVE_URL ARCHIVE_KEEP_DAYS ARCHIVE_BASE_DAYS AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY MAIL_URL
   MAIL_FROM SECRET_KEY OWNER_EMAIL_GATE INVITATION_CODES WRITE_LIMIT_PER_MINUTE READ_LIMIT_PER_MINUTE
   REGISTRATION_LIMIT_PER_HOUR VISITOR_LIMIT_PER_HOUR RECOVERY REWARDS TRUSTED_PROXIES OPERATOR_NAME
   OPERATOR_CONTACT SECURITY_CONTACT DOCUMENTS_DIR SITE_NAME SITE_COLOUR SITE_LOGO SITE_DIR
   FILE_RETENTION_DAYS DISPUTE_RESPONSE_HOURS FEEDBACK_PER_HOUR FEEDBACK_PER_DAY EDITORIAL
   DRAIN_DELAY_SECONDS METRICS_PORT METRICS_HOST LOG_LEVEL LOG_FORMAT`.split(/\s+/),
)

/** Prefixes that are ours alone: another name below one of them is a misspelt setting. */
const guarded = [
  'ARCHIVE_',
  'MAIL_',
  'METRICS_',
  'OWNER_EMAIL_',
  'REGISTRATION_',
  'WRITE_LIMIT_',
  'READ_LIMIT_',
  'VISITOR_LIMIT_',
  'FEEDBACK_',
  'OPERATOR_',
  'DRAIN_',
  'SITE_',
]

const shippedDocuments = fileURLToPath(new URL('../documents', import.meta.url))

/** Reads and checks every setting; the first wrong one throws a {@link ConfigError} that names it, never its secret value. */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const unknown = misspelt(env, { known, guarded })
  if (unknown !== undefined) throw new ConfigError(unknown)
  const text = (name: string): string | undefined => {
    const value = env[name]?.trim()
    return value === '' || isServiceLink(name, value) ? undefined : value
  }
  const wrong = (name: string, expected: string): never => {
    throw new ConfigError(`Malformed setting ${name}: expected ${expected}`)
  }
  const integer = (name: string, fallback: number, min: number, max: number): number => {
    const value = text(name)
    if (value === undefined) return fallback
    const number = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN
    if (!(number >= min && number <= max)) return wrong(name, `a whole number from ${min} to ${max}`)
    return number
  }
  const toggle = (name: string, fallback: boolean): boolean => {
    const value = text(name)
    if (value === undefined) return fallback
    return value === 'on' ? true : value === 'off' ? false : wrong(name, 'on or off')
  }
  const url = (name: string, protocols: readonly string[]): string | undefined => {
    const value = text(name)
    if (value === undefined) return undefined
    return isUrl(value, protocols) ? value : wrong(name, urlExpected(value, protocols))
  }

  const dataDir = resolve(text('DATA_DIR') ?? './data')
  const database = (name: string): string | undefined => {
    const value = text(name)
    if (value === undefined) return undefined
    if (!isDatabaseUrl(value)) return wrong(name, urlExpected(value, ['postgres:', 'postgresql:']))
    const mode = parseDatabaseUrl(value)?.url.searchParams.get('sslmode') ?? null
    return mode === null || sslModes.includes(mode) ? value : wrong(name, `an sslmode of ${sslModes.join(', ')}`)
  }
  const databaseUrl = database('DATABASE_URL')
  const databaseReplicaUrl = database('DATABASE_REPLICA_URL')
  if (databaseReplicaUrl && !databaseUrl) {
    throw new ConfigError('DATABASE_URL must be set together with DATABASE_REPLICA_URL')
  }
  const secretKey = text('SECRET_KEY')
  if (secretKey !== undefined && secretKey.length < 32) wrong('SECRET_KEY', 'at least 32 characters')
  if (databaseUrl && !secretKey) {
    throw new ConfigError('SECRET_KEY must be set together with DATABASE_URL: make one with openssl rand -hex 32')
  }
  const archivePlace = place('ARCHIVE_URL', text, wrong)
  const archiveDays = {
    keepDays: integer('ARCHIVE_KEEP_DAYS', 14, 1, 3650),
    baseDays: integer('ARCHIVE_BASE_DAYS', 7, 1, 365),
  }
  if (databaseUrl && archivePlace) {
    throw new ConfigError('ARCHIVE_URL archives the embedded database: with DATABASE_URL, archive on its server')
  }

  const publicUrlText = text('PUBLIC_URL')
  const publicUrl = publicUrlText && isUrl(publicUrlText, ['http:', 'https:']) ? new URL(publicUrlText) : undefined
  if (publicUrlText !== undefined && publicUrl?.href !== `${publicUrl?.origin}/`) {
    wrong('PUBLIC_URL', 'http:// or https:// and a host, without path, query or user')
  }

  const logLevel = text('LOG_LEVEL') ?? 'info'
  if (!['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'].includes(logLevel)) {
    wrong('LOG_LEVEL', 'fatal, error, warn, info, debug, trace or silent')
  }
  const logFormat = text('LOG_FORMAT')
  if (logFormat !== undefined && logFormat !== 'pretty' && logFormat !== 'json') wrong('LOG_FORMAT', 'pretty or json')
  const trustedProxies = list(text('TRUSTED_PROXIES'))
  for (const cidr of trustedProxies) {
    const [address = '', bits, more] = cidr.split('/')
    const width = isIP(address) === 4 ? 32 : isIP(address) === 6 ? 128 : -1
    // A zone means something on one machine only.
    const valid =
      width > 0 &&
      !address.includes('%') &&
      more === undefined &&
      (bits === undefined || (/^\d{1,3}$/.test(bits) && +bits <= width))
    if (!valid) wrong('TRUSTED_PROXIES', 'addresses or CIDRs, comma separated')
  }

  const redisUrl = url('REDIS_URL', ['redis:', 'rediss:'])
  if (redisUrl !== undefined && !/^(\/\d{0,9})?$/.test(new URL(redisUrl).pathname)) {
    wrong('REDIS_URL', 'nothing after the host but the number of a database, such as /2')
  }

  // What turns the direction of what follows would turn the header of every page.
  const oneLine = (name: string, most: number): string | undefined => {
    const value = text(name)
    if (value === undefined) return undefined
    const isOne = /^[^\p{Cc}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069]+$/u.test(value)
    return isOne && [...value].length <= most ? value : wrong(name, `one line of at most ${most} characters`)
  }
  const siteColour = text('SITE_COLOUR')?.toLowerCase()
  if (siteColour !== undefined && !/^#[0-9a-f]{6}$/.test(siteColour)) wrong('SITE_COLOUR', 'a colour as #rrggbb')
  const path = (name: string): string | undefined => {
    const value = text(name)
    return value === undefined ? undefined : resolve(value)
  }

  const port = integer('PORT', 8080, 0, 65535)
  const host = text('HOST') ?? '127.0.0.1'
  const workers = workersOf(text('WORKERS')) ?? wrong('WORKERS', `auto, or a whole number from 1 to ${mostWorkers}`)
  const metricsPort = text('METRICS_PORT') === undefined ? undefined : integer('METRICS_PORT', 0, 0, 65535)
  return {
    host,
    port,
    workers,
    publicUrl: publicUrl?.origin ?? (port === 0 ? undefined : `http://127.0.0.1:${port}`),
    dataDir,
    databaseUrl,
    databaseReplicaUrl,
    redisUrl,
    storage: place('STORAGE_URL', text, wrong) ?? { kind: 'file', folder: resolve(dataDir, 'files') },
    archive: archivePlace && { place: archivePlace, ...archiveDays },
    mail: mail(text('MAIL_URL'), dataDir, wrong),
    mailFrom: text('MAIL_FROM') ?? 'Kith <no-reply@localhost>',
    secretKey,
    ownerEmailGate: toggle('OWNER_EMAIL_GATE', true),
    invitationCodes: list(text('INVITATION_CODES')),
    writeLimitPerMinute: integer('WRITE_LIMIT_PER_MINUTE', 120, 0, 1_000_000),
    readLimitPerMinute: integer('READ_LIMIT_PER_MINUTE', 3000, 0, 1_000_000),
    registrationLimitPerHour: integer('REGISTRATION_LIMIT_PER_HOUR', 30, 0, 1_000_000),
    visitorLimitPerHour: integer('VISITOR_LIMIT_PER_HOUR', 30, 0, 1_000_000),
    recovery: toggle('RECOVERY', false),
    rewards: toggle('REWARDS', true),
    trustedProxies,
    operatorName: oneLine('OPERATOR_NAME', 200) ?? 'Kith operator',
    operatorContact: oneLine('OPERATOR_CONTACT', 200) ?? null,
    securityContact: list(text('SECURITY_CONTACT')).map(
      (contact) =>
        contactUri(contact) ??
        wrong('SECURITY_CONTACT', 'email addresses or URLs that begin with https://, comma separated'),
    ),
    documentsDir: path('DOCUMENTS_DIR') ?? shippedDocuments,
    siteName: oneLine('SITE_NAME', 60) ?? 'Kith',
    siteColour,
    siteLogo: path('SITE_LOGO'),
    siteDir: path('SITE_DIR'),
    fileRetentionDays: integer('FILE_RETENTION_DAYS', 30, 1, 3650),
    disputeResponseHours: integer('DISPUTE_RESPONSE_HOURS', 48, 1, 8760),
    feedbackPerHour: integer('FEEDBACK_PER_HOUR', 5, 0, 1_000_000),
    feedbackPerDay: integer('FEEDBACK_PER_DAY', 20, 0, 1_000_000),
    editorial: toggle('EDITORIAL', true),
    drainDelaySeconds: integer('DRAIN_DELAY_SECONDS', 0, 0, 300),
    metricsPort,
    metricsHost: text('METRICS_HOST') ?? '127.0.0.1',
    logLevel,
    logFormat: logFormat as LogFormat | undefined,
  }
}

/** More would want another database than they share. */
export const mostWorkers = 32

function workersOf(value: string | undefined): number | undefined {
  if (value === 'auto') return Math.min(availableParallelism(), mostWorkers)
  const number = /^\d{1,2}$/.test(value ?? '1') ? Number(value ?? '1') : 0
  return number >= 1 && number <= mostWorkers ? number : undefined
}

function list(value: string | undefined): string[] {
  return (value ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
}

/** An email address or a web page as RFC 9116 (2.5.3) names a contact; undefined for anything else. */
function contactUri(text: string): string | undefined {
  const address = text.replace(/^mailto:/i, '')
  if (/^[\w.+-]{1,64}@[A-Za-z0-9-]{1,63}(\.[A-Za-z0-9-]{1,63})*$/.test(address)) return `mailto:${address}`
  return /^https:\/\/[\x21-\x7e]{1,500}$/.test(text) && isUrl(text, ['https:']) ? text : undefined
}

/** What most often spoils a URL that begins as it should is a password. */
const urlExpected = (value: string, protocols: readonly string[]): string =>
  protocols.some((protocol) => value.startsWith(`${protocol}//`))
    ? 'a valid URL, with special characters in its user and password percent-encoded'
    : `a URL that begins with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`

const isDatabaseUrl = (value: string): boolean =>
  /^\w+:\/\//.test(value) && isUrl(parseDatabaseUrl(value)?.url.href ?? '', ['postgres:', 'postgresql:'])

type Wrong = (name: string, expected: string) => never

function mail(value: string | undefined, dataDir: string, wrong: Wrong): MailTransport {
  if (value === undefined) return { kind: 'file', folder: resolve(dataDir, 'mail') }
  if (value === 'none') return { kind: 'none' }
  const folder = fileFolder(value)
  if (folder !== undefined) return { kind: 'file', folder }
  if (/^smtps?:\/\/[^/]/.test(value) && isUrl(value, ['smtp:', 'smtps:'])) return { kind: 'smtp', url: value }
  return wrong(
    'MAIL_URL',
    /^smtps?:\/\/./.test(value) ? urlExpected(value, ['smtp:', 'smtps:']) : 'file:, smtp://, smtps:// or none',
  )
}

/** The folder or bucket that a setting names; undefined if it is unset. */
function place(name: string, text: (name: string) => string | undefined, wrong: Wrong): Storage | undefined {
  const value = text(name)
  if (value === undefined) return undefined
  const folder = fileFolder(value)
  if (folder !== undefined) return { kind: 'file', folder }
  if (!value.startsWith('s3:')) return wrong(name, 'file: or s3://')
  const keys = { accessKeyId: text('AWS_ACCESS_KEY_ID'), secretAccessKey: text('AWS_SECRET_ACCESS_KEY') }
  return { kind: 's3', ...parseS3(value, keys, (expected) => wrong(name, expected)) }
}
