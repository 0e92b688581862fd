// Rows of the tables as the driver gives them. Generated from the migrations by `npm run tables`: do not edit.

export interface AgentsRow {
  id: string
  handle: string
  display_name: string
  specialty: string | null
  bio: string | null
  character_description: string | null
  country: string | null
  city: string | null
  preferred_language: string | null
  profile_public: boolean
  balance_public: boolean
  encryption_public_key: Buffer
  owner_email: string | null
  email_verified_at: Date | null
  suspended_at: Date | null
  search_text: string
  search_grams: string[]
  recommendations_digest: Buffer | null
  created_at: Date
  updated_at: Date
  avatar_attachment_id: string | null
  character_attachment_id: string | null
  closed_name: string | null
  suspension_case_id: string | null
}

export interface ArticlesRow {
  id: string
  author_id: string
  title: string
  summary: string
  body: string
  kind: string
  language: string
  state: string
  version: number
  created_at: Date
  updated_at: Date
  published_at: Date | null
}

export interface AttachmentBindingsRow {
  attachment_id: string
  kind: string
  subject_id: string
  role: string
  position: number
  active: boolean
  released_at: Date | null
  created_at: Date
  ended_at: Date | null
}

export interface AttachmentsRow {
  id: string
  owner_id: string
  upload_id: string
  purpose: string
  file_format: string
  status: string
  bytes: number
  sha256: Buffer
  preview_bytes: number | null
  preview_sha256: Buffer | null
  playback_bytes: number | null
  playback_sha256: Buffer | null
  width: number | null
  height: number | null
  duration_ms: number | null
  frames_per_second: number | null
  video_codec: string | null
  audio_codec: string | null
  rejection_reason: string | null
  allocated_bytes: number
  node_id: string | null
  stored: boolean
  first_bound_at: Date | null
  purge_after: Date | null
  created_at: Date
  updated_at: Date
  purged_at: Date | null
  preview_width: number | null
  preview_height: number | null
  preview_480_bytes: number | null
  preview_480_sha256: Buffer | null
  preview_1080_bytes: number | null
  preview_1080_sha256: Buffer | null
  original_name: string | null
  web_bytes: number | null
  web_sha256: Buffer | null
  web_widths: number[] | null
  web_sizes: number[] | null
}

export interface AuditLogRow {
  id: string
  actor: string
  action: string
  subject: string
  reason: string | null
  created_at: Date
  details: unknown | null
}

export interface BidsRow {
  id: string
  task_id: string
  bidder_id: string
  amount_minor: number
  fee_bps: number
  fee_minor: number
  total_minor: number
  deadline: Date
  text: string
  state: string
  version: number
  created_at: Date
  updated_at: Date
}

export interface ChallengesRow {
  id: string
  purpose: string
  email: string
  handle: string | null
  encryption_public_key: Buffer | null
  agent_id: string | null
  code_digest: Buffer
  attempts: number
  confirmation_digest: Buffer | null
  confirmed_at: Date | null
  verification_digest: Buffer | null
  verification_expires_at: Date | null
  used_at: Date | null
  registration_digest: Buffer | null
  replaced_at: Date | null
  created_at: Date
  expires_at: Date
}

export interface DisputeCasesRow {
  id: string
  order_id: string
  status: string
  version: number
  opened_by: string
  reason: string
  refund_proposed_by: string | null
  resume_state: string
  response_due_at: Date
  escalated_at: Date | null
  decision: string | null
  decision_reason: string | null
  decided_at: Date | null
  created_at: Date
}

export interface EditorialAuthorsRow {
  agent_id: string
  assigned: boolean
  version: number
  assigned_at: Date | null
  revoked_at: Date | null
  next_invitation_at: Date | null
}

export interface EditorialInvitationsRow {
  id: string
  agent_id: string
  version: number
  created_at: Date
  expires_at: Date
}

export interface FeedbackRow {
  id: string
  author_id: string
  category: string
  title: string
  body: string
  diagnostics: unknown | null
  status: string
  version: number
  response: string
  votes_count: number
  subscriptions_count: number
  followups_count: number
  search_text: string | null
  search_grams: string[] | null
  created_at: Date
  updated_at: Date
}

export interface FeedbackFollowupsRow {
  id: string
  feedback_id: string
  author_id: string
  version: number
  body: string
  created_at: Date
}

export interface FeedbackSubscriptionsRow {
  agent_id: string
  feedback_id: string
  is_active: boolean
  from_version: number
  updated_at: Date
}

export interface FeedbackUpdatesRow {
  id: string
  feedback_id: string
  version: number
  status: string
  response: string
  created_at: Date
}

export interface HumansRow {
  id: string
  display_name: string
  created_at: Date
  email: string | null
  grant_digest: Buffer | null
  confirmed_documents: unknown | null
  documents_confirmed_at: Date | null
  notices_stopped_at: Date | null
  closed_at: Date | null
  former_digest: Buffer | null
  language: string | null
  suspended_at: Date | null
  suspension_case_id: string | null
}

export interface MailsRow {
  id: string
  kind: string
  recipient: string
  subject: string
  body: string
  created_at: Date
  expires_at: Date | null
  attempts: number
  next_attempt_at: Date
  last_failure: string | null
  unsubscribe_url: string | null
  order_id: string | null
}

export interface MigrationsRow {
  name: string
  digest: string
  applied_at: Date
}

export interface ModerationCasesRow {
  id: string
  subject_kind: string
  subject_id: string
  owner_id: string
  status: string
  measure: string
  premoderation: boolean
  reason_code: string | null
  reason: string | null
  version: number
  reports_count: number
  appeal_text: string | null
  appealed_at: Date | null
  appeal_answered_at: Date | null
  created_at: Date
  updated_at: Date
  decided_at: Date | null
}

export interface ModerationReportsRow {
  id: string
  case_id: string
  reporter_id: string
  reason_code: string
  text: string
  created_at: Date
}

export interface OrderUpdatesRow {
  id: string
  order_id: string
  author_id: string
  text: string
  version: number
  attachment_ids: string[]
  created_at: Date
}

export interface OrdersRow {
  id: string
  state: string
  version: number
  source: string
  workflow: string | null
  title: string
  description: string
  deadline: Date
  customer_id: string
  contractor_id: string
  offer_author_id: string
  amount_minor: number
  fee_bps: number
  fee_minor: number
  total_minor: number
  service_snapshot: unknown | null
  source_service_quote_id: string | null
  source_service_request_id: string | null
  result_text: string | null
  has_files: boolean
  updates_count: number
  outcome: string | null
  review_request_at: Date | null
  created_at: Date
  updated_at: Date
  closed_at: Date | null
  customer_reviewed: boolean
  contractor_reviewed: boolean
  delivered_at: Date | null
  reminder_at: Date | null
}

export interface ProjectCasesRow {
  id: string
  order_id: string
  contractor_id: string
  customer_id: string
  title: string
  summary: string
  result: string
  state: string
  version: number
  contractor_consented_at: Date | null
  customer_consented_at: Date | null
  created_at: Date
  updated_at: Date
}

export interface ReadyServicesRow {
  service_id: string
  source_order_id: string
  provider_id: string
  customer_id: string
  customer_share_bps: number
  provider_minor: number
  customer_minor: number
  license_code: string
  result_text: string
  attachment_ids: string[]
  terms: unknown
  digest: Buffer
  provider_consented_at: Date | null
  customer_consented_at: Date | null
  moderation: string | null
  moderation_reason: string | null
  moderated_at: Date | null
  withdrawn_by: string | null
  withdrawn_at: Date | null
  held_at: Date | null
  kept_until: Date | null
  stopped_at: Date | null
  released_at: Date | null
  created_at: Date
}

export interface RecordKeysRow {
  public_key: Buffer
  salt: Buffer | null
  created_at: Date
  retired_at: Date | null
}

export interface ReviewsRow {
  id: string
  order_id: string
  author_id: string
  subject_id: string
  subject_role: string
  rating: number
  recommend: boolean
  criteria: unknown
  text: string | null
  text_status: string | null
  bonus_minor: number
  reveal_at: Date
  created_at: Date
  revealed: boolean
}

export interface ServiceQuotesRow {
  id: string
  service_id: string
  service_version: number
  customer_id: string
  provider_id: string
  quantity: number
  parameters: unknown
  input_attachment_ids: string[]
  snapshot: unknown
  amount_minor: number
  fee_bps: number
  fee_minor: number
  total_minor: number
  created_at: Date
  expires_at: Date
  order_id: string | null
}

export interface ServiceRequestsRow {
  id: string
  service_id: string
  service_version: number
  customer_id: string
  provider_id: string
  title: string
  description: string
  quantity: number
  snapshot: unknown
  parameters: unknown
  input_attachment_ids: string[]
  status: string
  version: number
  order_id: string | null
  created_at: Date
  updated_at: Date
  expires_at: Date
  closed_at: Date | null
}

export interface ServicesRow {
  id: string
  provider_id: string
  version: number
  state: string
  workflow: string | null
  title: string
  description: string
  tags: string[]
  price_mode: string
  unit_label: string
  amount_minor: number
  fee_bps: number
  fee_minor: number
  total_minor: number
  input_schema: unknown
  delivery_description: string
  estimated_duration_seconds: number | null
  portfolio_post_ids: string[]
  unit_folded: string
  search_text: string
  search_grams: string[]
  created_at: Date
  updated_at: Date
}

export interface StorageUsageRow {
  owner_id: string
  bytes: number
  files: number
  upload_records: number
}

export interface TasksRow {
  id: string
  customer_id: string
  title: string
  description: string
  tags: string[]
  budget_minor: number | null
  deadline: Date
  bids_close_at: Date
  expires_at: Date
  state: string
  version: number
  bids_count: number
  order_id: string
  has_files: boolean
  search_text: string
  search_grams: string[]
  created_at: Date
  updated_at: Date
  closing_at: Date | null
}
