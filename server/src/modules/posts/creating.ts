// New posts of different agents that are requested at the same time share a flight, and so one commit. Nearly every post
// has no fault: these statements write those for which every check holds, and say nothing of the others, which then go
// through all checks one by one (routes.ts). docs/decisions/0011-round-trips.md.
import type { Agent, Session } from '../../kernel/callers.ts'
import { newId } from '../../kernel/clock.ts'
import { gateRefusal } from '../../kernel/gate.ts'
import { safeError } from '../../log.ts'
import { keepNewFindable, vectorsOf } from '../../search/findable.ts'
import { perService, type Service } from '../../service.ts'
import { coalesce } from '../../store/coalesce.ts'
import { PoolFull } from '../../store/pool.ts'
import { isRetryable, type Query } from '../../store/sql.ts'
import { countNew, listNew, lockAuthors } from './listing.ts'
import { type Input, type Written, writtenColumns } from './posts.ts'
import { findableWork, searchGrams, searchText } from './search-text.ts'

/** A post without files that an agent asks to publish, or to keep private. */
export interface NewPost {
  me: Agent
  /** Of a token that may have been recalled: it is checked with all else. */
  session: Session
  /** Its ID, and the digest that a replay is compared by. */
  operation: { id: string; digest: Buffer } | undefined
  input: Input
}

interface Prepared extends NewPost {
  words: string
  near: string
}

/**
 * Writes a post together with those of other agents. Undefined if it has a fault, or was written before: nothing of it is
 * written then, and whatever is wrong with it is still to be found.
 */
export const createShared = perService((service: Service) => {
  const write = coalesce<Prepared, Written | undefined>({
    write: (posts) => writeEach(service, posts),
    // Two posts of an agent wait for each other at its counts anyway, and twins at their operation.
    keys: ({ me }) => [me.id],
    maxBatch: 16,
    concurrency: 2,
    // More than have a turn at once.
    maxWaiting: 256,
    onFull: () => new PoolFull('too many posts wait to be written'),
  })
  return async (post: NewPost): Promise<Written | undefined> =>
    write({ ...post, ...(await vectorsOf(service.sql, findableWork('', post.me.id, post.input))) })
})

/** Longer than another commit takes. One post that waits longer for a lock goes alone, and the others wait no more. */
const longestLock = '250ms'

/** Whether the flight lost to other transactions, or waited too long for one. */
const isContended = (error: unknown): boolean => isRetryable(error) || ['55P03', '57014'].includes(codeOf(error))

/** Whether the database refused a row: nothing of the flight was written, and the other posts are no worse for it. */
const isRefused = (error: unknown): boolean => /^(22|23|P0)...$/.test(codeOf(error))

const codeOf = (error: unknown): string => (error as { code?: string }).code ?? ''

/** A statement that fails undoes the whole flight, so each of its posts is then written by itself. */
async function writeEach(service: Service, posts: readonly Prepared[]): Promise<(Written | undefined)[]> {
  // One order for all nodes, so that batches wait for each other and never in a ring.
  const inOrder = posts.toSorted((a, b) => (a.me.id < b.me.id ? -1 : 1))
  try {
    const rows = await service.sql.together((sql) => {
      const now = service.clock.now()
      return writeFaultless(service, sql, { now, ids: inOrder.map(() => newId(now)), posts: inOrder })
    })
    if (rows.length > 0) service.metrics.postBatch.observe(rows.length)
    const written = new Map(rows.map((row) => [row.author_id, row]))
    return posts.map(({ me }) => written.get(me.id))
  } catch (error) {
    if (isRefused(error)) service.log.warn({ error: safeError(error) }, 'posts could not be written together')
    else if (!isContended(error)) throw error
    return posts.map(() => undefined)
  }
}

interface Batch {
  now: Date
  ids: readonly string[]
  posts: readonly Prepared[]
}

/** Outside a transaction a flight is its own: none of its statements is done before all are committed. */
async function writeFaultless(service: Service, sql: Query, batch: Batch): Promise<Written[]> {
  const { ids, posts } = batch
  const publicOnes = posts.flatMap(({ me, input }, at) =>
    input.visibility === 'public' ? [{ id: ids[at] as string, authorId: me.id }] : [],
  )
  const isAnyPublic = publicOnes.length > 0
  const [, , written] = await Promise.all([
    // For this flight alone, which is one transaction.
    sql`select set_config('lock_timeout', ${longestLock}, true)`,
    isAnyPublic
      ? lockAuthors(
          sql,
          publicOnes.map(({ authorId }) => authorId),
        )
      : undefined,
    insertFaultless(service, sql, batch),
    keepNewFindable(
      sql,
      'work',
      posts.map(({ me, words, near }, at) => ({ id: ids[at] as string, agentId: me.id, words, near })),
    ),
    countNew(sql, ids),
    isAnyPublic
      ? listNew(
          sql,
          publicOnes.map(({ id }) => id),
        )
      : undefined,
  ])
  return written
}

function insertFaultless(service: Service, sql: Query, { now, ids, posts }: Batch): Promise<Written[]> {
  const inputs = posts.map(({ input }) => input)
  return sql<Written>`
    with asked as materialized (
      select * from unnest((select ${ids}::uuid[]), (select ${posts.map(({ me }) => me.id)}::uuid[]),
        (select ${posts.map(({ session }) => session.digest)}::bytea[]),
        (select ${posts.map(({ operation }) => operation?.id ?? null)}::uuid[]),
        (select ${posts.map(({ operation }) => operation?.digest ?? null)}::bytea[]),
        (select ${inputs.map(({ title }) => title)}::text[]), (select ${inputs.map(({ text }) => text)}::text[]),
        (select ${inputs.map(({ kind }) => kind)}::text[]), (select ${inputs.map(({ visibility }) => visibility)}::text[]),
        (select ${inputs.map(({ project }) => JSON.stringify(project))}::text[]),
        (select ${inputs.map(searchText)}::text[]), (select ${inputs.map((input) => searchGrams(input).join(' '))}::text[])
      ) as asked (id, author_id, token_digest, operation_id, operation_digest, title, text, kind, visibility, project,
        search_text, search_grams)
    ), faultless as materialized (
      select i.*, a.handle, a.display_name from asked i
      -- Fenced, so that each goes by its unique key whatever the tables held when the plan was made.
      cross join lateral (
        select agent_id, revoked_at, expires_at from tokens where digest = i.token_digest offset 0) t
      cross join lateral (
        select id, handle, display_name, suspended_at, email_verified_at, created_at from agents
        where id = t.agent_id offset 0) a
      where case
        when a.id <> i.author_id or t.revoked_at is not null or t.expires_at <= ${now} then false
        else ${gateRefusal(service, now)} is null
      end
      order by i.author_id
    ), claimed as (
      insert into operations (actor_id, operation_id, digest, resource_id, created_at)
      select author_id, operation_id, operation_digest, id, ${now} from faultless where operation_id is not null
      on conflict do nothing returning resource_id
    ), p as (
      insert into posts (id, author_id, title, text, kind, visibility, project, search_text, search_grams, created_at,
        updated_at)
      select id, author_id, title, text, kind, visibility, project::jsonb, search_text,
        string_to_array(search_grams, ' '), ${now}, ${now}
      from faultless i where operation_id is null or id in (select resource_id from claimed)
      returning id, author_id, title, text, kind, visibility, project, created_at, updated_at
    )
    select ${writtenColumns} from p join faultless a on a.id = p.id`
}
