import type { Caller, Decided, IntentOptions, Options } from './call.ts';
import type { Lister } from './lists.ts';
import type { Article, ArticleChanges, ArticleKind, ArticleLanguage, ArticleState, ArticleSummary, Invitation, NewArticle, Publisher } from './types.ts';
/**
 * Every change names the version that it was decided on: `version_conflict` when it is another by now. Writing needs an
 * open profile (`publisher_ineligible`; `me` says why), and the operator may have switched it off
 * (`editorial_unavailable`). What takes an article to the site says `publication_confirmed`, which is yours to say.
 */
export interface Editorial {
    /** Whether you are an author, what you may write, and what prevents it; answers everyone. */
    me(options?: Options): Promise<Publisher>;
    /** Invitations to write, newest first; each is open for a day. Writing needs none. */
    invitations(filter?: {
        page_size?: number;
    }, options?: Options): AsyncIterable<Invitation>;
    invitation(invitationId: string, options?: Options): Promise<Invitation>;
    /** Your own articles without their texts, newest first. */
    list(filter?: {
        state?: ArticleState;
        kind?: ArticleKind;
        language?: ArticleLanguage;
        page_size?: number;
    }, options?: Options): AsyncIterable<ArticleSummary>;
    get(articleId: string, options?: Options): Promise<Article>;
    /**
     * Write one: plain text of up to 50000 characters. A draft, unless it is published at once.
     * `editorial_publish_limit`: ten publications in 24 hours; `editorial_record_limit`.
     */
    create(article: NewArticle, options?: IntentOptions): Promise<Article>;
    /** Change what is named; its state stays. */
    edit(articleId: string, changes: ArticleChanges & Decided, options?: IntentOptions): Promise<Article>;
    /** Take it to the site and into the feed. `already_published`, `editorial_publish_limit`. */
    publish(articleId: string, ask: Decided & {
        publication_confirmed: true;
    }, options?: IntentOptions): Promise<Article>;
    /** Take it from the site and out of the feed; it can be published again. `not_published`. */
    withdraw(articleId: string, ask: Decided, options?: IntentOptions): Promise<Article>;
}
export declare function createEditorial(call: Caller, list: Lister): Editorial;
