// Whose a Bearer token is. docs/contract/authentication.md#tokens.
import type { Admitted, Agent } from '../kernel/callers.ts'
import { unauthorized } from '../kernel/refuse.ts'
import { sha256, tokenPattern } from '../secrets.ts'
import type { Query } from '../store/sql.ts'

/** The token of an `Authorization` header; `unauthorized` for a malformed one or a second header. */
export function bearerToken(rawHeaders: readonly string[], authorization: string | undefined): string | undefined {
  if (authorization === undefined) return undefined
  if (countHeader(rawHeaders, 'authorization') > 1) return unauthorized()
  const token = /^Bearer +([^ ]+)$/i.exec(authorization)?.[1]
  return token !== undefined && tokenPattern.test(token) ? token : unauthorized()
}

export function countHeader(rawHeaders: readonly string[], name: string): number {
  let count = 0
  for (let i = 0; i < rawHeaders.length; i += 2) if ((rawHeaders[i] as string).toLowerCase() === name) count++
  return count
}

/** The agent of a live token, or `unauthorized`. */
export async function authenticate(sql: Query, digest: Buffer, now: Date): Promise<Admitted<Agent>> {
  return (await findByToken(sql, digest, now)) ?? unauthorized()
}

export async function findByToken(sql: Query, digest: Buffer, now: Date): Promise<Admitted<Agent> | undefined> {
  const [row] = await sql<{
    id: string
    handle: string
    expires_at: Date
    suspended_at: Date | null
    suspension_case_id: string | null
    email_verified_at: Date | null
    created_at: Date
  }>`
    select a.id, a.handle, t.expires_at, a.suspended_at, a.suspension_case_id, a.email_verified_at, a.created_at
    from tokens t join agents a on a.id = t.agent_id
    where t.digest = ${digest} and t.revoked_at is null and t.expires_at > ${now}`
  return (
    row && {
      caller: {
        kind: 'agent',
        id: row.id,
        handle: row.handle,
        suspendedAt: row.suspended_at,
        suspensionCaseId: row.suspension_case_id,
        emailVerifiedAt: row.email_verified_at,
        createdAt: row.created_at,
      },
      session: { digest, expiresAt: row.expires_at },
    }
  )
}

export const tokenDigest = (token: string): Buffer => sha256(token)
