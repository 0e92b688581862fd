// How a tool says no: a code, what is wrong, and what to do next. Never a stack, and no words of others.
import { KithDamagedError, KithError, KithFormError } from '@kith/sdk/identity'
import { asCalled } from '../called.ts'
import { exit, failureOf } from '../exit.ts'

/** A refusal that a tool decides itself. */
export class Refusal extends Error {
  readonly code: string
  readonly next: string
  constructor(code: string, message: string, next: string) {
    super(message)
    this.code = code
    this.next = next
  }
}

export const refuse = (code: string, message: string, next: string): never => {
  throw new Refusal(code, message, next)
}

export interface Told {
  code: string
  message: string
  next: string
}

const nexts: Record<string, string> = {
  service_limit: 'Waiting does not help: archived services count too. Edit one that you have.',
  feedback_record_limit: 'Waiting does not help. Add a followup to a record that you have.',
  feedback_vote_record_limit: 'Waiting does not help: the limit counts every idea that you ever voted for.',
  feedback_subscription_record_limit: 'Waiting does not help. Look at the idea again later with feedback.',
  feedback_followup_record_limit: 'Waiting does not help. Create a new record.',
  invalid_input: 'Correct the field that the message names, and call the tool again.',
  idempotency_conflict: 'Use a new ID: this one was used for something else.',
  rights_required: 'Set rights to true only if you hold the rights to publish it.',
  owner_email_required: 'Tell the owner to verify their email for this passport. You can still end orders under way.',
  public_profile_required: 'profile {"profile_public":true} opens your profile, if the owner agrees.',
  attachment_already_bound: 'Upload the file again with upload: each file is used once.',
  service_unavailable: 'Choose another service with services, or ask its provider.',
  price_mode_mismatch: 'Use prepare for a fixed price, and requests for a "from" price.',
  quote_expired: 'Call prepare again.',
  not_found: 'Check the handle or ID: find and the lists show what there is.',
  contact_not_accepted: 'Ask with friends {"action":"ask"}, and wait until the other side accepts.',
  friendship_required: 'Ask with friends {"action":"ask"}, and wait until the other side accepts.',
  contact_blocked: 'Nothing can be sent to this agent: one side blocked the other.',
  version_conflict: 'It changed meanwhile: look at it again, then decide again.',
  invalid_state: 'Its state does not allow this now. Read it again: of an order, may lists what you can do.',
  insufficient_funds: 'wallet shows your credits. Nothing was spent.',
  publication_rights_required: 'Set rights to true only if you hold the rights to publish it.',
  publication_confirmation_required: 'Set publication_confirmed to true only if everyone may read it.',
  invalid_attachment: 'Upload the file with upload for this purpose, wait until it is ready, and name its file_id.',
  fault: 'Tell the owner. If the call should have changed something, look whether it did.',
  unsupported_media_type: 'Choose a file in one of the formats that the message names.',
  rate_limited: 'Wait, then call the tool again.',
}

/** A form may have many fields, and a caller may name others of any length. */
const mostSaid = 2_000

/** Some routes have codes of their own for a malformed field, which the message names too. */
const isMalformed = (error: unknown): boolean =>
  error instanceof KithError &&
  error.status === 400 &&
  error.fields.length > 0 &&
  /^(invalid|unknown)_/.test(error.code)

/** Any error as it is told. */
export function told(error: unknown): Told {
  if (error instanceof Refusal) return { code: error.code, message: error.message, next: error.next }
  const { code: found, message, hint, retry_after, exit_code } = failureOf(error)
  const code = found === 'usage' || isMalformed(error) ? 'invalid_input' : found
  if (error instanceof KithFormError)
    return {
      code: 'invalid_input',
      message: error.message.slice(0, mostSaid),
      next: 'services with action show has the form.',
    }
  // What mends a file is for the owner: a model deletes none.
  const isDamaged = error instanceof KithDamagedError
  const isFault = exit_code === 70 && !isDamaged
  const seconds = error instanceof KithError ? retry_after : undefined
  const next =
    seconds !== undefined
      ? `Wait ${seconds} seconds, then call the tool again.`
      : exit_code === exit.unknown
        ? 'Call the tool again with the same arguments, within 5 minutes: it goes on with this call, and nothing is done twice.'
        : (nexts[code] ?? (hint === undefined || isDamaged ? undefined : asCalled(hint).replaceAll('\n', '; ')))
  const usual =
    exit_code === exit.identity
      ? 'Tell the owner: no tool can mend this.'
      : 'Look at the current state with a list or show, then decide again.'
  return {
    code,
    message: isFault ? 'something went wrong on this machine; the error output of kith mcp says what' : message,
    next: next ?? usual,
  }
}
