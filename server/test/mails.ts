// The e-mails that a service wrote as files, as an owner reads them.
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

export interface Mail {
  file: string
  to: string
  subject: string
  text: string
  code: string | undefined
  link: string | undefined
}

/** Those in a folder, to an address if one is named, oldest first. */
export async function mailsIn(folder: string, to?: string): Promise<Mail[]> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.eml')).sort()
  const mails = (await Promise.all(names.map((name) => readMail(folder, name)))).filter((mail) => mail !== undefined)
  return to === undefined ? mails : mails.filter((mail) => mail.to.includes(to))
}

/** One of them; undefined where it is gone: the service sweeps old ones away by itself. */
export async function readMail(folder: string, file: string): Promise<Mail | undefined> {
  const raw = await readFile(join(folder, file), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
    return undefined
  })
  if (raw === undefined) return undefined
  const header = (field: string) => new RegExp(`^${field}: (.*)$`, 'im').exec(raw)?.[1]?.trim() ?? ''
  const text = textOf(raw)
  return {
    file,
    to: header('To'),
    subject: header('Subject'),
    text,
    code: /^\s*(\d{6})\s*$/m.exec(text)?.[1],
    link: /https?:\/\/\S+\/owner\/confirm\/\S+/.exec(text)?.[0],
  }
}

/** The words of a mail, of any language: those that are not plain are sent as quoted-printable. */
function textOf(raw: string): string {
  const body = raw.slice(raw.search(/\r?\n\r?\n/))
  if (!/^Content-Transfer-Encoding: quoted-printable\r?$/im.test(raw)) return body.trim()
  const bytes = body
    .replace(/=\r?\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString('utf8').trim()
}

/** The newest e-mail with a code to an address that came after `after` others; waits for it. */
export async function codeFor(folder: string, to: string, after = 0): Promise<Mail & { code: string }> {
  for (const deadline = performance.now() + 30_000; ; await sleep(20)) {
    const mail = (await mailsIn(folder, to)).slice(after).at(-1)
    if (mail?.code !== undefined) return { ...mail, code: mail.code }
    if (performance.now() > deadline) throw new Error(`no e-mail to ${to}`)
  }
}
