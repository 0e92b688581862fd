// Inspections of a small image by processes that are kept for one sender, against a process for each, in turns.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import { createInspector } from '../server/src/inspect/inspect.ts'
import { inspectionSlots } from '../server/src/inspect/inspectors.ts'
import { type DerivedName, derivedNames } from '../server/src/storage/keys.ts'
import type { Line } from './main.ts'
import { atLeast, atMost } from './reach.ts'
import { median } from './statistics.ts'

const rounds = 30
const never = new AbortController().signal

/** As an upload asks for them: one after another, and as many at once as there may be. */
export async function inspections(image: Buffer): Promise<Line[]> {
  const folder = await mkdtemp(join(tmpdir(), 'kith-bench-inspections-'))
  const inspector = createInspector({ log: pino({ level: 'silent' }) })
  try {
    const path = join(folder, 'image')
    await writeFile(path, image)
    const inspect = async (slot: number, ownerId?: string): Promise<number> => {
      const began = performance.now()
      const name = (each: DerivedName): string => join(folder, `${slot}.${each}`)
      const derivedPaths = Object.fromEntries(derivedNames.map((each) => [each, name(each)])) as Record<
        DerivedName,
        string
      >
      const task = { path, format: 'jpeg', purpose: 'order', derivedPaths, derivedBytes: 20 * 1024 ** 2, slot } as const
      const { outcome } = await inspector.inspect(ownerId === undefined ? task : { ...task, ownerId }, never)
      if (outcome !== 'ready') throw new Error('the image was not found sound')
      return performance.now() - began
    }
    const perSecond = async (ownerId?: string): Promise<number> => {
      let left = rounds
      const began = performance.now()
      const atSlot = async (slot: number): Promise<void> => {
        while (left-- > 0) await inspect(slot, ownerId)
      }
      await Promise.all(inspectionSlots.map(atSlot))
      return (rounds / (performance.now() - began)) * 1000
    }

    const kept: number[] = []
    const alone: number[] = []
    // One inspection finds out what the machine can do, and one has its process started.
    await inspect(2)
    await inspect(1, 'owner')
    for (let round = 0; round < rounds; round++) {
      kept.push(await inspect(1, 'owner'))
      alone.push(await inspect(2))
    }
    const [soon, before] = [median(kept), median(alone)]
    // The second slot has its process by then as well.
    await Promise.all(inspectionSlots.map((slot) => inspect(slot, 'owner')))
    const rate = await perSecond('owner')
    const rateBefore = await perSecond()
    return [
      {
        measure: `inspection of an image of ${Math.round(image.length / 1024)} KiB, p50`,
        kith: `${soon.toFixed(1)} ms`,
        against: `a process for each ${before.toFixed(1)} ms`,
        ratio: `${(soon / before).toFixed(2)}x`,
        reach: atMost(40, soon, ' ms'),
      },
      {
        measure: 'the same, 2 at once',
        kith: `${rate.toFixed(1)}/s`,
        against: `a process for each ${rateBefore.toFixed(1)}/s`,
        ratio: `${(rate / rateBefore).toFixed(1)}x`,
        reach: atLeast(4, rate / rateBefore),
      },
    ]
  } finally {
    await inspector.close()
    await rm(folder, { recursive: true })
  }
}
