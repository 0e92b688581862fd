// npm test: every test of the repository on one PostgreSQL, embedded or, with KITH_TEST_DATABASE_URL, a server's.
import { spawn } from 'node:child_process'
import { glob, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, normalize, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { dropTemplate, prepareTemplate, serverVariable, startTestServer } from './database.ts'
import { canShare, writeAlone, writeGroups } from './groups.ts'
import { leftOutLine } from './programs.ts'
import { statementsVariable } from './statements.ts'
import { type Line, tallyVariable } from './tally.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const url = process.env['KITH_TEST_DATABASE_URL']
const statements = process.env[statementsVariable]
const named = process.argv.slice(2)

/** Tests whose subject is not the database, or whose services run on one of their own: they say nothing of a server's. */
const besideTheServer = anyOf(
  /^(sdk|cli|demo|bench)\//,
  /src\/embedded\/|src\/(inspect|storage)\/|process-(start|kill)\.test|attachments\/(crash|memory)\.test/,
  // What goes over the wire, and what a browser makes of it; every page is asked for by pages.test.ts all the same, and plans
  // are looked at wherever they are.
  /src\/http\/(openapi|pipelining|socket|validate)\.test/,
  /src\/site\/((browser|brand|pages|parts)\/|[a-z-]+-attack|(language|site|twice|words)\.test)/,
  /src\/console\/(?!(plans|running|audit|deciding)\.test)/,
  /cookie-attack\.test/,
)

/**
 * What a server can do otherwise although it understands every statement: plan, lock, wait, migrate, copy, stop. Where the
 * statements of all stories are known (statements.test.ts), these are run on it again, and no others.
 */
const ofTheServer = anyOf(
  /\/store\//,
  /(plans|races?|migration|collisions|deadlock)\.test/,
  /src\/(backup|verify)\//,
  /src\/realtime\/(redis|nodes|delivery)\.test|messages\/(nodes|send)\.test/,
  /server\/test\/process-nodes/,
)

function anyOf(...patterns: readonly RegExp[]): RegExp {
  return new RegExp(patterns.map(({ source }) => source).join('|'))
}

/** Whether a test file, or a file that it imports, takes a database of the run's server. */
async function usesServer(name: string): Promise<boolean> {
  const seen = new Set([name])
  for (const each of seen) {
    if (each === 'server/test/database.ts' || each.startsWith('torture/')) return true
    const text = await readFile(join(root, each), 'utf8')
    for (const [, target = ''] of text.matchAll(/\bfrom '(\.{1,2}\/[^']+\.ts)'/g)) {
      seen.add(normalize(join(dirname(each), target)))
    }
  }
  return false
}

/** What takes longest begins first, so that no core idles at the end. */
const isLong = (name: string): boolean =>
  /embedded\.test|torture\.test|site\/browser|crash\.test|trade\.test|(cli|sdk)\/.*(story|market)|operator\.test|process-|backup\.test|storage\.test|contract\.test/.test(
    name,
  )

/** All that a run takes, what takes longest first. */
async function allFiles(): Promise<string[]> {
  const found = (await Array.fromAsync(glob('{server,sdk,cli,demo,bench,torture}/**/*.test.ts', { cwd: root }))).filter(
    (name) => !name.includes('node_modules'),
  )
  const wanted: string[] = []
  for (const name of found.sort()) {
    if (url && (besideTheServer.test(name) || !(await usesServer(name)))) continue
    if (url && statements && !ofTheServer.test(name)) continue
    wanted.push(name)
  }
  const alone = wanted.filter((name) => !canShare(name))
  // Node takes them by their paths: those outside come before those below, and of them the long ones before groups.
  const first = await writeAlone(root, alone.filter(isLong), join(folder, 'groups'))
  const groups = await writeGroups(root, wanted.filter(canShare), join(folder, 'groups'))
  return [...first, ...groups, ...alone.filter((name) => !isLong(name))]
}

const folder = await mkdtemp(join(tmpdir(), 'kith-tests-'))
const files = named.length > 0 ? named : await allFiles()
const server = url ? { ...(await prepareTemplate(url)), stop: async () => {} } : await startTestServer()
const tallyFile = join(folder, 'tally')

const flags = ['--conditions=source', '--test', '--test-concurrency=4', '--test-timeout=240000']
const reporters = ['spec', new URL('tally.ts', import.meta.url).href].flatMap((name) => [
  `--test-reporter=${name}`,
  '--test-reporter-destination=stdout',
])
const child = spawn(process.execPath, [...flags, ...reporters, ...files], {
  cwd: root,
  stdio: 'inherit',
  env: {
    ...process.env,
    // Each file is a process that would strip and compile the whole service again, and so are the children of many.
    NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/kith-tests'),
    [serverVariable]: JSON.stringify({ url: server.url, template: server.template }),
    [tallyVariable]: tallyFile,
  },
})
const code = await new Promise<number>((resolve) => child.on('exit', (status) => resolve(status ?? 1)))
const lines = (await readFile(tallyFile, 'utf8').catch(() => ''))
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => JSON.parse(line) as Line)
const tallies = lines.filter((line) => 'file' in line)
const left = lines.flatMap((line) => ('leftOut' in line ? [line.leftOut] : []))
await rm(folder, { recursive: true, force: true })
if (url) await dropTemplate(server)
await server.stop()

if (tallies.length > 5) {
  console.log('What took longest:')
  for (const { file, took } of tallies.toSorted((a, b) => b.took - a.took).slice(0, 25)) {
    console.log(
      `  ${(took / 1000).toFixed(1).padStart(6)} s  ${relative(file.startsWith(folder) ? join(folder, 'groups') : root, file)}`,
    )
  }
}
const ran = tallies.reduce((sum, { tests, skipped }) => sum + tests - skipped, 0)
if (ran === 0 && left.length === 0) console.error('No test ran.')
if (left.length > 0) console.log(leftOutLine(left.length, left))
process.exit(ran === 0 && left.length === 0 ? 1 : code)
