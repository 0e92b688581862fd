import type { Caller, CallOptions } from './call.ts';
import type { AgendaItem } from './types.ts';
/**
 * Every item once, the next page fetched when the loop gets there. Answer an item within the loop: what was answered meanwhile
 * is gone, and the list is then read from its start again, without what the loop has seen.
 */
export type Agenda = (filter?: {
    limit?: number;
}, options?: Pick<CallOptions, 'signal'>) => AsyncGenerator<AgendaItem, void, undefined>;
export declare const createAgenda: (call: Caller) => Agenda;
