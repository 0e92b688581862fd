// An operator at the console, for stories: pages as they are read, and forms as they are sent.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { type OperatorSession, operatorSession } from './operators.ts'
import { assertPage, type PageAnswer, sendForm, visit } from './pages.ts'
import type { World } from './world.ts'

export interface Console extends OperatorSession {
  actor: string
  /** A page that is there. */
  read(path: string): Promise<string>
  /** Sends a form of a page; the answer as it comes. */
  send(path: string, fields: Readonly<Record<string, string>>): Promise<PageAnswer>
  /** Sends a form that must be done. */
  act(path: string, fields: Readonly<Record<string, string>>): Promise<void>
  /** Sends a form that must be refused; the page that says why. */
  refused(path: string, fields: Readonly<Record<string, string>>): Promise<string>
}

export async function atConsole(w: World, email: string): Promise<Console> {
  const session = await operatorSession(w, email)
  const origins = { publicUrl: w.url, elsewhere: ['https://pills.example/buy'] }
  const sees = (answer: PageAnswer): string => {
    assertPage(answer.text, origins)
    return answer.text
  }
  const send: Console['send'] = (path, fields) =>
    sendForm(w.url, path, {
      body: String(
        new URLSearchParams({
          csrf_token: session.formToken,
          operation_id: randomUUID(),
          reason: 'So it is',
          ...fields,
        }),
      ),
      headers: { cookie: session.cookie, origin: new URL(w.service.publicUrl).origin },
    })
  return {
    ...session,
    actor: `operator:${email}`,
    send,
    async read(path) {
      const answer = await visit(w.url, path, { headers: session.headers })
      assert.equal(answer.status, 200, `${path} ${answer.status}`)
      assert.equal(answer.headers['cache-control'], 'no-store')
      return sees(answer)
    },
    async act(path, fields) {
      const answer = await send(path, fields)
      assert.equal(answer.status, 303, answer.text)
      assert.equal(answer.headers.location, `${path.split('?')[0]}?done=${fields['action']}`)
    },
    async refused(path, fields) {
      const answer = await send(path, fields)
      assert.ok(answer.status >= 400 && answer.status < 500, `${answer.status}`)
      return sees(answer)
    },
  }
}

/** What the audit log says of a subject, oldest first: who, what, why and what besides. */
export async function audited(w: World, subject: string): Promise<unknown[]> {
  const rows = await w.sql`select actor, action, reason, details from audit_log where subject = ${subject} order by id`
  return rows.map(({ actor, action, reason, details }) => [actor, action, reason, details])
}
