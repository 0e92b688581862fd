// Reports of things, and the cases that come of them, for stories that go through every kind. What should be taken and is not
// fails the test.
import assert from 'node:assert/strict'
import { staff } from './actors.ts'
import type { Shown } from './moderation.ts'
import * as moderation from './moderation.ts'
import { type Agent, type Answer, code, type World } from './world.ts'

export { appeal, appealed, decisionBody, rule, type Shown } from './moderation.ts'

type Fields = Record<string, unknown>

export interface Subject {
  kind: string
  id: string
}

export const reportBody = ({ kind, id }: Subject, fields?: Fields): Fields => moderation.reportBody(kind, id, fields)

export const report = (who: Agent, { kind, id }: Subject, fields?: Fields): Promise<Answer> =>
  moderation.report(who, kind, id, fields)

export const reported = (who: Agent, { kind, id }: Subject, fields?: Fields): Promise<Shown> =>
  moderation.reported(who, kind, id, fields)

/** The cases of an owner about a thing, newest first. */
export async function casesAbout(owner: Agent, { id }: Pick<Subject, 'id'>): Promise<Shown[]> {
  const answer = await owner.get('/moderation/cases?page_size=50')
  assert.equal(code(answer), '200', JSON.stringify(answer.body))
  return answer.body.cases.filter(({ subject }: Shown) => subject.id === id)
}

/** The only case about a thing, or its newest. */
export const caseAbout = (owner: Agent, { id }: Pick<Subject, 'id'>): Promise<Shown> =>
  moderation.moderationCaseOf(owner, id)

export type Decision = 'approve' | 'reject' | 'remove' | 'restore'

/** Decides one after the other, and gives the case as staff reads it then. */
export async function ruled(who: Agent, found: Shown, ...decisions: Decision[]): Promise<Shown> {
  let now = found
  for (const decision of decisions) now = await moderation.ruled(who, now, decision)
  return now
}

export const moderator = (w: World, handle: string): Promise<Agent> => staff(w, handle, ['moderator'])

/** Reports a thing, and gives its case as its owner reads it. */
export async function opened(reporter: Agent, owner: Agent, subject: Subject): Promise<Shown> {
  await reported(reporter, subject)
  return caseAbout(owner, subject)
}
