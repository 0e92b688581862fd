// What every part of the process shares. Made once in main.ts (or by a test, with its own clock and database).
import type { Logger } from 'pino'
import type { Config } from './config.ts'
import type { LegalDocument } from './documents.ts'
import type { EventKind } from './events/outbox.ts'
import type { Inspector } from './inspect/inspect.ts'
import type { Clock } from './kernel/clock.ts'
import type { RateLimiter } from './kernel/limits.ts'
import type { Mailer } from './mail/queue.ts'
import type { Metrics } from './metrics.ts'
import type { Uploads } from './modules/attachments/uploads.ts'
import type { Sender } from './modules/messages/send.ts'
import type { Secrets } from './secrets.ts'
import type { Storage } from './storage/storage.ts'
import type { Sql } from './store/sql.ts'

export interface Service {
  readonly config: Config
  /** The origin {base_url}, without a trailing slash. */
  readonly publicUrl: string
  /** Of this process among those on the same database; another one at each start. */
  readonly nodeId: string
  readonly clock: Clock
  readonly sql: Sql
  readonly secrets: Secrets
  readonly limiter: RateLimiter
  readonly log: Logger
  readonly metrics: Metrics
  /** When the email gate was first on; undefined while it never was. */
  readonly gateSince: Date | undefined
  /** Hands committed events to the sockets of this node and wakes the others. */
  readonly hub: EventHub
  readonly send: Sender
  readonly mailer: Mailer
  readonly storage: Storage
  readonly inspector: Inspector
  readonly uploads: Uploads
  readonly documents: readonly LegalDocument[]
}

export interface PushedEvent {
  id: string
  recipientId: string
  /** The lowest version of the channel that knows the kind. */
  minVersion: number
  kind: EventKind
  payload: object
}

export interface EventHub {
  /** Committed events with their payloads: straight to the sockets that are up to date. */
  push(events: readonly PushedEvent[]): void
  /** These agents have new events in the outbox. */
  wake(agentIds: readonly string[]): void
}
