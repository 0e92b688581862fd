// One folder, used in turn by the SDK, Python and the command: what one of them left open another one ends.
import assert from 'node:assert/strict'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { command } from '../../cli/test/command.ts'
import { confirmed, lines } from '../../cli/test/kith.ts'
import {
  type FolderClient,
  KithKeyChangedError,
  KithNetworkError,
  openFolder,
  openIdentity,
  openRegistration,
} from '../../sdk/src/node.ts'
import { png } from '../../server/test/corpus.ts'
import { wav } from '../../server/test/corpus-media.ts'
import { killLeftovers, type Program } from '../../server/test/launch.ts'
import { pluck } from '../../server/test/pluck.ts'
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
    const again = `try: r.start("${handle}", "${email}")\nexcept kith.KithError as error: print(error.code, error)`
    assert.match(await said(python(again)), /^registration_limited .* \(try again in \d+ seconds\)$/)
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

/** Registers past the steps that the tests above tell. */
async function registeredAs(handle: string): Promise<FolderClient> {
  const registration = openRegistration({ baseUrl: way.url, store: await openFolder(folderOf(handle)) })
  await registration.start({ handle, email: `${handle}@example.org` })
  await registration.verify(await confirmed(w, `${handle}@example.org`))
  await registration.finish({ display_name: handle })
  return openIdentity(folderOf(handle), { retry: { attempts: 1 } })
}

test('TypeScript, Python and the command take turns in one folder, and end what another one left open', async () => {
  const folder = folderOf('ann')
  const ann = await registeredAs('ann')
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
  assert.deepEqual(pluck(history, 'text'), ['Привет, 𝔎ith'])

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
  const drained = lines((await cli.run('drain', '-p', 'cara', '--json', '--limit', '2', '--quiet', '60')).out)
  assert.deepEqual(pluck(drained, 'kind'), ['contact.requested', 'message.created'])
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

/** Everything that Python does with bytes, by the agent `me` with two files and an upload of somebody else. */
const filesInPython = `
import asyncio, hashlib, os
import kith.aio
from kith import _http, KithError, KithInputError, KithNetworkError

def refused(kind, act):
    try: act()
    except kind as error: return getattr(error, "code", None) or str(error)
    raise AssertionError("not refused")

read = lambda path: open(path, "rb").read()
sound, to = read(given["sound"]), os.path.join(given["home"], "back.wav")
steps = []
card = me.upload(given["sound"], "portfolio", name="the song.wav", on_progress=lambda sent, of: steps.append((sent, of)))
assert card["sha256"] == hashlib.sha256(sound).hexdigest() and steps[-1] == (len(sound), len(sound))
assert card["original_name"] == "the song.wav" and me.wait_until_inspected(card["id"])["status"] == "ready"
download = me.get_attachments_by_attachment_id_download
assert download(card["id"]) == sound

# It goes on where it broke off, in the same run and in the next; wrong bytes are found and discarded.
asked, whole = [], _http.Stream.__iter__
def breaking(stream):
    asked.append(stream.status)
    left = 100_000
    for piece in whole(stream):
        yield piece
        if (left := left - len(piece)) < 0: raise KithNetworkError("broken off")
_http.Stream.__iter__ = breaking
download(card["id"], to=to)
_http.Stream.__iter__ = whole
assert read(to) == sound and asked[0] == 200 and set(asked[1:]) == {206} and len(asked) > 2
assert "exists" in refused(KithInputError, lambda: download(card["id"], to=to))
part = os.path.join(given["home"], f".{card['id']}.{card['sha256'][:16]}.part")
for left, goes_on in ((sound[:1000], True), (b"x" * 1000, False), (b"x" * (len(sound) + 1), True)):
    with open(part, "wb") as file: file.write(left)
    if not goes_on: assert "discarded" in refused(KithNetworkError, lambda: download(card["id"], to=to, overwrite=True))
    download(card["id"], to=to, overwrite=True)
    assert read(to) == sound and not os.path.exists(part)
assert "no folder" in refused(KithInputError, lambda: download(card["id"], to=to + "/x/y"))

stream = me.get_attachments_by_attachment_id_stream
assert stream(card["id"]) == sound
stream(card["id"], to=to, overwrite=True)
headers = me.head_attachments_by_attachment_id_stream(card["id"])
assert read(to) == sound and headers["content-length"] == str(len(sound)) and headers["content-type"] == "audio/wav"
preview = me.get_attachments_by_attachment_id_preview
[picture] = [each for each in me.get_attachments(scope="all")["attachments"] if each["file_format"] == "png"]
assert preview(picture["id"])[:3] == preview(picture["id"], width=480)[:3] == b"\\xff\\xd8\\xff"
preview(picture["id"], to=to, overwrite=True)
assert read(to) == preview(picture["id"])
assert refused(KithError, lambda: preview(card["id"])) == refused(KithError, lambda: download(given["other"])) == "not_found"
assert refused(KithError, lambda: me.head_attachments_by_attachment_id_stream(picture["id"])) == "not_found"
assert "UUID" in refused(KithInputError, lambda: download("../me"))

# One ID is one file; what cannot be right is refused before it is sent, and leaves nothing behind.
own = dict(upload_id=kith.stable_uuid("one"))
assert me.post_attachments(sound, "order", **own)["attachment"]["id"] == me.upload(given["sound"], "order", **own)["id"]
assert refused(KithError, lambda: me.upload(sound, "portfolio", **own)) == "idempotency_conflict"
os.mkfifo(fifo := os.path.join(given["home"], "fifo"))
for name, head, size in (("big.jpg", b"\\xff\\xd8\\xff", 20), ("big.wav", b"RIFF", 250)):
    with open(os.path.join(given["home"], name), "wb") as file: file.write(head), file.truncate(size * 1024 * 1024 + 1)
for path, purpose, says in (
    ("big.jpg", "order", "20 MiB"), ("big.wav", "order", "250 MiB"), ("big.wav", "avatar", "20 MiB"),
    ("fifo", "order", "not a file"), ("", "order", "not a file"), ("missing", "order", "no file"),
):
    assert says in refused(KithInputError, lambda: me.upload(os.path.join(given["home"], path), purpose)), path
assert "empty" in refused(KithInputError, lambda: me.upload(b"", "order"))
assert "already used" in (me._folder.write_json("uploads/" + own["upload_id"], {"upload_id": own["upload_id"], "purpose": "order",
    "size": 1, "sha256": "0" * 64, "key": "k", "own": True, "created_at": "2026-01-01T00:00:00.000Z"})
    or refused(KithInputError, lambda: me.upload(sound, "order", **own)))
me._folder.remove("uploads/" + own["upload_id"])
assert refused(KithError, lambda: me.upload(b"only words", "order")) == "unsupported_media_type"
assert refused(KithError, lambda: me.upload(b"noise" * 6_000_000, "order")) == "unsupported_media_type"
def change(sent, of):
    with open(moving, "r+b") as file: file.seek(len(sound) - 9), file.write(b"something")
with open(moving := os.path.join(given["home"], "moving.wav"), "wb") as file: file.write(sound)
assert "changed while it was sent" in refused(KithInputError, lambda: me.upload(moving, "portfolio", on_progress=change))
assert me._folder.names("uploads") == []

async def later():
    ann = await kith.aio.open_identity(me._folder.path)
    one = await ann.upload(sound, "order")
    assert await ann.get_attachments_by_attachment_id_download(one["id"]) == sound
    await ann.get_attachments_by_attachment_id_download(one["id"], to=to, overwrite=True)
asyncio.run(later())
print(read(to) == sound)`

test('a killed upload of Python is ended by TypeScript, and one of TypeScript by Python; bytes come back whole', async () => {
  const folder = folderOf('eve')
  const home = join(cli.env['KITH_HOME'] as string, '..', 'eve-files')
  await mkdir(home)
  const [eve, fay] = [await registeredAs('eve'), await registeredAs('fay')]
  const [picture, sound] = [join(home, 'picture.png'), join(home, 'sound.wav')]
  await writeFile(picture, await png({ width: 900, height: 200, noise: true }))
  await writeFile(sound, wav(60))
  const ask = (path: string): string => `print(me.upload(${JSON.stringify(path)}, "portfolio")["upload_id"])`

  await killedAfter(/POST \/api\/v1\/attachments$/, python(folder, ask(picture)))
  const [open] = await eve.folder.list('uploads')
  const ended = await eve.files.upload({ source: picture, purpose: 'portfolio' })
  assert.deepEqual([ended.attachment.upload_id, ended.changed], [open, false])
  way.at(/POST \/api\/v1\/attachments$/, 'after', () => {})
  await assert.rejects(eve.files.upload({ source: sound, purpose: 'order' }), KithNetworkError)
  const [lost] = await eve.folder.list('uploads')
  assert.equal(await said(python(folder, ask(sound).replace('portfolio', 'order'))), lost)

  const other = await fay.files.upload({ source: wav(1), purpose: 'order' })
  // Past the proxy, which carries no ranges.
  const passport = (await eve.folder.read('passport.json')) as string
  await eve.folder.write('passport.json', passport.replace(way.url, w.url))
  const given = { sound, home, other: other.attachment.id }
  assert.equal(
    await said(python(folder, `given = json.loads(${JSON.stringify(JSON.stringify(given))})\n${filesInPython}`)),
    'True',
  )
})
