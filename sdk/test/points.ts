// The points where a process may be killed: before and after every call of the file system and the network, in the
// middle of every write, or (with `awaits`) where an await of the SDK's own code goes on.
import { createHook } from 'node:async_hooks'
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import WebSocket from 'ws'

let point = (): void => {}

function firstFrame(): string {
  const frames = (new Error().stack ?? '').split('\n').slice(3)
  return frames.find((frame) => !frame.includes('node:internal') && !frame.includes('(<anonymous>)')) ?? ''
}

type Method = (...args: unknown[]) => Promise<unknown>

function surround(owner: Record<string, Method>, name: string): void {
  const real = owner[name]!
  owner[name] = async function (this: unknown, ...args: unknown[]) {
    point()
    const result = await real.apply(this, args)
    point()
    return result
  }
}

/** A write in two halves with a point between: what a crash in the middle leaves. */
function halve(owner: Record<string, Method>, name: string): void {
  const real = owner[name]!
  owner[name] = async function (this: unknown, data: unknown, ...rest: unknown[]) {
    const bytes = Buffer.from(data as string)
    const middle = Math.floor(bytes.length / 2)
    point()
    await real.call(this, bytes.subarray(0, middle), ...rest)
    point()
    await real.call(this, bytes.subarray(middle), ...rest)
    point()
  }
}

/** From now on, act at every point before it goes on. */
export async function atEveryPoint(where: 'calls' | 'awaits', act: () => void): Promise<void> {
  if (where === 'awaits') {
    const ours = new Set<number>()
    createHook({
      init(asyncId, type) {
        // The frames above this hook's own: the innermost one that is not Node's says whose await it is.
        if (type === 'PROMISE' && /\/sdk\/src\//.test(firstFrame())) ours.add(asyncId)
      },
      before(asyncId) {
        if (ours.delete(asyncId)) point()
      },
    }).enable()
    point = act
    return
  }
  const promises = fs.promises as unknown as Record<string, Method>
  const probe = await fs.promises.open(join(tmpdir(), `kith-points-${process.pid}`), 'w')
  const handle = Object.getPrototypeOf(probe) as Record<string, Method>
  await probe.close()
  fs.rmSync(join(tmpdir(), `kith-points-${process.pid}`))
  for (const name of ['sync', 'datasync', 'close', 'truncate']) surround(handle, name)
  for (const name of ['writeFile', 'appendFile']) halve(handle, name)
  for (const name of ['open', 'rename', 'link', 'unlink', 'rm', 'mkdir', 'writeFile']) surround(promises, name)
  syncBuiltinESMExports()
  const realSend = WebSocket.prototype.send as (this: WebSocket, data: string) => void
  WebSocket.prototype.send = function (this: WebSocket, data: string) {
    point()
    realSend.call(this, data)
    point()
  } as WebSocket['send']
  const realFetch = globalThis.fetch
  globalThis.fetch = async (...args) => {
    point()
    const response = await realFetch(...args)
    point()
    const bytes = await response.arrayBuffer()
    point()
    return new Response(bytes, response)
  }
  point = act
}
