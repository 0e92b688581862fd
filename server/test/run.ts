// npm test: the tests of the repository on one PostgreSQL, embedded or, with KITH_TEST_DATABASE_URL, a server's.
import { spawn } from 'node:child_process'
import { glob, mkdir, mkdtemp, readFile } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { dirname, join, normalize, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { dropTemplate, prepareTemplate, serverVariable, startTestServer } from './database.ts'
import { sharing, writeAlone, writeGroups } from './groups.ts'
import { clusterVariable } from './launch.ts'
import { leftOutLine } from './programs.ts'
import { filesVariable, type Line, linesVariable, span } from './progress.ts'
import { remove, roomiestPlace, scratchVariable } from './scratch.ts'
import { statementsVariable } from './statements.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const url = process.env['KITH_TEST_DATABASE_URL']
const statements = process.env[statementsVariable]
const named = process.argv.slice(2).filter((word) => word !== '--all')
const all = process.argv.includes('--all')
/** Failures that the closing lines name. */
const mostListed = 5

/** Tests whose subject is not the database, or whose services run on one of their own: they say nothing of a server's. */
const besideTheServer = anyOf(
  /^(sdk|cli|python|demo|bench)\//,
  /src\/embedded\/|src\/(inspect|storage|wal)\/|backup\/crash\.test|store\/landed\.test|process-(start|kill)\.test|attachments\/(crash|memory)\.test/,
  // What goes over the wire, and what a browser makes of it; pages.test.ts still asks for every page.
  /src\/http\/(openapi|pipelining|socket|validate)\.test/,
  /src\/site\/((browser|brand|pages|parts)\/|[a-z-]+-attack|(language|site|twice|words)\.test)/,
  /src\/console\/(?!(running|audit|deciding)\.test)/,
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

/**
 * What `npm test` leaves to `--all`, which the gate runs: tests that go through every case of a rule; a story shows one of them.
 */
const repeats = anyOf(
  // Every page at every width, in every state, in a browser; and every page for every reader.
  /site\/(browser\/(console|customers|looks)|pages)\.test/,
  // Every route with every caller and every malformed request, and every change sent again.
  /^server\/test\/(contract|replays|market)\.test/,
  // Twenty at once where a story has one, rules played in random orders or from every standing of an order, hostile hands on every
  // field and page; every plan.
  /(races?|collisions|deadlock|model|hostile|attack|plans|orders\/(exits|listed))\.test/,
  // The stories of the API told again through the SDK and the command, which keep one each, and the pages' in further browsers.
  /^sdk\/test\/(market|orders|posts|human-orders|oversight|project-cases|voices)\.test/,
  /^cli\/test\/(market|trade|human-orders|oversight|project-cases|voices|share|export|mcp-(guard|hosts|trade))\.test/,
  /site\/browser\/(account|eye|focus|orders)\.test/,
  // A kill at every call and every write, and random loads with faults.
  /(\/|mcp-)crash(-kinds)?\.test|process-(kill|silence)\.test|^torture\//,
  // Every proxy, machine, shell, package, reader of files and earlier version, every turn of three clients in one folder, a whole
  // town, the benches, and the documents walked as they are written.
  /process-proxies\.test|^server\/(seed|upgrades)\/|(cli|sdk)\/test\/(readme|ways|published|completion|package|strangers)\.test|packages\.test|inspect\/readers\.test|^(demo|bench)\/|python-agent\.test|^python\/test\/(docs|turns|wheel)\.test/,
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

/** What waits longest for something else than a core: it begins before all others, so that none idles at the end. */
const waitsLong = (name: string): boolean =>
  /process-proxies|embedded\/embedded|browser\/looks|test\/process\.test/.test(name)

/** What takes a core longest, of those that have a process to themselves. */
const isLong = (name: string): boolean => /crash|torture|demo|memory|process-|backup|restore|docs/.test(name)

/** All that a run takes. */
async function wantedFiles(): Promise<string[]> {
  const found = (
    await Array.fromAsync(glob('{server,sdk,cli,python,demo,bench,torture}/**/*.test.ts', { cwd: root }))
  ).filter((name) => !name.includes('node_modules'))
  const wanted: string[] = []
  for (const name of found.sort()) {
    // `npm run check` holds the sources against their rules.
    if (/tidy[a-z-]*\.test/.test(name)) continue
    if (!all && !url && repeats.test(name)) continue
    if (url && (besideTheServer.test(name) || !(await usesServer(name)))) continue
    if (url && statements && !ofTheServer.test(name)) continue
    wanted.push(name)
  }
  return wanted
}

/** The files that Node starts processes for, sorted as it starts them. */
async function inProcesses(names: readonly string[]): Promise<string[]> {
  const into = join(folder, 'groups')
  const { short = [], waiting = [], none = [] } = Object.groupBy(names, sharing)
  const alone = Object.groupBy(none, (name) => (waitsLong(name) ? '0' : isLong(name) ? 'long' : 'short'))
  const written = [
    ...Object.entries(alone).map(([beginning, files]) => writeAlone(root, files, into, beginning)),
    ...(waiting.length > 0 ? [writeGroups(root, waiting, into, '00-')] : []),
    writeGroups(root, short, into),
  ]
  return (await Promise.all(written)).flat().sort()
}

const folder = await mkdtemp(join(tmpdir(), 'kith-tests-'))
const wanted = named.length > 0 ? named : await wantedFiles()
const files = named.length > 0 ? named : await inProcesses(wanted)
// A backend that gets its memory in huge pages instead of small ones takes a fifth less of a core. The tests' own programs have the
// usual ones: some of them are asked how much they have.
const { GLIBC_TUNABLES } = process.env
process.env['GLIBC_TUNABLES'] ??= 'glibc.malloc.hugetlb=1'
const place = roomiestPlace()
const cluster = await mkdtemp(join(place, 'kith-test-cluster-'))
const server = url
  ? { ...(await prepareTemplate(url)), stop: async () => {} }
  : await startTestServer(join(cluster, 'data'))
const linesFile = join(folder, 'lines')
const cache = join(root, 'node_modules/.cache')
const report = join(cache, 'kith-tests.txt')
await mkdir(cache, { recursive: true })

// Half of a story's time is waiting. A young generation of this size is collected less often than a service's would be.
// With more than sixteen, the server would have too few connections.
const concurrency = Math.min(3 * Math.max(availableParallelism(), 2), 16)
const flags = [
  '--conditions=source',
  '--max-semi-space-size=64',
  '--test',
  `--test-concurrency=${concurrency}`,
  // Of a test, and of a file that shares its process.
  '--test-timeout=360000',
]
const reporters = [
  [new URL('progress.ts', import.meta.url).href, 'stdout'],
  ['spec', named.length > 0 ? 'stdout' : report],
].flatMap(([name, destination]) => [`--test-reporter=${name}`, `--test-reporter-destination=${destination}`])
const began = performance.now()
const child = spawn(process.execPath, [...flags, ...reporters, ...files], {
  cwd: root,
  stdio: 'inherit',
  env: {
    ...process.env,
    GLIBC_TUNABLES,
    // Threads that stay, as those of server/src/site/cards/drawer.ts.
    VIPS_MAX_THREADS: '32',
    // Each file is a process that would strip and compile the whole service again, and so are the children of many.
    NODE_COMPILE_CACHE: join(cache, 'kith-tests'),
    [serverVariable]: JSON.stringify({ url: server.url, template: server.template }),
    [linesVariable]: linesFile,
    [scratchVariable]: place,
    ...(!url && { [clusterVariable]: join(cluster, 'data') }),
    ...(named.length === 0 && { [filesVariable]: String(wanted.length) }),
  },
})
const code = await new Promise<number>((resolve) => child.on('exit', (status) => resolve(status ?? 1)))
const took = performance.now() - began
const lines = (await readFile(linesFile, 'utf8').catch(() => ''))
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => JSON.parse(line) as Line)
await Promise.all([folder, cluster].map(remove))
if (url) await dropTemplate(server)
await server.stop()

const tallies = lines.filter((line) => 'file' in line)
const left = lines.flatMap((line) => ('leftOut' in line ? [line.leftOut] : []))
const failures = lines.flatMap((line) => ('failure' in line ? [line.failure] : []))
const sum = (count: (tally: (typeof tallies)[number]) => number): number =>
  tallies.reduce((total, tally) => total + count(tally), 0)
const ran = sum(({ tests, skipped }) => tests - skipped)
if (ran === 0 && left.length === 0) console.error('No test ran.')
if (named.length === 0) {
  const [passed, skipped] = [sum((tally) => tally.passed), sum((tally) => tally.skipped)].map((n) =>
    n.toLocaleString('en'),
  )
  console.log(`${passed} tests passed in ${span(took)}; ${failures.length} failed; ${skipped} skipped`)
  for (const { name, at } of failures.slice(0, mostListed)) console.log(`  ✖ ${name} (${at})`)
  if (failures.length > mostListed) console.log(`  … and ${failures.length - mostListed} more`)
  console.log(`Everything that was printed: ${relative(process.cwd(), report)}`)
  if (!all && !url)
    console.log(
      'npm test -- --all runs the tests that repeat these on every page, at every crash and on other machines',
    )
}
if (left.length > 0) console.log(leftOutLine(left.length, left))
process.exit(ran === 0 && left.length === 0 ? 1 : code)
