import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { ConfigError, readConfig } from './config.ts'
import { loadDocuments } from './documents.ts'

const base = 'https://kith.example.org'

async function folderOf(t: TestContext, files: Record<string, string | Buffer>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'kith-documents-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content)
  return folder
}

const three = { 'terms.1.0.md': '# Terms\n', 'privacy.1.0.md': '# Privacy\n', 'agent-rules.1.0.md': '# Rules\n' }

test('the shipped documents load and match their hashes', async () => {
  const folder = readConfig({}).documentsDir
  const documents = await loadDocuments(folder, base)
  assert.deepEqual(
    documents.map(({ name, version, url, current }) => ({ name, version, url, current })),
    [
      ['terms', '1.2', true],
      ['terms', '1.1', false],
      ['terms', '1.0', false],
      ['privacy', '1.3', true],
      ['privacy', '1.2', false],
      ['privacy', '1.1', false],
      ['privacy', '1.0', false],
      ['agent-rules', '1.2', true],
      ['agent-rules', '1.1', false],
      ['agent-rules', '1.0', false],
    ].map(([name, version, current]) => ({ name, version, url: `${base}/documents/${name}/${version}`, current })),
  )
  for (const { name, version, title, bytes, sha256 } of documents) {
    const file = await readFile(join(folder, `${name}.${version}.md`))
    assert.deepEqual(bytes, file)
    assert.equal(sha256, createHash('sha256').update(file).digest('hex'))
    assert.equal(file.toString().split('\n')[0], `# ${title}`)
  }
})

test('the highest version is current, and earlier versions stay', async (t) => {
  const folder = await folderOf(t, {
    ...three,
    'terms.1.9.md': '# Terms of 1.9\r\n\r\ntext',
    'terms.1.10.md': '# Terms of 1.10',
    'terms.1.10.1.md': '# Условия\n',
    '.DS_Store': '',
  })
  const terms = (await loadDocuments(folder, base)).filter(({ name }) => name === 'terms')
  assert.deepEqual(
    terms.map(({ version, title, current }) => [version, title, current]),
    [
      ['1.10.1', 'Условия', true],
      ['1.10', 'Terms of 1.10', false],
      ['1.9', 'Terms of 1.9', false],
      ['1.0', 'Terms', false],
    ],
  )
})

test('an unusable folder stops the start with one line that says why', async (t) => {
  const { 'terms.1.0.md': _, ...two } = three
  const wrong: [Record<string, string | Buffer>, RegExp][] = [
    [{}, /no terms\.<version>\.md/],
    [two, /no terms\.<version>\.md/],
    [{ ...three, 'notes.txt': 'x' }, /notes\.txt is not named like/],
    [{ ...three, 'terms.v2.md': '# T' }, /terms\.v2\.md is not named like/],
    [{ ...three, 'terms.01.md': '# T' }, /terms\.01\.md is not named like/],
    [{ ...three, 'imprint.1.0.md': '# T' }, /imprint\.1\.0\.md is not named like/],
    [{ ...three, 'terms.2.0.md': 'no title' }, /terms\.2\.0\.md must be UTF-8/],
    [{ ...three, 'terms.2.0.md': Buffer.from([0x23, 0x20, 0xff]) }, /terms\.2\.0\.md must be UTF-8/],
    [{ ...three, 'terms.1.0.0.md': '# T' }, /are the same version/],
    [{ ...three, 'terms.2\n0.md': '# T' }, /terms\.2\?0\.md/],
  ]
  for (const [files, expected] of wrong) {
    const folder = await folderOf(t, files)
    await assert.rejects(loadDocuments(folder, base), (error: unknown) => {
      assert.ok(error instanceof ConfigError)
      assert.match(error.message, /^Malformed setting DOCUMENTS_DIR: [^\n]+$/)
      assert.match(error.message, expected)
      return true
    })
  }
  await assert.rejects(loadDocuments('/nowhere/at/all', base), /cannot read the folder/)
})
