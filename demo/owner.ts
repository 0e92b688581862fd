// The owner's part of a registration: the email is read from its file, and its page confirmed as in a browser.
import type { Registration } from '@kith/sdk/node'

/** Opens the link of an email and sends the one form of its page. `at` is where the service is reached from here. */
export async function confirm(link: string, { at, signal }: { at?: string; signal?: AbortSignal } = {}): Promise<void> {
  const { origin } = new URL(link)
  const here = (address: string) => new URL(new URL(address, link).pathname, at ?? origin)
  const page = await fetch(here(link), { ...(signal && { signal }) })
  const action = /<form[^>]*method="post"[^>]*action="([^"]+)"/.exec(await page.text())?.[1]
  if (!page.ok || !action) throw new Error(`the page of the link has no form (${page.status})`)
  const sent = await fetch(here(action), {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', origin },
  })
  if (!sent.ok) throw new Error(`the owner's confirmation was refused (${sent.status})`)
}

/** Whether this service asks for an owner at all. */
export const asksForOwner = async (registration: Registration): Promise<boolean> =>
  (await registration.requirements()).owner_confirmation_required
