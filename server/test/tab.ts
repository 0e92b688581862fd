// A browser without a script, as a story over HTTP has one: it keeps its cookies, goes where it is led, and presses the buttons of
// the page that it shows.
import assert from 'node:assert/strict'
import { asBrowser, assertPage, type PageAnswer, sendForm, visit } from './pages.ts'
import { attribute, unescaped } from './reader.ts'
import type { World } from './world.ts'

type Fields = Record<string, string>

export interface Tab {
  /** What it shows, and where. */
  readonly page: PageAnswer
  readonly path: string
  /** What it keeps, as `Cookie` has it. */
  readonly cookie: string
  go(path: string): Promise<PageAnswer>
  /** Fills fields of the form that has this button, and presses it. */
  press(button: string, typed?: Fields): Promise<PageAnswer>
  /** What the form of a button would send, and where, for sending it by other means. */
  form(button: string): { action: string; fields: Fields }
  /** Sends a form that is on no page of it, or no more; follows nothing. */
  send(path: string, fields: Fields): Promise<PageAnswer>
  /** The text of the page that it shows, without its tags. */
  readonly text: string
}

export function openTab(w: Pick<World, 'url' | 'service'>, cookie = ''): Tab {
  const jar = new Map(cookie === '' ? [] : [cookie.split('=', 2) as [string, string]])
  const header = (): string => [...jar].map((pair) => pair.join('=')).join('; ')
  const headers = (): Record<string, string> => ({ ...asBrowser, ...(jar.size > 0 && { cookie: header() }) })
  let page: PageAnswer | undefined
  let path = '/'
  const keep = ({ headers }: PageAnswer): void => {
    for (const each of headers['set-cookie'] ?? []) {
      const [name = '', value = ''] = (each.split(';', 1)[0] as string).split('=', 2)
      if (/Max-Age=0(;|$)/.test(each)) jar.delete(name)
      else jar.set(name, value)
    }
  }
  const shown = (): PageAnswer => page ?? assert.fail('nothing is shown yet')
  const go = async (to: string): Promise<PageAnswer> => {
    path = to
    page = await visit(w.url, to, { headers: headers() })
    return follow(page)
  }
  const follow = async (answer: PageAnswer): Promise<PageAnswer> => {
    keep(answer)
    if (answer.status === 303) return go(String(answer.headers.location))
    page = answer
    if (answer.status !== 304) assertPage(answer.text, { publicUrl: w.service.publicUrl })
    return answer
  }
  const send = async (to: string, fields: Fields): Promise<PageAnswer> => {
    const { origin } = new URL(w.service.publicUrl)
    return sendForm(w.url, to, {
      body: String(new URLSearchParams(fields)),
      headers: { ...headers(), origin, 'sec-fetch-site': 'same-origin' },
    })
  }
  const form: Tab['form'] = (button) => formOf(shown().text, button, path.split('?', 1)[0] as string)
  return {
    get page() {
      return shown()
    },
    get path() {
      return path
    },
    get cookie() {
      return header()
    },
    get text() {
      return textOf(shown().text)
    },
    go,
    form,
    send,
    async press(button, typed = {}) {
      const { action, fields } = form(button)
      path = action
      return follow(await send(action, { ...fields, ...typed }))
    },
  }
}

function formOf(page: string, button: string, here: string): { action: string; fields: Fields } {
  const forms = [...page.matchAll(/<form([^>]*)>(.*?)<\/form>/gs)]
  const [, head = '', body = ''] = forms.find(([, , inner = '']) => inner.includes(`>${button}</button>`)) ?? []
  assert.notEqual(body, '', `no form has the button ${button}`)
  const inputs = [...body.matchAll(/<input ([^>]*)>/g)].flatMap(([, input = '']) => {
    const isLeftOut = input.includes('type="checkbox"') && !/ checked\b/.test(input)
    const name = attribute(input, 'name')
    return name === undefined || isLeftOut ? [] : [[name, attribute(input, 'value') ?? '']]
  })
  return { action: attribute(head, 'action') ?? here, fields: Object.fromEntries(inputs) }
}

const textOf = (page: string): string =>
  unescaped(page.replace(/^.*<main[^>]*>|<\/main>.*$/gs, '').replace(/<[^>]*>/g, ' ')).replace(/\s+/g, ' ')
