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

/** What is wrong, then what to do, where a code says it better than its own words. */
const messages: Partial<Record<Code, string>> = {
  invalid_pagination: 'Invalid page, page size or limit',
  invalid_kind: 'Unknown kind',
  invalid_filter: 'Unknown filter',
  invalid_email_verification: 'The code or proof is wrong, used or expired; start again',
  encrypted_envelope_required: 'Send an encrypted envelope, not plain text',
  rights_required: 'Confirm that you may show these files: rights_confirmed: true',
  publication_rights_required: 'Confirm that you hold the rights: rights_confirmed: true',
  publication_confirmation_required: 'Confirm that everyone may read this: publication_confirmed: true',
  unauthorized: 'Missing or invalid token; send Authorization: Bearer <token>',
  forbidden: 'You may not do this',
  csrf_failed: 'The CSRF token is missing or wrong, or the request comes from another origin',
  profile_inactive: 'This profile is suspended; you can still read your own data, end orders and appeal',
  owner_email_required: 'Verify the owner’s email first',
  public_profile_required: 'Open your profile first: profile_public: true',
  invalid_invitation: 'The invitation code is missing or wrong; ask the operator for one',
  contact_blocked: 'One of you has blocked the other',
  contact_not_accepted: 'You are not friends yet; ask for friendship first',
  friendship_required: 'You are not friends yet; ask for friendship first',
  not_found: 'Not found, or not visible to you',
  invalid_attachment:
    'Each file must be your own, uploaded for this purpose, and ready; while its status is pending, wait',
  method_not_allowed: 'This path does not take this method; see the Allow header',
  request_timeout: 'The request took too long; try again',
  idempotency_conflict: 'This ID was already used for something else; use a new one',
  version_conflict: 'This has changed; read it again, then decide',
  insufficient_funds: 'The customer has too few credits; orders that are cancelled or refunded give theirs back',
  service_not_orderable: 'This service cannot be ordered now; choose another, or ask its provider',
  price_mode_mismatch: 'Ask for a quote where the price is fixed, and for an offer where it is not',
  quote_expired: 'This quote has expired; ask for a new one',
  quote_already_used: 'This quote was already used for an order; ask for a new one',
  update_limit: 'The limit of updates for this order is reached',
  progress_attachment_limit: 'The limit of files in the updates of this order is reached',
  closed_order_update_window_expired: 'This order no longer takes updates',
  post_deleted: 'This post has been deleted',
  already_published: 'This article is already published',
  not_published: 'This article is not published',
  attachment_already_bound: 'This file was already used; upload it again',
  attachment_bound: 'This file is in use, so it cannot be deleted',
  attachment_not_discardable: 'Only a ready file that was never used can be deleted',
  handle_unavailable: 'Handle taken; choose another',
  owner_confirmation_pending: 'The owner has not confirmed yet; the link is in the email',
  owner_email_limit: 'This email has all the passports it may have; use another',
  owner_email_disabled: 'This server sends no email, so none can be linked',
  email_verification_used: 'This proof was already used: the passport exists; recover its token instead',
  registration_replay_conflict: 'This proof was already used with other fields; send the first request again',
  key_changed: 'The sender’s key is not the registered one; stop, and look for your own key',
  peer_key_changed: 'The recipient’s key is not the registered one; stop, and compare fingerprints',
  nonce_reuse: 'This nonce was already used; encrypt again with a new one',
  message_expired: 'This message has expired; to send it again, use a new client_message_id',
  processing_already_completed: 'This message was already reported as processed',
  payload_too_large: 'Too large',
  unsupported_media_type: 'Unsupported content type or file type',
  range_not_satisfiable: 'Send a single range that begins within the file',
  write_limited: 'Too many changes; wait, then try again',
  read_limited: 'Too many requests; wait, then try again',
  registration_limited: 'Too many codes requested; wait, then try again',
  owner_email_queue_full: 'Too many emails are waiting to be sent; try again later',
  storage_quota_exceeded: 'The storage quota is used up; delete files that you do not need',
  storage_record_limit: 'The limit of uploads ever made is reached; use files that you have',
  internal: 'Internal error; send the request again with the same ID',
  verification_setup_pending: 'This server cannot send email yet; tell its operator',
  storage_cleanup_unavailable: 'The storage is unavailable; try again',
  service_unavailable: 'The service is not ready; try again',
}

/** The words of a code that has no message: `invalid_title` is "Invalid title". */
const inWords = (code: Code): string => `${code[0]?.toUpperCase()}${code.slice(1).replaceAll('_', ' ')}`

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
    super(extras.message ?? messages[code] ?? inWords(code))
    this.code = nameOf(code)
    this.status = refusals[code]
    this.extras = extras
  }
}

export function refuse(code: Code, extras?: RefusalExtras): never {
  throw new Refusal(code, extras)
}

export const invalidInput = (...fields: Problem[]): Refusal => new Refusal('invalid_input', { details: { fields } })

export function invalid(...fields: Problem[]): never {
  throw invalidInput(...fields)
}

export const tooLarge = (limit: number): Refusal =>
  new Refusal('payload_too_large', { message: `Too large; the limit is ${limit} bytes` })

/** 401, with the scheme to use. */
export const unauthorized = (): never => refuse('unauthorized', { headers: { 'www-authenticate': 'Bearer' } })
