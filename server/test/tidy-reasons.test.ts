// Whoever reads at night why the service does not start finds that line in docs/operating.md, with what to do.
import assert from 'node:assert/strict'
import { glob, readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const sources = new Map<string, string>()
const starting =
  '{launch.mjs,server/src/{commands,config,documents,failure,misspelt,secrets}.ts,server/src/embedded/*.ts,server/src/app/{data-folder,database,listening,metrics-server}.ts,server/src/app/workers/primary.ts,server/src/store/{migrate,pooler}.ts,server/src/wal/{bases,sender}.ts}'
for await (const name of glob(starting, { cwd: root }))
  if (!/\.(test|fixture)\.ts$/.test(name)) sources.set(name, await readFile(`${root}/${name}`, 'utf8'))

const page = await readFile(`${root}/docs/operating.md`, 'utf8')
const [, section = ''] = /^## When it does not start\n([\s\S]*?)^## /m.exec(page) ?? []
/** What the first column quotes; `…` is for anything. */
const rows = [...section.matchAll(/^\| (.*?`.*?) \| /gm)].flatMap(([, cell = '']) =>
  [...cell.matchAll(/`([^`]+)`/g)].map(([, text = '']) => text),
)
const patternOf = (row: string): RegExp =>
  new RegExp(
    row
      .replace(/^…|…$/g, '')
      .split('…')
      .map((part) => part.trim().replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
      .join('[^\n]*'),
  )

/** Without the values in it. */
const plain = (text: string): string => text.replace(/\$\{[^}]*\}/g, 'x')

/** Reasons for which no start ends, or that end it with one of the others. */
const others = [
  'MAIL_URL does not store',
  'only a provisional database',
  'ended unexpectedly',
  'is there already',
  'ended with',
  'ended by',
  'x is writable by other users',
  'workers in a row ended soon',
]

test('docs/operating.md has every reason for which the service does not start', () => {
  const reasons = [...sources].flatMap(([name, text]) =>
    [...text.matchAll(/new (?:Config|Migration)?Error\(\s*(['`])([\s\S]*?)\1/g)].map(([, , reason = '']) => ({
      name,
      reason: plain(reason),
    })),
  )
  assert.ok(reasons.length > 30)
  assert.deepEqual(
    reasons.filter(
      ({ reason }) => !others.some((each) => reason.includes(each)) && !rows.some((row) => patternOf(row).test(reason)),
    ),
    [],
  )
})

test('the code can print every reason that the page quotes', () => {
  const code = [...sources.values()].map(plain).join('\n')
  assert.ok(rows.length > 20)
  assert.deepEqual(
    rows.filter((row) => !patternOf(row).test(code)),
    [],
  )
})
