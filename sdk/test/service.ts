// The real service in a process of its own, with the emails that it would send. Stories run against this.
import { join } from 'node:path'
import { type Mail, mailsIn } from '../../server/src/mail/read.ts'
import { dataFolder, serve } from '../../server/test/launch.ts'
import { codeFor } from '../../server/test/mails.ts'

export interface Service {
  url: string
  /** The newest email with a code to an address, that came after `after` others. */
  mail(address: string, after?: number): Promise<Mail & { code: string }>
  /** How many emails an address has had. */
  mailCount(address: string): Promise<number>
  stop(): Promise<void>
}

export async function startService(settings: Record<string, string> = {}): Promise<Service> {
  const { dataDir, remove } = await dataFolder({ prefix: 'kith-service-', migrated: true })
  const mailDir = join(dataDir, 'mail')
  const env = { REGISTRATION_LIMIT_PER_HOUR: '0', LOG_LEVEL: 'error', ...settings }
  const service = await serve(dataDir, { asShipped: true, env })
  return {
    url: service.url,
    mailCount: async (address) => (await mailsIn(mailDir, address)).length,
    mail: (address, after) => codeFor(mailDir, address, after),
    async stop() {
      await service.stop()
      await remove()
    },
  }
}
