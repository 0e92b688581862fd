// A form whose page was opened before this session began, or under an earlier one: nothing was done. What was typed into it may be
// somebody else's who used this browser, so it is sent from the account that is signed in now only if its reader says so.
// docs/contract/site.md#forms.
import type { Shown, Unsent, Visit } from '../http/page.ts'
import { findAccount } from '../modules/humans/accounts.ts'
import { html } from './html.ts'
import { staleView } from './pages/errors.ts'
import { isTyped, unsentView } from './parts/unsent.ts'
import { pathOfSite } from './paths.ts'
import { sceneOf, shownAs } from './view.ts'

/** The page that says so. */
export async function staleForm(visit: Visit, unsent: Unsent): Promise<Shown> {
  const scene = sceneOf(visit)
  const email = isTyped(unsent) ? await emailOf(visit) : undefined
  if (email === undefined) {
    return shownAs(scene, staleView(scene, pathOfSite(unsent.fields['to'], visit.service.publicUrl) ?? unsent.from))
  }
  const why = {
    title: 'unsent.stale.title',
    text: 'unsent.stale.text',
    values: { account: html`<bdi class="own-email">${email}</bdi>` },
    send: 'unsent.stale.send',
    status: 403,
  } as const
  return shownAs(scene, unsentView(scene, why, unsent))
}

/** Of whoever is signed in; a visitor has no account, and types nothing. */
async function emailOf({ service, customer, operator }: Visit): Promise<string | undefined> {
  if (!customer) return operator?.email
  return (await findAccount(service.sql, service.clock.now(), customer.human.id)).email
}
