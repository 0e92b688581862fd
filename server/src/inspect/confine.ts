// What an inspection gives up by itself, before it reads the first byte of a file: the system calls that it has no use
// for (seccomp), every file, socket and signal by name (Landlock), and being looked into. It calls the C library through koffi,
// which any Node can; nothing is compiled or downloaded.
import { closeSync, readdirSync, readFileSync, readlinkSync, writeSync } from 'node:fs'
import { landlock, type Machine, machine } from './syscalls.ts'

/** The layers that a process can put on itself. */
export const ownLayers = ['seccomp', 'landlock'] as const
export type OwnLayer = (typeof ownLayers)[number]

/** Whether each holds now for this process, else why not. */
export type Confinement = Record<OwnLayer, true | string>

/**
 * Ends this process. Node would first run the loops of its other threads to their end, each with an io_uring of its
 * own; under a filter that aborts.
 */
export let leave: (code: number) => never = (code) => process.exit(code)

/**
 * What a confined script does between loading and looking: it gives up what its parent has found out that it can, says
 * so, and waits to be told to begin, which it answers. It ends with its parent. `descriptors`: how many it was given, from 3 on.
 */
export async function getReady(descriptors: number): Promise<string> {
  closeInherited(descriptors)
  const end = (): void => leave(1)
  process.stdin.once('end', end)
  process.stdin.once('error', end)
  const given = process.argv.at(-1)?.startsWith(confineOption) ? process.argv.at(-1)?.slice(confineOption.length) : ''
  const wanted = ownLayers.filter((layer) => given?.split(',').includes(layer))
  const held = wanted.length === 0 ? {} : await confine(wanted)
  process.permission?.drop?.('fs')
  writeSync(1, `${JSON.stringify({ ready: true, ...held })}\n`)
  return new Promise((resolve) => process.stdin.once('data', (words) => resolve(String(words))))
}

/**
 * Closes what this process holds beyond the descriptors that it was given: those that whoever started the service left
 * open for it and all its children. Node closes its own on exec, which tells them apart.
 */
export function closeInherited(descriptors: number): void {
  if (process.platform !== 'linux') return
  for (const name of readdirSync('/proc/self/fd')) {
    const descriptor = Number(name)
    if (descriptor < 3 + descriptors) continue
    const flags = /^flags:\s*(\d+)/m.exec(textOf(`/proc/self/fdinfo/${name}`))?.[1]
    if (flags !== undefined && (Number.parseInt(flags, 8) & closedOnExec) === 0) closeSync(descriptor)
  }
}

const closedOnExec = 0o2000000

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return '' // gone by now
  }
}

/** The last argument of the script: the layers that it is to put on itself, with commas between them. */
export const confineOption = '--confine='

type Call = (number: number, ...values: (number | bigint)[]) => number

/**
 * Confines this process permanently: it can open nothing afterwards. What the machine lacks is left out and reported.
 */
export async function confine(wanted: readonly OwnLayer[] = ownLayers): Promise<Confinement> {
  const missing = (why: string): Confinement => ({ seccomp: why, landlock: why })
  if (process.platform !== 'linux' || machine === undefined)
    return missing(`not on ${process.platform} ${process.arch}`)
  let call: Call
  let ring: string | undefined
  let pointerOf: (bytes: Buffer) => bigint
  try {
    const { address, decode, encode, load } = await import('koffi')
    const library = load(null)
    const long = 'int64'
    const syscall = library.func('syscall', long, [long, long, long, long, long, long])
    call = (number, ...values) => {
      const [a = 0, b = 0, c = 0, d = 0, e = 0] = values
      return Number(syscall(number, a, b, c, d, e))
    }
    pointerOf = address
    // While files can still be looked at.
    ring = leaveRing(library.func('uv_default_loop', 'void *', [])(), decode, encode)
  } catch (error) {
    return missing(`Node ${process.versions.node} cannot call the C library: ${(error as Error).message}`)
  }
  call(machine.prctl, setDumpable, 0)
  if (call(machine.prctl, setNoNewPrivileges, 1) !== 0) return missing('no_new_privs is refused')
  leave = (code) => {
    call((machine as Machine).exitGroup, code)
    throw new Error('unreachable')
  }
  process.on('uncaughtException', () => leave(1))
  const held = missing('not wanted')
  if (wanted.includes('landlock')) held.landlock = restrictNames(call, pointerOf)
  if (wanted.includes('seccomp')) held.seccomp = ring ?? filterCalls(machine, call, pointerOf)
  return held
}

/**
 * Makes the event loop call `epoll_ctl` instead of handing it in through an io_uring, which does what a filter refuses
 * and which libuv has no switch for. Why not, where it cannot. The ring is told by its descriptor and by the
 * size of its queue before it, else nothing is written.
 */
function leaveRing(
  loop: bigint,
  decode: typeof import('koffi').decode,
  encode: typeof import('koffi').encode,
): string | undefined {
  const rings = readdirSync('/proc/self/fd').filter((name) => targetOf(name) === 'anon_inode:[io_uring]')
  if (rings.length === 0) return undefined
  const [internalFields, mostBytes, queueBytes] = [40, 432, 256 * 64]
  const fields: bigint = decode(loop, internalFields, 'void *')
  for (let offset = 0; offset + 12 <= mostBytes; offset += 8) {
    const bytes: number | bigint = decode(fields, offset, 'uint64')
    if (Number(bytes) !== queueBytes || !rings.includes(String(decode(fields, offset + 8, 'int32')))) continue
    encode(fields, offset + 8, 'int32', -1)
    return undefined
  }
  return `libuv ${process.versions.uv} does not let go of its io_uring`
}

function targetOf(descriptor: string): string {
  try {
    return readlinkSync(`/proc/self/fd/${descriptor}`)
  } catch {
    return '' // the one that read the folder
  }
}

const setDumpable = 4
const setNoNewPrivileges = 38

/**
 * Landlock without a single rule: no file is opened, no address bound or connected to, no process outside signalled or
 * traced. Before its version 8 this is so for the thread that loaded everything and for those that it starts from now
 * on; those that Node had started before are held by the filter alone.
 */
function restrictNames(call: Call, pointerOf: (bytes: Buffer) => bigint): true | string {
  const version = call(landlock.create, 0, 0, 1)
  if (version < 1) return 'the kernel has no Landlock, or it is switched off'
  const rights = [0x1fffn, 0x3fffn, 0x7fffn, 0x7fffn, 0xffffn][Math.min(version, 5) - 1] as bigint
  const attributes = Buffer.alloc(version < 4 ? 8 : version < 6 ? 16 : 24)
  attributes.writeBigUInt64LE(rights, 0)
  if (version >= 4) attributes.writeBigUInt64LE(3n, 8)
  if (version >= 6) attributes.writeBigUInt64LE(3n, 16)
  const rules = call(landlock.create, pointerOf(attributes), attributes.length, 0)
  if (rules < 0) return 'the kernel refuses a set of rules'
  const everyThread = 8
  const isRestricted = call(landlock.restrict, rules, version >= 8 ? everyThread : 0) === 0
  return isRestricted || 'the kernel refuses to restrict the process'
}

/** The filter holds for every thread at once, and for all that they start. */
function filterCalls(on: Machine, call: Call, pointerOf: (bytes: Buffer) => bigint): true | string {
  const program = filterOf(on, process.pid)
  const header = Buffer.alloc(16)
  header.writeUInt16LE(program.length / 8, 0)
  header.writeBigUInt64LE(pointerOf(program), 8)
  const [setFilter, everyThread] = [1, 1]
  const isSet = call(on.seccomp, setFilter, everyThread, pointerOf(header)) === 0
  return isSet || 'the kernel has no seccomp filters, or refuses this one'
}

// linux/filter.h, linux/seccomp.h
const [load, and, equals, anyOf, atLeast, answer] = [0x20, 0x54, 0x15, 0x45, 0x35, 0x06]
const [allowed, refused, unknown, killed] = [0x7fff0000, 0x00050001, 0x00050026, 0x80000000]
const argument = (index: number, half = 0): number => 16 + 8 * index + 4 * half

/** A program of seccomp that allows what an inspection needs and answers EPERM to the rest. */
function filterOf(on: Machine, pid: number): Buffer {
  const steps: Buffer[] = []
  const step = (code: number, value: number, ifTrue = 0, ifFalse = 0): Buffer => {
    const bytes = Buffer.alloc(8)
    bytes.writeUInt16LE(code, 0)
    bytes.writeUInt8(ifTrue, 2)
    bytes.writeUInt8(ifFalse, 3)
    bytes.writeUInt32LE(value, 4)
    return bytes
  }
  const end = (verdict: number): Buffer => step(answer, verdict)
  /** For a call of this number what decides, which ends on every way; else on behind it. */
  const of = (number: number, ...decision: Buffer[]): void =>
    void steps.push(step(equals, number, 0, decision.length), ...decision)

  steps.push(step(load, 4), step(equals, on.audit, 1, 0), end(killed), step(load, 0))
  for (const number of on.plain) of(number, end(allowed))
  // Memory that is shared and has no file counts towards no limit.
  of(on.mmap, step(load, argument(3)), step(and, 0x21), step(equals, 0x21, 0, 1), end(refused), end(allowed))
  // Threads, and no process.
  of(on.clone, step(load, argument(0)), step(anyOf, 0x10000, 1, 0), end(refused), end(allowed))
  of(on.clone3, end(unknown))
  for (const [number, flags] of on.stat) {
    of(number, step(load, argument(flags)), step(anyOf, 0x1000, 1, 0), end(refused), end(allowed))
  }
  // Limits are read and never set, and only its own.
  of(
    on.prlimit64,
    step(load, argument(0)),
    step(equals, 0, 0, 4),
    step(load, argument(2)),
    step(equals, 0, 0, 2),
    step(load, argument(2, 1)),
    step(equals, 0, 1, 0),
    end(refused),
    end(allowed),
  )
  // Flags of a descriptor, and no duplicates, owners or leases.
  of(on.fcntl, step(load, argument(1)), step(atLeast, 5, 1, 0), step(equals, 0, 0, 1), end(refused), end(allowed))
  // Names of threads and of memory.
  of(
    on.prctl,
    step(load, argument(0)),
    step(equals, 15, 3, 0),
    step(equals, 16, 2, 0),
    step(equals, 0x53564d41, 1, 0),
    end(refused),
    end(allowed),
  )
  of(on.tgkill, step(load, argument(0)), step(equals, pid, 1, 0), end(refused), end(allowed))
  steps.push(end(refused))
  return Buffer.concat(steps)
}
