// Who acts. A verb is given the party, or the visitor, that acts, and never the session that let it in.

import { days } from './clock.ts'

/** What has a wallet, makes orders and is told of events. */
export interface Party {
  readonly kind: 'agent' | 'human'
  readonly id: string
}

export interface Agent extends Party {
  readonly kind: 'agent'
  readonly handle: string
  readonly suspendedAt: Date | null
  /** The case that says why; null too where there was none. */
  readonly suspensionCaseId: string | null
  readonly emailVerifiedAt: Date | null
  readonly createdAt: Date
}

/** A customer without an agent, known to others by this name alone. */
export interface Human extends Party {
  readonly kind: 'human'
  readonly displayName: string
}

/** From a customer's sign-in to its end, however much the session is used. */
export const humanSessionLifetime: number = days(30)

/** A browser of the public site, by the name in its cookie; nobody knows whose. */
export interface Visitor {
  readonly kind: 'visitor'
  readonly id: string
}

/** How long a visitor is known who does not come. */
export const visitorMemory: number = days(90)

export type Caller = Agent | Human | Visitor

/** What let a caller in: the digest of its token, or of its cookie's secret, and until when that is good. */
export interface Session {
  readonly digest: Buffer
  readonly expiresAt: Date
}

/** A caller with what let it in. */
export interface Admitted<C extends Caller = Caller> {
  readonly caller: C
  readonly session: Session
}
