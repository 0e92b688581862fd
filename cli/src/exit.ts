// What a run ends with. The exit codes are a promise: scripts and agents branch on them.
import {
  KithBoxError,
  KithBusyError,
  KithDamagedError,
  KithError,
  KithFormError,
  KithIdentityError,
  KithInputError,
  KithKeyChangedError,
  KithNetworkError,
  KithReceiverError,
  KithTokenLostError,
  type NoAnswer,
} from '@kith/sdk/identity'
import { isAtHome, isOfIdentity } from './usual.ts'

export const exit = {
  done: 0,
  refused: 1,
  usage: 2,
  unknown: 3,
  stopped: 4,
  identity: 5,
  busy: 6,
  fault: 70,
  interrupted: 130,
  closed: 141,
} as const

/** As the help shows them. */
export const exitCodes: readonly [number, string][] = [
  [exit.done, 'done; also when a registration is now waiting for the code'],
  [exit.refused, 'the service refused, or something you named does not exist'],
  [exit.usage, 'the command was not understood, or something is missing'],
  [exit.unknown, 'no answer: the outcome is unknown, and repeating the command is safe'],
  [exit.stopped, 'stopped for safety: a key changed, or the event channel is forbidden'],
  [exit.identity, 'this profile has no usable identity, or its token is lost'],
  [exit.busy, 'another process is using this profile'],
  [exit.fault, 'a fault in this command or on the disk'],
  [exit.interrupted, 'interrupted at a question'],
  [exit.closed, 'the output was closed by its reader'],
]

/** An end that this command decides itself. */
export class Ended extends Error {
  override readonly name = 'Ended'
  readonly exitCode: number
  readonly code: string
  readonly hint: string | undefined
  /** More for programs, such as the current resource. */
  readonly more: object
  constructor(exitCode: number, code: string, message: string, hint?: string, more: object = {}) {
    super(message)
    this.exitCode = exitCode
    this.code = code
    this.hint = hint
    this.more = more
  }
}

/** A refusal of the service with this command's advice. */
export class Advised extends Ended {
  readonly refusal: KithError
  constructor(refusal: KithError, hint: string, more?: object) {
    super(exit.refused, refusal.code, refusal.message, hint, more)
    this.refusal = refusal
  }
}

export const usage = (message: string, hint?: string): Ended => new Ended(exit.usage, 'usage', message, hint)
export const notFound = (message: string, hint?: string): Ended => new Ended(exit.refused, 'not_found', message, hint)

/** A failure as it is told. */
export interface Failure {
  exit_code: number
  code: string
  message: string
  hint?: string | undefined
  status?: number | undefined
  retry_after?: number | undefined
  /** The saved request that is sent again by the next command. */
  operation_id?: string | undefined
  request_id?: string | undefined
  /** Why there was no answer, where that is known. */
  reason?: NoAnswer | undefined
  /** How many more guesses a code takes after a wrong one. */
  attempts_left?: number | undefined
  fields?: { path: string; problem: string }[] | undefined
  bot_id?: string | undefined
  pinned_fingerprint?: string | undefined
  seen_fingerprint?: string | undefined
  /** The case of moderation that a suspension was decided in. */
  case_id?: string | undefined
  /** As it is now, where an order is not as it was seen. */
  order?: unknown
}

const notTaken = 'these parameters do not fit the form of the service; nothing was sent'
/** What helps where the code alone says enough. */
const hints: Record<string, string> = {
  profile_inactive: 'the operator suspended this profile: kith moderation cases',
  public_profile_required: 'your profile is closed, or a moderator removed it: kith edit --public opens it',
  publisher_required: 'only the operator can add authors: kith author',
  publisher_ineligible: 'kith author says what prevents it',
  staff_required: 'only the operator gives roles: kith staff me',
}
/** The files without which there is no identity; without another one, only what needs it fails. */
const isIdentity = new Set([
  'passport.json',
  'token',
  'key',
  'registration.json',
  'cli-register.json',
  'cli-recover.json',
  'recovery.json',
  'rotation.json',
])
/** What to do about a file that is not what this command wrote; anything else there only remembers how far something came. */
const mendings: Record<string, string> = {
  token: "kith recover gets a new one through the owner's verified email",
  'passport.json':
    "restore it from a backup, or delete it: kith recover makes it again through the owner's verified email",
  'pins.json':
    'restore it from a backup; if you delete it, the keys of friends are pinned again as the service shows them',
}
const mendingOf = (file: string): string =>
  mendings[file] ?? 'restore it from a backup, or delete it: then what it remembered is not continued'
const repeat = 'repeat the command: what was already sent is not applied twice'

export function failureOf(error: unknown): Failure {
  if (error instanceof Advised) return { ...refusal(error.refusal), hint: error.hint, ...error.more }
  if (error instanceof Ended)
    return { exit_code: error.exitCode, code: error.code, message: error.message, hint: error.hint, ...error.more }
  if (error instanceof KithTokenLostError)
    return {
      exit_code: exit.identity,
      code: 'token_lost',
      // Without what a program would have to call.
      message: error.message.replace(`; ${error.recovery}`, ''),
      hint: "kith recover gets a new one through the owner's verified email; never register again",
    }
  if (error instanceof KithKeyChangedError)
    return {
      exit_code: exit.stopped,
      code: 'key_changed',
      message: error.message,
      hint: 'ask the other side for its fingerprint through another channel, then see kith help trust',
      bot_id: error.botId,
      pinned_fingerprint: error.pinnedFingerprint,
      seen_fingerprint: error.seenFingerprint,
    }
  if (error instanceof KithError) return refusal(error)
  if (error instanceof KithNetworkError)
    return {
      exit_code: exit.unknown,
      code: 'no_answer',
      message: error.message,
      hint: repeat,
      operation_id: error.operationId,
      ...(error.reason !== undefined && { reason: error.reason }),
    }
  const { message } = error instanceof Error ? error : { message: String(error) }
  if (error instanceof KithFormError)
    return { exit_code: exit.usage, code: 'invalid_input', message: notTaken, fields: [...error.fields] }
  if (error instanceof KithInputError) return { exit_code: exit.usage, code: 'invalid_input', message }
  if (error instanceof KithBoxError)
    return { exit_code: error.code === 'bad_text' ? exit.usage : exit.stopped, code: error.code, message }
  if (error instanceof KithReceiverError)
    return {
      exit_code: exit.stopped,
      code: `channel_${error.code}`,
      message,
      ...(error.code === 4403 && { hint: 'kith moderation cases says whether this profile is suspended, and why' }),
    }
  if (error instanceof KithDamagedError) {
    const hint = mendingOf(error.file)
    const told = { message: message.replace(`: ${error.mending}`, ''), hint }
    if (!isIdentity.has(error.file)) return { exit_code: exit.fault, code: 'fault', ...told }
    return { exit_code: exit.identity, code: 'no_identity', ...told }
  }
  if (error instanceof KithIdentityError) return { exit_code: exit.identity, code: 'no_identity', message }
  if (error instanceof KithBusyError)
    return {
      exit_code: exit.busy,
      code: 'busy',
      message,
      hint: 'wait until it ends, or end it; then repeat the command',
    }
  return { exit_code: exit.fault, code: 'fault', ...(diskFault(error) ?? { message }) }
}

const diskReasons: Record<string, string> = {
  EROFS: 'the disk is read-only',
  EACCES: 'this user may not use it',
  EPERM: 'this user may not use it',
  ENOTDIR: 'a part of this path is not a folder',
  EEXIST: 'it is not a folder',
  // As Node says it of a folder that it cannot make.
  ENOENT: 'it cannot be created there',
}

const unwritable =
  'commands write to the profile: make its folder writable, or move it to a writable disk and set KITH_HOME to the folder above it'

/** What the disk refuses, where Node names only the call that failed. */
function diskFault(error: unknown): Pick<Failure, 'message' | 'hint'> | undefined {
  const { code = '', path, syscall } = (error ?? {}) as NodeJS.ErrnoException
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return { message: `the disk is full (${code})`, hint: `make room, then ${repeat}` }
  const why = syscall === 'mkdir' || (code !== 'ENOENT' && code !== 'EEXIST') ? diskReasons[code] : undefined
  if (why === undefined || path === undefined) return undefined
  return {
    message: `cannot use ${path.replace(/[/\\]\.\d+\.[0-9a-f]{12}\.tmp$/, '')}: ${why}`,
    ...(isAtHome(path) && {
      hint: isOfIdentity(path) ? unwritable : 'KITH_HOME=FOLDER keeps the profiles in another folder',
    }),
  }
}

function refusal(error: KithError): Failure {
  const open = error.operationId !== undefined || error.status >= 500 || error.status === 408
  const keys = error.code === 'key_changed' || error.code === 'peer_key_changed'
  // A service that is not set up yet has answered for good; repeating waits for a person.
  const settled = error.code === 'verification_setup_pending'
  const { caseId, attemptsLeft } = error
  const hint = open && !settled ? repeat : (storageHint(error) ?? suspensionHint(caseId) ?? hints[error.code])
  return {
    exit_code: keys ? exit.stopped : open && !settled ? exit.unknown : exit.refused,
    code: error.code,
    message: error.message,
    ...(hint !== undefined && { hint }),
    status: error.status,
    // Where waiting does not help, no time is named.
    retry_after: error.details?.['retryable'] === false ? undefined : error.retryAfter,
    operation_id: error.operationId,
    request_id: error.requestId,
    ...(caseId !== undefined && { case_id: caseId }),
    ...(attemptsLeft !== undefined && { attempts_left: attemptsLeft }),
    ...(error.fields.length > 0 && { fields: error.fields }),
  }
}

/** What helps where waiting does not. */
function storageHint({ code, details }: KithError): string | undefined {
  if (code !== 'storage_quota_exceeded' && code !== 'storage_record_limit') return undefined
  if (details?.['scope'] === 'platform') return 'the storage of the service is full: only its operator can make room'
  return code === 'storage_quota_exceeded'
    ? 'kith files --storage shows the quotas; kith files discard ID deletes an unused file'
    : 'the limit counts every upload an agent ever made; deleting files does not help'
}

/** What a suspended agent may do. */
const suspensionHint = (id: string | undefined): string | undefined =>
  id && `kith moderation show ${id} says why; kith appeal ${id} --text TEXT appeals, once`

/** For people, on the error stream. `flagOf` knows the flag of a field, where it has one. */
export function failureText(
  failure: Failure,
  line: (text: string) => string,
  flagOf: (path: string) => string | undefined = () => undefined,
): string {
  const fields = (failure.fields ?? []).map(({ path, problem }) => {
    const flag = flagOf(String(path))
    return `${line(String(path))}${flag === undefined ? '' : ` (${flag})`}: ${line(String(problem))}`
  })
  const isOne = fields.length === 1 && failure.status !== undefined
  const rows = [`kith: ${isOne ? fields[0] : line(unlisted(failure))}`]
  if (failure.status !== undefined) rows[0] += ` (${failure.status} ${line(failure.code)})`
  if (!isOne) rows.push(...fields.map((field) => `  ${field}`))
  if (failure.bot_id) rows.push(`  agent:  ${line(failure.bot_id)}`)
  if (failure.pinned_fingerprint) rows.push(`  pinned: ${line(failure.pinned_fingerprint)}`)
  if (failure.seen_fingerprint) rows.push(`  seen:   ${line(failure.seen_fingerprint)}`)
  if (failure.case_id) rows.push(`  case:   ${line(failure.case_id)}`)
  if (failure.retry_after !== undefined) rows.push(`  try again in ${failure.retry_after} seconds`)
  if (failure.operation_id) rows.push(`  saved as ${line(failure.operation_id)}; the next command sends it again`)
  for (const row of failure.hint?.split('\n') ?? []) rows.push(`  ${line(row.trim())}`)
  return rows.join('\n')
}

/** The message without the fields, which have rows of their own. */
function unlisted({ message, fields }: Failure): string {
  const at = fields?.[0] === undefined ? -1 : message.indexOf(`: ${String(fields[0].path)}: `)
  return at < 0 ? message : message.slice(0, at)
}
