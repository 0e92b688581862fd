// The Python module by itself: box-v1, where a token may go, what a hostile service answers, and how the event channel goes on.
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { generateKeyPair } from '../../sdk/src/box.ts'
import { type KithEvent, openFolder } from '../../sdk/src/node.ts'
import { firstToken } from '../../sdk/test/fixtures.ts'
import { eventIds, peerId } from '../../sdk/test/scenarios.ts'
import { code as ownersCode, startStandin } from '../../sdk/test/standin.ts'
import { attachSocket } from '../../sdk/test/standin-socket.ts'
import { killLeftovers, type Program } from '../../server/test/launch.ts'
import { needing } from '../../server/test/programs.ts'
import { beforehand } from '../../server/test/story.ts'
import { folder as temporary } from './folder.ts'
import { skip, startPython } from './interpreter.ts'

const { after, test } = needing(skip)
const home = beforehand(temporary)
after(killLeftovers)

async function said(program: Program): Promise<string> {
  assert.equal(await program.ended, 0, program.output())
  return program.out().trim()
}

/** Ada's folder, on a service of her own. */
async function ada(folder: string) {
  const service = await startStandin()
  const socket = attachSocket(service.server, service.tokens)
  const keys = generateKeyPair()
  const bot = service.addBot({ handle: 'ada', encryption_public_key: keys.publicKey }, firstToken)
  const store = await openFolder(join(home.path, folder))
  await store.write('key', keys.secretKey)
  await store.write('token', grant(firstToken))
  await store.write('passport.json', JSON.stringify({ base_url: service.url, bot }))
  return { service, socket, store, bot }
}

const grant = (text: string): string =>
  JSON.stringify({ token: text, token_expires_at: new Date(Date.now() + 20 * 86_400_000) })
const payload = { order_id: peerId, status: 'funded', version: 1 }
const event = (at: number) => ({ event_id: eventIds[at] as string, kind: 'order.changed' as const, payload })

test('a lock for which the disk has no room leaves nothing half written', async () => {
  const code = `
import kith._locks as locks, os, sys
def full(descriptor, data): raise OSError("the disk is full")
locks.write_all = full
try: locks.FolderLocks(sys.argv[1]).acquire("token")
except OSError as error: print(error, os.listdir(sys.argv[1]))`
  assert.equal(await said(startPython(['-c', code, join(home.path, 'full')])), 'the disk is full []')
})

test('a folder without an identity says what is missing, and one that does not exist is not made', async () => {
  const folder = join(home.path, 'nobody')
  const open = `
import kith, sys
try: kith.open_identity(sys.argv[1])
except kith.KithIdentityError as error: print(error)`
  const told = async () => (await said(startPython(['-c', open, folder]))).replace(folder, 'FOLDER')
  assert.equal(await told(), 'FOLDER does not exist: register, or recover access')
  assert.equal(existsSync(folder), false)
  const store = await openFolder(folder)
  assert.equal(await told(), 'FOLDER has no passport: register, or recover access')
  await store.write('registration.json', '{"base_url":"https://kith.example","handle":"ada"}')
  assert.match(await told(), /^FOLDER has an unfinished registration of ada: finish it with open_registration or /)
})

test('a passport, token or registration of another shape is damaged, and the error says what to do', async () => {
  const folder = join(home.path, 'shapeless')
  const store = await openFolder(folder)
  const code = `
import json, kith, sys
folder, passport = sys.argv[1], json.loads(sys.argv[2])
def attempt(file, *shapes):
    for shape in shapes:
        open(f"{folder}/{file}", "w").write(json.dumps(shape))
        try: kith.open_identity(folder).rotate_token()
        except kith.KithIdentityError as error: print(error)
attempt("passport.json", None, [], "ada", 1, {}, {**passport, "base_url": 1}, {**passport, "bot": None}, {**passport, "bot": {}})
open(f"{folder}/passport.json", "w").write(json.dumps(passport))
attempt("token", None, [], {}, {"token": "x"}, {"token_expires_at": "2030-01-01T00:00:00Z"})`
  const passport = { base_url: 'https://kith.example', bot: { id: peerId, handle: 'ada' } }
  const rows = (await said(startPython(['-c', code, folder, JSON.stringify(passport)]))).split('\n')
  const damaged = (file: string, mending: string) => `${file} in ${folder} is damaged: ${mending}`
  const [ofPassport, ofToken] = [
    damaged('passport.json', 'restore it from a backup, or delete it and recover access'),
    damaged('token', 'recover access'),
  ]
  assert.deepEqual(rows, [...Array(8).fill(ofPassport), ...Array(5).fill(ofToken)])
  await store.remove('passport.json')
  await store.write('registration.json', '[]')
  const starting = `
import kith, sys
try: kith.open_registration(sys.argv[1], "https://kith.example").progress()
except kith.KithIdentityError as error: print(error)`
  const begun = await said(startPython(['-c', starting, folder]))
  assert.equal(begun, damaged('registration.json', 'restore it from a backup'))
})

test('Python seals and opens what the published vectors say, and refuses what they refuse', async () => {
  const files = ['vectors.py', '../../sdk/vectors/box-v1.json'].map((name) =>
    fileURLToPath(new URL(name, import.meta.url)),
  )
  await said(startPython(files))
})

test('a token goes to https or loopback only, and follows no redirect', async () => {
  const wrong = [
    ...[
      'http://kith.example',
      'https://u:p@kith.example',
      'https://kith.example/path',
      'ftp://kith.example',
      'https://',
    ],
    ...['https://kith.example?x', 'http://127.0.0.1.kith.example', 'http://localhost@kith.example', 'https://a b', ''],
  ]
  const code = `
import json, kith, sys
from kith._http import Transport, check_base_url
for url in json.loads(sys.argv[1]):
    try: check_base_url(url); print("took", url)
    except kith.KithInputError: pass
print([check_base_url(url) for url in ("HTTPS://Kith.Example:443/", "http://[0:0::1]:80", "http://127.0.0.1:8080")])
try: check_base_url("https://u:p@Kith.example/path?x")
except kith.KithInputError as error: print(error)
for kind in ("redirect", "cut", "array", "other", "deep", "slow", "drip", "garbage"):
    try: Transport(sys.argv[2], 1.0).request("GET", f"/{kind}", token="kith_" + "0" * 43); print("took", kind)
    except kith.KithNetworkError as error: print(kind, error.reason, "0000" in repr(error) + str(error))
for ask in (lambda path: Transport(sys.argv[2]).request("GET", path), lambda path: Transport(sys.argv[2]).stream("GET", path)):
    for path in ("/refusal", "/other"):
        try: ask(path); print("took", path)
        except kith.KithError as error: print(error.status, error.code)
        except kith.KithNetworkError as error: print(path, error.reason)
try: Transport(sys.argv[2]).stream("HEAD", "/gone"); print("took")
except kith.KithError as error: print(error.status, error.code)
from kith._http import Watch
import time
with Watch(1.0) as watch:
    watch.earn(65536)
    time.sleep(1.2)
    watch.check()
    print("earned", watch.rang)
    watch.earn(2**24)
    print("an hour" if watch._deadline - time.monotonic() > 60 else "a minute at most")
from kith._downloads import Facts, _facts
from kith._receiver import _delay_after
from kith._socket import Refused
class Endless: status, headers = 200, {"content-length": "999999999999", "etag": '"' + "0" * 64 + '"'}
try: _facts(Endless()); print("took")
except kith.KithNetworkError as error: print(error)
for card in {"size": 1, "sha256": "/../../x"}, {"size": 2**40, "sha256": "0" * 64}, {}:
    try: Facts.of(card); print("took", card)
    except kith.KithNetworkError as error: print(error.reason)
print([_delay_after(Refused(503, True, wait), 1.0) for wait in (None, 120, 999_999_999)])`
  const envelope = '{"error":{"code":"not_found"}}'
  const answers: Record<string, string> = {
    redirect: 'HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\n\r\n',
    cut: 'HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\n{"a":1}',
    array: 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n[]',
    other: 'HTTP/1.1 200 OK\r\nContent-Length: 15\r\n\r\n{"status":"ok"}',
    refusal: `HTTP/1.1 404 Not Found\r\nContent-Length: ${envelope.length}\r\n\r\n${envelope}`,
    gone: 'HTTP/1.1 404 Not Found\r\n\r\n',
    deep: `HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n${'['.repeat(100_000)}`,
    garbage: 'no HTTP at all\r\n\r\n',
  }
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', (data) => {
      const [, kind = ''] = /^\w+ \/api\/v1\/(\w+) /.exec(data.toString()) ?? []
      if (kind === 'drip') socket.write('HTTP/1.1 200 OK\r\nContent-Length: 65536\r\n\r\n')
      else if (kind !== 'slow') return void socket.end(answers[kind] ?? '')
      // A byte now and then keeps any time-out of the socket from passing.
      const drip = setInterval(() => socket.write('H'), 100)
      socket.on('close', () => clearInterval(drip))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const out = await said(startPython(['-c', code, JSON.stringify(wrong), url]))
  server.close()
  assert.deepEqual(out.split('\n'), [
    "['https://kith.example', 'http://[::1]', 'http://127.0.0.1:8080']",
    'the base URL must be an origin: https://kith.example, without credentials, path, query or fragment',
    ...[
      'redirect redirect False',
      'cut broken False',
      'array foreign False',
      'other foreign False',
      'deep foreign False',
    ],
    ...['slow timeout False', 'drip timeout False', 'garbage broken False'],
    ...['404 unexpected_answer', '/other foreign', '404 unexpected_answer', '/other foreign', '404 unexpected_answer'],
    'earned False',
    'a minute at most',
    'the response is larger than any file',
    ...['foreign', 'foreign', 'foreign'],
    '[1.0, 121.0, 3601.0]',
  ])
})

test('an agent whose clock is wrong counts by the time of the service', async () => {
  const { service, store } = await ada('late')
  const code = `
import kith, sys
from datetime import datetime, timedelta, timezone
from kith import _time
right = _time.now
hours = timedelta(hours=5)
_time.now = lambda: right() - hours
ada = kith.open_identity(sys.argv[1])
print([abs(ada.now() - right()) < timedelta(hours=1) for _ in range(2)])
# By a machine's clock: a request at \`sent\` is answered at \`came\`; the response says noon.
noon = datetime(2026, 3, 1, 12, tzinfo=timezone.utc)
def told(sent, came, date="Sun, 01 Mar 2026 12:00:00 GMT"):
    _time.now = lambda: noon + timedelta(seconds=came)
    clock = _time.Clock()
    clock.hear(date, noon + timedelta(seconds=sent))
    return clock.known, (clock.now() - noon).total_seconds()
print(told(0.3, 0.8), told(-20, 40), told(-7200, -7199), told(7200, 7201), told(-7200, -7199, "noon"), told(0, 0, None))`
  const out = await said(startPython(['-c', code, store.path]))
  assert.deepEqual(out.split('\n'), [
    '[True, True]',
    '(True, 0.8) (True, 40.0) (True, 0.0) (True, 2.0) (False, -7199.0) (False, 0.0)',
  ])
  assert.equal(service.log.filter((line) => line.startsWith('GET /bots/me')).length, 1)
  await service.close()
})

test('a refusal from something in between ends no request, loses no token and takes no registration back', async () => {
  const service = await startStandin()
  const between = (status: number) => ({ how: 'between', status, code: 'not_found' }) as const
  service.fault('POST /bots/register', { how: 'lose' }, between(403))
  service.fault('GET /bots/me', between(401))
  service.fault('POST /tokens/rotate', between(401))
  service.fault('GET /bots/me', between(403))
  service.fault('POST /attachments', between(403))
  service.fault('DELETE /posts', { how: 'lose' }, between(404), { how: 'refuse', status: 404, code: 'not_found' })
  const code = `
import kith, os, sys
from kith._journal import Mutation
def unclear(act):
    try: print("took", act())
    except kith.KithError as error: print(type(error).__name__, error.status, error.code)
ada = kith.Registration(sys.argv[1], sys.argv[2])
ada.start("ada", "owner@kith.example"); ada.verify(sys.argv[3])
unclear(lambda: ada.finish(display_name="Ada"))
print(ada.progress().step, ada.finish()["handle"])
client = kith.open_identity(sys.argv[1])
unclear(client.whoami)
unclear(client.rotate_token)
print(client.whoami()["handle"])
unclear(lambda: client.upload(b"words", "portfolio"))
print(len(os.listdir(os.path.join(sys.argv[1], "uploads"))))
journal = client._journal
unclear(lambda: journal.mutate(Mutation("DELETE", "/posts/1", lambda _: None)))
print(len(journal.pending()), [each.answer for each in journal.resume()])`
  const out = await said(startPython(['-c', code, join(home.path, 'between'), service.url, ownersCode]))
  const unclear = (status: number) => `KithError ${status} unexpected_answer`
  assert.deepEqual(out.split('\n'), [
    ...[unclear(403), 'sent ada', unclear(401), unclear(403), 'ada'],
    ...[unclear(403), '1', unclear(404), "1 [{'deleted': True}]"],
  ])
  await service.close()
})

test('the channel goes on after lost connections and a rotated token, and stops where that cannot help', async () => {
  const { service, socket, store, bot } = await ada('ada')
  /** It shows no key that could be pinned, and stops nothing behind it. */
  const odd = { ...event(0), kind: 'contact.accepted', payload: { status: 'accepted', peer: { id: 'eve' } } }
  const code = `
import kith, sys
with kith.open_identity(sys.argv[1]).receive() as events:
    try:
        for event in events:
            print("event", event["event_id"][-1], flush=True)
            events.done(event)
    except (kith.KithReceiverError, kith.KithTokenLostError) as error: print("ended", getattr(error, "code"), flush=True)
    try: events.done(event)
    except kith.KithReceiverError as error: print("too late", error.code, flush=True)`

  // Refused for a while, then cut off, then the third connection stays.
  socket.refuse.push({ status: 503 }, { status: 401, isForeign: true }, { status: 404, isForeign: true })
  socket.closeWith.push(1006)
  const listening = startPython(['-c', code, store.path])
  socket.emit(odd as unknown as KithEvent)
  await listening.says(/event 1/)
  assert.equal(socket.connections, 2)
  // Another program rotates the token: its channel is closed, and the new token opens it.
  const rotated = 'kith_1111111111111111111111111111111111111111111'
  await store.write('token', grant(rotated))
  service.tokens.delete(firstToken)
  service.tokens.set(rotated, bot.id)
  for (const each of socket.open) each.close(4401)
  socket.emit(event(1))
  await listening.says(/event 2/)
  // A repeat is acknowledged and not handed over again; what is no event is not taken for one.
  for (const each of socket.open) {
    each.send(JSON.stringify({ type: 'event', ...event(0) }))
    each.send('[1')
    each.send(Buffer.from([0, 1]))
    each.send(JSON.stringify({ type: 'event', event_id: '../../x', kind: 'order.changed', payload }))
    // Python reads these, and could not write them, or not so that the SDK reads them.
    for (const value of ['1e999', ...[980, 985, 990, 991, 992, 993].map((n) => '['.repeat(n) + ']'.repeat(n))])
      each.send(`{"type":"event","event_id":"${eventIds[4]}","kind":"order.changed","payload":{"a":${value}}}`)
  }
  socket.emit(event(2))
  await listening.says(/event 3/)
  // More than a frame may have ends the connection before it is in memory; the next one goes on.
  for (const each of socket.open) each.send('x'.repeat(4_000_000))
  socket.emit(event(3))
  await listening.says(/event 4/)
  for (const each of socket.open) each.close(4403)
  await listening.says(/ended 4403\ntoo late 4403/)

  // A clock that is weeks ahead makes the token look old: it is rotated once, not at every request.
  const ahead = `
import datetime, kith, kith._tokens, sys
right = kith._tokens.now
kith._tokens.now = lambda: right() + datetime.timedelta(days=25)
for _ in range(2): print(kith.open_identity(sys.argv[1]).whoami()["handle"])`
  assert.equal(await said(startPython(['-c', ahead, store.path])), 'ada\nada')
  assert.equal(service.counts['POST /tokens/rotate'], 1)
  assert.equal(await said(listening), `${[1, 2, 3, 4].map((n) => `event ${n}\n`).join('')}ended 4403\ntoo late 4403`)
  await service.close()
})

test('a wait for an event that is cancelled loses none, and neither does a disk that fails', async () => {
  const { service, socket, store } = await ada('patient')
  const code = `
import asyncio, kith.aio, sys
# One thread waits throughout: what it takes is nobody's but the next wait's.
kith.aio._LOOK_SECONDS = 600.0
async def main():
    me = await kith.aio.open_identity(sys.argv[1])
    async with await me.receive() as events:
        for _ in range(3):
            try: await asyncio.wait_for(anext(events), 0.01)
            except TimeoutError: pass
        print("waits", flush=True)
        for _ in range(2): print("event", (await anext(events))["event_id"][-1], flush=True)
asyncio.run(main())
with kith.open_identity(sys.argv[1]).receive() as events:
    def full(event): raise OSError("the disk is full")
    events._prepare, prepare = full, events._prepare
    try: events.next()
    except OSError as error: print(error)
    events._prepare = prepare
    for _ in range(2): print("again", events.next()["event_id"][-1])`
  const waiting = startPython(['-c', code, store.path])
  await waiting.says(/waits/)
  for (const at of [0, 1]) socket.emit(event(at))
  assert.equal(await said(waiting), 'waits\nevent 1\nevent 2\nthe disk is full\nagain 1\nagain 2')
  await service.close()
})
