import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { atMost, type Line } from './goal.ts'
import { registerAgents, residentMiB, startKith } from './targets.ts'

const count = 5000

/** Resident memory of the service for each idle event connection; the clients are a process of their own. */
export async function idleSockets(): Promise<Line[]> {
  let kith = await startKith()
  try {
    const agents = await registerAgents(kith.url, count / 2, 'idle')
    // A fresh process, without the memory that the registrations took.
    await kith.stop()
    kith = await startKith(kith.dataDir)
    await settle()
    const before = await residentMiB(kith.pid)
    const clients = fork(fileURLToPath(new URL('idle-clients.ts', import.meta.url)))
    clients.send({ url: kith.url, tokens: agents.flatMap(({ token }) => [token, token]) })
    await new Promise((resolve) => clients.once('message', resolve))
    await settle()
    const after = await residentMiB(kith.pid)
    clients.kill()
    const each = ((after - before) * 1024) / count
    return [
      {
        measure: '5,000 idle sockets, each',
        kith: `${each.toFixed(1)} KiB (${before.toFixed(0)} → ${after.toFixed(0)} MiB)`,
        against: '',
        ratio: '',
        goal: atMost(20, each, ' KiB'),
      },
    ]
  } finally {
    await kith.stop()
    await kith.remove()
  }
}

const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 8000))
