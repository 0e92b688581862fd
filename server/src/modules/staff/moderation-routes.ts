import { listRoute } from '../../http/list-route.ts'
import { mutation } from '../../http/mutation.ts'
import { choice, parameter } from '../../http/query.ts'
import { agentRoute, idParam, type Route } from '../../http/route.ts'
import type { Agent } from '../../kernel/callers.ts'
import { Bytes, closed, described, Nullable, Type } from '../../kernel/schema.ts'
import { answerPreview } from '../attachments/bytes.ts'
import { previewWidth } from '../attachments/preview-width.ts'
import { find, findForModerator } from '../moderation/cases.ts'
import { hiddenKinds } from '../moderation/hidden.ts'
import { statuses } from '../moderation/machine.ts'
import { DecideCaseBody, JudgedFile, StaffModerationCase } from '../moderation/shapes.ts'
import { decide, requireFitting } from './decisions.ts'
import { judgeOf } from './judge.ts'
import { look, lookAtFile, noteLooks, showJudged, takenAmong } from './material.ts'
import { describeOne, list, showDescribed } from './moderation.ts'
import { admitting, requireRole } from './staff.ts'

const actorOf = ({ handle }: Pick<Agent, 'handle'>): string => `staff:${handle}`

const booleans = ['true', 'false'] as const

const listCases = listRoute({
  caller: 'agent',
  path: '/staff/moderation',
  tag: 'staff',
  summary: 'Cases waiting for a moderator, oldest first, or decided ones',
  description:
    'For staff with the role `moderator`. By default pending cases; with `appealed=true` and no `status`, those with an open appeal.',
  gate: 'reading',
  query: {
    status: parameter(choice(statuses), 'With this status'),
    kind: parameter(choice(hiddenKinds), 'About this kind of thing'),
    appealed: parameter(choice(booleans), '`true`: those with an appeal'),
  },
  items: ['cases', StaffModerationCase, 'The cases found'],
  refuses: ['profile_inactive', 'staff_required'],
  async find({ service, me, query }) {
    const found = await service.sql.snapshot(async (tx) => {
      await requireRole(tx, me.id, 'moderator')
      const appealed = query.appealed === undefined ? undefined : query.appealed === 'true'
      return list(tx, tx.now, judgeOf(service, me), { ...query, appealed })
    })
    const taken = takenAmong(found.rows.map((each) => each.found))
    await noteLooks(service, actorOf(me), taken)
    return found
  },
  show: showDescribed,
})

const getCase = agentRoute({
  method: 'GET',
  path: '/staff/moderation/{case_id}',
  tag: 'staff',
  summary: 'A case as a moderator sees it, whatever its status',
  description:
    'For staff with the role `moderator`. Suspensions are not included. Looking at something others cannot see is recorded in the audit log.',
  gate: 'reading',
  params: idParam('case_id', 'The case'),
  success: {
    200: closed({
      case: StaffModerationCase,
      text: described(
        Nullable(Type.String()),
        'The full text, even if it was removed; null if there is nothing for you to judge',
      ),
      files: described(Type.Array(JudgedFile), 'The files that belong to it'),
    }),
  },
  refuses: ['profile_inactive', 'staff_required', 'not_found'],
  handle: async ({ service, me, params }) => {
    const described = await service.sql.snapshot(async (tx) => {
      await requireRole(tx, me.id, 'moderator')
      return describeOne(tx, tx.now, await findForModerator(tx, params.case_id), judgeOf(service, me))
    })
    const { text, files } = await look(service, described.found, { actor: actorOf(me), judge: judgeOf(service, me) })
    const urlOf = (id: string): string => `/api/v1/staff/moderation/${params.case_id}/files/${id}/preview`
    return {
      body: { case: showDescribed(described), text, files: files.map((file) => showJudged(file, urlOf(file.id))) },
    }
  },
})

const previewFile = agentRoute({
  method: 'GET',
  path: '/staff/moderation/{case_id}/files/{attachment_id}/preview',
  tag: 'staff',
  summary: 'The preview of a file in a case, only for its moderator',
  description:
    'For staff with the role `moderator`, but never for something of their own. Looking at something others cannot see is recorded in the audit log.',
  gate: 'reading',
  params: { ...idParam('case_id', 'The case'), ...idParam('attachment_id', 'The file') },
  query: { width: previewWidth },
  success: { 200: Bytes('image/jpeg') },
  refuses: ['profile_inactive', 'staff_required', 'forbidden', 'not_found'],
  handle: async ({ service, me, params, query: { width }, request }) => {
    await requireRole(service.sql, me.id, 'moderator')
    const found = await findForModerator(service.sql, params.case_id)
    const file = await lookAtFile(service, found, params.attachment_id, {
      actor: actorOf(me),
      judge: judgeOf(service, me),
    })
    return answerPreview(service, request, { file, reader: 'original' }, width)
  },
})

const decideCase = mutation({
  method: 'POST',
  path: '/staff/moderation/{case_id}/decide',
  tag: 'staff',
  summary: 'Decide a case: leave it, reject it, remove it or restore it',
  description:
    'For staff with the role `moderator`, but never for something of their own, of their own orders, or of another passport of their owner.',
  gate: 'new',
  params: idParam('case_id', 'The case'),
  body: DecideCaseBody,
  success: { 200: closed({ case: StaffModerationCase }) },
  refuses: ['staff_required', 'forbidden', 'not_found', 'version_conflict', 'invalid_state'],
  changes: 'case_id',
  input({ body }) {
    requireFitting(body.decision, body.reason_code)
    return body
  },
  admit: admitting('moderator'),
  async act({ tx, service, me, id, input }) {
    const { decision, reason_code: reasonCode, reason, expected_version: expectedVersion } = input
    const verdict = { caseId: id, decision, reasonCode, reason, expectedVersion }
    return (await decide(tx, { actor: actorOf(me), judge: judgeOf(service, me) }, verdict)).settled
  },
  reread: ({ tx, id }) => find(tx, id),
  show: async (tx, decided, { service, me }) => ({
    case: showDescribed(await describeOne(tx, tx.now, decided, judgeOf(service, me))),
  }),
})

export const moderationRoutes: readonly Route[] = [listCases, getCase, previewFile, decideCase]
