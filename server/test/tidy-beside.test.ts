// The rules of the programs beside the service (bench, torture, demo, and the helpers of tests), read from its source.
import assert from 'node:assert/strict'
import { glob, readFile } from 'node:fs/promises'
import { dirname, join, normalize } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { mutants } from '../../torture/mutations.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const files = new Map<string, string>()
for await (const name of glob('{server,sdk,cli,python,demo,bench,torture}/**/*.ts', { cwd: root })) {
  if (!/node_modules|\/dist\//.test(name)) files.set(name, await readFile(join(root, name), 'utf8'))
}
const within = (...folders: string[]): [string, string][] =>
  [...files].filter(([name]) => folders.some((folder) => name.startsWith(`${folder}/`)))

/** What a file of this repository imports of it. */
const importsOf = (name: string, text: string): string[] =>
  [...text.matchAll(/\b(?:from|import) ?\(? ?'(\.[^']+)'/g)].map(([, target = '']) =>
    normalize(join(dirname(name), target)),
  )

function offenders(pattern: RegExp, of: [string, string][], allowed: readonly string[] = []): string[] {
  return of
    .filter(([name, text]) => !allowed.includes(name) && pattern.test(text.replace(/\/\/.*$/gm, '')))
    .map(([name]) => name)
}

test('bench, torture and demo import from the service only what starts it, and its rules only through the oracle', () => {
  const known =
    /^server\/src\/embedded\/(embedded|leftovers)\.ts$|^server\/src\/mail\/read\.ts$|^server\/test\/(launch|mails|scratch|order-rules|market-rules)\.ts$|^sdk\//
  const wrong = within('bench', 'torture', 'demo').flatMap(([name, text]) =>
    importsOf(name, text)
      .filter((target) => dirname(target).split('/')[0] !== name.split('/')[0] && !known.test(target))
      .map((target) => `${name} → ${target}`),
  )
  assert.deepEqual(wrong, [])
})

test('the launcher and the oracle import nothing from the service', () => {
  // How its emails are read from their files, and where tests make theirs, is known to all, and knows nothing itself.
  const alone = ['server/src/mail/read.ts', 'server/test/scratch.ts']
  const beside = ['launch', 'mails', 'order-rules', 'market-rules'].map((each) => `server/test/${each}.ts`)
  for (const name of [...alone, ...beside])
    assert.deepEqual(
      importsOf(name, files.get(name) as string).filter((target) => !alone.includes(target)),
      [],
      name,
    )
})

test('the service imports nothing from the programs beside it', () => {
  const wrong = within('server/src', 'sdk/src', 'cli/src')
    .filter(([name]) => !/\.(test|fixture)\.ts$/.test(name))
    .flatMap(([name, text]) => importsOf(name, text).map((target) => [name, target] as const))
    .filter(([, target]) => /^(bench|torture|demo)\/|\/test\//.test(target))
  assert.deepEqual(wrong, [])
})

test('all processes of the service are started by one launcher', () => {
  const beside = within('bench', 'torture', 'demo', 'server/test', 'sdk/test', 'cli/test')
  // The run of the tests, a stand-in for S3, and nobody's right to run Node: none of them is the service.
  const others = ['run', 'swift', 'process'].map((name) => `server/test/${name}.ts`)
  const own = ['server/test/launch.ts', ...others]
  const folders = beside.filter(([name]) => !name.startsWith('sdk/'))
  assert.deepEqual(offenders(/\bspawn(Sync)?\b.*from 'node:child_process'/, folders, own), [])
  assert.deepEqual(offenders(/server\/src\/(operator\/)?main\.ts/, beside, own), [])
})

test('durations use a monotonic clock', () => {
  assert.deepEqual(offenders(/\bDate\.now\(\)|\bnew Date\(\)/, within('bench', 'torture', 'demo')), [])
})

test('the torture takes all randomness from its seed', () => {
  const chance = /\bMath\.random\(|\brandom(UUID|Bytes|Int)\(/
  assert.deepEqual(offenders(chance, within('torture'), ['torture/main.ts']), [])
})

test('each source text that a torture mutant changes appears exactly once', async () => {
  for (const { name, changes } of mutants) {
    for (const { file, text } of changes) {
      const source = await readFile(join(root, file), 'utf8')
      assert.equal(source.split(text).length, 2, `${name}: ${file} does not hold exactly once: ${text}`)
    }
  }
})
