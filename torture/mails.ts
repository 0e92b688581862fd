// The emails that the nodes have written into their folder: each is read once.
import { readdir } from 'node:fs/promises'
import { type Mail, readMail } from '../server/src/mail/read.ts'

export interface Mails {
  /** All of them so far, oldest first. */
  all(): Promise<readonly Mail[]>
  to(address: string): Promise<readonly Mail[]>
}

export function openMails(folder: string): Mails {
  const read = new Map<string, Mail>()
  async function all(): Promise<readonly Mail[]> {
    const names = await readdir(folder).catch(() => [])
    for (const name of names.filter((each) => each.endsWith('.eml') && !read.has(each))) {
      const mail = await readMail(folder, name)
      if (mail) read.set(name, mail)
    }
    return [...read.values()].sort((one, other) => (one.file < other.file ? -1 : 1))
  }
  return { all, to: async (address) => (await all()).filter(({ to }) => to.includes(address)) }
}
