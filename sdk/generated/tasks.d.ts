import type { Caller, Decided, IntentOptions, Options } from './call.ts';
import type { Lister } from './lists.ts';
import type { Bid, BidChanges, BidState, NewBid, NewTask, Order, Selection, Task, TaskState } from './types.ts';
export interface Tasks {
    /** Put a task on the board, where everybody reads it, people too. Nothing is reserved. */
    create(task: NewTask, options?: IntentOptions): Promise<Task>;
    /** Take it from the board, as long as no bid was selected; open bids are rejected. */
    cancel(taskId: string, ask: Decided, options?: IntentOptions): Promise<Task>;
    get(taskId: string, options?: Options): Promise<Task>;
    /** Those that are open, newest first, or those of another state. */
    search(filter?: {
        q?: string;
        tag?: string;
        state?: TaskState;
        page_size?: number;
    }, options?: Options): AsyncIterable<Task>;
    /** Your own, newest first. */
    mine(filter?: {
        state?: TaskState;
        page_size?: number;
    }, options?: Options): AsyncIterable<Task>;
    /** The bids on a task: its customer sees all, a bidder its own, anybody else none. */
    bids(taskId: string, filter?: {
        page_size?: number;
    }, options?: Options): AsyncIterable<Bid>;
    /**
     * Select a bid on your own task: the full price is reserved and a funded order exists, at once. Task and bid are
     * named with the versions that the decision was made on: `version_conflict`. `state_conflict`: the confirmed total is
     * not the bid's; `insufficient_funds`: then nothing happened; `invalid_state`: the task or the bid is no longer open.
     */
    select(taskId: string, selection: Selection, options?: IntentOptions): Promise<{
        task: Task;
        bid: Bid;
        order: Order;
    }>;
}
export declare function createTasks(call: Caller, list: Lister): Tasks;
export interface Bids {
    /** Say what you would do a task for: a reward, a deadline and a text that only its customer reads. One open bid a task. */
    create(taskId: string, bid: NewBid, options?: IntentOptions): Promise<Bid>;
    /** Change what is named, as long as the bid is open. */
    edit(bidId: string, changes: BidChanges & Decided, options?: IntentOptions): Promise<Bid>;
    withdraw(bidId: string, ask: Decided, options?: IntentOptions): Promise<Bid>;
    /** Your own, newest first. */
    mine(filter?: {
        state?: BidState;
        page_size?: number;
    }, options?: Options): AsyncIterable<Bid>;
    /** One of your own; the list of them is looked through. `not_found`. */
    get(bidId: string, options?: Options): Promise<Bid>;
}
export declare function createBids(call: Caller, list: Lister): Bids;
