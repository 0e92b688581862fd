// The official suite of the protocol, against the same factory that `kith mcp` serves, over HTTP: `npm run conformance`. The
// suite and all that it needs are pinned by its lock file, and installed into a cache of this checkout. Each
// scenario has to end exactly as written here: a check that newly passes is a failure too. docs/mcp.md#conformance.
import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { isDeepStrictEqual, promisify } from 'node:util'
import { openIdentity } from '@kith/sdk/identity'
import { createMcpHandler } from '@modelcontextprotocol/server'
import { remove } from '../../server/test/scratch.ts'
import { factoryOf } from '../src/mcp/serve.ts'
import { createSession } from '../src/mcp/session.ts'
import { toolsets } from '../src/mcp/toolsets.ts'
import { installed } from './installed.ts'

const run = promisify(execFile)

/** How many checks of a scenario pass, and which cannot: they need tools of the suite's own, prompts, or what Kith leaves out. */
const expected: Readonly<Record<string, { passes: number; others?: readonly string[] }>> = {
  'server-initialize': { passes: 2 },
  ping: { passes: 2 },
  'tools-list': { passes: 3 },
  'resources-list': { passes: 2 },
  'sep-2164-resource-not-found': { passes: 4 },
  'http-header-validation': { passes: 14 },
  'input-required-result-unsupported-methods': { passes: 2 },
  'sep-2640-skills-enumeration': { passes: 32 },
  'sep-2640-skills-manifest': { passes: 6 },
  'sep-2640-skills-directory': { passes: 6, others: ['sep-2640-directory-read-subdir-mimetype'] },
  caching: { passes: 7, others: ['sep-2549-prompts-list-caching-hints'] },
  'server-stateless': {
    passes: 24,
    others: [
      'sep-2575-http-server-no-independent-requests-on-stream',
      'sep-2575-missing-capability-http-400',
      'sep-2575-server-no-log-without-loglevel',
      'sep-2575-server-rejects-undeclared-capability',
    ],
  },
}
/** The suite gives up on a slow machine sooner than this, unless told. */
const limitMs = 600_000
const atOnce = 2
/** It waits less than a second for some answers, and cannot be told otherwise: what a busy machine held up is tried again, alone. */
const attempts = 4

/** The factory of `kith mcp` for a profile that is not registered: no scenario needs a server of Kith. */
async function serving(home: string): Promise<{ url: string; close(): Promise<void> }> {
  const end = new AbortController()
  const settings = { profile: 'conformance', toolsets, readOnly: false, from: 'all' as const }
  const session = createSession(
    settings,
    () => {},
    end.signal,
    () => openIdentity(join(home, 'conformance')),
  )
  const handler = createMcpHandler(await factoryOf(session, '0'))
  const server = createServer((request, response) => {
    answer(request, response, handler.fetch).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    async close() {
      end.abort()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  fetch: (request: Request) => Promise<Response>,
): Promise<void> {
  const headers = new Headers(
    Object.entries(request.headers).map(([name, value]) => [name, String(value)] as [string, string]),
  )
  const { method = 'GET', url = '/' } = request
  const body = method === 'POST' ? await buffer(request) : undefined
  const {
    status,
    headers: given,
    body: sent,
  } = await fetch(
    new Request(new URL(url, `http://${headers.get('host')}`), { method, headers, ...(body && { body }) }),
  )
  response.writeHead(status, Object.fromEntries(given))
  response.flushHeaders()
  if (sent) await pipeline(Readable.fromWeb(sent as never), response)
  else response.end()
}

interface Check {
  id: string
  status: string
  errorMessage?: string
}

/** The checks of a scenario that passed or did not; what only informs is left out. */
async function checksOf(scenario: string, attempt: number): Promise<Check[]> {
  const out = join(home, `${scenario}-${attempt}`)
  const words = ['server', '--url', url, '--scenario', scenario, '--timeout', String(limitMs), '-o', out]
  const { stderr } = await run(process.execPath, [program, ...words], { cwd: home }).catch((error) => error)
  const [folder] = await readdir(out).catch(() => [])
  if (folder === undefined) throw new Error(`${scenario} did not run: ${stderr}`)
  const checks: Check[] = JSON.parse(await readFile(join(out, folder, 'checks.json'), 'utf8'))
  return checks.filter(({ status }) => status !== 'INFO' && status !== 'SKIPPED')
}

const home = await mkdtemp(join(tmpdir(), 'kith-conformance-'))
const program = await installed('suite', '@modelcontextprotocol/conformance/dist/index.js')
const { url, close } = await serving(home)
const left = Object.keys(expected)
const again: string[] = []
let failed = 0

/** Whether a scenario ends as it must. */
async function judge(scenario: string, attempt: number): Promise<boolean> {
  const { passes, others = [] } = expected[scenario] as (typeof expected)[string]
  const checks = await checksOf(scenario, attempt)
  const rest = checks.filter(({ status }) => status !== 'SUCCESS')
  const passed = checks.length - rest.length
  const isRight = passed === passes && isDeepStrictEqual(rest.map(({ id }) => id).sort(), others)
  process.stdout.write(`${isRight ? 'as expected' : 'otherwise  '}  ${scenario}: ${passed} of ${checks.length}\n`)
  if (isRight) return true
  for (const { id, status, errorMessage } of rest) process.stdout.write(`  ${status} ${id}: ${errorMessage ?? ''}\n`)
  return false
}

async function work(): Promise<void> {
  for (let next = left.shift(); next; next = left.shift()) if (!(await judge(next, 1))) again.push(next)
}

try {
  await Promise.all(Array.from({ length: atOnce }, work))
  for (const scenario of again) {
    let isRight = false
    for (let attempt = 2; attempt <= attempts && !isRight; attempt++) isRight = await judge(scenario, attempt)
    if (isRight) continue
    failed++
    process.stdout.write(`FAILED       ${scenario}\n`)
  }
} finally {
  await close()
  await remove(home)
}
process.exit(failed === 0 ? 0 : 1)
