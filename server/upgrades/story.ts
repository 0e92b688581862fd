// What agents begin with one version of the service and finish with a later one. Every request is one of the contract, so that
// any version that has landed can answer it; what a version does not have yet is left out.
import assert from 'node:assert/strict'
import { createHash, randomUUID } from 'node:crypto'
import { seal } from '../../sdk/src/box.ts'
import { png } from '../test/corpus.ts'
import { recordBody } from '../test/feedback.ts'
import { offerBody, type Shown } from '../test/orders.ts'
import { quoteBody, serviceBody } from '../test/services.ts'
import { bidBody, taskBody } from '../test/tasks.ts'
import { filePart, form, formType, usualFields } from '../test/upload.ts'
import { type Agent, agentOf, keyPair, type World } from '../test/world.ts'

/** Every version of the story has it, so that a restored database needs no other. */
export const secretKey = 'a secret key for tests, of enough characters'

export type Known = Pick<Agent, 'id' | 'handle' | 'token' | 'publicKey' | 'privateKey'>

export interface Seen {
  id: string
  version: number
  total_minor: number
}

/** What is kept beside a backup, so that its agents can go on. */
export interface Story {
  /** The last migration of the version, and when its service was stopped. */
  migration: string
  stopped: string
  ada: Known
  bob: Known
  /** Ada's messages, by their IDs; Bob has got none of them. */
  messages: Record<string, string>
  /** Ada's, which Bob works on; the version is what both saw last. */
  order: Seen
  /** Bob's public work, with a picture. */
  post: string
  picture: { id: string; sha256: string }
  /** Of versions with a market: Bob's price for Ada, and his bid on her task. */
  market?: { quote: Seen; task: Seen; bid: Seen }
  /** Of versions with feedback: Ada's idea, which Bob voted for. */
  idea?: Seen
}

/** Tells the first half of the story to a service of any version, at `url`. */
export async function begin(url: string): Promise<Omit<Story, 'migration' | 'stopped'>> {
  const at = { url, now: () => new Date() } as World
  const send = (method: string, path: string, json?: unknown, who?: Agent): Promise<Response> =>
    fetch(`${url}/api/v1${path}`, {
      method,
      headers: {
        ...(who && { authorization: `Bearer ${who.token}` }),
        ...(json !== undefined && { 'content-type': 'application/json' }),
      },
      body: json === undefined ? null : JSON.stringify(json),
    })
  const ask = async (method: string, path: string, json?: unknown, who?: Agent): Promise<Shown> => {
    const answer = await send(method, path, json, who)
    const text = await answer.text()
    assert.ok(answer.ok, `${method} ${path}: ${answer.status} ${text}`)
    return text === '' ? undefined : JSON.parse(text)
  }
  const post = (who: Agent, path: string, json?: unknown) => ask('POST', path, json, who)
  const register = async (handle: string): Promise<Agent> => {
    const keys = keyPair()
    const json = { handle, display_name: handle, encryption_public_key: keys.publicKey }
    return agentOf(at, keys, await ask('POST', '/bots/register', json))
  }
  const [ada, bob] = [await register('ada'), await register('bob')]
  /** Whether this version has a route: one without it answers every call with 404. */
  const has = async (path: string) => (await send('GET', path, undefined, ada)).ok

  const { contact } = await post(ada, '/contacts/requests', { recipient_id: bob.id })
  await post(bob, `/contacts/${contact.id}/accept`)
  const messages: Story['messages'] = {}
  for (const text of ['Hello, Bob', 'The logo is for a bakery: 🥖 и чай']) {
    const sealed = seal(text, ada.privateKey, bob.publicKey)
    const { message } = await post(ada, '/messages', ada.envelope(bob, { ...sealed }))
    messages[message.id] = text
  }

  const picture = await upload(url, bob, await png())
  const shown = await post(bob, '/posts', {
    operation_id: randomUUID(),
    title: 'A loaf',
    text: 'Drawn for a bakery',
    kind: 'portfolio',
    visibility: 'public',
    rights_confirmed: true,
    attachment_ids: [picture.id],
  })

  let { order } = await post(ada, '/orders', offerBody(at, bob))
  const step = async (who: Agent, action: string, fields = {}): Promise<void> => {
    const json = { operation_id: randomUUID(), expected_version: order.version, ...fields }
    order = (await post(who, `/orders/${order.id}/${action}`, json)).order
  }
  await step(bob, 'accept', { confirmed_total_minor: order.total_minor })
  await step(bob, 'start')

  const story: Omit<Story, 'migration' | 'stopped'> = {
    ada: known(ada),
    bob: known(bob),
    messages,
    order: picked(order),
    post: shown.post.id,
    picture,
  }
  if (await has('/tasks')) {
    const { service: drafted } = await post(bob, '/services', serviceBody())
    const publish = { operation_id: randomUUID(), expected_version: drafted.version }
    const { service } = await post(bob, `/services/${drafted.id}/publish`, publish)
    const { quote } = await post(ada, `/services/${service.id}/quote`, quoteBody(service))
    const { task } = await post(ada, '/tasks', taskBody(at))
    const { bid } = await post(bob, `/tasks/${task.id}/bids`, bidBody(at))
    story.market = { quote: picked(quote), task: picked(task), bid: picked(bid) }
  }
  if (await has('/feedback/ideas')) {
    const { feedback } = await post(ada, '/feedback', recordBody('idea'))
    await ask('PUT', `/feedback/ideas/${feedback.id}/vote`, undefined, bob)
    story.idea = picked(feedback)
  }
  return story
}

/** What somebody must know of a thing to act on it. */
const picked = ({ id, version, total_minor }: Shown): Seen => ({ id, version, total_minor })

const known = ({ id, handle, token, publicKey, privateKey }: Agent): Known => ({
  id,
  handle,
  token,
  publicKey,
  privateKey,
})

/** A portfolio picture, and the digest of the bytes that its readers get. */
async function upload(url: string, who: Agent, bytes: Buffer): Promise<Story['picture']> {
  const headers = { authorization: `Bearer ${who.token}` }
  const sent = await fetch(`${url}/api/v1/attachments`, {
    method: 'POST',
    headers: { ...headers, 'content-type': formType },
    body: new Uint8Array(form([...usualFields(), filePart(bytes)])),
  })
  const { attachment } = (await sent.json()) as Shown
  assert.equal(attachment?.status, 'ready', JSON.stringify(attachment))
  const read = await fetch(`${url}/api/v1/attachments/${attachment.id}/download`, { headers })
  assert.equal(read.status, 200)
  const sha256 = createHash('sha256')
    .update(Buffer.from(await read.arrayBuffer()))
    .digest('hex')
  return { id: attachment.id, sha256 }
}
