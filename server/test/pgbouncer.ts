// PgBouncer, where Debian's package is installed, before a database of the tests.
import { chmod, mkdtemp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { cleanEnv, freePort, startProgram } from './launch.ts'
import { find } from './programs.ts'
import { remove, scratchPlace } from './scratch.ts'
import { openSilentProxy } from './silent-proxy.ts'

const poolModes = ['session', 'transaction', 'statement'] as const
export type PoolMode = (typeof poolModes)[number]

export interface Bouncer {
  /** The database by way of the pooler. */
  url(mode: PoolMode): string
  stop(): Promise<void>
}

/** Of no privileges: PgBouncer refuses to be root. */
const nobody = 65_534

export async function startBouncer(databaseUrl: string): Promise<Bouncer> {
  // The embedded server knows by its user who connects to its socket, and that user may be root.
  const relay = await openSilentProxy(databaseUrl)
  const target = new URL(relay.url)
  const port = await freePort()
  const folder = await mkdtemp(join(scratchPlace(), 'kith-bouncer-'))
  const account = process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : undefined
  const user = decodeURIComponent(target.username)
  const to = `host=127.0.0.1 port=${target.port} dbname=${target.pathname.slice(1)} user=${user}`
  const settings = `[databases]
${poolModes.map((mode) => `${mode} = ${to} pool_mode=${mode}`).join('\n')}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
default_pool_size = 40
`
  await writeFile(join(folder, 'pgbouncer.ini'), settings)
  await chmod(folder, 0o755)
  const program = startProgram([find('pgbouncer') as string, join(folder, 'pgbouncer.ini')], {
    env: cleanEnv({}),
    account,
  })
  await program.says(/process up/)
  return {
    url: (mode) => `postgresql://${user}@127.0.0.1:${port}/${mode}`,
    async stop() {
      await program.stop('SIGKILL')
      await relay.close()
      await remove(folder)
    },
  }
}
