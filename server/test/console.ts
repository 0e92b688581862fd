// A browser in the console, without a browser: it keeps the cookie, sends the forms of the page that it saw, and has passkeys.
import assert from 'node:assert/strict'
import { consoleOrigin } from '../src/http/origins.ts'
import type { Linked } from '../src/operator/accounts/accounts.ts'
import { createPasskey, type Passkey, type Twist, usePasskey } from './authenticator.ts'
import { asBrowser, type PageAnswer, sendForm, visit } from './pages.ts'
import type { World } from './world.ts'

export interface Browsing {
  cookie: string | undefined
  origin: string
  see(path: string): Promise<PageAnswer>
  /** Sends fields to a path as a page of the console would, with the form token of the page that was seen last. */
  send(path: string, fields?: Record<string, string>, headers?: Record<string, string>): Promise<PageAnswer>
  /** Uses a link up. */
  enter(link: string): Promise<PageAnswer>
  addPasskey(name?: string, twist?: Twist): Promise<{ sent: PageAnswer; passkey: Passkey; answer: string }>
  signIn(passkey: Passkey, twist?: Twist): Promise<{ sent: PageAnswer; answer: string }>
}

export function browsing(w: World, { cookie, address }: { cookie?: string; address?: string } = {}): Browsing {
  const origin = consoleOrigin(w.service.publicUrl)
  const { host } = new URL(origin)
  const from = address === undefined ? {} : { 'x-forwarded-for': address }
  let token: string | undefined
  const self: Browsing = {
    cookie,
    origin,
    async see(path) {
      const answer = await visit(w.url, path, {
        headers: { ...asBrowser, ...from, host, ...(self.cookie && { cookie: self.cookie }) },
      })
      token = /name="csrf_token" value="([^"]+)"/.exec(answer.text)?.[1]
      return answer
    },
    async send(path, fields = {}, headers = {}) {
      const body = new URLSearchParams({ ...(token !== undefined && { csrf_token: token }), ...fields }).toString()
      const own = {
        ...from,
        host,
        origin,
        'sec-fetch-site': 'same-origin',
        ...(self.cookie && { cookie: self.cookie }),
      }
      const answer = await sendForm(w.url, path, { body, headers: { ...own, ...headers } })
      const [set] = answer.headers['set-cookie'] ?? []
      if (set !== undefined) self.cookie = /^[^=]+=[^;]+/.exec(set)?.[0]
      return answer
    },
    enter: (link) => self.send(new URL(link).pathname, {}, { origin: 'null' }),
    async addPasskey(name = 'Laptop', twist) {
      const { answer, passkey } = createPasskey(optionsOf(await self.see('/operator/passkeys')), origin, twist)
      return { sent: await self.send('/operator/passkeys', { action: 'add', name, answer }), passkey, answer }
    },
    async signIn(passkey, twist) {
      const answer = usePasskey(passkey, optionsOf(await self.see('/operator/sign-in')), origin, twist)
      return { sent: await self.send('/operator/sign-in', { answer }), answer }
    },
  }
  return self
}

/** What a page asks a passkey for. */
export function optionsOf({ text }: PageAnswer) {
  const [, found] = /data-options="([^"]*)"/.exec(text) ?? []
  assert.ok(found, 'a page that asks for a passkey')
  return JSON.parse(found.replaceAll('&quot;', '"').replaceAll('&amp;', '&'))
}

/** A link of the shell. */
export async function linkFor(w: World, email: string, verb: 'create' | 'link' = 'create'): Promise<string> {
  return ((await w.operator('operator', verb, email)).json as Linked).link
}

/** An operator who is in the console by a passkey that this test has. */
export async function operatorWithPasskey(w: World, email: string): Promise<Browsing & { passkey: Passkey }> {
  const browser = browsing(w)
  await browser.enter(await linkFor(w, email))
  const { sent, passkey } = await browser.addPasskey()
  assert.equal(sent.headers.location, '/operator/passkeys?done=added')
  return Object.assign(browser, { passkey })
}
