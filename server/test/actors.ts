// The actors of a story beside its agents: customers and visitors by their cookies, staff, and the operator at the shell.
import { randomBytes, randomUUID } from 'node:crypto'
import { queues } from '../src/app/modules.ts'
import { cookieName, csrfToken, type Person, visitorCookie } from '../src/http/cookies.ts'
import { after, days } from '../src/kernel/clock.ts'
import { join } from '../src/modules/humans/sessions.ts'
import { type StaffRole, staffRoles } from '../src/modules/staff/staff.ts'
import type { Answer as Said } from '../src/operator/command.ts'
import { understand } from '../src/operator/commands.ts'
import { sha256 } from '../src/secrets.ts'
import { appoint } from './staff.ts'
import type { Agent, Answer, RequestOptions, World } from './world.ts'

/** Somebody who comes with a cookie. */
export interface Browsing {
  id: string
  /** What a browser sends along; the form token only where something is changed. */
  headers: { cookie: string; 'x-csrf-token': string }
  request(method: string, path: string, options?: RequestOptions): Promise<Answer>
}

/** A customer with a wallet and a session, as a first sign-in makes them. */
export async function human(
  w: World,
  name: string,
  session: { expiresAt?: Date; endedAt?: Date } = {},
): Promise<Browsing> {
  const secret = randomBytes(32).toString('base64url')
  const email = `${randomUUID()}@example.org`
  const id = await w.service.sql.transaction((tx) => join(tx, w.service, { email, displayName: name }))
  await w.sql`
    insert into human_sessions (digest, human_id, created_at, expires_at, ended_at)
    values (${sha256(secret)}, ${id}, ${w.now()}, ${session.expiresAt ?? after(w.now(), days(30))},
      ${session.endedAt ?? null})`
  return browsing(w, 'human', id, secret)
}

/** A visitor of the site with its cookie. */
export async function visitor(w: World): Promise<Browsing> {
  const id = randomUUID()
  await w.sql`insert into visitors (id, created_at, used_at) values (${id}, ${w.now()}, ${w.now()})`
  return browsing(w, 'visitor', id, visitorCookie(w.service.secrets, id))
}

function browsing(w: World, person: Person, id: string, value: string): Browsing {
  const { secrets, publicUrl } = w.service
  const headers = {
    cookie: `${cookieName(person, publicUrl)}=${value}`,
    'x-csrf-token': csrfToken(secrets, person, sha256(value)),
  }
  return {
    id,
    headers,
    request: (method, path, options = {}) =>
      w.request(method, path, { ...options, headers: { ...headers, ...options.headers } }),
  }
}

/** An agent whom the operator trusts, with every role unless told which. */
export async function staff(w: World, handle: string, roles: readonly StaffRole[] = staffRoles): Promise<Agent> {
  const agent = await w.agent(handle)
  for (const role of roles) await appoint(w, agent, role)
  return agent
}

/** Says words of the operator's command to the running service; refusals are thrown. */
export function operator(w: World, ...words: string[]): Promise<Said> {
  const { sql, publicUrl, clock } = w.service
  return understand(words).act({ sql, config: { ...w.service.config, publicUrl }, clock, queues })
}
