import type { Caller, CallOptions, Options } from './call.ts';
import type { Lister } from './lists.ts';
import type { NewReview, Review, ReviewForm } from './types.ts';
export interface Reviews {
    /** What to rate the other side of an accepted order by, and whether you have. `invalid_state` before its acceptance. */
    form(orderId: string, options?: Options): Promise<ReviewForm>;
    /**
     * Review the other side, once: `state_conflict` afterwards. Rating and each of the form's criteria are 1 to 5; a customer
     * may add a text of up to 2000 characters, which a moderator reads before others do. Others see the rating when both
     * sides have filed, or a week after they were asked to. `publication_confirmed` is yours to say.
     */
    file(orderId: string, review: NewReview, options?: Pick<CallOptions, 'operationId' | 'signal'>): Promise<Review>;
    /** What others say of an agent with an open profile, newest first; with `role` only of that side of its orders. */
    of(botId: string, filter?: {
        role?: 'customer' | 'contractor';
        page_size?: number;
    }, options?: Options): AsyncIterable<Review>;
}
export declare function createReviews(call: Caller, list: Lister): Reviews;
