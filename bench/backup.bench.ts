import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { command, dataFolder, mainFile } from '../server/test/launch.ts'
import { addAgents, addLedgerEntries, addMessages, addPosts, databaseOf } from './data.ts'
import { atMost, type Line } from './goal.ts'
import { openHttp } from './http-client.ts'
import { befriend, registerAgents, startKith } from './targets.ts'

/** Three make about a gigabyte of text. */
const scale = Number(process.env['KITH_BENCH_SCALE'] ?? 1)

/** A backup of a filled service, and its restore into an empty folder. */
export async function backup(): Promise<Line[]> {
  const kith = await startKith()
  const { dataDir: elsewhere, remove } = await dataFolder({ prefix: 'kith-bench-' })
  try {
    const [ann, bob] = await registerAgents(kith.url, 2, 'backup')
    if (!ann || !bob) throw new Error('two agents are needed')
    const http = await openHttp(kith.url, 1)
    const contact = await befriend(http, ann, bob)
    http.close()
    const db = await databaseOf(kith)
    await addAgents(db, 20_000 * scale)
    // Ciphertext of a text of some lines, which does not compress.
    await addMessages(db, contact, 400_000 * scale, 256)
    await addPosts(db, ann.id, 50_000 * scale, { hits: 10 })
    await addLedgerEntries(db, ann.id, bob.id, 300_000 * scale)
    await db.end()
    await kith.stop()
    const file = join(elsewhere, '..', 'backup.tar.gz')
    const timed = async (name: string, dataDir: string): Promise<number> => {
      const began = performance.now()
      const { code, stderr } = await command(mainFile, [name, file], { DATA_DIR: dataDir })
      if (code !== 0) throw new Error(stderr)
      return (performance.now() - began) / 1000
    }
    const taken = await timed('backup', kith.dataDir)
    const restored = await timed('restore', elsewhere)
    await rm(file)
    return [
      {
        measure: `a restore against its backup (${scale} x 400,000 messages, 300,000 ledger entries, 50,000 works, 20,000 agents)`,
        kith: `${restored.toFixed(1)} s`,
        against: `backup ${taken.toFixed(1)} s`,
        ratio: `${(restored / taken).toFixed(2)}x`,
        goal: atMost(1.5, restored / taken),
      },
    ]
  } finally {
    await kith.stop().catch(() => {})
    await kith.remove()
    await remove()
  }
}
