// What common readers say of a file: the tests of formats compare their verdicts with the service's own. They are
// programs of the system (programs.ts). One that is not installed is reported and left out.
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, type TestContext } from 'node:test'
import { lacks } from './programs.ts'

/** How each is asked about a file: whether it can be read to its end, where the reader has a way to say so. */
const readers = {
  ffprobe: (path) => ['-v', 'error', '-show_entries', 'format=format_name,duration', '-of', 'csv=p=0', path],
  ffmpeg: (path) => ['-v', 'error', '-nostdin', '-xerror', '-i', path, '-f', 'null', '-'],
  pdftoppm: (path) => ['-r', '36', '-f', '1', '-l', '1', '-png', path],
  unzip: (path) => ['-tqq', path],
  '7z': (path) => ['t', '-bd', '-p', path],
  gs: (path) => ['-q', '-dSAFER', '-dBATCH', '-dNOPAUSE', '-dNOPROMPT', '-sDEVICE=nullpage', path],
} as const satisfies Record<string, (path: string) => readonly string[]>

export type Reader = keyof typeof readers

export interface Verdict {
  /** The status of its exit; null if it was ended. */
  status: number | null
  stdout: string
  stderr: string
}

let folder: Promise<string> | undefined
let files = 0

after(async () => {
  if (folder) await rm(await folder, { recursive: true, force: true })
})

/** What a reader says of these bytes; undefined if it is not installed, which the test then says. */
export async function verdictOf(context: TestContext, reader: Reader, bytes: Uint8Array): Promise<Verdict | undefined> {
  const missing = lacks(reader)
  if (missing) {
    context.diagnostic(`${missing}: its verdicts were not compared`)
    return undefined
  }
  folder ??= mkdtemp(join(tmpdir(), 'kith-readers-'))
  const path = join(await folder, String(files++))
  await writeFile(path, bytes)
  try {
    return await run(reader, path)
  } finally {
    await rm(path, { force: true })
  }
}

const run = (reader: Reader, path: string): Promise<Verdict> =>
  new Promise((resolve, reject) => {
    const options = { timeout: 60_000, maxBuffer: 1024 * 1024, env: { ...process.env, LC_ALL: 'C' } }
    const child = execFile(reader, readers[reader](path), options, (error, stdout, stderr) => {
      if (error?.code === 'ENOENT') reject(error)
      else resolve({ status: error ? (typeof error.code === 'number' ? error.code : null) : 0, stdout, stderr })
    })
    child.stdin?.on('error', () => {}).end()
  })
