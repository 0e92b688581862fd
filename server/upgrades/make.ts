// npm run upgrades -- [CHECKOUT]: keeps what a version leaves behind, so that every later version can be tried on it. The
// version is the one of CHECKOUT, where `npm ci` has run; else this one. Its own commands start it and back it up; agents tell
// it half a story, and the other half is in upgrades.test.ts. Each release adds its own: docs/adding-an-endpoint.md.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { delimiter, dirname, join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { cleanEnv, dataFolder, freePort, openDoors } from '../test/launch.ts'
import { begin, type Story, secretKey } from './story.ts'

/** In bytes: the repository carries every one of them for ever. */
const largest = 1_000_000
/** For a version to start, in milliseconds. */
const longestStart = 60_000

const checkout = resolve(process.argv[2] ?? fileURLToPath(new URL('../..', import.meta.url)))
const landed = await readFile(join(checkout, 'server/migrations/landed.sha256'), 'utf8')
const migration = landed.trimEnd().split('  ').at(-1) as string
const backup = fileURLToPath(new URL(`${migration.slice(0, 4)}.tar.gz`, import.meta.url))

if (existsSync(backup)) throw new Error(`${backup} exists: what a landed version left is never made again`)

const { root, dataDir, remove } = await dataFolder({ prefix: 'kith-upgrades-' })
const port = await freePort()
const env = {
  ...cleanEnv({ ...openDoors, DATA_DIR: dataDir, PORT: String(port), SECRET_KEY: secretKey, LOG_LEVEL: 'warn' }),
  // What this runs on can run them all.
  PATH: [dirname(process.execPath), process.env['PATH']].join(delimiter),
  HOME: root,
}

/** A script of the checkout, in a process group of its own. */
const npm = (...args: string[]) =>
  spawn('npm', ['run', '--silent', ...args], {
    cwd: checkout,
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
    detached: true,
  })

const ending = (child: ReturnType<typeof npm>): Promise<number | null> =>
  new Promise((resolve) => child.once('exit', (code) => resolve(code)))

try {
  const service = npm('start')
  const ended = ending(service)
  const url = `http://127.0.0.1:${port}`
  const isReady = (): Promise<boolean> =>
    fetch(`${url}/health/ready`).then(
      ({ ok }) => ok,
      () => false,
    )
  let story: Story
  try {
    for (const deadline = performance.now() + longestStart; !(await isReady()); await sleep(100)) {
      if (service.exitCode !== null || performance.now() > deadline) throw new Error(`${checkout} does not start`)
    }
    const told = await begin(url)
    story = { migration, stopped: new Date().toISOString(), ...told }
  } finally {
    if (service.exitCode === null) process.kill(-(service.pid as number), 'SIGTERM')
    await ended
  }
  const code = await ending(npm('kith-server', '--', 'backup', backup))
  if (code !== 0) throw new Error(`the backup ended with ${code}`)
  const { size } = await stat(backup)
  if (size > largest) throw new Error(`${backup} has ${size} bytes, and the limit is ${largest}`)
  await writeFile(backup.replace('.tar.gz', '.json'), `${JSON.stringify(story, undefined, 2)}\n`)
  console.log(`${backup}: ${size} bytes`)
} finally {
  await remove()
}
