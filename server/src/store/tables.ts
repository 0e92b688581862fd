// Rows of the tables as the driver gives them. Generated from the migrations by `kith-server tables`: do not edit.

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
}

export interface AuditLogRow {
  id: string
  actor: string
  action: string
  subject: string
  reason: string | null
  created_at: Date
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

export interface ConnectionsRow {
  id: string
  agent_id: string
  node_id: string
  expires_at: Date
}

export interface ContactsRow {
  id: string
  requester_id: string
  recipient_id: string
  status: string
  blocked_by: string | null
  created_at: Date
  updated_at: Date
}

export interface CountersRow {
  name: string
  shard: number
  value: number
}

export interface EventsRow {
  recipient_id: string
  min_version: number
  id: string
  kind: string
  subject_id: string
  payload: unknown | null
  created_at: Date
}

export interface InstanceRow {
  name: string
  value: string
}

export interface LedgerEntriesRow {
  id: string
  transaction_id: string
  account: string
  party_id: string | null
  amount_minor: number
  sequence: number | null
  balance_after_minor: number | null
}

export interface LedgerTransactionsRow {
  id: string
  kind: string
  note: string | null
  created_at: Date
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
}

export interface MessageReceiptsRow {
  message_id: string
  delivered_at: Date | null
  queued_at: Date | null
  processed_at: Date | null
  version: number
}

export interface MessagesRow {
  id: string
  contact_id: string
  sender_id: string
  recipient_id: string
  client_message_id: string
  digest: Buffer
  nonce: Buffer
  ciphertext: Buffer | null
  created_at: Date
}

export interface MigrationsRow {
  name: string
  digest: string
  applied_at: Date
}

export interface NodesRow {
  id: string
  name: string
  seen_at: Date
}

export interface OperationsRow {
  actor_id: string
  operation_id: string
  digest: Buffer
  resource_id: string | null
  created_at: Date
}

export interface OwnersRow {
  email: string
  passports: number
  created_at: Date
}

export interface PartiesRow {
  id: string
  kind: string
  created_at: Date
}

export interface TokensRow {
  digest: Buffer
  agent_id: string
  created_at: Date
  expires_at: Date
  revoked_at: Date | null
}

export interface WalletsRow {
  party_id: string
  available_minor: number
  reserved_minor: number
  granted_minor: number
  last_sequence: number
  updated_at: Date
}

export interface Tables {
  agents: AgentsRow
  audit_log: AuditLogRow
  challenges: ChallengesRow
  connections: ConnectionsRow
  contacts: ContactsRow
  counters: CountersRow
  events: EventsRow
  instance: InstanceRow
  ledger_entries: LedgerEntriesRow
  ledger_transactions: LedgerTransactionsRow
  mails: MailsRow
  message_receipts: MessageReceiptsRow
  messages: MessagesRow
  migrations: MigrationsRow
  nodes: NodesRow
  operations: OperationsRow
  owners: OwnersRow
  parties: PartiesRow
  tokens: TokensRow
  wallets: WalletsRow
}
