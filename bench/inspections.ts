// Inspections of a small image by processes that are kept for one sender, against a process for each, in turns.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { cleanEnv, startProgram } from '../server/test/launch.ts'
import { atLeast, atMost, type Line } from './goal.ts'
import { median } from './statistics.ts'

const timing = fileURLToPath(new URL('../server/src/inspect/timing.fixture.ts', import.meta.url))

interface Timed {
  kept: number[]
  alone: number[]
  rate: number
  rateAlone: number
}

export async function inspections(image: Buffer): Promise<Line[]> {
  const folder = await mkdtemp(join(tmpdir(), 'kith-bench-image-'))
  try {
    const path = join(folder, 'image')
    await writeFile(path, image)
    const program = startProgram([process.execPath, '--conditions=source', '--no-warnings', timing, path], {
      env: cleanEnv({}),
    })
    if ((await program.ended) !== 0) throw new Error(program.err())
    const { kept, alone, rate, rateAlone } = JSON.parse(program.out()) as Timed
    const [soon, before] = [median(kept), median(alone)]
    return [
      {
        measure: `inspection of an image of ${Math.round(image.length / 1024)} KiB, p50`,
        kith: `${soon.toFixed(1)} ms`,
        against: `a process for each ${before.toFixed(1)} ms`,
        ratio: `${(soon / before).toFixed(2)}x`,
        goal: atMost(40, soon, ' ms'),
      },
      {
        measure: 'the same, 2 at once',
        kith: `${rate.toFixed(1)}/s`,
        against: `a process for each ${rateAlone.toFixed(1)}/s`,
        ratio: `${(rate / rateAlone).toFixed(1)}x`,
        goal: atLeast(4, rate / rateAlone),
      },
    ]
  } finally {
    await rm(folder, { recursive: true })
  }
}
