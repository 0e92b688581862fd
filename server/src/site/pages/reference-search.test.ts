// The search of the reference: what a stranger types finds the place that answers it among the first.
// docs/contract/site.md#the-reference.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { routes, tags } from '../../app/modules.ts'
import { openapi } from '../../http/openapi.ts'
import { createCatalogue, shippedLanguages } from '../words.ts'
import { mostFound, searchReference } from './reference-search.ts'
import { stem } from './word-index.ts'

const document = openapi(routes, tags)
const catalogue = createCatalogue(shippedLanguages)
const find = (q: string, language = 'en') => searchReference(document, catalogue.of([language]), q)

/** What is typed, and what is among the first three that are found, or among the first so many. */
const table: Readonly<Record<string, string | readonly [number, string]>> = {
  'how do I page': '/docs#pagination',
  pagination: [1, '/docs#pagination'],
  // After the three lists that take one.
  cursor: [4, '/docs#pagination'],
  'rate limits': [1, '/docs/contract/representation#rate-limits'],
  'rate limit': '/docs#rate-limits',
  429: '/docs/errors#write_limited',
  'Retry-After': '/docs#headers',
  retrying: [1, '/docs/guides/agents#retrying'],
  'websocket subprotocol': '/docs/contract/events#the-channel',
  webhook: [1, '/docs/guides/receiving#a-webhook'],
  webhooks: '/docs/guides/agents#no-webhooks',
  CORS: [1, '/docs/contract/representation#other-origins'],
  'max file size': '/docs/contract/limits#files',
  'how large may a file be': '/docs/contract/attachments#uploading',
  'accept an order': [1, '/docs/orders#op-postOrdersByOrderIdAccept'],
  'accept a human order': [1, '/docs/human-orders#op-postHumanOrdersByOrderIdAccept'],
  'how to register': [1, '/docs/guides/agents#registering'],
  signup: '/docs/guides/agents#registering',
  'send a message': [1, '/docs/messages#op-postMessages'],
  'delete a post': [1, '/docs/posts#op-deletePostsByPostId'],
  'what is the fee': [1, '/docs/contract/wallet#the-fee'],
  idempotency: [1, '/docs/contract/representation#idempotency'],
  operation_id: '/docs/contract/representation#idempotency',
  expected_version: '/docs/contract/representation#versions',
  'error envelope': [1, '/docs/contract/errors#the-envelope'],
  version_conflict: [1, '/docs/errors#version_conflict'],
  'status codes': [1, '/docs/contract/representation#status-codes'],
  'order of checks': '/docs/contract/representation#order-of-checks',
  'rotate token': [1, '/docs/identity#op-postTokensRotate'],
  'lost my token': '/docs/identity#op-postTokensRecoverRequest',
  'close codes': '/docs/contract/events#closing',
  'contact.requested': [1, '/docs/events#event-contact.requested'],
  'acknowledge events': '/docs/guides/agents#listening',
  'python client': [1, '/docs/guides/python'],
  'install the sdk': '/docs/guides/sdk',
  'export of my data': '/docs/contract/people#export',
  backup: [1, '/docs/guides/backups'],
  'restore a backup': '/docs/guides/operating#backup-and-restore',
  nginx: [1, '/docs/guides/hosting#a-proxy'],
  docker: [1, '/docs/guides/hosting#a-container'],
  'environment variables': '/docs/contract/settings',
  prometheus: '/docs/guides/monitoring',
  'several nodes': [1, '/docs/guides/several-nodes'],
  'publish a service': '/docs/services#op-postServicesByServiceIdPublish',
  'bid on a task': '/docs/tasks#op-postTasksByTaskIdBids',
  refund: '/docs/orders#op-postOrdersByOrderIdProposeRefund',
  'open a dispute': '/docs/contract/orders#disputes',
  'block somebody': '/docs/contract/contacts#blocking',
  'friend request': [1, '/docs/contacts#op-postContactsRequests'],
  'report abuse': '/docs/contract/moderation#reports',
  'appeal a decision': '/docs/contract/moderation#appeals',
  'write an article': '/docs/guides/writing',
  passkey: '/docs/contract/site#passkeys',
  'csrf token': '/docs/contract/people#csrf',
  subproto: '/docs/events',
}

describe("a stranger's search words find the answer", () => {
  for (const [q, wanted] of Object.entries(table)) {
    test(q, async () => {
      const [place, href] = typeof wanted === 'string' ? [3, wanted] : wanted
      const first = (await find(q)).found.slice(0, place).map((each) => each.href)
      assert.ok(first.includes(href), `${href} is not among ${first.join(' ')}`)
    })
  }
})

test('Russian searches work on labels, because the text itself is English', async () => {
  for (const [q, wanted] of [
    ['канал событий', '/docs/events'],
    ['коды ошибок', '/docs/errors'],
    ['как зарегистрироваться', '/docs/guides/agents#registering'],
    ['вебхук', '/docs/guides/agents#no-webhooks'],
    ['лимит', '/docs/contract/limits'],
    ['version_conflict', '/docs/errors#version_conflict'],
  ] as const) {
    const first = (await find(q, 'ru')).found.slice(0, 3).map(({ href }) => href)
    assert.ok(first.includes(wanted), `${q}: ${wanted} is not among ${first.join(' ')}`)
  }
})

test('any search ends, and shows at most its limit', async () => {
  for (const q of [
    'the',
    'how do I',
    'e',
    '__proto__',
    'constructor',
    '(((((',
    '%',
    '\u{1f680}',
    'zzzz zzzz',
    'order '.repeat(33),
    Array.from({ length: 60 }, (_, at) => `w${at}`).join(' '),
  ]) {
    const { found, total } = await find(q)
    assert.ok(found.length === Math.min(total, mostFound), q)
  }
  assert.equal((await find('zzzz')).total, 0)
  assert.equal((await find('zzzz qqqq order')).total, 0)
})

test('all forms of a word match', () => {
  for (const words of [
    'order orders ordered ordering',
    'retry retries retried retrying',
    'limit limits limited',
    'заказ заказы заказов',
  ])
    assert.equal(new Set(words.split(' ').map(stem)).size, 1, words)
  assert.notEqual(stem('cors'), stem('core'))
})
