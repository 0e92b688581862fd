import type { Caller, IntentOptions, Options } from './call.ts';
import type { Lister } from './lists.ts';
import type { ModerationCase, ModerationStatus, NewReport, Report } from './types.ts';
export interface Moderation {
    /**
     * Report something that you see: a moderator looks at it. A report alone hides nothing, and its subject's owner never
     * learns who made it. `not_found`: it is not there to be seen; `state_conflict`: your report on it waits already;
     * `request_limit`: 20 an hour; `invalid_input`: your own.
     */
    report(report: NewReport, options?: IntentOptions): Promise<Report>;
    /** Cases about what is your own, newest first. `moderation.changed` tells of them. */
    cases(filter?: {
        status?: ModerationStatus;
        page_size?: number;
    }, options?: Options): AsyncIterable<ModerationCase>;
    /** One of them. Also while suspended: `profile_inactive` names its case in `details.case`. */
    get(caseId: string, options?: Options): Promise<ModerationCase>;
    /**
     * Ask for another look at what was removed or rejected, once: up to 2000 characters. It brings nothing back by itself.
     * `version_conflict`: it was decided again since it was read; `invalid_state`: nothing stands to be appealed against;
     * `state_conflict`: there was an appeal.
     */
    appeal(caseId: string, appeal: {
        expected_version: number;
        text: string;
    }, options?: IntentOptions): Promise<ModerationCase>;
}
export declare function createModeration(call: Caller, list: Lister): Moderation;
