import type { Line } from './main.ts'
import { median } from './statistics.ts'
import { residentMiB, startKith } from './targets.ts'

const rounds = 5

/** From the spawn to the ready line: with an empty data folder, and with one that is there. */
export async function coldAndWarmStart(): Promise<Line[]> {
  const [first, later, memory]: [number[], number[], number[]] = [[], [], []]
  for (let round = 0; round < rounds; round++) {
    let kith = await startKith()
    first.push(kith.readyAfter)
    await kith.stop()
    kith = await startKith(kith.dataDir)
    later.push(kith.readyAfter)
    await new Promise((resolve) => setTimeout(resolve, 3000))
    memory.push(await residentMiB(kith.pid))
    await kith.stop()
    await kith.remove()
  }
  const line = (measure: string, kith: string, reach: string): Line => ({
    measure,
    kith,
    against: '',
    ratio: '',
    reach,
  })
  return [
    line('start to ready, first time', `${median(first).toFixed(0)} ms`, 'under 3 s'),
    line('start to ready, later', `${median(later).toFixed(0)} ms`, 'under 1 s'),
    line('process, idle', `${median(memory).toFixed(0)} MiB`, 'under 120 MiB'),
  ]
}
