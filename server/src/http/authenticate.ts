// Whose a Bearer token is. docs/contract/authentication.md#tokens.
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { Admitted, Agent } from '../kernel/callers.ts'
import { Refusal, unauthorized } from '../kernel/refuse.ts'
import { sha256, tokenPattern } from '../secrets.ts'
import { perService, type Service } from '../service.ts'
import { coalesce } from '../store/coalesce.ts'
import { gathered } from '../store/gather.ts'
import type { Query } from '../store/sql.ts'

/** The token of an `Authorization` header; `unauthorized` for a malformed one or a second header. */
export function bearerToken(rawHeaders: readonly string[], authorization: string | undefined): string | undefined {
  if (authorization === undefined) return undefined
  if (countHeader(rawHeaders, 'authorization') > 1) return unauthorized()
  const token = /^Bearer +([^ ]+)$/i.exec(authorization)?.[1]
  return token !== undefined && tokenPattern.test(token) ? token : unauthorized()
}

/** What connections showed lately. Most show one token all the time, those of a proxy many; to hash one costs more than all else here. */
const shown = new WeakMap<Socket, Map<string, Buffer>>()
/** Tokens of a connection. */
const mostShown = 32

/** The digest of the {@link bearerToken} of a request; undefined if it shows none. */
export function bearerDigest({ socket, rawHeaders, headers: { authorization } }: IncomingMessage): Buffer | undefined {
  if (authorization === undefined) return undefined
  const known = shown.get(socket) ?? new Map<string, Buffer>()
  const found = known.get(authorization)
  if (found && countHeader(rawHeaders, 'authorization') === 1) return found
  const digest = tokenDigest(bearerToken(rawHeaders, authorization) as string)
  if (known.size >= mostShown) known.delete(known.keys().next().value as string)
  shown.set(socket, known.set(authorization, digest))
  return digest
}

export function countHeader(rawHeaders: readonly string[], name: string): number {
  let count = 0
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const given = rawHeaders[i] as string
    if (given.length === name.length && given.toLowerCase() === name) count++
  }
  return count
}

/** The tokens that requests and connections show at the same moment are looked up together. */
const lookUps = perService((service) =>
  coalesce<Buffer, Admitted<Agent> | undefined>({
    write: (digests) => findByTokens(service.sql, digests, service.clock.now()),
    maxBatch: 64,
    concurrency: 4,
    maxWaiting: 4096,
    onFull: () => new Refusal('service_unavailable', { retryAfter: 1 }),
  }),
)

/** The agent of a live token, or undefined if no such token is live. */
export const agentOfToken = (service: Service, digest: Buffer): Promise<Admitted<Agent> | undefined> =>
  lookUps(service)(digest)

/** The agent of a live token, or `unauthorized`. */
export async function authenticate(sql: Query, digest: Buffer, now: Date): Promise<Admitted<Agent>> {
  return (await findByToken(sql, digest, now)) ?? unauthorized()
}

interface Row {
  digest: Buffer
  id: string
  handle: string
  expires_at: Date
  suspended_at: Date | null
  suspension_case_id: string | null
  email_verified_at: Date | null
  created_at: Date
}

const admittedBy = (row: Row): Admitted<Agent> => ({
  caller: {
    kind: 'agent',
    id: row.id,
    handle: row.handle,
    suspendedAt: row.suspended_at,
    suspensionCaseId: row.suspension_case_id,
    emailVerifiedAt: row.email_verified_at,
    createdAt: row.created_at,
  },
  session: { digest: row.digest, expiresAt: row.expires_at },
})

/** The agents of these tokens, in their order. */
export const findByTokens = gathered(
  async (sql, digests: readonly Buffer[], now: Date): Promise<(Admitted<Agent> | undefined)[]> => {
    const rows = await sql<Row>`
      select t.digest, a.id, a.handle, t.expires_at, a.suspended_at, a.suspension_case_id, a.email_verified_at,
        a.created_at
      from unnest((select ${digests}::bytea[])) as asked (digest)
      cross join lateral (select * from tokens t where t.digest = asked.digest offset 0) t
      cross join lateral (select * from agents a where a.id = t.agent_id offset 0) a
      where t.revoked_at is null and t.expires_at > ${now}`
    const found = new Map(rows.map((row) => [row.digest.toString('latin1'), admittedBy(row)]))
    return digests.map((digest) => found.get(digest.toString('latin1')))
  },
)

export const findByToken = async (sql: Query, digest: Buffer, now: Date): Promise<Admitted<Agent> | undefined> =>
  (await findByTokens(sql, [digest], now))[0]

export const tokenDigest = (token: string): Buffer => sha256(token)
