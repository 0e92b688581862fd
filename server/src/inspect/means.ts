// What confines an inspection on this machine, found out by trying: which users, namespaces, filters and limits it can
// be given. util-linux does most of it (`setpriv`, `unshare`, `prlimit`), the process itself the rest (confine.ts).
// What is missing is left out and said, and never keeps an upload from being inspected.
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, chown, mkdir } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { type Confinement, type OwnLayer, ownLayers } from './confine.ts'

export interface Layer {
  name: string
  /** What is missing where it does not hold; else what it is. */
  says: string
  holds: boolean
}

export interface Means {
  /** The command line in front of whatever is run; empty if there is no setpriv. */
  readonly prefix: readonly string[]
  /** The same user without namespaces, from where the limits of the process are lowered. */
  readonly sameUser?: readonly string[]
  readonly prlimit: boolean
  /** Whether it lives in a process namespace, which ends with its first process. */
  readonly init?: boolean
  /** The most processes and threads of its user in its namespace; undefined if others would count too. */
  readonly processes?: number
  /** What the process can put on itself. */
  readonly own?: readonly OwnLayer[]
  /** Where the child keeps what V8 compiled, which more than halves the time of its start. */
  readonly cache?: string
  /** All of it in words. */
  readonly layers?: readonly Layer[]
}

/**
 * The first of the user ids that no account has (between those that systemd gives away and `nobody`), PostgreSQL's
 * user above all. Each slot has its own, so that two inspections cannot signal, trace or link to each other.
 */
const firstUser = 65_520
const users = 13

const reuid = '--reuid='
// `--bounding-set` wants a privilege of its own, so it is asked for only where there is one to lose.
const tie = ['--pdeathsig', 'KILL', '--no-new-privs']
const otherUser = [`${reuid}${firstUser}`, `--regid=${firstUser}`, '--clear-groups', '--inh-caps=-all']
const powerless = ['--bounding-set=-all', '--inh-caps=-all']

const namespaces = {
  user: ['--user', '--map-current-user'],
  pid: ['--pid', '--fork', '--kill-child'],
  mount: ['--mount'],
  proc: ['--mount-proc'],
  net: ['--net'],
  ipc: ['--ipc'],
  uts: ['--uts'],
}
type Namespace = keyof typeof namespaces

/** Node as the first process of a namespace would be deaf to signals without a handler, its own abort's among them. */
const init = ['sh', '-c', '"$@"; exit $?', 'sh']

/** Threads count: V8's, the pool's, and those of the decoders, which are as many as there are processors. */
const mostProcesses = 64 + 4 * availableParallelism()

const tryMilliseconds = 30_000

async function attempt(command: readonly string[]): Promise<string | undefined> {
  const [file, ...rest] = command
  return new Promise((resolve) => {
    const child = execFile(file as string, rest, { env: {}, cwd: '/', timeout: tryMilliseconds }, (error, stdout) =>
      resolve(error ? undefined : stdout),
    )
    child.stdin?.on('error', () => {}).end()
  })
}

const works = async (command: readonly string[]): Promise<boolean> => (await attempt(command)) !== undefined

/**
 * Finds out what this machine can do. Under root the child becomes another user where that user can read the script (an
 * installation below a 0700 folder is out of its reach), else root without any capability.
 */
export async function findMeans(script: string): Promise<Means> {
  if (process.platform !== 'linux') return { prefix: [], prlimit: false, layers: elsewhere() }
  const start = ['test', '-r', script, '-a', '-x', process.execPath]
  const isRoot = process.getuid?.() === 0
  const candidates = isRoot
    ? [[...tie, ...otherUser, '--bounding-set=-all'], [...tie, ...otherUser], [...tie, ...powerless], tie]
    : [tie]
  let sameUser: readonly string[] = []
  for (const flags of candidates) {
    const candidate = ['setpriv', ...flags, '--']
    if (!(await works([...candidate, ...start]))) continue
    sameUser = candidate
    break
  }
  const held = await findNamespaces(sameUser, isRoot, start)
  const prefix = held.prefix
  const hasInit = held.kinds.includes('pid')
  const isOtherUser = sameUser.some((flag) => flag.startsWith(reuid))
  const prlimit = await works([...sameUser, 'prlimit', '--core=0:0', 'true'])
  // Without a user or a user namespace of its own everything else that the user runs would count.
  const few = `--nproc=${mostProcesses}:${mostProcesses}`
  const counts = prlimit && (isOtherUser || held.kinds.includes('user'))
  const isBounded = counts && (await works([...prefix, 'prlimit', few, 'sh', '-c', 'true & wait $!']))
  const confinement = await tryOwn(prefix)
  const own = ownLayers.filter((layer) => confinement[layer] === true)
  return {
    prefix,
    sameUser,
    prlimit,
    init: hasInit,
    ...(isBounded && { processes: mostProcesses }),
    own,
    cache: await makeCache(isOtherUser),
    layers: inWords({ sameUser, isRoot, kinds: held.kinds, prlimit, isBounded, confinement }),
  }
}

/** As many namespaces as can be had together; those of a user first, which need no privilege where they are allowed. */
async function findNamespaces(
  sameUser: readonly string[],
  isRoot: boolean,
  start: readonly string[],
): Promise<{ prefix: readonly string[]; kinds: readonly Namespace[] }> {
  const none = { prefix: sameUser, kinds: [] }
  // There the process that is inspected is found below the one that holds the namespace.
  if (!existsSync('/proc/thread-self/children')) return none
  const all = Object.keys(namespaces) as Namespace[]
  const asUser = (kinds: readonly Namespace[]): readonly string[] => [...sameUser, ...unshare(kinds)]
  const asRoot = (kinds: readonly Namespace[]): readonly string[] => [
    ...['setpriv', '--pdeathsig', 'KILL', '--'],
    ...unshare(kinds).filter((word) => !init.includes(word)),
    ...sameUser,
    ...(kinds.includes('pid') ? init : []),
  ]
  const shapes = [{ build: asUser, of: all }]
  if (isRoot) shapes.push({ build: asRoot, of: all.filter((kind) => kind !== 'user') })
  let best: { prefix: readonly string[]; kinds: readonly Namespace[] } = none
  for (const { build, of } of shapes) {
    let kinds: Namespace[] = of
    if (!(await works([...build(kinds), ...start]))) {
      kinds = []
      for (const kind of of) {
        if (await works([...build([...kinds, kind]), ...start])) kinds.push(kind)
        else if (kind === 'user') break
      }
    }
    if (kinds.length > best.kinds.length) best = { prefix: build(kinds), kinds }
    if (kinds.length === of.length) break
  }
  return best
}

const unshare = (kinds: readonly Namespace[]): readonly string[] => [
  'unshare',
  ...kinds.flatMap((kind) => namespaces[kind]),
  '--',
  ...(kinds.includes('pid') ? init : []),
]

/** What a process that is started as an inspection can put on itself. */
async function tryOwn(prefix: readonly string[]): Promise<Confinement> {
  const probe = fileURLToPath(new URL('confine-probe.ts', import.meta.url))
  const said = await attempt([...prefix, process.execPath, '--no-warnings', probe])
  try {
    return JSON.parse(said ?? '') as Confinement
  } catch {
    const why = 'a process that was so confined did not come to its end'
    return { seccomp: why, landlock: why }
  }
}

/** The command line in front of what is run in a slot, with the slot's user. */
export function prefixFor(prefix: readonly string[], slot: number): readonly string[] {
  const user = userOf(slot)
  return prefix.map((word) => word.replace(/^--(reuid|regid)=\d+$/, `--$1=${user}`))
}

const userOf = (slot: number): number => firstUser + (slot % users)

/** Beside the modules that it holds. A child writes to its user's part before it is confined, and never after. */
const cacheFolder = fileURLToPath(new URL('../../../node_modules/.cache/kith-inspectors', import.meta.url))

/** A folder that cannot be made is not used; so is one that the child cannot write to. */
async function makeCache(isOtherUser: boolean): Promise<string> {
  await mkdir(cacheFolder, { recursive: true }).catch(() => {})
  await chmod(cacheFolder, isOtherUser ? 0o711 : 0o700).catch(() => {})
  if (!isOtherUser) return cacheFolder
  for (let slot = 0; slot < users; slot++) {
    const folder = `${cacheFolder}/${slot}`
    await mkdir(folder, { mode: 0o700 }).catch(() => {})
    await chown(folder, userOf(slot), userOf(slot)).catch(() => {})
  }
  return cacheFolder
}

/** The part of the cache that is a slot's alone where slots have users of their own. */
export const cacheFor = ({ cache, prefix }: Means, slot: number): string | undefined =>
  cache !== undefined && prefix.some((flag) => flag.startsWith(reuid)) ? `${cache}/${slot % users}` : cache

interface Found {
  sameUser: readonly string[]
  isRoot: boolean
  kinds: readonly Namespace[]
  prlimit: boolean
  isBounded: boolean
  confinement: Confinement
}

function inWords({ sameUser, isRoot, kinds, prlimit, isBounded, confinement }: Found): Layer[] {
  const layer = (name: string, holds: boolean, is: string, isNot: string): Layer => ({
    name,
    holds,
    says: holds ? is : isNot,
  })
  const isTied = sameUser.length > 0
  const refused = 'unshare is missing, or this machine or its container does not allow it'
  const own = (name: OwnLayer, is: string): Layer =>
    layer(name, confinement[name] === true, is, String(confinement[name]))
  return [
    layer(
      'user of its own',
      sameUser.some((flag) => flag.startsWith(reuid)),
      `one of ${firstUser} to ${firstUser + users - 1} for each slot, without capabilities`,
      isRoot
        ? 'setpriv is missing, or another user cannot read this installation'
        : 'the service is not root; inspections run as its own user',
    ),
    layer(
      'no new privileges',
      isTied || confinement.seccomp === true,
      'no program can give it more',
      'setpriv is missing',
    ),
    layer('end with the service', isTied, 'also when the service is killed', 'setpriv is missing'),
    layer('user namespace', kinds.includes('user'), 'no process outside can be traced or read', refused),
    layer('process namespace', kinds.includes('pid'), 'everything it starts ends with it', refused),
    layer('mount namespace', kinds.includes('proc'), 'a /proc with only its own processes', refused),
    layer('network namespace', kinds.includes('net'), 'no network, and no address of this machine', refused),
    layer('IPC namespace', kinds.includes('ipc'), 'no shared memory or queues of other processes', refused),
    own('seccomp', 'only the system calls that computing needs'),
    own('landlock', 'no file by name, no address, no signal to others'),
    layer('limits', prlimit, 'descriptors, memory, processor time, file size, no core', 'prlimit is missing'),
    layer(
      'limit of processes',
      isBounded,
      `at most ${mostProcesses} processes and threads`,
      'without its own user or user namespace, everything that the user runs would count',
    ),
  ]
}

const elsewhere = (): Layer[] => [
  {
    name: 'all of Linux',
    holds: false,
    says: `this is ${process.platform}; only Node's permissions, a watchdog and a time limit remain`,
  },
]
