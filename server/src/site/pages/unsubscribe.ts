// The link at the end of emails about orders: it wants no more of them. Its address is a secret; mail programs send the form by
// themselves (RFC 8058), whom no browser vouches for. docs/contract/site.md#unsubscribing.
import type { LivePage, Shown, Visit } from '../../http/page.ts'
import { Refusal } from '../../kernel/refuse.ts'
import { changeAccount } from '../../modules/humans/accounts.ts'
import { humanOfUnsubscribe } from '../../modules/humans/unsubscribe.ts'
import type { Service } from '../../service.ts'
import { html } from '../html.ts'
import type { View } from '../layout.ts'
import { accountPath } from '../parts/customer.ts'
import { sceneOf, shownAs } from '../view.ts'
import type { Words } from '../words.ts'

export const unsubscribe: LivePage = {
  path: '/unsubscribe/{secret}',
  summary: 'A customer wants no more emails about orders',
  caller: 'anyone',
  cache: 'never',
  isSecret: true,
  show: async (visit) => (humanOf(visit) === undefined ? undefined : shown(visit, askView)),
  form: {
    guard: 'address',
    // Sending it is all that it says.
    fields: [],
    limit: 1024,
    send: async (visit) => {
      const humanId = humanOf(visit)
      if (humanId === undefined) return undefined
      await stopNotices(visit.service, humanId)
      return shown(visit, doneView)
    },
  },
}

const humanOf = ({ service, params }: Visit): string | undefined =>
  humanOfUnsubscribe(service, params['secret'] as string)

/** Of an account that is closed nothing comes in any case. */
async function stopNotices(service: Service, humanId: string): Promise<void> {
  try {
    await service.sql.transaction((tx) => changeAccount(tx, service, humanId, { notices: false }))
  } catch (error) {
    if (!(error instanceof Refusal && error.code === 'unauthorized')) throw error
  }
}

function shown(visit: Visit, view: (words: Words) => View): Shown {
  const scene = sceneOf(visit)
  return shownAs(scene, view(scene.words))
}

const askView = (words: Words): View => ({
  title: words.text('unsubscribe.title'),
  isSensitive: true,
  body: html`<section class="notice"><h1>${words('unsubscribe.title')}</h1>
<p>${words('unsubscribe.text')}</p>
<form class="actions" method="post"><button class="button" type="submit">${words('mail.order.stop')}</button></form></section>`,
})

const doneView = (words: Words): View => ({
  title: words.text('unsubscribe.done'),
  isSensitive: true,
  body: html`<section class="notice"><h1>${words('unsubscribe.done')}</h1>
<p role="status">${words('unsubscribe.done.text')}</p>
<p class="actions"><a class="button quiet" href="${accountPath}">${words('unsubscribe.account')}</a></p></section>`,
})
