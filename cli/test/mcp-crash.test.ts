// `kith mcp` is killed at its calls of the disk and the network while it prepares, commits and commits again, and while it
// hands events over. Another process then finds one order of each intent, and every event. Each run of this file takes some of
// the points, from a start of its own; KITH_CRASH=full takes all. The other kinds of intents: mcp-crash-kinds.test.ts.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { befriended, registered } from '../../sdk/test/registered.ts'
import { startProgram } from '../../server/test/launch.ts'
import { beforehand, story } from '../../server/test/story.ts'
import { command } from './command.ts'
import { host } from './host.ts'

const { w } = story()
const { cli, folderOf } = command(w)
const ann = beforehand(() => registered(w.url, folderOf('ann'), 'ann'))
const bob = beforehand(() => registered(w.url, folderOf('bob'), 'bob'))
beforehand(() => befriended(ann, bob))
const after = beforehand(() => host(cli, 'ann'))

const killer = fileURLToPath(new URL('../../sdk/test/kill-at.ts', import.meta.url))
const full = process.env['KITH_CRASH'] === 'full'

// biome-ignore lint/suspicious/noExplicitAny: as in host.ts
type Any = any

/** A host whose `kith mcp` is killed at its so-manieth call: its calls end with `undefined` from then on. */
async function doomed(at: number, act: (call: (name: string, args: object) => Promise<Any>) => Promise<void>) {
  const [node, ...args] = cli.command as [string, ...string[]]
  const env = { ...cli.env, KITH_KILL_AT: String(at) }
  const it = startProgram([node, '--import', killer, ...args, 'mcp', '-p', 'ann'], { env, cwd: cli.home, input: true })
  const ended = it.ended.then(() => undefined)
  let id = 1
  const ask = async (method: string, params: object): Promise<Any> => {
    it.input.write(`${JSON.stringify({ jsonrpc: '2.0', id: ++id, method, params })}\n`)
    const found = await Promise.race([it.says(new RegExp(`^.*"id":${id}}$`, 'm')).catch(() => undefined), ended])
    return found && JSON.parse(found[0]).result
  }
  await ask('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x', version: '1' } })
  await act(async (name, args) => {
    const result = await ask('tools/call', { name, arguments: args })
    if (result) assert.ok(!result.isError, JSON.stringify(result))
    return result?.structuredContent
  })
  it.input.end()
  return (await it.ended) === 'SIGKILL'
}

/** Kills at a point here and there, until a run comes to its end. */
async function everywhere(step: number, run: (at: number) => Promise<boolean>): Promise<void> {
  const by = full ? 1 : step
  let kills = 0
  for (let at = 1 + Math.floor(Math.random() * by); await run(at); at += by) kills++
  assert.ok(kills > 0, 'no run was killed')
}

test('an order is prepared and committed twice: killed anywhere, one order is made when another process commits', async () => {
  await cli.json(0, 'limits', '-p', 'ann', '--day', '100000')
  const deadline = new Date(Date.now() + 86_400_000).toISOString()
  const seen = new Set<string>()
  await everywhere(60, async (at) => {
    const title = `killed at ${at}`
    const ask = { action: 'order', to: 'bob', title, description: title, deadline, amount_minor: 100 }
    let prepared: Any
    let done: Any
    const wasKilled = await doomed(at, async (call) => {
      prepared = await call('prepare', ask)
      if (!prepared) return
      const { intent_id, total_minor } = prepared
      done = await call('commit', { intent_id, total_minor })
      const again = done && (await call('commit', { intent_id, total_minor }))
      if (again) assert.deepEqual(again, done)
    })
    const saved = (await ann.folder.list('mcp-intents')).filter((id) => !seen.has(id))
    for (const id of saved) seen.add(id)
    if (prepared) assert.deepEqual(saved, [prepared.intent_id], 'it is on disk before the answer is written')
    const ends = []
    for (const intent_id of saved) ends.push(await after.tool('commit', { intent_id, total_minor: 110 }))
    if (done) assert.deepEqual(ends, [done])
    const titles: string[] = []
    for await (const order of bob.orders.list()) if (order.title === title) titles.push(order.id)
    assert.deepEqual(
      titles,
      ends.map(({ order }) => order.order_id),
    )
    return wasKilled
  })
  const { spent_minor } = (await after.tool('whoami')).limits
  assert.equal(spent_minor, 110 * seen.size)
})

test('an event is handed over: killed anywhere, another process hands it over unless a call showed it', async () => {
  while ((await after.tool('inbox', { wait_seconds: 0, limit: 50 })).events.length > 0);
  await everywhere(60, async (at) => {
    const text = `event ${at}.`
    await bob.conversations.send(ann.passport.bot.id, text)
    const shown: string[] = []
    let acknowledged: Any
    const wasKilled = await doomed(at, async (call) => {
      shown.push(JSON.stringify(await call('inbox', { wait_seconds: 0 })))
      acknowledged = await call('inbox', { wait_seconds: 0 })
    })
    const wasShown = shown.some((each) => each?.includes(text))
    const later = JSON.stringify(await after.tool('inbox', { wait_seconds: wasShown ? 0 : 20, limit: 50 }))
    assert.ok(wasShown || later.includes(text), 'it was lost')
    if (acknowledged) assert.ok(!later.includes(text), 'it came again after it was acknowledged')
    return wasKilled
  })
})
