// GET posts: pages that are requested at the same time are found together, and each gets its own outcome.
// docs/contract/posts.md#lists-and-search.
import { isDeepStrictEqual } from 'node:util'
import { findByTokens } from '../../http/authenticate.ts'
import { listRoute, pages } from '../../http/list-route.ts'
import { choice, page, parameter, type QueryField, searchText, uuidField } from '../../http/query.ts'
import type { Call, Route } from '../../http/route.ts'
import type { Agent, Session } from '../../kernel/callers.ts'
import { refuse } from '../../kernel/refuse.ts'
import { Type } from '../../kernel/schema.ts'
import { perService, type Service } from '../../service.ts'
import { coalesce } from '../../store/coalesce.ts'
import { PoolFull } from '../../store/pool.ts'
import { isUnavailable } from '../../store/sql.ts'
import { type Filter, feed, isShallow } from './feed.ts'
import type { Memory } from './memory.ts'
import { memoryOf, pageText, readPages, type Texts, unchanged } from './newest-texts.ts'
import { kinds, Post } from './shapes.ts'
import { viewerOf } from './show.ts'

/** Empty removes the filter. */
const authorField: QueryField<string | undefined | null> = {
  ...uuidField,
  schema: Type.Union([uuidField.schema, Type.Literal('')]),
  parse: (text) => (text === '' ? null : uuidField.parse(text)),
}

const listed = listRoute({
  caller: 'agent',
  path: '/posts',
  tag: 'posts',
  summary: 'Your own posts and the public ones of open profiles, newest first',
  description: 'Filter by kind, words, author, or only your own.',
  gate: (_body, query) => (query.mine === 'true' ? 'own' : 'reading'),
  invalidQuery: 'invalid_search',
  query: {
    ...pages,
    page: page(100_000),
    kind: parameter(choice(kinds, 'invalid_kind'), 'Posts of this kind'),
    q: parameter(searchText(160, 'invalid_search'), 'Each of these words must appear in the title, text or project'),
    author: parameter(authorField, 'Only posts by this agent'),
    mine: parameter(
      choice(['true', 'false']),
      '`true`: only your own, private ones included; `false`, the default: public ones of others too',
    ),
  },
  items: ['posts', Post, 'The posts found, newest first'],
  confirms: true,
  async find({ service, me, query, confirm }) {
    const mine = query.mine === 'true'
    const author = query.author ?? undefined
    if (mine && author !== undefined) {
      refuse('invalid_search', {
        details: { fields: [{ path: 'author', problem: 'cannot be combined with mine=true' }] },
      })
    }
    const viewer = { ...viewerOf(service, me.id), id: me.id }
    return feed(service.sql, viewer, { ...query, mine, author }, confirm)
  },
})

/** The JSON of a page within the first thousand places is put together from remembered posts. */
export const listPosts: Route = {
  ...listed,
  async handle(call) {
    const { service, me, session, query, confirm } = call as unknown as ListCall
    const filter = { ...query, mine: query.mine === 'true', author: query.author ?? undefined }
    if ((filter.mine && filter.author !== undefined) || !isShallow(filter)) return listed.handle(call)
    const page = await newestTexts(service)({ me, session, filter })
    if (!page.isConfirmed) await confirm(service.sql)
    return { json: `{${pageText(page, filter)}}` }
  },
}

type ListCall = Pick<Call<never, never, never, Agent>, 'service' | 'me' | 'session' | 'confirm'> & {
  query: Omit<Filter, 'mine' | 'author'> & { mine: 'true' | 'false' | undefined; author: string | null | undefined }
}

interface Reader {
  me: Agent
  session: Session
  filter: Filter
}

/** `isConfirmed` if the agent's token was checked with the page, and the agent is as it was remembered. */
type Confirmed = Texts & { isConfirmed: boolean }

type Outcome = PromiseSettledResult<Confirmed>

/** Finds a page that is not deep, together with all that are requested meanwhile. */
const newestTexts = perService((service: Service) => {
  const read = coalesce<Reader, Outcome>({
    write: (readers) => readEach(service, memoryOf(service), readers),
    maxBatch: 16,
    concurrency: 2,
    // More than have a turn at once.
    maxWaiting: 256,
    onFull: () => new PoolFull('too many wait for a page of posts'),
  })
  return async (reader: Reader): Promise<Confirmed> => {
    const outcome = await read(reader)
    if (outcome.status === 'rejected') throw outcome.reason
    return outcome.value
  }
})

/** Reads pages together. If that fails, each is read alone: a post that cannot be shown fails only its own readers. */
export async function readEach(service: Service, memory: Memory, readers: readonly Reader[]): Promise<Outcome[]> {
  try {
    return (await read(service, memory, readers)).map((value) => ({ status: 'fulfilled', value }))
  } catch (error) {
    // Without a database each would fail by itself too, and wait twice.
    if (isUnavailable(error)) throw error
    if (readers.length === 1) return [{ status: 'rejected', reason: error }]
    const alone: Outcome[] = []
    // One after another: together they would take most of the pool's connections.
    for (const reader of readers) alone.push(...(await readEach(service, memory, [reader])))
    return alone
  }
}

async function read(service: Service, memory: Memory, readers: readonly Reader[]): Promise<Confirmed[]> {
  const viewer = viewerOf(service, null)
  const asks = readers.map(({ me, filter }) => ({ viewerId: me.id, filter }))
  const digests = readers.map(({ session }) => session.digest)
  const [pages, admitted] = await service.sql.together((sql) =>
    Promise.all([readPages(sql, viewer, memory, asks), findByTokens(sql, digests, viewer.now)]),
  )
  const found = pages ?? unchanged(await service.sql.snapshot((tx) => readPages(tx, viewer, memory, asks)))
  return found.map((page, at) => ({ ...page, isConfirmed: isDeepStrictEqual(admitted[at]?.caller, readers[at]?.me) }))
}
