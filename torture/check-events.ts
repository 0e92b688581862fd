// Events: each recipient gets an event for everything that was acknowledged and concerns it, none for what did not
// happen, and never two for one thing.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Market } from './check-market.ts'
import { isBlocked, isTheWrite } from './check-messages.ts'
import type { Told } from './check-orders.ts'
import type { Judged } from './check-oversight.ts'
import { isThere, type Voices } from './check-voices.ts'
import type { Write } from './ledger.ts'
import type { Event } from './receiver.ts'
import { ensure, violated } from './violation.ts'
import { pairKey, type World } from './world.ts'

/** For the next missing event, in milliseconds: a connection whose lease nobody could give back is in the way for 30 s. */
const longestWait = 45_000
const lookEvery = 50

/** What an event is about, and what must be true of it; `due` where it may not be missing. */
interface Expectation {
  due: boolean
  holds: (event: Event) => boolean
}

/** What was told of a world. */
interface Story {
  orders: ReadonlyMap<string, Told>
  messages: ReadonlyMap<string, Write>
  market: Market
  judged: Judged
  voices: Voices
}

/** Waits until every event that is due is there; says how many there are. */
export async function checkEvents(world: World, story: Story, signal: AbortSignal): Promise<number> {
  const expected = expectations(world, story)
  let fewest = Number.POSITIVE_INFINITY
  for (let deadline = performance.now() + longestWait; ; await sleep(lookEvery)) {
    signal.throwIfAborted()
    const missing = world.agents.flatMap(({ id, handle }) => {
      const heard = new Set([...(world.receivers.get(id)?.events.values() ?? [])].map(subjectOf))
      const wanted = [...(expected.get(id) ?? [])].filter(([subject, { due }]) => due && !heard.has(subject))
      return wanted.map(([subject]) => ({ recipient: handle, subject }))
    })
    if (missing.length === 0) break
    if (missing.length < fewest) deadline = performance.now() + longestWait
    fewest = Math.min(fewest, missing.length)
    if (performance.now() > deadline) {
      const receivers = [...world.receivers.values()].map((receiver) => receiver.describe())
      violated('an event never came', ...missing.slice(0, 5), receivers)
    }
  }
  let count = 0
  for (const { id, handle } of world.agents) {
    const heard = new Map<string, Event>()
    for (const event of world.receivers.get(id)?.events.values() ?? []) {
      const subject = subjectOf(event)
      const expectation = expected.get(id)?.get(subject)
      ensure(expectation !== undefined, 'an event of what did not happen', handle, event)
      ensure(expectation.holds(event), 'an event tells something else than the API', handle, event)
      const other = heard.get(subject)
      ensure(other === undefined, 'two events of one thing', handle, event, other)
      heard.set(subject, event)
      count += 1
    }
  }
  return count
}

/** What an event is about; one recipient gets one event about it. */
function subjectOf({ kind, payload }: Event): string {
  if (kind === 'order.changed' || kind === 'human_order.changed')
    return `${kind} ${payload.order_id} ${payload.version}`
  if (kind === 'service_request.changed') return `${kind} ${payload.request_id} ${payload.version}`
  if (kind === 'task.available' || kind === 'task.changed') return `${kind} ${payload.task_id}`
  if (kind.startsWith('bid.')) return `${kind} ${payload.bid_id} ${payload.version}`
  if (kind === 'feedback.changed') return `${kind} ${payload.feedback_id} ${payload.version}`
  if (kind === 'project_case.changed') return `${kind} ${payload.project_case_id} ${payload.version}`
  if (kind === 'moderation.changed') return `${kind} ${payload.case_id} ${payload.version}`
  if (kind === 'editorial.invitation') return `${kind} ${payload.invitation_id}`
  if (kind === 'message.status_changed') return `${kind} ${payload.message_id} ${payload.version}`
  return `${kind} ${payload.id}`
}

const mostStatusVersions = 4
/** After so many in an hour an agent gets no event about another task: docs/contract/tasks.md#who-is-told. */
const mostTasksTold = 20

function expectations(world: World, story: Story): Map<string, Map<string, Expectation>> {
  const { orders, messages, market, judged } = story
  const expected = new Map(world.agents.map(({ id }) => [id, new Map<string, Expectation>()]))
  const add = (to: string, subject: string, due: boolean, holds: (event: Event) => boolean = () => true): void =>
    void expected.get(to)?.set(subject, { due, holds })

  for (const { id, model, states } of orders.values()) {
    const isPersons = world.people.known.has(model.customer)
    for (const [at, state] of states.entries()) {
      // A person has no channel, and its contractor is told no more than that there is something to read.
      if (isPersons) add(model.contractor, `human_order.changed ${id} ${at + 1}`, true, saysNoMore)
      for (const side of isPersons ? [] : [model.customer, model.contractor]) {
        add(side, `order.changed ${id} ${at + 1}`, true, ({ payload }) => payload.status === state)
      }
    }
  }
  for (const { id, customer, provider, statuses } of market.requests) {
    for (const [at, status] of statuses.entries()) {
      for (const side of [customer, provider]) {
        add(side, `service_request.changed ${id} ${at + 1}`, true, ({ payload }) => payload.status === status)
      }
    }
  }
  const isToldAll = market.tasks.length <= mostTasksTold
  for (const { id, customer, state, bids } of market.tasks) {
    // What a moderator removed is told when it is back.
    const isTaskThere = isThere(judged, { kind: 'task', id }, customer)
    for (const { id: agent } of world.agents) {
      // Whose profile was removed then was not told; which came first nobody says.
      const wasThere = !judged.wasRemoved({ kind: 'profile', id: agent })
      const due = isToldAll && isTaskThere && wasThere && !world.blocked.has(pairKey(agent, customer))
      if (agent !== customer) add(agent, `task.available ${id}`, due, ({ payload }) => payload.status === 'open')
    }
    for (const bid of bids) {
      if (state !== 'open' && bid.states.at(-1) !== 'withdrawn') {
        add(bid.bidder, `task.changed ${id}`, isTaskThere, ({ payload }) => payload.status === state)
      }
      for (const [at, each] of bid.states.entries()) {
        const isTold = ({ payload }: Event): boolean => payload.task_id === id && payload.status === each
        // Whoever ends a task knows what happens to the bids on it.
        if (each === 'open' || each === 'withdrawn') add(customer, `bid.received ${bid.id} ${at + 1}`, true, isTold)
        if (at > 0) add(bid.bidder, `bid.changed ${bid.id} ${at + 1}`, true, isTold)
      }
    }
  }
  for (const [id, write] of messages) {
    const recipient = write.body?.['recipient_id'] as string
    // A block takes back what was not delivered.
    const due = !world.blocked.has(pairKey(write.by.id, recipient))
    add(recipient, `message.created ${id}`, due, ({ payload }) => isTheWrite(payload, write))
    for (let version = 2; version <= mostStatusVersions; version++) {
      add(write.by.id, `message.status_changed ${id} ${version}`, false)
    }
  }
  // Once the service has confirmed an acknowledgement, the sender gets an event about the delivery.
  for (const { events } of world.receivers.values()) {
    for (const { kind, payload, ackedAt } of events.values()) {
      if (kind !== 'message.created' || ackedAt === undefined || !messages.has(payload.id)) continue
      if (isBlocked(world, payload)) continue
      const news = expected.get(payload.sender_id)?.get(`message.status_changed ${payload.id} 2`)
      if (news) news.due = true
    }
  }
  const blocks = world.ledger.writes.filter(({ kind, state }) => kind === 'block' && state === 'acknowledged')
  const blockers = new Map(blocks.map(({ path, by }) => [path.split('/')[2], by.id]))
  for (const [pair, id] of world.contacts) {
    const blocker = blockers.get(id)
    for (const side of pair.split(' ')) {
      add(side, `contact.requested ${id}`, false)
      add(side, `contact.accepted ${id}`, false)
      if (blocker !== undefined && side !== blocker) add(side, `contact.blocked ${id}`, true)
    }
  }
  expectVoices(world, story, add)
  return expected
}

const saysNoMore = ({ payload }: Event): boolean => Object.keys(payload).sort().join() === 'order_id,version'

type Add = (to: string, subject: string, due: boolean, holds: (event: Event) => boolean) => void

/** Of feedback, project cases, cases of moderation and the invitation to write. */
function expectVoices(world: World, { judged, voices }: Story, add: Add): void {
  for (const { id, author, isIdea, answers, listeners } of voices.feedback) {
    const isShown = !isIdea || isThere(judged, { kind: 'idea', id }, author)
    for (const [version, status] of answers) {
      for (const [to, from] of listeners) {
        const due = from !== undefined && from < version && (to === author || isShown)
        add(to, `feedback.changed ${id} ${version}`, due, ({ payload }) => payload.status === status)
      }
    }
  }
  for (const { id, contractor, customer, states } of voices.projectCases) {
    for (const [at, state] of states.entries()) {
      // There is no event about a draft, or about one that never became more.
      if (!states.slice(0, at + 1).includes('proposed')) continue
      const isShown = isThere(judged, { kind: 'project_case', id })
      for (const side of [contractor, customer]) {
        const due = side === contractor || isShown
        add(side, `project_case.changed ${id} ${at + 1}`, due, ({ payload }) => payload.status === state)
      }
    }
  }
  for (const { id, owner, told } of judged.cases) {
    for (const [version, status] of told) {
      add(owner, `moderation.changed ${id} ${version}`, true, ({ payload }) => payload.status === status)
    }
  }
  for (const id of voices.invitations) add(world.author.id, `editorial.invitation ${id}`, true, () => true)
}
