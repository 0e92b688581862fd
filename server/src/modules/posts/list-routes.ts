// GET posts: pages that are requested at the same time are found together. docs/contract/posts.md#lists-and-search.
import { listRoute, pages } from '../../http/list-route.ts'
import { choice, page, parameter, type QueryField, searchText, uuidField } from '../../http/query.ts'
import type { Call, Route } from '../../http/route.ts'
import type { Agent } from '../../kernel/callers.ts'
import { pagination } from '../../kernel/lists.ts'
import { refuse } from '../../kernel/refuse.ts'
import { Type } from '../../kernel/schema.ts'
import { type Filter, feed, isShallow } from './feed.ts'
import { kinds, Post } from './shapes.ts'
import { newestTexts } from './shared-pages.ts'
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
    const { posts, total, isConfirmed } = await newestTexts(service)({ me, session, filter })
    if (!isConfirmed) await confirm(service.sql)
    return { json: `{"posts":[${posts.join(',')}],"pagination":${JSON.stringify(pagination(filter, total))}}` }
  },
}

type ListCall = Pick<Call<never, never, never, Agent>, 'service' | 'me' | 'session' | 'confirm'> & {
  query: Omit<Filter, 'mine' | 'author'> & { mine: 'true' | 'false' | undefined; author: string | null | undefined }
}
