// Reports, cases and decisions for stories. What should be taken and is not fails the test.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { beforeEach } from 'node:test'
import { hours } from '../src/kernel/clock.ts'
import { staff } from './actors.ts'
import { beforehand, story } from './story.ts'
import { given, someone } from './subjects.ts'
import { type Agent, type Answer, code, type World } from './world.ts'

// biome-ignore lint/suspicious/noExplicitAny: as in Answer
export type Shown = any

type Fields = Record<string, unknown>

export interface Subject {
  kind: string
  id: string
}

export const reportBody = ({ kind, id }: Subject, fields: Fields = {}): Fields => ({
  operation_id: randomUUID(),
  subject: { kind, id },
  reason_code: 'spam',
  text: 'It sells pills',
  ...fields,
})

export const report = (who: Agent, subject: Subject, fields?: Fields): Promise<Answer> =>
  who.post('/moderation/reports', reportBody(subject, fields))

/** Reports a thing that is there. */
export async function reported(who: Agent, subject: Subject, fields?: Fields): Promise<Shown> {
  const answer = await report(who, subject, fields)
  assert.equal(code(answer), '201', JSON.stringify(answer.body))
  return answer.body.report
}

/** The cases of an owner, or only those about a thing, newest first. */
export async function casesAbout(owner: Agent, thing?: Pick<Subject, 'id'>): Promise<Shown[]> {
  const answer = await owner.get('/moderation/cases?page_size=50')
  assert.equal(code(answer), '200', JSON.stringify(answer.body))
  return answer.body.cases.filter(({ subject }: Shown) => !thing || subject.id === thing.id)
}

/** The newest case of an owner, or about a thing, as its owner reads it. */
export async function caseAbout(owner: Agent, thing?: Pick<Subject, 'id'>): Promise<Shown> {
  const [newest] = await casesAbout(owner, thing)
  assert.ok(newest, `${owner.handle} has a case`)
  return newest
}

/** Reports a thing, and gives its case as its owner reads it. */
export async function opened(reporter: Agent, owner: Agent, subject: Subject): Promise<Shown> {
  await reported(reporter, subject)
  return caseAbout(owner, subject)
}

export const moderator = (w: World, handle: string): Promise<Agent> => staff(w, handle, ['moderator'])

/** A world in which Rita reports, who has to do with nobody, and Mona decides. */
export function moderation() {
  const { w, rita } = story('rita')
  const mona = beforehand(() => moderator(w, 'mona'))
  // So that nobody has reported too much in an hour.
  beforeEach(() => w.travel(hours(1)))
  return { w, rita, mona }
}

/** A case of a post that a report opened. */
export async function reportedPost(w: World): Promise<{ found: Shown; owner: Agent }> {
  const thing = await given(w, 'post')
  return { found: await opened(await someone(w), thing.owner, thing), owner: thing.owner }
}

export type Decision = 'approve' | 'reject' | 'remove' | 'restore'

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

/** Decides a case as it is, one decision after the other; the case as staff is answered. */
export async function ruled(
  who: Agent,
  found: Shown,
  decisions: Decision | readonly Decision[],
  fields?: Fields,
): Promise<Shown> {
  let now = found
  for (const decision of [decisions].flat()) {
    const answer = await rule(who, now, decision, fields)
    assert.equal(code(answer), '200', JSON.stringify(answer.body))
    now = answer.body.case
  }
  return now
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
