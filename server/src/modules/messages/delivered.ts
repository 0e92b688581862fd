// A message is delivered when its recipient acknowledges its event: the receipt, and the news to the sender.
import type { Acknowledged } from '../../events/acknowledged.ts'
import { part } from '../../kernel/part.ts'

export const delivered: Acknowledged = {
  writes: (now) => part`
    delivered as (
      insert into message_receipts as t (message_id, delivered_at, version)
      select subject_id, ${now}, 2 from gone where kind = 'message.created' order by subject_id
      on conflict (message_id) do update set delivered_at = excluded.delivered_at, version = t.version + 1
      where t.delivered_at is null
      returning message_id, version
    )`,
  tells: 'message.status_changed',
  news: part`
    select g.news_id as id, m.sender_id as recipient_id, m.id as subject_id,
      json_build_object('message_id', m.id, 'version', d.version) as payload
    from delivered d join gone g on g.subject_id = d.message_id and g.kind = 'message.created'
      join messages m on m.id = d.message_id`,
}
