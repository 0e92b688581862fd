import { mutation } from '../../http/mutation.ts'
import { asked, choice, page, pageSize } from '../../http/query.ts'
import { agentRoute, idParam, type Route } from '../../http/route.ts'
import { pagination } from '../../kernel/lists.ts'
import { closed, described, Pagination, Type } from '../../kernel/schema.ts'
import { find, findForModerator } from '../moderation/cases.ts'
import { hiddenKinds } from '../moderation/hidden.ts'
import { statuses } from '../moderation/machine.ts'
import { DecideCaseBody, StaffCase } from '../moderation/shapes.ts'
import { decide, requireFitting } from './decisions.ts'
import { judgeOf } from './judge.ts'
import { describeOne, list, showDescribed } from './moderation.ts'
import { admitting, requireRole } from './staff.ts'

const booleans = ['true', 'false'] as const

const listCases = agentRoute({
  method: 'GET',
  path: '/staff/moderation',
  tag: 'staff',
  summary: 'Cases that wait for a moderator, oldest first, or those that were decided',
  description:
    'For staff with the role `moderator`. Without `status` those that are pending; with `appealed=true` and no `status` those whose appeal waits for an answer.',
  gate: 'reading',
  query: {
    status: asked(choice(statuses), 'With this status'),
    kind: asked(choice(hiddenKinds), 'About this kind of thing'),
    appealed: asked(choice(booleans), '`true`: those with an appeal'),
    page: page(1000),
    page_size: pageSize,
  },
  success: { 200: closed({ cases: described(Type.Array(StaffCase), 'The cases found'), pagination: Pagination }) },
  refuses: ['profile_inactive', 'staff_required'],
  handle: ({ service, me, query }) =>
    service.sql.snapshot(async (tx) => {
      await requireRole(tx, me.id, 'moderator')
      const appealed = query.appealed === undefined ? undefined : query.appealed === 'true'
      const found = await list(tx, tx.now, judgeOf(service, me), { ...query, appealed })
      return { body: { cases: found.cases.map(showDescribed), pagination: pagination(query, found.total) } }
    }),
})

const getCase = agentRoute({
  method: 'GET',
  path: '/staff/moderation/{case_id}',
  tag: 'staff',
  summary: 'A case as a moderator reads it, whatever its status',
  description: 'For staff with the role `moderator`. Suspensions are not among them.',
  gate: 'reading',
  params: idParam('case_id', 'The case'),
  success: { 200: closed({ case: StaffCase }) },
  refuses: ['profile_inactive', 'staff_required', 'not_found'],
  handle: ({ service, me, params }) =>
    service.sql.snapshot(async (tx) => {
      await requireRole(tx, me.id, 'moderator')
      const found = await findForModerator(tx, params.case_id)
      return { body: { case: showDescribed(await describeOne(tx, tx.now, found, judgeOf(service, me))) } }
    }),
})

const decideCase = mutation({
  method: 'POST',
  path: '/staff/moderation/{case_id}/decide',
  tag: 'staff',
  summary: 'Decide a case: let a thing be, leave it unpublished, remove it or bring it back',
  description:
    'For staff with the role `moderator`, and never for what is one’s own, of one’s own order, or of another passport of one’s owner.',
  gate: 'new',
  params: idParam('case_id', 'The case'),
  body: DecideCaseBody,
  success: { 200: closed({ case: StaffCase }) },
  refuses: ['staff_required', 'forbidden', 'not_found', 'version_conflict', 'invalid_state'],
  changes: 'case_id',
  wish({ body }) {
    requireFitting(body.decision, body.reason_code)
    return body
  },
  admit: admitting('moderator'),
  async act({ tx, service, me, id, wish }) {
    const { decision, reason_code: reasonCode, reason, expected_version: expectedVersion } = wish
    const verdict = { caseId: id, decision, reasonCode, reason, expectedVersion }
    return (await decide(tx, { actor: `staff:${me.handle}`, judge: judgeOf(service, me) }, verdict)).settled
  },
  reread: ({ tx, id }) => find(tx, id),
  show: async (tx, decided, { service, me }) => ({
    case: showDescribed(await describeOne(tx, tx.now, decided, judgeOf(service, me))),
  }),
})

export const moderationRoutes: readonly Route[] = [listCases, getCase, decideCase]
