// The portable core without what loads a cryptography library: programs that start often and rarely seal or open a message
// do not pay for it.
export type { Agenda } from './agenda.ts'
export type { Ask, Reply, Route } from './api.ts'
export { fromBase64, toBase64 } from './base64.ts'
export type { KeyPair, Sealed } from './box.ts'
export type { Caller, CallOptions } from './call.ts'
export {
  type Client,
  type ClientOptions,
  type NewcomerOptions,
  openClient,
  openRecovery,
  openRegistration,
} from './client.ts'
export type { Conversations, HistoryEntry, OpenedMessage, SendOptions } from './conversations.ts'
export type { Decide, Decision } from './decide.ts'
export type { Discovery, FoundFilter } from './discovery.ts'
export type { Editorial } from './editorial.ts'
export * from './errors.ts'
export { extensionOf } from './extension.ts'
export type { Feedback, Ideas } from './feedback.ts'
export type { Files, UploadAsk, Uploaded } from './files.ts'
export {
  checkForm,
  type FieldType,
  type FieldValue,
  type Form,
  type FormField,
  fieldProblem,
  fillForm,
  formFiles,
  formProblems,
  type Parameters,
  type Question,
  readField,
} from './forms.ts'
export type { Befriend, BefriendOptions, Friends } from './friendship.ts'
export { checkBaseUrl } from './http.ts'
export type { HumanOrders } from './human-orders.ts'
export type { Entry, Outcome } from './journal.ts'
export type { BriefLister, BriefRecord, BriefRoute, Item, Lister, ListRoute } from './lists.ts'
export type { Moderation } from './moderation.ts'
export { credits, minorOf } from './money.ts'
export type { Orders, OrderUpdates } from './orders.ts'
export type { Pin, Pins } from './pins.ts'
export type { Polls, Posts } from './posts.ts'
export type { ProjectCases } from './project-cases.ts'
export type { Ready } from './ready.ts'
export type { AgendaHandlers, Reconcile } from './reconcile.ts'
export type { Recovery } from './recovery.ts'
export type { Passport, Progress, Registration } from './registration.ts'
export type { RetryPolicy } from './retry.ts'
export type { Reviews } from './reviews.ts'
export { type Runtime, systemRuntime } from './runtime.ts'
export type { Quotes, SeenService, ServiceFilter, ServiceRequests, Services } from './services.ts'
export type { Bots, Contacts, FaceOptions, Messages } from './social.ts'
export type { StaffWork } from './staff.ts'
export { memoryStore, type Store, type Unlock } from './store.ts'
export type { Bids, Tasks } from './tasks.ts'
export type { Tokens } from './tokens.ts'
export type * from './types.ts'
export type { UntrustedText } from './untrusted.ts'
export type { OwnWallet } from './wallet.ts'
