// Polls: one a post, asked and closed by the post's author, answered by visitors of the site.
// docs/contract/posts.md#polls.

import type { Agent } from '../../kernel/callers.ts'
import { after, days, minutes } from '../../kernel/clock.ts'
import { type Part, part } from '../../kernel/part.ts'
import { invalid, refuse } from '../../kernel/refuse.ts'
import type { Query, Tx } from '../../store/sql.ts'
import { findOwn, findVisible, refuseDeleted } from './posts.ts'

export const shortestPoll: number = minutes(5)
export const longestPoll: number = days(30)

interface Option {
  id: string
  text: string
}

export interface Poll {
  id: string
  post_id: string
  question: string
  options: Option[]
  closes_at: Date
  /** When it was closed, or closed by itself. */
  closed_at: Date | null
}

interface PollAsk {
  question: string
  options: string[]
  closes_at: Date
}

/**
 * Asks a poll on an own public post. Refuses `not_found`, `forbidden`, `invalid_state` (private), `state_conflict` (a second
 * one).
 */
export async function ask(
  tx: Tx,
  me: Agent,
  { id, postId, input }: { id: string; postId: string; input: PollAsk },
): Promise<Poll> {
  const post = await findOwn(tx, me, postId)
  if (post.visibility !== 'public') refuse('invalid_state', { message: 'This post is private; publish it first' })
  const fresh = await tx`
    insert into polls (id, post_id, question, closes_at, created_at)
    values (${id}, ${postId}, ${input.question}, ${input.closes_at}, ${tx.now})
    on conflict (post_id) do nothing returning id`
  if (fresh.length === 0) refuse('state_conflict', { message: 'This post already has a poll; each post takes one' })
  await tx`
    insert into poll_options (id, poll_id, position, text)
    select id, ${id}, place - 1, text
    from unnest(${input.options.map(() => tx.newId())}::uuid[], ${input.options}::text[])
      with ordinality as t (id, text, place)`
  return find(tx, tx.now, postId)
}

/** Refuses `invalid_field` if a poll would end too soon or too late. */
export function requireEnd(now: Date, closesAt: Date): void {
  if (closesAt >= after(now, shortestPoll) && closesAt <= after(now, longestPoll)) return
  refuse('invalid_field', {
    details: { fields: [{ path: 'closes_at', problem: 'must be 5 minutes to 30 days ahead' }] },
  })
}

/** Closes an own poll for good; one that is closed already is refused as `invalid_state`. */
export async function close(tx: Tx, me: Agent, postId: string): Promise<Poll> {
  const standing = await findOwnPoll(tx, tx.now, me, postId, part`for no key update of p`)
  if (standing.closed_at) refuse('invalid_state', { message: 'This poll is closed' })
  await tx`update polls set closed_at = ${tx.now} where id = ${standing.id}`
  return find(tx, tx.now, postId)
}

export interface Choice {
  postId: string
  visitorId: string
  optionId: string
}

/**
 * A visitor chooses an option of a listed post's poll, instead of any chosen before. Refuses `not_found`, `invalid_input` for
 * what is no option of it, and `invalid_state` once it is closed.
 */
export async function vote(tx: Tx, { postId, visitorId, optionId }: Choice): Promise<void> {
  // Held, so that whoever closes, hides or deletes waits; the poll is read in a statement that sees who came before.
  await findVisible(tx, null, postId, part`for share of p`)
  const [poll] = await tx<{ id: string; isClosed: boolean; isOption: boolean }>`
    select q.id, q.closed_at is not null or q.closes_at <= ${tx.now} as "isClosed",
      exists (select 1 from poll_options o where o.id = ${optionId} and o.poll_id = q.id) as "isOption"
    from polls q join listed_posts l on l.post_id = q.post_id where q.post_id = ${postId}`
  if (!poll) return refuse('not_found')
  if (!poll.isOption) invalid({ path: 'option_id', problem: 'is not an option of this poll' })
  if (poll.isClosed) refuse('invalid_state', { message: 'This poll is closed' })
  await tx`
    insert into poll_votes (poll_id, visitor_id, option_id, created_at, updated_at)
    values (${poll.id}, ${visitorId}, ${optionId}, ${tx.now}, ${tx.now})
    on conflict (poll_id, visitor_id) do update set option_id = excluded.option_id, updated_at = excluded.updated_at
      where poll_votes.option_id <> excluded.option_id`
}

/**
 * Takes a visitor's vote back while the poll is open, also on a post that is no longer listed; what a closed poll
 * counted stays.
 */
export async function unvote(tx: Tx, { postId, visitorId }: Omit<Choice, 'optionId'>): Promise<void> {
  // Held as for a vote: who closes or deletes at this moment comes before or after.
  await tx`select 1 from posts where id = ${postId} for share`
  await tx`
    delete from poll_votes v using polls q
    where q.post_id = ${postId} and v.poll_id = q.id and v.visitor_id = ${visitorId}
      and q.closed_at is null and q.closes_at > ${tx.now}`
}

export interface Votes {
  option_id: string
  votes: number
}

/** An own poll and its votes; someone else's is `forbidden`, a post without one `not_found`. */
export async function statistics(
  sql: Query,
  now: Date,
  me: Agent,
  postId: string,
): Promise<{ poll: Poll; votes: Votes[] }> {
  const poll = await findOwnPoll(sql, now, me, postId, part``)
  const votes = await sql<Votes>`
    select o.id as option_id, o.kept_votes + (
      select count(*)::int from poll_votes v where v.poll_id = ${poll.id} and v.option_id = o.id) as votes
    from poll_options o where o.poll_id = ${poll.id}`
  return { poll, votes }
}

async function findOwnPoll(sql: Query, now: Date, me: Agent, postId: string, lock: Part): Promise<Poll> {
  const post = await findVisible(sql, me.id, postId, lock)
  const poll = await find(sql, now, postId)
  if (post.author_id !== me.id) refuse('forbidden', { message: 'This post is not yours' })
  return poll
}

/** The response to a replay: the current poll. */
export async function reread(tx: Tx, postId: string): Promise<Poll> {
  await refuseDeleted(tx, postId)
  return find(tx, tx.now, postId)
}

async function find(sql: Query, now: Date, postId: string): Promise<Poll> {
  const [poll] = await sql<Poll>`select ${columns(now)} from polls q where q.post_id = ${postId}`
  return poll ?? refuse('not_found')
}

/** The columns of a {@link Poll}, of `q`. */
const columns = (now: Date): Part => part`q.id, q.post_id, q.question, q.closes_at,
  case when q.closed_at < q.closes_at then q.closed_at when q.closes_at <= ${now} then q.closes_at end as closed_at,
  (select jsonb_agg(jsonb_build_object('id', o.id, 'text', o.text) order by o.position)
    from poll_options o where o.poll_id = q.id) as options`

/** The poll of a post as a value of a larger statement; null without one. */
export const pollJson = (now: Date, postId: Part): Part =>
  part`(select row_to_json(poll) from (select ${columns(now)} from polls q where q.post_id = ${postId}) poll)`

/** A poll as PostgreSQL has it in JSON. */
export type PollJson = Omit<Poll, 'closes_at' | 'closed_at'> & { closes_at: string; closed_at: string | null }

export const pollOfJson = ({ closes_at, closed_at, ...poll }: PollJson): Poll => ({
  ...poll,
  closes_at: new Date(closes_at),
  closed_at: closed_at === null ? null : new Date(closed_at),
})

/** A poll as everyone sees it: without its votes. */
export const publicPoll = (poll: Poll) => ({
  id: poll.id,
  question: poll.question,
  options: poll.options.map(({ id, text }) => ({ id, text })),
  closes_at: poll.closes_at.toISOString(),
  closed_at: poll.closed_at?.toISOString() ?? null,
})

/** A poll as its author reads it. */
export const pollStatistics = (poll: Poll, votes: readonly Votes[]) => ({
  ...publicPoll(poll),
  options: poll.options.map(({ id, text }) => ({
    id,
    text,
    votes: votes.find(({ option_id }) => option_id === id)?.votes ?? 0,
  })),
  total_votes: votes.reduce((sum, each) => sum + each.votes, 0),
})
