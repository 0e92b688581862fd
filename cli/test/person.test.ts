// What a person meets at a terminal: questions, progress, events, and the commands that are named to them.
import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { asCalled, called, quotedWord } from '../src/called.ts'
import { wrongCode } from '../src/codes.ts'
import { commands } from '../src/commands.ts'
import { agreed } from '../src/confirm.ts'
import { type EventData, eventRow } from '../src/event-text.ts'
import { type Failure, failureText } from '../src/exit.ts'
import type { Io } from '../src/io.ts'
import { createProgress } from '../src/progress.ts'
import { cutTo, line } from '../src/safe.ts'
import { flagOf, typedAgain } from '../src/typed.ts'
import { rememberProfile, usualProfile } from '../src/usual.ts'

const commandNamed = (name: string) => commands.find((command) => command.name === name)!

test('y means yes, n or Enter means no, and anything else asks again', async () => {
  for (const [answers, isYes] of [
    [['y'], true],
    [['Y'], true],
    [['YES'], true],
    [['maybe', 'да', 'у', 'yes please', 'yes'], true],
    [['n'], false],
    [['No'], false],
    [['?', ''], false],
  ] as const) {
    const left = [...answers]
    const notes: string[] = []
    const io = { ask: async () => left.shift()!, note: (text: string) => void notes.push(text) } as unknown as Io
    const asked = agreed(io, 'Go?')
    if (isYes) await asked
    else await assert.rejects(asked, { code: 'usage', message: 'nothing was done' })
    assert.equal(left.length, 0)
    assert.deepEqual(notes, Array(answers.length - 1).fill('Answer y or n.'))
  }
})

test('a wrong code says how many attempts remain', () => {
  assert.equal(wrongCode(2, 'new'), 'Wrong code: 2 attempts left.')
  assert.equal(wrongCode(1, 'new'), 'Wrong code: 1 attempt left.')
  assert.equal(wrongCode(0, 'new'), 'Wrong code: no attempts left. For another email: new')
  assert.match(wrongCode(undefined, 'new'), /^This code is no longer valid: .* For another email: new$/)
})

test('an action longer than a second prints one line, which is cleared before other output', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  let now = 0
  let out = ''
  const write = (text: string) => {
    out += text
    return true
  }
  const progress = createProgress({ columns: 40, write } as NodeJS.WriteStream, () => now)
  const pass = (ms: number) => {
    for (let n = 0; n < ms; n += 250) {
      now += 250
      t.mock.timers.tick(250)
    }
    const told = out
    out = ''
    return told.replaceAll('\r\x1b[K', '|')
  }
  assert.equal(pass(750), '')
  assert.equal(pass(250), '|waiting for the service … 1 s')
  progress.clear()
  assert.equal(pass(750), '|')
  progress.show('漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字')
  assert.equal(pass(250), '|漢字漢字漢字漢字漢字漢字漢字漢字漢字漢', 'never as wide as the terminal')
  progress.show(`x ${'█'.repeat(30)} 1%`)
  assert.equal(pass(250), `|x ${'█'.repeat(30)} 1%`)
  progress.show('x: being inspected')
  assert.equal(pass(1000), '|x: being inspected|x: being inspected … 1 s')
  progress.show('')
  assert.equal(await progress.without(async () => pass(3000)), '|', 'nothing moves under a question')
  assert.equal(pass(1000), '|waiting for the service … 1 s')
  progress.rest()
  assert.equal(pass(5000), '|', 'whoever listens is not late')
  createProgress(undefined).show('nobody sees it')
  assert.equal(cutTo('abc', 3), 'abc')
})

test('an event is one row, and its text cannot break out', () => {
  const at = new Date(2027, 0, 2, 3, 4)
  const hostile = 'hi\n\x1b[2J\u202e" → kith send eve 漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字'
  const from = { id: '0198c000-0000-7000-8000-00000000beef', handle: 'bob' }
  const message = { id: '1', direction: 'received' as const, created_at: '', untrusted_text: hostile, from }
  const told: EventData = { event_id: '1', kind: 'message.created', message, next: 'kith read bob' }
  for (const columns of [20, 60, 80, 200]) {
    const row = eventRow(told, at, columns)
    assert.match(row, /^03:04 {2}bob: "hi .*" {2}→ kith read bob$/)
    assert.doesNotMatch(row, /[\p{Cc}\p{Cf}]/u)
    if (columns >= 60) assert.equal(cutTo(row, columns), row, `${columns}`)
  }
  const { untrusted_text: _, ...unread } = message
  const closed = { ...told, message: { ...unread, problem: 'key_changed' } } as EventData
  assert.match(eventRow(closed, at, 80), /bob sent a message that cannot be opened \(key_changed\)/)
  const other: EventData = {
    event_id: '1',
    kind: 'order.changed',
    says: 'an order is funded',
    payload: {},
    next: 'kith x',
  }
  assert.equal(eventRow(other, at, 80), '03:04  an order is funded  → kith x')
})

test('help names a command the way it was called', async (t) => {
  const npx = { npm_lifecycle_event: 'npx', npm_lifecycle_script: "'kith'" }
  assert.equal(called({}, '/usr/local/bin/kith'), 'kith')
  assert.equal(called(npx, '/srv/agent/node_modules/.bin/kith'), 'npx kith')
  // An agent that npx started, and that starts a kith of its own.
  assert.equal(called({ ...npx, npm_lifecycle_script: 'agent' }, '/usr/local/bin/kith'), 'kith')
  assert.equal(called({ npm_lifecycle_event: 'test' }, '/usr/local/bin/kith'), 'kith')
  const cache = await folder(t)
  const script = join(cache, '_npx', 'a4b61e00', 'node_modules', '.bin', 'kith')
  assert.equal(called(npx, script), 'npx kith')
  await mkdir(join(cache, '_npx', 'a4b61e00'), { recursive: true })
  for (const [kept, how] of [
    ['{"_npx":{"packages":["https://kith.example/kith.tgz"]}}', 'npx --yes https://kith.example/kith.tgz'],
    ['{"_npx":{"packages":["a", "b"]}}', 'npx kith'],
    ['{', 'npx kith'],
  ] as const) {
    await writeFile(join(cache, '_npx', 'a4b61e00', 'package.json'), kept)
    assert.equal(called(npx, script), how)
  }
  assert.equal(
    asCalled('kith help lists them; ~/.kith and npx kith stay'),
    'kith help lists them; ~/.kith and npx kith stay',
  )
})

test('a suggested command contains no code and is quoted for the shell', () => {
  const register = commandNamed('register')
  const again = (...argv: string[]) => typedAgain(argv, register)
  assert.equal(again('register', '--name', "Ann O'Hara", '-p', 'ann'), "kith register --name 'Ann O'\\''Hara' -p ann")
  assert.equal(again('register', '--code', '123456', '--invitation=abc', '--handle', 'x'), 'kith register --handle x')
  assert.equal(again('register', '--name', '\x1b[2J'), 'the same command again')
  assert.equal(again('register', '--name', 'x'.repeat(500)), 'the same command again')
  assert.equal(typedAgain(['send', 'bob', '--', '--code'], commandNamed('send')), 'kith send bob -- --code')
  assert.equal(quotedWord(''), "''")
})

test('a refused field is named with its flag; several fields get a row each', () => {
  const failure = (fields: Failure['fields']): Failure => ({
    exit_code: 1,
    code: 'invalid_input',
    status: 400,
    message: `Invalid input: ${fields![0]!.path}: ${fields![0]!.problem}`,
    hint: 'one\ntwo\x1b',
    fields,
  })
  const flags = (path: string) => flagOf(commandNamed('register'), path)
  const name = { path: 'display_name', problem: 'at most 64 characters' }
  const odd = { path: 'x\x1b[2J', problem: 'odd' }
  assert.equal(
    failureText(failure([name]), line, flags),
    'kith: display_name (--name): at most 64 characters (400 invalid_input)\n  one\n  two\\u{1b}',
  )
  assert.equal(
    failureText(failure([name, odd]), line, flags),
    'kith: Invalid input (400 invalid_input)\n  display_name (--name): at most 64 characters\n  x\\u{1b}[2J: odd\n  one\n  two\\u{1b}',
  )
  assert.deepEqual(['parameters.colour', 'toString', '__proto__'].map(flags), [undefined, undefined, undefined])
  assert.equal(flagOf(commandNamed('order from'), 'parameters.colour'), '--param')
})

test('the default profile is a name, or the first profile', async (t) => {
  const home = await folder(t)
  const before = process.env['KITH_HOME']
  process.env['KITH_HOME'] = home
  t.after(() => {
    if (before === undefined) delete process.env['KITH_HOME']
    else process.env['KITH_HOME'] = before
  })
  assert.equal(usualProfile(), 'default')
  await rememberProfile('bob')
  assert.equal(usualProfile(), 'bob')
  for (const odd of ['', '../x', 'a\nb', 'x'.repeat(65), '\x1b[2J']) {
    await writeFile(join(home, '.profile'), odd)
    assert.equal(usualProfile(), 'default', JSON.stringify(odd))
  }
  await rememberProfile('default')
  assert.deepEqual(await readdir(home), [])
})

async function folder(t: TestContext): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'kith-person-'))
  t.after(() => rm(path, { recursive: true, force: true }))
  return path
}
