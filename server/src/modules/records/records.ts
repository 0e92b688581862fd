// The signed record of an agent: what this server says of it, for others to check without asking it. As a W3C Verifiable
// Credential 2.0 with a Data Integrity proof, `eddsa-jcs-2022`. docs/contract/record.md.
import { after, days } from '../../kernel/clock.ts'
import { sha256 } from '../../secrets.ts'
import type { Service } from '../../service.ts'
import { canonical } from '../../store/once.ts'
import type { Query, Tx } from '../../store/sql.ts'
import { type AgentRow, passport } from '../identity/passport.ts'
import { totalsOf } from '../posts/listing.ts'
import { list as reviewsOf, type Signed } from '../reviews/reviews.ts'
import { showReview } from '../reviews/shapes.ts'
import { statsOf } from '../reviews/stats.ts'
import { didOf, keyIdOf } from './did.ts'
import { keyInUse, multikeyOf, type SigningKey } from './keys.ts'
import { multibase } from './multibase.ts'

const lifetime = days(90)
/** A record names so many of the newest reviews. */
export const mostReviews = 100

/** The terms of a credential, and for all others that no vocabulary defines them. */
const context = [
  'https://www.w3.org/ns/credentials/v2',
  'https://www.w3.org/ns/credentials/undefined-terms/v2',
] as const

/** The record of an agent whose profile is open. */
export async function recordOf(tx: Tx, service: Pick<Service, 'publicUrl' | 'secrets'>, agent: AgentRow) {
  const [{ stats }, works, reviews, key] = await Promise.all([
    statsOf(tx, tx.now, agent.id),
    totalsOf(tx, agent.id, undefined),
    reviewsOf(tx, tx.now, agent.id, { role: undefined, page: 1, page_size: mostReviews }),
    keyInUse(tx, service.secrets),
  ])
  const digests = await orderDigests(tx, agent.id, reviews.rows)
  const { publicUrl } = service
  const { id, handle, display_name, encryption_public_key, encryption_key_fingerprint, created_at } = passport(agent)
  const issuer = didOf(publicUrl)
  const from = signedAt(tx.now, [agent.updated_at, key.createdAt, ...reviews.rows.map((review) => review.created_at)])
  const credential = {
    '@context': context,
    type: ['VerifiableCredential', 'AgentRecord'],
    issuer,
    description: descriptionOf(publicUrl, handle, reviews),
    validFrom: from.toISOString(),
    validUntil: after(from, lifetime).toISOString(),
    credentialSubject: {
      id: `${publicUrl}/agents/${handle}`,
      type: 'Agent',
      passport_id: id,
      handle,
      display_name,
      encryption_public_key,
      fingerprint: encryption_key_fingerprint,
      registered_at: created_at,
      orders_completed: stats.as_contractor.completed + stats.as_customer.completed,
      disputes_lost: stats.as_contractor.disputes_lost,
      works: works.public,
      reviews: reviews.rows.map((row) => {
        const { rating, text, created_at, author, same_owner } = showReview(row)
        const digest = digests.get(row.id) as string
        return { rating, text, created_at, author, order_digest: digest, ...(same_owner && { same_owner }) }
      }),
    },
  }
  return { ...credential, proof: prove(credential, { key, issuer, created: from }) }
}

export type AgentRecord = Awaited<ReturnType<typeof recordOf>>

/** The bytes of a record as they are served: canonical JSON, so that their SHA-256 is the fingerprint of the record. */
export const recordBytes = (record: AgentRecord): Buffer => Buffer.from(canonical(record))

/**
 * When a record was signed: at the beginning of the day in UTC, or at the last known change since. So a record that says the same
 * is the same bytes all day, on every node.
 */
function signedAt(now: Date, changes: readonly Date[]): Date {
  const known = changes.filter((change) => change <= now).map((change) => change.getTime())
  return new Date(Math.max(new Date(now).setUTCHours(0, 0, 0, 0), ...known))
}

const descriptionOf = (
  publicUrl: string,
  handle: string,
  { rows, total }: { rows: readonly Signed[]; total: number },
) =>
  [
    `What ${publicUrl} says about its agent @${handle}.`,
    'It does not say that the reviewers are honest.',
    ...(total > rows.length ? [`It has the newest ${rows.length} of ${total} reviews.`] : []),
  ].join(' ')

/**
 * For each of these reviews the digest of its order: who knows the order can tell that it is the one, and nobody else learns
 * its ID, or which two reviews of different agents are about one order.
 */
async function orderDigests(sql: Query, agentId: string, reviews: readonly Signed[]): Promise<Map<string, string>> {
  const rows = await sql<{ id: string; order_id: string }>`
    select id, order_id from reviews where id = any(${reviews.map(({ id }) => id)}::uuid[])`
  return new Map(rows.map(({ id, order_id }) => [id, sha256(`${agentId}:${order_id}`).toString('hex')]))
}

/** A Data Integrity proof (https://www.w3.org/TR/vc-di-eddsa/#eddsa-jcs-2022). */
function prove(
  credential: { '@context': readonly string[] },
  { key, issuer, created }: { key: SigningKey; issuer: string; created: Date },
) {
  const config = {
    type: 'DataIntegrityProof',
    cryptosuite: 'eddsa-jcs-2022',
    created: created.toISOString(),
    verificationMethod: keyIdOf(issuer, multikeyOf(key.publicKey)),
    proofPurpose: 'assertionMethod',
    '@context': credential['@context'],
  }
  const signature = key.sign(Buffer.concat([sha256(canonical(config)), sha256(canonical(credential))]))
  return { ...config, proofValue: multibase(signature) }
}
