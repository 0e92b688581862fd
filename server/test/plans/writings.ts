// Rows for the table of plans: posts, articles, feedback, services and moderation cases.
import { days, earlier, after as later, minutes, seconds } from '../../src/kernel/clock.ts'
import { categories, statuses } from '../../src/modules/feedback/machine.ts'
import type { Sql } from '../../src/store/sql.ts'
import { seedArticles } from '../editorial.ts'
import { seedFeedback } from '../feedback.ts'
import { closeBlocksInTime, plantPosts } from '../posts.ts'
import { seedServices } from '../services.ts'
import { tradeOf } from './people.ts'

export const posts = 20_000
export const articles = 20_000
export const services = 10_000
const feedback = 20_000
const moderationCases = 20_000

const at = <T>(list: readonly T[], n: number): T => list[n % list.length] as T

/** A few authors have half of the posts, the reader one in a hundred, `many` the rest; one post in ten is private. */
export async function plantAllPosts(
  sql: Sql,
  now: Date,
  { reader, authors, many }: { reader: string; authors: readonly string[]; many: readonly string[] },
): Promise<string[]> {
  const ids = await plantPosts(
    sql,
    Array.from({ length: posts }, (_, n) => ({
      author_id: n % 100 === 0 ? reader : n % 2 === 0 ? at(authors, n / 2) : at(many, (n - 1) / 2),
      kind: n % 3 === 0 ? 'portfolio' : 'update',
      visibility: n % 10 === 0 ? 'private' : 'public',
      title: `Post number ${(n * 7919) % posts}`,
      text: textOf(n),
      created_at: new Date(now.getTime() - (posts - n) * 10),
    })),
  )
  while (await closeBlocksInTime(sql));
  return ids
}

const textOf = (n: number): string =>
  n % 4999 === 0
    ? 'Of zymurgy 酿酒 and more'
    : n % 5000 === 7
      ? 'A study of campanology 鐘学'
      : `Some news of a common life, lines about ${tradeOf(n)}`

/** A third of the articles are drafts; each author was invited daily. Returns the IDs, oldest first. */
export async function plantArticles(sql: Sql, now: Date, authors: readonly string[]): Promise<string[]> {
  await sql`
    insert into editorial_authors (agent_id, assigned, version, assigned_at, next_invitation_at)
    select id, true, 1, ${now}, ${later(now, days(1))} from unnest(${authors}::uuid[]) id`
  await sql`
    insert into editorial_invitations (id, agent_id, created_at, expires_at)
    select gen_random_uuid(), id, ${now}::timestamptz - n * interval '1 day', ${now}::timestamptz - (n - 1) * interval '1 day'
    from unnest(${authors}::uuid[]) id cross join generate_series(1, 90) n`
  return seedArticles(
    { sql },
    Array.from({ length: articles }, (_, n) => ({
      author: { id: at(authors, n) },
      at: earlier(now, days(2) + minutes(articles - n)),
      state: n % 3 === 1 ? ('draft' as const) : ('published' as const),
    })),
  )
}

/** Three fifths are ideas; the newest have votes and subscribers, including the first author. */
export async function plantFeedback(sql: Sql, now: Date, authors: readonly string[]): Promise<void> {
  const start = earlier(now, days(30))
  await seedFeedback(
    sql,
    Array.from({ length: feedback }, (_, n) => ({
      author_id: at(authors, n),
      category: at(categories, n % 5 < 3 ? 0 : (n % 5) - 2),
      status: n % 7 === 0 ? at(statuses, 0) : at(statuses, (n % 4) + 1),
      title: n % 1000 === 0 ? `Zymurgy number ${n}` : `A common title ${n % 100}`,
      body: `Some words that every body has, and number${n % 10_000} that few have`,
      created_at: later(start, seconds(n * 60)),
    })),
  )
  await sql`
    insert into feedback_votes (feedback_id, agent_id, is_active, updated_at)
    select f.id, a.id, true, ${now} from (select id from feedback where category = 'idea' order by id desc limit 200) f,
      unnest(${authors.slice(0, 50)}::uuid[]) a (id)`
  await sql`
    insert into feedback_subscriptions (agent_id, feedback_id, is_active, from_version, updated_at)
    select a.id, f.id, true, 1, ${now} from (select id from feedback where category = 'idea' order by id desc limit 400) f,
      unnest(${authors.slice(0, 40)}::uuid[]) a (id)
    on conflict do nothing`
}

/** The older half has `Elder` titles; one in ten is paused, and few match zymurgy, the rare unit or a starting price. */
export const plantServices = (sql: Sql, now: Date, providers: readonly string[]): Promise<void> =>
  seedServices(
    { sql, now: () => now },
    Array.from({ length: services }, (_, n) => ({
      provider: { id: at(providers, n) },
      title:
        n % 1999 === 0
          ? 'Of zymurgy 酿酒 and more'
          : `${n < services / 2 ? 'Elder service' : 'Service'} number ${(n * 7919) % services}`,
      state: n % 10 === 3 ? ('paused' as const) : ('published' as const),
      mode: n % 3000 === 17 ? ('from' as const) : ('fixed' as const),
      unit: n % 2 ? 'page' : n % 1000 === 500 ? 'rare' : 'hour',
      amount: 100 + ((n * 31) % services),
    })),
  )

/**
 * Cases in every status and of every kind. A tenth has an appeal, and a tenth of these appeals is unanswered; few cases are
 * pending. The first two owners have a third each, and reported every case.
 */
export async function plantModerationCases(sql: Sql, now: Date, owners: readonly string[]): Promise<void> {
  await sql`
    with made as (
      insert into moderation_cases (id, subject_kind, subject_id, owner_id, status, premoderation, reason_code, reason,
        appeal_text, appealed_at, appeal_answered_at, created_at, updated_at, decided_at)
      select id_at(${now}, n), (array['post', 'profile', 'task', 'service'])[1 + n % 4], gen_random_uuid(),
        (${owners}::uuid[])[1 + case n % 3 when 0 then 0 when 1 then 1 else n % ${owners.length}::int end], s.status,
        s.status = 'rejected', case when is_decided then 'other' end, case when is_decided then 'Why' end,
        case when is_appealed then 'No' end,
        case when is_appealed then ${now}::timestamptz + n * interval '1 second' end,
        case when is_appealed and n % 100 <> 0 then ${now}::timestamptz end, ${now}, ${now},
        case when is_decided then ${now}::timestamptz end
      from generate_series(1, ${moderationCases}::int) n cross join lateral (
        select case when n % 50 = 0 then 'pending'
          else (array['approved', 'removed', 'restored', 'rejected'])[1 + (n / 4) % 4] end as status) s
      cross join lateral (select s.status <> 'pending' as is_decided, s.status <> 'pending' and n % 10 = 0 as is_appealed) d
      returning id
    )
    insert into moderation_reports (id, case_id, reporter_id, reason_code, text, created_at)
    select gen_random_uuid(), c.id, a.id, 'spam', 'x', ${now}::timestamptz - n * interval '1 second'
    from (select id, row_number() over () as n from made) c cross join unnest(${owners.slice(0, 2)}::uuid[]) a (id)`
}
