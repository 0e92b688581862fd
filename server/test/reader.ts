// Somebody who reads pages and sends the forms that are on them, as a browser does without a script.
import assert from 'node:assert/strict'
import { asBrowser, type PageAnswer, sendForm, visit } from './pages.ts'
import type { World } from './world.ts'

/** What of a form is sent, in its order; a field may be there several times. */
export type Fields = readonly (readonly [name: string, value: string])[]

export interface Reader {
  get(path: string): Promise<PageAnswer>
  /** Sends a form of a page, with some of its fields filled in; undefined leaves one out. */
  send(page: PageAnswer, action: string, typed?: Typed): Promise<PageAnswer>
  /** Sends fields wherever they may go. */
  post(path: string, fields: Fields): Promise<PageAnswer>
}

export type Typed = Readonly<Record<string, string | readonly string[] | undefined>>

export function reader(w: Pick<World, 'url' | 'service'>, cookie: string | undefined): Reader {
  const headers = { ...asBrowser, ...(cookie !== undefined && { cookie }) }
  const post = (path: string, fields: Fields): Promise<PageAnswer> =>
    sendForm(w.url, path, {
      body: new URLSearchParams(fields.map(([name, value]) => [name, value])).toString(),
      headers: { ...headers, origin: w.service.publicUrl, 'sec-fetch-site': 'same-origin' },
    })
  return {
    get: (path) => visit(w.url, path, { headers }),
    post,
    send: (page, action, typed = {}) => post(action, filled(fieldsOf(page, action), typed)),
  }
}

/** The fields of a form with others in their place. */
export function filled(fields: Fields, typed: Typed): Fields {
  const kept = fields.filter(([name]) => !Object.hasOwn(typed, name))
  const given = Object.entries(typed).flatMap(([name, value]) =>
    (value === undefined ? [] : typeof value === 'string' ? [value] : value).map((each) => [name, each] as const),
  )
  return [...kept, ...given]
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }
export const unescaped = (text: string): string =>
  text.replace(/&(amp|lt|gt|quot|#39);/g, (_, name) => entities[name] as string)

export const attribute = (tag: string, name: string): string | undefined => {
  const found = new RegExp(`(?:^| )${name}="([^"]*)"`).exec(tag)?.[1]
  return found === undefined ? undefined : unescaped(found)
}

export const hasForm = ({ text }: PageAnswer, action: string): boolean => text.includes(`action="${action}"`)

/** What a form of a page would send as it stands, but its buttons. */
export function fieldsOf({ text }: PageAnswer, action: string): Fields {
  const form = text.split('<form').find((each) => each.slice(0, each.indexOf('>')).includes(`action="${action}"`))
  assert.ok(form, `no form that is sent to ${action}`)
  const inside = form.slice(0, form.indexOf('</form>'))
  return [...inside.matchAll(/<(input|textarea|select)( [^>]*)>/g)].flatMap(([whole, element, tag = '']) => {
    const name = attribute(tag, 'name')
    const type = attribute(tag, 'type')
    if (name === undefined || tag.includes(' disabled')) return []
    if (type === 'checkbox' && !tag.includes(' checked')) return []
    const rest = inside.slice(inside.indexOf(whole) + whole.length)
    if (element === 'textarea') return [[name, unescaped(rest.slice(1, rest.indexOf('</textarea>')))] as const]
    if (element === 'select') {
      const options = rest.slice(0, rest.indexOf('</select>'))
      const chosen = /<option value="([^"]*)" selected/.exec(options) ?? /<option value="([^"]*)"/.exec(options)
      return [[name, unescaped(chosen?.[1] ?? '')] as const]
    }
    return [[name, attribute(tag, 'value') ?? ''] as const]
  })
}

export const readable = ({ text }: Pick<PageAnswer, 'text'>): string =>
  unescaped(text.replace(/<[^>]*>/g, ' ')).replace(/\s+/g, ' ')
