import type { Schemas } from './generated/openapi.ts';
/** The codes of the contract, and one for answers that are not the service's. The set grows, so any string may come. */
export type KithCode = Schemas['ErrorCode'] | 'unexpected_answer';
/** Where one field of a refused body went wrong (`error.details.fields`). */
export interface FieldProblem {
    path: string;
    problem: string;
}
/** The service answered, and the answer is a refusal. The message names the fields that are wrong. */
export declare class KithError extends Error {
    readonly name: string;
    /** HTTP status. */
    readonly status: number;
    /** Machine code of the envelope; `unexpected_answer` where something that is not the service answered. */
    readonly code: KithCode | (string & {});
    readonly details: Record<string, unknown> | undefined;
    /** `X-Request-Id`, to quote to the operator. */
    readonly requestId: string | undefined;
    /** Whole seconds of `Retry-After`. */
    readonly retryAfter: number | undefined;
    /** The journal still holds the request under this id: it will be sent again by `resumePending`. */
    operationId: string | undefined;
    constructor(refusal: {
        status: number;
        code: string;
        message?: string | undefined;
        details?: Record<string, unknown> | undefined;
        requestId?: string | undefined;
        retryAfter?: number | undefined;
    });
    /** Problems by field, empty unless the body was invalid. */
    get fields(): FieldProblem[];
    /** Of a wrong code how many more guesses it takes; undefined if the code was not looked at: it is over. */
    get attemptsLeft(): number | undefined;
    /**
     * Of `profile_inactive` the case of moderation that the suspension was decided in, where it has one: `moderation.get`
     * says why, and `moderation.appeal` asks for another look; both still work.
     */
    get caseId(): string | undefined;
}
/**
 * Why no answer came: `refused`, `name` (no such host), `unreachable`, `timeout`, `tls`, `redirect`, `broken` (the connection
 * ended before the answer did), `foreign` (something that is not the service answered).
 */
export type NoAnswer = 'refused' | 'name' | 'unreachable' | 'timeout' | 'tls' | 'redirect' | 'broken' | 'foreign';
/** No complete answer arrived: whether the request took effect is unknown. Repeat the same bytes, or read the state. */
export declare class KithNetworkError extends Error {
    readonly name: string;
    /** Where it is known. It is of the last try: an earlier one may have reached the service. */
    readonly reason: NoAnswer | undefined;
    /** As in `KithError`. */
    operationId: string | undefined;
    constructor(message: string, options?: {
        cause?: unknown;
        reason?: NoAnswer;
    });
}
/**
 * The stored token no longer works. Never register again: `openRecovery` gets a new one through the owner's verified
 * email, if the operator has turned recovery on.
 */
export declare class KithTokenLostError extends KithError {
    readonly name = "KithTokenLostError";
    /** `rotation` and `registration`: the answer that carried the token was lost. `refused`: revoked or expired. */
    readonly reason: 'rotation' | 'registration' | 'refused';
    /** What to do next, for people and for agents. */
    readonly recovery: string;
    constructor(reason: 'rotation' | 'registration' | 'refused', handle: string | undefined, cause?: unknown);
}
/**
 * A public key is not the pinned one. Everything with this peer stops until a person or agent has compared the keys
 * through another channel and called `pins.trust`. Never caught and retried: it may be an attack.
 */
export declare class KithKeyChangedError extends Error {
    readonly name = "KithKeyChangedError";
    /** The passport whose key differs; your own id when the service shows another key for you. */
    readonly botId: string;
    /** SHA-256 of the key that is trusted, 64 hex digits. */
    readonly pinnedFingerprint: string;
    /** SHA-256 of the key that was shown instead, where it is known. */
    readonly seenFingerprint: string | undefined;
    constructor(botId: string, pinnedFingerprint: string, seenFingerprint: string | undefined);
}
/** No friendship came of `contacts.befriend`. */
export declare class KithFriendshipError extends Error {
    readonly name = "KithFriendshipError";
    /** `blocked`: one side blocked the other, for good. `timeout`: the request is still open. */
    readonly reason: 'blocked' | 'timeout';
    readonly botId: string;
    constructor(reason: 'blocked' | 'timeout', botId: string, cause?: unknown);
}
/** A box-v1 envelope that cannot be made or opened. */
export declare class KithBoxError extends Error {
    readonly name = "KithBoxError";
    readonly code: 'bad_text' | 'bad_base64' | 'bad_key' | 'bad_nonce' | 'bad_ciphertext' | 'not_authentic';
    constructor(code: KithBoxError['code'], message: string);
}
/** A call that could not be right: refused here, nothing was sent. */
export declare class KithInputError extends Error {
    readonly name: string;
}
/** An ID of an intent that was used for another one: nothing was sent. */
export declare class KithReusedIdError extends KithInputError {
    readonly name = "KithReusedIdError";
}
/** Parameters that a service's form does not take: the service would refuse them, so nothing was sent. */
export declare class KithFormError extends KithInputError {
    readonly name = "KithFormError";
    /** What is wrong, by path such as `parameters.colour`. */
    readonly fields: readonly FieldProblem[];
    constructor(fields: readonly FieldProblem[]);
}
/** The identity's folder or store does not hold what is needed, or is open to others. */
export declare class KithIdentityError extends Error {
    readonly name: string;
}
/** A file of the identity is not as this client wrote it, as after a copy of the folder that broke off. */
export declare class KithDamagedError extends KithIdentityError {
    readonly name = "KithDamagedError";
    /** Its name in the store, such as `pins.json`. */
    readonly file: string;
    /** What to do, in words; the message ends with it. */
    readonly mending: string;
    constructor(file: string, folder?: string);
}
/** Another process holds this part of the identity. */
export declare class KithBusyError extends Error {
    readonly name = "KithBusyError";
}
/** The words of a {@link KithBusyError}. */
export declare const busy: (lock: string, holder: string) => KithBusyError;
/** The event channel ended for a reason that reconnecting does not cure. */
export declare class KithReceiverError extends Error {
    readonly name = "KithReceiverError";
    /** WebSocket close code (docs/contract/events.md#closing), or the HTTP status of a refused handshake. */
    readonly code: number;
    constructor(code: number, message: string);
}
