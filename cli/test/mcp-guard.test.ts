// What tools let through: no words of a stranger outside their boundary, no file outside the folder that the owner opened,
// nothing that changes with --read-only, and nothing that outlives the host. docs/mcp.md.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { link, mkdir, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { befriended, registered } from '../../sdk/test/registered.ts'
import { jpeg } from '../../server/test/corpus.ts'
import { customer, humanOffer } from '../../server/test/customers.ts'
import { pluck } from '../../server/test/pluck.ts'
import { beforehand, story } from '../../server/test/story.ts'
import { eventually } from '../../server/test/world.ts'
import { openWithin } from '../src/mcp/upload.ts'
import { command } from './command.ts'
import { type Host, host, hostWithin } from './host.ts'

const { w } = story()
const { cli, folderOf } = command(w)
const shared = beforehand(async () => {
  const path = join(cli.home, 'shared')
  await mkdir(path)
  return { path }
})
const ann = beforehand(() => registered(w.url, folderOf('ann'), 'ann'))
const mallory = beforehand(() => registered(w.url, folderOf('mallory'), 'mallory'))
beforehand(() => befriended(ann, mallory))
const open = beforehand(() => hostWithin(folderOf('ann'), { settings: { files: shared.path } }))

const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()

/** How the rest of a text is read, as its end says it. */
function goesOn(text: string): object | undefined {
  const [, ask] = /\[\d+ more characters: read ({.*}) continues\]$/.exec(text) ?? []
  return ask === undefined ? undefined : JSON.parse(ask)
}

test('a result has at most 16,000 bytes, and next leads through all of it', async () => {
  const long = `${'"ж\\'.repeat(1_990)}end`
  const longest = `${'"'.repeat(7_997)}end`
  for (const text of [long, longest, long]) await mallory.conversations.send(ann.passport.bot.id, text)
  const wordsOf = (text: string) => /\]\n([\s\S]*)\n\[end /.exec(text)![1]!
  const found: string[] = []
  let before: string | null = null
  while (found.length < 3) {
    const ask: object = { with: 'mallory', ...(before !== null && { before }) }
    const { messages, next }: { messages: { text: string }[]; next: string | null } = await open.tool('read', ask)
    for (const { text } of messages) {
      let [whole, on] = [wordsOf(text), goesOn(text)]
      while (on !== undefined) {
        const rest = await open.tool('read', on)
        whole += wordsOf(rest.messages[0].text)
        on = goesOn(rest.messages[0].text)
      }
      found.push(whole)
    }
    before = next
  }
  assert.deepEqual(found.slice(0, 3), [long, longest, long], 'nothing is lost of long texts')
  const created = []
  for (let n = 0; n < 30; n++)
    created.push((await mallory.posts.create({ text: `${n} ${'word '.repeat(300)}`, visibility: 'public' })).id)
  const ids: string[] = []
  let after: string | null = null
  do {
    const { items, next }: { items: { post_id: string; text: string }[]; next: string | null } = await open.tool(
      'feed',
      { author: 'mallory', ...(after !== null && { after }) },
    )
    for (const { post_id, text } of items) {
      ids.push(post_id)
      if (created.includes(post_id))
        assert.match(text, /\[end \w+\]\n\[\d+ more characters: feed {"post_id":"[\w-]+"} shows it\]$/)
    }
    after = next
  } while (after !== null)
  assert.deepEqual(ids.slice(0, 30), created.reverse())
  assert.equal(new Set(ids).size, ids.length)
})

test('an order with many updates, whose every character takes eleven bytes, is shown in parts', async () => {
  const wide = '\u{e0041}'.repeat(400)
  const order = await mallory.orders.offer({
    ...{ contractor_id: ann.passport.bot.id, confirmed_total_minor: 1_100, amount_minor: 1_000 },
    ...{ title: 'Wide', description: wide, deadline: day(2) },
  })
  const path = { order_id: order.id }
  const body = { expected_version: order.version, confirmed_total_minor: 1_100 }
  const accepted = (await ann.call('POST /orders/{order_id}/accept', { path, body })).order
  const told: string[] = []
  for (let { version } = accepted; told.length < 25; ) {
    const ask = { path, body: { expected_version: version, text: `${told.length}.${wide}` } }
    const made = await mallory.call('POST /orders/{order_id}/updates', ask)
    version = made.order.version
    told.unshift(made.update.id)
  }
  const seen: string[] = []
  let calls = 0
  let after: string | null = null
  do {
    const ask: object = { order_id: order.id, ...(after !== null && { after }) }
    type Part = { orders: [{ updates: { update_id: string }[] }]; next: string | null }
    const { orders, next }: Part = await open.tool('orders', ask)
    for (const { update_id } of orders[0].updates) if (!seen.includes(update_id)) seen.push(update_id)
    after = next
    calls++
  } while (after !== null)
  assert.deepEqual(seen, told)
  assert.ok(calls < 60, `${calls} calls`)
  assert.match((await open.refused('orders', { order_id: order.id, after: 'u1' })).message, /^after /)
})

test('a refusal names the argument that was wrong, and says what helps', async () => {
  const ida = await customer(w, 'Ida')
  await open.tool('profile', { profile_public: true })
  const order = await humanOffer(w, ida, ann.passport.bot)
  const act = { order_id: order.id, action: 'cancel' }
  const idea = { action: 'create', category: 'idea', title: 'Boats', body: 'More' }
  const file = { text: 'A boat', files: [randomUUID()] }
  for (const [name, args, code, words, next] of [
    ['post', { text: ' ' }, 'invalid_input', /text: at least 1 character/, /^Correct the field/],
    ['find', { kind: 'works', after: '0.zzz' }, 'invalid_input', /^after /, /another value for after/],
    ['find', { kind: 'ideas', after: '0.2000' }, 'invalid_input', /^after /, /another value for after/],
    ['feedback', idea, 'publication_confirmation_required', /publication_confirmed/, /^Set publication_confirmed/],
    ['post', file, 'invalid_attachment', /file/, /^Upload the file with upload/],
    ['act', act, 'forbidden', /^cancel is for the person$/, /^orders {"order_id":"[\w-]+"} shows in may/],
  ] as const) {
    const refused = await open.refused(name, args)
    assert.equal(refused.code, code, JSON.stringify(refused))
    assert.match(refused.message, words)
    assert.match(refused.next, next)
  }
})

/** Calls `inbox` until it shows a text, and says who received it. */
async function shown(who: Host, text: string): Promise<string> {
  for (;;) {
    const { events, receiving } = await who.tool('inbox', { wait_seconds: 50 })
    assert.ok(events.length > 0, `${text} was not shown`)
    if (JSON.stringify(events).includes(text)) return receiving
  }
}

test('--from friends withholds the words of strangers, and --read-only wins over all', async (t) => {
  const stranger = await registered(w.url, folderOf('eve'), 'eve')
  await stranger.bots.update({ profile_public: true, specialty: 'EVIL eve' })
  const post = await stranger.posts.create({ text: 'EVIL words', visibility: 'public' })
  const sets = ['talk', 'publish', 'work', 'market'] as const
  const wary = await hostWithin(folderOf('ann'), { settings: { from: 'friends', readOnly: true, toolsets: sets } })
  t.after(() => wary[Symbol.asyncDispose]())
  const list = await wary.tool('feed', { author: 'eve' })
  assert.doesNotMatch(JSON.stringify(list), /EVIL/)
  assert.match(list.items[0].text, /withheld/)
  assert.match(JSON.stringify(await wary.tool('feed', { post_id: post.id })), /EVIL words/)
  assert.match(JSON.stringify(await wary.tool('read', { with: 'mallory' })), /from @mallory: message/)

  const { tools } = await wary.client.listTools()
  assert.deepEqual(pluck(tools, 'name'), [
    'whoami',
    'inbox',
    'read',
    'find',
    'friends',
    'feed',
    'orders',
    'wallet',
    'services',
    'tasks',
    'requests',
  ])
  for (const { annotations, inputSchema } of tools) {
    assert.deepEqual([annotations!.readOnlyHint, annotations!.destructiveHint], [true, false])
    const { action } = inputSchema.properties as { action?: { enum: string[] } }
    assert.ok(!action || action.enum.every((each) => each === 'list' || each === 'show'))
  }
  assert.equal((await wary.refused('send', { to: 'mallory', text: 'x' })).code, 'read_only')
  assert.equal((await wary.refused('friends', { action: 'block', handle: 'mallory' })).code, 'read_only')
  await assert.rejects(wary.client.callTool({ name: 'report', arguments: {} }), /there is no tool report/)
  await mallory.conversations.send(ann.passport.bot.id, 'not acknowledged')
  await shown(wary, 'not acknowledged')
  await shown(open, 'not acknowledged')
})

test('bad arguments name their field, and without a passport whoami says how to get one', async (t) => {
  for (const [name, args, field] of [
    ['send', { to: 'mallory' }, 'text'],
    ['send', { to: 'mallory', message: 'x' }, 'text is missing; message is not an argument'],
    ['send', { to: 'mallory', text: 1 }, 'text'],
    ['orders', { order_id: 'nothing' }, 'order_id'],
    ['inbox', { wait_seconds: 51 }, 'wait_seconds'],
    ['find', { kind: 'gods' }, 'kind'],
    [
      'act',
      { order_id: ann.passport.bot.id, action: 'review', review: { rating: 6, recommend: true, criteria: {} } },
      'review.rating',
    ],
    ['feed', { after: 'x' }, 'after'],
    ['wallet', { after: 'x' }, 'after'],
    ['read', { with: 'mallory', before: 'x' }, 'before'],
    ['post', { text: 'x\ud800' }, 'text'],
    ['wallet', { strange: 1 }, 'strange'],
  ] as const) {
    const { code, message, next } = await open.refused(name, args)
    assert.deepEqual([code, `${message} `.startsWith(`${field} `)], ['invalid_input', true], message)
    const [, missing] = /^(\S+) is missing/.exec(message) ?? []
    const isUnknown = / is not an argument; known/.test(message)
    const again = isUnknown
      ? `without ${field}`
      : missing === undefined
        ? `with another value for ${field}`
        : `with ${missing}`
    assert.equal(next, `Call the tool again ${again}.`)
  }
  const nobody = await host(cli, 'nobody')
  t.after(() => nobody[Symbol.asyncDispose]())
  const { agent, next } = await nobody.tool('whoami')
  assert.deepEqual([agent, /kith register --profile nobody/.test(next)], [null, true])
  assert.equal((await nobody.refused('inbox')).code, 'no_identity')
  await mkdir(folderOf('nobody'), { mode: 0o700 })
  await writeFile(join(folderOf('nobody'), 'passport.json'), '{')
  const damaged = await nobody.refused('wallet')
  assert.equal(damaged.message, `passport.json in ${folderOf('nobody')} is damaged`)
  assert.equal(damaged.next, 'Tell the owner: no tool can mend this.')
})

test('upload reads regular files below the folder alone, whatever links say', async (t) => {
  const root = shared.path
  const secret = join(folderOf('ann'), 'key')
  await writeFile(join(root, 'face.jpg'), await jpeg({ width: 120 }))
  await mkdir(join(root, 'in'))
  await symlink(join(root, 'face.jpg'), join(root, 'in', 'link.jpg'))
  await symlink(secret, join(root, 'out'))
  await symlink(folderOf('ann'), join(root, 'folder'))
  await symlink('/dev/zero', join(root, 'zero'))
  await promisify(execFile)('mkfifo', [join(root, 'fifo')])
  for (const path of [
    'out',
    '../profiles/ann/key',
    'folder/key',
    secret,
    '/etc/passwd',
    'zero',
    '/dev/zero',
    'fifo',
    'in',
    '.',
    'none',
    'a\0b',
    '',
  ])
    assert.equal((await open.refused('upload', { path, purpose: 'order' })).code, 'file_not_found', path)
  for (const path of ['face.jpg', 'in/link.jpg', join(root, 'face.jpg')]) {
    const { status, format } = await open.tool('upload', { path, purpose: 'order' })
    assert.deepEqual([status, format], ['ready', 'jpeg'])
  }
  assert.equal((await open.refused('upload', { path: 'face.jpg', purpose: 'avatar' })).code, 'rights_required')

  // A link that is changed while it is looked at never shows what lies outside.
  const good = join(root, 'good')
  await writeFile(good, 'good')
  const swap = async () => {
    for (let n = 0; n < 200; n++) {
      await symlink(n % 2 === 0 ? secret : good, join(root, 'next'))
      await rename(join(root, 'next'), join(root, 'racing'))
    }
  }
  let ended = false
  const swapping = swap().finally(() => {
    ended = true
  })
  let read = 0
  while (!ended) {
    const handle = await openWithin(root, 'racing').catch(() => undefined)
    if (!handle) continue
    assert.equal(await handle.readFile('utf8'), 'good')
    await handle.close()
    read++
  }
  await swapping
  assert.ok(read >= 0)
  // A name below the folder is enough, whatever else the file is called.
  await link(good, join(root, 'second'))
  await (await openWithin(root, 'second')).close()
  await rm(join(root, 'racing'))

  const closed = await hostWithin(folderOf('ann'), { era: 'initialize' })
  t.after(() => closed[Symbol.asyncDispose]())
  const { code, next } = await closed.refused('upload', { path: 'face.jpg', purpose: 'order' })
  assert.deepEqual([code, /--files DIR/.test(next)], ['files_not_allowed', true])
})

test('while kith listen receives, inbox shows what that stores and acknowledges nothing', async () => {
  const listening = cli.start('listen', '-p', 'ann', '--json')
  await eventually(() => listening.err().includes('listening as ann') || undefined, 'listening')
  await mallory.conversations.send(ann.passport.bot.id, 'while listening')
  assert.equal(await shown(open, 'while listening'), 'elsewhere')
  // Stored, and so in the inbox, before it is printed.
  await eventually(() => listening.out().includes('while listening') || undefined, 'it is printed')
  listening.kill('SIGTERM')
  await listening.ended
})

test('the end of standard input ends it within two seconds, with a socket open and a call waiting; no lock stays in force', async () => {
  const child = cli.start('mcp', '-p', 'eve')
  const ask = (id: number, method: string, params: object) =>
    child.input.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`)
  ask(1, 'initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'raw', version: '1' } })
  await child.says(/"id":1/)
  child.input.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`)
  // The first call hands over what waited; the second one waits.
  ask(2, 'tools/call', { name: 'inbox', arguments: { wait_seconds: 1 } })
  await child.says(/"id":2/)
  ask(3, 'tools/call', { name: 'inbox', arguments: { wait_seconds: 50 } })
  const locks = join(folderOf('eve'), 'locks')
  const holders = async () => {
    const texts = await Promise.all(
      (await readdir(locks)).map((name) => readFile(join(locks, name), 'utf8').catch(() => '')),
    )
    return texts.filter((text) => text.includes('"free":false'))
  }
  await eventually(async () => (await holders()).length > 0 || undefined, 'the lease')
  child.input.end()
  const { code, out, err } = await child.ended
  assert.deepEqual([code, err], [0, ''])
  assert.deepEqual(await holders(), [])
  assert.doesNotMatch(out, /"id":3/, 'it did not wait for the call')
  for (const row of out.trim().split('\n')) assert.equal(JSON.parse(row).jsonrpc, '2.0', 'the protocol alone')
})
