// Delivery of the outbox: a mail's row is locked while it is sent and gone once it is handed over, so a killed process
// loses none and of two nodes only one sends it. A crash between a server's acceptance and the commit repeats it.
import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import { after, type Clock, clocksApart, days, hours, minutes, seconds } from '../kernel/clock.ts'
import { isForPeople, safeError } from '../log.ts'
import type { Metrics } from '../metrics.ts'
import type { Sql } from '../store/sql.ts'
import type { MailsRow } from '../store/tables.ts'
import { htmlOf, type MailLook } from './html.ts'
import { composeMessage, MessageError, parseSender } from './message.ts'
import { type Mailer, queueMail } from './queue.ts'
import { openTransport, sweepMailFolder } from './transport.ts'

interface MailerParts {
  config: Config
  publicUrl: string
  clock: Clock
  sql: Sql
  log: Logger
  metrics: Metrics
  /** How an email to a mail server looks; as text alone if undefined. */
  look?: () => MailLook
}

/** Times in milliseconds; only tests have a reason to change them. */
export interface MailerOptions {
  pollEvery?: number
  sendWithin?: number
  stopWithin?: number
}

type Row = Omit<MailsRow, 'next_attempt_at' | 'last_failure'>

interface Failure {
  permanent: boolean
  /** Nobody answered: another mail would fare no better now. */
  unreachable: boolean
  /** Codes only: an SMTP reply may repeat the address. */
  code: string
  reply: number | undefined
}

type Outcome = 'nothing due' | 'delivered' | 'failed' | 'unreachable'

const lanes = 2
/** As RFC 5321 has it (4.5.4.1): a server may be away for a weekend. */
const triedFor = days(5)
/** And at least so often, over half a day: those five days may have passed while the service was off. */
const leastAttempts = 12
const firstDelay = seconds(10)
const longestDelay = hours(6)
/** Of a code, because it would come too late: greylisting lasts some minutes, and so does a restart of the server. */
const longestDelayOfCode = minutes(1)
const sweepEvery = minutes(10)

/**
 * The mailer of a process. Throws a ConfigError when MAIL_FROM is no sender. It sends nothing before {@link Mailer.start}.
 */
export function createMailer(
  parts: MailerParts,
  { pollEvery = seconds(5), sendWithin = seconds(20), stopWithin = seconds(10) }: MailerOptions = {},
): Mailer {
  const { config, clock, sql, log, metrics, look } = parts
  const from = parseSender(config.mailFrom)
  const host = new URL(parts.publicUrl).hostname
  const transport = openTransport(config.mail, { sendWithin, lanes })
  // With another transport the files of a former default still come to their end.
  const folder = config.mail.kind === 'file' ? config.mail.folder : resolve(config.dataDir, 'mail')

  let timer: NodeJS.Timeout | undefined
  let stopping = false
  let polling = false
  let busy = 0
  let again = false
  /** The server could not be reached since the last kick: what waits is not tried one after another. */
  let isAway = false
  let sweptAt: Date | undefined
  const running = new Set<Promise<void>>()
  const giveUp = new AbortController()

  const track = (work: Promise<void>): void => {
    running.add(work)
    void work.finally(() => running.delete(work))
  }

  function kick(): void {
    if (timer === undefined || stopping || transport === undefined) return
    again = true
    isAway = false
    startLane()
  }

  function startLane(): void {
    if (stopping || busy >= lanes) return
    busy++
    track(lane())
  }

  async function lane(): Promise<void> {
    try {
      do {
        // Cleared before the query that would see what the kick was about.
        again = false
        let outcome: Outcome
        do outcome = await deliverNext()
        while (!stopping && (outcome === 'delivered' || outcome === 'failed'))
      } while (again && !stopping)
    } catch (error) {
      log.warn({ error: safeError(error) }, 'mail delivery waits for the next poll')
    } finally {
      busy--
    }
  }

  function deliverNext(): Promise<Outcome> {
    return sql.transaction(async (tx) => {
      const [mail] = await tx<Row>`
        select id, kind, recipient, subject, body, unsubscribe_url, created_at, expires_at, attempts from mails
        where next_attempt_at <= ${tx.now} and (expires_at is null or expires_at > ${tx.now})
        order by next_attempt_at, id
        limit 1 for update skip locked`
      if (!mail) return 'nothing due'
      if (isAway) return 'unreachable'
      // While this one is on its way somebody else looks for the next.
      startLane()
      const failure = await attempt(mail)
      if (!failure) {
        await tx`delete from mails where id = ${mail.id}`
        tx.afterCommit(() => metrics.mails.inc({ kind: mail.kind, outcome: 'sent' }))
        return 'delivered'
      }
      // Ended by our own stop: no fault of the mail.
      if (giveUp.signal.aborted) return 'unreachable'
      isAway ||= failure.unreachable
      const attempts = mail.attempts + 1
      const facts = { mail: mail.id, kind: mail.kind, attempts, code: failure.code, reply: failure.reply }
      const isExhausted = attempts >= leastAttempts && after(mail.created_at, triedFor) <= clock.now()
      if (failure.permanent || isExhausted) {
        await tx`delete from mails where id = ${mail.id}`
        tx.afterCommit(() => {
          metrics.mails.inc({ kind: mail.kind, outcome: failure.permanent ? 'refused' : 'exhausted' })
          log.error(facts, 'mail was given up')
        })
      } else {
        // A refused login is not repeated every minute, or the server would lock the account.
        const isTurnedAway = failure.unreachable && failure.reply !== undefined && failure.reply !== closing
        const longest = mail.expires_at === null || isTurnedAway ? longestDelay : longestDelayOfCode
        // At its expiry at the latest it is due again, to be dropped.
        const next = after(clock.now(), delay(attempts, longest))
        await tx`
          update mails set attempts = ${attempts}, next_attempt_at = least(${next}::timestamptz, expires_at),
            last_failure = ${[failure.code, failure.reply].filter((each) => each !== undefined).join(' ')}
          where id = ${mail.id}`
        tx.afterCommit(() => {
          metrics.mails.inc({ kind: mail.kind, outcome: 'deferred' })
          log.warn(facts, 'mail could not be sent yet')
        })
      }
      return failure.unreachable ? 'unreachable' : 'failed'
    })
  }

  async function attempt(mail: Row): Promise<Failure | undefined> {
    const limit = new AbortController()
    const deadline = setTimeout(() => limit.abort(), sendWithin)
    try {
      const isFile = config.mail.kind === 'file'
      const bytes = composeMessage({
        id: mail.id,
        from,
        to: mail.recipient,
        subject: mail.subject,
        body: mail.body,
        html: isFile || !look ? undefined : htmlOf(mail, look()),
        unsubscribeUrl: mail.unsubscribe_url,
        date: mail.created_at,
        host,
        isFile,
      })
      const file = await transport?.send(
        { id: mail.id, from: from.address, to: mail.recipient, createdAt: mail.created_at, bytes },
        AbortSignal.any([limit.signal, giveUp.signal]),
      )
      // Whoever tries the service out at a terminal is the reader of these mails.
      if (file !== undefined && isForPeople(config.logFormat))
        log.info({ kind: mail.kind, file }, 'an email was written; npm run mail shows it')
      return undefined
    } catch (error) {
      return failureOf(error)
    } finally {
      clearTimeout(deadline)
    }
  }

  async function poll(): Promise<void> {
    if (polling || stopping) return
    polling = true
    try {
      await recall()
      kick()
      await dropExpired()
      const [some] = await sql<{ waiting: number }>`
        select count(*)::integer as waiting from (select from mails limit 100000) as waiting`
      metrics.mailQueue.set(some?.waiting ?? 0)
    } catch (error) {
      log.warn({ error: safeError(error) }, 'mail queue could not be read')
    } finally {
      polling = false
    }
    await sweep()
  }

  /** Makes due what no delay explains: it was queued, where it is due at once, or put off, before the clock was set back. */
  async function recall(): Promise<void> {
    const now = clock.now()
    await sql`
      update mails set next_attempt_at = ${now} where id in (
        select id from mails where next_attempt_at > ${after(now, clocksApart)}
          and (attempts = 0 or next_attempt_at > ${after(now, 2 * longestDelay)})
        limit 1000 for update skip locked)`
  }

  async function dropExpired(): Promise<void> {
    const now = clock.now()
    const dropped = await sql<{ id: string; kind: string }>`
      delete from mails where id in (
        select id from mails where next_attempt_at <= ${now} and expires_at <= ${now}
        order by next_attempt_at, id
        limit 1000 for update skip locked)
      returning id, kind`
    for (const { id, kind } of dropped) {
      metrics.mails.inc({ kind, outcome: 'expired' })
      log.warn({ mail: id, kind }, 'mail expired before it could be sent')
    }
  }

  async function sweep(): Promise<void> {
    const now = clock.now()
    if (sweptAt && Math.abs(now.getTime() - sweptAt.getTime()) < sweepEvery) return
    sweptAt = now
    const done = metrics.sweepSeconds.startTimer({ sweep: 'mail_files' })
    try {
      await sweepMailFolder(folder, now)
    } catch (error) {
      metrics.sweepFailures.inc({ sweep: 'mail_files' })
      log.warn({ error: safeError(error) }, 'old mail files could not be removed')
    } finally {
      done()
    }
  }

  const settled = async (within: number): Promise<void> => {
    const waited = new AbortController()
    const everything = Promise.all(running)
    await Promise.race([everything, sleep(within, undefined, { signal: waited.signal }).catch(() => {})])
    waited.abort()
  }

  return {
    async queue(tx, mail) {
      if (config.mail.kind === 'none') throw new Error('an email was queued although MAIL_URL is `none`')
      await queueMail(tx, mail)
      // Sending is work too: where an answer must not tell of it, it begins once the answer has long been given.
      tx.afterCommit(mail.discarded === undefined ? kick : () => setTimeout(kick, discreetly()).unref())
    },
    start() {
      if (timer !== undefined || stopping) return
      timer = setInterval(() => track(poll()), pollEvery)
      timer.unref()
      track(poll())
    },
    kick,
    async stop() {
      stopping = true
      clearInterval(timer)
      await settled(stopWithin * 0.9)
      giveUp.abort()
      await settled(stopWithin * 0.1)
      transport?.close()
    },
  }
}

/** How long a mail waits that nobody may notice: 0.5 to 1.5 s, so that no moment is the one to look at. */
const discreetly = (): number => seconds(0.5) + Math.random() * seconds(1)

/** Doubles with each attempt and strays by a quarter, so that what failed together does not come back together. */
function delay(attempts: number, longest: number): number {
  const exact = Math.min(firstDelay * 2 ** (attempts - 1), longest)
  return Math.round(exact * (0.75 + Math.random() / 2))
}

/** To any command: the server ends the connection, and would do the same with the next mail. RFC 5321, section 3.8. */
const closing = 421

/**
 * What a failed send means. Only a refusal of this mail is final: of its sender, its recipient, its contents or its
 * length. A greeting or a login that is refused is about the server or our settings, and those may be mended.
 */
function failureOf(error: unknown): Failure {
  if (error instanceof MessageError) return { permanent: true, unreachable: false, code: 'message', reply: undefined }
  const { code, originalCode, responseCode, command, permanent } = error as {
    code?: unknown
    /** Of the network or of TLS, where `code` says only which step it ended. */
    originalCode?: unknown
    responseCode?: unknown
    command?: unknown
    permanent?: unknown
  }
  const reply = typeof responseCode === 'number' ? responseCode : undefined
  const about = code === 'EENVELOPE' || code === 'EMESSAGE'
  // Without a reply the client refuses: an envelope that no server would take, or a text longer than this server takes.
  const refused =
    reply === undefined
      ? (about && command === 'API') || (code === 'EMESSAGE' && command === 'MAIL FROM')
      : permanent === true && about && reply !== 530
  return {
    permanent: refused,
    unreachable: !about || reply === closing,
    code: [originalCode, code].find((each): each is string => typeof each === 'string') ?? 'unknown',
    reply,
  }
}
