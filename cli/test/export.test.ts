// Everything of an agent's own as files: what an export has, that it goes on after any kill, and what a check of it finds.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { chmod, cp, mkdir, readdir, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { checkExport } from '@kith/sdk/export'
import { befriended } from '../../sdk/test/registered.ts'
import { wav } from '../../server/test/corpus-media.ts'
import { uploadInspected } from '../../server/test/files.ts'
import { cleanEnv, startProgram } from '../../server/test/launch.ts'
import { pluck } from '../../server/test/pluck.ts'
import { beforehand, story } from '../../server/test/story.ts'
import { command } from './command.ts'
import { lines } from './kith.ts'

const { w } = story()
const { cli, way, sdk } = command(w, 'ann', 'bob')
beforehand(() => befriended(sdk.ann, sdk.bob))
beforehand(lived)

const ann = ['-p', 'ann']
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
const idOf = (who: 'ann' | 'bob') => sdk[who].passport.bot.id
const at = (...path: string[]) => join(cli.home, ...path)
/** What Bob calls his file. */
const hostile = '../../../evil\u202e;$(rm).wav'

/** Something of most kinds. */
async function lived(): Promise<void> {
  const { ann, bob } = sdk
  await ann.conversations.send(idOf('bob'), 'Hello\nBob')
  await bob.conversations.send(idOf('ann'), 'Hello Ann')
  const brief = await uploadInspected(ann, { source: wav(1), purpose: 'order' })
  const order = await ann.orders.offer({
    contractor_id: idOf('bob'),
    title: 'A tune',
    description: 'Short',
    deadline: inDays(3),
    amount_minor: 1000,
    confirmed_total_minor: 1100,
    input_attachment_ids: [brief.id],
  })
  const { id } = order
  await bob.orders.accept(id, { expected_version: 1, confirmed_total_minor: 1100 })
  await bob.orders.start(id, { expected_version: 2 })
  const tune = await uploadInspected(bob, { source: wav(2), purpose: 'order', name: hostile })
  await bob.orders.updates.add(id, { expected_version: 3, text: 'Half of it' })
  const { version } = (await bob.orders.get(id)).order
  await bob.orders.deliver(id, { expected_version: version, result_text: 'Here', result_attachment_ids: [tune.id] })
  await ann.orders.complete(id, { expected_version: version + 1 })
  const card = { title: 'The tune', description: 'Again', delivery_description: 'A file' }
  for (const result_text of ['Once', 'Twice'])
    await bob.ready.propose({
      source_order_id: id,
      service: { ...card, price: { mode: 'fixed', amount_minor: 500 } },
      customer_share_bps: 3000,
      result_text,
    })
  await ann.posts.create({ title: 'Bells', text: 'I ring them', kind: 'portfolio', visibility: 'public' })
  for (let n = 0; n < 55; n++) await ann.posts.create({ text: `Note ${n}` })
  await ann.services.create({
    title: 'A tune',
    description: 'Of a bell',
    delivery_description: 'A file',
    price: { mode: 'fixed', amount_minor: 500 },
  })
  const task = await ann.tasks.create({
    title: 'A rope',
    description: 'For a bell',
    tags: [],
    budget_minor: null,
    deadline: inDays(9),
  })
  await bob.bids.create(task.id, { amount_minor: 700, deadline: inDays(5), text: 'Mine is long' })
  await ann.feedback.create({ category: 'question', title: 'How?', body: 'How do I ring?' })
  for (const title of ['Louder bells', 'Softer bells']) {
    const { id: idea } = await bob.ideas.create({ title, body: 'At night', publication_confirmed: true })
    if (title === 'Softer bells') await ann.ideas.vote(idea)
  }
}

const digestOf = (bytes: Buffer | string): string => createHash('sha256').update(bytes).digest('hex')

async function tree(folder: string): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    const { mode } = await stat(path)
    assert.equal(mode & 0o777, entry.isDirectory() ? 0o700 : 0o600, path)
    if (!entry.isDirectory()) found.set(path.slice(folder.length + 1), digestOf(await readFile(path)))
  }
  return found
}

async function assertWithout(secret: string, folder: string): Promise<void> {
  for (const path of (await tree(at(folder))).keys())
    assert.ok(!(await readFile(at(folder, path))).includes(secret), path)
}

const linesIn = async (name: string, folder = 'whole') => lines(await readFile(at(folder, `${name}.jsonl`), 'utf8'))

test('an export has everything of its agent, and a manifest of it', async () => {
  const made = await cli.json(0, 'export', ...ann, 'whole')
  assert.deepEqual([made.complete, made.was_complete, made.problems, made.with_keys], [true, false, 0, false])
  const counts: Record<string, number> = {
    contacts: 1,
    messages: 2,
    'messages-opened': 2,
    'message-states': 2,
    posts: 56,
    uploads: 1,
  }
  Object.assign(counts, { orders: 1, 'order-updates': 1, 'order-reviews': 1, services: 1, tasks: 1, 'task-bids': 1 })
  Object.assign(counts, { 'ready-agreements': 2, 'ready-services': 0, votes: 1 })
  Object.assign(counts, { feedback: 1, bids: 0, 'human-orders': 0, polls: 0, articles: 0, problems: 0 })
  for (const [name, count] of Object.entries(counts)) assert.equal((await linesIn(name)).length, count, name)
  assert.equal(new Set((await linesIn('posts')).map(({ id }) => id)).size, 56)
  assert.ok((await linesIn('ledger')).length >= 3)
  const [{ order, history }] = await linesIn('orders')
  assert.deepEqual([order.outcome, history.at(-1).action], ['accepted', 'propose-resale'])
  const agreements = await linesIn('ready-agreements')
  assert.deepEqual(agreements.map(({ agreement }) => agreement.result_text).sort(), ['Once', 'Twice'])
  assert.equal((await linesIn('votes'))[0].title, 'Softer bells')
  assert.deepEqual(
    way.log.filter((line) => line.includes('/status')),
    ['GET /api/v1/messages/statuses'],
  )
  for (const { message_id, status } of await linesIn('message-states'))
    assert.deepEqual(status, await sdk.ann.messages.status(message_id))
  const { bot } = JSON.parse(await readFile(at('whole/profile.json'), 'utf8'))
  assert.deepEqual([bot.handle, bot.is_self, 'stats' in bot], ['ann', true, true])
  assert.deepEqual(JSON.parse(await readFile(at('whole/staff.json'), 'utf8')), { staff: { roles: [], version: 0 } })
  assert.deepEqual(
    (await linesIn('messages-opened')).map(({ direction, text }) => [direction, text]),
    [
      ['received', 'Hello Ann'],
      ['sent', 'Hello\nBob'],
    ],
  )
  assert.ok((await linesIn('messages')).every(({ ciphertext, text }) => ciphertext && text === undefined))

  // The files of both sides, under names of the service's own.
  const wanted = [...order.input_attachments, ...order.result_attachments]
  const names = wanted.map(({ id }: { id: string }) => `${id}.wav`).sort()
  assert.deepEqual(await readdir(at('whole/files')), names)
  for (const { id, sha256 } of wanted) {
    const bytes = await readFile(at('whole/files', `${id}.wav`))
    assert.equal(digestOf(bytes), sha256)
  }
  assert.equal((await cli.json(0, 'verify', at('whole/record.json'))).verdict, 'valid')
  const whole = await tree(at('whole'))
  const manifest = JSON.parse(await readFile(at('whole/manifest.json'), 'utf8'))
  assert.deepEqual(Object.keys(manifest), ['files'])
  assert.deepEqual(pluck(manifest.files, 'path'), [...whole.keys()].filter((path) => path !== 'manifest.json').sort())
  const secrets = await Promise.all(['key', 'token'].map((name) => readFile(at('profiles/ann', name), 'utf8')))
  for (const secret of [secrets[0]!.trim(), JSON.parse(secrets[1]!).token]) await assertWithout(secret, 'whole')

  const asked = way.log.length
  const again = await cli.json(0, 'export', ...ann, 'whole')
  assert.deepEqual([again.was_complete, again.files, way.log.length - asked], [true, made.files, 0])
  assert.deepEqual(await tree(at('whole')), whole)
})

test('killed at any moment, it continues, loads nothing twice, and ends the same', async () => {
  const killed = async (route: RegExp): Promise<string[]> => {
    const asked = way.log.length
    const child = cli.start('export', ...ann, 'cut')
    way.at(route, 'before', () => child.kill('SIGKILL'))
    assert.equal((await child.ended).signal, 'SIGKILL', `${route}`)
    return way.log.slice(asked).map((line) => line.replace(/[?].*/, ''))
  }
  const seen: string[] = []
  for (const route of [/GET .*page=2/, /updates/, /record.json/, /[/]download$/]) {
    const open = await cli.run('export', '--check', 'cut')
    assert.equal(open.code, seen.length === 0 ? 2 : 1, open.err)
    seen.push(...(await killed(route)))
  }
  // Nor do kills at its own calls of the disk, or in the middle of a write.
  const env = { ...cli.env, NODE_OPTIONS: `--import=${new URL('../../sdk/test/kill-at.ts', import.meta.url).href}` }
  const args = [...cli.command, 'export', ...ann, 'points']
  for (let calls = 110; ; calls += 110) {
    const run = startProgram(args, { env: { ...env, KITH_KILL_AT: String(calls) }, cwd: cli.home })
    const ended = await run.ended
    if (ended === 0) break
    assert.equal(ended, 'SIGKILL', run.output())
  }
  assert.deepEqual(await tree(at('points')), await tree(at('whole')))
  const asked = way.log.length
  await cli.json(0, 'export', ...ann, 'cut')
  seen.push(...way.log.slice(asked))
  for (const once of ['contacts', 'wallet', 'bots/me/onboarding', 'wallet/history', 'services/mine'])
    assert.equal(seen.filter((line) => line === `GET /api/v1/${once}`).length, 1, once)
  assert.deepEqual(await tree(at('cut')), await tree(at('whole')))
})

test('two runs at once do not mix, and a folder is for one export', async () => {
  const runs = await Promise.all([1, 2, 3].map(() => cli.run('export', ...ann, 'twice')))
  for (const { code, out, err } of runs) assert.ok(code === 0 || code === 6, `${code} ${out}${err}`)
  assert.ok(runs.some(({ code }) => code === 0))
  assert.deepEqual(await tree(at('twice')), await tree(at('whole')))

  const other = (await cli.json(2, 'export', '-p', 'bob', 'whole')).error
  assert.match(other.message, /holds the export of ann at http.*: name another folder/)
  await mkdir(at('mine'))
  await writeFile(at('mine/diary.txt'), 'mine')
  for (const path of ['mine', 'profiles/ann'])
    assert.match((await cli.json(2, 'export', ...ann, path)).error.message, /holds something else/)
  assert.deepEqual(await readdir(at('mine')), ['diary.txt'])
  assert.match((await cli.json(70, 'export', ...ann, 'mine/diary.txt')).error.message, /diary\.txt: it is not a folder/)
  assert.equal((await cli.json(2, 'export', ...ann, 'new', '--with-keys')).error.code, 'usage')
  assert.ok(!(await readdir(cli.home)).includes('new'))
})

test('a check finds what is missing, changed or added, and is not led astray', async () => {
  const checked = async (code: number) => cli.json(code, 'export', '--check', 'copy')
  const fresh = async () => {
    await rm(at('copy'), { recursive: true, force: true })
    await cp(at('whole'), at('copy'), { recursive: true })
  }
  await fresh()
  const { files } = JSON.parse(await readFile(at('copy/manifest.json'), 'utf8'))
  const file = files.find(({ path }: { path: string }) => path.startsWith('files/')).path
  assert.equal((await checked(0)).whole, true)
  await mkdir(at('copy/extra'))
  await writeFile(at('copy/extra/note'), '')
  await symlink('/etc', at('copy/link'))
  assert.deepEqual((await checked(0)).unlisted, ['extra/note', 'link'])
  await writeFile(at('copy', file), 'other')
  await rename(at('copy/ledger.jsonl'), at('copy/moved'))
  // The same bytes behind a link are not this file.
  await rename(at('copy/wallet.json'), at('copy/real'))
  await symlink('real', at('copy/wallet.json'))
  const damaged = await checked(1)
  assert.deepEqual([damaged.whole, damaged.missing, damaged.changed], [false, ['ledger.jsonl', 'wallet.json'], [file]])
  assert.match(
    (await cli.run('export', '--check', 'copy')).out,
    /^missing {3}ledger\.jsonl\n[\s\S]*Damaged: 2 missing, 1 changed/,
  )
  await fresh()
  await rename(at('copy/files'), at('elsewhere'))
  await symlink(at('elsewhere'), at('copy/files'))
  assert.equal((await checked(1)).missing.length, 2, 'no link is followed')

  const entry = { size: 4, sha256: digestOf('mine') }
  const outside = [
    '../mine/diary.txt',
    at('mine/diary.txt'),
    'a/../../mine/diary.txt',
    './x',
    'a//b',
    '',
    'a\\b',
    'C:x',
  ]
  const hostile = [
    ...outside.map((path) => ({ files: [{ path, ...entry }] })),
    { files: [{ path: 'x', ...entry, size: -1 }] },
    { files: [{ path: 'x', ...entry, sha256: 'x' }] },
    { files: [entry, entry].map((each) => ({ path: 'x', ...each })) },
    { files: {} },
    [],
    null,
    'x',
  ]
  for (const manifest of hostile) {
    await writeFile(at('copy/manifest.json'), JSON.stringify(manifest))
    await assert.rejects(checkExport(at('copy')), { code: 'damaged' }, JSON.stringify(manifest))
  }
  assert.equal((await checked(1)).error.code, 'damaged')
  for (const path of ['mine', 'nothing'])
    assert.equal((await cli.json(2, 'export', '--check', path)).error.code, 'folder')
})

test('a message that does not open, and a disk without room, are named and stop nothing else', async () => {
  const key = at('profiles/ann/key')
  const kept = await readFile(key, 'utf8')
  await writeFile(key, `${Buffer.alloc(32, 7).toString('base64')}\n`)
  const made = await cli.json(0, 'export', ...ann, 'other-key')
  await writeFile(key, kept)
  assert.equal(made.problems, 2)
  assert.deepEqual(
    (await linesIn('problems', 'other-key')).map(({ list, code }) => [list, code]),
    Array(2).fill(['messages', 'own_key_changed']),
  )
  assert.deepEqual(
    (await linesIn('messages-opened', 'other-key')).map(({ text, problem }) => [text, problem]),
    Array(2).fill([null, 'own_key_changed']),
  )

  // A limit to the size of a file is met as a full disk is.
  const limited = `ulimit -f 8; exec "$0" "$@"`
  const child = startProgram(['dash', '-c', limited, ...cli.command, 'export', ...ann, 'full', '--json'], {
    env: { ...cli.env, NODE_DISABLE_COMPILE_CACHE: '1' },
    cwd: cli.home,
  })
  assert.equal(await child.ended, 70)
  const { error } = JSON.parse(child.out())
  assert.equal(error.code, 'disk')
  assert.match(error.message, /full[/]posts\.jsonl: the file system takes no file of this size \(EFBIG\)/)
  assert.match(error.hint, /kith export full -.* continues/)
  await cli.json(0, 'export', ...ann, 'full')
  assert.deepEqual(await tree(at('full')), await tree(at('whole')))
})

test('each block of the guide does what it says, and keys come back', async () => {
  const page = await readFile(fileURLToPath(new URL('../../docs/export.md', import.meta.url)), 'utf8')
  const blocks = [...page.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block = '']) => block)
  const [make, withKeys, back, operator, ...more] = blocks as [string, string, string, string]
  assert.deepEqual([more, operator.startsWith('npx kith-server export-agent ann ')], [[], true])
  await mkdir(at('bin'))
  await writeFile(at('bin/kith'), `#!/bin/sh\nexec ${cli.command.map((word) => `'${word}'`).join(' ')} "$@"\n`)
  await chmod(at('bin/kith'), 0o755)
  const node = process.execPath.replace(/[/][^/]*$/, '')
  const env = cleanEnv({ ...cli.env, PATH: `${at('bin')}:${node}:${cli.env['PATH']}`, KITH_PROFILE: 'ann' })
  const options = { env, cwd: cli.home, input: true }
  const plain = startProgram(['bash', '-ec', make], options)
  plain.input.end()
  assert.equal(await plain.ended, 0, plain.output())
  assert.match(plain.output(), /Complete: .*ann-export[\s\S]*Whole: \d+ files/)
  for (const name of (await readdir(at('ann-export'))).filter((each) => each !== 'files'))
    assert.ok(page.includes(name) || /^human-order-/.test(name), `the guide names ${name}`)
  assert.match((await cli.json(2, 'export', ...ann, 'ann-export', '--with-keys')).error.message, /terminal/)

  const passphrase = 'correct horse battery staple'
  await rm(at('ann-export'), { recursive: true })
  const asked = startProgram(['script', '-qec', `bash -ec '${withKeys}'`, '/dev/null'], options)
  await asked.says(/Passphrase for the keys/)
  asked.input.write('short\n')
  await asked.says(/That has 5 characters\.\s+Passphrase/)
  asked.input.write(`${passphrase}\n`)
  await asked.says(/The same again/)
  asked.input.write(`${passphrase}\n`)
  assert.equal(await asked.ended, 0, asked.output())
  assert.ok(!asked.output().includes('horse') && !asked.output().includes('short'), 'nothing typed is shown')
  const secret = (await readFile(at('profiles/ann/key'), 'utf8')).trim()
  await assertWithout(secret, 'ann-export')
  assert.equal((await cli.json(0, 'export', ...ann, 'ann-export', '--with-keys')).with_keys, true)

  const [, program = ''] = /^```js\n([\s\S]*?)^```$/m.exec(page) ?? []
  await writeFile(at('open-keys.mjs'), program)
  const opening = back.replaceAll('~/.kith', at('profiles'))
  for (const [words, code] of [
    ['another passphrase', 1],
    [passphrase, 0],
  ] as const) {
    const opened = startProgram(['bash', '-ec', opening], options)
    opened.input.end(`${words}\n`)
    assert.equal(await opened.ended, code, opened.output())
  }
  const { messages } = await cli.json(0, 'read', 'bob', '--profile', 'ann2')
  assert.deepEqual(
    messages.map((each: { untrusted_text?: string; text?: string }) => each.untrusted_text ?? each.text),
    ['Hello\nBob', 'Hello Ann'],
  )
})
