// Emails to customers about their suspension: when it begins, when their appeal is answered, when it ends. A customer has no
// other channel. docs/contract/people.md#suspension.
import { hasRoom } from '../../mail/queue.ts'
import { aboutSuspension, type SuspensionNews } from '../../mail/suspension-news.ts'
import type { Service } from '../../service.ts'
import { rowSweep } from '../../store/row-sweep.ts'
import type { Tx } from '../../store/sql.ts'

interface Notice {
  case_id: string
  kind: SuspensionNews
  /** Null of a closed account. */
  email: string | null
  language: string | null
}

type Parts = Pick<Service, 'sql' | 'clock' | 'log' | 'metrics' | 'config' | 'mailer' | 'publicUrl' | 'speak'>

const keyOf = ({ case_id, kind }: Notice): string => `${case_id} ${kind}`

/** Makes mails of the oldest notices, as those about orders are made; true when there may be more. */
export const mailSuspensions: (parts: Parts) => Promise<boolean> = rowSweep<Notice, Parts>({
  name: 'suspension notices',
  batch: 50,
  keyOf,
  take: async (tx, ask) => ((await hasRoom(tx)) ? takeOldest(tx, ask) : []),
  async work(tx, notices, service) {
    for (const notice of notices) await mail(tx, service, notice)
    await tx`
      delete from suspension_notices n
      using unnest(${notices.map((each) => each.case_id)}::uuid[], ${notices.map(({ kind }) => kind)}::text[]) as t (id, kind)
      where n.case_id = t.id and n.kind = t.kind`
  },
})

const takeOldest = (
  tx: Tx,
  { limit, without }: { limit: number; without: readonly string[] },
): Promise<Notice[]> => tx<Notice>`
  with n as materialized (
    select case_id, kind, created_at from suspension_notices
    where case_id || ' ' || kind <> all (${without}::text[])
    order by created_at, case_id, kind limit (select ${limit}::int) for no key update skip locked
  )
  select n.case_id, n.kind, h.email, h.language
  from n join moderation_cases c on c.id = n.case_id join humans h on h.id = c.owner_id
  order by n.created_at, n.case_id, n.kind for share of h skip locked`

async function mail(tx: Tx, service: Parts, { kind: news, email, language }: Notice): Promise<void> {
  const { config, mailer, publicUrl } = service
  if (email === null || config.mail.kind === 'none') return
  const text = aboutSuspension(service.speak(language === null ? [] : [language]), {
    name: config.siteName,
    news,
    link: `${publicUrl}/account`,
    publicUrl,
  })
  await mailer.queue(tx, { kind: 'suspension_news', recipient: email, ...text })
}
