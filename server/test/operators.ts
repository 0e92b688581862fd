// Operators in the console: a session by rows, as a passkey begins it, and what a browser of it sends.
import { randomBytes, randomUUID } from 'node:crypto'
import { cookieName, csrfToken } from '../src/http/cookies.ts'
import { after } from '../src/kernel/clock.ts'
import { newSecret } from '../src/operator/accounts/secret.ts'
import { sessionLifetime } from '../src/operator/accounts/sessions.ts'
import { sha256 } from '../src/secrets.ts'
import { asBrowser } from './pages.ts'
import type { World } from './world.ts'

export interface OperatorSession {
  id: string
  email: string
  /** `name=value`. */
  cookie: string
  /** What its forms carry as `csrf_token`. */
  formToken: string
  /** Of a browser that opens a page. */
  headers: { accept: string; cookie: string }
}

/** An operator who is signed in; the same one again for the same email. */
export async function operatorSession(
  w: World,
  email: string,
  level: 'link' | 'passkey' = 'passkey',
): Promise<OperatorSession> {
  const secret = newSecret()
  const digest = sha256(secret)
  await w.sql`
    insert into operators (id, email, created_at) values (${randomUUID()}, ${email}, ${w.now()}) on conflict do nothing`
  const [made] = await w.sql<{ id: string }>`
    insert into operator_sessions (id, digest, operator_id, level, passkey_id, created_at, used_at, expires_at)
    select ${randomUUID()}, ${digest}, id, ${level}, null, ${w.now()}, ${w.now()}, ${after(w.now(), sessionLifetime)}
    from operators where email = ${email} returning operator_id as id`
  const { secrets, publicUrl } = w.service
  const cookie = `${cookieName('operator', publicUrl)}=${secret}`
  return {
    id: made?.id as string,
    email,
    cookie,
    formToken: csrfToken(secrets, 'operator', digest),
    headers: { ...asBrowser, cookie },
  }
}

/** An operator who is signed in with the first of two passkeys, which have this name. */
export async function namedPasskey(w: World, name: string): Promise<OperatorSession> {
  const session = await operatorSession(w, `o${randomUUID().slice(0, 8)}@operators.example`)
  const made: string[] = []
  for (let each = 0; each < 2; each++) {
    const id = randomUUID()
    await w.sql`
      insert into operator_passkeys (id, operator_id, credential_id, public_key, counter, transports, name, created_at)
      values (${id}, ${session.id}, ${randomBytes(16)}, ${randomBytes(16)}, 0, '{}', ${name}, ${w.now()})`
    made.push(id)
  }
  await w.sql`update operator_sessions set passkey_id = ${made[0]} where operator_id = ${session.id}`
  return session
}
