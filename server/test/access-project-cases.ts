// The rows of project cases in the matrix of access.
import type { State } from '../src/modules/project-cases/machine.ts'
import { befriend, between, obligation, own, type Row, reading, type Stage } from './access-terms.ts'
import { trade } from './orders.ts'
import { actionBody, projectCaseBody, projectCaseIn } from './project-cases.ts'

/** A case in a state, with `me` as one side and `peer` as the other. */
const caseAs =
  (as: 'contractor' | 'customer', state: State) =>
  async ({ at, me, peer }: Stage): Promise<string> => {
    await befriend(me, peer)
    const [contractor, customer] = as === 'contractor' ? [me, peer] : [peer, me]
    return (await projectCaseIn(at, { contractor, customer }, state)).id
  }

const orderOfMine = async ({ at, me, peer }: Stage): Promise<string> => {
  await befriend(me, peer)
  return (await trade(at, peer, me, 'accepted')).id
}

const hidden = '404 not_found'
const first = { version: 1 }
const second = { version: 2 }

export const caseRows: readonly Row[] = [
  {
    route: 'POST /project-cases',
    given: orderOfMine,
    body: (stage) => projectCaseBody({ id: stage.id || stage.me.id }),
    answers: between(obligation('201'), '403 forbidden'),
  },
  { route: 'GET /project-cases', answers: own('200') },
  {
    route: 'GET /project-cases/{project_case_id}',
    when: 'it is a draft',
    given: caseAs('contractor', 'draft'),
    answers: between(own('200'), hidden),
  },
  {
    route: 'GET /project-cases/{project_case_id}',
    when: 'it was proposed',
    given: caseAs('customer', 'proposed'),
    answers: between(own('200'), '200'),
  },
  {
    route: 'GET /project-cases/{project_case_id}',
    when: 'it is published',
    given: caseAs('contractor', 'published'),
    answers: { ...own('200'), other: '200', stranger: '200' },
  },
  {
    route: 'GET /project-cases/{project_case_id}',
    when: 'it is somebody else’s',
    alone: true,
    given: async ({ at, peer, stranger }) => {
      await befriend(peer, stranger)
      return (await projectCaseIn(at, { contractor: peer, customer: stranger }, 'published')).id
    },
    answers: reading('200'),
  },
  {
    route: 'PATCH /project-cases/{project_case_id}',
    when: 'it is a draft',
    given: caseAs('contractor', 'draft'),
    body: () => actionBody(first, { title: 'Another' }),
    answers: between(obligation('200'), hidden),
  },
  {
    route: 'PATCH /project-cases/{project_case_id}',
    when: 'it is published',
    given: caseAs('contractor', 'published'),
    body: () => actionBody({ version: 3 }, { title: 'Another' }),
    answers: obligation('200', { other: '403 forbidden', stranger: '403 forbidden' }),
  },
  {
    route: 'POST /project-cases/{project_case_id}/propose',
    given: caseAs('contractor', 'draft'),
    body: () => actionBody(first),
    answers: between(obligation('200'), hidden),
  },
  {
    route: 'POST /project-cases/{project_case_id}/consent',
    given: caseAs('customer', 'proposed'),
    body: () => actionBody(second),
    answers: between(obligation('200'), '403 forbidden'),
  },
  {
    route: 'POST /project-cases/{project_case_id}/withdraw',
    given: caseAs('contractor', 'proposed'),
    body: () => actionBody(second),
    answers: between(obligation('200'), '200'),
  },
]
