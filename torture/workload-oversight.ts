// What agents have against what others say, and what staff makes of it while everything falls: reports of many on one thing,
// decisions of several at once on one case, appeals, and answers to feedback.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Asked, Subject, Thing } from './ledger.ts'
import { type Decision, decisions, type Feedback, type ModerationCase } from './oversight.ts'
import { ensure } from './violation.ts'
import { agentOf, isOfWorld, make, pick, sendAll, type Worker } from './worker.ts'

export const oversightWeights = { complain: 6, appeal: 8, look: 4 }

export const oversightSteps: Record<keyof typeof oversightWeights, (worker: Worker) => Promise<void>> = {
  /** One agent reports a thing of another, or several do at once. */
  async complain(worker) {
    const { world, me, random } = worker
    const found = pick(worker, publicThings(worker))
    if (!found) return
    const others = world.agents.filter(({ id }) => id !== found.owner)
    const reporters = random.chance(0.3) ? random.shuffled(others).slice(0, random.integer(2, 5)) : [me]
    await sendAll(
      worker,
      reporters
        .filter(({ id }) => id !== found.owner)
        .map((by) => complaint({ ...worker, me: by }, { kind: found.kind, id: found.id })),
    )
  },

  /** By its owner, whoever of them this worker is; sometimes twice at once. */
  async appeal(worker) {
    const { world, random } = worker
    const open = [...world.oversight.cases.values()].filter(({ status, isAppealed, owner }) => {
      // A person reads the word on a review at its order, and has no case to appeal in.
      const isAgents = !world.people.known.has(owner)
      return isAgents && (status === 'removed' || status === 'rejected') && (!isAppealed || random.chance(0.02))
    })
    const found = pick(worker, open)
    if (!found) return
    const by = agentOf(world, found.owner)
    await sendAll(
      worker,
      Array.from({ length: random.chance(0.2) ? 2 : 1 }, () => appeal({ ...worker, me: by }, found)),
    )
  },

  /** A read never falls behind what was acknowledged before it was asked for. */
  async look(worker) {
    const { world, random } = worker
    const known = pick(worker, versioned(worker))
    const [owner, path] = (known && world.oversight.pathOf(known)) ?? []
    if (!known || owner === undefined || path === undefined || world.people.known.has(owner)) return
    const by = agentOf(world, owner)
    const reply = await world.read(by, path, random)
    if (!reply) return
    const { version }: { version: number } = reply.body[known.thing]
    ensure(version >= known.version, 'a read fell behind what was acknowledged before', known, reply.body)
    world.oversight.learn(reply.body, by)
  },
}

/** Everything of voices and oversight that has versions. */
function versioned({ world }: Worker): { thing: Thing; id: string; version: number }[] {
  const { feedback, projectCases, articles, cases } = world.oversight
  const those = (thing: Thing, from: Iterable<{ id: string; version: number }>) =>
    [...from].map(({ id, version }) => ({ thing, id, version }))
  return [
    ...those('feedback', feedback.values()),
    ...those('project_case', projectCases.values()),
    ...those('article', articles.values()),
    ...those('case', cases.values()),
  ]
}

type Shown = Subject & { owner: string }

/** What others may see of a world: some of each kind, so that many meet at the same things. */
function publicThings({ world, random }: Worker): Shown[] {
  const { oversight, market, agents } = world
  const kind = random.weighted<Subject['kind']>({
    post: 4,
    idea: 4,
    service: 3,
    task: 2,
    article: 3,
    project_case: 3,
    profile: 1,
  })
  const newest = <T extends { id: string }>(from: Iterable<T>, ownerOf: (each: T) => string): Shown[] =>
    [...from].slice(-meetingPlaces).map((each) => ({ kind, id: each.id, owner: ownerOf(each) }))
  if (kind === 'post') return newest(oversight.posts.values(), ({ author }) => author)
  if (kind === 'idea') return newest(ideas(oversight.feedback.values()), ({ author }) => author)
  if (kind === 'service') return newest(market.services.values(), ({ provider }) => provider)
  if (kind === 'task') return newest(market.tasks.values(), ({ customer }) => customer)
  if (kind === 'article') return newest(oversight.articles.values(), ({ author }) => author)
  if (kind === 'project_case') return newest(oversight.projectCases.values(), ({ contractor }) => contractor)
  return newest(agents.slice(0, meetingPlaces), ({ id }) => id)
}

/** So many of each kind are reported at any time. */
const meetingPlaces = 4

const ideas = (all: Iterable<Feedback>): Feedback[] => [...all].filter(({ category }) => category === 'idea')

function complaint({ me, random }: Worker, subject: Subject): Asked {
  const text = random.uuid()
  const body = { operation_id: text, subject, reason_code: random.pick(['spam', 'abuse', 'fraud']), text }
  return { kind: 'complaint', by: me, path: '/moderation/reports', body, subject }
}

function appeal({ me, random }: Worker, { id, version }: ModerationCase): Asked {
  const text = random.uuid()
  const body = { operation_id: text, expected_version: version, text }
  const on = [{ thing: 'case', id, version }] as const
  return { kind: 'appeal', action: 'appeal', by: me, path: `/moderation/cases/${id}/appeal`, body, on }
}

/** Decides what waits, and sometimes again what was decided: one way, or several ways at once. */
export async function judge(worker: Worker): Promise<void> {
  const { world, me, random, signal } = worker
  for (let page = 1; !signal.aborted; await sleep(random.integer(5, 50))) {
    const reply = await world.read(me, `/staff/moderation?page=${page}&page_size=50`, random)
    if (!reply) continue
    page = Math.max(1, Math.ceil(reply.body.pagination.total / 50))
    // Earlier worlds have left theirs.
    const isOurs = ({ owner }: { owner: { id: string } }): boolean => isOfWorld(world, owner.id)
    world.oversight.learn({ cases: reply.body.cases.filter(isOurs) }, me)
    const found = pick(worker, worthLookingAt(worker))
    if (!found) continue
    const chosen = new Set(
      Array.from({ length: random.chance(0.4) ? 3 : 1 }, () => random.weighted(likely(worker, found))),
    )
    await sendAll(
      worker,
      [...chosen].map((decision) => verdict(worker, found, decision)),
    )
    if (found.subject.kind === 'service') await world.reread({ thing: 'service', id: found.subject.id }, random)
  }
}

/** What is pending or appealed; now and then whatever was decided. */
function worthLookingAt({ world, random }: Worker): ModerationCase[] {
  const cases = [...world.oversight.cases.values()]
  const waiting = cases.filter(({ status, isAppealed }) => status === 'pending' || (isAppealed && status === 'removed'))
  return waiting.length === 0 || random.chance(0.3) ? cases : waiting
}

/** A removed profile takes all that its agent shows with it: one at a time leaves something to see. */
function likely({ world }: Worker, { subject, status, waits }: ModerationCase): Partial<Record<Decision, number>> {
  const isProfile = subject.kind === 'profile'
  const removed = [...world.oversight.cases.values()].filter((each) => {
    return each.subject.kind === 'profile' && each.status === 'removed'
  })
  const remove = isProfile && removed.length > 0 ? {} : { remove: 4 }
  const byStatus: Record<ModerationCase['status'], Partial<Record<Decision, number>>> = {
    pending: waits ? { approve: 8, reject: 3, remove: 1 } : { approve: 4, ...remove, reject: 0.1 },
    approved: { ...remove, approve: 0.1, restore: 0.1 },
    rejected: { restore: 5, reject: 1, remove: 0.1 },
    removed: { restore: isProfile ? 20 : 5, remove: 1 },
    restored: isProfile ? { restore: 0.1 } : { remove: 2, restore: 0.1 },
  }
  const weights = byStatus[status]
  return Object.keys(weights).length > 0 ? weights : { approve: 1 }
}

export function verdict({ me, random }: Worker, found: ModerationCase, decision: Decision): Asked {
  const { id, version, subject, status } = found
  const reason = random.uuid()
  const { to } = decisions[decision]
  const isKind = to === 'approved' || to === 'restored'
  const ids = { operation_id: reason, expected_version: version, reason }
  const body = { ...ids, decision, reason_code: isKind ? 'ok' : 'spam' }
  const on = [{ thing: 'case', id, version }] as const
  const path = `/staff/moderation/${id}/decide`
  return { kind: 'verdict', action: decision, by: me, path, body, on, subject, confirms: to === status }
}

/** Answers feedback, sometimes twice at one version. */
export async function answer(worker: Worker): Promise<void> {
  const { world, me, random, signal } = worker
  for (; !signal.aborted; await sleep(random.integer(20, 100))) {
    const record = pick(worker, [...world.oversight.feedback.values()])
    if (!record) continue
    const { id, version } = record
    const answers = Array.from({ length: random.chance(0.2) ? 2 : 1 }, (): Asked => {
      const response = random.uuid()
      const status = random.pick(['planned', 'in_progress', 'resolved', 'declined'])
      const body = { operation_id: response, expected_version: version, status, response }
      const on = [{ thing: 'feedback', id, version }] as const
      return { kind: 'answer', by: me, path: `/staff/feedback/${id}/answer`, body, on }
    })
    if (answers.length > 1) await sendAll(worker, answers)
    else await make(worker, answers[0] as Asked)
  }
}
