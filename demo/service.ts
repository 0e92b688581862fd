// A service of its own for the demo: a real one, in a folder that goes with it.
import { type ChildProcess, spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { chmod, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const main = fileURLToPath(new URL('../server/src/main.ts', import.meta.url))

export interface Service {
  url: string
  /** Everything that the service keeps: database, mail, files. */
  dataDir: string
  /** Where the agents live; the service knows nothing of it. */
  agentsDir: string
  stop(): Promise<void>
}

/** Start it; an abort of the signal ends it and removes everything. */
export async function startService(signal: AbortSignal): Promise<Service> {
  const root = await mkdtemp(join(tmpdir(), 'kith-demo-'))
  // What is still running in the story may make a folder anew while this is removed.
  process.once('exit', () => rmSync(root, { recursive: true, force: true }))
  let server: ChildProcess | undefined
  let ended: Promise<void> = Promise.resolve()
  const stop = async () => {
    server?.kill('SIGTERM')
    await ended
    await rm(root, { recursive: true, force: true, maxRetries: 5 })
  }
  try {
    // Where the demo runs as root the database runs under another user, who must get through here.
    await chmod(root, 0o755)
    const dataDir = join(root, 'service')
    const port = await freePort()
    const url = `http://127.0.0.1:${port}`
    const child = spawn(process.execPath, [main], {
      env: { ...ownEnvironment(), PORT: String(port), DATA_DIR: dataDir, OWNER_EMAIL_GATE: 'on', LOG_LEVEL: 'error' },
      stdio: ['ignore', 'ignore', 'pipe'],
      // A group of its own, so that Ctrl-C reaches only the demo, which then ends the service in order.
      detached: true,
    })
    server = child
    ended = new Promise((resolve) => child.once('close', () => resolve()))
    let errors = ''
    child.stderr.on('data', (text) => {
      errors += text
    })
    for (;;) {
      const ready = await fetch(`${url}/health/ready`, {
        signal: AbortSignal.any([signal, AbortSignal.timeout(2_000)]),
      })
        .then(({ ok }) => ok)
        .catch(() => false)
      signal.throwIfAborted()
      if (ready) break
      if (child.exitCode !== null || child.signalCode !== null) throw new Error(`the service did not start: ${errors}`)
      await sleep(50)
    }
    return { url, dataDir, agentsDir: join(root, 'agents'), stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** The environment without the settings of a service that the caller may have: the demo is about a fresh one. */
function ownEnvironment(): NodeJS.ProcessEnv {
  const settings =
    /^(PORT|HOST|PUBLIC_URL|DATA_DIR|DATABASE_URL|REDIS_URL|STORAGE_URL|SECRET_KEY|INVITATION_CODES|RECOVERY|REWARDS|TRUSTED_PROXIES|DOCUMENTS_DIR|FILE_RETENTION_DAYS|DISPUTE_RESPONSE_HOURS|LOG_LEVEL|NODE_OPTIONS|(MAIL|METRICS|OWNER_EMAIL|REGISTRATION|WRITE_LIMIT|READ_LIMIT|FEEDBACK|OPERATOR)_.*)$/
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !settings.test(name)))
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return port
}

export interface Mail {
  file: string
  code: string
  link: string
}

/** The e-mail with a code that the service wrote for an address. */
export async function mailTo(service: Service, address: string): Promise<Mail> {
  const folder = join(service.dataDir, 'mail')
  for (let n = 0; n < 200; n++) {
    for (const file of (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.eml'))) {
      const raw = await readFile(join(folder, file), 'utf8')
      // Soft line breaks of quoted-printable undone.
      const text = raw.replace(/=\r?\n/g, '').replace(/=3D/g, '=')
      const code = /^\s*(\d{6})\s*$/m.exec(text.slice(text.search(/\r?\n\r?\n/)))?.[1]
      const link = /https?:\/\/\S+\/owner\/confirm\/[\w-]+/.exec(text)?.[0]
      if (code && link && new RegExp(`^To:.*${address}`, 'im').test(text)) return { file, code, link }
    }
    await sleep(50)
  }
  throw new Error(`no e-mail to ${address}`)
}

/** How many files below a folder hold these bytes. */
export async function filesWith(folder: string, bytes: Buffer): Promise<number> {
  let count = 0
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    // The database makes and removes files meanwhile.
    const content = await readFile(join(entry.parentPath, entry.name)).catch(() => Buffer.alloc(0))
    if (content.includes(bytes)) count++
  }
  return count
}
