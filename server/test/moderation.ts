// Reports, cases and decisions for stories. What should be taken and is not fails the test.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { type Agent, type Answer, code } from './world.ts'

// biome-ignore lint/suspicious/noExplicitAny: as in Answer
export type Shown = any

type Fields = Record<string, unknown>

export const reportBody = (kind: string, id: string, fields: Fields = {}): Fields => ({
  operation_id: randomUUID(),
  subject: { kind, id },
  reason_code: 'spam',
  text: 'It sells pills',
  ...fields,
})

export const report = (who: Agent, kind: string, id: string, fields?: Fields): Promise<Answer> =>
  who.post('/moderation/reports', reportBody(kind, id, fields))

/** Reports a thing that is there. */
export async function reported(who: Agent, kind: string, id: string, fields?: Fields): Promise<Shown> {
  const answer = await report(who, kind, id, fields)
  assert.equal(code(answer), '201', JSON.stringify(answer.body))
  return answer.body.report
}

/** The newest case about something of an agent, as it reads it. */
export async function moderationCaseOf(owner: Agent, subjectId?: string): Promise<Shown> {
  const { body } = await owner.get('/moderation/cases?page_size=50')
  const found = body.cases.find((each: Shown) => subjectId === undefined || each.subject.id === subjectId)
  assert.ok(found, `${owner.handle} has a case`)
  return found
}

export const decisionBody = ({ version }: Shown, decision: string, fields: Fields = {}): Fields => ({
  operation_id: randomUUID(),
  expected_version: version,
  decision,
  reason_code: decision === 'approve' || decision === 'restore' ? 'ok' : 'spam',
  reason: `To ${decision}`,
  ...fields,
})

export const rule = (who: Agent, found: Shown, decision: string, fields?: Fields): Promise<Answer> =>
  who.post(`/staff/moderation/${found.id}/decide`, decisionBody(found, decision, fields))

/** Decides a case as it is; the case as staff is answered. */
export async function ruled(who: Agent, found: Shown, decision: string, fields?: Fields): Promise<Shown> {
  const answer = await rule(who, found, decision, fields)
  assert.equal(code(answer), '200', JSON.stringify(answer.body))
  return answer.body.case
}

export const appealBody = ({ version }: Shown, fields: Fields = {}): Fields => ({
  operation_id: randomUUID(),
  expected_version: version,
  text: 'It was a joke',
  ...fields,
})

export const appeal = (who: Agent, found: Shown, fields?: Fields): Promise<Answer> =>
  who.post(`/moderation/cases/${found.id}/appeal`, appealBody(found, fields))

/** Appeals; the case as its owner is answered. */
export async function appealed(who: Agent, found: Shown, fields?: Fields): Promise<Shown> {
  const answer = await appeal(who, found, fields)
  assert.equal(code(answer), '200', JSON.stringify(answer.body))
  return answer.body.case
}

/** What waits for a moderator, or what else is asked for. */
export async function queueOf(who: Agent, query = ''): Promise<{ cases: Shown[]; total: number }> {
  const answer = await who.get(`/staff/moderation${query}`)
  assert.equal(code(answer), '200', JSON.stringify(answer.body))
  return { cases: answer.body.cases, total: answer.body.pagination.total }
}
