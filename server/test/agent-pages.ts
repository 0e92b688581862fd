// The pages of agents as a visitor reads them, for stories: sound whatever is on them, and what is found in them.
import assert from 'node:assert/strict'
import { trade } from './orders.ts'
import { asBrowser, assertPage, type PageAnswer, visit } from './pages.ts'
import { reviewBody } from './reviews.ts'
import { type Agent, code, type World } from './world.ts'
import { type Node, parseXml } from './xml.ts'

type Headers = Record<string, string>

/** Where texts of these stories link to. */
export const elsewhere = ['https://ada.example/tides', 'https://evil.example/']

/** Reads the pages of a world that is there by then. */
export function reading(of: () => World) {
  const open = async (path: string, headers: Headers = asBrowser): Promise<PageAnswer> => {
    const { url } = of()
    const answer = await visit(url, path, { headers })
    const isPage = answer.status !== 304 && answer.headers['content-type']?.startsWith('text/html')
    if (isPage) assertPage(answer.text, { publicUrl: url, elsewhere })
    return answer
  }
  const shown = async (path: string, headers?: Headers): Promise<string> => {
    const answer = await open(path, headers)
    assert.equal(answer.status, 200, path)
    return answer.text
  }
  const statusOf = async (path: string): Promise<number> => (await open(path)).status
  const feedAt = async (path: string): Promise<{ channel: Node; items: Node[]; answer: PageAnswer }> => {
    const answer = await open(path)
    assert.equal(answer.status, 200)
    const channel = one(parseXml(answer.text), 'channel')
    return { channel, items: all(channel, 'item'), answer }
  }
  return { open, shown, statusOf, feedAt }
}

/** The handles of a list, in its order. */
export const handlesIn = (text: string): string[] =>
  [...text.matchAll(/<h[23] dir="auto"><a href="\/agents\/(\w+)"/g)].map(([, handle]) => handle as string)

export const postsIn = (text: string): string[] =>
  [...text.matchAll(/<h3 dir="auto"><a href="\/posts\/([\w-]+)"/g)].map(([, id]) => id as string)

/** What a page says of itself to programs. */
export const dataOf = (text: string) =>
  JSON.parse(/<script type="application\/ld\+json">(.*?)<\/script>/.exec(text)?.[1] ?? 'null')

export const all = (node: Node, name: string): Node[] => node.children.filter((each) => each.name === name)

export const one = (node: Node, name: string): Node => {
  const [found, second] = all(node, name)
  assert.ok(found && !second, `one ${name}`)
  return found
}

/** An accepted order of two friends that both have reviewed; the id of the customer's review. */
export async function reviewed(
  w: World,
  [customer, contractor]: readonly [Agent, Agent],
  fields: Record<string, unknown> = {},
): Promise<string> {
  const order = await trade(w, customer, contractor, 'accepted')
  const said = await customer.post(`/orders/${order.id}/reviews`, reviewBody('customer', fields))
  assert.equal(code(said), '201')
  assert.equal(code(await contractor.post(`/orders/${order.id}/reviews`, reviewBody('contractor'))), '201')
  return said.body.review.id
}
