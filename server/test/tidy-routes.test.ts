// Every route has a story: read from the source of the tests, by path and method. The matrix of access asks every route
// too, but only who may, and so it does not count. And every list that a route takes has a limit.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: source text is looked at
import assert from 'node:assert/strict'
import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { routes } from '../src/app/modules.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** A path as a test writes it: `/contacts/${id}/accept`, with an origin before it or a query behind. */
function written(path: string): string {
  const pieces = path.split(/\{\w+\}/).map(escaped)
  const origin = '(?:\\$\\{[^}]*\\})?(?:/api/v1)?'
  return `['"\`]${origin}${pieces.join('(?:\\$\\{[^}]*\\}|[^/\'"`?$]+)')}(?=['"\`?]|\\$\\{\\w*[qQ]uery)`
}

/** What follows a request's path, to where the next request may begin. */
const behind = '[^;]{0,160}?'

/** Whether a test's text asks a route: by a method of an agent, by a method's name, or by fetch with it. */
export function asks(text: string, method: string, path: string): boolean {
  const verb = method.toLowerCase()
  const aim = written(path)
  const direct = [
    `\\.${verb}\\(\\s*${aim}`,
    `'${method}',\\s*${aim}`,
    `['"\`]${method} ${aim.slice('[\'"`]'.length)}`,
    // Without a method these read.
    ...(method === 'GET'
      ? [`\\b(?:fetch\\(|read\\(\\s*\\w+,)\\s*${aim}[^'"\`]*['"\`]\\s*[,)](?!${behind}method:)`]
      : []),
    // A step of an order's story.
    ...(method === 'POST' && path.startsWith('/orders/{order_id}/')
      ? [`\\b(?:step|attempt)\\([^;]*?'${path.split('/').at(-1)}'`]
      : []),
    `${aim}${behind}method: '${method}'`,
  ]
  if (direct.some((pattern) => new RegExp(pattern).test(text))) return true
  // By a name that the path was given.
  const names = [...text.matchAll(new RegExp(`\\b(\\w+)(?: =|:)[^;\\n]{0,60}?${aim}`, 'g'))].map(([, name]) => name)
  const call = `\\.${verb}\\(|'${method}',${method === 'GET' ? '|\\bread\\(\\s*\\w+,' : ''}`
  return names.some((name) => new RegExp(`(?:${call})\\s*${name}\\b`).test(text))
}

test('the forms of a request in tests are recognised, and another method does not match', () => {
  const path = '/contacts/{contact_id}/accept'
  for (const text of [
    'await ada.post(`/contacts/${id}/accept`)',
    "w.request('POST', `/contacts/${id}/accept`, { token })",
    "call(url, 'POST',\n  `/contacts/${asked.body.contact.id}/accept`)",
    "fetch(`${w.url}/api/v1/contacts/${id}/accept`, { method: 'POST' })",
    'const path = `/contacts/${id}/accept`\nawait ada.post(path)',
    "['POST /contacts/x/accept', 1]",
  ]) {
    assert.ok(asks(text, 'POST', path), text)
    assert.ok(!asks(text, 'GET', path), text)
    assert.ok(!asks(text, 'POST', '/contacts/{contact_id}'), text)
  }
  for (const [text, method, there] of [
    ['await read(w, `/attachments/${id}/download`, { agent: ada })', 'GET', '/attachments/{attachment_id}/download'],
    ['await fetch(`${w.url}/api/v1/bots?q=${q}`)', 'GET', '/bots'],
    ["await step(bob, offered, 'accept')", 'POST', '/orders/{order_id}/accept'],
  ] as const) {
    assert.ok(asks(text, method, there), text)
    assert.ok(!asks(text, 'PATCH', there), text)
  }
  assert.ok(!asks("read(w, `/posts/${id}`, { method: 'HEAD' })", 'GET', '/posts/{post_id}'))
})

test('every route has a test that requests it by method and path', async () => {
  const texts: string[] = []
  for await (const name of glob('server/**/*.ts', { cwd: root })) {
    const isStory = name.endsWith('.test.ts') || (name.startsWith('server/test/') && !/\/access[\w-]*\.ts$/.test(name))
    if (isStory && !/contract\.test|tidy/.test(name)) texts.push(await readFile(join(root, name), 'utf8'))
  }
  const untested = routes.filter(({ method, path }) => !texts.some((text) => asks(text, method, path)))
  assert.deepEqual(
    untested.map(({ method, path }) => `${method} ${path}`),
    [],
  )
})

interface Schema {
  type?: string
  items?: Schema
  maxItems?: number
  properties?: Record<string, Schema>
  anyOf?: Schema[]
}

/** The paths of lists of any length. Each entry is checked, and those of a set against each other. */
const endless = ({ type, items, maxItems, properties = {}, anyOf = [] }: Schema, path: string): string[] => [
  ...(type === 'array' && maxItems === undefined ? [path] : []),
  ...(items ? endless(items, `${path}[]`) : []),
  ...Object.entries(properties).flatMap(([key, inner]) => endless(inner, `${path}.${key}`)),
  ...anyOf.flatMap((inner) => endless(inner, path)),
]

test('every list in a body has a limit', () => {
  assert.deepEqual(
    routes.flatMap(({ method, path, body }) => (body ? endless(body as Schema, `${method} ${path}`) : [])),
    [],
  )
})
