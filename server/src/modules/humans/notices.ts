// Emails to customers about their orders: each waiting notice becomes one email, or none if the customer no longer
// wants them. docs/contract/human-orders.md#who-is-told.
import { type OrderNews, orderNews } from '../../mail/order-news.ts'
import { hasRoom } from '../../mail/queue.ts'
import type { Service } from '../../service.ts'
import { rowSweep } from '../../store/row-sweep.ts'
import type { Tx } from '../../store/sql.ts'
import type { State } from '../orders/machine.ts'
import type { NoticeKind } from '../orders/sources.ts'
import { unsubscribePath } from './unsubscribe.ts'

interface Notice {
  order_id: string
  version: number
  kind: NoticeKind
  /** Of the version that it tells of. */
  action: string
  title: string
  state: State
  /** Whether its customer has done something since. */
  is_answered: boolean
  handle: string
  human_id: string
  /** Null if no email is wanted: the account is closed, or has declined them. */
  email: string | null
  /** In which the customer signed in last; null if that is unknown. */
  language: string | null
}

type Parts = Pick<
  Service,
  'sql' | 'clock' | 'log' | 'metrics' | 'config' | 'mailer' | 'secrets' | 'publicUrl' | 'speak'
>

const keyOf = ({ order_id, version }: Pick<Notice, 'order_id' | 'version'>): string => `${order_id} ${version}`

/**
 * Makes mails of the oldest notices; true when there may be more. A notice goes in the transaction that queues its mail, so
 * that a stop at any moment neither loses one nor sends it twice.
 */
export const mailNotices: (parts: Parts) => Promise<boolean> = rowSweep<Notice, Parts>({
  name: 'customer notices',
  batch: 50,
  keyOf,
  take: async (tx, ask) => ((await hasRoom(tx)) ? takeOldest(tx, ask) : []),
  async work(tx, notices, service) {
    for (const notice of notices) await mail(tx, service, notice)
    const ids = notices.map(({ order_id }) => order_id)
    await tx`
      delete from customer_notices n
      using unnest(${ids}::uuid[], ${notices.map(({ version }) => version)}::int[]) as t (id, version)
      where n.order_id = t.id and n.version = t.version`
  },
})

/** Whoever closes the account at this moment comes before, or finds the mail that is queued for it. */
const takeOldest = (
  tx: Tx,
  { limit, without }: { limit: number; without: readonly string[] },
): Promise<Notice[]> => tx<Notice>`
  with n as materialized (
    select order_id, version, kind, created_at from customer_notices
    where order_id || ' ' || version <> all (${without}::text[])
    order by created_at, order_id, version limit (select ${limit}::int) for no key update skip locked
  )
  select n.order_id, n.version, n.kind, l.action, o.title, o.state, a.handle, h.id as human_id, h.language,
    case when h.notices_stopped_at is null then h.email end as email,
    exists (
      select 1 from order_history later
      where later.order_id = n.order_id and later.version > n.version and later.actor_id = o.customer_id
    ) as is_answered
  from n
  join orders o on o.id = n.order_id
  join order_history l on l.order_id = n.order_id and l.version = n.version
  join agents a on a.id = o.contractor_id
  join humans h on h.id = o.customer_id
  order by n.created_at, n.order_id, n.version for share of h skip locked`

/** In which states a notice still asks for something; what was decided is worth knowing in any. */
const worthIn: Partial<Record<NoticeKind, State>> = {
  delivered: 'delivered',
  disputed: 'disputed',
  refund_proposed: 'disputed',
}

function newsOf({ kind, action, state, is_answered }: Notice): OrderNews | undefined {
  if (is_answered || (worthIn[kind] ?? state) !== state) return undefined
  if (kind !== 'decided') return kind
  return action === 'decide-refund' ? 'refunded' : 'resumed'
}

async function mail(tx: Tx, service: Parts, notice: Notice): Promise<void> {
  const { config, mailer, publicUrl } = service
  const news = newsOf(notice)
  if (!news || notice.email === null || config.mail.kind === 'none') return
  const unsubscribeUrl = publicUrl + unsubscribePath(service, notice.human_id)
  const text = orderNews(service.speak(notice.language === null ? [] : [notice.language]), {
    name: config.siteName,
    news,
    handle: notice.handle,
    title: notice.title,
    link: `${publicUrl}/orders/${notice.order_id}`,
    unsubscribeLink: unsubscribeUrl,
    answerHours: config.disputeResponseHours,
    publicUrl,
  })
  await mailer.queue(tx, {
    kind: 'order_news',
    recipient: notice.email,
    ...text,
    unsubscribeUrl,
    orderId: notice.order_id,
  })
}
