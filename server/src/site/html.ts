// HTML by template strings: everything that is put into one is escaped, unless it is HTML already.

const brand: unique symbol = Symbol('html')

/** Text that is safe to send as HTML. Only this file makes one, so no stranger's object passes for it. */
export interface Html {
  readonly [brand]: string
}

export type HtmlPart = Html | string | number | null | undefined | false | readonly HtmlPart[]

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Escapes for element content and for attribute values, which must be quoted. */
const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (char) => entities[char] as string)

/** A template whose values are escaped; arrays are joined; null, undefined and false leave nothing. */
export function html(strings: TemplateStringsArray, ...parts: readonly HtmlPart[]): Html {
  let result = strings[0] as string
  for (let i = 0; i < parts.length; i++) result += render(parts[i]) + strings[i + 1]
  return { [brand]: result }
}

/** Takes text for HTML as it stands: for constants of this code only, never for anything that came from outside. */
export const raw = (text: string): Html => ({ [brand]: text })

export function render(part: HtmlPart): string {
  if (part === null || part === undefined || part === false) return ''
  if (typeof part === 'string') return escapeHtml(part)
  if (typeof part === 'number') return String(part)
  return isList(part) ? part.map(render).join('') : part[brand]
}

const isList = (part: Html | readonly HtmlPart[]): part is readonly HtmlPart[] => Array.isArray(part)

export const join = (parts: readonly HtmlPart[], separator: HtmlPart): HtmlPart =>
  parts.flatMap((part, index) => (index === 0 ? [part] : [separator, part]))
