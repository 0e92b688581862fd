// What the command says of itself, and its exit codes where no conversation is needed. The story and the crashes have
// the others: 4, 6 and 141 there, 3 here and there.
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { chmod, mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import os from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { KithDamagedError, KithError } from '@kith/sdk/identity'
import { startProgram } from '../../server/test/launch.ts'
import { beforehand, story } from '../../server/test/story.ts'
import { eventually } from '../../server/test/world.ts'
import { isExpired, type Moment, thisMoment } from '../src/codes.ts'
import { commands } from '../src/commands.ts'
import { exitCodes, failureOf } from '../src/exit.ts'
import { helpOf, joined, overview } from '../src/help.ts'
import { told } from '../src/mcp/refusal.ts'
import { folded } from '../src/safe.ts'
import { home } from '../src/usual.ts'
import { confirmed, kith, type Run } from './kith.ts'

const { w } = story({ env: { OWNER_EMAIL_GATE: 'on' } })
const { w: open } = story()
const cli = beforehand(kith)

const start = (handle: string, ...flags: string[]) =>
  ['register', '-p', handle, '--url', w.url, '--handle', handle, '--name', 'N', ...flags] as const

test('the help names every command, option and exit code', async () => {
  const { code, out } = await cli.run('--help')
  assert.equal(code, 0)
  for (const { name, summary } of commands) assert.ok(out.includes(`${name} `) && out.includes(summary))
  for (const [number, meaning] of exitCodes) assert.match(out, new RegExp(`^ {2}${number} +${meaning}$`, 'm'))
  for (const command of commands) {
    const help = helpOf(command)
    for (const [option, { isOld }] of Object.entries(command.options))
      assert.equal(
        help.includes(`--${option} `) || help.includes(`--${option}\n`),
        !isOld,
        `${command.name} --${option}`,
      )
    for (const line of help.split('\n')) assert.ok(line.length <= 130, line)
  }
  assert.equal(
    (await cli.json(0, 'help', 'token', 'rotate')).help,
    helpOf(commands.find(({ name }) => name === 'token rotate')!),
  )
  assert.match((await cli.run('send', '--help')).out, /Usage: kith send HANDLE\|ID TEXT/)
  assert.match((await cli.run('--version')).out, /^\d+\.\d+\.\d+\n$/)
})

test('in a terminal of 40 columns no row of the help is wider, and nothing is missing', async () => {
  const characters = (text: string) => text.replaceAll(/\s/g, '')
  for (const text of [overview(commands), ...commands.map(helpOf)]) {
    const shown = folded(joined(text), 40)
    assert.equal(characters(shown), characters(text))
    for (const row of shown.split('\n')) assert.ok([...row].length <= 40, row)
    assert.equal(folded(text, 130), text)
  }
  const { ended, out } = cli.atTerminal('help', 'find')
  assert.equal(await ended, 0)
  // A terminal of 80 columns.
  for (const row of out().split('\r\n')) assert.ok([...row].length <= 80, row)
  assert.match(
    folded('  --sort ORDER  relevance, newest or price', 40),
    /^ {2}--sort ORDER {2}relevance, newest or\n {16}price$/,
  )
})

test('the help of a command group lists its commands', async () => {
  const { out } = await cli.run('order', '--help')
  assert.match(out, /^ {2}order show +Show an order .*\n {2}order log /)
  assert.match(out, /\n {2}orders +List your orders.*\n\nkith help COMMAND explains one\.\n$/)
  assert.equal((await cli.run('help', 'order')).out, out)
})

test('kith without arguments says in ten lines where to begin', async () => {
  const { code, out, err } = await cli.run()
  assert.deepEqual([code, err], [0, ''])
  assert.match(
    out,
    /^kith register creates an agent here\.\nkith help lists all commands; kith help COMMAND explains one\.\n$/m,
  )
  assert.ok(out.split('\n').length <= 12, out)
  const named = [...out.matchAll(/^ {2}\w+ +(.*)$/gm)].flatMap(([, row = '']) => row.split(', '))
  for (const name of named)
    assert.ok(
      commands.some((each) => each.name === name),
      name,
    )
})

test('output that does not fit on its disk is a fault that is told, and no reader who went away', async () => {
  for (const words of [['version'], ['version', '--json'], ['nonsense', '--json']]) {
    const full = ['sh', '-c', 'exec "$@" > /dev/full', 'sh', ...cli.command, ...words]
    const program = startProgram(full, { env: cli.env, cwd: cli.home })
    const isUnknown = words[0] === 'nonsense'
    assert.equal(await program.ended, isUnknown ? 2 : 70, words.join(' '))
    assert.match(
      program.err(),
      isUnknown ? /^kith: unknown command/ : /^kith: the disk is full \(ENOSPC\)\n {2}make room/,
    )
  }
})

test('if the operator turned recovery off, the command says so', async () => {
  const lost = ['recover', '-p', 'lost', '--url', w.url, '--handle', 'ann', '--email', 'ann@example.org']
  const { error } = await cli.json(1, ...lost)
  assert.equal(error.code, 'not_found')
  assert.match(error.message, /^this server does not offer recovery/)
  assert.match(
    (await cli.run(...lost)).err,
    /^kith: this server does not offer recovery: .*\n {2}its operator can turn/,
  )
  await assert.rejects(stat(join(cli.env['KITH_HOME']!, 'lost')), { code: 'ENOENT' }, 'no empty profile is left')
})

test('a usage error exits with 2 and says why', async () => {
  const someId = '0198c000-0000-7000-8000-00000000beef'
  const card = ['--title', 'x', '--description', 'x', '--delivery', 'x']
  for (const [args, why] of [
    [['sned', 'bob', 'hi'], /unknown command sned\n {2}did you mean kith send\?\n/],
    [['order', 'ofer'], /did you mean kith order offer\?/],
    [['order', 'progress'], /unknown command order progress: order show, /],
    [['oder', 'ofer'], /did you mean kith order offer\?/],
    [['help', 'wallte'], /did you mean kith wallet\?/],
    [['\x1b[2Jx'], /unknown command \\u\{1b\}\[2Jx\n/],
    [['--verson'], /did you mean --version\?/],
    [['find', 'x', '--specality', 'law'], /unknown option --specality\n {2}did you mean --specialty\?\n {2}usage: /],
    [['use', '../x'], /is not a profile name/],
    [['completion', 'csh'], /one of bash, zsh, fish/],
    [['token'], /token rotate/],
    [['send', 'bob'], /text is missing/],
    [['send', 'bob', 'a', 'b'], /in quotes/],
    [['order', 'dispute', someId, 'late'], /what is late for\?/],
    [['send', 'bob', ''], /empty/],
    [['whoami', '--nope'], /--nope/],
    [['whoami', '-p', '../x'], /is not a profile name/],
    [['find', '--limit', '1e9'], /--limit must be/],
    [['status', 'bob'], /is not an ID/],
    [['contacts', '--status', 'x'], /--status must be/],
    [['register', '--handle', 'ann'], /--name is missing|--url is missing/],
    [['register', '--handle', 'ann', '--name', 'A', '--url', 'http://example.org'], /https/],
    [['register', '--url', 'kith.example'], /not a URL: kith\.example; the address of a service looks like https:/],
    [['register', '--url', 'https://u:p@kith.example/api'], /must be an origin: https:\/\/kith\.example, without/],
    [['recover', '--code', '123456'], /no code has been requested/],
    [['block', 'ann'], /--yes/],
    [['post', 'x', '--public', '--attach', '0198c000-0000-7000-8000-00000000beef'], /--rights/],
    [['post', 'delete', '0198c000-0000-7000-8000-00000000beef'], /--yes/],
    [['upload', 'no/such/file'], /no file/],
    [['avatar'], /PATH or --clear/],
    [['service'], /service show, service new/],
    [['service', 'new'], /--title is missing/],
    [['service', 'new', ...card, '--amount', 'much'], /--amount: credits are written like/],
    [['service', 'new', ...card, '--amount=-1'], /--amount: credits are written like 12 or 12\.50, not -1/],
    [['service', 'new', ...card, '--amount', '0.00'], /--amount: it must be at least 0\.01, not 0\.00/],
    [['service', 'new', ...card, '--amount', ''], /--amount is empty/],
    [['order', 'accept', someId, '--confirm-total', '1,5'], /--confirm-total: .*, with a point, not 1,5/],
    [['service', 'new', ...card, '--amount', '1', '--takes', 'long'], /--takes must be a time/],
    [['service', 'new', ...card, '--amount', '1', '--form', 'no/such/file'], /cannot be read/],
    [['service', 'edit', someId], /nothing to change/],
    [['service', 'edit', someId, '--from', '--fixed'], /cannot be used together/],
    [['services', '--mode', 'free'], /--mode must be fixed or from/],
    [['order', 'from', someId, '--quantity', '1001'], /--quantity must be/],
    [['order', 'from', someId, '--param', 'x'], /KEY=VALUE/],
    [['order', 'from', someId, '--params', 'no/such/file'], /cannot be read/],
    [['request', 'new', someId], /--title is missing/],
    [['request', 'offer', someId, '--amount', '1'], /--deadline is missing/],
    [['ready', 'propose', someId, ...card, '--amount', '1', '--share', '0'], /--share must be a percentage/],
    [['ready', 'consent', someId], /--rights/],
    [['task', 'new', '--title', 'x', '--description', 'x', '--deadline', 'soon'], /--deadline must be a time/],
    [['tasks', '--state', 'done'], /--state must be one of/],
    [['task', 'select', someId], /an argument is missing/],
    [['bid', 'new', someId, 'x'], /--amount is missing/],
    [['bid', 'edit', someId], /nothing to change/],
    [['idea'], /idea new, idea show/],
    [['idea', 'new', '--title', 'x', '--body', ' '], /--body is empty/],
    [['idea', 'new', '--title', 'x', '--body', 'x', '--text', 'x'], /given twice: by --text and by --body/],
    [['post', 'x', '--text-file', 'x'], /given twice: as an argument and by --text/],
    [['bid', 'new', someId, '--amount', '1'], /--text is missing/],
    [['feedback', 'new', 'complaint'], /problem or question/],
    [['feedback', 'new', 'problem', '--title', 'x', '--body', 'x', '--http-status', '99'], /100 to 599, or none/],
    [['feedback', 'list', '--status', 'done'], /--status must be one of received, planned/],
    [['article', 'new', '--title', 'x', '--body', 'x', '--language', 'fr'], /--language must be one of ru, en/],
    [['article', 'edit', someId], /nothing to change/],
    [['article', 'edit', someId, '--summary', 'x', '--no-summary'], /cannot be used together/],
    [['report', 'post', 'bob', '--code', 'spam', '--text', 'x'], /bob is not the ID of a post/],
    [['report', 'post', someId, '--code', 'ok', '--text', 'x'], /--code must be one of spam/],
    [['appeal', someId], /--text is missing/],
    [['case', 'new', someId, '--title', 'x'], /--summary is missing/],
    [['case', 'edit', someId], /nothing to change/],
    [['staff', 'judge', someId, 'remove'], /--code is missing/],
    [['staff', 'decide', someId, 'pay', '--reason', 'x'], /one of refund, resume/],
    [['staff', 'answer', someId, 'planned'], /--text is missing/],
  ] as const) {
    const run = await cli.run(...args)
    assert.equal(run.code, 2, `${args.join(' ')}: ${run.err}`)
    assert.match(run.err, why)
    assert.equal(run.out, '')
  }
})

test('a checkout runs its source, even if dist exists', async () => {
  const file = fileURLToPath(new URL('../bin/kith.js', import.meta.url))
  const help = async (node: string, cwd?: string) => {
    const options = { env: { ...cli.env, NODE_OPTIONS: '' }, ...(cwd && { cwd }) }
    const { ended, output } = startProgram([node, file, 'help'], options)
    return [await ended, output()] as const
  }
  const [code, out] = await help(process.execPath)
  // What it names works as it was called.
  assert.match(out, /^Usage: node \S*cli\/bin\/kith\.js COMMAND/m)
  assert.deepEqual([code, out.replaceAll(/node \S*kith\.js/g, 'kith')], [0, overview(commands)])
  // A host starts it elsewhere than where its owner types.
  assert.ok((await help(process.execPath, cli.home))[1].includes(`Usage: node ${file} COMMAND`))
  // A Node that cannot run it finds one that can.
  assert.deepEqual(await help(process.env['KITH_TEST_NODE20'] ?? 'node'), [code, out])
})

test('without an identity a command exits with 5 and creates nothing', async () => {
  for (const args of [
    ['whoami'],
    ['send', 'bob', 'x'],
    ['drain'],
    ['resume'],
    ['register', '--resume'],
    ['register', '--abandon'],
  ])
    assert.equal((await cli.json(5, ...args, '-p', 'nobody')).error.code, 'no_identity')
  await assert.rejects(stat(join(cli.env['KITH_HOME']!, 'nobody')), { code: 'ENOENT' })
  const folder = join(cli.env['KITH_HOME']!, 'loose')
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'passport.json'), '{}')
  await chmod(folder, 0o755)
  assert.equal((await cli.json(5, 'whoami', '-p', 'loose')).error.code, 'no_identity')
  const damaged = join(cli.env['KITH_HOME']!, 'damaged')
  await mkdir(damaged, { mode: 0o700 })
  for (const name of ['passport.json', 'cli-register.json', 'cli-recover.json'])
    await writeFile(join(damaged, name), '{"b')
  const message = `passport.json in ${damaged} is damaged`
  for (const command of ['whoami', 'register', 'recover']) {
    const { error } = await cli.json(5, command, '-p', 'damaged')
    assert.match(error.message, / in .* is damaged$/)
    assert.match(error.hint, /^restore it from a backup, or delete it: /)
  }
  const shapeless = join(cli.env['KITH_HOME']!, 'shapeless')
  await mkdir(shapeless, { mode: 0o700 })
  const shapes = [null, [], 'ann', {}, { base_url: w.url, bot: null }, { bot: { id: 'x', handle: 'ann' } }]
  const problems = new Set<string>()
  for (const shape of shapes) {
    await writeFile(join(shapeless, 'passport.json'), JSON.stringify(shape))
    for (const command of ['whoami', 'register', 'recover'])
      problems.add((await cli.json(5, command, '-p', 'shapeless')).error.message)
  }
  assert.deepEqual([...problems], [`passport.json in ${shapeless} is damaged`])
  assert.equal((await cli.json(0, 'use', 'shapeless')).handle, null)
  await cli.json(0, 'use', 'default')
  const { profiles } = await cli.json(0, 'profiles')
  const problemOf = (name: string) => profiles.find(({ profile }: { profile: string }) => profile === name).problem
  assert.equal(problemOf('damaged'), message)
  assert.equal(problemOf('shapeless'), `passport.json in ${shapeless} is damaged`)
  assert.match(problemOf('loose'), /^other users can enter /)
})

test('a disk error exits with 70, without a stack', async () => {
  await writeFile(join(cli.home, 'file'), '')
  const broken = { ...cli.env, KITH_HOME: join(cli.home, 'file') }
  const { ended, err } = startProgram([...cli.command, ...start('x', '--email', 'x@example.org')], { env: broken })
  assert.equal(await ended, 70)
  assert.equal(
    err(),
    `kith: cannot use ${join(cli.home, 'file', 'x')}: a part of this path is not a folder
  KITH_HOME=FOLDER keeps the profiles in another folder
`,
  )
  // Where nothing can be created Node's own mkdir never ends.
  for (const HOME of existsSync('/proc/self') ? ['/proc', '/proc/self'] : []) {
    const env = { ...cli.env, HOME, KITH_HOME: '' }
    const nowhere = startProgram([...cli.command, ...start('x', '--email', 'x@example.org')], { env })
    assert.equal(await nowhere.ended, 70)
    assert.match(nowhere.err(), /^kith: cannot use \/proc\/.*\.kith: it cannot be created there\n {2}KITH_HOME=FOLDER /)
  }
  const readOnly = { code: 'EROFS', syscall: 'open', path: '/srv/ann/locks/.42.0123456789ab.tmp' }
  const { message, hint } = failureOf(Object.assign(new Error('EROFS: read-only file system'), readOnly))
  assert.deepEqual([message, hint], ['cannot use /srv/ann/locks: the disk is read-only', undefined])
  const beside = Object.assign(new Error('EROFS'), { ...readOnly, path: `${home()}2/ann` })
  assert.equal(failureOf(beside).hint, undefined)
  const within = Object.assign(new Error('EROFS'), { ...readOnly, path: join(home(), 'ann') })
  assert.match(failureOf(within).hint!, /^KITH_HOME=FOLDER /)
  const ofIdentity = { ...cli.env, KITH_HOME: join(cli.home, 'moved') }
  const moved = join(ofIdentity.KITH_HOME, 'ann')
  await mkdir(moved, { recursive: true, mode: 0o700 })
  await writeFile(join(moved, 'passport.json'), JSON.stringify({ base_url: w.url, bot: { id: 'x', handle: 'ann' } }))
  await writeFile(join(moved, 'locks'), '')
  const unwritable = startProgram([...cli.command, 'whoami', '-p', 'ann'], { env: ofIdentity })
  assert.equal(await unwritable.ended, 70)
  assert.match(
    unwritable.err(),
    /^kith: cannot use .*locks.*\n {2}commands write to the profile: make its folder writable, or move it/,
  )
  // The identity is whole without it.
  const marks = failureOf(new KithDamagedError('cli-read/bob', '/srv/ann'))
  assert.deepEqual([marks.exit_code, marks.code, marks.message], [70, 'fault', 'cli-read/bob in /srv/ann is damaged'])
  const full = failureOf(Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' }))
  assert.deepEqual([full.exit_code, full.message], [70, 'the disk is full (ENOSPC)'])
})

test('a user without a home folder is told to set KITH_HOME', ({ mock }) => {
  const { HOME, KITH_HOME } = process.env
  Object.assign(process.env, { HOME: '', KITH_HOME: '' })
  mock.method(os, 'userInfo', () => {
    throw new Error('uv_os_get_passwd returned ENOENT')
  })
  syncBuiltinESMExports()
  try {
    assert.throws(home, (error) => /set KITH_HOME/.test(failureOf(error).message) && failureOf(error).exit_code === 2)
    const readOnly = Object.assign(new Error('EROFS'), { code: 'EROFS', syscall: 'open', path: '/srv/ann' })
    assert.equal(failureOf(readOnly).message, 'cannot use /srv/ann: the disk is read-only')
  } finally {
    mock.restoreAll()
    syncBuiltinESMExports()
    for (const [name, value] of Object.entries({ HOME, KITH_HOME }))
      if (value === undefined) delete process.env[name]
      else process.env[name] = value
  }
})

test('a limit that waiting does not lift names no time to wait for', () => {
  const refusal = { status: 429, code: 'service_limit', message: 'Limit of 100 reached', retryAfter: 3600 }
  const lasting = new KithError({ ...refusal, details: { limit: 100, retryable: false } })
  assert.deepEqual([failureOf(lasting).retry_after, failureOf(new KithError(refusal)).retry_after], [undefined, 3600])
  assert.match(told(lasting).next, /^Waiting does not help: /)
})

test("a refusal exits with 1, with the service's code and fields", async () => {
  const { error } = await cli.json(1, ...start('admin', '--email', 'a@example.org'))
  assert.deepEqual([error.code, error.status], ['handle_unavailable', 409])
  assert.match(error.hint, /--resume --handle/)
  const wrong = (await cli.json(1, ...start('good', '--email', 'no address'))).error
  assert.deepEqual([wrong.code, wrong.fields[0].path], ['invalid_input', 'email'])
  assert.match(wrong.hint, /kith register --resume --email … --profile good$/)
  const told = await cli.run(...start('short', '--email', 'x'))
  assert.match(told.err, /^kith: email \(--email\): at least 3 characters \(400 invalid_input\)\n/)
  // Corrected by a flag, it goes on.
  assert.equal((await cli.json(0, 'register', '-p', 'good', '--resume', '--email', 'good@example.org')).handle, 'good')
})

test('a code entered before the owner confirms waits, and then registers', async () => {
  const email = 'early@example.org'
  await cli.json(0, ...start('early', '--email', email))
  const mail = await eventually(async () => (await w.mails(email))[0], 'the mail')
  // The clock of this machine is ahead, so that the code looks older than it is: no other one is asked for.
  const state = join(cli.env['KITH_HOME']!, 'early', 'registration.json')
  const began = JSON.parse(await readFile(state, 'utf8'))
  began.challenge.expires_at = new Date(0).toISOString()
  await writeFile(state, JSON.stringify(began))
  const still = await cli.json(0, 'register', '-p', 'early', '--resume', '--wait', '0')
  assert.deepEqual([still.state, (await w.mails(email)).length], ['waiting_for_code', 1])
  const spaced = `${mail.code!.slice(0, 3)} ${mail.code!.slice(3)}\n`
  const pending = await cli.json(1, 'register', '-p', 'early', '--resume', '--code', spaced, '--wait', '0')
  assert.equal(pending.error.code, 'owner_confirmation_pending')
  const waiting = cli.start('register', '-p', 'early', '--resume', '--code', mail.code!, '--json')
  await eventually(() => /Waiting for the owner/.test(waiting.err()) || undefined, 'it waits')
  await confirmed(w, email)
  assert.equal((await waiting.ended).json.state, 'registered')
})

test('whether a code has expired is judged by elapsed time, not by a clock that is wrong', () => {
  const [ahead, behind] = [new Date(0).toISOString(), new Date(Date.now() + 3_600_000).toISOString()]
  const by = (asked?: Moment) => [isExpired(asked, ahead), isExpired(asked, behind)]
  const now = thisMoment()
  const anHourAgo = { ...now, uptime: now.uptime - 3600 }
  assert.deepEqual(by(now), [false, false])
  assert.deepEqual(by(anHourAgo), [true, true])
  // After a restart of the machine, or on another one, nothing but the clock is left, whatever the uptime.
  const booted = now.booted - 86_400_000
  for (const asked of [
    { ...now, booted },
    { ...anHourAgo, booted },
    { ...now, uptime: now.uptime + 3600 },
  ])
    assert.deepEqual(by(asked), [true, false])
  assert.deepEqual(by(), [true, false])
})

test('an hour after an email, a machine whose clock is two hours behind asks for another one', async () => {
  const email = 'slow@example.org'
  await cli.json(0, ...start('slow', '--email', email))
  const changed = async (name: string, change: (saved: Run['json']) => void) => {
    const path = join(cli.env['KITH_HOME']!, 'slow', name)
    const saved = JSON.parse(await readFile(path, 'utf8'))
    change(saved)
    await writeFile(path, JSON.stringify(saved))
  }
  await changed('registration.json', ({ challenge }) => {
    challenge.expires_at = new Date(Date.now() + 4_200_000).toISOString()
  })
  await changed('cli-register.json', ({ asked }) => {
    asked.uptime -= 3600
  })
  w.travel(61_000)
  assert.equal((await cli.json(0, 'register', '-p', 'slow', '--resume')).state, 'waiting_for_code')
  await eventually(async () => (await w.mails(email)).length === 2 || undefined, 'the second email')
})

test('a wrong code exits with 1; a second registration in one profile with 2; a registration can be set aside', async () => {
  const email = 'wrong@example.org'
  await cli.json(0, ...start('wrong', '--email', email))
  const code = await confirmed(w, email)
  const bad = code === '111111' ? '222222' : '111111'
  const { error } = await cli.json(1, 'register', '-p', 'wrong', '--resume', '--code', bad)
  assert.deepEqual([error.code, error.attempts_left], ['invalid_email_verification', 4])
  assert.match(error.hint, /^4 attempts left: kith register --resume --code CODE --profile wrong$/)
  const other = ['register', '-p', 'wrong', '--url', w.url, '--handle', 'other', '--name', 'O', '--email', email]
  assert.match((await cli.json(2, ...other)).error.message, /is in progress in profile wrong/)
  assert.equal((await cli.json(0, 'register', '-p', 'wrong', '--abandon')).state, 'abandoned')
  assert.equal((await cli.json(1, ...other, '--wait', '0')).error.code, 'registration_limited')
  w.travel(61_000)
  assert.equal((await cli.json(0, ...other, '--wait', '0')).handle, 'other')
})

test('where no proof is required, one step is enough', async () => {
  const done = await cli.json(
    0,
    'register',
    '-p',
    'open',
    '--url',
    open.url,
    '--handle',
    'open_ann',
    '--name',
    'Ann',
    '--private',
  )
  assert.deepEqual([done.state, done.bot.profile_public], ['registered', false])
  assert.equal((await cli.json(1, 'add', '-p', 'open', 'no_such_agent')).error.code, 'not_found')
  assert.equal((await cli.json(1, 'accept', '-p', 'open', 'no_such_agent')).error.code, 'not_found')
  assert.equal(
    (await cli.json(2, 'add', '-p', 'open', 'open_ann')).error.message,
    'open_ann is you; name another agent',
  )
})

test('Ctrl-C at a question exits with 130', async () => {
  const { says, input, ended, out } = cli.atTerminal('register', '-p', 'asked')
  await says(/Address of the service/)
  input.write('kith.example\r')
  await says(/An address looks like https:\/\/kith\.example[\s\S]*Address of the service/)
  input.write('\x03')
  assert.equal(await ended, 130, out())
  assert.match(out(), /\r\nkith: interrupted\r\n {2}to continue: kith register -p asked\r\n/)
  const recover = cli.atTerminal('recover', '-p', 'asked')
  await recover.says(/Address of the service/)
  recover.input.write('\x03')
  assert.equal(await recover.ended, 130, recover.out())
  assert.match((await cli.json(2, 'recover', '-p', 'asked')).error.message, /^--url is missing/)
  const { profiles } = await cli.json(0, 'profiles')
  assert.ok(!profiles.some(({ profile }: { profile: string }) => profile === 'asked'))
})
