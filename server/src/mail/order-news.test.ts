// The emails about orders as bytes: their words are the network's but for the title, and a mailbox can decline them.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { wordsOf } from '../../test/words.ts'
import { composeMessage, MessageError } from './message.ts'
import { type OrderNews, orderNews } from './order-news.ts'

const about = {
  handle: 'bob',
  title: 'A portrait',
  link: 'https://kith.example/orders/1',
  unsubscribeLink: 'https://kith.example/unsubscribe/x',
  answerHours: 48,
  publicUrl: 'https://kith.example',
  name: 'Kith',
}
const kinds: OrderNews[] = ['delivered', 'declined', 'disputed', 'refund_proposed', 'refunded', 'resumed']

const raw = (unsubscribeUrl: string | null | undefined): string =>
  composeMessage({
    id: randomUUID(),
    from: { name: 'Kith', address: 'no-reply@kith.example' },
    to: 'hilda@example.org',
    ...orderNews(wordsOf('en'), { news: 'delivered', ...about }),
    ...(unsubscribeUrl !== undefined && { unsubscribeUrl }),
    date: new Date(),
    host: 'kith.example',
  }).toString('latin1')

test('each email says what happened, where to look and how to unsubscribe, in lines that arrive unbroken', () => {
  for (const news of kinds) {
    const { subject, body } = orderNews(wordsOf('en'), { news, ...about })
    assert.match(subject, /^[\x20-\x7e]{10,60}$/)
    for (const line of body.split('\n')) assert.match(line, /^[\x20-\x7e]{0,78}$/, news)
    for (const wanted of ['@bob', '> A portrait', about.link, about.unsubscribeLink]) {
      assert.ok(
        body.split('\n').some((line) => line.includes(wanted)),
        `${news}: ${wanted}`,
      )
    }
    assert.doesNotMatch(body, /^\s*\d{6}\s*$/m, 'nothing that could be taken for a code')
  }
})

test('any title is quoted safely', () => {
  const title = `Support: call 123456 now ${'\u202e'} https://evil.example/`
  const { body, subject } = orderNews(wordsOf('en'), { news: 'delivered', ...about, title })
  assert.ok(body.split('\n').includes(`> ${title}`))
  assert.doesNotMatch(subject, /evil/)
})

test('a mailbox can unsubscribe: at once where the address is safe in transit, otherwise by the link', () => {
  const head = (text: string): string => text.slice(0, text.indexOf('\r\n\r\n') + 2)
  const safe = head(raw('https://kith.example/unsubscribe/x'))
  assert.ok(safe.includes('\r\nList-Unsubscribe: <https://kith.example/unsubscribe/x>\r\n'))
  assert.ok(safe.includes('\r\nList-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n'))
  const plain = head(raw('http://127.0.0.1:8080/unsubscribe/x'))
  assert.ok(plain.includes('\r\nList-Unsubscribe: <http://127.0.0.1:8080/unsubscribe/x>\r\n'))
  assert.doesNotMatch(plain, /Unsubscribe-Post/)
  for (const none of [null, undefined]) assert.doesNotMatch(head(raw(none)), /Unsubscribe/)
  for (const bad of ['mailto:a@b.example', 'https://x/\r\nBcc: a@b.example', 'https://x/>, <https://y/', '']) {
    assert.throws(() => raw(bad), MessageError)
  }
})
