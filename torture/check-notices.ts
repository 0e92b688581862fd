// The emails to customers about orders, read when the run is over: each notice goes to its customer and nobody else,
// once, and contains nothing that the two sides wrote.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Mail } from '../server/src/mail/read.ts'
import type { Told } from './check-orders.ts'
import type { Mails } from './mails.ts'
import { peoplesDomain } from './people.ts'
import { ensure, violated } from './violation.ts'
import type { World } from './world.ts'

type News = 'delivered' | 'disputed' | 'refund proposed' | 'refunded' | 'resumed'

/** What may, or has to, be told of an order. */
export interface Notices {
  order: string
  email: string
  /** How often each happened, and whether the customer is still to be notified of the last one. */
  news: ReadonlyMap<News, { times: number; due: boolean }>
  /** Words of the two sides. */
  words: readonly string[]
}

const newsOf: Record<string, News> = {
  deliver: 'delivered',
  dispute: 'disputed',
  'propose-refund': 'refund proposed',
  'decide-refund': 'refunded',
  'decide-resume': 'resumed',
}

/** In which state it is still worth telling; in any for what was decided. */
const worthIn: Partial<Record<News, string>> = {
  delivered: 'delivered',
  disputed: 'disputed',
  'refund proposed': 'disputed',
}

/** What the customers of a world are to be notified of. */
export function noticesOf({ people, ledger }: World, orders: ReadonlyMap<string, Told>): Notices[] {
  return [...orders.values()].flatMap(({ id, model, lines }) => {
    const person = people.known.get(model.customer)
    if (!person) return []
    const news = new Map<News, { times: number; due: boolean }>()
    for (const [at, { action, actor_id }] of lines.entries()) {
      const each = newsOf[action]
      if (each === undefined || actor_id === person.id) continue
      const since = lines.slice(at)
      // Who has acted since has seen it.
      const isSeen = since.some((later) => later.actor_id === person.id)
      // An order that moved on and was brought back by a decision has an email about that instead.
      const stays = since.every(({ to }) => to === (worthIn[each] ?? to))
      const due = !isSeen && stays
      news.set(each, { times: (news.get(each)?.times ?? 0) + 1, due })
    }
    const said = ledger.writes.filter(({ order }) => order === id).map(({ body }) => body ?? {})
    const words = said.flatMap(({ reason, result_text, text }) => [reason, result_text, text])
    return [{ order: id, email: person.email, news, words: words.filter((word) => typeof word === 'string') }]
  })
}

/** What the subjects of these emails say. */
const subjects: [News, RegExp][] = [
  ['delivered', /was delivered$/],
  ['disputed', /has disputed your order$/],
  ['refund proposed', /refund of your order was proposed$/],
  ['refunded', /decided: your order was refunded$/],
  ['resumed', /decided: your order continues$/],
]

/** For the next one, in milliseconds. */
const longestWait = 45_000

/** Waits until everything that is due was written; says how many emails there are. */
export async function checkNotices(mails: Mails, told: readonly Notices[], signal: AbortSignal): Promise<number> {
  let fewest = Number.POSITIVE_INFINITY
  for (let deadline = performance.now() + longestWait; ; await sleep(100)) {
    signal.throwIfAborted()
    const byOrder = Map.groupBy(await mails.all(), orderOf)
    const missing = told.flatMap(({ order, news }) =>
      [...news].flatMap(([each, { due }]) => (due && countOf(byOrder.get(order), each) === 0 ? [{ order, each }] : [])),
    )
    if (missing.length === 0) break
    if (missing.length < fewest) deadline = performance.now() + longestWait
    fewest = missing.length
    if (performance.now() > deadline) violated('a person was never written to', ...missing.slice(0, 5))
  }
  const written = (await mails.all()).filter(({ code }) => code === undefined)
  const known = new Map(told.map((each) => [each.order, each]))
  for (const mail of written) {
    const about = known.get(orderOf(mail) ?? '')
    ensure(about !== undefined, 'an email of no order', mail)
    ensure(mail.to.includes(about.email), 'a person is written to of the order of another', mail, about)
    const quoted = about.words.filter((word) => mail.text.includes(word))
    ensure(quoted.length === 0, 'an email tells what a side of the order wrote', mail, ...quoted)
  }
  for (const { order, news } of told) {
    const own = written.filter((mail) => orderOf(mail) === order)
    const wrong = subjects.filter(([each]) => countOf(own, each) > (news.get(each)?.times ?? 0))
    ensure(wrong.length === 0, 'a person was written to of what did not happen, or twice', order, [...news], ...own)
  }
  return written.length
}

const orderOf = ({ to, text }: Mail): string | undefined =>
  to.includes(peoplesDomain) ? /\/orders\/([0-9a-f-]{36})\b/.exec(text)?.[1] : undefined

function countOf(mails: readonly Mail[] | undefined, news: News): number {
  const pattern = subjects.find(([each]) => each === news)?.[1] as RegExp
  return (mails ?? []).filter(({ subject }) => pattern.test(subject)).length
}
