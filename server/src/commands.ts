// kith-server COMMAND: what each is for is in its help.
import cluster from 'node:cluster'
import { flushCompileCache } from 'node:module'
import type { Logger } from 'pino'
import { type Ending, endWell } from './app/ending.ts'
import { onSignals } from './app/signals.ts'
import type { Running } from './app/start.ts'
import { type Config, ConfigError, readConfig } from './config.ts'
import { isMistake, reasonOf } from './failure.ts'
import { greeting } from './greeting.ts'
import { systemClock } from './kernel/clock.ts'
import { createLog, isForPeople, safeError, showsFrames } from './log.ts'
import { openOutput } from './log-output.ts'
import type { Findings } from './verify/verify.ts'

interface Command {
  /** The names of its arguments. */
  takes: readonly string[]
  help: string
  run: (...args: string[]) => Promise<void>
}

const commands: Record<string, Command> = {
  serve: { takes: [], help: 'run the service, as without a command', run: serve },
  backup: {
    takes: ['FILE'],
    help: 'save everything to a file, or in a folder, also while the service runs',
    run: (path) =>
      interruptible(async (config, options) => {
        const [{ backup }, { pathFor, removeAbandoned }] = await Promise.all([
          import('./backup/backup.ts'),
          import('./backup/keep.ts'),
        ])
        const file = await pathFor(path as string, options.clock)
        if (file !== path) sayStuck(await removeAbandoned(path as string, options.clock))
        const { rows, tables, files, bytes } = await backup(config, file, options)
        const about = files === undefined ? 'files left in their own storage' : `${files} files`
        say(`Backed up ${rows} rows of ${tables} tables and ${about} (${size(bytes)}) to ${file}`)
        say('It contains the secret key and personal data: protect it as you protect the service.')
      }),
  },
  'backup --check': {
    takes: ['FILE'],
    help: 'read a backup, or the newest in a folder, and restore it on trial',
    run: (path) =>
      interruptible(async (config, options) => {
        const [{ checkBackup }, { newestIn }] = await Promise.all([
          import('./backup/check.ts'),
          import('./backup/keep.ts'),
        ])
        const file = await newestIn(path as string, options.clock)
        const { walks } = await import('./app/modules.ts')
        const { rows, tables, files, findings } = await checkBackup(config, file, walks, options)
        await tellFindings(findings)
        const about = files === undefined ? '' : `, digests of ${files} files`
        if (findings.examples.length === 0) say(`${file} is good: ${rows} rows of ${tables} tables${about}`)
      }),
  },
  'backup --keep': {
    takes: ['N', 'FOLDER'],
    help: 'delete all backups in a folder but the newest N; 14,12: also one of each of 12 months',
    run: (count, folder) =>
      interruptible(async (config, options) => {
        const { keepBackups, keepOf } = await import('./backup/keep.ts')
        const { kept, removed, foreign, ahead, damaged, stuck } = await keepBackups(
          config,
          folder as string,
          keepOf(count as string),
          options,
        )
        for (const name of foreign) say(`${name} is not a backup of this installation: left alone`)
        for (const name of ahead) say(`${name} is from a clock that was ahead: left alone`)
        for (const name of damaged) say(`${name} is damaged`)
        const backups = kept.length === 1 ? 'backup' : 'backups'
        say(`Kept ${kept.length} ${backups}, removed ${removed.length}${removed.map((name) => `\n  ${name}`).join('')}`)
        sayStuck(stuck)
        if (damaged.length + stuck.length > 0) process.exitCode = 1
      }),
  },
  restore: {
    takes: ['FILE'],
    help: 'load a backup into an empty DATA_DIR or database, while the service is stopped',
    run: (file) =>
      interruptible(async (config, options) => {
        const [{ restore }, { tellProgress }] = await Promise.all([
          import('./backup/restore.ts'),
          import('./backup/progress.ts'),
        ])
        const progress = tellProgress((line) => void process.stderr.write(`${line}\n`))
        const { rows, tables, files, bytes } = await restore(config, file as string, { ...options, progress })
        say(`Restored ${rows} rows of ${tables} tables and ${files ?? 'no'} files (${size(bytes)}) from ${file}`)
        if (files === undefined) say('The files of this backup are in their own storage: set STORAGE_URL to it.')
      }),
  },
  'restore --at': {
    takes: ['TIME'],
    help: 'the same from ARCHIVE_URL, as of a time such as 2026-11-26T23:10:00Z, or latest',
    run: (time) =>
      interruptible(async (config, options) => {
        const [{ momentOf, restoreAt }, { tellProgress }] = await Promise.all([
          import('./wal/restore-at.ts'),
          import('./backup/progress.ts'),
        ])
        const until = momentOf(time as string, options.clock.now())
        const progress = tellProgress((line) => void process.stderr.write(`${line}\n`))
        const { base, last, files, lost } = await restoreAt(config, until, { ...options, progress })
        say(
          `Restored the base copy ${base}${last ? ` and the changes since, up to ${last}` : '; nothing changed since'}`,
        )
        say(files === undefined ? 'Files are in their own storage: set STORAGE_URL to it.' : `${files} files`)
        if (lost.length > 0) {
          const more = lost.length > 5 ? ` and ${lost.length - 5} more` : ''
          say(
            `The archive lacks files of attachments: ${lost.slice(0, 5).join(', ')}${more} (docs/files.md#lost-files)`,
          )
        }
        say('Run verify before you start the service. It continues in the same archive, from a new base copy.')
      }),
  },
  'export-agent': {
    takes: ['HANDLE', 'FOLDER'],
    help: 'save everything of one agent to a folder',
    run: (handle, folder) =>
      interruptible(async (config, options) => {
        const { exportAgent } = await import('./app/export-agent.ts')
        const made = await exportAgent(config, handle as string, folder as string, options)
        const { path, was, files, bytes, problems } = made
        say(`${was ? 'Was complete already' : 'Exported'}: ${files} files (${size(bytes)}) in ${path}`)
        if (problems > 0) say(`${problems} things could not be exported: see problems.jsonl`)
        say('It contains personal data: protect it, and delete it once it is handed over.')
      }, 'the same command continues'),
  },
  mail: {
    takes: [],
    help: 'show the newest email, unless MAIL_URL sends them',
    run: async () => {
      const { mail } = readConfig(process.env)
      if (mail.kind !== 'file')
        throw new ConfigError('MAIL_URL does not store emails as files, so there are none to show')
      const { mailText, newestMail } = await import('./mail/read.ts')
      const newest = await newestMail(mail.folder)
      say(newest ? mailText(mail.folder, newest) : `No email in ${mail.folder} yet`)
    },
  },
  verify: {
    takes: [],
    help: 'recompute every balance, and check every order',
    run: () =>
      interruptible(async (config, options) => {
        const { verifyInstallation } = await import('./verify/command.ts')
        const { walks } = await import('./app/modules.ts')
        await tellFindings(await verifyInstallation(config, walks, options))
      }),
  },
  doctor: {
    takes: [],
    help: 'show what confines the inspection of uploaded files',
    run: async () => {
      const { diagnose } = await import('./app/doctor.ts')
      for (const line of await diagnose()) say(line)
    },
  },
  openapi: {
    takes: [],
    help: 'print the OpenAPI document, without examples of responses, as /openapi.json has it',
    run: async () => {
      const [{ openapi }, { withoutExamples }, { laidOut }, { routes, tags }] = await Promise.all([
        import('./http/openapi.ts'),
        import('./http/openapi-served.ts'),
        import('./http/laid-out.ts'),
        import('./app/modules.ts'),
      ])
      process.stdout.write(`${laidOut(withoutExamples(openapi(routes, tags)))}\n`)
    },
  },
}

/** Runs a command of the command line; exits with 1 when it failed and with 2 when it was not understood. */
export async function run(args: readonly string[]): Promise<void> {
  const isOption = args[1]?.startsWith('--') ?? false
  const name = args.slice(0, isOption ? 2 : 1).join(' ') || 'serve'
  const rest = args.slice(isOption ? 2 : 1)
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (args[0] === 'help' || args.some((arg) => arg === '--help' || arg === '-h')) return say(usage())
  if (command?.takes.length !== rest.length || rest.some((arg) => arg.startsWith('-'))) {
    process.stderr.write(`kith-server: ${misunderstood(name, rest, command)}\n\n${usage()}\n`)
    process.exit(2)
  }
  try {
    await command.run(...rest)
  } catch (error) {
    fail(error)
  }
}

/** What is wrong with a command line. */
function misunderstood(name: string, rest: readonly string[], command: Command | undefined): string {
  const [first = '', second] = name.split(' ')
  if (!Object.hasOwn(commands, first)) return `There is no command ${first}`
  const option = command === undefined ? second : rest.find((arg) => arg.startsWith('-'))
  if (!command || option !== undefined) return `${first} has no option ${option}`
  const missing = command.takes.slice(rest.length)
  if (missing.length > 0) return `${name} needs ${missing.join(' and ')}`
  return `${name} takes ${command.takes.length === 0 ? 'no arguments' : `only ${command.takes.join(' and ')}`}`
}

function usage(): string {
  const rows = Object.entries(commands).map(([name, { takes, help }]) => [[name, ...takes].join(' '), help] as const)
  const width = Math.max(...rows.map(([left]) => left.length))
  return ['usage: kith-server COMMAND', '', ...rows.map(([left, help]) => `  ${left.padEnd(width)}  ${help}`)].join(
    '\n',
  )
}

function fail(error: unknown, { logFormat: format, logLevel = 'fatal' }: Partial<Config> = {}): never {
  // To people the line below says the same, but for where a mistake is.
  if (isMistake(error) && (!isForPeople(format) || showsFrames(logLevel)))
    createLog(logLevel, { format }).fatal({ error: safeError(error) }, 'the command failed')
  process.stderr.write(`kith-server: ${reasonOf(error)}\n`)
  process.exit(1)
}

/** A command that a signal ends as a failure does. */
async function interruptible(
  work: (config: Config, options: { clock: typeof systemClock; log: Logger; signal: AbortSignal }) => Promise<void>,
  outcome = 'nothing was done',
): Promise<void> {
  const config = readConfig(process.env)
  const interrupted = new AbortController()
  onSignals(
    (name) => interrupted.abort(new Error(`ended by ${name}; ${outcome}`)),
    () => process.exit(1),
  )
  const level = ['info', 'debug', 'trace'].includes(config.logLevel) ? 'warn' : config.logLevel
  await work(config, {
    clock: systemClock,
    log: createLog(level, { format: config.logFormat }),
    signal: interrupted.signal,
  })
  process.exit()
}

async function serve(): Promise<void> {
  const config = readConfig(process.env)
  if (config.workers > 1 && cluster.isWorker) return (await import('./app/workers/work.ts')).work(config)
  const log = createLog(config.logLevel, { format: config.logFormat })
  const stop = endWell(config.drainDelaySeconds, {
    log,
    lastWord: 'stopped',
    onEnd: (drain, atOnce) =>
      onSignals(() => {
        log.info('draining; a second signal stops at once')
        drain()
      }, atOnce),
  })
  try {
    const running = await begin(config, log, stop)
    stop.from(running)
    const { publicUrl, address } = running
    if (config.logFormat === 'json') log.info({ url: publicUrl, address }, 'Kith is ready')
    else openOutput(() => {}).write(greeting(publicUrl, address, config))
    if (!config.recovery) log.warn('RECOVERY is off: an agent that loses its token cannot get back in')
  } catch (error) {
    if (stop.signal.aborted) stop.stopped(stop.code())
    fail(error, config)
  }
  setTimeout(flushCompileCache, 2000).unref()
}

/** This process alone, or above several workers. */
async function begin(
  config: Config,
  log: Logger,
  stop: Ending,
): Promise<Pick<Running, 'publicUrl' | 'address' | 'stop' | 'abort'>> {
  const options = { clock: systemClock, log, signal: stop.signal }
  if (config.workers === 1) return (await import('./app/start.ts')).start(config, options)
  const { supervise } = await import('./app/workers/primary.ts')
  return supervise(config, {
    ...options,
    onCrashes(error) {
      log.fatal({ error: safeError(error) }, 'workers crash again and again: the service is stopping')
      stop.fail()
    },
  })
}

async function tellFindings(findings: Findings): Promise<void> {
  const [{ findingsText }, { walks }] = await Promise.all([import('./verify/command.ts'), import('./app/modules.ts')])
  for (const line of findingsText(findings, walks)) say(line)
  if (findings.examples.length > 0) process.exitCode = 1
}

const say = (line: string): void => void process.stdout.write(`${line}\n`)

function sayStuck(stuck: readonly string[]): void {
  if (stuck.length > 0) say(`Could not be removed: ${stuck.join('; ')}`)
}

function size(bytes: number): string {
  const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB']
  const step = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log2(Math.max(bytes, 1)) / 10)))
  return `${(bytes / 1024 ** step).toFixed(step === 0 ? 0 : 1)} ${units[step]}`
}
