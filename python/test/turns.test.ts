// One folder, used in turn by the SDK, Python and the command: what one of them left open another one ends.
import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { command } from '../../cli/test/command.ts'
import { confirmed, lines } from '../../cli/test/kith.ts'
import {
  KithKeyChangedError,
  KithNetworkError,
  openFolder,
  openIdentity,
  openRegistration,
} from '../../sdk/src/node.ts'
import { killLeftovers, type Program } from '../../server/test/launch.ts'
import { needing } from '../../server/test/programs.ts'
import { story } from '../../server/test/story.ts'
import { keyPair } from '../../server/test/world.ts'
import { skip, startPython } from './interpreter.ts'

const { w } = story({ env: { OWNER_EMAIL_GATE: 'on' } })
const { cli, way, killedAt } = command(w)
const { after, test } = needing(skip)
after(killLeftovers)

const folderOf = (profile: string): string => join(cli.env['KITH_HOME'] as string, profile)

/** Python with the identity `me` of a folder; it prints what the last lines say. */
const python = (folder: string, code: string): Program =>
  startPython(['-c', `import kith, json, sys\nme = kith.open_identity(${JSON.stringify(folder)})\n${code}`])

async function said(program: Program): Promise<string> {
  assert.equal(await program.ended, 0, program.output())
  return program.out().trim()
}

/** Kills it once the service acted on the request, before it has the answer. */
async function killedAfter(route: RegExp, program: Program): Promise<void> {
  way.at(route, 'after', () => program.kill('SIGKILL'))
  assert.equal(await program.ended, 'SIGKILL', program.output())
}

test('a registration begins in TypeScript, goes on in Python, loses its answer, and ends with either', async () => {
  for (const last of ['TypeScript', 'Python'] as const) {
    const handle = `ada_${last.slice(0, 2).toLowerCase()}`
    const email = `${handle}@example.org`
    const folder = folderOf(handle)
    const registration = openRegistration({ baseUrl: way.url, store: await openFolder(folder) })
    await registration.start({ handle, email })
    const code = await confirmed(w, email)
    const python = (text: string): Program =>
      startPython(['-c', `import kith\nr = kith.open_registration("${folder}", "${way.url}")\n${text}`])
    assert.equal(await said(python(`print(r.verify("${code}").step)`)), 'profile')
    await killedAfter(/bots\/register/, python(`r.finish(display_name="Ada")`))
    assert.equal((await registration.progress()).step, 'sent')
    if (last === 'TypeScript') await registration.finish()
    else assert.equal(await said(python('print(r.finish()["handle"])')), handle)
    assert.equal((await cli.json(0, 'whoami', '-p', handle)).bot.handle, handle)
    const rows = await w.sql`select 1 from agents where handle = ${handle}`
    assert.equal(rows.length, 1)
  }
})

test('TypeScript, Python and the command take turns in one folder, and end what another one left open', async () => {
  const folder = folderOf('ann')
  const registration = openRegistration({ baseUrl: way.url, store: await openFolder(folder) })
  await registration.start({ handle: 'ann', email: 'ann@example.org' })
  await registration.verify(await confirmed(w, 'ann@example.org'))
  await registration.finish({ display_name: 'Ann' })
  const ann = await openIdentity(folder, { retry: { attempts: 1 } })
  const posts = async (text: string): Promise<number> => (await w.sql`select 1 from posts where text = ${text}`).length

  // Python's answer is lost: the command ends it.
  await killedAfter(/POST \/api\/v1\/posts$/, python(folder, 'me.post_posts({"text": "by Python"})'))
  assert.equal((await cli.json(0, 'resume', '-p', 'ann', '--list')).pending.length, 1)
  assert.equal((await cli.json(0, 'resume', '-p', 'ann')).outcomes[0].done, true)
  assert.equal(await posts('by Python'), 1)

  // The command's is lost: Python ends it, with the answer.
  await killedAt(/POST \/api\/v1\/posts$/, 'after', ['post', '-p', 'ann', 'by the command'])
  const ended = await said(python(folder, 'print(json.dumps([o.answer["post"]["text"] for o in me.resume_pending()]))'))
  assert.equal(ended, '["by the command"]')
  assert.equal(await posts('by the command'), 1)

  // TypeScript's is lost, and its program asks again in Python, with the same ID.
  const operationId = '0198c000-0000-7000-8000-00000000abcd'
  way.at(/POST \/api\/v1\/posts$/, 'after', () => {})
  const body = { text: 'by TypeScript' }
  await assert.rejects(ann.call('POST /posts', { body }, { operationId }), KithNetworkError)
  const again = `print(me.post_posts({"text": "by TypeScript"}, operation_id="${operationId}")["post"]["text"])`
  assert.equal(await said(python(folder, again)), 'by TypeScript')
  assert.equal(await posts('by TypeScript'), 1)
  // The answer is kept for whoever asks next.
  assert.equal((await ann.call('POST /posts', { body }, { operationId })).post.text, 'by TypeScript')
  const other = `me.post_posts({"text": "another"}, operation_id="${operationId}")`
  assert.match((await failed(python(folder, other))).err(), /KithInputError: .* already used/)
  assert.deepEqual(await ann.pending(), [])
})

async function failed(program: Program): Promise<Program> {
  assert.equal(await program.ended, 1, program.output())
  return program
}

test('messages, events and pins of one folder are the same for each', async () => {
  const folder = folderOf('cara')
  const registration = openRegistration({ baseUrl: w.url, store: await openFolder(folder) })
  await registration.start({ handle: 'cara', email: 'cara@example.org' })
  await registration.verify(await confirmed(w, 'cara@example.org'))
  const { bot } = await registration.finish({ display_name: 'Cara' })
  const dan = folderOf('dan')
  const email = 'dan@example.org'
  const first = `import kith\nr = kith.open_registration("${dan}", "${w.url}")\n`
  assert.equal(await said(startPython(['-c', `${first}print(r.start("dan", "${email}").step)`])), 'code')
  const code = await confirmed(w, email)
  await said(startPython(['-c', `${first}r.verify("${code}")\nr.finish(display_name="Dan")`]))

  // Dan asks in Python; Cara accepts with the command, so his key is pinned; Python sends, each opens.
  await said(python(dan, `me.post_contacts_requests({"recipient_id": "${bot.id}"})`))
  await cli.json(0, 'accept', '-p', 'cara', 'dan')
  await said(python(dan, 'me.send("cara", "Привет, 𝔎ith", client_message_id=kith.stable_uuid("hello"))'))
  // With the same ID nothing is sent again; another text under it is refused.
  await said(python(dan, 'me.send("cara", "Привет, 𝔎ith", client_message_id=kith.stable_uuid("hello"))'))
  assert.match(
    (await failed(python(dan, 'me.send("cara", "else", client_message_id=kith.stable_uuid("hello"))'))).err(),
    /already used/,
  )
  const read = 'print(json.dumps([[m.direction, m.text] for m in me.read("dan")]))'
  assert.deepEqual(JSON.parse(await said(python(folder, read))), [['received', 'Привет, 𝔎ith']])
  const cara = await openIdentity(folder)
  const history = await Array.fromAsync(
    cara.conversations.history((await said(python(dan, 'print(me.bot["id"])'))) as string),
  )
  assert.deepEqual(
    history.map(({ text }) => text),
    ['Привет, 𝔎ith'],
  )

  // While Python listens no other receiver starts; what it stored and did not finish the command prints.
  const listening = startPython(
    [
      '-c',
      `import kith, sys\nwith kith.open_identity("${folder}").receive() as events:\n  print(next(events)["kind"], flush=True)\n  sys.stdin.read()`,
    ],
    { input: true },
  )
  await listening.says(/contact\.requested/)
  assert.equal((await cli.run('drain', '-p', 'cara')).code, 6)
  listening.input.end()
  await said(listening)
  const drained = lines((await cli.run('drain', '-p', 'cara', '--json', '--quiet', '0.5')).out)
  assert.deepEqual(
    drained.map(({ kind }) => kind),
    ['contact.requested', 'message.created'],
  )
  const next = 'with me.receive() as events:\n  print(events.next(1))'
  assert.equal(await said(python(folder, next)), 'None', 'what the command finished does not come again')

  // The service shows another key for Dan: Python stops, and so does the SDK, for the change is in the folder.
  const pins = JSON.parse(await readFile(join(folder, 'pins.json'), 'utf8'))
  const [id] = Object.keys(pins) as [string]
  Object.assign(pins[id], { public_key: keyPair().publicKey, fingerprint: 'f'.repeat(64) })
  await writeFile(join(folder, 'pins.json'), JSON.stringify(pins))
  assert.match((await failed(python(folder, 'list(me.read("dan"))'))).err(), /KithKeyChangedError/)
  const marked = JSON.parse(await readFile(join(folder, 'pins.json'), 'utf8'))
  assert.ok(marked[id].changed, 'so every program stops')
  await assert.rejects(cara.conversations.send(id, 'hello'), KithKeyChangedError)
  const trusted = `me.trust("${id}", me.pins()["${id}"]["changed"]["fingerprint"])\nprint(len(list(me.read("dan"))))`
  assert.equal(await said(python(folder, trusted)), '1')
})
