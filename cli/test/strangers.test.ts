// Three strangers trade through the packages alone: the shop of docs/shop.md in TypeScript, a broker who types `kith`, and a
// customer in Python who knows nothing but the REST API. The customer asks the broker, the broker buys from the shop.
import assert from 'node:assert/strict'
import { copyFile, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { registered } from '../../sdk/test/registered.ts'
import { installed } from '../../server/test/installed.ts'
import { cleanEnv, killLeftovers, startProgram } from '../../server/test/launch.ts'
import { lacks } from '../../server/test/programs.ts'
import { remove } from '../../server/test/scratch.ts'
import { eventually, type World, world } from '../../server/test/world.ts'
import { type Kith, kith } from './kith.ts'

const python = '/usr/bin/python3'
const hasPython = (await startProgram([python, '-c', 'import nacl, requests'], { env: cleanEnv({}) }).ended) === 0
const skip = lacks('Python with nacl, requests and websocket', hasPython)

/** The customer: registers, finds what it needs, makes friends, orders, and does what its agenda says until it has it. */
const customer = `
import sys, time, uuid
from base64 import b64encode
from datetime import datetime, timedelta, timezone
import requests
from nacl.public import PrivateKey

url, token = sys.argv[1], None
def call(method, path, body=None):
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    answer = requests.request(method, url + path, json=body, headers=headers, timeout=30)
    return answer.json() if answer.ok else sys.exit(f"{method} {path}: {answer.text}")
def new(**fields): return {"operation_id": str(uuid.uuid4()), **fields}
def agenda(kind): return [each for each in call("GET", "/api/v1/bots/me/agenda")["items"] if each["kind"] == kind]

key = b64encode(bytes(PrivateKey.generate().public_key)).decode()
token = call("POST", "/api/v1/bots/register", {"handle": "cora", "display_name": "Cora", "encryption_public_key": key})["token"]
while (search := call("GET", "/api/v1/discovery?kind=services&available=true&q=hand-written%20limericks"))["partial"]: pass
found = search["items"][0]
service = call("GET", found["api"])["service"]
call("POST", "/api/v1/contacts/requests", {"recipient_id": found["agent"]["id"]})
while call("GET", "/api/v1/contacts")["contacts"][0]["status"] != "accepted": time.sleep(0.1)
quote = call("POST", found["api"] + "/quote", new(expected_version=service["version"]))["quote"]
order = call("POST", "/api/v1/orders", new(service_quote_id=quote["id"], confirmed_total_minor=quote["total_minor"],
    title="A limerick", description="About love", deadline=(datetime.now(timezone.utc) + timedelta(days=1)).isoformat()[:23] + "Z"))["order"]
while not (due := agenda("order")): time.sleep(0.1)
steps = {action["name"]: action for action in due[0]["actions"]}
done = call("GET", f"/api/v1/orders/{order['id']}")["order"]
call(steps["complete"]["method"], steps["complete"]["path"], new(expected_version=done["version"]))
review = agenda("review")[0]["actions"][0]
call(review["method"], review["path"], new(rating=5, recommend=True, publication_confirmed=True,
    criteria={"quality": 5, "timeliness": 5, "communication": 5}))
print(done["result_text"], flush=True)
`

let at: World
let cli: Kith | undefined
let folder: string
after(async () => {
  killLeftovers()
  await cli?.[Symbol.asyncDispose]()
  await at?.close()
  if (folder) await remove(folder)
})

test('a Python customer gets a limerick from a TypeScript shop, through a broker who types kith', {
  skip,
}, async () => {
  folder = await mkdtemp(join(tmpdir(), 'kith-strangers-'))
  at = await world()
  const sdk = await installed('kith', folder)
  cli = await kith([process.execPath, join(sdk, 'command/bin/kith.js')])
  const broker = cli
  /** How many orders, or contacts, are in a state: the broker looks again when it is its turn. */
  const comes = (table: 'orders' | 'contacts', handle: string, state: string) =>
    eventually(async () => {
      const rows =
        table === 'orders'
          ? await at.sql`select 1 from orders o join agents a on a.id = o.contractor_id where a.handle = ${handle} and o.state = ${state}`
          : await at.sql`select 1 from contacts c join agents a on a.id in (c.requester_id, c.recipient_id)
              where a.handle = ${handle} and c.status = ${state}`
      return rows.length > 0 || undefined
    }, `${table} of ${handle}: ${state}`)

  const { passport } = await registered(at.url, join(folder, 'shop'), 'shop')
  await copyFile(fileURLToPath(new URL('../../demo/shop.ts', import.meta.url)), join(folder, 'shop.ts'))
  const shop = startProgram([process.execPath, 'shop.ts', './shop'], { env: cleanEnv({}), cwd: folder })

  await broker.json(0, 'register', '--url', at.url, '--handle', 'bob', '--name', 'Bob')
  await broker.json(0, 'add', 'shop')
  const own = ['--title', 'Limericks, hand-written', '--description', 'I find the poet', '--delivery', 'A text']
  const made = await broker.json(0, 'service', 'new', ...own, '--amount', '10')
  await broker.json(0, 'service', 'publish', made.service.id)

  await writeFile(join(folder, 'customer.py'), customer)
  const cora = startProgram([python, 'customer.py', at.url], { env: cleanEnv({}), cwd: folder })
  await comes('contacts', 'cora', 'pending')
  await broker.json(0, 'accept', 'cora')
  await comes('contacts', 'shop', 'accepted')
  await comes('orders', 'bob', 'offered')
  const [wanted] = (await broker.json(0, 'agenda')).items.filter(({ kind }: { kind: string }) => kind === 'order')
  await broker.json(0, 'order', 'accept', wanted.id, '--confirm-total', '11.00')

  // A machine whose cores are all busy may end a search early.
  const [found] = await eventually(async () => {
    const { items, partial } = await broker.json(0, 'find', 'limerick', '--kind', 'services', '--max', '6')
    return partial ? undefined : items
  }, 'a whole search')
  assert.equal(found.agent.id, passport.bot.id)
  const bought = await broker.json(0, 'order', 'from', found.id, '--param', 'about=love', '--confirm-total', '5.50')
  await comes('orders', 'shop', 'delivered')
  const { order: delivered } = await broker.json(0, 'order', 'show', bought.order.id)
  await broker.json(0, 'order', 'complete', bought.order.id, '--yes')
  await broker.json(0, 'order', 'deliver', wanted.id, '--text', delivered.untrusted_result_text)

  assert.equal(await cora.ended, 0, cora.output())
  assert.match(cora.out(), /of love, afloat/)
  assert.equal(shop.output(), '', 'the shop had nothing to complain of')
  const earned = await at.sql<{ handle: string; sum: string }>`
    select a.handle, sum(e.amount_minor)::text as sum from ledger_entries e join agents a on a.id = e.party_id
    where e.kind in ('payout', 'capture') group by a.handle order by a.handle`
  assert.deepEqual(
    earned.map(({ handle, sum }) => [handle, Number(sum)]),
    [
      ['bob', 1000 - 550],
      ['cora', -1100],
      ['shop', 500],
    ],
  )
})
