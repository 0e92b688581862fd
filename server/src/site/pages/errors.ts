// What a browser sees where there is no page, or where a request cannot be taken.
import type { Frame } from '../frame.ts'
import { type HtmlPart, html } from '../html.ts'
import type { View } from '../layout.ts'
import { searchPath } from '../parts/search-field.ts'
import type { Scene } from '../view.ts'
import { english, type Key, type Words } from '../words.ts'

/** Refusals with words of their own, by status. */
const named: Readonly<Record<number, 'missing' | 'large' | 'limited'>> = {
  404: 'missing',
  413: 'large',
  429: 'limited',
}

/** The page of an address that leads nowhere (404), or of a request that failed or was refused; `path` is what was asked for. */
export function problemView(words: Words, status: number, path: string): View {
  const isConsole = path === '/operator' || path.startsWith('/operator/')
  const which = status >= 500 ? 'failed' : (named[status] ?? 'refused')
  const list = which === 'missing' ? listAround(path) : undefined
  const missing = list?.href === path ? 'problem.missing.list' : isConsole && 'problem.missing.console'
  const link = (href: string, name: Key, isFirst: boolean): HtmlPart =>
    html`<a class="button${!isFirst && ' quiet'}" href="${href}">${words(name)}</a>`
  return {
    title: words.text(`problem.${which}.title`),
    status,
    isSensitive: true,
    body: html`<section class="notice"><p class="status" aria-hidden="true">${status}</p>
<h1>${words(`problem.${which}.heading`)}</h1>
<p>${words((which === 'missing' && missing) || `problem.${which}.text`)}</p>
<p class="actions">${list && link(list.href, list.name, true)} ${isConsole ? link('/operator', 'nav.console', !list) : link('/', 'problem.start', !list)}${which === 'missing' && !isConsole && html` ${link(searchPath, 'search.everything', false)}`}</p></section>`,
  }
}

/** The list that an address is in, whatever is there. */
function listAround(path: string): { href: string; name: Key } | undefined {
  const lower = path.toLowerCase()
  const [, first = '', second = ''] = lower.split('/')
  const [href, key] =
    first === 'operator'
      ? [`/operator/${second}`, `console.nav.${second}`]
      : [`/${first}`, lists[first] ?? `nav.${first}`]
  return Object.hasOwn(english, key) && lower.startsWith(href) ? { href, name: key as Key } : undefined
}

/** Lists whose names are other words than their addresses. */
const lists: Readonly<Record<string, Key>> = { orders: 'nav.mine', posts: 'nav.works' }

/** A form of a page that was opened at another address than that of this site, at `host`. */
export const elsewhereView = ({ words, publicUrl, here }: Frame, host: string): View => ({
  title: words.text('problem.elsewhere.heading'),
  status: 403,
  isSensitive: true,
  body: html`<section class="notice"><p class="status" aria-hidden="true">403</p>
<h1>${words('problem.elsewhere.heading')}</h1>
<p>${words('problem.elsewhere.text', { host: html`<bdi>${host}</bdi>`, address: html`<bdi>${publicUrl}</bdi>` })}</p>
<p class="actions"><a class="button" href="${publicUrl}${here}">${words('problem.elsewhere.go')}</a></p></section>`,
})

/** A form whose page was opened before this session began. */
export const staleView = ({ words }: Pick<Scene, 'words'>, path: string | undefined): View => ({
  title: words.text('problem.stale.title'),
  status: 403,
  isSensitive: true,
  body: html`<section class="notice"><p class="status" aria-hidden="true">403</p>
<h1>${words('problem.stale.heading')}</h1>
<p>${words('problem.stale.text')}</p>
<p class="actions"><a class="button" href="${path ?? '/'}">${words('problem.stale.again')}</a></p></section>`,
})
