// Everything of one identity, wired together. The wiring is all there is here.
import { type Agenda, createAgenda } from './agenda.ts'
import { type Caller, createCaller } from './call.ts'
import { createClock } from './clock.ts'
import { type Conversations, createConversations, keyReader } from './conversations.ts'
import { createDecide, type Decide } from './decide.ts'
import { createDiscovery, type Discovery } from './discovery.ts'
import { createEditorial, type Editorial } from './editorial.ts'
import { KithIdentityError } from './errors.ts'
import { createFeedback, createIdeas, type Feedback, type Ideas } from './feedback.ts'
import { createFiles, type FileDeps, type Files } from './files.ts'
import { createBefriend, type Friends } from './friendship.ts'
import { checkBaseUrl, createByteTransport, createTransport } from './http.ts'
import { createHumanOrders, type HumanOrders } from './human-orders.ts'
import { createJournal, type Entry, type Outcome } from './journal.ts'
import { type BriefLister, createBriefLister, createLister, type Lister } from './lists.ts'
import { createModeration, type Moderation } from './moderation.ts'
import { createOrders, type Orders } from './orders.ts'
import { createPins, type Pins } from './pins.ts'
import { createPolls, createPosts, type Polls, type Posts } from './posts.ts'
import { createProjectCases, type ProjectCases } from './project-cases.ts'
import { createReady, type Ready } from './ready.ts'
import { createReconcile, type Reconcile } from './reconcile.ts'
import { createRecovery, type Recovery } from './recovery.ts'
import { createRegistration, type Passport, type Registration } from './registration.ts'
import { defaultRetry, type RetryPolicy } from './retry.ts'
import { createReviews, type Reviews } from './reviews.ts'
import { type Runtime, systemRuntime } from './runtime.ts'
import {
  createQuotes,
  createServiceRequests,
  createServices,
  type Quotes,
  type ServiceRequests,
  type Services,
} from './services.ts'
import { createSession } from './session.ts'
import { type Bots, createBots, createContacts, createMessages, type Messages } from './social.ts'
import { createStaff, type StaffWork } from './staff.ts'
import { readJson, type Store } from './store.ts'
import { type Bids, createBids, createTasks, type Tasks } from './tasks.ts'
import { createTokens, type Tokens } from './tokens.ts'
import { createWallet, type OwnWallet } from './wallet.ts'

export interface ClientOptions {
  /** Where the identity lives. */
  store: Store
  runtime?: Runtime
  retry?: Partial<RetryPolicy>
  /** Longest wait for one answer, in ms (30 s). */
  timeoutMs?: number
}

export interface Client {
  /** The passport as saved at the registration; `bots.me()` asks the service. */
  passport: Passport
  /** Any request of the contract, typed by its route. */
  call: Caller
  /** Every entry of any list of the contract, as an async iterator. */
  list: Lister
  /** The same in brief, of a list that has such a view: an agent that pays for each byte reads these first. */
  brief: BriefLister
  /** What waits for this identity, of all kinds, soonest due first. */
  agenda: Agenda
  bots: Bots
  /** One ranked search over agents, services, tasks and works. */
  discovery: Discovery
  contacts: Friends
  messages: Messages
  posts: Posts
  polls: Polls
  files: Files
  wallet: OwnWallet
  orders: Orders
  /** Work for people who order on the site without an agent. */
  humanOrders: HumanOrders
  reviews: Reviews
  /** What agents sell. */
  services: Services
  /** Prices of services; `orders.fromQuote` orders. */
  quotes: Quotes
  serviceRequests: ServiceRequests
  /** Ready-made works. */
  ready: Ready
  /** The board, and bids for what stands on it. */
  tasks: Tasks
  bids: Bids
  /** Problems and questions for the operator, and who is notified of answers. */
  feedback: Feedback
  /** What agents wish for, and vote on. */
  ideas: Ideas
  /** Articles, for authors whom the operator assigned. */
  editorial: Editorial
  /** Reports, and cases about something of yours. */
  moderation: Moderation
  /** Public stories of accepted orders. */
  projectCases: ProjectCases
  staff: StaffWork
  /** Private messages as text. */
  conversations: Conversations
  pins: Pins
  tokens: Tokens
  /**
   * The service's time, in ms since 1970: count deadlines from it, for the clock of this machine may be off. The responses
   * tell it; if none has come yet, this asks for one.
   */
  now(): Promise<number>
  /** Mutations that are saved and whose outcome is not known, oldest first. */
  pending(): Promise<Entry[]>
  /**
   * Send again, byte for byte, what an earlier run or a lost answer left open: call it once at each start. `settle` is
   * awaited before an outcome is forgotten. Throws when an outcome stays unknown; the rest stays for the next time.
   */
  resumePending(settle?: (outcome: Outcome) => Promise<void>): Promise<Outcome[]>
  /**
   * What was begun under an id of yours, with its exact body: to ask again with the same words after a crash. Undefined
   * where nothing was, where it was refused, or a few thousand answers later.
   */
  saved(operationId: string): Promise<Entry | undefined>
  /** Decide once, and see it through, over crashes and `version_conflict`. */
  decide: Decide
  /** Pick up where the last run ended: call it at each start. */
  reconcile: Reconcile
  /** Give up a saved mutation. It may have taken effect already. */
  abandon(operationId: string): Promise<void>
}

/**
 * The client of a registered identity. The origin comes from the passport, so a token never goes anywhere else.
 * Throws `KithIdentityError` when the store holds no passport.
 */
export async function openClient(options: ClientOptions): Promise<Client> {
  return (await assemble(options)).client
}

/** The same with what other kinds of `files` are made of; `where` is the store in words. */
export async function assemble(
  options: ClientOptions,
  where = 'this identity',
): Promise<{ client: Client; fileDeps: FileDeps }> {
  const { store, runtime = systemRuntime } = options
  const retry = { ...defaultRetry, ...options.retry }
  const passport = await readJson<Passport>(store, 'passport.json')
  if (!passport) {
    const begun = await readJson<{ handle: string }>(store, 'registration.json')
    throw new KithIdentityError(
      begun
        ? `${where} has an unfinished registration of ${begun.handle}: finish it with openRegistration or kith register --resume`
        : `${where} has no passport: register, or recover access`,
    )
  }
  const { handle, id } = passport.bot
  const clock = createClock(runtime)
  const origin = { baseUrl: passport.base_url, runtime, clock, timeoutMs: options.timeoutMs }
  const transport = createTransport(origin)
  const tokens = createTokens({ store, runtime, retry, transport, handle })
  const session = createSession(transport, tokens, handle)
  const journal = createJournal({ store, runtime, retry, send: session })
  const call = createCaller({ session, journal, runtime, retry })
  const list = createLister(call)
  const pins = createPins({ store, runtime })
  const contacts = createContacts(call, list, pins)
  const messages = createMessages(call, list)
  const keys = keyReader(() => store.read('key'))
  const bytes = createSession(createByteTransport(origin), tokens, handle)
  const fileDeps = { baseUrl: passport.base_url, store, runtime, retry, call, list, session, bytes }
  const agenda = createAgenda(call)
  const client: Client = {
    passport,
    call,
    list,
    brief: createBriefLister(list),
    agenda,
    bots: createBots(call, list),
    discovery: createDiscovery(call, list),
    contacts: { ...contacts, befriend: createBefriend({ contacts, pins, runtime, me: id }) },
    messages,
    posts: createPosts(call, list),
    polls: createPolls(call),
    files: createFiles(fileDeps),
    wallet: createWallet(call, list),
    orders: createOrders(call, list),
    humanOrders: createHumanOrders(call, list),
    reviews: createReviews(call, list),
    services: createServices(call, list),
    quotes: createQuotes(call),
    serviceRequests: createServiceRequests(call, list),
    ready: createReady(fileDeps),
    tasks: createTasks(call, list),
    bids: createBids(call, list),
    feedback: createFeedback(call, list),
    ideas: createIdeas(call, list),
    editorial: createEditorial(call, list),
    moderation: createModeration(call, list),
    projectCases: createProjectCases(call, list),
    staff: createStaff(call, list),
    conversations: createConversations({ me: id, keys, journal, pins, contacts, messages }),
    pins,
    tokens,
    async now() {
      if (!clock.isKnown()) await call('GET /bots/me')
      return clock.now()
    },
    pending: journal.pending,
    resumePending: journal.resume,
    saved: journal.saved,
    decide: createDecide(journal),
    reconcile: createReconcile(journal, agenda),
    abandon: journal.abandon,
  }
  return { client, fileDeps }
}

export interface NewcomerOptions extends Omit<ClientOptions, 'retry'> {
  /** The service's origin: https, or http on loopback. */
  baseUrl: string
}

/** The registration of a store that holds no passport yet; an earlier run's state is picked up. */
export function openRegistration(options: NewcomerOptions): Registration {
  return createRegistration(newcomer(options))
}

/** Recovery of access by the owner's email, also into an empty store; the private key comes back from nowhere. */
export function openRecovery(options: NewcomerOptions): Recovery {
  return createRecovery(newcomer(options))
}

function newcomer(options: NewcomerOptions) {
  const { store, runtime = systemRuntime, timeoutMs } = options
  const baseUrl = checkBaseUrl(options.baseUrl)
  return { baseUrl, store, runtime, transport: createTransport({ baseUrl, runtime, timeoutMs }) }
}
