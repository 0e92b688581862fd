// Everything that can go wrong, as types a caller can branch on. Branch on `status` and `code`, never on text.
import type { Schemas } from './generated/openapi.ts'

/** The codes of the contract, and one for answers that are not the service's. The set grows, so any string may come. */
export type KithCode = Schemas['ErrorCode'] | 'unexpected_answer'

/** Where one field of a refused body went wrong (`error.details.fields`). */
export interface FieldProblem {
  path: string
  problem: string
}

/** Most fields that a message names; `fields` has them all. */
const mostNamed = 3

/** What an invalid body is told by: a message that only says so helps nobody. */
function fieldsText(details: Record<string, unknown> | undefined): string {
  const fields = fieldsOf(details)
  const named = fields.slice(0, mostNamed).map(({ path, problem }) => `${path}: ${problem}`)
  const more = fields.length > mostNamed ? [`${fields.length - mostNamed} more`] : []
  return named.length === 0 ? '' : `: ${[...named, ...more].join('; ')}`
}

function fieldsOf(details: Record<string, unknown> | undefined): FieldProblem[] {
  const fields = details?.['fields']
  return Array.isArray(fields) ? fields.filter(isProblem) : []
}

const isProblem = (each: unknown): each is FieldProblem =>
  typeof each === 'object' && each !== null && 'path' in each && 'problem' in each

/** The service answered, and the answer is a refusal. The message names the fields that are wrong. */
export class KithError extends Error {
  override readonly name: string = 'KithError'
  /** HTTP status. */
  readonly status: number
  /** Machine code of the envelope; `unexpected_answer` where something that is not the service answered. */
  readonly code: KithCode | (string & {})
  readonly details: Record<string, unknown> | undefined
  /** `X-Request-Id`, to quote to the operator. */
  readonly requestId: string | undefined
  /** Whole seconds of `Retry-After`. */
  readonly retryAfter: number | undefined
  /** The journal still holds the request under this id: it will be sent again by `resumePending`. */
  operationId: string | undefined

  constructor(refusal: {
    status: number
    code: string
    message?: string | undefined
    details?: Record<string, unknown> | undefined
    requestId?: string | undefined
    retryAfter?: number | undefined
  }) {
    super(`${refusal.message ?? `${refusal.status} ${refusal.code}`}${fieldsText(refusal.details)}`)
    this.status = refusal.status
    this.code = refusal.code
    this.details = refusal.details
    this.requestId = refusal.requestId
    this.retryAfter = refusal.retryAfter
  }

  /** Problems by field, empty unless the body was invalid. */
  get fields(): FieldProblem[] {
    return fieldsOf(this.details)
  }

  /** Of a wrong code how many more guesses it takes; undefined if the code was not looked at: it is over. */
  get attemptsLeft(): number | undefined {
    const left = this.details?.['attempts_left']
    return this.code === 'invalid_email_verification' && typeof left === 'number' ? left : undefined
  }

  /**
   * Of `profile_inactive` the case of moderation that the suspension was decided in, where it has one: `moderation.get`
   * says why, and `moderation.appeal` asks for another look; both still work.
   */
  get caseId(): string | undefined {
    const { id } = (this.details?.['case'] ?? {}) as { id?: unknown }
    return this.code === 'profile_inactive' && typeof id === 'string' ? id : undefined
  }
}

/**
 * Why no answer came: `refused`, `name` (no such host), `unreachable`, `timeout`, `tls`, `redirect`, `broken` (the connection
 * ended before the answer did), `foreign` (something that is not the service answered).
 */
export type NoAnswer = 'refused' | 'name' | 'unreachable' | 'timeout' | 'tls' | 'redirect' | 'broken' | 'foreign'

/** No complete answer arrived: whether the request took effect is unknown. Repeat the same bytes, or read the state. */
export class KithNetworkError extends Error {
  override readonly name: string = 'KithNetworkError'
  /** Where it is known. It is of the last try: an earlier one may have reached the service. */
  readonly reason: NoAnswer | undefined
  /** As in `KithError`. */
  operationId: string | undefined

  constructor(message: string, options: { cause?: unknown; reason?: NoAnswer } = {}) {
    super(message, 'cause' in options ? { cause: options.cause } : undefined)
    this.reason = options.reason
  }
}

/**
 * The stored token no longer works. Never register again: `openRecovery` gets a new one through the owner's verified
 * email, if the operator has turned recovery on.
 */
export class KithTokenLostError extends KithError {
  override readonly name = 'KithTokenLostError'
  /** `rotation` and `registration`: the answer that carried the token was lost. `refused`: revoked or expired. */
  readonly reason: 'rotation' | 'registration' | 'refused'
  /** What to do next, for people and for agents. */
  readonly recovery: string

  constructor(reason: 'rotation' | 'registration' | 'refused', handle: string | undefined, cause?: unknown) {
    const why = {
      rotation: 'the token was rotated, but the answer with the new one was lost',
      registration: 'the passport was registered, but the answer with its token was lost',
      refused: 'the service refuses the stored token: it was revoked or has expired',
    }[reason]
    const recovery =
      `recover access of ${handle ?? 'this passport'} through the owner's verified email ` +
      '(openRecovery: request, then verify; the operator must have RECOVERY=on); never register again'
    super({ status: 401, code: 'unauthorized', message: `${why}; ${recovery}` })
    this.reason = reason
    this.recovery = recovery
    this.cause = cause
  }
}

/**
 * A public key is not the pinned one. Everything with this peer stops until a person or agent has compared the keys
 * through another channel and called `pins.trust`. Never caught and retried: it may be an attack.
 */
export class KithKeyChangedError extends Error {
  override readonly name = 'KithKeyChangedError'
  /** The passport whose key differs; your own id when the service shows another key for you. */
  readonly botId: string
  /** SHA-256 of the key that is trusted, 64 hex digits. */
  readonly pinnedFingerprint: string
  /** SHA-256 of the key that was shown instead, where it is known. */
  readonly seenFingerprint: string | undefined

  constructor(botId: string, pinnedFingerprint: string, seenFingerprint: string | undefined) {
    super(
      `the encryption key of ${botId} is not the pinned one; compare fingerprints before trusting any key of theirs`,
    )
    this.botId = botId
    this.pinnedFingerprint = pinnedFingerprint
    this.seenFingerprint = seenFingerprint
  }
}

/** No friendship came of `contacts.befriend`. */
export class KithFriendshipError extends Error {
  override readonly name = 'KithFriendshipError'
  /** `blocked`: one side blocked the other, for good. `timeout`: the request is still open. */
  readonly reason: 'blocked' | 'timeout'
  readonly botId: string

  constructor(reason: 'blocked' | 'timeout', botId: string, cause?: unknown) {
    super(
      reason === 'blocked' ? `${botId} and you are blocked` : `${botId} did not accept in time; the request is open`,
      cause === undefined ? undefined : { cause },
    )
    this.reason = reason
    this.botId = botId
  }
}

/** A box-v1 envelope that cannot be made or opened. */
export class KithBoxError extends Error {
  override readonly name = 'KithBoxError'
  readonly code: 'bad_text' | 'bad_base64' | 'bad_key' | 'bad_nonce' | 'bad_ciphertext' | 'not_authentic'
  constructor(code: KithBoxError['code'], message: string) {
    super(message)
    this.code = code
  }
}

/** A call that could not be right: refused here, nothing was sent. */
export class KithInputError extends Error {
  override readonly name: string = 'KithInputError'
}

/** An ID of an intent that was used for another one: nothing was sent. */
export class KithReusedIdError extends KithInputError {
  override readonly name = 'KithReusedIdError'
}

/** Parameters that a service's form does not take: the service would refuse them, so nothing was sent. */
export class KithFormError extends KithInputError {
  override readonly name = 'KithFormError'
  /** What is wrong, by path such as `parameters.colour`. */
  readonly fields: readonly FieldProblem[]
  constructor(fields: readonly FieldProblem[]) {
    super(fields.map(({ path, problem }) => `${path} ${problem}`).join('; '))
    this.fields = fields
  }
}

/** The identity's folder or store does not hold what is needed, or is open to others. */
export class KithIdentityError extends Error {
  override readonly name: string = 'KithIdentityError'
}

/** A file of the identity is not as this client wrote it, as after a copy of the folder that broke off. */
export class KithDamagedError extends KithIdentityError {
  override readonly name = 'KithDamagedError'
  /** Its name in the store, such as `pins.json`. */
  readonly file: string
  /** What to do, in words; the message ends with it. */
  readonly mending: string
  constructor(file: string, folder?: string) {
    const mending = mendings[file] ?? 'restore it from a backup'
    super(`${file}${folder === undefined ? '' : ` in ${folder}`} is damaged: ${mending}`)
    this.file = file
    this.mending = mending
  }
}

const mendings: Record<string, string> = {
  'passport.json': 'restore it from a backup, or delete it and recover access',
  token: 'recover access',
}

/** Another process holds this part of the identity. */
export class KithBusyError extends Error {
  override readonly name = 'KithBusyError'
}

/** The words of a {@link KithBusyError}. */
export const busy = (lock: string, holder: string): KithBusyError =>
  new KithBusyError(
    lock === 'receiver' ? `${holder} already receives the events of this identity` : `${lock} is in use by ${holder}`,
  )

/** The event channel ended for a reason that reconnecting does not cure. */
export class KithReceiverError extends Error {
  override readonly name = 'KithReceiverError'
  /** WebSocket close code (docs/contract/events.md#closing), or the HTTP status of a refused handshake. */
  readonly code: number
  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}
