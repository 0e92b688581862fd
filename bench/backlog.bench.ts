import { WebSocket } from 'ws'
import { addEvents, databaseOf } from './data.ts'
import { atMost, type Line } from './goal.ts'
import { median } from './statistics.ts'
import { type BenchAgent, registerAgents, startKith } from './targets.ts'

const rounds = 40

/**
 * The first event after a restart, behind 10,000 unacknowledged ones, half of them known to the client, and behind
 * none.
 */
export async function backlog(): Promise<Line[]> {
  let kith = await startKith()
  try {
    const [loaded, empty] = await registerAgents(kith.url, 2, 'load')
    if (!loaded || !empty) throw new Error('two agents are needed')
    const db = await databaseOf(kith)
    await addEvents(db, [loaded.id], 10_000)
    await addEvents(db, [empty.id], 2)
    await db.end()
    await kith.stop('SIGKILL')
    kith = await startKith(kith.dataDir)
    const times = { loaded: [] as number[], empty: [] as number[] }
    for (let round = 0; round < rounds; round++) {
      times.loaded.push(await firstEvent(kith.url, loaded))
      times.empty.push(await firstEvent(kith.url, empty))
    }
    const [full, none] = [median(times.loaded), median(times.empty)]
    return [
      {
        measure: 'first event after a restart, from the handshake on, p50',
        kith: `${full.toFixed(2)} ms behind 10,000`,
        against: `${none.toFixed(2)} ms behind none`,
        ratio: `${(full / none).toFixed(2)}x`,
        goal: atMost(1.3, full / none),
      },
    ]
  } finally {
    await kith.stop()
    await kith.remove()
  }
}

async function firstEvent(url: string, agent: BenchAgent): Promise<number> {
  const began = performance.now()
  const socket = new WebSocket(`${url.replace('http', 'ws')}/ws/v1/events/`, {
    headers: { authorization: `Bearer ${agent.token}` },
    perMessageDeflate: false,
  })
  await new Promise((resolve, reject) => {
    socket.once('message', resolve)
    socket.once('error', reject)
  })
  const took = performance.now() - began
  const closed = new Promise((resolve) => socket.once('close', resolve))
  socket.close()
  await closed
  return took
}
