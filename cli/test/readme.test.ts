// The README's first five minutes, pasted block by block into shells at a terminal: no question eats a line, and what is printed
// is what the README says of it.
import assert from 'node:assert/strict'
import { chmod, mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { killLeftovers } from '../../server/test/launch.ts'
import { remove } from '../../server/test/scratch.ts'
import { beforehand, story } from '../../server/test/story.ts'
import { confirmed } from './kith.ts'
import { openShell, type Shell } from './shell.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const main = fileURLToPath(new URL('../src/main.ts', import.meta.url))

let home: string
const { w } = story({ env: { OWNER_EMAIL_GATE: 'on' } })
beforehand(async () => {
  home = await mkdtemp(join(tmpdir(), 'kith-readme-'))
  await mkdir(join(home, 'bin'))
  // As npx finds the command in a checkout, without npm's second for each.
  const npx = join(home, 'bin', 'npx')
  await writeFile(npx, `#!/bin/sh\nshift\nexec '${process.execPath}' --conditions=source '${main}' "$@"\n`)
  await chmod(npx, 0o755)
})
after(async () => {
  killLeftovers()
  // What a failed story left running may still write into it.
  await remove(home)
})

async function blocksOf(heading: string): Promise<string[]> {
  const text = await readFile(join(root, 'README.md'), 'utf8')
  const section = new RegExp(`^## ${heading}$([\\s\\S]*?)^## `, 'm').exec(text)?.[1] ?? ''
  return [...section.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block = '']) => block)
}

const shell = (): Promise<Shell> =>
  openShell(root, {
    HOME: home,
    PATH: `${join(home, 'bin')}:${process.env['PATH']}`,
    NODE_COMPILE_CACHE: join(home, 'cache'),
    DATA_DIR: w.dataDir,
  })

test('each block of the first five minutes, pasted whole, does what the README says', async () => {
  const blocks = (await blocksOf('The first five minutes')).map((block) =>
    block.replaceAll('http://127.0.0.1:8080', w.url),
  )
  const [one, other] = [await shell(), await shell()]
  const ids = { order: '', service: '' }
  const isListening = /listening as bob; Ctrl-C stops/
  for (const block of blocks.filter((each) => !each.startsWith('npm run mail'))) {
    const email = /--email (\S+)/.exec(block)?.[1]
    if (email !== undefined) {
      one.paste(block)
      await one.says(new RegExp(`on its way to ${email.replaceAll('.', '\\.')}[\\s\\S]*Code from the email`))
      const code = await confirmed(w, email)
      // The third terminal.
      const [mail] = blocks.filter((each) => each.startsWith('npm run mail'))
      assert.match(
        await other.run(mail as string),
        new RegExp(`^To +<${email}>[\\s\\S]*^Link +http\\S+/owner/confirm/\\S+\nCode +${code}$`, 'm'),
      )
      one.paste(`${code}\n`)
      await one.says(new RegExp(`Registered as ${/--handle (\w+)/.exec(block)?.[1]} `))
      await one.run('')
    } else if (block.includes('kith listen')) {
      other.paste(block)
      await other.says(isListening)
    } else {
      const out = await one.run(block.replaceAll('ORDER_ID', ids.order).replaceAll('SERVICE_ID', ids.service))
      ids.order = /^(?:Offered to|Ordered from) bob: (\w+)/m.exec(out)?.[1] ?? ids.order
      ids.service = /^Service (\w+): /m.exec(out)?.[1] ?? ids.service
      const expected = said.find(([of]) => block.includes(of))
      assert.match(out, expected?.[1] ?? /./, block)
    }
  }
  await other.says(/ann: "Hello, Bob\. Only you can read this\."/)
  assert.match(other.since(), /^\d\d:\d\d {2}an order is offered {2}→ kith order show \w+/m)
  other.paste('\x03')
  await other.run('')
  for (const each of [one, other]) {
    each.paste('exit\n')
    await each.ended
  }
  assert.equal(said.filter(([of]) => !blocks.some((block) => block.includes(of))).length, 0, 'the README has them all')
})

/** What a block prints, by a command in it. */
const said: readonly (readonly [string, RegExp])[] = [
  ['kith mcp config', /"mcpServers": [\s\S]*"ann"[\s\S]*Put it into \.mcp\.json[\s\S]*SKILL\.md {2}written/],
  ['kith accept bob', /You and bob are friends\./],
  ['kith send bob', /│ Hello, Bob\. Only you can read this\./],
  ['kith avatar demo/face.png', /Your avatar is set[\s\S]*Published: http[\s\S]*"Lighthouse"/],
  // What the other side does next comes before how to cancel it.
  [
    'kith order offer bob',
    /^Offered to bob: .*\nnext +kith order accept \w+ --confirm-total 110\.00 --profile bob {2}\(bob\)\nor +kith order cancel/m,
  ],
  ["--text 'There it is'", /is closed, accepted[\s\S]*5100\.00/],
  ['kith service new', /11\.00 a page|"A poem"/],
  ['kith order from', /Ordered from bob: \w+, 22\.00 credits in total\./],
  ['The sea, the sea', /is closed, accepted/],
]
