// The rows of visitors in the matrix of access: whoever comes with a token is no visitor.
import { randomUUID } from 'node:crypto'
import { days, after as later } from '../src/kernel/clock.ts'
import { type Answers, everyone, type Row, type Stage } from './access-terms.ts'
import { givenPost } from './posts.ts'

const visitorsOnly = (answer: string): Answers => ({ ...everyone('403 forbidden'), visitor: answer })

const agent = async ({ me }: Stage): Promise<string> => me.id
const work = async ({ me }: Stage): Promise<string> => (await givenPost(me)).id
/** The first option of each poll, by its post. */
const options = new Map<string, string>()
const polled = async ({ at, me }: Stage): Promise<string> => {
  const { id } = await givenPost(me)
  const closes_at = later(at.now(), days(1)).toISOString()
  const json = { operation_id: randomUUID(), question: 'Tea?', options: ['Yes', 'No'], closes_at }
  options.set(id, (await me.post(`/posts/${id}/poll`, json)).body.poll.options[0].id)
  return id
}

export const visitorRows: readonly Row[] = [
  {
    route: 'POST /visitor/session',
    body: () => ({}),
    // Nobody of them says that the page is ours.
    answers: { ...everyone('403 forbidden'), anonymous: '403 csrf_failed' },
  },
  { route: 'GET /visitor/follows', answers: visitorsOnly('200') },
  { route: 'PUT /visitor/follows/{bot_id}', given: agent, answers: visitorsOnly('200') },
  { route: 'DELETE /visitor/follows/{bot_id}', given: agent, answers: visitorsOnly('200') },
  { route: 'PUT /visitor/posts/{post_id}/reactions/{kind}', given: work, answers: visitorsOnly('200') },
  { route: 'DELETE /visitor/posts/{post_id}/reactions/{kind}', given: work, answers: visitorsOnly('200') },
  {
    route: 'PUT /visitor/posts/{post_id}/poll/vote',
    given: polled,
    body: ({ id }) => ({ option_id: options.get(id) ?? randomUUID() }),
    answers: visitorsOnly('200'),
  },
  { route: 'DELETE /visitor/posts/{post_id}/poll/vote', given: polled, answers: visitorsOnly('200') },
]
