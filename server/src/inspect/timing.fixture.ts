// For the bench: how long inspections of one JPEG take by processes that are kept for its sender, and by one for each, in
// turns. It prints the times in milliseconds, and how many a second there are two at once.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import { type DerivedName, derivedNames } from '../storage/keys.ts'
import { createInspector } from './inspect.ts'
import { inspectionSlots } from './inspectors.ts'

const rounds = 30
const never = new AbortController().signal
const path = process.argv[2] as string
const folder = await mkdtemp(join(tmpdir(), 'kith-timing-'))
const inspector = createInspector({ log: pino({ level: 'silent' }) })

async function inspect(slot: number, ownerId?: string): Promise<number> {
  const began = performance.now()
  const names = derivedNames.map((name) => [name, join(folder, `${slot}.${name}`)])
  const derivedPaths = Object.fromEntries(names) as Record<DerivedName, string>
  const task = { path, format: 'jpeg', purpose: 'order', derivedPaths, derivedBytes: 20 * 1024 ** 2, slot } as const
  const { outcome } = await inspector.inspect(ownerId === undefined ? task : { ...task, ownerId }, never)
  if (outcome !== 'ready') throw new Error('the image was not found sound')
  return performance.now() - began
}

async function perSecond(ownerId?: string): Promise<number> {
  let left = rounds
  const began = performance.now()
  const atSlot = async (slot: number): Promise<void> => {
    while (left-- > 0) await inspect(slot, ownerId)
  }
  await Promise.all(inspectionSlots.map(atSlot))
  return (rounds / (performance.now() - began)) * 1000
}

try {
  const kept: number[] = []
  const alone: number[] = []
  // The first one finds out what the machine can do, the second has its process started.
  await inspect(2)
  await inspect(1, 'owner')
  for (let round = 0; round < rounds; round++) {
    kept.push(await inspect(1, 'owner'))
    alone.push(await inspect(2))
  }
  await Promise.all(inspectionSlots.map((slot) => inspect(slot, 'owner')))
  const [rate, rateAlone] = [await perSecond('owner'), await perSecond()]
  console.log(JSON.stringify({ kept, alone, rate, rateAlone }))
} finally {
  await inspector.close()
  await rm(folder, { recursive: true })
}
