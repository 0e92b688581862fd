// The skill: what a server offers, what the command writes into a host's folder, and what `kith mcp` serves.
// docs/contract/site.md#for-agents.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { parse } from 'yaml'
import { registered } from '../../sdk/test/registered.ts'
import { beforehand, story } from '../../server/test/story.ts'
import { hosts } from '../src/mcp/hosts.ts'
import { tools } from '../src/mcp/server.ts'
import { names } from '../src/rooms.ts'
import { noServer } from '../src/skill-text.ts'
import { command } from './command.ts'
import { host } from './host.ts'

const { w } = story()
const { cli, folderOf } = command(w)
beforehand(() => registered(w.url, folderOf('ann'), 'ann'))
const get = (path: string) => fetch(new URL(path, w.url))
const offered = async () => (await get('/skill.md')).text()

test('the skill of a server is small, has its address, and names only what there is', async () => {
  const text = await offered()
  const { publicUrl } = w.service
  assert.match(text, /^---\n[\s\S]*?\n---\n/)
  assert.ok(text.split('\n').length < 500 && Buffer.byteLength(text) < 20_000)
  const [, header = ''] = text.split(/^---$/m)
  const { name, description, compatibility, ...more } = parse(header)
  assert.deepEqual([name, Object.keys(more)], ['kith', ['license']])
  assert.ok(description.length <= 1_024 && compatibility.length <= 500)
  assert.ok(compatibility.includes(publicUrl) && text.includes(`npm install --global ${publicUrl}/packages/kith.tgz`))
  assert.match(text, /`EACCES`.*`--prefix ~\/\.local`/)
  assert.doesNotMatch(text, /[{}]{2}|\bnpx\b|curl|skill\.md|llms\.txt/)

  const code = text.match(/^ *```[\s\S]*?^ *```$|`[^`\n]+`/gm) ?? []
  const said = code.flatMap((each) => [...each.matchAll(/\bkith ([a-z-]+)(?: ([a-z-]+))?/g)])
  const unknown = said.filter(
    ([, one = '', two]) => one !== 'help' && !names.includes(one) && !names.includes(`${one} ${two}`),
  )
  assert.deepEqual(unknown, [])
  assert.ok(said.length > 50, `${said.length} commands`)
  const [, table = ''] = /^\| Set \| Tools \|\n([\s\S]*?)\n\n/m.exec(text) ?? []
  assert.deepEqual(
    [...table.matchAll(/`(\w+)`/g)].map(([, tool]) => tool),
    tools.map((tool) => tool.name),
  )
})

test('the index has the digest of the very bytes, and llms.txt has links that work', async () => {
  const index = await get('/.well-known/agent-skills/index.json')
  const { $schema, skills } = (await index.json()) as { $schema: string; skills: Record<string, string>[] }
  assert.match($schema, /^https:\/\/schemas\.agentskills\.io\/discovery\/0\.2\.0\//)
  const [{ url = '', digest, description, ...more } = {}, ...others] = skills
  assert.deepEqual([more, others], [{ name: 'kith', type: 'skill-md' }, []])
  assert.equal(description, parse((await offered()).split(/^---$/m)[1] as string).description)
  const bytes = Buffer.from(await (await get(url)).arrayBuffer())
  assert.equal(digest, `sha256:${createHash('sha256').update(bytes).digest('hex')}`)

  // Kith does not speak all of A2A, and half a card misleads.
  for (const card of ['agent-card.json', 'agent.json']) assert.equal((await get(`/.well-known/${card}`)).status, 404)

  const text = await (await get('/llms.txt')).text()
  assert.match(text, /^# Kith\n\n> .+\n\n## /)
  const links = [...text.matchAll(/^- \[[^\]]+\]\((\S+)\): .+$/gm)].map(([, link = '']) => link)
  assert.ok(links.length > 9 && links.length <= 15, `${links.length} links`)
  assert.equal(links.length, text.match(/\]\(/g)?.length)
  for (const link of links) {
    assert.ok(link.startsWith(`${w.service.publicUrl}/`))
    // Making the packages takes seconds, and tests of their own ask for them.
    if (!link.endsWith('/packages/index.json')) assert.equal((await get(link)).status, 200, link)
  }
})

test('Ann installs the skill of her server into the folder of each host, and nothing of hers is lost', async () => {
  const mine = ['--profile', 'ann']
  const text = await offered()
  const install = (code: number, ...words: string[]) => cli.json(code, 'skill', 'install', ...words)
  const to = join(cli.home, 'skills')
  const path = join(to, 'kith', 'SKILL.md')
  assert.deepEqual(await install(0, '--to', to, ...mine), { path, state: 'written', url: w.url })
  assert.equal(await readFile(path, 'utf8'), text, 'the very bytes of the server')
  assert.equal((await install(0, '--to', 'skills', ...mine)).state, 'unchanged')

  await writeFile(path, 'my own words')
  const refused = (await install(2, '--to', to, ...mine)).error
  assert.match(refused.message, /SKILL\.md exists/)
  assert.equal(await readFile(path, 'utf8'), 'my own words')
  assert.equal((await install(0, '--to', to, ...mine, '--force')).state, 'replaced')
  assert.equal(await readFile(path, 'utf8'), text)
  assert.deepEqual(await readdir(join(to, 'kith')), ['SKILL.md'])

  const folders = Object.entries(hosts).map(([name, { skills }]) => [name, skills] as const)
  assert.deepEqual(
    folders.filter(([, skills]) => skills === undefined),
    [['claude-desktop', undefined]],
  )
  for (const name of ['claude-code', 'codex']) {
    const { path } = await install(0, '--for', name, ...mine)
    assert.equal(path, join(cli.home, hosts[name]!.skills!.slice(2), 'kith', 'SKILL.md'))
    assert.equal(await readFile(path, 'utf8'), text)
  }
  const common = await install(0, ...mine)
  assert.deepEqual(
    [common.path, common.state],
    [join(cli.home, '.agents/skills/kith/SKILL.md'), 'unchanged'],
    'as codex',
  )
  assert.match((await install(2, '--for', 'claude-desktop')).error.message, /claude-desktop has no folder of skills/)
  assert.match((await install(2, '--for', 'emacs')).error.message, /--for must be one of claude-code, /)
  assert.match((await install(2, '--for', 'codex', '--to', to)).error.message, /cannot be used together/)
})

test('an install follows no link out of its folder, and many at once write one whole file', async () => {
  const to = join(cli.home, 'many')
  const runs = await Promise.all(Array.from({ length: 6 }, () => cli.run('skill', 'install', '--to', to, '-p', 'ann')))
  assert.ok(runs.some(({ code }) => code === 0))
  for (const { code, err } of runs) if (code !== 0) assert.match(err, /SKILL\.md exists/)
  assert.equal(await readFile(join(to, 'kith', 'SKILL.md'), 'utf8'), await offered())

  const [own, trap] = [join(cli.home, 'own.txt'), join(cli.home, 'trap', 'kith')]
  await mkdir(trap, { recursive: true })
  await symlink(own, join(trap, 'SKILL.md'))
  for (const force of [[], ['--force']])
    await cli.run('skill', 'install', '--to', join(trap, '..'), '-p', 'ann', ...force)
  await assert.rejects(stat(own), /ENOENT/)
  await writeFile(join(cli.home, 'file'), '')
  const { code, err } = await cli.run('skill', 'install', '--to', join(cli.home, 'file'), '-p', 'ann')
  assert.equal(code, 2)
  assert.match(
    err,
    /^kith: cannot create .*\/file\/kith \(ENOTDIR\)\n {2}--to FOLDER writes the skill into another folder\n$/,
  )
})

test('a profile without a server gets the skill with a note that says so', async () => {
  const { code, err, json } = await cli.run('skill', 'install', '--to', 'early', '-p', 'nobody', '--json')
  assert.deepEqual([code, json.url], [0, null])
  assert.match(err, /profile nobody has no server yet/)
  assert.ok((await readFile(json.path, 'utf8')).includes(noServer))
})

test('hosts of both eras read the skill as a resource', async () => {
  const text = await offered()
  for (const era of ['modern', 'initialize'] as const) {
    const it = await host(cli, 'ann', { era, flags: ['--read-only'] })
    const { resources } = await it.client.listResources()
    const [{ uri = '', name, mimeType } = {}, ...others] = resources
    assert.deepEqual([uri, name, mimeType, others], ['skill://kith/SKILL.md', 'kith', 'text/markdown', []])
    const { contents } = await it.client.readResource({ uri })
    assert.deepEqual(
      contents.map((each) => 'text' in each && each.text),
      [text],
    )
    const capabilities = it.client.getServerCapabilities() ?? {}
    assert.deepEqual(Object.keys(capabilities).sort(), ['extensions', 'resources', 'tools'])
    assert.deepEqual(Object.keys(capabilities.extensions ?? {}), ['io.modelcontextprotocol/skills'])
    // Neither list ever changes.
    assert.deepEqual([capabilities.tools, capabilities.resources], [{ listChanged: false }, { listChanged: false }])
    await assert.rejects(it.client.readResource({ uri: 'skill://kith/../../key' }))
    assert.equal(it.notes(), '')
    await it[Symbol.asyncDispose]()
  }
})
