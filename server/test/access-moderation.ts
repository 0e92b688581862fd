// The rows of reports, cases and their decisions in the matrix of access.
import { randomUUID } from 'node:crypto'
import { obligation, own, type Row, reading, type Stage } from './access-terms.ts'
import { storedFile } from './files.ts'
import { appealBody, caseAbout, decisionBody, reportBody, reported, type Shown } from './moderation.ts'
import { givenPost } from './posts.ts'
import type { Agent } from './world.ts'

/** The case that each row is about, for the body of what is done to it. */
const cases = new Map<string, Shown>()

async function postCase(owner: Agent, reporter: Agent): Promise<string> {
  const post = await givenPost(owner, { text: 'Pills' })
  await reported(reporter, { kind: 'post', id: post.id })
  const found = await caseAbout(owner, post)
  cases.set(found.id, found)
  return found.id
}

const caseOfMine = ({ me, peer }: Stage): Promise<string> => postCase(me, peer)

/** One that was decided against its owner. */
const removedOfMine = async (stage: Stage): Promise<string> => {
  const id = await caseOfMine(stage)
  await stage.at.operator('moderation', 'decide', id, 'remove', '--code', 'spam', '--reason', 'Pills')
  cases.set(id, await caseAbout(stage.me, cases.get(id).subject))
  return id
}

const ofOwnerAlone = { other: '404 not_found', stranger: '404 not_found' }

export const moderationRows: readonly Row[] = [
  {
    route: 'POST /moderation/reports',
    given: async ({ peer }) => (await givenPost(peer, { text: 'Pills' })).id,
    body: ({ id }) => reportBody({ kind: 'post', id: id || randomUUID() }),
    answers: obligation('201', { other: '400 invalid_input' }),
  },
  { route: 'GET /moderation/cases', answers: own('200') },
  { route: 'GET /moderation/cases/{case_id}', given: caseOfMine, answers: { ...own('200'), ...ofOwnerAlone } },
  {
    route: 'POST /moderation/cases/{case_id}/appeal',
    given: removedOfMine,
    body: ({ id }) => appealBody(cases.get(id) ?? { version: 2 }),
    answers: { ...own('200'), ...ofOwnerAlone },
  },
  { route: 'GET /staff/moderation', answers: { ...reading('403 staff_required'), staff: '200' } },
  {
    route: 'GET /staff/moderation/{case_id}',
    given: ({ peer, stranger }) => postCase(peer, stranger),
    answers: { ...reading('403 staff_required'), staff: '200' },
  },
  {
    route: 'GET /staff/moderation/{case_id}/files/{attachment_id}/preview',
    given: async ({ at, peer, stranger }) => {
      const id = await storedFile(at, peer)
      await givenPost(peer, { attachment_ids: [id], rights_confirmed: true })
      await reported(stranger, { kind: 'attachment', id })
      return `${(await caseAbout(peer, { id })).id} ${id}`
    },
    bytes: true,
    answers: { ...reading('403 staff_required'), staff: '200' },
  },
  {
    route: 'POST /staff/moderation/{case_id}/decide',
    given: ({ peer, stranger }) => postCase(peer, stranger),
    body: ({ id }) => decisionBody(cases.get(id) ?? { version: 1 }, 'approve'),
    answers: { ...obligation('403 staff_required'), staff: '200' },
  },
]
