// The search of the console, on each of its pages. What is typed is sent, and never in an address, so that it is in no history and
// in no log of a proxy. docs/contract/site.md#the-search.
import type { FormSubmission, SiteOperator } from '../http/page.ts'
import { operationIdPattern } from '../kernel/schema.ts'
import { longestSearch } from '../operator/agents.ts'
import type { SentSearch } from '../operator/search.ts'
import { type HtmlPart, html } from '../site/html.ts'
import { hiddenFields } from '../site/parts/form.ts'
import type { Scene } from '../site/view.ts'

export const searchPath = '/operator/search'

/** The field, on each page. */
export const searchField = (scene: Scene, typed = ''): HtmlPart =>
  html`<form class="lookup" method="post" action="${searchPath}" role="search" aria-label="${scene.words.text('console.search.title')}">${hiddenFields(scene)}
<label for="find">${scene.words('console.search')}</label>
<div class="search-line"><input id="find" name="find" type="search" value="${typed}" required maxlength="${longestSearch}" dir="auto" autocomplete="off"><button class="button" type="submit">${scene.words('form.search')}</button></div></form>`

/** Bytes of the longest search, percent-encoded. */
export const searchLimit = 8192

/** Pressed twice, a button sends the same twice, and that is one search. Nobody learns from what is kept what was typed. */
export function sentBy(
  { service, fields: { operation_id: operationId = '' } }: FormSubmission,
  operator: SiteOperator,
  typed: string,
): SentSearch | undefined {
  if (!operationIdPattern.test(operationId)) return undefined
  const digest = service.secrets.mac('search of the console', typed)
  return { operatorId: operator.id, operationId: operationId.toLowerCase(), digest }
}
