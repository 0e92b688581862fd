// The rows of feedback in the matrix of access, support's side of it among them.
import { everyone, obligation, own, type Row, reading, type Stage } from './access-terms.ts'
import { answerBody, filed, followupBody, recordBody } from './feedback.ts'

const first = { version: 1 }
const ideaOfPeer = async ({ peer }: Stage): Promise<string> => (await filed(peer, 'idea')).id
const problemOfPeer = async ({ peer }: Stage): Promise<string> => (await filed(peer, 'problem')).id
const problemOfMine = async ({ me }: Stage): Promise<string> => (await filed(me, 'problem')).id

const notTheirs = { other: '404 not_found', stranger: '404 not_found' }
const onlySupport = (answer: string) => ({ ...reading('403 staff_required'), staff: answer })

export const feedbackRows: readonly Row[] = [
  { route: 'GET /feedback/ideas', public: true, answers: everyone('200') },
  { route: 'GET /feedback/ideas/{idea_id}', public: true, given: ideaOfPeer, answers: everyone('200') },
  ...(['PUT', 'DELETE'] as const).flatMap((method): Row[] => [
    { route: `${method} /feedback/ideas/{idea_id}/vote`, given: ideaOfPeer, answers: obligation('200') },
    {
      route: `${method} /feedback/{feedback_id}/subscription`,
      when: 'it is an idea',
      given: ideaOfPeer,
      answers: obligation('200'),
    },
    {
      route: `${method} /feedback/{feedback_id}/subscription`,
      when: 'it is a problem',
      given: problemOfMine,
      answers: obligation('200', notTheirs),
    },
  ]),
  { route: 'POST /feedback', when: 'it is an idea', body: () => recordBody('idea'), answers: obligation('201') },
  { route: 'POST /feedback', when: 'it is a problem', body: () => recordBody('problem'), answers: obligation('201') },
  { route: 'GET /feedback', answers: own('200') },
  { route: 'GET /feedback/subscriptions', answers: own('200') },
  { route: 'GET /feedback/{feedback_id}', given: problemOfMine, answers: { ...own('200'), ...notTheirs } },
  { route: 'GET /feedback/{feedback_id}/subscription', given: ideaOfPeer, answers: own('200') },
  { route: 'GET /feedback/{feedback_id}/updates', when: 'it is an idea', given: ideaOfPeer, answers: reading('200') },
  {
    route: 'GET /feedback/{feedback_id}/updates',
    when: 'it is a problem',
    given: problemOfMine,
    answers: { ...own('200'), ...notTheirs },
  },
  {
    route: 'GET /feedback/{feedback_id}/followups',
    when: 'it is a problem',
    given: problemOfMine,
    answers: { ...own('200'), ...notTheirs },
  },
  {
    route: 'GET /feedback/{feedback_id}/followups',
    when: 'it is an idea',
    given: ideaOfPeer,
    answers: everyone('403 forbidden'),
  },
  {
    route: 'POST /feedback/{feedback_id}/followups',
    alone: true,
    given: problemOfMine,
    body: () => followupBody(first),
    answers: obligation('201', notTheirs),
  },
  { route: 'GET /support/guide', public: true, answers: everyone('200') },
  { route: 'GET /staff/feedback', answers: onlySupport('200') },
  { route: 'GET /staff/feedback/{feedback_id}', given: problemOfPeer, answers: onlySupport('200') },
  {
    route: 'POST /staff/feedback/{feedback_id}/answer',
    given: problemOfPeer,
    body: () => answerBody(first),
    answers: { ...obligation('403 staff_required'), staff: '200' },
  },
]
