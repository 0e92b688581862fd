// Where a mail goes: an SMTP server, or a folder of .eml files.
import { randomBytes } from 'node:crypto'
import { chmod, mkdir, readdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { MailTransport } from '../config.ts'
import { days } from '../kernel/clock.ts'
import { makeFolders, writeWhole } from '../kernel/durable.ts'

interface Parcel {
  id: string
  from: string
  to: string
  createdAt: Date
  /** The whole message, headers and text. */
  bytes: Buffer
}

export interface Transport {
  /**
   * Hands the parcel over durably, or throws; resolves with the path of the file where it became one. An abort of the
   * signal ends the attempt at once.
   */
  send(parcel: Parcel, signal: AbortSignal): Promise<string | undefined>
  close(): void
}

export interface TransportOptions {
  /** The longest that a send may take, in milliseconds. */
  sendWithin: number
  /** How many sends there are at once. */
  lanes: number
}

/** Opens what MAIL_URL names; nothing for `none`. */
export function openTransport(mail: MailTransport, options: TransportOptions): Transport | undefined {
  if (mail.kind === 'none') return undefined
  return mail.kind === 'file' ? folderTransport(mail.folder) : smtpTransport(mail.url, options)
}

/**
 * SMTP with kept connections. TLS is what the URL says: `smtps://` from the first byte, `smtp://` by STARTTLS where the
 * server offers it, `?requireTLS=true` and `?tls.…` as in nodemailer's URLs.
 */
function smtpTransport(url: string, { sendWithin, lanes }: TransportOptions): Transport {
  // Loaded with the first mail: a process without SMTP has no use for it, and it takes 15 MiB.
  let opened: ReturnType<typeof open> | undefined
  const open = async () => {
    const [{ createTransport }, { parseConnectionUrl }] = await Promise.all([
      import('nodemailer'),
      import('nodemailer/lib/shared'),
    ])
    const pool = createTransport({
      ...parseConnectionUrl(url),
      // After the URL, so that nothing in it can change them: a logger would print codes and addresses.
      pool: true,
      maxConnections: lanes,
      maxRequeues: 1,
      connectionTimeout: sendWithin / 2,
      greetingTimeout: sendWithin / 2,
      socketTimeout: sendWithin,
      logger: false,
      debug: false,
      transactionLog: false,
    })
    // Failures come back from each send; an idle connection that breaks is nobody's.
    pool.on('error', () => {})
    return pool
  }
  return {
    async send({ from, to, bytes }, signal) {
      opened ??= open()
      const pool = await opened
      // With its size, a server that takes no mail so long says so before it is sent (RFC 1870).
      await pool.sendMail({ envelope: { from, to: [to], size: bytes.length }, raw: bytes, signal })
      return undefined
    },
    close: () => void opened?.then((pool) => pool.close()),
  }
}

function folderTransport(folder: string): Transport {
  return {
    async send({ id, createdAt, bytes }) {
      await ensureFolder(folder)
      // The name comes from the mail alone: one that is sent again after a crash takes its own former place.
      const path = join(folder, `${stamp(createdAt)}-${id}.eml`)
      // Each attempt has its own: one that lost its lock with its database may still be writing when the next one begins.
      await writeWhole(path, bytes, `${path}.${randomBytes(6).toString('hex')}.part`)
      return path
    },
    close: () => {},
  }
}

/** Only a folder that is made here gets its mode here: an operator's own keeps what it has. */
export async function ensureFolder(folder: string): Promise<void> {
  await makeFolders(dirname(folder))
  try {
    await mkdir(folder, { mode: 0o700 })
    await chmod(folder, 0o700)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

/** `20261120T160955.123Z`: sorts as text in the order of time. */
const stamp = (moment: Date): string => moment.toISOString().replaceAll(/[-:]/g, '')

const fileName = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d\.\d{3}Z)-[0-9a-f-]{36}\.eml(?:(?:\.[0-9a-f]{12})?\.part)?$/

/**
 * Removes the mails of a folder that are older than 7 days, unfinished ones too; returns how many. Their age is in
 * their names, in the time of the process that wrote them: the file system's clock may be another one.
 */
export async function sweepMailFolder(folder: string, now: Date): Promise<number> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  let removed = 0
  for (const name of names) {
    const [, year, month, day, hour, minute, second] = fileName.exec(name) ?? []
    if (year === undefined) continue
    const written = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}`)
    if (!(now.getTime() - written >= days(7))) continue
    await rm(join(folder, name), { force: true })
    removed++
  }
  return removed
}
