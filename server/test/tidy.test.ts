// The house's own rules, read from its source: who imports whom, where time and settings come from, what is tested.
import assert from 'node:assert/strict'
import { glob, readFile } from 'node:fs/promises'
import { dirname, join, normalize } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const files = new Map<string, string>()
for await (const name of glob('{server,sdk,cli,python,demo,bench,torture}/**/*.{ts,css,sql}', { cwd: root })) {
  if (!/node_modules|\/dist\//.test(name)) files.set(name, await readFile(join(root, name), 'utf8'))
}
const isTest = (name: string): boolean => /\.(test|fixture|bench)\.ts$|\/test\//.test(name)
const sources = [...files].filter(([name]) => name.startsWith('server/src/') && name.endsWith('.ts') && !isTest(name))

/** Comments gone; what is in strings stays. */
const codeOf = (text: string): string => text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|[\s;{(,])\/\/.*$/gm, '$1')

/** The files of this repository that a file imports, `import type` included, with whether only types are. */
function importsOf(name: string, text: string): { target: string; typesOnly: boolean }[] {
  const statements = codeOf(text).matchAll(
    /(?:import|export)\s+(type\s)?[^'"`;]*?from\s+'([^']+)'|import\(\s*'([^']+)'\s*\)/g,
  )
  return [...statements].flatMap(([, type, from, dynamic]) => {
    const target = from ?? dynamic ?? ''
    if (!target.startsWith('.')) return [{ target, typesOnly: Boolean(type) }]
    return [{ target: normalize(join(dirname(name), target)), typesOnly: Boolean(type) }]
  })
}

// The rooms of server/src, the lower first: a room imports its own storey and those below it.
const storeys: readonly (readonly string[])[] = [
  [
    'kernel',
    'config.ts',
    'failure.ts',
    'log.ts',
    'log-lines.ts',
    'log-output.ts',
    'misspelt.ts',
    'metrics.ts',
    'secrets.ts',
  ],
  ['embedded'],
  ['store'],
  ['quotas', 'search'],
  ['events'],
  ['mail', 'storage', 'inspect', 'documents.ts'],
  ['service.ts'],
  ['http'],
  ['module.ts'],
  ['modules'],
  ['realtime', 'site', 'console', 'operator', 'verify', 'backup', 'wal'],
  ['app'],
  ['main.ts', 'commands.ts', 'greeting.ts', 'operator/main.ts'],
]
const within = (name: string): string => name.slice('server/src/'.length)
/** A file that has a place of its own, or the room that it is in. */
const roomOf = (name: string): string => {
  const path = within(name)
  return storeys.some((rooms) => rooms.includes(path)) ? path : (path.split('/', 1)[0] as string)
}
const storeyOf = (name: string): number => storeys.findIndex((rooms) => rooms.includes(roomOf(name)))

test('no code uses syntax that Node 22 cannot read', () => {
  // It has no `using`: server/src/inspect/disposing.ts frees what was taken.
  const wrong = [...files].filter(([name, text]) => name.endsWith('.ts') && /^\s*(await )?using \w+ =/m.test(text))
  assert.deepEqual(
    wrong.map(([name]) => name),
    [],
  )
})

test('no suite is defined later than its file', () => {
  // A group of files stops following where tests are defined once they are loaded: server/test/suite.ts.
  const wrong = [...files].filter(([name, text]) => isTest(name) && /^ *describe\(.*, async \(/m.test(text))
  assert.deepEqual(
    wrong.map(([name]) => name),
    [],
  )
})

test('no npm link replaces Node', async () => {
  const { packages } = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { bin?: Record<string, string> }>
  }
  const nodes = Object.entries(packages).flatMap(([path, { bin }]) => (bin && 'node' in bin ? [path] : []))
  assert.equal(nodes.length, 4)
  for (const path of nodes)
    assert.match(path, /^runtime\/node_modules\//, `${path} shadows the machine's Node in npm scripts`)
})

test('a room imports only its own level and those below', () => {
  const wrong: string[] = []
  for (const [name, text] of sources) {
    assert.ok(storeyOf(name) >= 0, `${name} is in no storey: say where it stands`)
    for (const { target } of importsOf(name, text)) {
      if (!target.startsWith('server/src/')) continue
      if (storeyOf(target) > storeyOf(name)) wrong.push(`${name} → ${target}`)
    }
  }
  assert.deepEqual(wrong, [])
})

test('rooms have no import cycle', () => {
  const edges = new Map<string, Set<string>>()
  for (const [name, text] of sources) {
    for (const { target } of importsOf(name, text)) {
      if (!target.startsWith('server/src/') || roomOf(target) === roomOf(name)) continue
      edges.set(roomOf(name), (edges.get(roomOf(name)) ?? new Set()).add(roomOf(target)))
    }
  }
  assert.deepEqual(circlesOf(edges), [])
})

test('files have no import cycle, types included', () => {
  const edges = new Map(
    [...files]
      .filter(([name]) => /^(server|sdk|cli)\/src\/.*\.ts$/.test(name) && !isTest(name))
      .map(([name, text]) => [name, new Set(importsOf(name, text).map(({ target }) => target))]),
  )
  assert.deepEqual(circlesOf(edges), [])
})

/** Each circle of a graph once it is met, as a path. */
function circlesOf(edges: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  const circles: string[] = []
  const clear = new Set<string>()
  const visit = (room: string, path: readonly string[]): void => {
    if (path.includes(room)) return void circles.push([...path.slice(path.indexOf(room)), room].join(' → '))
    if (clear.has(room)) return
    for (const next of edges.get(room) ?? []) visit(next, [...path, room])
    clear.add(room)
  }
  for (const room of edges.keys()) visit(room, [])
  return circles
}

/** What of a room speaks HTTP: its routes and manifest, and what reads and writes the bytes of files for them. */
const speaksHttp = /\/(routes|module|[a-z]+-routes)\.ts$|attachments\/(receive|bytes)\.ts$/

test('verbs do not depend on HTTP', () => {
  const wrong = sources
    .filter(([name]) => name.startsWith('server/src/modules/') && !speaksHttp.test(name))
    .flatMap(([name, text]) => importsOf(name, text).map(({ target }) => ({ name, target })))
    .filter(({ target }) => target.startsWith('server/src/http/') || target === 'node:http' || speaksHttp.test(target))
  assert.deepEqual(wrong, [])
})

// docs/how-it-works.md#where-to-find-things: the later import the earlier.
const order: readonly (readonly string[])[] = [
  ['wallet'],
  ['identity', 'moderation', 'attachments', 'reputation'],
  ['parties'],
  ['contacts', 'posts', 'feedback', 'editorial'],
  ['messages', 'orders'],
  ['catalog', 'tasks'],
  ['profiles'],
  ['requests', 'ready', 'reviews', 'project-cases'],
  ['discovery', 'records'],
  ['humans', 'visitors', 'staff'],
  ['agenda'],
]

test('modules import earlier ones, and never the routes, jobs or tests of another', () => {
  const moduleOf = (name: string): string | undefined => /^server\/src\/modules\/([\w-]+)\//.exec(name)?.[1]
  const rank = (module: string): number => order.findIndex((modules) => modules.includes(module))
  const wrong: string[] = []
  for (const [name, text] of sources) {
    const here = moduleOf(name)
    if (here !== undefined) assert.ok(rank(here) >= 0, `${here} has no place in the order of modules`)
    for (const { target } of importsOf(name, text)) {
      const there = moduleOf(target)
      if (there === undefined || there === here) continue
      const isInner = /\/(routes|module)\.ts$|\.test\.ts$/.test(target)
      if (isInner && name !== 'server/src/app/modules.ts')
        wrong.push(`${name} → ${target}: the inside of another module`)
      // Routes are leaves: they may call any front door.
      if (here === undefined || name.endsWith('/routes.ts')) continue
      if (rank(there) > rank(here)) wrong.push(`${name} → ${target}: a later module`)
    }
  }
  assert.deepEqual(wrong, [])
})

test('modules have no import cycle', () => {
  const edges = new Map<string, Set<string>>()
  const moduleOf = (name: string): string | undefined => /^server\/src\/modules\/([\w-]+)\//.exec(name)?.[1]
  for (const [name, text] of sources) {
    const here = moduleOf(name)
    if (here === undefined || name.endsWith('/routes.ts')) continue
    for (const { target } of importsOf(name, text)) {
      const there = moduleOf(target)
      if (there !== undefined && there !== here) edges.set(here, (edges.get(here) ?? new Set()).add(there))
    }
  }
  assert.deepEqual(circlesOf(edges), [])
})

test('published code does not import the server', () => {
  const wrong = [...files]
    .filter(([name]) => /^(sdk|cli)\/src\//.test(name) && !isTest(name))
    .flatMap(([name, text]) => importsOf(name, text).map(({ target }) => ({ name, target })))
    .filter(({ target }) => target.startsWith('server/') || target.startsWith('kith-server'))
  assert.deepEqual(wrong, [])
})

function offenders(pattern: RegExp, allowed: readonly string[], of = sources): string[] {
  return of
    .filter(([name]) => !allowed.includes(name))
    .flatMap(([name, text]) =>
      codeOf(text)
        .split('\n')
        .filter((line) => pattern.test(line))
        .map((line) => `${name}: ${line.trim()}`),
    )
}

test('only files that start a process pass the environment on, and config.ts reads it', () => {
  const entrances = ['main.ts', 'commands.ts', 'config.ts', 'operator/main.ts'].map((name) => `server/src/${name}`)
  // A child process inherits it; no setting is read.
  entrances.push('server/src/embedded/binaries.ts', 'server/src/embedded/launch.ts')
  assert.deepEqual(offenders(/process\.env\b/, entrances), [])
})

test('time comes from the clock, not from SQL or Date', () => {
  assert.deepEqual(offenders(/\bDate\.now\(|\bnew Date\(\)/, ['server/src/kernel/clock.ts']), [])
  const inSql =
    /\b(now|clock_timestamp|statement_timestamp|transaction_timestamp|timeofday)\(\)|\bcurrent_(timestamp|date|time)\b|\blocaltime/i
  const statements = sources.flatMap(([name, text]) =>
    [...codeOf(text).matchAll(/`[^`]*`/g)]
      .map(([statement]) => statement.replace(/\$\{[^}]*\}/g, '?'))
      .filter((statement) => /\b(select|insert|update|delete|with)\b/i.test(statement) && inSql.test(statement))
      .map((statement) => `${name}: ${statement.slice(0, 120)}`),
  )
  assert.deepEqual(statements, [])
  const migrations = [...files].filter(([name]) => /^server\/migrations\//.test(name))
  assert.ok(migrations.length > 0)
  assert.deepEqual(
    migrations.filter(([, text]) => inSql.test(text.replace(/--.*$/gm, ''))).map(([name]) => name),
    [],
  )
})

/** Longer than 500 lines, each for its reason. */
const long: Readonly<Record<string, string>> = {
  'server/src/mail/mail.test.ts': 'one world of mail servers for every story of the outbox',
  'server/src/modules/staff/hiding.test.ts': 'the stories of what a moderator hides count what each of them walked',
  'server/src/embedded/embedded.test.ts': 'the stories of one database folder share their processes',
  'server/test/contract.test.ts': 'the whole matrix of access and of malformed requests in one place',
}

test('no file has more than 500 lines without a reason', () => {
  const over = [...files]
    .filter(([name, text]) => text.split('\n').length > 501 && !name.includes('/generated/'))
    .map(([name]) => name)
  assert.deepEqual(
    over.filter((name) => !(name in long)),
    [],
  )
})

test('no work is left for later', () => {
  // In two pieces, so that this file does not match.
  const mark = new RegExp(`\\b(${['TO', 'DO'].join('')}|${['FIX', 'ME'].join('')}|${['X', 'XX'].join('')})\\b`)
  assert.deepEqual(
    [...files].filter(([, text]) => mark.test(text)).map(([name]) => name),
    [],
  )
})
