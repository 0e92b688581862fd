// What was asked of the service and what it said: every write with each of its attempts. A write is acknowledged once any
// attempt was, refused once none can have been, and unknown in between.
import type { Client, Credentials, Reply } from './client.ts'
import type { Random } from './random.ts'
import { ensure } from './violation.ts'

export type Kind =
  | 'message'
  | 'report'
  | 'block'
  | 'offer'
  | 'order of a person'
  | 'action'
  | 'update'
  | 'decision'
  | 'service'
  | 'service move'
  | 'quote'
  | 'order by quote'
  | 'request'
  | 'request move'
  | 'task'
  | 'task move'
  | 'bid'
  | 'bid move'
  | 'select'
  | 'proposal'
  | 'consent'
  | 'withdrawal'
  | 'purchase'
  | 'feedback'
  | 'follow-up'
  | 'answer'
  | 'vote'
  | 'subscription'
  | 'post'
  | 'review'
  | 'project case'
  | 'project case move'
  | 'article'
  | 'article move'
  | 'complaint'
  | 'verdict'
  | 'appeal'

/** Who asks: an agent, or a person who orders on the site. */
export interface Actor {
  id: string
  handle: string
  credentials: Credentials
}

export interface Agent extends Actor {
  publicKey: string
}

export interface Attempt {
  /** Milliseconds since the run began. */
  sent: number
  answered: number | undefined
  /** As in `201`, `409 version_conflict`, `no answer`. */
  answer: string
}

/** What has versions of its own besides orders, by the name that it has in an answer. */
export type Thing = 'service' | 'request' | 'task' | 'bid' | 'feedback' | 'project_case' | 'article' | 'case'

/** What moderation may be about, as the contract names it. */
export interface Subject {
  kind: 'profile' | 'post' | 'service' | 'task' | 'review' | 'idea' | 'article' | 'project_case'
  id: string
}

/** The order that a write is to make. */
export interface Made {
  /** What the history calls it, and the state that it begins in. */
  action: 'offer' | 'select' | 'purchase'
  state: 'offered' | 'funded' | 'delivered'
  title: string
  customer: string
  contractor: string
  author: string
  quick: boolean
  amount: number
  /** What it comes from, where that is a quote, a request or a finished work. */
  quote?: string
  request?: string
  work?: string
}

/** One intent: what it asks never changes, however often it is sent. */
export interface Write {
  kind: Kind
  by: Actor
  /** POST unless told. */
  method?: 'PATCH' | 'PUT' | 'DELETE'
  path: string
  body: Readonly<Record<string, unknown>> | undefined
  /** Of an order: which, what is done to it, and at which version where that is the order's. */
  order?: string
  action?: string
  version?: number
  /** Of what has versions besides orders: what it is about, at the version that it was asked on. */
  on?: readonly { thing: Thing; id: string; version: number }[]
  makes?: Made
  /** Of an agreement: its service, and the order that the work comes from. */
  work?: string
  source?: string
  /** Who still reads a project case that is removed: to its customer, who sends this, it is 404 then, whether this was done or not. */
  contractor?: Actor
  /** What is reported or judged, voted for or subscribed to. */
  subject?: Subject
  /** Whether a verdict, if acknowledged, only confirms what is appealed. */
  confirms?: boolean
  /** Acknowledged is for good; refused may still become acknowledged by a replay. */
  state: 'unknown' | 'acknowledged' | 'refused'
  /** When the first acknowledgement came. */
  acknowledgedAt?: number
  /** The id of what it made. */
  made?: string
  createdAnswers: number
  inFlight: number
  /** Whether an attempt went without an answer, so that the service may be at it still. */
  lost: boolean
  /** Whether one ever did. */
  everLost: boolean
  refusals: Set<string>
  attempts: Attempt[]
}

/** Refusals that each kind of write may meet; any other is a fault of the service or of this program. */
const expected: Record<Kind, readonly string[]> = {
  message: ['contact_not_accepted'],
  report: ['processing_already_completed'],
  block: [],
  // Who was blocked, and whose profile is removed, is not there.
  offer: ['friendship_required', 'not_found'],
  action: [
    'forbidden',
    'version_conflict',
    'invalid_state',
    'insufficient_funds',
    'state_conflict',
    'friendship_required',
  ],
  'order of a person': ['not_found', 'request_limit'],
  update: ['version_conflict', 'invalid_state', 'update_limit'],
  decision: ['version_conflict', 'invalid_state'],
  // The platform's limits are met by a run of hours.
  service: ['service_limit'],
  'service move': ['version_conflict', 'invalid_state', 'public_profile_required'],
  quote: ['not_found', 'version_conflict', 'service_unavailable', 'quote_limit'],
  'order by quote': ['not_found', 'quote_already_used', 'service_unavailable', 'friendship_required'],
  request: ['not_found', 'version_conflict', 'service_unavailable', 'friendship_required', 'request_limit'],
  'request move': [
    'version_conflict',
    'invalid_state',
    'service_unavailable',
    'friendship_required',
    'below_service_minimum',
  ],
  task: ['request_limit', 'public_profile_required'],
  'task move': ['version_conflict', 'invalid_state'],
  bid: ['not_found', 'invalid_state', 'state_conflict', 'contact_blocked', 'request_limit'],
  'bid move': ['not_found', 'version_conflict', 'invalid_state', 'contact_blocked'],
  select: ['version_conflict', 'invalid_state', 'contact_blocked', 'state_conflict', 'insufficient_funds'],
  proposal: ['service_limit'],
  consent: ['invalid_state', 'public_profile_required'],
  withdrawal: ['invalid_state'],
  purchase: ['not_found', 'version_conflict', 'service_unavailable', 'insufficient_funds'],
  feedback: ['public_profile_required', 'feedback_rate_limited'],
  'follow-up': ['version_conflict', 'feedback_followup_rate_limited'],
  answer: ['version_conflict'],
  vote: ['not_found'],
  subscription: ['not_found'],
  post: [],
  review: ['state_conflict'],
  'project case': ['state_conflict', 'request_limit'],
  // Of one that is removed its customer finds nothing but its own consent to take back.
  'project case move': ['version_conflict', 'invalid_state', 'public_profile_required', 'not_found'],
  article: ['publisher_ineligible', 'editorial_publish_limit'],
  'article move': [
    'version_conflict',
    'already_published',
    'not_published',
    'publisher_ineligible',
    'editorial_publish_limit',
  ],
  complaint: ['not_found', 'state_conflict', 'request_limit'],
  verdict: ['version_conflict', 'invalid_state'],
  appeal: ['version_conflict', 'invalid_state', 'state_conflict'],
}

/** What has no id of its own: sent again, it is a new question about the current state. */
const anonymous: readonly Kind[] = ['report', 'vote', 'subscription']

const isHidden = ({ contractor }: Write, code: string): boolean => contractor !== undefined && code === 'not_found'

/** Whether a write is refused to its sender, and still may have come to pass: an answer was lost before. */
export const isDoubtful = (write: Write): boolean =>
  write.state === 'refused' && write.everLost && [...write.refusals].some((code) => isHidden(write, code))

/** Enough to tell the story of a write; the whole of its life may be thousands of attempts. */
const attemptsKept = 20

export type Asked = Omit<
  Write,
  'state' | 'acknowledgedAt' | 'made' | 'createdAnswers' | 'inFlight' | 'lost' | 'everLost' | 'refusals' | 'attempts'
>

/** Whether a write may have come to pass: one without an id may be refused when it is sent again after a lost answer. */
export const mayStand = ({ state, kind, everLost }: Write): boolean =>
  state !== 'refused' || (anonymous.includes(kind) && everLost)

export interface Ledger {
  readonly writes: readonly Write[]
  readonly acknowledged: number
  /** Acknowledged actions and updates by `order/version` that they made; so are those on what else has versions. */
  readonly byVersion: ReadonlyMap<string, Write>
  /** Notes that a write came to pass, as somebody else than its sender reads. */
  found(write: Write): void
  /** Notes a write that is about to be sent. */
  begin(asked: Asked): Write
  /** Sends a write, judges the answer, and returns it if there is one. */
  attempt(write: Write, random: Random, options?: { quiet: boolean }): Promise<Reply | undefined>
}

export const versionKey = (id: string, version: number): string => `${id}/${version}`

/** The id of what an answer says was made or changed. */
const idOf = (body: Reply['body']): string | undefined =>
  (
    body.message ??
    body.update ??
    body.dispute_case ??
    body.order ??
    body.request ??
    body.bid ??
    body.task ??
    body.quote ??
    body.service ??
    body.followup ??
    body.report ??
    body.review ??
    body.post ??
    body.project_case ??
    body.article ??
    body.case ??
    body.feedback
  )?.id

export function openLedger(client: Client, urls: readonly string[]): Ledger {
  const writes: Write[] = []
  let acknowledged = 0
  const byVersion = new Map<string, Write>()

  function acknowledge(write: Write, { status, body }: Reply): void {
    if (status === 201) write.createdAnswers += 1
    ensure(write.createdAnswers <= 1, 'one write was said to be new twice', write)
    const made = idOf(body)
    ensure(write.made === undefined || write.made === made, 'one write made two things', write, made)
    ensure(!write.refusals.has('version_conflict'), 'a write was acknowledged and met a version_conflict', write)
    if (made !== undefined) write.made = made
    if (write.state !== 'acknowledged') acknowledged += 1
    write.state = 'acknowledged'
    write.acknowledgedAt ??= performance.now()
    const { order, version } = write
    if (order !== undefined && version !== undefined) raised(write, { id: order, version }, body.order.version)
    for (const each of write.on ?? []) raised(write, each, body[each.thing].version)
  }

  /** No two writes make one version, and the answer has it or a later one. */
  function raised(write: Write, { id, version }: { id: string; version: number }, answered: number): void {
    const key = versionKey(id, version + 1)
    const other = byVersion.get(key) ?? write
    ensure(other === write, 'two writes were acknowledged at one version', other, write)
    byVersion.set(key, write)
    ensure(answered > version, 'an acknowledged write left the version where it was', write, answered)
  }

  function refuse(write: Write, code: string, sent: number): void {
    ensure(expected[write.kind].includes(code), `a refusal that nobody expects: ${code}`, write)
    if (isHidden(write, code) && write.state === 'acknowledged') return
    const before = !anonymous.includes(write.kind) && write.acknowledgedAt !== undefined && write.acknowledgedAt < sent
    ensure(!before, 'an acknowledged write was refused when it was sent again', write)
    if (write.state === 'acknowledged') {
      ensure(code !== 'version_conflict', 'a write was acknowledged, and its twin met a version_conflict', write)
      return
    }
    write.refusals.add(code)
    // While another attempt is under way it may still come to pass.
    if (write.inFlight === 0 && !write.lost) write.state = 'refused'
  }

  return {
    writes,
    byVersion,
    get acknowledged() {
      return acknowledged
    },
    found(write) {
      acknowledged += 1
      write.state = 'acknowledged'
      write.acknowledgedAt = performance.now()
      for (const each of write.on ?? []) raised(write, each, each.version + 1)
    },
    begin(asked) {
      const fresh = { state: 'unknown', createdAnswers: 0, inFlight: 0, lost: false, everLost: false } as const
      const write: Write = { ...asked, ...fresh, refusals: new Set(), attempts: [] }
      writes.push(write)
      return write
    },
    async attempt(write, random, { quiet } = { quiet: false }) {
      const sent = performance.now()
      const attempt: Attempt = { sent, answered: undefined, answer: 'no answer' }
      if (write.attempts.length < attemptsKept) write.attempts.push(attempt)
      write.inFlight += 1
      const reply = await client.call(
        random.pick(urls),
        write.method ?? 'POST',
        write.path,
        write.by.credentials,
        write.body,
      )
      write.inFlight -= 1
      if (reply) {
        attempt.answered = performance.now()
        const code: string | undefined = reply.body?.error?.code
        attempt.answer = code === undefined ? `${reply.status}` : `${reply.status} ${code}`
      }
      if (!reply || (reply.status === 503 && reply.retryAfter !== undefined)) {
        write.lost = true
        write.everLost = true
        if (write.state === 'refused') write.state = 'unknown'
        return reply
      }
      ensure(reply.status < 500, `the service answered ${attempt.answer}`, write, reply.body)
      // What was lost before has long come to its end when all is quiet.
      if (quiet) write.lost = false
      if (reply.status < 300) acknowledge(write, reply)
      else refuse(write, attempt.answer.slice(4), sent)
      return reply
    },
  }
}
