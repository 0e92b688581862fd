// The emails that a service wrote as files, waited for.
import { setTimeout as sleep } from 'node:timers/promises'
import { type Mail, mailsIn } from '../src/mail/read.ts'

/** The newest email with a code to an address that came after `after` others; waits for it. */
export async function codeFor(folder: string, to: string, after = 0): Promise<Mail & { code: string }> {
  for (const deadline = performance.now() + 240_000; ; await sleep(20)) {
    const mail = (await mailsIn(folder, to)).slice(after).at(-1)
    if (mail?.code !== undefined) return { ...mail, code: mail.code }
    if (performance.now() > deadline) throw new Error(`no email to ${to}`)
  }
}
