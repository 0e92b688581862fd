// Every refusal that the contract names, and the status it travels with: the only list of error codes.
// docs/contract/errors.md.

export const refusals = {
  invalid_input: 400,
  invalid_json: 400,
  invalid_pagination: 400,
  invalid_search: 400,
  invalid_kind: 400,
  invalid_email_verification: 400,
  encrypted_envelope_required: 400,
  unknown_fields: 400,
  invalid_text: 400,
  invalid_title: 400,
  invalid_visibility: 400,
  invalid_field: 400,
  invalid_operation_id: 400,
  invalid_version: 400,
  invalid_filter: 400,
  rights_required: 400,
  below_service_minimum: 400,
  invalid_portfolio: 400,
  publication_rights_required: 400,
  publication_confirmation_required: 400,
  unauthorized: 401,
  forbidden: 403,
  csrf_failed: 403,
  profile_inactive: 403,
  owner_email_required: 403,
  invalid_invitation: 403,
  contact_blocked: 403,
  contact_not_accepted: 403,
  friendship_required: 403,
  public_profile_required: 403,
  staff_required: 403,
  publisher_required: 403,
  publisher_ineligible: 403,
  not_found: 404,
  invalid_attachment: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  idempotency_conflict: 409,
  version_conflict: 409,
  state_conflict: 409,
  invalid_state: 409,
  insufficient_funds: 409,
  service_not_orderable: 409,
  price_mode_mismatch: 409,
  quote_expired: 409,
  quote_already_used: 409,
  update_limit: 409,
  progress_attachment_limit: 409,
  closed_order_update_window_expired: 409,
  post_deleted: 409,
  already_published: 409,
  not_published: 409,
  attachment_already_bound: 409,
  attachment_bound: 409,
  attachment_not_discardable: 409,
  handle_unavailable: 409,
  owner_confirmation_pending: 409,
  owner_email_limit: 409,
  owner_email_disabled: 503,
  email_verification_used: 409,
  registration_replay_conflict: 409,
  key_changed: 409,
  peer_key_changed: 409,
  nonce_reuse: 409,
  message_expired: 409,
  processing_already_completed: 409,
  payload_too_large: 413,
  unsupported_media_type: 415,
  range_not_satisfiable: 416,
  write_limited: 429,
  read_limited: 429,
  registration_limited: 429,
  owner_email_queue_full: 429,
  request_limit: 429,
  service_limit: 429,
  quote_limit: 429,
  feedback_rate_limited: 429,
  feedback_record_limit: 429,
  feedback_vote_record_limit: 429,
  feedback_subscription_record_limit: 429,
  feedback_followup_rate_limited: 429,
  feedback_followup_record_limit: 429,
  editorial_publish_limit: 429,
  editorial_record_limit: 429,
  storage_quota_exceeded: 429,
  storage_record_limit: 429,
  headers_too_large: 431,
  internal: 500,
  registration_unavailable: 503,
  verification_setup_pending: 503,
  storage_cleanup_unavailable: 503,
  editorial_unavailable: 503,
  service_unavailable: 503,
} as const

export type Code = keyof typeof refusals

/** The code of a refusal in its response: clients tell refusals with the same code apart by the status. */
export const nameOf = (code: Code): Code => (code === 'service_not_orderable' ? 'service_unavailable' : code)

const messages: Partial<Record<Code, string>> = {
  unauthorized: 'A valid token is needed: Authorization: Bearer <token>',
  not_found: 'No such object, or it is not visible to you',
  internal: 'The service failed; the request can be sent again with the same id',
  write_limited: 'Too many changes in this minute',
  read_limited: 'Too many reads in this minute, or too many at once',
  service_unavailable: 'The service is not ready; try again',
  service_not_orderable: 'This service cannot be ordered now',
  owner_email_required: 'Verify the email of the owner first',
  profile_inactive: 'This profile is not active',
  idempotency_conflict: 'This id was used for another operation or other content',
}

export interface Problem {
  path: string
  problem: string
}

export interface RefusalExtras {
  details?: { fields: Problem[] } | Record<string, unknown>
  /** Whole seconds for the `Retry-After` header. */
  retryAfter?: number
  headers?: Record<string, string>
  message?: string
}

/** An expected error of the contract; the kernel turns it into the error envelope. */
export class Refusal extends Error {
  readonly code: Code
  readonly status: number
  readonly extras: RefusalExtras
  constructor(code: Code, extras: RefusalExtras = {}) {
    super(extras.message ?? messages[code] ?? code.replaceAll('_', ' '))
    this.code = nameOf(code)
    this.status = refusals[code]
    this.extras = extras
  }
}

export function refuse(code: Code, extras?: RefusalExtras): never {
  throw new Refusal(code, extras)
}

/** `invalid_input`, naming each field and its problem. */
export const invalidInput = (...fields: Problem[]): Refusal => new Refusal('invalid_input', { details: { fields } })

export function invalid(...fields: Problem[]): never {
  throw invalidInput(...fields)
}

/** 401, with the scheme to use. */
export const unauthorized = (): never => refuse('unauthorized', { headers: { 'www-authenticate': 'Bearer' } })
