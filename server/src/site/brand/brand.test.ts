// A server that its operator made its own: by settings, and by a folder of words, styles and pages. docs/site.md.
import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, describe, type TestContext, test } from 'node:test'
import { asBrowser, assertPage, hostile, visit } from '../../../test/pages.ts'
import { type World, world } from '../../../test/world.ts'
import { ConfigError, readConfig } from '../../config.ts'
import type { Service } from '../../service.ts'
import { brandOf } from './brand.ts'

type Files = Record<string, string | Buffer>

async function filled(folder: string, files: Files): Promise<string> {
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), content)
  }
  return folder
}

async function folderOf(t: TestContext, files: Files): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'kith-site-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  return filled(folder, files)
}

/** What a start with these settings says; `taken` where it goes on. */
function told(env: Record<string, string>): string {
  try {
    brandOf({ config: readConfig(env) } as Service)
    return 'taken'
  } catch (error) {
    assert.ok(error instanceof ConfigError, String(error))
    assert.doesNotMatch(error.message, /\p{Cc}/u, 'one line')
    return error.message
  }
}

const svg =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 60 20"><script>alert(1)</script><rect width="60" height="20"/></svg>'
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAYAAAD0In+KAAAAEUlEQVR4nGP8z8Dwn4GBgQEADQYCAcKPtMoAAAAASUVORK5CYII=',
  'base64',
)

describe('a server with a name, a colour, a logo and a folder', () => {
  let w: World
  let folder: string
  before(async () => {
    folder = await filled(await mkdtemp(join(tmpdir(), 'kith-site-')), {
      'logo.svg': svg,
      'words/ar.json': JSON.stringify({ 'nav.works': 'أعمال', 'list.page': 'صفحة {page, number} من {pages, number}' }),
      'words/en.json': JSON.stringify({ 'nav.works': 'Pieces', 'nav.tasks': hostile.replace(/[<>'&]/g, '') }),
      'words/.draft.json': 'not read',
      'style.css': '.brand { letter-spacing: 0 }',
      'pages/about-us.md': `# About us ${hostile}\n\nWe are **few**. ${hostile}\n\n## Where\n\n[The docs](/docs)\n`,
      'pages/about-us.ru.md': '# О нас\n\nНас **мало**.\n',
      'pages/0-imprint.md': '# Imprint',
      'pages/notes.md~': 'left by an editor',
      'secret.txt': 'nobody reads this',
    })
    w = await world({
      env: {
        SITE_NAME: `Forge "& ${'<b>'}`,
        SITE_COLOUR: '#FFD400',
        SITE_LOGO: join(folder, 'logo.svg'),
        SITE_DIR: folder,
      },
    })
  })
  after(async () => {
    await w.close()
    await rm(folder, { recursive: true, force: true })
  })
  const page = async (path: string, language = 'en') => {
    const answer = await visit(w.url, path, { headers: { ...asBrowser, 'accept-language': language } })
    assert.equal(answer.status, 200, path)
    assertPage(answer.text, { publicUrl: w.service.publicUrl })
    return answer
  }

  test('its name is in the header, in titles and feeds, and in previews of links', async () => {
    const { text } = await page('/articles')
    assert.match(text, /<title>[^<]* · Forge &quot;&amp; &lt;b&gt;<\/title>/)
    assert.match(text, /<a class="brand" href="\/"[^>]*><img [^>]*><bdi>Forge &quot;&amp; &lt;b&gt;<\/bdi><\/a>/)
    assert.ok((await page('/')).text.includes('<meta property="og:site_name" content="Forge &quot;&amp; &lt;b&gt;">'))
    const feed = await visit(w.url, '/feed.xml')
    assert.ok(feed.text.includes('<title>Forge &#x22;&#x26; &#x3C;b&#x3E;: articles</title>'))
    assert.match(feed.text, /<description>Articles by AI agents on Forge/)
  })

  test('its logo is a picture and an icon, its stylesheets follow the shipped one, all addressed by hash', async () => {
    const { text } = await page('/')
    const logo = /<img src="(\/assets\/drawings\/logo-[0-9a-f]{16}\.svg)" alt="" width="84" height="28">/.exec(
      text,
    )?.[1]
    assert.ok(logo)
    assert.ok(text.includes(`<link rel="icon" href="${logo}" type="image/svg+xml">`))
    assert.ok(!text.includes('<script>alert'), 'an SVG never stands in a page')
    const sheets = [...text.matchAll(/<link rel="stylesheet" href="([^"]+)">/g)].map(([, href = '']) => href)
    assert.deepEqual(
      sheets.map((href) => href.replace(/[0-9a-f]{16}/, 'HASH')),
      ['/assets/kith-HASH.css', '/assets/sheets/colours-HASH.css', '/assets/sheets/style-HASH.css'],
    )
    for (const href of [logo, ...sheets]) {
      const asset = await visit(w.url, href)
      assert.equal(asset.status, 200)
      assert.equal(asset.headers['cache-control'], 'public, max-age=31536000, immutable')
      assert.equal(asset.headers['content-security-policy'], "default-src 'none'; frame-ancestors 'none'")
      assert.equal(asset.headers['x-content-type-options'], 'nosniff')
      const other = href.replace(/-[0-9a-f]{16}/, '-0000000000000000')
      assert.equal((await visit(w.url, other)).status, 404)
    }
    assert.equal((await visit(w.url, logo)).text, svg)
    assert.match((await visit(w.url, sheets[2] as string)).text, /^@layer own \{\n\.brand/)
  })

  test('its pages are linked by name in the footer, each in the reader’s language', async () => {
    const links = async (language: string) =>
      [...(await page('/', language)).text.matchAll(/<a href="(\/pages\/[^"]+)"><bdi>([^<]*)<\/bdi>/g)].map(
        ([, href, title]) => [href, title],
      )
    const [imprint, about] = await links('en')
    assert.deepEqual(imprint, ['/pages/0-imprint', 'Imprint'])
    assert.equal(about?.[0], '/pages/about-us')
    assert.match(String(about?.[1]), /^About us &lt;script&gt;/)
    assert.deepEqual((await links('ru'))[1], ['/pages/about-us', 'О нас'])
    const english = await page('/pages/about-us')
    assert.match(english.text, /<h1 dir="auto">About us &lt;script&gt;/)
    assert.match(english.text, /We are <strong>few<\/strong>\. &lt;script&gt;.*<\/p>/)
    assert.match(english.text, /<h2 id="where">Where<\/h2>/)
    const russian = await page('/pages/about-us', 'ru')
    assert.match(russian.text, /<article class="prose" lang="ru" dir="auto">\n<h1 dir="auto">О нас<\/h1>/)
    for (const missing of ['notes', 'about', 'about-us.ru', '..%2fsecret.txt', '__proto__', 'x'.repeat(5000)]) {
      assert.equal((await visit(w.url, `/pages/${missing}`)).status, 404, missing.slice(0, 40))
    }
  })

  test('a new language is offered in its own direction, falls back to English, and the folder overrides English', async () => {
    const { text } = await page('/articles', 'ar')
    assert.match(text, /^<!doctype html>\n<html lang="ar" dir="rtl">/)
    assert.match(text, />أعمال<\/a>/)
    assert.match(text, />Articles<\/a>/, 'said in English')
    assert.match(
      text,
      /<button type="submit" name="language" value="ar" lang="ar" aria-current="true">العربية<\/button>/,
    )
    assert.match((await page('/articles')).text, />Pieces<\/a>/)
    assert.doesNotMatch((await page('/articles', 'ru')).text, /Pieces/)
    assert.match(text, /alert\(&quot;1&quot;\)/, 'words are text as well')
  })

  test('nothing else in the folder is served', async () => {
    for (const path of ['/secret.txt', '/words/ar.json', '/style.css', '/assets/sheets/..%2f..%2fsecret.txt']) {
      assert.equal((await visit(w.url, path)).status, 404, path)
    }
  })
})

test('without a folder or settings the site is as shipped', () => {
  const brand = brandOf({ config: readConfig({}) } as Service)
  assert.deepEqual(
    [brand.name, brand.logo, brand.pages, brand.assets.size, brand.sheets.length],
    ['Kith', undefined, [], 0, 1],
  )
  assert.deepEqual(
    brand.catalogue.languages.map(({ code, name }) => [code, name]),
    [
      ['en', 'English'],
      ['ru', 'Русский'],
    ],
  )
})

test('a colour alone also colours the icon', () => {
  const { icon } = brandOf({ config: readConfig({ SITE_COLOUR: '#1a4fa3' }) } as Service)
  assert.match(icon.bytes.toString(), /fill="#1a4fa3"/)
  assert.match(icon.path, /^\/assets\/drawings\/icon-/)
})

test('a logo is an SVG or a PNG of up to 64 KiB, at its own proportions', async (t) => {
  const logo = async (content: string | Buffer) => {
    const path = join(await folderOf(t, { logo: content }), 'logo')
    return told({ SITE_LOGO: path }) === 'taken'
      ? brandOf({ config: readConfig({ SITE_LOGO: path }) } as Service).logo
      : told({ SITE_LOGO: path })
  }
  const width = async (content: string | Buffer) => ((await logo(content)) as { width: number }).width
  assert.equal(await width(png), 56)
  assert.equal(await width('<svg xmlns="x" viewBox="0,0,10,10"/>'), 28)
  assert.equal(await width('<?xml version="1.0"?>\n<!-- a > b -->\n<svg width="20px" height="10"></svg>'), 56)
  assert.equal(await width("<svg viewBox='0 0 9000 1'/>"), 168, 'the name has room beside it')
  assert.equal(await width('<svg width="100%" height="100%"></svg>'), 28)
  const whole = `<svg viewBox="0 0 1 1">${' '.repeat(64 * 1024 - 29)}</svg>`
  assert.equal(whole.length, 64 * 1024)
  assert.equal(await width(whole), 28)
  const start = 'Malformed setting SITE_LOGO: the file'
  assert.equal(await logo(`${whole} `), `${start} is larger than 64 KiB`)
  for (const content of ['', 'GIF89a', '<html><svg ></svg>', png.subarray(0, 20), Buffer.from([0x3c, 0x73, 0xff])]) {
    assert.equal(await logo(content), `${start} is neither an SVG nor a PNG`)
  }
  assert.equal(told({ SITE_LOGO: '/nowhere/logo.svg' }), `${start} cannot be read`)
  assert.equal(told({ SITE_LOGO: tmpdir() }), `${start} cannot be read`)
})

test('an invalid folder stops the start with one line that names the file', async (t) => {
  const words = (messages: unknown): Files => ({ 'words/de.json': JSON.stringify(messages) })
  const wrong: [Files, string | RegExp][] = [
    [words({ 'nav.wroks': 'Werke' }), 'words/de.json: unknown key nav.wroks'],
    [words({ constructor: 'x' }), 'words/de.json: unknown key constructor'],
    [words({ 'nav.works': 7 }), 'words/de.json: nav.works: expected a text'],
    [words({ credits: '{amount' }), /^words\/de\.json: credits: .+/],
    [words({ credits: '{amont} Testkredite' }), 'words/de.json: credits: there is no {amont}'],
    [words({ credits: '<b>{amount}</b>' }), 'words/de.json: credits: there is no <b>'],
    [words({ credits: '{amount, number} Testkredite' }), 'words/de.json: credits: {amount} is no number'],
    [words({ 'list.page': '{page, plural, one {x}}' }), /^words\/de\.json: list\.page: .+/],
    [words([]), 'words/de.json: expected an object of keys and texts'],
    [{ 'words/de.json': '{"nav.works": ' }, 'words/de.json is not JSON'],
    [{ 'words/de.json': Buffer.from([0x22, 0xff, 0x22]) }, 'words/de.json must be UTF-8'],
    [{ 'words/german.txt': '{}' }, /^words\/german\.txt is not named like/],
    [{ 'words/DE.json': '{}' }, /^words\/DE\.json is not named like/],
    [{ 'words/de.json': ' '.repeat(1024 * 1024 + 1) }, 'words/de.json is larger than 1024 KiB'],
    [{ 'style.css': `/*${' '.repeat(256 * 1024)}*/` }, 'style.css is larger than 256 KiB'],
    [{ 'pages/a.md': 'no title' }, 'pages/a.md must begin with a line "# Title"'],
    [{ 'pages/a.md': '# One\n\n# Two' }, /^pages\/a\.md has a second line/],
    [{ 'pages/a.md': `# A\n${'x'.repeat(256 * 1024)}` }, 'pages/a.md is larger than 256 KiB'],
    [{ 'pages/About.md': '# A' }, /^pages\/About\.md is not named like/],
    [{ 'pages/a.xx_yy.md': '# A' }, /^pages\/a\.xx_yy\.md is not named like/],
    [{ [`pages/${'a'.repeat(61)}.md`]: '# A' }, /is not named like/],
    [{ 'pages/a.ru.md': '# A' }, /^there is no pages\/a\.md/],
    [{ 'pages/a\nb.md': '# A' }, /^pages\/a b\.md is not named like/],
    [
      Object.fromEntries(Array.from({ length: 51 }, (_, at) => [`pages/p${at}.md`, '# P'])),
      'there are more than 50 pages',
    ],
  ]
  for (const [files, expected] of wrong) {
    const text = told({ SITE_DIR: await folderOf(t, files) }).replace('Malformed setting SITE_DIR: ', '')
    if (typeof expected === 'string') assert.equal(text, expected)
    else assert.match(text, expected)
  }
  assert.equal(told({ SITE_DIR: '/nowhere/at/all' }), 'Malformed setting SITE_DIR: cannot be read')
})

test('files at every limit are accepted', async (t) => {
  const pages = Object.fromEntries(Array.from({ length: 49 }, (_, at) => [`pages/p${at}.md`, '# P']))
  const long = { [`pages/${'a'.repeat(60)}.md`]: `# A\n${'x'.repeat(256 * 1024 - 4)}` }
  const code = { 'pages/p0.md': '# A\n\n```\n# no title of this page\n```\n' }
  const words = { 'words/pt-BR.json': '{}', 'words/zh-Hant.json': '{"nav.works":"作品"}' }
  assert.equal(told({ SITE_DIR: await folderOf(t, { ...pages, ...long, ...code, ...words }) }), 'taken')
  assert.equal(told({ SITE_DIR: await folderOf(t, {}) }), 'taken')
})

test('a link within the folder is followed, and a link out of it is not', async (t) => {
  const outside = await folderOf(t, { 'de.json': '{}', 'a/secret.md': '# Secret' })
  // As a mounted configuration is laid out: a hidden folder with the files, and links to them.
  const inside = await folderOf(t, { '.data/about.md': '# About', 'pages/x.md': '# X' })
  await symlink('../.data/about.md', join(inside, 'pages/about.md'))
  assert.equal(told({ SITE_DIR: inside }), 'taken')
  const cases: [string, string, string][] = [
    ['pages/secret.md', join(outside, 'a/secret.md'), 'pages/secret.md leads out of the folder'],
    ['words/de.json', join(outside, 'de.json'), 'words/de.json leads out of the folder'],
    ['style.css', join(outside, 'a/secret.md'), 'style.css leads out of the folder'],
    ['pages/gone.md', 'nowhere.md', 'cannot read pages/gone.md'],
  ]
  for (const [name, target, expected] of cases) {
    const folder = await folderOf(t, { 'pages/x.md': '# X', 'words/fr.json': '{}' })
    await symlink(target, join(folder, name))
    assert.equal(told({ SITE_DIR: folder }), `Malformed setting SITE_DIR: ${expected}`)
  }
  const whole = await folderOf(t, { 'style.css': '' })
  await symlink(await folderOf(t, { 'de.json': '{}' }), join(whole, 'words'))
  assert.equal(told({ SITE_DIR: whole }), 'Malformed setting SITE_DIR: words/de.json leads out of the folder')
})

test('a server with an invalid folder does not start', async () => {
  await assert.rejects(world({ env: { SITE_DIR: '/nowhere/at/all' } }), {
    message: 'Malformed setting SITE_DIR: cannot be read',
  })
})
