// The ways to join, as the first page shows them: each block is pasted at a terminal of a machine whose home folder is empty,
// stopped while it waits for the owner, and pasted again. docs/contract/site.md#joining.
import assert from 'node:assert/strict'
import { access, mkdir, mkdtemp, readFile, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { after, before, test } from 'node:test'
import { python, skip } from '../../python/test/interpreter.ts'
import { minutes } from '../../server/src/kernel/clock.ts'
import { type Way, ways } from '../../server/src/site/pages/ways.ts'
import { killLeftovers } from '../../server/test/launch.ts'
import { remove } from '../../server/test/scratch.ts'
import { beforehand, story } from '../../server/test/story.ts'
import { eventually, latestMail, world } from '../../server/test/world.ts'
import { confirmed } from './kith.ts'
import { openShell, type Shell } from './shell.ts'

const { w } = story({ env: { OWNER_EMAIL_GATE: 'on' } })
let base: string
let blocks: readonly string[]
before(async () => {
  base = await mkdtemp(join(tmpdir(), 'kith-ways-'))
})
beforehand(async () => {
  const page = await (await fetch(w.url)).text()
  const [, list = ''] = /<ul class="ways">([\s\S]*?)<\/ul>/.exec(page) ?? []
  blocks = [...list.matchAll(/<pre class="command[^>]*><code>([\s\S]*?)<\/code><\/pre>/g)].map(([, code = '']) =>
    read(code),
  )
  assert.equal(blocks.length, ways.length)
})
after(async () => {
  killLeftovers()
  await remove(base)
})

const marks = { lt: '<', gt: '>', quot: '"', '#39': "'", amp: '&' }
const read = (html: string): string =>
  html.replace(/&(lt|gt|quot|#39|amp);/g, (_, name: keyof typeof marks) => marks[name])

/** A machine of its own for a way: what the system has on its path, no registry, and nothing else of a user. */
async function at(name: Way['name'], folder: string = name): Promise<{ shell: Shell; home: string; block: string }> {
  const home = join(base, folder)
  await mkdir(home)
  const path = (process.env['PATH'] ?? '').split(delimiter).filter((each) => !each.includes('node_modules'))
  const shell = await openShell(home, {
    HOME: home,
    PATH: [join(home, 'npm/bin'), ...(name === 'python' ? [dirname(python)] : []), ...path].join(delimiter),
    // As a user who may not write into the system's folders sets it.
    npm_config_prefix: join(home, 'npm'),
    npm_config_registry: 'http://127.0.0.1:9/',
    npm_config_update_notifier: 'false',
    PIP_INDEX_URL: 'http://127.0.0.1:9/',
    PIP_DISABLE_PIP_VERSION_CHECK: '1',
  })
  return { shell, home, block: `${blocks[ways.findIndex((way) => way.name === name)]}\n` }
}

/** Answers what the command asks. */
async function registers(shell: Shell, handle: string, email: string): Promise<void> {
  for (const [question, answer] of [
    [/Handle .*: $/, handle],
    [/Name that others see: $/, handle],
    [/Specialty.*: $/, ''],
    [/mail.*: $/, email],
  ] as const) {
    await shell.says(question)
    shell.paste(`${answer}\n`)
  }
}

const asksForCode = /Code from the email.*: $/

/** Stops it at the question for the code, starts it again, and gives the code that the owner got. */
async function confirms(shell: Shell, block: string, email: string, stopped: RegExp): Promise<void> {
  await shell.says(asksForCode)
  await shell.interrupt(stopped)
  shell.paste(block)
  await shell.says(asksForCode)
  shell.paste(`${await confirmed(w, email)}\n`)
}

test('MCP in a host: installed, registered, and the settings name what is there', async () => {
  const { shell, block } = await at('mcp')
  shell.paste(block)
  await registers(shell, 'ann', 'ann@example.org')
  await confirms(shell, block, 'ann@example.org', /to continue: kith register --resume/)
  await shell.says(/Put it into \.mcp\.json/)
  const settings = /^\{[\s\S]*^\}/m.exec(shell.since())?.[0] ?? ''
  const { command, args } = JSON.parse(settings).mcpServers.kith
  await access(command)
  await access(args[0])
  assert.match(await shell.run(block), /Registered as ann [\s\S]*mcpServers/, 'pasted again when all is done')
})

test('the command: installed, registered, and shows what waits', async () => {
  const { shell, block } = await at('command')
  shell.paste(block)
  await registers(shell, 'bob', 'bob@example.org')
  await confirms(shell, block, 'bob@example.org', /to continue: kith register --resume/)
  await shell.says(/Registered as bob [\s\S]*Nothing waits/)
  assert.match(
    await shell.run('kith skill install --for claude-code\n'),
    /\.claude\/skills\/kith\/SKILL\.md {2}written/,
  )
  // What it imports is in the package; it ends with its input.
  await shell.run('kith mcp < /dev/null\n')
})

test('a server that asks no owner needs no email, over HTTP too', async () => {
  const open = await world()
  const { shell } = await at('http', 'open')
  const { block } = ways.find(({ name }) => name === 'http')!
  assert.match(await shell.run(`${block({ url: open.url, gate: false, version: '' })}\n`), /Registered as my_agent/)
  await open.close()
})

for (const [name, keeps] of [
  ['sdk', 'my_agent/passport.json'],
  ['python', 'my_agent/passport.json'],
  ['http', 'passport.json'],
] as const) {
  test(`${name}: registered, and nothing twice`, { skip: name === 'python' && skip }, async () => {
    const { shell, home, block: shown } = await at(name)
    const email = `${name}@example.org`
    const block = shown.replace('my_agent email=you@example.org', `${name}_agent email=${email}`)
    assert.notEqual(block, shown)
    shell.paste(block)
    if (name === 'http') {
      // The owner took too long: the next run asks for another code.
      await shell.says(asksForCode)
      await shell.interrupt(/failed: sh /)
      const former = await latestMail(w, email)
      w.travel(minutes(11))
      await utimes(join(home, 'asked.json'), 0, 0)
      shell.paste(block)
      await eventually(async () => (await latestMail(w, email)).link !== former.link || undefined, 'another email')
    }
    await confirms(shell, block, email, /failed: (node|\.venv\/bin\/python|sh) .*\s*$/)
    await shell.says(new RegExp(`Registered as ${name}_agent`))
    const passport = await readFile(join(home, keeps), 'utf8')
    assert.match(await shell.run(block), new RegExp(`Registered as ${name}_agent`))
    assert.equal(await readFile(join(home, keeps), 'utf8'), passport)
    assert.equal((await (await fetch(`${w.url}/agents/${name}_agent.json`)).json()).bot.handle, `${name}_agent`)
  })
}
