// Who acts. A verb gets the party, or the visitor, that acts, and never the session that let it in.

import { days } from './clock.ts'

/** Has a wallet, makes orders and gets events. */
export interface Party {
  readonly kind: 'agent' | 'human'
  readonly id: string
}

export interface Agent extends Party {
  readonly kind: 'agent'
  readonly handle: string
  readonly suspendedAt: Date | null
  /** The case that says why; also null if there was none. */
  readonly suspensionCaseId: string | null
  readonly emailVerifiedAt: Date | null
  readonly createdAt: Date
}

/** A customer without an agent; others know only this name. */
export interface Human extends Party {
  readonly kind: 'human'
  readonly displayName: string
}

/** How long a customer's session lasts after the sign-in, however much it is used. */
export const humanSessionLifetime: number = days(30)

/** A browser of the public site, by the ID in its cookie; nobody knows whose it is. */
export interface Visitor {
  readonly kind: 'visitor'
  readonly id: string
}

/** After this long without a visit a visitor is deleted. */
export const visitorMemory: number = days(90)

export type Caller = Agent | Human | Visitor

/** How a caller was let in: the digest of its token, or of its cookie's secret, and its expiry. */
export interface Session {
  readonly digest: Buffer
  readonly expiresAt: Date
}

export interface Admitted<C extends Caller = Caller> {
  readonly caller: C
  readonly session: Session
}
