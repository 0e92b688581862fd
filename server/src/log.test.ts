// What an error leaves in the log.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { eventually } from '../test/world.ts'
import { createLog, isForPeople, safeError } from './log.ts'
import { lineFor } from './log-lines.ts'

test('an error is logged without the values in it', () => {
  const token = `kith_${'Ab3_'.repeat(10)}xyz`
  const told = safeError(new Error(`550 <bob.smith@example.org>: no; postgres://u:pass@db/x; ${token}`))
  assert.equal(told['message'], '550 <[address]>: no; [address]; [token]')
  const failed = Object.assign(new Error('Key (email)=(bob@example.org) exists'), {
    severity: 'ERROR',
    code: '23505',
    constraint: 'owners_pkey',
    detail: 'bob@example.org',
  })
  assert.doesNotMatch(JSON.stringify(safeError(failed)), /bob/)
  assert.equal(safeError(failed)['constraint'], 'owners_pkey')
  assert.deepEqual(safeError('kith_secret'), { name: 'string' })
})

test('an error about the server itself keeps the words that say what to do', () => {
  const failed = (code: string, message: string) => Object.assign(new Error(message), { severity: 'FATAL', code })
  for (const [code, message] of [
    ['53300', 'too many connections for role "kith"'],
    ['53100', 'could not extend file "base/5/16388": No space left on device'],
    ['57P01', 'terminating connection due to administrator command'],
    ['28P01', 'password authentication failed for user "kith"'],
  ] as const)
    assert.equal(safeError(failed(code, message))['message'], message)
  for (const code of ['22P02', '23505', '42601', 'P0001', 'XX000'])
    assert.equal(safeError(failed(code, 'Key (email)=(bob@example.org)'))['message'], undefined)
})

test('repeated lines become one: the first at once, then the number that followed', async () => {
  const lines: Record<string, unknown>[] = []
  const log = createLog('info', { to: { write: (line) => void lines.push(JSON.parse(line)) }, windowMilliseconds: 50 })
  const away = (route: string): void =>
    log.warn({ request_id: randomUUID(), route, error: safeError(new Error('away')) }, 'the database is not available')
  for (let i = 0; i < 1000; i++) away('/one')
  away('/two')
  log.error('no facts')
  log.error('no facts')
  for (let i = 0; i < 3; i++) log.info({ n: i }, 'news')
  log.warn({ error: safeError(new Error('gone')) }, 'the database is not available')
  assert.deepEqual(
    lines.map(({ level, msg, route }) => [level, msg, route]),
    [
      ['warn', 'the database is not available', '/one'],
      ['warn', 'the database is not available', '/two'],
      ['error', 'no facts', undefined],
      ...Array(3).fill(['info', 'news', undefined]),
      ['warn', 'the database is not available', undefined],
    ],
  )
  const more = await eventually(() => (lines.length >= 9 ? lines.slice(7) : undefined), 'what stands for the others')
  assert.deepEqual(
    more.map(({ msg, route, repeated }) => [msg, route, repeated]),
    [
      ['the database is not available', '/one', 999],
      ['no facts', undefined, 1],
    ],
  )
  assert.ok(more.every((line) => line['request_id'] === undefined))
  away('/one')
  assert.equal(lines.length, 10, 'a new window begins with a line of its own')
})

test('distinct lines beyond the counted limit are still logged', async () => {
  const lines: Record<string, unknown>[] = []
  const log = createLog('info', { to: { write: (line) => void lines.push(JSON.parse(line)) }, windowMilliseconds: 50 })
  for (let i = 0; i < 2500; i++) for (let n = 0; n < 2; n++) log.warn({ mail: i }, 'mail expired')
  await eventually(() => (lines.length === 5000 ? true : undefined), 'each line and its repetition')
})

const plain = (_style: unknown, text: string): string => text
const shown = (entry: unknown, frames = false): string =>
  lineFor({ frames, paint: plain })(JSON.stringify(entry)).replace(/^(\d\d:){2}\d\d /, '')

test('a line for people shows the level, what happened, why, and the other details', () => {
  const time = '2026-01-02T03:04:05.678Z'
  const frames = ['    at connect (/srv/kith/store.ts:1:2)', '    at run (/srv/kith/main.ts:3:4)']
  const cases: [Record<string, unknown>, string][] = [
    [{ level: 'info', time, msg: 'stopped' }, 'info  stopped\n'],
    [
      { level: 'info', time, migrations: 7, msg: 'the database was migrated' },
      'info  the database was migrated migrations=7\n',
    ],
    [
      {
        level: 'warn',
        time,
        route: '/a b',
        error: { name: 'Error', code: 'ECONNREFUSED', message: 'refused', frames },
        msg: 'away',
      },
      'warn  away: refused (ECONNREFUSED) route="/a b"\n',
    ],
    [
      {
        level: 'error',
        time,
        error: { name: 'PostgreSQL', code: '23505', constraint: 'owners_pkey', frames },
        msg: 'no',
        repeated: 3,
      },
      'error no: PostgreSQL owners_pkey (23505) (3 times more)\n',
    ],
    [{ level: 'fatal', time, error: { name: 'string' }, list: [1, { a: null }] }, 'fatal string list=[1,{"a":null}]\n'],
    [{ level: 'warn', time: 'never', msg: '' }, '--:--:-- warn \n'],
  ]
  for (const [entry, expected] of cases) assert.equal(shown(entry).replace(/ +\n$/, ' \n'), expected)
  const [, error] = cases[2] as (typeof cases)[number]
  assert.equal(shown(cases[2]?.[0], true), `${error}${frames.join('\n')}\n`)
  assert.equal(lineFor({ frames: false })('no JSON\n'), 'no JSON\n')
  const painted = lineFor({ frames: false, paint: (style, text) => `<${String(style)}>${text}</>` })
  assert.match(painted(JSON.stringify({ level: 'error', time, msg: 'x' })), /^<dim>[\d:]+<\/> <red>error<\/> x\n$/)
})

test('no value breaks a line, controls a terminal or reverses the text after it', () => {
  const hostile = 'a\nb\r\u001b[2J\u001b]0;x\u0007\u0085\u2028\u202ec\u009b1m\u0000'
  const entry = {
    level: 'warn',
    [hostile]: hostile,
    list: [hostile],
    msg: hostile,
    error: { message: hostile, code: hostile },
  }
  for (const frames of [false, true]) {
    const line = shown({ ...entry, error: { ...entry.error, frames: [hostile] } }, frames)
    assert.equal(line.match(/\n/g)?.length, frames ? 2 : 1)
    assert.doesNotMatch(line.replaceAll('\n', ''), /[\p{Cc}\p{Zl}\p{Zp}\u202e]/u)
  }
})

test('the format is configured, or follows the output', () => {
  const linesIn = (format: 'pretty' | 'json' | undefined, level = 'info'): string => {
    let text = ''
    const write = (line: string): void => {
      text += line
    }
    const log = createLog(level, { format, to: { write } })
    log.error({ error: safeError(new Error('bob@example.org is away')) }, 'mail failed')
    return text
  }
  assert.match(linesIn('pretty'), /^.*error.* mail failed: \[address\] is away\n$/)
  assert.match(linesIn('pretty', 'debug'), /is away\n.* at .*\n/)
  assert.equal(JSON.parse(linesIn('json')).msg, 'mail failed')
  assert.equal(isForPeople(undefined), process.stdout.isTTY === true)
})
