// Cases, as their owners and the moderator read them: every decision and appeal is in its case at the version that it was asked
// on, and every report is counted in one.
import { forEach } from './for-each.ts'
import { type Kind, type Subject, versionKey, type Write } from './ledger.ts'
import { appealable, type CaseStatus, type Decision, decisions, mostInAWorld, subjectKey } from './oversight.ts'
import type { Random } from './random.ts'
import { read, readNumbered } from './reading.ts'
import { ensure } from './violation.ts'
import { isOfWorld } from './worker.ts'
import type { World } from './world.ts'

/** A case as its owner reads it, with what each version of it told. */
interface ToldCase {
  id: string
  owner: string
  subject: Subject
  /** What its owner was told, by version; an appeal tells nobody. */
  told: ReadonlyMap<number, CaseStatus>
  /** What was decided, in this order. */
  decided: readonly Decision[]
  /** When the first decision was sent; infinite while it waits. */
  judgedAt: number
}

/** What moderation has come to in a world. */
export interface Judged {
  cases: readonly ToldCase[]
  /** Whether a case says of a thing that it is removed. */
  isRemoved(subject: Subject): boolean
  /** Whether a case has ever said so. */
  wasRemoved(subject: Subject): boolean
  /**
   * Of what waits for its case before it is shown: what was said of it, each time that its publication came or went with it. A
   * removal of what was approved takes it from sight and unsays nothing.
   */
  wordsOn(subject: Subject): ('approved' | 'rejected')[]
}

interface Case {
  id: string
  subject: Subject
  status: CaseStatus
  reason_code: string | null
  reason: string | null
  version: number
  appeal: { text: string } | null
  decided_at: string | null
}

const acknowledgedOf = ({ ledger }: World, ...kinds: Kind[]): Write[] =>
  ledger.writes.filter(({ kind, state }) => state === 'acknowledged' && kinds.includes(kind))

/** Reads every case of a world, and holds it against the writes. */
export async function checkCases(world: World, random: Random): Promise<Judged> {
  const cases: ToldCase[] = []
  const acts = Map.groupBy(acknowledgedOf(world, 'verdict', 'appeal'), ({ on }) => on?.[0]?.id)
  await forEach(world.agents, async (agent) => {
    const found: Case[] = await readNumbered(world, random, agent, '/moderation/cases', 'cases')
    for (const each of found) cases.push(storyOf(world, agent.id, each, acts.get(each.id) ?? []))
    const wrong = [...acts].filter(([id, [act]]) => act?.kind === 'appeal' && act.by.id === agent.id && !has(found, id))
    ensure(wrong.length === 0, 'an appealed case is not its owner’s', agent.handle, ...wrong)
  })
  const listed: Listed[] = []
  await forEach(statuses, async (status) => void listed.push(...(await readLatest(world, random, status))))
  // Of a person's review the moderator alone reads a case.
  for (const each of listed.filter(({ owner }) => world.people.known.has(owner.id))) {
    cases.push(storyOf(world, each.owner.id, each, acts.get(each.id) ?? []))
  }
  const lost = [...acts].filter(([id]) => !has(cases, id))
  ensure(lost.length === 0, 'a decided case is nobody’s', ...lost)
  const bySubject = Map.groupBy(cases, ({ subject }) => subjectKey(subject))
  for (const [subject, all] of bySubject) {
    const pending = all.filter((each) => statusOf(each) === 'pending')
    ensure(pending.length <= 1, 'a thing has two pending cases', subject, ...pending)
    // The next one opens after the first decision on the last. Their ids do not say so where the clocks of nodes differ.
    all.sort((one, two) => one.judgedAt - two.judgedAt)
  }
  checkOpenings(world, bySubject)
  checkReports(world, listed, bySubject)
  const casesOf = (subject: Subject): readonly ToldCase[] => bySubject.get(subjectKey(subject)) ?? []
  return {
    cases,
    isRemoved: (subject) => casesOf(subject).some((each) => statusOf(each) === 'removed'),
    wasRemoved: (subject) => casesOf(subject).some(({ told }) => [...told.values()].includes('removed')),
    wordsOn: (subject) => wordsOf(casesOf(subject)[0]),
  }
}

const statusOf = ({ told }: ToldCase): CaseStatus => [...told.values()].at(-1) as CaseStatus

const has = (cases: readonly { id: string }[], id: string | undefined): boolean => cases.some((each) => each.id === id)

/** Follows a case from version to version, each made by an acknowledged decision or appeal, and no other. */
function storyOf(world: World, owner: string, found: Case, acts: readonly Write[]): ToldCase {
  const { id, subject, version } = found
  const told = new Map<number, CaseStatus>([[1, 'pending']])
  const decided: Decision[] = []
  let status: CaseStatus = 'pending'
  let [appealed, last]: [Write | undefined, Write | undefined] = [undefined, undefined]
  let isAnswered = false
  let judgedAt = Number.POSITIVE_INFINITY
  for (let at = 2; at <= version; at++) {
    const write = world.ledger.byVersion.get(versionKey(id, at))
    ensure(write !== undefined, 'a case has a version that nobody was told of', found, ...acts)
    if (write.kind === 'appeal') {
      const isAllowed = appealed === undefined && appealable.includes(status) && write.by.id === owner
      ensure(isAllowed, 'an appeal that the contract does not allow', found, write)
      appealed = write
      continue
    }
    judgedAt = Math.min(judgedAt, write.attempts[0]?.sent ?? Number.NaN)
    const decision = write.action as Decision
    const { from, to, confirms } = decisions[decision]
    const isConfirmed = confirms === true && status === to && appealed !== undefined && !isAnswered
    const isAllowed = from.includes(status) || isConfirmed
    ensure(isAllowed, 'a decision that the contract does not allow', status, found, write)
    if (appealed) isAnswered = true
    if (!isConfirmed) decided.push(decision)
    ;[status, last] = [to, write]
    told.set(at, status)
  }
  ensure(acts.length === version - 1, 'an acknowledged decision or appeal is not in its case', found, ...acts)
  const seen = [found.status, found.reason, found.appeal?.text, found.decided_at === null]
  const wanted = [status, last?.body?.['reason'] ?? null, appealed?.body?.['text'], last === undefined]
  ensure(seen.join() === wanted.join(), 'a case is not what its decisions make it', { seen, wanted }, found)
  if (last) ensure(found.reason_code === last.body?.['reason_code'], 'a case has another code', found, last)
  return { id, owner, subject, told, decided, judgedAt }
}

/** What the first case of a thing said of its publication. */
function wordsOf(first: ToldCase | undefined): ('approved' | 'rejected')[] {
  const words: ('approved' | 'rejected')[] = []
  for (const decision of first?.decided ?? []) {
    const isFirst = words.length === 0
    if (isFirst) words.push(decision === 'approve' ? 'approved' : 'rejected')
    else if (decision === 'restore' && words.at(-1) === 'rejected') words.push('approved')
  }
  return words
}

/** Nothing opens a case but a report, a review with a text, and the second consent to a work. */
function checkOpenings(world: World, bySubject: ReadonlyMap<string, readonly ToldCase[]>): void {
  const reported = new Set(acknowledgedOf(world, 'complaint').map(({ subject }) => subjectKey(subject as Subject)))
  const texts = acknowledgedOf(world, 'review').filter(({ body }) => body?.['text'] !== undefined)
  const consents = Map.groupBy(acknowledgedOf(world, 'consent'), ({ work }) => work as string)
  const works = [...consents].filter(([, both]) => both.length === 2).map(([work]) => ({ kind: 'service', id: work }))
  const waiting = [...texts.map(({ made }) => ({ kind: 'review', id: made as string })), ...works] as Subject[]
  for (const subject of waiting) {
    ensure(bySubject.has(subjectKey(subject)), 'something waits to be shown, and has no case', subject)
  }
  const due = new Set([...reported, ...waiting.map(subjectKey)])
  for (const [subject, [first]] of bySubject) {
    ensure(due.has(subject), 'a case of what nobody has reported', first)
  }
  for (const subject of due) ensure(bySubject.has(subject), 'an acknowledged report has no case', subject)
}

const statuses: readonly CaseStatus[] = ['pending', 'approved', 'rejected', 'removed', 'restored']

/** The moderator has each case in the list of its status, and the reports on a thing are those of its cases. */
function checkReports(
  world: World,
  listed: readonly Listed[],
  bySubject: ReadonlyMap<string, readonly ToldCase[]>,
): void {
  const known = new Map([...bySubject.values()].flat().map((each) => [each.id, each]))
  const counts = new Map<string, number>()
  const said = new Set(acknowledgedOf(world, 'complaint').map(({ body }) => body?.['text'] as string))
  for (const each of listed) {
    const told = known.get(each.id)
    const isTold = told !== undefined && statusOf(told) === each.status
    ensure(isTold, 'the moderator reads another case than its owner', each, told)
    ensure(!counts.has(each.id), 'a case is in two lists', each)
    counts.set(each.id, each.reports_count)
    const texts = new Set(each.reports.map(({ text }) => text))
    const isEach = texts.size === each.reports_count && [...texts].every((text) => said.has(text))
    ensure(isEach, 'the moderator reads other reports than were acknowledged', each)
  }
  const reports = Map.groupBy(acknowledgedOf(world, 'complaint'), ({ subject }) => subjectKey(subject as Subject))
  for (const [subject, cases] of bySubject) {
    const told = cases.reduce((sum, { id }) => sum + (counts.get(id) ?? Number.NaN), 0)
    const made = reports.get(subject) ?? []
    ensure(told === made.length, 'the reports on a thing are not those that were acknowledged', subject, told, ...made)
    const byReporter = Map.groupBy(made, ({ by }) => by.id)
    for (const own of byReporter.values()) {
      ensure(own.length <= cases.length, 'an agent has reported twice to one case', subject, ...own)
    }
  }
  for (const { id } of world.agents) {
    const own = [...reports.values()].flat().filter(({ by }) => by.id === id)
    ensure(own.length <= mostInAWorld.complaint, 'an agent has reported more often than it may', ...own)
  }
}

interface Listed extends Case {
  owner: { id: string }
  reports: { text: string }[]
  reports_count: number
}

/** So many cases of others in a row, and none of this world is before them: nodes whose clocks differ sort theirs apart. */
const enoughOfOthers = 100

/** The moderator's cases of a status that are of this world, which are the latest. */
async function readLatest(world: World, random: Random, status: CaseStatus): Promise<Listed[]> {
  const found: Listed[] = []
  const page = (at: number) =>
    read(world, random, world.moderator, `/staff/moderation?status=${status}&page=${at}&page_size=50`)
  const { pagination } = await page(1)
  let ofOthers = 0
  for (let at = Math.ceil(pagination.total / 50); at > 0; at--) {
    const { cases }: { cases: Listed[] } = await page(at)
    const ours = cases.filter(({ owner }) => isOfWorld(world, owner.id))
    ensure(
      ours.every((each) => each.status === status),
      'a case is in the list of another status',
      ...ours,
    )
    found.push(...ours)
    ofOthers = ours.length === 0 ? ofOthers + cases.length : 0
    if (ofOthers >= enoughOfOthers) break
  }
  return found
}
