// Picking up at a start where the last run ended: first what it left open, then what waits for an answer.
import type { Agenda } from './agenda.ts'
import type { Journal } from './journal.ts'
import type { AgendaItem } from './types.ts'

/** What to do about the items of each kind. */
export type AgendaHandlers = {
  readonly [K in AgendaItem['kind']]?: (item: AgendaItem & { kind: K }) => Promise<unknown>
}

/**
 * Sends again what an earlier run or a lost response left open, then gives each item of the agenda to the handler of its kind, one
 * after the other. Resolves with the items that have no handler. Throws what `resumePending` and the handlers throw; call it
 * again to go on.
 */
export type Reconcile = (
  handlers: AgendaHandlers,
  options?: { signal?: AbortSignal | undefined },
) => Promise<AgendaItem[]>

export const createReconcile =
  (journal: Journal, agenda: Agenda): Reconcile =>
  async (handlers, { signal } = {}) => {
    await journal.resume()
    const left: AgendaItem[] = []
    for await (const item of agenda({}, { signal })) {
      const handle = handlers[item.kind] as ((item: AgendaItem) => Promise<unknown>) | undefined
      if (handle) await handle(item)
      else left.push(item)
    }
    return left
  }
