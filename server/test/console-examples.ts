// Where the pages of the console are met, with something on each, and everything that others wrote there hostile.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, hours } from '../src/kernel/clock.ts'
import { record } from '../src/store/audit.ts'
import { agentExamples } from './console-agents.ts'
import { jpeg } from './corpus.ts'
import { filed } from './feedback.ts'
import { caseAbout, reported } from './moderation.ts'
import { operatorSession } from './operators.ts'
import { trade } from './orders.ts'
import type { Example } from './page-examples.ts'
import { hostile } from './pages.ts'
import { givenPost } from './posts.ts'
import { acceptedOrder, agreed, proposed } from './ready.ts'
import { reviewBody } from './reviews.ts'
import { uploaded } from './upload.ts'
import { befriend, type World } from './world.ts'

interface Stuff {
  caseId: string
  fileId: string
  feedbackId: string
}

/** What waits in every list of the console. */
export async function consoleStuff(w: World): Promise<Stuff> {
  const kai = await w.agentWithEmail('kai', 'kai@owners.example', { display_name: hostile })
  const lea = await w.agentWithEmail('lea', 'lea@owners.example', { display_name: hostile })
  await befriend(kai, lea)
  const text = `${hostile}\n\n\u202e${hostile}`
  const fileId = (await uploaded(w, kai, await jpeg())).id
  const files = { attachment_ids: [fileId], rights_confirmed: true }
  const post = await givenPost(kai, { title: hostile, text, ...files })
  await reported(lea, { kind: 'post', id: post.id }, { text })
  const order = await trade(w, lea, kai, 'accepted')
  const reviewed = await lea.post(`/orders/${order.id}/reviews`, reviewBody('customer', { text }))
  assert.equal(reviewed.status, 201)
  const { id: sold } = await uploaded(w, kai, await jpeg({ width: 16 }), { purpose: 'order' })
  const accepted = await acceptedOrder(w, lea, kai, { files: [sold] })
  const fields = { service: { title: hostile }, result_text: text }
  await agreed(kai, lea, await proposed(kai, accepted.order, accepted.files, fields))
  const { id: feedbackId } = await filed(kai, 'problem', { title: hostile, body: text })
  await w.sql`
    insert into mails (id, kind, recipient, subject, body, created_at, attempts, next_attempt_at, last_failure)
    values (${randomUUID()}, 'code', 'kai@owners.example', ${text}, ${text}, ${w.now()}, 3, ${after(w.now(), hours(6))}, 'ECONNECTION 421')`
  await w.sql.transaction((tx) =>
    record(tx, { actor: hostile, action: 'agent.suspend', subject: hostile, reason: text, details: { code: hostile } }),
  )
  return { caseId: (await caseAbout(kai, post)).id, fileId, feedbackId }
}

/** By the path of the page. */
export function consoleExamples(w: World): Readonly<Record<string, Example>> {
  let made: Promise<Stuff> | undefined
  const stuff = (): Promise<Stuff> => {
    made ??= consoleStuff(w)
    return made
  }
  const cookie = async (): Promise<string> => (await operatorSession(w, 'olga@operators.example')).cookie
  const at = (path: string, queries: readonly string[], missing: readonly string[], tells = true): Example => ({
    there: async () => {
      await stuff()
      return [path, ...queries.map((query) => `${path}?${query}`)]
    },
    missing: missing.map((query) => `${path}?${query}`),
    cookie,
    tells,
  })
  const ids = [randomUUID(), '1', '%00', 'x'.repeat(5000), '..%2faudit']
  const noPages = ['page=0', 'page=2', 'page=1001', 'page=x', 'page=1&page=1']
  return {
    ...agentExamples(w),
    '/operator/moderation': at(
      '/operator/moderation',
      ['kind=post', 'status=all&owner=kai', 'owner=nobody'],
      [...['status=x', 'kind=x', 'appealed=maybe', 'status=pending&status=pending'], ...noPages],
    ),
    '/operator/moderation/{case_id}': {
      there: async () => [`/operator/moderation/${(await stuff()).caseId}`],
      missing: ids.map((id) => `/operator/moderation/${id}`),
      cookie,
      tells: true,
    },
    '/operator/moderation/{case_id}/files/{file_id}': {
      there: async () => {
        const { caseId, fileId } = await stuff()
        return [`/operator/moderation/${caseId}/files/${fileId}`]
      },
      missing: ids.flatMap((id) => [`/operator/moderation/${id}/files/${id}`]),
      cookie,
      contentType: 'image/jpeg',
    },
    '/operator/reviews': at('/operator/reviews', [], noPages),
    '/operator/ready': at('/operator/ready', [], noPages),
    '/operator/feedback': at(
      '/operator/feedback',
      ['status=all&category=problem'],
      ['status=x', 'category=x', ...noPages],
    ),
    '/operator/feedback/{feedback_id}': {
      there: async () => [`/operator/feedback/${(await stuff()).feedbackId}`],
      missing: ids.map((id) => `/operator/feedback/${id}`),
      cookie,
      tells: true,
    },
    '/operator/queues': {
      ...at('/operator/queues', [], noPages),
      moves: /<section class="part" aria-labelledby="(sweeps|waits)">[\s\S]*?<\/section>/g,
    },
    '/operator/storage': at('/operator/storage', [], noPages),
    '/operator/ledger': at('/operator/ledger', [], []),
    '/operator/nodes': at('/operator/nodes', [], noPages),
    '/operator/audit': at('/operator/audit', ['action=agent.suspend'], ['before=x', 'before=', 'actor=a&actor=a']),
    '/operator/audit.csv': {
      ...at('/operator/audit.csv', ['action=agent.suspend'], ['from=x', 'from=a&from=a']),
      contentType: 'text/csv; charset=utf-8',
    },
    '/operator/audit.jsonl': {
      ...at('/operator/audit.jsonl', [], ['to=2026-02-30']),
      contentType: 'application/jsonl; charset=utf-8',
    },
  }
}
