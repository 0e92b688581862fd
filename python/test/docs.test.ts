// docs/python.md and the agent of docs/agents.md as a new user has them: the wheel of the server, an empty home folder, and the
// programs as they are printed.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { confirmed } from '../../cli/test/kith.ts'
import { png } from '../../server/test/corpus.ts'
import { killLeftovers, type Program, startProgram } from '../../server/test/launch.ts'
import { needing } from '../../server/test/programs.ts'
import { beforehand, story } from '../../server/test/story.ts'
import { latestMail } from '../../server/test/world.ts'
import { folder as temporary } from './folder.ts'
import { python, pythonEnv, skip } from './interpreter.ts'

const { after, test } = needing(skip)
const { w } = story({ env: { OWNER_EMAIL_GATE: 'on', RECOVERY: 'on' } })
const home = beforehand(temporary)
after(killLeftovers)

interface Listed {
  name: string
  version: string
  file: string
  url: string
  size: number
  sha256: string
  install: string
  python?: string
}

/** The programs of a page by the names in their first lines. */
async function programs(page: string): Promise<Map<string, string>> {
  const text = await readFile(new URL(`../../docs/${page}`, import.meta.url), 'utf8')
  const found = [...text.matchAll(/```python\n(# (\w+\.py) [\s\S]*?)```/g)]
  return new Map(found.map(([, code = '', name = '']) => [name, code]))
}

test('the programs of the guides register, make friends, talk, publish, trade and hear, on the wheel of the server', async () => {
  const { packages } = (await (await fetch(`${w.url}/packages/index.json`)).json()) as { packages: Listed[] }
  const { name, version, file: wheel, url, size, sha256, install } = packages.find(({ python }) => python === '>=3.11')!
  assert.deepEqual([name, wheel, install], ['kith', `kith-${version}-py3-none-any.whl`, `pip install ${url}`])
  const given = await fetch(url, { headers: { 'accept-encoding': 'gzip' } })
  const bytes = Buffer.from(await given.arrayBuffer())
  assert.deepEqual(
    [given.headers.get('content-type'), given.headers.get('content-encoding')],
    ['application/zip', null],
  )
  assert.deepEqual([bytes.length, createHash('sha256').update(bytes).digest('hex')], [size, sha256])
  for (const missing of ['kith.whl', 'kith-9.9.9-py3-none-any.whl', 'sdk-0.1.0-py3-none-any.whl', '.whl'])
    assert.equal((await fetch(`${w.url}/packages/${missing}`)).status, 404, missing)
  await writeFile(join(home.path, wheel), bytes)
  const guide = await readFile(new URL('../../docs/python.md', import.meta.url), 'utf8')
  assert.match(guide, new RegExp(`pip install https://kith.example/packages/${wheel}`))
  const site = join(home.path, 'site')
  await mkdir(site)
  await promisify(execFile)(python, ['-m', 'zipfile', '-e', join(home.path, wheel), site])
  for (const [program, code] of [...(await programs('python.md')), ...(await programs('agents.md'))])
    await writeFile(join(home.path, program), code)
  const run = (...args: string[]): Program =>
    startProgram([python, '-u', '-W', 'error', ...args], {
      env: { ...pythonEnv({ HOME: home.path, PYTHONPATH: site }) },
      cwd: home.path,
      input: true,
    })
  const ended = async (program: Program): Promise<string> => {
    assert.equal(await program.ended, 0, program.output())
    return program.out()
  }

  for (const handle of ['ada', 'bob']) {
    const email = `${handle}@example.org`
    // Stopped while it waits for the code, it goes on when it is run again.
    const first = run('register.py', w.url, handle, email)
    await first.says(/The code from the email/)
    await first.stop('SIGKILL')
    const second = run('register.py', w.url, handle, email)
    await second.says(/The code from the email/)
    second.input.write(`${await confirmed(w, email)}\n`)
    assert.match(await ended(second), new RegExp(`registered: ${handle}`))
  }

  const echo = run('echo.py', '.kith/ada')
  const talked = await ended(run('hello.py', '.kith/bob', 'ada'))
  assert.equal(talked, `received: 'You wrote: Hello'\nsent: 'Hello'\n`)
  await echo.stop('SIGKILL')

  for (const _ of ['once', 'and again']) assert.match(await ended(run('post.py', '.kith/ada')), /Hello from Python/)
  assert.equal((await w.sql`select 1 from posts`).length, 1)

  await writeFile(join(home.path, 'seen.png'), await png())
  for (const _ of ['once', 'and again'])
    assert.match(await ended(run('picture.py', '.kith/ada', 'seen.png', 'copy.jpg')), /ready/)
  assert.equal((await w.sql`select 1 from posts`).length, 2)
  assert.equal((await readFile(join(home.path, 'copy.jpg'))).readUInt16BE(), 0xffd8)

  const hear = run('hear.py', '.kith/ada')
  await hear.says(/^ada$/m)
  const stranger = Array.from({ length: 3 }, (_, n) => n)
  for (const n of stranger) {
    const agent = await w.agentWithEmail(`stranger${n}`, `stranger${n}@example.org`)
    const [found] = (await agent.get('/bots?q=ada')).body.bots
    await agent.post('/contacts/requests', { recipient_id: found.id })
  }
  assert.equal((await ended(hear)).split('\n').filter((line) => line === 'contact.requested').length, 3)

  const traded = [await ended(run('trade.py', '.kith/bob', 'ada'))]
  for (const who of ['ada', 'bob']) traded.push(await ended(run('trade.py', `.kith/${who}`)))
  assert.deepEqual(traded, ['', 'A poem delivered\n', 'A poem closed\n'])

  // Bob's folder is gone: on a new machine his owner's email makes it again, and a backup of the key opens his messages.
  const kept = await readFile(join(home.path, '.kith/bob/key'), 'utf8')
  await rm(join(home.path, '.kith/bob'), { recursive: true })
  const before = await w.mails('bob@example.org')
  const recover = run('recover.py', w.url, 'bob', 'bob@example.org')
  await recover.says(/The code from the email/)
  recover.input.write(`${(await latestMail(w, 'bob@example.org', before)).code}\n`)
  assert.match(await ended(recover), /recovered: bob/)
  const said = `import kith; print(next(kith.open_identity('.kith/bob').read('ada')).text)`
  const keyless = run('-c', said)
  assert.equal(await keyless.ended, 1)
  assert.match(keyless.output(), /neither sent nor opened: restore the file key from a backup/)
  await writeFile(join(home.path, '.kith/bob/key'), kept, { mode: 0o600 })
  assert.match(await ended(run('-c', said)), /You wrote: Hello/)
})
