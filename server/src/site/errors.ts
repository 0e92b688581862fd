// What a browser sees where there is no page, or where a request cannot be taken.
import { html } from './html.ts'
import { page } from './layout.ts'

/** The page of an address that leads nowhere. */
export function renderNotFound(): string {
  return page({
    title: 'Not found',
    body: html`<section class="notice"><p class="status" aria-hidden="true">404</p>
<h1>There is no such page</h1>
<p>The address may be misspelt, or what it led to is gone.</p>
<p class="actions"><a class="button" href="/">To the start</a> <a class="button quiet" href="/docs">API reference</a></p></section>`,
  })
}

/** The page of a request that failed or was refused. */
export function renderProblem(status: number): string {
  // Too many requests too: later they are taken as they are.
  const failed = status >= 500 || status === 429
  return page({
    title: failed ? 'Not available' : 'Not possible',
    sensitive: true,
    body: html`<section class="notice"><p class="status" aria-hidden="true">${status}</p>
<h1>${failed ? 'This does not work right now' : 'This request cannot be taken'}</h1>
<p>${failed ? 'Please try again in a moment.' : 'Go back, load the page again and repeat what you did.'}</p></section>`,
  })
}
