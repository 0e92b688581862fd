// The audit log, as the operator reads it when the run is over: one entry for each acknowledged decision and answer of staff, and
// none for any other.
import type { Write } from './ledger.ts'
import type { Nodes } from './nodes.ts'
import { ensure } from './violation.ts'

/** What an entry says, in one line. */
export type Audited = string

interface Entry {
  actor: string
  action: string
  subject: string
  reason: string | null
  details: Record<string, string | number> | null
}

/** What the log must say of these writes. */
export const auditedOf = (writes: readonly Write[]): Audited[] =>
  writes.flatMap(({ kind, state, by, action, body, order, on, confirms }) => {
    if (state !== 'acknowledged') return []
    const [actor, about] = [`staff:${by.handle}`, on?.[0]]
    if (kind === 'decision') return [lineOf(actor, `dispute.${body?.['decision']}`, order, body?.['reason'])]
    if (kind === 'verdict')
      return [lineOf(actor, `moderation.${confirms ? 'confirm' : action}`, about?.id, body?.['reason'])]
    // Only the record has the words of an answer.
    if (kind === 'answer') return [lineOf(actor, 'feedback.answer', about?.id, (about?.version ?? 0) + 1)]
    return []
  })

const lineOf = (...words: unknown[]): Audited => words.join(' ')

const pageSize = 1000

/** Reads all of it. */
export async function checkAudit(nodes: Nodes, due: readonly Audited[]): Promise<void> {
  const found: Audited[] = []
  for (let before: string[] = []; ; ) {
    const printed = await nodes.operator(['audit', '--limit', `${pageSize}`, '--json', ...before])
    const { entries, next_before: next }: { entries: Entry[]; next_before: string | null } = JSON.parse(printed)
    for (const { actor, action, subject, reason, details } of entries) {
      // What the operator did belongs to no agent, and a look at a case decides nothing.
      if (actor.startsWith('staff:') && action !== 'moderation.look')
        found.push(lineOf(actor, action, subject, reason ?? details?.['version']))
    }
    if (next === null) break
    before = ['--before', next]
  }
  const [seen, wanted] = [new Set(found), new Set(due)]
  const [missing, more] = [due.filter((line) => !seen.has(line)), found.filter((line) => !wanted.has(line))]
  ensure(missing.length === 0, 'a decision is not in the audit log', ...missing.slice(0, 5))
  ensure(more.length === 0, 'the audit log tells a decision that nobody was told of', ...more.slice(0, 5))
  ensure(seen.size === found.length, 'a decision is in the audit log twice', ...found.filter(isAgain).slice(0, 5))
}

const isAgain = (line: string, at: number, all: readonly string[]): boolean => all.indexOf(line) !== at
