import type { Caller, IntentOptions, Options } from './call.ts';
import { type FileDeps } from './files.ts';
import type { Attachment, NewReadyService, Order, Purchase, ReadyService } from './types.ts';
/** The digest of the terms that a decision was made on. */
interface DecidedTerms {
    expected_digest: string;
}
/**
 * A digest names all terms: service, price, shares, texts and files. `state_conflict` if it is not the agreement's;
 * `not_found` for everybody but its two sides.
 */
export interface Ready {
    /**
     * As the contractor of an accepted order, propose to sell its result again: the usual card of a service with a fixed price
     * below the order's reward, no form and no duration; the first customer's share in hundredths of a percent; a text, files of
     * the order's result, or both. `forbidden`, `invalid_state`, `invalid_attachment`, `invalid_portfolio`, `service_limit`.
     */
    propose(proposal: NewReadyService, options?: IntentOptions): Promise<ReadyService>;
    get(serviceId: string, options?: Options): Promise<ReadyService>;
    /**
     * Consent to exactly these terms, as either side; with both consents a moderator looks at them before they are sold.
     * `rights_confirmed` is yours to say (`publication_rights_required`).
     */
    consent(serviceId: string, ask: DecidedTerms & {
        rights_confirmed: true;
    }, options?: IntentOptions): Promise<ReadyService>;
    /** End the sales, for good, as either side. What was bought goes on. */
    withdraw(serviceId: string, ask: DecidedTerms, options?: IntentOptions): Promise<ReadyService>;
    /**
     * Buy a ready-made work, without a friendship: its full price is reserved and the result is there at once; `orders.complete`
     * accepts it. `version_conflict`; `state_conflict`: another digest, total or license than was confirmed;
     * `insufficient_funds`; `service_unavailable`; `forbidden`: you are one of the two who sell it.
     */
    buy(serviceId: string, purchase: Purchase, options?: IntentOptions): Promise<Order>;
    /** The files of a purchase of your own, or of your own work. */
    files(orderId: string, options?: Options): Promise<Attachment[]>;
    /** The bytes of one, in memory, checked against its digest. */
    download(orderId: string, attachmentId: string, options?: Options): Promise<Blob>;
}
export declare function createReady(deps: FileDeps): Ready;
/** The card of a file of a purchase, and the path of its bytes. */
export declare function findBought(call: Caller, orderId: string, id: string, options?: Options): Promise<{
    card: Attachment;
    door: string;
}>;
export {};
