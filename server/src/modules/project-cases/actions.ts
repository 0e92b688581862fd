// What the two sides do with a project case. Each locks it, checks whose it is, the version and the state by the table of
// moves. docs/contract/project-cases.md#states.
import { emitting } from '../../events/outbox.ts'
import type { Agent } from '../../kernel/callers.ts'
import { requireVersion } from '../../kernel/moves.ts'
import { part } from '../../kernel/part.ts'
import { refuse } from '../../kernel/refuse.ts'
import type { Tx } from '../../store/sql.ts'
import { endBindings } from '../attachments/bindings.ts'
import { isOpen } from '../identity/passport.ts'
import { type Action, type Move, moves, type State } from './machine.ts'
import { bind, type Content, findLocked, type ProjectCase } from './project-cases.ts'

export interface Ask {
  expected_version: number
}

/** What a contractor changes; what is left out stays. */
export interface Change extends Partial<Content>, Ask {
  rights_confirmed?: boolean
}

/** A case cannot be changed beyond this version, because its customer gets an event for each. */
export const mostVersions = 200

/**
 * Changes the caller's own case; one that was proposed needs its customer's consent again. Refuses `not_found`,
 * `forbidden`, `version_conflict`, `invalid_state` and what files are refused with.
 */
export async function change(tx: Tx, me: Agent, id: string, ask: Change): Promise<{ id: string }> {
  const { expected_version: expected, attachment_ids: files, rights_confirmed: confirmed = false, ...texts } = ask
  const found = await findFor(tx, me, id, 'change')
  requireVersion(found, expected, { status: found.state })
  const state = requireMove(found, 'change')
  if (found.version >= mostVersions) refuse('invalid_state', { message: `Limit of ${mostVersions} versions reached` })
  await advance(tx, found, { ...texts, state, customer_consented_at: null })
  if (files) await bind(tx, id, me.id, { attachment_ids: files, rights_confirmed: confirmed })
  return found
}

/** Proposes an own draft to its customer; besides the above refuses `public_profile_required`. */
export async function propose(tx: Tx, me: Agent, id: string, ask: Ask): Promise<{ id: string }> {
  const found = await findFor(tx, me, id, 'propose')
  const open = await lockOpen(tx, [me.id])
  if (!open.has(me.id)) refuse('public_profile_required')
  requireVersion(found, ask.expected_version, { status: found.state })
  const state = requireMove(found, 'propose')
  return advance(tx, found, { state, contractor_consented_at: tx.now })
}

/** Publishes a case that was proposed to the caller, in exactly this version. */
export async function consent(tx: Tx, me: Agent, id: string, ask: Ask): Promise<{ id: string }> {
  const found = await findFor(tx, me, id, 'consent')
  const open = await lockOpen(tx, [found.contractor_id, found.customer_id])
  if (!open.has(me.id)) refuse('public_profile_required')
  requireVersion(found, ask.expected_version, { status: found.state })
  const state = requireMove(found, 'consent')
  if (!open.has(found.contractor_id))
    refuse('invalid_state', { message: 'The contractor’s profile is closed; wait until it opens' })
  return advance(tx, found, { state, customer_consented_at: tx.now })
}

/** Ends a case for good, with the hold on its files. */
export async function withdraw(tx: Tx, me: Agent, id: string, ask: Ask): Promise<{ id: string }> {
  const found = await findFor(tx, me, id, 'withdraw')
  requireVersion(found, ask.expected_version, { status: found.state })
  const state = requireMove(found, 'withdraw')
  await advance(tx, found, { state })
  await endBindings(tx, { kind: 'portfolio', id })
  return found
}

/**
 * A case that the caller may read and act on, as it is until this transaction ends. Of a removed one its customer takes its
 * consent back, and does nothing else.
 */
async function findFor(tx: Tx, me: Agent, id: string, action: Action): Promise<ProjectCase> {
  const { found, isRemoved } = await findLocked(tx, me.id, id)
  const isRevoked = action === 'withdraw' && me.id === found.customer_id
  if (isRemoved && me.id !== found.contractor_id && !isRevoked) refuse('not_found')
  const { by }: Move = moves[action]
  const mayAct = by === 'either' ? [found.contractor_id, found.customer_id] : [found[`${by}_id`]]
  if (!mayAct.includes(me.id)) {
    const whose = by === 'either' ? 'its two sides' : `the ${by}`
    refuse('forbidden', { message: `Only ${whose} may do this` })
  }
  return found
}

/** Which of some agents have open profiles; who closes or is hidden at this moment does so before or after this transaction. */
async function lockOpen(tx: Tx, ids: readonly string[]): Promise<ReadonlySet<string>> {
  // Asked after the locks: a statement that waited for them sees what was hidden before.
  const [, open] = await Promise.all([
    tx`select 1 from agents where id = any(${ids}::uuid[]) order by id for share`,
    tx<{ id: string }>`select a.id from agents a where a.id = any(${ids}::uuid[]) and ${isOpen}`,
  ])
  return new Set(open.map(({ id }) => id))
}

/** The state that an action leads to; refuses `invalid_state` if it leads nowhere. */
function requireMove({ state }: ProjectCase, action: Action): State {
  const { ways }: Move = moves[action]
  return ways[state] ?? refuse('invalid_state', { message: `The case is ${state}`, details: { status: state } })
}

type Changed = Pick<ProjectCase, 'state'> &
  Partial<Pick<ProjectCase, 'title' | 'summary' | 'result' | 'contractor_consented_at' | 'customer_consented_at'>>

/** Writes the next version of a locked case, with an event to both sides unless its customer knows nothing of it. */
async function advance(tx: Tx, found: ProjectCase, changed: Changed): Promise<ProjectCase> {
  const next: ProjectCase = { ...found, ...changed, version: found.version + 1, updated_at: tx.now }
  const told =
    next.contractor_consented_at === null
      ? part``
      : part`with told as (${emitting(tx, {
          kind: 'project_case.changed',
          to: [next.contractor_id, next.customer_id],
          subject: next.id,
          payload: { project_case_id: next.id, status: next.state, version: next.version },
        })})`
  tx.write`
    ${told} update project_cases set title = ${next.title}, summary = ${next.summary}, result = ${next.result},
      state = ${next.state}, version = ${next.version}, contractor_consented_at = ${next.contractor_consented_at},
      customer_consented_at = ${next.customer_consented_at}, updated_at = ${next.updated_at}
    where id = ${next.id}`
  return next
}
