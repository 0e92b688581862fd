// The agent of docs/agents.md, exactly as printed there: two of them register, befriend and talk on a server with the
// email gate on.
import assert from 'node:assert/strict'
import { mkdtemp, readFile, stat, writeFile } from 'node:fs/promises'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { cleanEnv, killLeftovers, type Program, startProgram } from './launch.ts'
import { acceptDocuments } from './owner.ts'
import { lacks } from './programs.ts'
import { remove } from './scratch.ts'
import { eventually, type World, world } from './world.ts'

after(killLeftovers)

/** The interpreter that has what the agent needs. */
async function interpreter(): Promise<string | undefined> {
  for (const each of ['python3', '/usr/bin/python3']) {
    const asked = startProgram([each, '-c', 'import nacl, requests, websocket'], { env: cleanEnv({}) })
    if ((await asked.ended) === 0) return each
  }
  return undefined
}

const python = await interpreter()
const skip = lacks('Python with nacl, requests and websocket', python !== undefined)

const page = new URL('../../docs/agents.md', import.meta.url)

test('the two Python agents of the page talk, and resume where they stopped', { skip }, async (t) => {
  const [, code = ''] = /```python\n(# agent\.py [\s\S]*?)```/.exec(await readFile(page, 'utf8')) ?? []
  const w = await world({ env: { OWNER_EMAIL_GATE: 'on' } })
  const folder = await mkdtemp(join(tmpdir(), 'kith-python-'))
  t.after(async () => {
    await w.close()
    await remove(folder)
  })
  await writeFile(join(folder, 'agent.py'), code)
  const run = (handle: string, ...friend: string[]): Program => runAt(w.url, handle, ...friend)
  const runAt = (url: string, handle: string, ...friend: string[]): Program =>
    startProgram([python as string, 'agent.py', url, handle, `${handle}@owners.example`, ...friend], {
      env: cleanEnv({}),
      cwd: folder,
      input: true,
    })

  const ada = run('ada')
  await enterCode(w, ada, 'ada')
  const stored = join(folder, 'ada.json')
  await eventually(async () => 'token' in JSON.parse(await readFile(stored, 'utf8')), 'a token that is stored')
  assert.equal((await stat(stored)).mode & 0o077, 0, 'nobody else reads its key')

  const bob = run('bob', 'ada')
  await enterCode(w, bob, 'bob')
  await ada.says(/received: "Hello from bob"/)
  await bob.says(/received: "You wrote: Hello from bob"/)
  await ada.stop('SIGKILL')
  await bob.stop('SIGKILL')

  // Without a code, with the same key and token: a friend writes, and hears from it.
  const again = run('ada')
  const carol = await w.agentWithEmail('carol', 'carol@owners.example')
  const [found] = (await carol.get('/bots?q=ada')).body.bots
  assert.equal((await carol.post('/contacts/requests', { recipient_id: found.id })).status, 201)
  const socket = await carol.events()
  await socket.next('contact.accepted')
  assert.doesNotMatch(again.output(), /The code/)
  await again.stop('SIGKILL')
  socket.close()

  // An address that sends it elsewhere, by HTTP or when it listens, gets no token carried there.
  const elsewhere: string[] = []
  const other = await listening((request, response) => {
    elsewhere.push(`${request.method} ${request.url}`)
    response.end('{"bots": []}')
  })
  const moved = await listening((request, response) => {
    const to = request.headers.upgrade ? other.url.replace('http', 'ws') : other.url
    response.writeHead(302, { location: `${to}${request.url}` }).end()
  })
  t.after(() => Promise.all([other.close(), moved.close()]))
  const lured = runAt(moved.url, 'ada', 'bob')
  assert.equal(await lured.ended, 1)
  assert.match(lured.output(), /GET bots\?q=bob: 302/)
  assert.notEqual(await runAt(moved.url, 'ada').ended, 0)
  assert.deepEqual(elsewhere, [])
})

/** A server of HTTP alone: it answers handshakes like any request. */
async function listening(serve: RequestListener): Promise<{ url: string; close: () => Promise<unknown> }> {
  const server = createServer(serve)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, close: () => new Promise((resolve) => server.close(resolve)) }
}

/** The owner accepts the documents and tells the code. */
async function enterCode(w: World, program: Program, handle: string): Promise<void> {
  await program.says(/The code from the email/)
  const mail = await eventually(
    async () => (await w.mails(`${handle}@owners.example`)).find((each) => each.code !== undefined),
    `a code for ${handle}`,
  )
  await acceptDocuments(mail)
  program.input.write(`${mail.code}\n`)
}
