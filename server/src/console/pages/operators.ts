// Who may use the console, and what only the shell does: another operator, one who is removed, and the way back in.
// docs/operating.md#the-console.

import { offsetOf } from '../../kernel/lists.ts'
import { masked } from '../../mail/mask.ts'
import { operators } from '../../operator/accounts/accounts.ts'
import { type HtmlPart, html } from '../../site/html.ts'
import { hasPage, pager, places } from '../../site/parts/list.ts'
import type { Key } from '../../site/words.ts'
import { agoIn, askedPage, dataTable, stretchOf } from '../lists.ts'
import { paths } from '../own.ts'
import { consolePage } from '../page.ts'

const path = '/operator/operators'

/** What is done at the shell, by the key of its words. */
const commands = {
  add: 'npm run operator -- operator create EMAIL',
  remove: 'npm run operator -- operator remove EMAIL --reason TEXT',
  recover: 'npm run operator -- operator link EMAIL',
} as const

export const operatorList = consolePage({
  path,
  summary: 'Who may use the console, and how somebody is added, removed or let back in',
  section: 'operators',
  query: ['page'],
  async view(scene) {
    const { service, words, operator } = scene
    const page = askedPage(scene)
    const known = await operators(service.sql, service.clock.now())
    if (!page || !hasPage(page.page, known.length)) return undefined
    const stretch = stretchOf(path, page, known.length)
    const part = (name: keyof typeof commands | 'passkey', says: HtmlPart): HtmlPart =>
      html`<section class="part" aria-labelledby="${name}"><h2 id="${name}">${words(`console.operators.${name}` satisfies Key)}</h2>
<p>${says}</p>${name !== 'passkey' && html`<p><code>${commands[name]}</code></p>`}</section>
`
    return {
      title: words.text('console.nav.operators'),
      width: 'page',
      ...places(stretch),
      body: html`<div class="page-head"><h1>${words('console.nav.operators')}</h1>
<p class="lead">${words('console.operators.lead')}</p></div>
${dataTable(scene, {
  caption: 'console.operators.caption',
  columns: [
    'console.customers.email',
    'console.operators.since',
    'operator.passkeys.title',
    'operator.sessions.title',
    'console.operators.used',
  ],
  rows: known
    .slice(offsetOf(page), offsetOf(page) + page.page_size)
    .map(({ id, email, created_at: since, passkeys, sessions, used_at: used }) => [
      html`<bdi>${id === operator.id ? email : masked(email)}</bdi>`,
      words.day(since),
      words.number(passkeys),
      words.number(sessions),
      used === null ? '' : agoIn(scene, used),
    ]),
})}${pager(scene, stretch)}
${part('add', words('console.operators.add.text'))}
${part('passkey', words('console.operators.passkey.text', { a: (inner) => html`<a href="${paths.passkeys}">${inner}</a>` }))}
${part('remove', words('console.operators.remove.text'))}
${part('recover', words('console.operators.recover.text'))}`,
    }
  },
})
