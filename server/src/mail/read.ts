// The emails that the service wrote as files, as their readers see them.
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

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
  const mails = (await Promise.all((await filesIn(folder)).map((name) => readMail(folder, name)))).filter(isThere)
  return to === undefined ? mails : mails.filter((mail) => mail.to.includes(to))
}

/** The newest, or undefined. */
export async function newestMail(folder: string): Promise<Mail | undefined> {
  for (const name of (await filesIn(folder)).reverse()) {
    const mail = await readMail(folder, name)
    if (mail) return mail
  }
  return undefined
}

/** One of them; undefined if it is gone: the service removes old ones. */
export async function readMail(folder: string, file: string): Promise<Mail | undefined> {
  const raw = await readFile(join(folder, file), 'utf8').catch(unlessGone)
  if (raw === undefined) return undefined
  const head = raw.slice(0, raw.search(/\r?\n\r?\n/)).replace(/\r?\n (?==\?)/g, '')
  const header = (field: string) => new RegExp(`^${field}: (.*)$`, 'im').exec(head)?.[1]?.trim() ?? ''
  const text = textOf(raw)
  return {
    file,
    to: header('To'),
    subject: decoded(header('Subject')),
    text,
    code: /^\s*(\d{6})\s*$/m.exec(text)?.[1],
    link: /https?:\/\/\S+\/owner\/confirm\/\S+/.exec(text)?.[0],
  }
}

/** What a person at a terminal is shown: the link to open and the code to type, else all of it. */
export function mailText(folder: string, { file, to, subject, text, code, link }: Mail): string {
  const rows = [
    ['File', join(folder, file)],
    ['To', to],
    ['Subject', subject],
    ['Link', link],
    ['Code', code],
  ].flatMap(([name, value]) => (value === undefined ? [] : [`${name!.padEnd(8)} ${value}`]))
  return [...rows, ...(link === undefined && code === undefined ? ['', text.replaceAll('\r\n', '\n')] : [])].join('\n')
}

/** By their names, which begin with the time. */
const filesIn = async (folder: string): Promise<string[]> =>
  ((await readdir(folder).catch(unlessGone)) ?? []).filter((name) => name.endsWith('.eml')).sort()

function unlessGone(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}

const isThere = (mail: Mail | undefined): mail is Mail => mail !== undefined

/** Encoded words (RFC 2047), as message.ts writes them. */
const decoded = (header: string): string =>
  header.replace(/=\?UTF-8\?B\?([A-Za-z0-9+/=]*)\?=/g, (_, base64) => Buffer.from(base64, 'base64').toString('utf8'))

/** The words of a mail, of any language: those that are not plain are sent as quoted-printable. */
function textOf(raw: string): string {
  const body = raw.slice(raw.search(/\r?\n\r?\n/))
  if (!/^Content-Transfer-Encoding: quoted-printable\r?$/im.test(raw)) return body.trim()
  const bytes = body
    .replace(/=\r?\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString('utf8').trim()
}
