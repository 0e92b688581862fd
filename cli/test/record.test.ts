// A reputation taken along: the blocks of docs/record.md as they are printed, and what a checker of hostile files meets.
import assert from 'node:assert/strict'
import { chmod, mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { cleanEnv, startProgram } from '../../server/test/launch.ts'
import { beforehand, story } from '../../server/test/story.ts'
import { kith, registered } from './kith.ts'

const page = fileURLToPath(new URL('../../docs/record.md', import.meta.url))

const { w } = story({ env: { OWNER_EMAIL_GATE: 'on' } })
const cli = beforehand(kith)
beforehand(() => registered(w, cli, 'ann'))

const inHome = (name: string): string => join(cli.home, name)

test('each block of the guide does what it says', async () => {
  const bin = inHome('bin')
  await mkdir(bin)
  await writeFile(join(bin, 'kith'), `#!/bin/sh\nexec ${cli.command.map((word) => `'${word}'`).join(' ')} "$@"\n`)
  await chmod(join(bin, 'kith'), 0o755)
  const guide = await readFile(page, 'utf8')
  const blocks = [...guide.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block = '']) => block)
  const [get, check, offline, keys, ...more] = blocks as [string, string, string, string]
  assert.deepEqual([more, keys.match(/operator -- (.*)/g)?.length], [[], 2])
  const run = async (block: string): Promise<string> => {
    const script = block.replaceAll('https://kith.example', w.url)
    const env = cleanEnv({ ...cli.env, PATH: `${bin}:${cli.env['PATH']}`, KITH_PROFILE: 'ann' })
    const shell = startProgram(['bash', '-ec', script], { env, cwd: cli.home })
    assert.equal(await shell.ended, 0, shell.output())
    return shell.output()
  }
  const told = await run(get)
  assert.match(told, /^ann\.record\.json {2}valid until 20\d\d-/)
  const [print = ''] = /[0-9a-f]{64}/.exec(told) ?? []
  assert.ok((await (await fetch(`${w.url}/agents/ann/record`)).text()).includes(print), 'as the page says')
  for (const block of [check, offline]) {
    const said = await run(block)
    assert.match(said, /^valid: this is what its issuer signed\nissuer {5}did:web:127\.0\.0\.1%3A\d+\n/)
    assert.ok(said.includes(print) && said.includes('ann "ANN"'))
    assert.match(said, /It does not prove that the reviewers are honest/)
  }
  for (const words of keys.matchAll(/operator -- (keys \w+)(?: --reason "(.*)")?/g))
    await w.operator(...(words[1] as string).split(' '), ...(words[2] ? ['--reason', words[2]] : []))
  assert.match(await run(check), /^valid/, 'signed before the key was retired')

  const [, program = ''] = /^```ts\n([\s\S]*?)^```$/m.exec(guide) ?? []
  // As a program that has installed the SDK.
  await symlink(fileURLToPath(new URL('../../node_modules', import.meta.url)), inHome('node_modules'))
  await writeFile(inHome('check.mts'), program)
  const ran = startProgram([process.execPath, '--conditions=source', 'check.mts'], { env: cleanEnv({}), cwd: cli.home })
  assert.equal(await ran.ended, 0, ran.output())
  assert.match(ran.output(), /^valid valid did:web:127\.0\.0\.1%3A\d+ 0\n/)
})

test('each verdict has its exit code, and no file causes any other failure', async () => {
  const [profile, file, did] = [['--profile', 'ann'], inHome('own.json'), inHome('did.json')]
  const got = await cli.json(0, 'record', file, ...profile)
  assert.deepEqual(Object.keys(got), ['file', 'fingerprint', 'valid_until'])
  const refused = await cli.json(2, 'record', file, ...profile)
  assert.equal(refused.error.hint, 'add --force to replace it')
  await cli.json(0, 'record', file, '--force', ...profile)
  assert.deepEqual((await cli.json(0, 'record', ...profile)).record, JSON.parse(await readFile(file, 'utf8')))
  const document = JSON.parse(await (await fetch(`${w.url}/.well-known/did.json`)).text())
  await writeFile(did, JSON.stringify(document))
  const valid = await cli.json(0, 'verify', file, '--did', did)
  assert.deepEqual(
    [valid.verdict, valid.fingerprint, valid.subject.untrusted_display_name],
    ['valid', got.fingerprint, 'ANN'],
  )

  const text = await readFile(file, 'utf8')
  const key = JSON.parse(text).proof.verificationMethod
  const methods = document.verificationMethod.map((each: { id: string }) =>
    each.id === key ? { ...each, revoked: '2020-01-01T00:00:00Z' } : each,
  )
  const other = inHome('other.json')
  const cases: [verdict: string, record: string | Buffer, document: object][] = [
    ['altered', text.replace('"works":0', '"works":7'), document],
    ['altered', text.replace('{', '{"works":0,"works":1,'), document],
    ['altered', '['.repeat(100_000), document],
    ['altered', Buffer.of(0xff, 0xfe, 0x00), document],
    ['altered', Buffer.alloc(1024 * 1024 + 1, 0x20), document],
    ['unknown_key', text, { ...document, assertionMethod: [] }],
    ['retired_key', text, { ...document, verificationMethod: methods }],
  ]
  for (const [verdict, record, keys] of cases) {
    await writeFile(other, record)
    await writeFile(did, JSON.stringify(keys))
    const { code, json, err } = await cli.run('verify', other, '--did', did, '--json')
    assert.deepEqual([code, json?.verdict, err], [1, verdict, ''], verdict)
  }
  const elsewhere = text.replaceAll(/did:web:127\.0\.0\.1%3A\d+/g, 'did:web:127.0.0.1%3A1')
  await writeFile(other, elsewhere)
  const unreachable = await cli.json(3, 'verify', other)
  assert.equal(unreachable.error.code, 'no_did_document')
  for (const path of [cli.home, inHome('nothing')])
    assert.equal((await cli.json(2, 'verify', path)).error.code, 'usage')
  assert.equal((await cli.json(2, 'verify', file, '--did', other.replace('other', 'nothing'))).error.code, 'usage')

  await cli.json(0, 'edit', '--private', ...profile)
  const closed = await cli.run('record', ...profile)
  assert.equal(closed.code, 1)
  assert.match(closed.err, /only an open profile has a record: .*edit --public/)
})
