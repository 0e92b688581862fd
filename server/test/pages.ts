// Pages as a browser gets them, byte by byte, and what must hold of the HTML of every one.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Agent, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http'
import { consoleOrigin } from '../src/http/origins.ts'
import { filledIn } from '../src/site/parts/unsent.ts'

/** What no page may show as it stands. */
export const hostile = `<script>alert("1")</script>'"&<img src=x onerror=alert(1)>`

export interface PageAnswer {
  status: number
  headers: IncomingHttpHeaders
  bytes: Buffer
  text: string
}

interface PageRequest {
  method?: string
  headers?: Record<string, string>
  body?: string | Buffer
}

const connections = new Agent({ keepAlive: true })

export const asBrowser = { accept: 'text/html,application/xhtml+xml' }

/** Asks for a path exactly as it is written, and takes the answer as it comes: nothing is unpacked or followed. */
export async function visit(base: string, path: string, options: PageRequest = {}): Promise<PageAnswer> {
  const { method = 'GET', headers = asBrowser, body } = options
  const { hostname, port } = new URL(base)
  // What says a wrong length leaves a connection that serves nobody else.
  const agent = body === undefined ? connections : false
  const sent = request({ hostname, port, path, method, headers: { ...headers }, agent })
  sent.end(body)
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  const bytes = Buffer.concat(await response.toArray())
  return { status: response.statusCode as number, headers: response.headers, bytes, text: bytes.toString() }
}

/** Sends a form as a browser would from the page itself. */
export const sendForm = (
  base: string,
  path: string,
  { body = '', headers = {} }: Pick<PageRequest, 'body' | 'headers'> = {},
): Promise<PageAnswer> =>
  visit(base, path, {
    method: 'POST',
    headers: {
      ...asBrowser,
      'content-type': 'application/x-www-form-urlencoded',
      // Node sends a body in chunks unless told its size.
      'content-length': String(Buffer.byteLength(body)),
      ...headers,
    },
    body,
  })

const empty = new Set(['source', 'meta', 'link', 'wbr', 'hr', 'br', 'img', 'input', 'path', 'circle', 'rect'])

interface Origins {
  publicUrl: string
  /** Where a text of somebody else's may link to. */
  elsewhere?: readonly string[]
}

/** Where a page leads whoever chooses another language at its foot; undefined if it offers none. */
export const leadsInOtherLanguage = (text: string): string | undefined =>
  /action="\/language"[^>]*><input type="hidden" name="to" value="([^"]*)">/.exec(text)?.[1]

/**
 * Every element is closed in its order, every id is there once, every link within the page leads somewhere; nothing runs,
 * and nothing comes from another host.
 */
export function assertPage(text: string, { publicUrl, elsewhere = [] }: Origins): void {
  assert.match(text, /^<!doctype html>\n<html lang="[a-z-]+" dir="(ltr|rtl)">/i)
  const open: string[] = []
  for (const [tag, closing, name = ''] of text.matchAll(
    /<(\/?)([a-zA-Z][a-zA-Z0-9]*)(?:\s+[a-zA-Z-]+(?:="[^"<]*")?)*\s*\/?>/g,
  )) {
    if (closing) assert.equal(open.pop(), name, `${tag} closes another element`)
    else if (!empty.has(name) && !tag.endsWith('/>')) open.push(name)
  }
  assert.deepEqual(open, [])
  assert.equal(text.match(/<(?![/!a-zA-Z])/), null, 'a bare <')
  const ids = [...text.matchAll(/ id="([^"]*)"/g)].map((match) => match[1] as string)
  assert.equal(new Set(ids).size, ids.length, 'an id is there twice')
  for (const [, target = ''] of text.matchAll(/href="#([^"]+)"/g)) assert.ok(ids.includes(target), `no #${target}`)
  for (const [, attribute, url = ''] of text.matchAll(/ (src|href|action|srcset|poster)="([^"]*)"/g)) {
    const isConsole = url.startsWith(`${consoleOrigin(publicUrl)}/operator/`)
    const isOurs = /^(\/(?!\/)|#)/.test(url) || url.startsWith(`${publicUrl}/`) || isConsole
    // A legal text may link elsewhere; nothing else does, and nothing is loaded from there.
    assert.ok(isOurs || elsewhere.includes(url), `${attribute} leads to ${url}`)
  }
  assert.ok(
    !/<script(?! type="application\/ld\+json">| type="module" src="\/assets\/[\w-]+\.js"><\/script>)|<iframe| style=| on[a-z]+="/i.test(
      text,
    ),
    'something that the policy forbids',
  )
  assert.equal(text.match(/<h1/g)?.length, 1)
  assertKnownEntries(text)
}

export async function soundPage({ url }: { url: string }, path: string, language = 'en'): Promise<PageAnswer> {
  const answer = await visit(url, path, { headers: { ...asBrowser, 'accept-language': language } })
  assertPage(answer.text, { publicUrl: url })
  return answer
}

/** What is shown, without the tags. */
export const textOf = (html: string): string => html.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ')

/** The ids of what the headings of a list lead to, in their order. */
export const idsOn = (list: string, text: string): string[] =>
  [...text.matchAll(new RegExp(`<h[23] dir="auto"><a href="/${list}/([0-9a-f-]{36})"`, 'g'))].map(
    ([, id]) => id as string,
  )

/** What a page fills in by itself is not taken for what somebody typed, if its form must be sent again. */
function assertKnownEntries(text: string): void {
  // A page that keeps a form, and one that pages through a search, carry what was typed.
  if (text.includes('<section class="notice">')) return
  const forms = [...text.matchAll(/<form(?! class="pager")[^>]* method="post"[\s\S]*?<\/form>/g)].map(([form]) => form)
  const hidden = forms.flatMap((form) => [...form.matchAll(/<input type="hidden" name="(\w+)"/g)])
  assert.deepEqual(
    hidden.flatMap(([, name = '']) => (filledIn.has(name) ? [] : [name])),
    [],
  )
}
