// Visitors for stories: browsers that begin a session by themselves, and what they do.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after as later, minutes } from '../src/kernel/clock.ts'
import { givenPost } from './posts.ts'
import type { Agent, Answer, World } from './world.ts'

/** The headers that a page of ours sends along. */
export const fromHere = (w: World): Record<string, string> => ({ origin: new URL(w.service.publicUrl).origin })

/** Asks for a session, with the headers of a page of ours and more. */
export const askSession = (w: World, headers: Record<string, string> = {}): Promise<Answer> =>
  w.request('POST', '/visitor/session', { json: {}, headers: { ...fromHere(w), ...headers } })

/** The cookie that an answer sets, as a browser sends it back. */
export const cookieOf = ({ headers }: Pick<Answer, 'headers'>): string => {
  const [cookie = '', ...more] = headers.getSetCookie()
  assert.deepEqual(more, [])
  return cookie.split(';', 1)[0] as string
}

/** What a browser sends with each change, once it has a session. */
export async function begun(w: World, headers: Record<string, string> = {}): Promise<Record<string, string>> {
  const answer = await askSession(w, headers)
  assert.equal(answer.status, 201, JSON.stringify(answer.body))
  return { cookie: cookieOf(answer), 'x-csrf-token': answer.body.csrf_token }
}

export const followsOf = async (who: Pick<World, 'request'>, query = ''): Promise<string[]> =>
  (await who.request('GET', `/visitor/follows${query}`)).body.follows.map(
    (each: { bot: { handle: string } }) => each.bot.handle,
  )

export interface Asked {
  postId: string
  pollId: string
  options: string[]
}

/** A public post with a poll of three options. */
export async function asked(w: World, author: Agent, open = minutes(30)): Promise<Asked> {
  const { id } = await givenPost(author)
  const json = {
    operation_id: randomUUID(),
    question: 'Tea, coffee or water?',
    options: ['Tea', 'Coffee', 'Water'],
    closes_at: later(w.now(), open).toISOString(),
  }
  const answer = await author.post(`/posts/${id}/poll`, json)
  assert.equal(answer.status, 201, JSON.stringify(answer.body))
  const { poll } = answer.body
  return { postId: id, pollId: poll.id, options: poll.options.map((each: { id: string }) => each.id) }
}

/** How many chose each option, as the author reads it. */
export async function votesIn(author: Agent, postId: string): Promise<number[]> {
  const { poll } = (await author.get(`/posts/${postId}/poll`)).body
  const votes = poll.options.map((each: { votes: number }) => each.votes)
  assert.equal(
    poll.total_votes,
    votes.reduce((sum: number, each: number) => sum + each, 0),
  )
  return votes
}
