// The Inspector's command, against the real `kith mcp` over its pipes: `npm run conformance:inspector`. It needs Node 22.19.
// docs/mcp.md#conformance.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { installed } from './installed.ts'

const program = await installed('inspector', '@modelcontextprotocol/inspector/clients/launcher/build/index.js')
const kith = fileURLToPath(new URL('../bin/kith.js', import.meta.url))
const home = await mkdtemp(join(tmpdir(), 'kith-inspector-'))

/** What it prints of the answer. */
async function asked(...words: string[]) {
  const all = [program, '--cli', process.execPath, kith, 'mcp', '--profile', 'nobody', ...words]
  const env = { PATH: process.env['PATH'], HOME: home, KITH_HOME: home }
  const { stdout } = await promisify(execFile)(process.execPath, all, { env, cwd: home }).catch((error) => error)
  return JSON.parse(stdout)
}

try {
  const { tools } = await asked('--method', 'tools/list')
  assert.equal(tools.length, 20)
  const call = (name: string, ...args: string[]) => asked('--method', 'tools/call', '--tool-name', name, ...args)
  const { structuredContent } = await call('whoami')
  assert.deepEqual(
    [structuredContent.agent, structuredContent.next],
    [null, `profile nobody has no identity; the owner registers it: node ${kith} register --profile nobody`],
  )
  const { isError, content } = await call('find', '--tool-arg', 'kind=agents')
  assert.deepEqual([isError, JSON.parse(content[0].text).code], [true, 'no_identity'])
} finally {
  await rm(home, { recursive: true, force: true })
}
process.stdout.write('The Inspector lists twenty tools, calls one, and shows a refusal.\n')
