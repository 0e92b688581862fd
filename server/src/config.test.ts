// Every setting of docs/contract/settings.md: its default, its form, and the one line that a wrong one is told by.
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { chmod, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { requireDataFolder, requireUsable } from './app/data-folder.ts'
import { type Config, ConfigError, readConfig } from './config.ts'

const complaint = (env: Record<string, string>): string => {
  try {
    readConfig(env)
  } catch (error) {
    assert.ok(error instanceof ConfigError, `not told as a setting: ${error}`)
    assert.doesNotMatch(error.message, /\n/)
    return error.message
  }
  return 'accepted'
}

test('the defaults apply without settings', () => {
  const { documentsDir, ...config } = readConfig({})
  assert.match(documentsDir, /documents$/)
  assert.deepEqual(config, {
    host: '127.0.0.1',
    port: 8080,
    workers: 1,
    publicUrl: 'http://127.0.0.1:8080',
    dataDir: resolve('data'),
    databaseUrl: undefined,
    databaseReplicaUrl: undefined,
    redisUrl: undefined,
    storage: { kind: 'file', folder: resolve('data/files') },
    archive: undefined,
    mail: { kind: 'file', folder: resolve('data/mail') },
    mailFrom: 'Kith <no-reply@localhost>',
    secretKey: undefined,
    ownerEmailGate: true,
    invitationCodes: [],
    writeLimitPerMinute: 120,
    readLimitPerMinute: 3000,
    registrationLimitPerHour: 30,
    visitorLimitPerHour: 30,
    recovery: false,
    rewards: true,
    trustedProxies: [],
    operatorName: 'Kith operator',
    operatorContact: null,
    securityContact: [],
    siteName: 'Kith',
    siteColour: undefined,
    siteLogo: undefined,
    siteDir: undefined,
    fileRetentionDays: 30,
    disputeResponseHours: 48,
    feedbackPerHour: 5,
    feedbackPerDay: 20,
    editorial: true,
    drainDelaySeconds: 0,
    metricsPort: undefined,
    metricsHost: '127.0.0.1',
    logLevel: 'info',
    logFormat: undefined,
  } satisfies Omit<Config, 'documentsDir'>)
  assert.equal(readConfig({ PORT: '9000' }).publicUrl, 'http://127.0.0.1:9000')
  assert.deepEqual(readConfig({ PORT: ' ', HOST: '' }).port, 8080, 'an empty setting is none')
  assert.equal(readConfig({ PATH: '/bin', FILE_X: '1', SECRET_X: '2' }).port, 8080, 'others’ settings are not ours')
})

test('each setting is read', () => {
  const read = (env: Record<string, string>): Config => readConfig(env)
  assert.equal(read({ PUBLIC_URL: 'https://kith.example.org/' }).publicUrl, 'https://kith.example.org')
  assert.deepEqual(read({ STORAGE_URL: 'file:///srv/a%20b' }).storage, { kind: 'file', folder: '/srv/a b' })
  assert.deepEqual(read({ STORAGE_URL: 'file:/srv' }).storage, { kind: 'file', folder: '/srv' })
  assert.deepEqual(read({ ARCHIVE_URL: 'file:/mnt/a', ARCHIVE_KEEP_DAYS: '30' }).archive, {
    place: { kind: 'file', folder: '/mnt/a' },
    keepDays: 30,
    baseDays: 7,
  })
  const bucket = read({ ARCHIVE_URL: 's3://KEY:SECRET@bucket/kith?region=eu-1' }).archive?.place
  assert.equal(bucket?.kind === 's3' && bucket.prefix, 'kith/')
  assert.deepEqual(read({ MAIL_URL: 'none' }).mail, { kind: 'none' })
  assert.equal(read({ MAIL_URL: 'smtps://u:p%40@mail.example.org:465' }).mail.kind, 'smtp')
  assert.deepEqual(read({ INVITATION_CODES: ' one, two ,,' }).invitationCodes, ['one', 'two'])
  assert.deepEqual(read({ TRUSTED_PROXIES: '10.0.0.0/8, ::1, fd00::/8' }).trustedProxies, [
    '10.0.0.0/8',
    '::1',
    'fd00::/8',
  ])
  assert.equal(read({ WRITE_LIMIT_PER_MINUTE: '0' }).writeLimitPerMinute, 0)
  assert.equal(read({ READ_LIMIT_PER_MINUTE: '0' }).readLimitPerMinute, 0)
  assert.equal(read({ METRICS_PORT: '0' }).metricsPort, 0)
  assert.equal(read({ RECOVERY: 'on', REWARDS: 'off' }).recovery, true)
  assert.equal(read({ SITE_NAME: ` Werkstatt „Ä“ ${'x'.repeat(46)} ` }).siteName.length, 60)
  assert.deepEqual(read({ SECURITY_CONTACT: 'ann@example.org, https://example.org/security' }).securityContact, [
    'mailto:ann@example.org',
    'https://example.org/security',
  ])
  assert.deepEqual(read({ SECURITY_CONTACT: 'mailto:ann@example.org' }).securityContact, ['mailto:ann@example.org'])
  assert.deepEqual(read({}).securityContact, [])
  assert.equal(read({ SITE_COLOUR: '#1A2b3C' }).siteColour, '#1a2b3c')
  assert.equal(read({ SITE_LOGO: 'a/logo.svg' }).siteLogo, resolve('a/logo.svg'))
  assert.equal(read({ SITE_DIR: '/srv/site' }).siteDir, '/srv/site')
})

const s3 = {
  kind: 's3',
  bucket: 'files',
  prefix: '',
  endpoint: 'http://127.0.0.1:9000',
  region: 'us-east-1',
  accessKeyId: 'AKID',
  secretAccessKey: 'se/cr+et@:',
  forcePathStyle: true,
}

test('an S3 service: keys in the URL or in their own settings, a prefix, AWS itself', () => {
  const storage = (url: string, env: Record<string, string> = {}) => readConfig({ STORAGE_URL: url, ...env }).storage
  const beside = { AWS_ACCESS_KEY_ID: 'AKID', AWS_SECRET_ACCESS_KEY: 'se/cr+et@:' }
  const endpoint = 'endpoint=http://127.0.0.1:9000'
  assert.deepEqual(storage(`s3://files?${endpoint}`, beside), s3)
  const inside = storage(`s3://ac%3Acount:se%2Fcr%2Bet%40%3A@files/a/b?${endpoint}`, {
    ...beside,
    AWS_ACCESS_KEY_ID: 'x',
  })
  assert.deepEqual(inside, { ...s3, accessKeyId: 'ac:count', prefix: 'a/b/' })
  assert.deepEqual(storage(`s3://files//a/?${endpoint}&path_style=off&region=eu-1`, beside), {
    ...s3,
    prefix: 'a/',
    region: 'eu-1',
    forcePathStyle: false,
  })
  assert.deepEqual(storage('s3://files?region=eu-central-1', beside), {
    ...s3,
    endpoint: undefined,
    region: 'eu-central-1',
    forcePathStyle: false,
  })
})

test('an invalid S3 URL is reported without its secret', () => {
  const told = (url: string, env: Record<string, string> = {}) => {
    const text = complaint({ STORAGE_URL: url, ...env })
    assert.doesNotMatch(text, /distinctive|AKID/)
    return text.replace('Malformed setting STORAGE_URL: expected ', '')
  }
  const keys = 's3://AKID:distinctive@'
  const both = 'both keys in it, s3://KEY:SECRET@bucket, or in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY'
  for (const url of ['s3://files', 's3://AKID@files', 's3://:distinctive@files']) {
    assert.equal(told(`${url}?region=x`), both)
    assert.equal(told(`${url}?region=x`, { AWS_ACCESS_KEY_ID: 'AKID' }), both)
  }
  const bucket = 'the name of a bucket after s3://, and credentials in it percent-encoded'
  for (const url of ['ab', 'Files', 'a_bc', '-abc', 'files:9000', 'distinctive%40'])
    assert.equal(told(keys + url), bucket)
  assert.equal(told('s3://AKID:1/distinctive@files'), bucket)
  const encoded = 's3://KEY:SECRET@bucket/prefix?endpoint=…, its parts percent-encoded'
  for (const url of ['s3://', 's3://AKID:distinct/ive@files', 's3://AKID:distinctive%zz@files', 's3:files']) {
    assert.match(told(url), new RegExp(`^(${encoded.replace('?', '\\?')}|${bucket})$`))
  }
  const parameters = 'no other parameters than endpoint, region, path_style, each once'
  for (const query of ['endpiont=x', 'region=a&region=b', 'secret=distinctive']) {
    assert.equal(told(`${keys}files?${query}`), parameters)
  }
  assert.equal(told(`${keys}files?region=x#distinctive`), 'no #')
  assert.equal(told(`${keys}files`), 'the region as region=, where endpoint= is not set')
  assert.equal(told(`${keys}files?region=distinctive%20`), 'the region as region=, where endpoint= is not set')
  assert.equal(told(`${keys}files?region=x&path_style=yes`), 'on or off as path_style=')
  for (const endpoint of ['', '127.0.0.1:9000', 'ftp://x', 'http://u:distinctive@x', 'http://x?distinctive']) {
    assert.match(
      told(`${keys}files?endpoint=${encodeURIComponent(endpoint)}`),
      /^as endpoint= a URL that begins with http/,
    )
  }
  for (const prefix of ['a%20b', 'a%2F..%2Fb', 'ä', 'x'.repeat(501)]) {
    assert.match(told(`${keys}files/${prefix}?region=x`), /^a prefix of letters, digits/)
  }
})

const malformed: Record<string, readonly string[]> = {
  PORT: ['x', '-1', '65536', '80.5', '1e3', '0x50'],
  PUBLIC_URL: [
    'example.org',
    'ftp://example.org',
    'http://example.org/path',
    'http://example.org?x',
    'http://u@example.org',
    'http://:p@example.org',
    'http://example.org#x',
    'http:/example.org',
  ],
  DATABASE_URL: ['mysql://localhost/x', 'not a url', 'postgres://u:p%zz@localhost/x'],
  DATABASE_REPLICA_URL: ['mysql://localhost/x', 'not a url'],
  REDIS_URL: ['http://localhost', 'localhost:6379', 'redis://localhost:x', 'redis://localhost/x', 'redis://h/1/2'],
  OPERATOR_NAME: ['x'.repeat(201), 'two\nlines', 'a\u0007bell', 'a\u2028line'],
  OPERATOR_CONTACT: ['x'.repeat(201), 'two\r\nlines', 'turned \u202e round'],
  STORAGE_URL: ['/srv/files', 'ftp://x', 'file:', 's3://', 'file://elsewhere/srv', 'file:///a%2Fb'],
  MAIL_URL: ['smtp://', 'mail.example.org', 'off', 'file:', 'smtp://host:99999', 'file://elsewhere/x'],
  SECRET_KEY: ['short', 'x'.repeat(31)],
  OWNER_EMAIL_GATE: ['yes', '1', 'ON', 'true'],
  READ_LIMIT_PER_MINUTE: ['-1', 'many', '1.5'],
  WRITE_LIMIT_PER_MINUTE: ['-1', 'many', '1.5', '+5', '1e9'],
  REGISTRATION_LIMIT_PER_HOUR: ['-1', 'x'],
  VISITOR_LIMIT_PER_HOUR: ['-1', '1.5', 'x'],
  RECOVERY: ['true'],
  REWARDS: ['no'],
  TRUSTED_PROXIES: [
    '10.0.0.0/33',
    '10.0.0',
    'proxy.example.org',
    '::1/129',
    '10.0.0.0/8/8',
    '10.0.0.0/',
    'fe80::1%eth0',
    '10.0.0.0/-1',
  ],
  ARCHIVE_URL: ['http://example.org', 's3:', 'backups'],
  ARCHIVE_KEEP_DAYS: ['0', 'ever'],
  ARCHIVE_BASE_DAYS: ['0', '366'],
  FILE_RETENTION_DAYS: ['0', 'x'],
  DISPUTE_RESPONSE_HOURS: ['0', '1.5'],
  FEEDBACK_PER_HOUR: ['x'],
  FEEDBACK_PER_DAY: ['-5'],
  SECURITY_CONTACT: [
    'Ann',
    'http://example.org/',
    'https://',
    'a@b@c',
    'ann@example.org\nExpires: never',
    'tel:1 2',
    'ann@example.org, x',
  ],
  SITE_NAME: ['x'.repeat(61), 'two\nlines', 'a\u2028line', 'turned \u202e round'],
  SITE_COLOUR: ['red', '#fff', '0d6353', '#0d63531', '#gggggg', 'rgb(1, 2, 3)'],
  METRICS_PORT: ['x', '70000'],
  LOG_LEVEL: ['loud', 'INFO'],
  LOG_FORMAT: ['text', 'JSON'],
}

test('a malformed setting fails with one line that names it and hides its value', () => {
  for (const [name, values] of Object.entries(malformed)) {
    for (const value of values) {
      const secret = { SECRET_KEY: 'x'.repeat(32), [name]: value }
      const told = complaint(secret)
      assert.match(told, new RegExp(`^Malformed setting ${name}: expected `), `${name}=${value}: ${told}`)
      if (value.length > 6 && !/\/\/$/.test(value)) assert.ok(!told.includes(value), told)
    }
  }
})

test('a misspelt setting stops the start and suggests the right one', () => {
  for (const [name, meant] of Object.entries({
    MAIL_URI: 'MAIL_URL',
    MAIL_FORM: 'MAIL_FROM',
    METRICS_PROT: 'METRICS_PORT',
    OWNER_EMAIL_GATES: 'OWNER_EMAIL_GATE',
    SITE_COLOR: 'SITE_COLOUR',
    // No prefix tells of these.
    PROT: 'PORT',
    HSOT: 'HOST',
    LOG_LEVL: 'LOG_LEVEL',
    LOGLEVEL: 'LOG_LEVEL',
    LOG_FROMAT: 'LOG_FORMAT',
    DATABSE_URL: 'DATABASE_URL',
    DATABASE_URI: 'DATABASE_URL',
    REDIS_URI: 'REDIS_URL',
    STORAGE_URLS: 'STORAGE_URL',
    SECRETKEY: 'SECRET_KEY',
    PUBLIC_URLL: 'PUBLIC_URL',
    DATA_DIRR: 'DATA_DIR',
    TRUSTED_PROXY: undefined,
    TRUSTED_PROXYES: 'TRUSTED_PROXIES',
    INVITATION_CODE: 'INVITATION_CODES',
    RECOVREY: 'RECOVERY',
    REWARD: 'REWARDS',
    EDITORAIL: 'EDITORIAL',
    REGISTRATION_LIMIT: null,
    WRITE_LIMIT_PER_HOUR: null,
    FEEDBACK_PER_WEEK: null,
    OPERATOR_MAIL: null,
    SITE_TITLE: null,
  })) {
    const told =
      meant === undefined ? 'accepted' : `Unknown setting ${name}${meant === null ? '' : `: did you mean ${meant}?`}`
    assert.equal(complaint({ [name]: 'a secret' }), told, name)
  }
})

test('variables that machines, containers and shells set for everyone do not stop the start', () => {
  const everywhere = `
    HOME HOSTNAME HOSTTYPE HOSTS LOGNAME MAIL MAILTO MAILCHECK MAILPATH OLDPWD OSTYPE PATH PORTS POST PORTAL PWD SHELL SHLVL TERM TMPDIR TZ
    USER LANG LC_ALL EDITOR VISUAL PAGER DISPLAY LOG LOGS LOG_FILE LOG_DIR COLUMNS LINES SORT COST GHOST EXPORT SUPPORT PORT_NUMBER
    INVOCATION_ID JOURNAL_STREAM NOTIFY_SOCKET LISTEN_FDS LISTEN_PID MAINPID MEMORY_PRESSURE_WATCH RUNTIME_DIRECTORY STATE_DIRECTORY
    CACHE_DIRECTORY LOGS_DIRECTORY CONFIGURATION_DIRECTORY CREDENTIALS_DIRECTORY SYSTEMD_EXEC_PID XDG_DATA_DIRS XDG_RUNTIME_DIR XDG_SESSION_ID
    container KUBERNETES_SERVICE_HOST KUBERNETES_SERVICE_PORT KUBERNETES_SERVICE_PORT_HTTPS KUBERNETES_PORT_443_TCP_ADDR KITH_PORT
    KITH_SERVICE_HOST REDIS_PORT REDIS_HOST REDIS_SERVICE_HOST REDIS_SERVICE_PORT REDIS_PORT_6379_TCP POSTGRES_PASSWORD PGHOST PGPORT PGDATA
    MAIL_SERVICE_HOST MAIL_SERVICE_PORT MAIL_SERVICE_PORT_SMTP MAIL_PORT_25_TCP MAIL_PORT_25_TCP_ADDR MAIL_ENV_VERSION SITE_SERVICE_HOST
    METRICS_SERVICE_HOST OPERATOR_PORT_80_TCP_PROTO
    CI GITHUB_ACTIONS GITHUB_TOKEN RUNNER_OS GITLAB_CI CI_JOB_ID BUILD_ID BUILD_URL JENKINS_URL DYNO DATABASE_NAME REDIS_TLS_URL SECRET_KEY_BASE
    AWS_REGION AWS_PROFILE AWS_SESSION_TOKEN AWS_DEFAULT_REGION S3_BUCKET STORAGE_ACCOUNT
    npm_config_cache npm_lifecycle_event NODE NODE_ENV NODE_OPTIONS NODE_PATH NO_COLOR FORCE_COLOR INIT_CWD COLOR SSH_AUTH_SOCK SSH_CONNECTION
    SUDO_USER SUDO_COMMAND WINDOWID LS_COLORS LESSOPEN DBUS_SESSION_BUS_ADDRESS GPG_AGENT_INFO VIRTUAL_ENV PYTHONPATH JAVA_HOME _`
  const env = Object.fromEntries(
    everywhere
      .trim()
      .split(/\s+/)
      .map((name) => [name, 'x']),
  )
  assert.equal(complaint(env), 'accepted')
  assert.equal(
    complaint({ MAIL_PORT: 'tcp://10.0.0.9:25', MAIL_NAME: '/kith/mail', SITE_PORT: 'udp://10.0.0.9:1' }),
    'accepted',
  )
  assert.equal(
    readConfig({ METRICS_PORT: 'tcp://10.0.0.9:9100' }).metricsPort,
    undefined,
    'of a service called metrics',
  )
  assert.equal(complaint({ MAIL_PORT: '25' }), 'Unknown setting MAIL_PORT')
})

test('a password that spoils a URL is not taken for another protocol', () => {
  const spoilt = 'a valid URL, with special characters in its user and password percent-encoded'
  const key = { SECRET_KEY: 'x'.repeat(32) }
  assert.equal(
    complaint({ ...key, DATABASE_URL: 'postgres://kith:dist#inct@db/kith' }),
    `Malformed setting DATABASE_URL: expected ${spoilt}`,
  )
  assert.equal(complaint({ REDIS_URL: 'redis://:a%zz@h' }), `Malformed setting REDIS_URL: expected ${spoilt}`)
  assert.equal(complaint({ MAIL_URL: 'smtp://ann:a/b@mail:587' }), `Malformed setting MAIL_URL: expected ${spoilt}`)
  assert.equal(
    complaint({ MAIL_URL: 'mail:25' }),
    'Malformed setting MAIL_URL: expected file:, smtp://, smtps:// or none',
  )
})

test('an external database needs an explicit key', () => {
  const url = 'postgres://user:distinctive@localhost/kith'
  assert.equal(
    complaint({ DATABASE_URL: url }),
    'SECRET_KEY must be set together with DATABASE_URL: make one with openssl rand -hex 32',
  )
  const both = { DATABASE_URL: url, SECRET_KEY: 'x'.repeat(32) }
  assert.equal(complaint(both), 'accepted')
  assert.match(complaint({ ...both, ARCHIVE_URL: 'file:/mnt/a' }), /^ARCHIVE_URL archives the embedded database: /)
  assert.equal(complaint({ DATABASE_REPLICA_URL: url }), 'DATABASE_URL must be set together with DATABASE_REPLICA_URL')
})

test('a read-only folder fails with one line that says why', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'kith-data-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  await requireDataFolder(join(folder, 'new/data'))
  assert.deepEqual(await readdir(join(folder, 'new/data')), [], 'the attempt is taken away')
  const file = join(folder, 'a\nfile')
  await writeFile(file, '')
  for (const [path, why] of [
    [file, 'it is not a folder'],
    [join(file, 'below'), 'it is not a folder'],
    // Where Node's own mkdir never ends.
    ...(existsSync('/proc/self') ? [['/proc/kith/data', 'it cannot be created there'] as const] : []),
  ] as const) {
    const told = `Cannot write to DATA_DIR ${path.replace('\n', '?')}: ${why}`
    await assert.rejects(requireDataFolder(path), (error) => error instanceof ConfigError && error.message === told)
  }
  const usable = { DATA_DIR: join(folder, 'new/data') }
  await requireUsable(readConfig(usable))
  for (const [name, value] of Object.entries({
    MAIL_FROM: 'Kith',
    DOCUMENTS_DIR: join(folder, 'none'),
    SITE_DIR: join(folder, 'none'),
    SITE_LOGO: join(folder, 'none'),
  })) {
    await assert.rejects(
      requireUsable(readConfig({ ...usable, [name]: value })),
      new RegExp(`Malformed setting ${name}: `),
    )
  }
  for (const name of ['STORAGE_URL', 'MAIL_URL']) {
    const using = (path: string) => requireUsable(readConfig({ ...usable, [name]: `file:${path}` }))
    await using(join(folder, 'own', name))
    assert.deepEqual(await readdir(join(folder, 'own', name)), [])
    const wrong = { message: `Cannot write to ${name} /dev/null/x: it is not a folder` }
    await assert.rejects(using('/dev/null/x'), wrong)
    await chmod(join(folder, 'own', name), 0o500)
    if (process.getuid?.() !== 0)
      await assert.rejects(using(join(folder, 'own', name)), /: this user may not write there$/)
  }
  await chmod(join(folder, 'new/data'), 0o500)
  if (process.getuid?.() !== 0) {
    await assert.rejects(requireDataFolder(join(folder, 'new/data')), /: this user may not write there$/)
  }
})
