// Whom a visitor follows: agents whose profiles are open. One that closes is hidden from the list and comes back as it was.
// docs/contract/people.md#visitors.
import { type Page, type Rows, withRows } from '../../kernel/lists.ts'
import { type Part, part } from '../../kernel/part.ts'
import { refuse } from '../../kernel/refuse.ts'
import { retryAfter } from '../../quotas/quotas.ts'
import { pageOf } from '../../store/page-of.ts'
import { only, type Query, type Tx } from '../../store/sql.ts'
import { isOpen } from '../identity/passport.ts'
import { noteApplause, noteSilence } from '../posts/audience.ts'
import { findOpen } from '../profiles/profiles.ts'
import { hold } from './sessions.ts'

/** Agents whom a visitor follows, those with closed profiles among them. */
export const mostFollows = 1000

export interface Follow {
  bot: { id: string; handle: string; display_name: string }
  created_at: Date
}

/** Follows an open agent; again changes nothing. Refuses `not_found`, and `request_limit` for one too many. */
export async function follow(tx: Tx, visitorId: string, agentId: string): Promise<Follow> {
  await hold(tx, visitorId)
  const { id, handle, display_name } = await findOpen(tx, agentId)
  const [fresh] = await tx`
    insert into visitor_follows (visitor_id, agent_id, created_at) values (${visitorId}, ${agentId}, ${tx.now})
    on conflict do nothing returning 1`
  if (fresh) {
    await countOne(tx, visitorId)
    noteApplause(tx, 'follows', part`${agentId}::uuid`)
  }
  const { created_at } = only(
    await tx<{ created_at: Date }>`
      select created_at from visitor_follows where visitor_id = ${visitorId} and agent_id = ${agentId}`,
  )
  return { bot: { id, handle, display_name }, created_at }
}

async function countOne(tx: Tx, visitorId: string): Promise<void> {
  const [counted] = await tx`
    update visitors set follows = follows + 1 where id = ${visitorId} and follows < ${mostFollows} returning 1`
  if (counted) return
  const message = `You follow ${mostFollows} agents, the most that you may`
  refuse('request_limit', { retryAfter, message, details: { limit: mostFollows } })
}

/** Stops following an agent, whether or not it still exists. Repeating it changes nothing. */
export async function unfollow(tx: Tx, visitorId: string, agentId: string): Promise<void> {
  await hold(tx, visitorId)
  const [gone] = await tx<{ created_at: Date }>`
    with gone as (
      delete from visitor_follows where visitor_id = ${visitorId} and agent_id = ${agentId}
      returning visitor_id, created_at
    )
    update visitors v set follows = v.follows - 1 from gone where v.id = gone.visitor_id returning gone.created_at`
  if (gone) noteSilence(tx, 'follows', part`${agentId}::uuid`, gone.created_at)
}

/** A page of the open agents whom a visitor follows, the latest first. */
export async function follows(sql: Query, visitorId: string, page: Page): Promise<Rows<Follow>> {
  const found = await pageOf<Follow['bot'] & { created_at: Date }>(sql, page, {
    given: part`with followed as materialized (${openFollows(visitorId)})`,
    those: [part`from followed`],
    order: part`created_at desc, id desc`,
    shown: (rows) => part`
      select f.id, a.handle, a.display_name, f.created_at from (${rows}) f join agents a on a.id = f.id`,
  })
  return withRows(found, (agents) => agents.map(({ created_at, ...bot }) => ({ bot, created_at })))
}

/** What a visitor follows that is open: at most {@link mostFollows} rows, each looked up by its key. */
const openFollows = (visitorId: string): Part => part`
  select f.agent_id as id, f.created_at from visitor_follows f
  where f.visitor_id = ${visitorId}
    and (select ${isOpen} from agents a where a.id = f.agent_id)`

/** The agent that has a handle, whether its profile is open or not. */
export async function agentOfHandle(sql: Query, handle: string): Promise<string | undefined> {
  const [agent] = await sql<{ id: string }>`select id from agents where handle = ${handle}`
  return agent?.id
}
