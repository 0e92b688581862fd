// A service of its own for the demo: a real one, in a folder that goes with it.
import { rmSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { command, dataFolder, launch, operatorFile, ready } from '../server/test/launch.ts'
import { patiently } from '../server/test/scratch.ts'

export interface Service {
  url: string
  /** Everything that the service keeps: database, mail, files. */
  dataDir: string
  /** Where the agents live; the service knows nothing of it. */
  agentsDir: string
  /** What the operator says: npm run operator -- WORDS. */
  operator(...words: string[]): Promise<void>
  stop(): Promise<void>
}

/** Start it; an abort of the signal ends it and removes everything. */
export async function startService(signal: AbortSignal): Promise<Service> {
  const { root, dataDir, remove } = await dataFolder({ prefix: 'kith-demo-' })
  // What is still running in the story may create a folder again during the removal.
  process.once('exit', () => rmSync(root, patiently))
  // A group of its own, so that Ctrl-C reaches only the demo, which then ends the service in order.
  const launched = launch(dataDir, { asShipped: true, env: { LOG_LEVEL: 'error' }, detached: true })
  const stop = async () => {
    await launched.stop()
    await remove()
  }
  try {
    const aborted = new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    })
    signal.throwIfAborted()
    const { url } = await Promise.race([ready(launched), aborted])
    const operator = async (...words: string[]) => {
      const { code, stderr } = await command(operatorFile, words, { DATA_DIR: dataDir })
      if (code !== 0) throw new Error(`operator ${words.join(' ')}: ${stderr}`)
    }
    return { url, dataDir, agentsDir: join(root, 'agents'), operator, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** How many files below a folder hold one of these. */
export async function filesWith(folder: string, ...wanted: Buffer[]): Promise<number> {
  let count = 0
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    // The database makes and removes files meanwhile.
    const content = await readFile(join(entry.parentPath, entry.name)).catch(() => Buffer.alloc(0))
    if (wanted.some((bytes) => content.includes(bytes))) count++
  }
  return count
}
