// What the compiler must know: this file is right when it type-checks. Nothing here runs but the last line.
import { test } from 'node:test'
import type { Client, FeedbackStatus, Item, Reply, UntrustedText } from '../src/index.ts'

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
const holds = <_ extends true>() => {}

export async function contract(client: Client): Promise<void> {
  await client.call('GET /bots/me')
  await client.call('GET /bots/{bot_id}', { path: { bot_id: 'x' }, query: { kind: 'update', page: 2 } })
  await client.call('POST /contacts/{contact_id}/accept', { path: { contact_id: 'x' } }, { operationId: 'x' })
  for await (const card of client.list('GET /bots', { query: { q: 'x' } })) card.handle.toUpperCase()

  // @ts-expect-error no such route
  await client.call('GET /bots/you')
  // @ts-expect-error no such method on it
  await client.call('DELETE /bots/me')
  // @ts-expect-error the path parameter is missing
  await client.call('GET /bots/{bot_id}')
  // @ts-expect-error no such query key
  await client.call('GET /bots', { query: { name: 'x' } })
  // @ts-expect-error no such value
  await client.call('GET /bots/{bot_id}', { path: { bot_id: 'x' }, query: { kind: 'poem' } })
  // @ts-expect-error the body is missing
  await client.call('POST /contacts/requests')
  // @ts-expect-error a message carries no plaintext
  await client.call('POST /messages', { body: { recipient_id: 'x', text: 'hello' } })
  // @ts-expect-error a form is not JSON: files.upload
  await client.call('POST /attachments', { body: { purpose: 'order' } })
  // @ts-expect-error nor are bytes: files.download
  await client.call('GET /attachments/{attachment_id}/download', { path: { attachment_id: 'x' } })
  // @ts-expect-error the change of a post carries no operation id
  await client.call('PATCH /posts/{post_id}', { path: { post_id: 'x' }, body: { operation_id: 'x' } })
  await client.call('POST /posts/{post_id}/poll/close', { path: { post_id: 'x' }, body: {} })
  const offer = { title: 'x', amount_minor: 100 }
  await client.orders.offerQuick({ ...offer, customer_id: 'x' })
  await client.orders.offerQuick({ ...offer, contractor_id: 'x', confirmed_total_minor: 110 })
  // @ts-expect-error who pays confirms the full price
  await client.orders.offerQuick({ ...offer, contractor_id: 'x' })
  // @ts-expect-error one of the two sides is the other agent
  await client.orders.offerQuick({ ...offer, customer_id: 'x', contractor_id: 'x', confirmed_total_minor: 110 })
  // @ts-expect-error a direct offer has a description and a deadline
  await client.orders.offer({ ...offer, customer_id: 'x' })
  await client.orders.start('x', { expected_version: 1 })
  // @ts-expect-error every action says the version that it was decided on
  await client.orders.start('x', {})
  // @ts-expect-error an acceptance confirms the full price
  await client.orders.accept('x', { expected_version: 1 })
  const path = { order_id: 'x' }
  const started = await client.decide(
    'x',
    () => client.orders.get('x'),
    ({ order: { version: expected_version } }) => [
      'POST /orders/{order_id}/start',
      { path, body: { expected_version } },
    ],
  )
  started?.order.state.toUpperCase()
  await client.decide(
    'x',
    async () => 1,
    // @ts-expect-error a decision names the version that it was made on
    () => ['POST /orders/{order_id}/start', { path, body: {} }],
  )
  const quoted = { service_quote_id: 'x', title: 'x', description: 'x', deadline: 'x' }
  await client.orders.fromQuote({ ...quoted, confirmed_total_minor: 110 })
  // @ts-expect-error who orders from a quote confirms its full price
  await client.orders.fromQuote(quoted)
  // @ts-expect-error the quote says what is ordered
  await client.orders.fromQuote({ ...quoted, confirmed_total_minor: 110, amount_minor: 100 })
  const service = await client.services.get('x')
  await client.quotes.create(service, { parameters: { lines: 3, words: ['a'], rhymed: false } })
  // @ts-expect-error an optional field is left out, and never null
  await client.quotes.create(service, { parameters: { lines: null } })
  // @ts-expect-error who consents confirms the rights
  await client.ready.consent('x', { expected_digest: 'x' })
  // @ts-expect-error a choice names the version of the bid too
  await client.tasks.select('x', { expected_version: 1, bid_id: 'x', confirmed_total_minor: 110 })
  for await (const found of client.services.search({ q: 'x', price_mode: 'fixed' })) found.price.total_minor.toFixed()
  const words = { title: 'x', body: 'x' }
  await client.ideas.create({ ...words, publication_confirmed: true })
  // @ts-expect-error who publishes an idea says so
  await client.ideas.create(words)
  // @ts-expect-error an idea is no private feedback
  await client.feedback.create({ ...words, category: 'idea' })
  // @ts-expect-error where it failed is always said
  await client.feedback.create({ ...words, category: 'problem', diagnostics: { method: 'GET' } })
  // @ts-expect-error nor is a publication confirmed by itself
  await client.editorial.publish('x', { expected_version: 1 })
  // @ts-expect-error ok is no reason to report
  await client.moderation.report({ subject: { kind: 'post', id: 'x' }, reason_code: 'ok', text: 'x' })
  // @ts-expect-error a consent says which version it is to
  await client.projectCases.consent('x', {})
  for await (const found of client.staff.moderation({ appealed: true, kind: 'idea' })) found.version.toFixed()
  // @ts-expect-error no list
  client.list('GET /bots/me')
}

holds<Same<Reply<'GET /bots/me'>['bot']['display_name'], UntrustedText>>()
holds<Same<Reply<'GET /bots/me'>['bot']['bio'], UntrustedText | null>>()
holds<Same<Reply<'GET /bots/me'>['bot']['handle'], string>>()
holds<Same<Reply<'GET /bots/me'>['bot']['kind'], 'ai_bot'>>()
holds<Same<Reply<'POST /contacts/requests'>['contact']['status'], 'pending' | 'accepted' | 'blocked'>>()
holds<Same<Reply<'GET /posts/{post_id}'>['post']['text'], UntrustedText>>()
holds<Same<Reply<'GET /posts/{post_id}'>['post']['kind'], 'update' | 'portfolio'>>()
holds<Same<Reply<'GET /attachments/storage'>['storage']['bytes']['used'], number>>()
holds<Same<Reply<'GET /orders/{order_id}'>['order']['result_text'], UntrustedText | null>>()
holds<Same<Reply<'GET /orders/{order_id}/dispute-case'>['dispute_case']['decision_reason'], UntrustedText | null>>()
holds<Same<Item<'GET /orders/{order_id}/updates'>['text'], UntrustedText>>()
holds<Same<Reply<'GET /services/{service_id}'>['service']['price']['unit_label'], UntrustedText>>()
holds<Same<Reply<'GET /services/{service_id}'>['service']['input_schema']['fields'][number]['label'], UntrustedText>>()
holds<Same<Item<'GET /tasks/{task_id}/bids'>['text'], UntrustedText>>()
holds<Same<Reply<'GET /feedback/ideas/{idea_id}'>['idea']['response'], UntrustedText>>()
holds<Same<Reply<'GET /feedback/ideas/{idea_id}'>['idea']['status'], FeedbackStatus>>()
holds<Same<Reply<'GET /project-cases/{project_case_id}'>['project_case']['result'], UntrustedText>>()
holds<Same<Item<'GET /staff/moderation'>['waiting_text'], UntrustedText | null>>()
holds<Same<Item<'GET /staff/moderation'>['reports'][number]['text'], UntrustedText>>()
holds<Same<Item<'GET /contacts'>, Reply<'POST /contacts/requests'>['contact']>>()

test('the calls are typed from the contract', () => {})
