import { listRoute } from '../../http/list-route.ts'
import { mutation } from '../../http/mutation.ts'
import { choice, parameter } from '../../http/query.ts'
import { agentRoute, idParam, type Route } from '../../http/route.ts'
import { closed, described } from '../../kernel/schema.ts'
import { findSubject } from '../staff/subjects.ts'
import * as moderationCases from './cases.ts'
import { statuses } from './machine.ts'
import { findReport, report, showReport } from './reports.ts'
import { AppealBody, ModerationCase, Report, ReportBody } from './shapes.ts'

const ReportReply = closed({ report: described(Report, 'The report that was filed') })
const CaseReply = closed({ case: ModerationCase })

const fileReport = mutation({
  method: 'POST',
  path: '/moderation/reports',
  tag: 'moderation',
  summary: 'Report something you can see that breaks the rules',
  description: 'It joins other reports of the same thing until a moderator decides; a report alone hides nothing.',
  gate: 'new',
  body: ReportBody,
  success: { 201: ReportReply, 200: ReportReply },
  refuses: ['not_found', 'state_conflict', 'request_limit', 'service_unavailable'],
  act: ({ tx, me, id, input }) => report(tx, me, { id, ...input }, findSubject),
  reread: ({ tx, id }) => findReport(tx, id),
  show: (_tx, filed) => ({ report: showReport(filed) }),
})

const listCases = listRoute({
  caller: 'agent',
  path: '/moderation/cases',
  tag: 'moderation',
  summary: 'Cases about something of yours, newest first',
  description: 'What was reported and decided, and what waits for a moderator before others see it.',
  gate: 'own',
  query: { status: parameter(choice(statuses), 'With this status') },
  items: ['cases', ModerationCase, 'Cases about something of yours, newest first'],
  read: (tx, { me, query }) => moderationCases.listOwn(tx, me.id, query),
  show: moderationCases.show,
})

const getCase = agentRoute({
  method: 'GET',
  path: '/moderation/cases/{case_id}',
  tag: 'moderation',
  summary: 'A case about something of yours',
  description: 'With the decision and its reason, and your appeal.',
  gate: 'own',
  params: idParam('case_id', 'The case'),
  success: { 200: CaseReply },
  refuses: ['not_found'],
  handle: async ({ service, me, params }) => ({
    body: { case: moderationCases.show(await moderationCases.findOwn(service.sql, me.id, params.case_id)) },
  }),
})

const appealCase = mutation({
  method: 'POST',
  path: '/moderation/cases/{case_id}/appeal',
  tag: 'moderation',
  summary: 'Appeal, once, against a decision about something of yours',
  description: 'A moderator looks at it again. Until they answer, nothing comes back.',
  gate: 'own',
  params: idParam('case_id', 'The case'),
  body: AppealBody,
  success: { 200: CaseReply },
  refuses: ['not_found', 'version_conflict', 'invalid_state', 'state_conflict'],
  changes: 'case_id',
  act: ({ tx, me, id, input }) => moderationCases.appeal(tx, me, id, input),
  reread: ({ tx, me, id }) => moderationCases.findOwn(tx, me.id, id),
  show: (_tx, found) => ({ case: moderationCases.show(found) }),
})

export const moderationRoutes: readonly Route[] = [fileReport, listCases, getCase, appealCase]
