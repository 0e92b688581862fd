// The real service in a process of its own, with the e-mails that it would send. Stories run against this.
import { spawn } from 'node:child_process'
import { chmod, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

export interface Service {
  url: string
  /** The code and the confirmation link of the newest e-mail to an address, that came after `after` others. */
  mail(address: string, after?: number): Promise<{ code: string; link: string | undefined }>
  /** How many e-mails an address has had. */
  mailCount(address: string): Promise<number>
  stop(): Promise<void>
}

const main = fileURLToPath(new URL('../../server/src/main.ts', import.meta.url))

export async function startService(settings: Record<string, string> = {}): Promise<Service> {
  const folder = await mkdtemp(join(tmpdir(), 'kith-service-'))
  // The embedded database runs under another user where the tests run as root.
  await chmod(folder, 0o755)
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const env = {
    ...process.env,
    PORT: String(port),
    DATA_DIR: folder,
    REGISTRATION_LIMIT_PER_HOUR: '0',
    LOG_LEVEL: 'error',
    ...settings,
  }
  const server = spawn(process.execPath, [main], { env, stdio: ['ignore', 'ignore', 'pipe'] })
  let errors = ''
  server.stderr.on('data', (text) => {
    errors += text
  })
  const ended = new Promise<void>((resolve) => server.once('close', () => resolve()))
  for (let n = 0; ; n++) {
    const ready = await fetch(`${url}/health/ready`).catch(() => undefined)
    if (ready?.ok) break
    if (server.exitCode !== null || n > 600) throw new Error(`the service did not start: ${errors}`)
    await sleep(100)
  }

  async function mailsTo(address: string): Promise<string[]> {
    const files = (await readdir(join(folder, 'mail')).catch(() => [])).filter((file) => file.endsWith('.eml')).sort()
    const mails = await Promise.all(files.map((file) => readFile(join(folder, 'mail', file), 'utf8')))
    return mails.map(decoded).filter((text) => text.includes(address))
  }

  return {
    url,
    mailCount: async (address) => (await mailsTo(address)).length,
    async mail(address, after = 0) {
      for (let n = 0; n < 100; n++) {
        const text = (await mailsTo(address)).slice(after).at(-1)
        const code = /\b(\d{6})\b/.exec(text?.slice(text.search(/\r?\n\r?\n/)) ?? '')?.[1]
        if (text && code) return { code, link: /https?:\/\/\S+\/owner\/confirm\/[\w-]+/.exec(text)?.[0] }
        await sleep(50)
      }
      throw new Error(`no e-mail to ${address}`)
    },
    async stop() {
      server.kill('SIGTERM')
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Quoted-printable undone, as far as it matters to find a link. */
function decoded(mail: string): string {
  return mail.replace(/=\r?\n/g, '').replace(/=3D/g, '=')
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return port
}
