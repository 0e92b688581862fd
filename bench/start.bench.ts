import { atMost, type Line } from './goal.ts'
import { median } from './statistics.ts'
import { residentMiB, startKith } from './targets.ts'

const rounds = Number(process.env.ROUNDS ?? 5)

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
  const line = (measure: string, value: number, unit: string, limit: number): Line => ({
    measure,
    kith: `${value.toFixed(0)} ${unit}`,
    against: '',
    ratio: '',
    goal: atMost(limit, value, ` ${unit}`),
  })
  return [
    line('start to ready, first time', median(first), 'ms', 3000),
    line('start to ready, later', median(later), 'ms', 1000),
    line('process, idle', median(memory), 'MiB', 200),
  ]
}
