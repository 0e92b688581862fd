// The search of the console, on each of its pages.
import { longestSearch } from '../operator/agents.ts'
import { type HtmlPart, html } from '../site/html.ts'
import { hiddenFields } from '../site/parts/form.ts'
import type { Scene } from '../site/view.ts'

export const searchPath = '/operator/search'

/** The field, on each page. */
export const searchField = (scene: Scene, typed = ''): HtmlPart =>
  html`<form class="find" method="post" action="${searchPath}" role="search" aria-label="${scene.words.text('console.search.title')}">${hiddenFields(scene)}
<label for="find">${scene.words('console.search')}</label>
<div class="search-line"><input id="find" name="find" type="search" value="${typed}" required maxlength="${longestSearch}" dir="auto" autocomplete="off"><button class="button" type="submit">${scene.words('form.search')}</button></div></form>`
