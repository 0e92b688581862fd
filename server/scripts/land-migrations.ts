// npm run land: writes the digests of new migrations behind those in server/migrations/landed.sha256. Lines that are
// there stay: an installation has applied those migrations. The file can also be read by `sha256sum -c`.
import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { shippedMigrations } from '../src/store/migrate.ts'

const landedFile: string = fileURLToPath(new URL('../migrations/landed.sha256', import.meta.url))

export interface Landed {
  name: string
  digest: string
}

export async function landedMigrations(): Promise<Landed[]> {
  const lines = (await readFile(landedFile, 'utf8')).trimEnd().split('\n')
  return lines.map((line) => {
    const [digest = '', name = ''] = line.split('  ')
    return { name, digest }
  })
}

/** What is wrong with the migrations that are shipped, in one line each: a landed one is there, unchanged, and first. */
export function faultsOf(landed: readonly Landed[], shipped: readonly Landed[]): string[] {
  const changed = landed.flatMap(({ name, digest }) => {
    const ours = shipped.find((migration) => migration.name === name)
    if (!ours) return [`${name} has landed and is gone`]
    return ours.digest === digest ? [] : [`${name} has landed and was edited: write a new migration`]
  })
  const last = landed.at(-1)?.name ?? ''
  const early = shipped.filter(({ name }) => name < last && !landed.some((each) => each.name === name))
  return [...changed, ...early.map(({ name }) => `${name} is new and comes before ${last}, which has landed`)]
}

async function land(): Promise<void> {
  const [landed, shipped] = [await landedMigrations(), await shippedMigrations()]
  const faults = faultsOf(landed, shipped)
  if (faults.length > 0) {
    for (const fault of faults) process.stderr.write(`${fault}\n`)
    process.exitCode = 1
    return
  }
  const lines = shipped.map(({ name, digest }) => `${digest}  ${name}\n`)
  await writeFile(landedFile, lines.join(''))
  process.stdout.write(`${shipped.length - landed.length} migrations more have landed\n`)
}

if (import.meta.main) await land()
