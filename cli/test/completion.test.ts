// The scripts of kith completion in the shells that they are for; and the suggestions for unknown words.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { eventually } from '../../server/test/eventually.ts'
import { killLeftovers, startProgram } from '../../server/test/launch.ts'
import { lacks } from '../../server/test/programs.ts'
import { remove } from '../../server/test/scratch.ts'
import { commands } from '../src/commands.ts'
import { bashCompletion } from '../src/completion-bash.ts'
import { fishCompletion } from '../src/completion-fish.ts'
import { grammarOf } from '../src/completion-grammar.ts'
import { zshCompletion } from '../src/completion-zsh.ts'
import { didYouMean, distance, nearest } from '../src/nearest.ts'

const run = promisify(execFile)

let home: string
let env: NodeJS.ProcessEnv
before(async () => {
  home = await mkdtemp(join(tmpdir(), 'kith-completion-'))
  for (const profile of ['ann', 'bob']) await mkdir(join(home, 'profiles', profile), { recursive: true })
  await writeFile(join(home, 'profiles', '.profile'), 'ann\n')
  for (const name of ['a plan.pdf', 'post']) await mkdir(join(home, 'work', name), { recursive: true })
  env = { PATH: process.env['PATH'], HOME: home, KITH_HOME: join(home, 'profiles'), TERM: 'dumb', LC_ALL: 'C.UTF-8' }
  const grammar = grammarOf(commands)
  await writeFile(join(home, 'kith.bash'), bashCompletion(grammar))
  await writeFile(join(home, 'kith.fish'), fishCompletion(grammar))
  await writeFile(join(home, 'kith.zsh'), zshCompletion(grammar))
})
after(async () => {
  killLeftovers()
  await remove(home)
})

/** What stands before the cursor, the last word of it being completed, and what is offered. */
const cases: [string[], string[]][] = [
  [['or'], ['order', 'orders']],
  [['order', 'of'], ['offer']],
  [['-p', 'ann', 'order', 'p'], ['propose-refund']],
  [['order', 'offer', '--am'], ['--amount']],
  [['order', 'offer', 'bob', '--title', 'x', '--am'], ['--amount']],
  [
    ['whoami', '--profile', ''],
    ['ann', 'bob'],
  ],
  [['-p', 'b'], ['bob']],
  [
    ['use', ''],
    ['ann', 'bob'],
  ],
  [['files', 'd'], ['discard']],
  [
    ['files', 'discard', '--'],
    ['--help', '--json', '--profile'],
  ],
  [
    ['completion', ''],
    ['bash', 'fish', 'zsh'],
  ],
  [
    ['contacts', '--status', ''],
    ['blocked', 'friends', 'incoming', 'outgoing'],
  ],
  [['po'], ['poll', 'post', 'posts']],
  [['--vers'], ['--version']],
  [['send', 'bob', ''], []],
]

test('bash completes commands, options, profiles and paths', { skip: lacks('bash') }, async () => {
  const asked = [...cases, [['whoami', '--profile', '=', 'a'], ['ann']] as const]
  const script = [
    'source "$HOME/kith.bash"',
    `t() { COMP_WORDS=("$@"); COMP_CWORD=$(( $# - 1 )); COMPREPLY=(); _kith; echo "\${COMPREPLY[*]}"; }`,
    ...asked.map(([words]) => `t kith ${words.map((word) => `'${word}'`).join(' ')}`),
    "t kith upload 'a p'",
  ].join('\n')
  const { stdout, stderr } = await run('bash', ['--norc', '--noprofile', '-c', script], {
    env,
    cwd: join(home, 'work'),
  })
  const rows = stdout.trimEnd().split('\n')
  for (const [n, [words, found]] of asked.entries())
    assert.deepEqual(rows[n]!.split(' ').filter(Boolean).sort(), found, words.join(' '))
  assert.equal(rows.at(-1), 'a plan.pdf')
  assert.equal(stderr.replaceAll(/.*compopt.*\n/g, ''), '')
})

test('fish completes them too', { skip: lacks('fish') }, async () => {
  const lines = cases.map(([words]) => `kith ${words.join(' ')}`)
  const script = lines.map((line) => `complete -C '${line}'; echo ==`).join('\n')
  const { stdout, stderr } = await run('fish', ['--no-config', '-c', `source $HOME/kith.fish\n${script}`], { env })
  assert.equal(stderr, '')
  const answers = stdout.split('==\n')
  for (const [n, [words, found]] of cases.entries()) {
    const offered = answers[n]!.split('\n').flatMap((row) => (row === '' ? [] : [row.split('\t')[0]!]))
    assert.deepEqual(offered.sort(), found, words.join(' '))
  }
})

test('zsh completes them at a terminal', { skip: lacks('zsh') }, async () => {
  const { ended, input, out } = startProgram(['script', '-qec', 'zsh -f -i', '/dev/null'], {
    env,
    cwd: home,
    input: true,
  })
  const says = async (what: RegExp, from: number) =>
    eventually(() => what.test(out().slice(from)) || undefined, `${what} in ${out().slice(from)}`)
  // The editor of the line is there once it turns bracketed pastes on.
  const ready = (from: number) => says(/\x1b\[\?2004h/, from)
  await ready(0)
  let from = out().length
  input.write('autoload -U compinit; compinit -u -D; unsetopt list_beep; source $HOME/kith.zsh; echo loa""ded\r')
  await says(/loaded\r/, from)
  await ready(from)
  for (const [line, seen] of [
    ['kith order offer --am\t', /--amount /],
    ['kith whoami --profile b\t', /bob /],
    ['kith files dis\t', /discard /],
    ['kith or\t\t', /orders +-- List your orders/],
    ['kith contacts --status \t\t', /blocked +friends +incoming +outgoing/],
  ] as const) {
    from = out().length
    input.write(line)
    await says(seen, from)
    // Ctrl-U, for Ctrl-C would end a completion that is still at work, and leave the line.
    input.write('\x15')
  }
  input.write('exit\r')
  assert.equal(typeof (await ended), 'number')
})

test('words are similar at one typo, or at two if they are longer', () => {
  for (const [a, b, far] of [
    ['send', 'send', 0],
    ['sned', 'send', 1],
    ['sen', 'send', 1],
    ['', 'abc', 3],
    ['abc', '', 3],
    ['kitten', 'sitting', 3],
  ] as const)
    assert.equal(distance(a, b), far, `${a} ${b}`)
  const names = commands.map(({ name }) => name)
  assert.deepEqual(nearest('sned', names), ['send'])
  assert.deepEqual(nearest('WOHAMI', names), ['whoami'])
  assert.deepEqual(nearest('zzzzz', names), [])
  assert.deepEqual(nearest('x'.repeat(100_000), names), [], 'no work for what is no slip')
  assert.equal(didYouMean([]), undefined)
  assert.equal(didYouMean(['a', 'b', 'c']), 'did you mean a, b or c?')
})
