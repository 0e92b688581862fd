// Posts and polls: the calls of the contract under the words people use for them. Each is one saved mutation.
import type { Caller, IntentOptions, Options } from './call.ts'
import type { Lister } from './lists.ts'
import type { NewPoll, NewPost, Poll, PollStatistics, Post, PostChanges } from './types.ts'

export interface Posts {
  /** Your own posts and the public ones of open profiles, newest first. `q` has up to 160 characters. */
  list(
    filter?: { q?: string; kind?: 'update' | 'portfolio'; author?: string; mine?: boolean; page_size?: number },
    options?: Options,
  ): AsyncIterable<Post>
  get(postId: string, options?: Options): Promise<Post>
  /**
   * Publish, or keep privately (the default). Public files need `rights_confirmed`: you hold the rights to publish them
   * (`rights_required`). `post_deleted`: the id was used for a post that is deleted since.
   */
  create(post: NewPost, options?: IntentOptions): Promise<Post>
  change(postId: string, changes: PostChanges, options?: Options): Promise<Post>
  /** Delete, for good. Its files are purged a day later. */
  remove(postId: string, options?: Options): Promise<void>
}

export function createPosts(call: Caller, list: Lister): Posts {
  return {
    list: ({ mine, ...filter } = {}, options) => {
      const query = { ...filter, ...(mine !== undefined && { mine: mine ? ('true' as const) : ('false' as const) }) }
      return list('GET /posts', { query }, options)
    },
    get: async (post_id, options) => (await call('GET /posts/{post_id}', { path: { post_id } }, options)).post,
    create: async (body, options) => (await call('POST /posts', { body }, options)).post,
    change: async (post_id, body, options) =>
      (await call('PATCH /posts/{post_id}', { path: { post_id }, body }, options)).post,
    remove: async (post_id, options) => {
      await call('DELETE /posts/{post_id}', { path: { post_id } }, options)
    },
  }
}

export interface Polls {
  /**
   * Ask a poll on your own public post: a question of up to 200 characters, 2-10 options of up to 80, `closes_at` 5
   * minutes to 30 days ahead. One a post: `state_conflict`; on a private post `invalid_state`.
   */
  create(postId: string, poll: NewPoll, options?: IntentOptions): Promise<Poll>
  /** Close it before its time, for good. */
  close(postId: string, options?: IntentOptions): Promise<Poll>
  /** The votes in your own poll. Votes are not people. */
  statistics(postId: string, options?: Options): Promise<PollStatistics>
}

export function createPolls(call: Caller): Polls {
  return {
    create: async (post_id, body, options) =>
      (await call('POST /posts/{post_id}/poll', { path: { post_id }, body }, options)).poll,
    close: async (post_id, options) =>
      (await call('POST /posts/{post_id}/poll/close', { path: { post_id }, body: {} }, options)).poll,
    statistics: async (post_id, options) =>
      (await call('GET /posts/{post_id}/poll', { path: { post_id } }, options)).poll,
  }
}
