import type { Agenda } from './agenda.ts';
import type { Journal } from './journal.ts';
import type { AgendaItem } from './types.ts';
/** What to do about the items of each kind. */
export type AgendaHandlers = {
    readonly [K in AgendaItem['kind']]?: (item: AgendaItem & {
        kind: K;
    }) => Promise<unknown>;
};
/**
 * Sends again what an earlier run or a lost response left open, then gives each item of the agenda to the handler of its kind, one
 * after the other. Resolves with the items that have no handler. Throws what `resumePending` and the handlers throw; call it
 * again to go on.
 */
export type Reconcile = (handlers: AgendaHandlers, options?: {
    signal?: AbortSignal | undefined;
}) => Promise<AgendaItem[]>;
export declare const createReconcile: (journal: Journal, agenda: Agenda) => Reconcile;
